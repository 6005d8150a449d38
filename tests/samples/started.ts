import { join } from "node:path";

export interface Started extends AsyncDisposable {
  origin: string;
  /** Stops the process and returns all printed lines. */
  printed(): Promise<string[]>;
}

/** Starts a sample in its own process. The sample prints its address. */
export async function start(path: string, env: Readonly<Record<string, string>>): Promise<Started> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "../../docs/samples", path)], {
    env: { PATH: process.env["PATH"] ?? "", PORT: "0", ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let output = "";
  const readOn = async (isEnough: () => boolean): Promise<void> => {
    while (!isEnough()) {
      const { value, done } = await reader.read();
      if (done) return;
      output += value;
    }
  };
  await readOn(() => output.includes("\n"));
  const port = /^listening on (\d+)\n/.exec(output)?.[1];
  if (port === undefined)
    throw new Error(`${path} does not listen: ${await new Response(child.stderr).text()}`);
  const end = async (): Promise<void> => {
    child.kill();
    await child.exited;
  };
  return {
    origin: `http://127.0.0.1:${port}`,
    async printed() {
      await end();
      await readOn(() => false);
      return output.trimEnd().split("\n");
    },
    [Symbol.asyncDispose]: end,
  };
}
