import { resolve } from "node:path";
import type { Begun } from "./turns.ts";

/** How to call this program again: the binary brings its script along, a checkout names it. */
function ownCommand(): string[] {
  const script =
    Bun.main.startsWith("/$bunfs/") || Bun.main.includes("~BUN") ? [] : [...process.execArgv, Bun.main];
  return [process.execPath, ...script];
}

/**
 * A scheduled backup, or the try of a restore, in a process of its own: its memory, its priority and its end are
 * no request's.
 */
export function runScheduled(
  command: readonly ["backup", "--scheduled"] | readonly ["restore", "--rehearse"],
  data: string,
  settingsFile: string | undefined,
): Begun {
  const settings = settingsFile === undefined ? [] : ["--settings", resolve(settingsFile)];
  const child = Bun.spawn([...ownCommand(), ...command, "--data", resolve(data), ...settings], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const ended = Bun.readableStreamToText(child.stderr).then(async (text) => {
    const [last = ""] = text.trim().split("\n").slice(-1);
    return { code: await child.exited, words: last.replace(/^guildhall: /, "") };
  });
  return { ended, kill: () => child.kill() };
}
