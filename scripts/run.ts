/** Runs an external program and returns its output. Throws with the whole output if the program fails. */
export async function run(cwd: string, command: string[], env: Record<string, string> = {}): Promise<string> {
  const program = Bun.spawn(command, {
    cwd,
    env: { ...process.env, ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [told, failed] = await Promise.all([
    new Response(program.stdout).text(),
    new Response(program.stderr).text(),
  ]);
  if ((await program.exited) !== 0) throw new Error(`${command.join(" ")}\n${told}${failed}`);
  return told;
}
