import { environment, type Finished, type Program } from "./programs.ts";

export interface KillsOptions {
  program: Program;
  args: readonly string[];
  cwd: string;
  env?: Record<string, string>;
  stdin?: string;
  /**
   * How often it is killed; the moments lie evenly in the time that it takes, each by chance within its part.
   */
  times: number;
  /** Sets up what the command works on: before the run that is timed, and before each that is killed. */
  prepare?(): void | Promise<void>;
  /** Whether the command has begun what it is killed in; it is killed after that, not while it starts. */
  begun?(): boolean;
  /**
   * Looks at what is left, and throws where it is not whole. `ended`: the command was done before its time.
   */
  look(kill: number, ended: Finished | undefined): void | Promise<void>;
  progress?(kill: number): void;
}

/**
 * Kills a command with SIGKILL at moments all over its work, as an impatient operator, a full memory or a
 * power cut would (docs/threats.md#M10). How many of the runs were killed before they had ended.
 */
export async function killInside(options: KillsOptions): Promise<number> {
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

/** On a busy machine a run may end before its moment: where none was killed there are so many more. */
const MORE = 5;

/** Runs the command, to its end or until so long after it has begun. `ms`: since then. */
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
