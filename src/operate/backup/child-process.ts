import { resolve } from "node:path";
import { SECOND } from "../../core/base/clock.ts";
import type { ChildRun } from "./single-run.ts";

/**
 * Returns the command that starts this program again. A compiled binary contains its script. Without a
 * binary, the command includes the path of the script.
 */
function ownCommand(): string[] {
  const script =
    Bun.main.startsWith("/$bunfs/") || Bun.main.includes("~BUN") ? [] : [...process.execArgv, Bun.main];
  return [process.execPath, ...script];
}

/**
 * Starts a scheduled backup or a restore rehearsal in a separate process. The memory use, priority and
 * crashes of that process do not affect requests.
 */
export function startBackupProcess(
  command: readonly ["backup", "--scheduled"] | readonly ["restore", "--rehearse"],
  data: string,
  settingsFile: string | undefined,
): ChildRun {
  return begin(command, data, settingsFile);
}

/** Starts the doctor in a separate process. `isSampled` limits the slow checks to a sample. */
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
  const ended = Bun.readableStreamToText(child.stderr).then(async (output) => {
    const [lastLine = ""] = output.trim().split("\n").slice(-1);
    return { code: await child.exited, output: lastLine.replace(/^guildhall: /, ""), text: await printed };
  });
  return { ended, kill: () => terminate(child) };
}

/**
 * Time until a process is killed, in ms. A halted process, or one that hangs on a disk or a pipe, ignores the
 * first signal.
 */
const ENDS_WITHIN_MS = 5 * SECOND;

/**
 * Ends a process, and kills the process if it does not end in time. The unfinished work is then in the same
 * state as after a power failure.
 */
export function terminate(
  child: Pick<Bun.Subprocess, "kill" | "exited">,
  withinMs: number = ENDS_WITHIN_MS,
): void {
  child.kill();
  const force = setTimeout(() => child.kill("SIGKILL"), withinMs);
  void child.exited.then(() => clearTimeout(force));
}
