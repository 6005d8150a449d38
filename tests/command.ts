import { spyOn } from "bun:test";
import { join } from "node:path";
import { run } from "../src/cli/program.ts";
import { KEY, type TestWorld } from "./support.ts";

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command line on the data folder of a world. `args` omits `guildhall`. */
export async function command(
  { folder }: Pick<TestWorld, "folder">,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<CommandResult> {
  const output = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    spyOn(process[name], "write").mockImplementation((text) => {
      output[name] += String(text);
      return true;
    }),
  );
  try {
    const variables = { GUILDHALL_KEY: KEY, GUILDHALL_DATA: folder, ...env };
    return {
      code: await run(["bun", "guildhall", ...args], { variables, settings: join(folder, "none.toml") }),
      ...output,
    };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
