import { spyOn } from "bun:test";
import { join } from "node:path";
import { run } from "../src/cli/program.ts";
import { KEY, type World } from "./support.ts";

export interface Said {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command line on the data folder of a world. `words` omits `guildhall`. */
export async function command(
  { folder }: Pick<World, "folder">,
  words: readonly string[],
  more: Record<string, string> = {},
): Promise<Said> {
  const said = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    spyOn(process[name], "write").mockImplementation((text) => {
      said[name] += String(text);
      return true;
    }),
  );
  try {
    const variables = { GUILDHALL_KEY: KEY, GUILDHALL_DATA: folder, ...more };
    return {
      code: await run(["bun", "guildhall", ...words], { variables, settings: join(folder, "none.toml") }),
      ...said,
    };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
