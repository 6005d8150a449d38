/** Read by Bun at the start of a process, and never again: how many requests it sends at once. */
const VARIABLE = "BUN_CONFIG_MAX_HTTP_REQUESTS";
/** Above what the delivery loop runs at once, so that no attempt waits inside of Bun while its time runs. */
const WANTED = 4096;

/**
 * Bun sends 256 requests at once, unless its environment says otherwise when it starts. So a server that
 * finds nothing there becomes, by execve(2), the same process with the same arguments and one variable more:
 * one process, whose id, signals, exit code and standard streams are what they were (docs/contract.md#6.11).
 * Where that cannot be, it goes on with 256, and the delivery loop runs no more than those.
 */
export function restartWithRequestLimit({ argv, env, execPath, execArgv, execve }: NodeJS.Process): void {
  if (argv[2] !== "serve" || env[VARIABLE] !== undefined || !execve) return;
  // The compiled program brings its script along; a checkout names it.
  const script = Bun.main.startsWith("/$bunfs/") ? [] : [...execArgv, ...argv.slice(1, 2)];
  try {
    execve(execPath, [execPath, ...script, ...argv.slice(2)], { ...env, [VARIABLE]: String(WANTED) });
  } catch {
    // A system that forbids it.
  }
}
