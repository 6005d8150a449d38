import { environment, type Finished, type Program } from "./programs.ts";

export interface KillsOptions {
  program: Program;
  args: readonly string[];
  cwd: string;
  env?: Record<string, string>;
  stdin?: string;
  /** Number of kills. Their moments are spread evenly over the duration, each random within its part. */
  times: number;
  /** Prepares the command's input before the timed run and before each kill. */
  prepare?(): void | Promise<void>;
  /** Whether the command has begun its real work. Kills happen only after that. */
  begun?(): boolean;
  /**
   * Checks what the kill left and throws if it is not intact. `ended` is set if the command ended before the
   * kill.
   */
  look(kill: number, ended: Finished | undefined): void | Promise<void>;
  progress?(kill: number): void;
}

/**
 * Kills a command with SIGKILL at moments spread over its work, like an impatient operator, the OOM killer or
 * a power cut (docs/threats.md#M10). Returns the number of runs that were killed.
 */
export async function killDuring(options: KillsOptions): Promise<number> {
  const { times, prepare, look, progress } = options;
  await prepare?.();
  const whole = await runUntil(options);
  if (!whole.ended || whole.ended.code !== 0)
    throw new Error(`the command fails without being killed: ${whole.ended?.stderr}`);
  let killed = 0;
  for (let kill = 0; kill < times || (killed === 0 && kill < times + MORE); kill++) {
    await prepare?.();
    const part = kill % times;
    const { ended } = await runUntil(options, (whole.ms * (part + Math.random())) / times);
    if (!ended) killed++;
    await look(kill, ended);
    progress?.(kill + 1);
  }
  return killed;
}

/** Extra attempts, because on a busy machine a run may end before its kill. */
const MORE = 5;

/**
 * Runs the command to its end, or kills it `killAfterMs` after it has begun. `ms` is the time since it began.
 */
async function runUntil(
  { program, args, cwd, env = {}, stdin, begun }: KillsOptions,
  killAfterMs = Infinity,
): Promise<{ ms: number; ended: Finished | undefined }> {
  const child = Bun.spawn([...program.command, ...args], {
    cwd,
    env: environment(env),
    stdin: stdin === undefined ? "ignore" : new Blob([stdin]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const printed = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  while (begun && !begun() && child.exitCode === null) await Bun.sleep(1);
  const since = performance.now();
  const timer =
    killAfterMs === Infinity ? undefined : setTimeout(() => child.kill("SIGKILL"), Math.max(1, killAfterMs));
  const code = await child.exited;
  clearTimeout(timer);
  const [stdout, stderr] = await printed;
  const isKilled = child.signalCode === "SIGKILL";
  return { ms: performance.now() - since, ended: isKilled ? undefined : { code, stdout, stderr } };
}
