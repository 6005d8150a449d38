import { dirname, join } from "node:path";

/** Example changes whose cost is measured, in the order of their application. */
export const CHANGES: readonly { patch: string; what: string; most: number }[] = [
  { patch: "location.patch", what: "one more field of a post", most: 6 },
  { patch: "talks.patch", what: "a whole resource", most: 10 },
];

export const pathOf = (patch: string): string => join(import.meta.dir, patch);

/** Runs a command. Returns its output and whether it exited with 0. */
export function run(cwd: string, command: string[]): { isGood: boolean; output: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, {
    cwd,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: process.env["HOME"] ?? "",
      GIT_CEILING_DIRECTORIES: dirname(cwd),
    },
  });
  return { isGood: exitCode === 0, output: `${stdout.toString()}${stderr.toString()}` };
}
