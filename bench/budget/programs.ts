import { cpSync, mkdirSync } from "node:fs";

/** Stops the run. The message is one line that tells the developer what to do. */
export class BudgetError extends Error {}

/** Throws BudgetError if this clone does not have the commit. */
export async function requireCommit(commit: string): Promise<void> {
  const isHere = await succeeds(["git", "cat-file", "-e", `${commit}^{commit}`]);
  if (!isHere)
    throw new BudgetError(
      `This clone does not have the baseline ${commit} of bench/budget.json. Fetch the whole history: git fetch --unshallow`,
    );
}

/** Builds the program of a commit in `folder` and returns its path. */
export async function buildCommit(commit: string, folder: string): Promise<string> {
  mkdirSync(folder);
  const archive = `${folder}.tar`;
  await run(["git", "archive", "--format=tar", `--output=${archive}`, commit], ".");
  await run(["tar", "-xf", archive], folder);
  // Installs the commit's own dependencies and generates its files.
  await run([process.execPath, "run", "--silent", "deps"], folder);
  return await buildTree(folder, `${folder}-guildhall`);
}

/** Builds the program of the sources in `folder` as `program` and returns its path. */
export async function buildTree(folder: string, program: string): Promise<string> {
  await run([process.execPath, "scripts/build.ts", "--outfile", program], folder);
  return program;
}

/** Copies a data folder that no server has open. */
export function copyData(from: string, to: string): string {
  cpSync(from, to, { recursive: true });
  return to;
}

/** Runs a command and returns its standard output. Throws with the whole output if the command fails. */
export async function run(command: string[], cwd: string, input = ""): Promise<string> {
  const child = Bun.spawn(command, {
    cwd,
    stdin: Buffer.from(input),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new BudgetError(`${command.slice(0, 3).join(" ")} ended with ${code}: ${err}${out}`);
  return out;
}

async function succeeds(command: string[]): Promise<boolean> {
  return (await Bun.spawn(command, { stdout: "ignore", stderr: "ignore" }).exited) === 0;
}
