import { resolve } from "node:path";
import { SECOND } from "../../core/base/clock.ts";
import type { ChildRun } from "./single-run.ts";

/** How to call this program again: the binary brings its script along, a checkout names it. */
function ownCommand(): string[] {
  const script =
    Bun.main.startsWith("/$bunfs/") || Bun.main.includes("~BUN") ? [] : [...process.execArgv, Bun.main];
  return [process.execPath, ...script];
}

/**
 * A scheduled backup, or the try of a restore, in a process of its own: its memory, its priority and its end
 * are no request's.
 */
export function startBackupProcess(
  command: readonly ["backup", "--scheduled"] | readonly ["restore", "--rehearse"],
  data: string,
  settingsFile: string | undefined,
): ChildRun {
  return begin(command, data, settingsFile);
}

/** A look at everything, or at a part of what takes long, likewise. */
export function startDoctorProcess(
  data: string,
  settingsFile: string | undefined,
  isSampled: boolean,
): ChildRun {
  const sampled = isSampled ? ["--sampled"] : [];
  return begin(["doctor", "--json", "--nice", ...sampled], data, settingsFile);
}

function begin(command: readonly string[], data: string, settingsFile: string | undefined): ChildRun {
  const settings = settingsFile === undefined ? [] : ["--settings", resolve(settingsFile)];
  const child = Bun.spawn([...ownCommand(), ...command, "--data", resolve(data), ...settings], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const printed = Bun.readableStreamToText(child.stdout);
  const ended = Bun.readableStreamToText(child.stderr).then(async (said) => {
    const [last = ""] = said.trim().split("\n").slice(-1);
    return { code: await child.exited, words: last.replace(/^guildhall: /, ""), text: await printed };
  });
  return { ended, kill: () => terminate(child) };
}

/** One that was halted, or hangs on a disk or a pipe, does not hear that it should end. */
const ENDS_WITHIN_MS = 5 * SECOND;

/** Has a process end, by force where it does not; what it left half done is what a power cut leaves too. */
export function terminate(
  child: Pick<Bun.Subprocess, "kill" | "exited">,
  withinMs: number = ENDS_WITHIN_MS,
): void {
  child.kill();
  const force = setTimeout(() => child.kill("SIGKILL"), withinMs);
  void child.exited.then(() => clearTimeout(force));
}
