/**
 * The variable with the maximum number of parallel HTTP requests. Bun reads it only when a process starts.
 */
const VARIABLE = "BUN_CONFIG_MAX_HTTP_REQUESTS";
/**
 * Higher than the number of parallel delivery attempts. Otherwise an attempt would wait inside Bun while its
 * timeout runs.
 */
const REQUESTS_MIN = 4096;

/**
 * Restarts a server with a higher request limit (docs/contract.md#6.11). Bun sends at most 256 requests at
 * once, unless its environment sets another limit at the start. If the variable is not set, the server
 * replaces itself through execve(2) with the same arguments and this variable. The process id, signals, exit
 * code and standard streams stay the same. If execve fails, the limit remains 256, and the delivery loop
 * adapts to it.
 */
export function restartWithRequestLimit({ argv, env, execPath, execArgv, execve }: NodeJS.Process): void {
  if (argv[2] !== "serve" || env[VARIABLE] !== undefined || !execve) return;
  // The compiled program contains its script. A checkout passes the path of the script.
  const script = Bun.main.startsWith("/$bunfs/") ? [] : [...execArgv, ...argv.slice(1, 2)];
  try {
    execve(execPath, [execPath, ...script, ...argv.slice(2)], { ...env, [VARIABLE]: String(REQUESTS_MIN) });
  } catch {
    // If execve fails, the server runs with Bun's default limit.
  }
}
