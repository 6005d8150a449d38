import { readFileSync, statSync } from "node:fs";

/** The path is not a regular file. `code` names what it is, like the `code` of system errors. */
class NotRegularFile extends Error {
  override name = "NotPlain";
  constructor(readonly code: string) {
    super(code);
  }
}

/** Paths that a shell passes for pipes. The person who runs the command controls the other end. */
const PIPE_PATH = /^\/dev\/(?:stdin|fd\/\d+)$|^\/proc\/self\/fd\/\d+$/;

/**
 * Throws if the path is not a regular file, with a `code` that a message can show. This covers missing files,
 * folders, and anything that may block or never end, such as named pipes and devices. With `mayBePipe`, a pipe
 * from the shell (`<(…)`) is allowed.
 */
export function requireRegularFile(path: string, { mayBePipe = false } = {}): void {
  if (path === "/dev/null" || (mayBePipe && PIPE_PATH.test(path))) return;
  const found = statSync(path);
  if (found.isFile()) return;
  throw new NotRegularFile(
    found.isDirectory() ? "a folder" : found.isFIFO() ? "a pipe" : found.isSocket() ? "a socket" : "a device",
  );
}

/** Returns the bytes of a file that an operator named. Throws like `requireRegularFile`, or a system error. */
export function readRegularFile(path: string, options?: { mayBePipe?: boolean }): Buffer {
  requireRegularFile(path, options);
  return readFileSync(path);
}

/**
 * Returns what a path is if it is not a regular file, for example `a folder`. Returns `undefined` for a
 * regular file and for a missing path.
 */
export function irregularityOf(path: string): string | undefined {
  try {
    requireRegularFile(path);
    return undefined;
  } catch (error) {
    return error instanceof NotRegularFile ? error.code : undefined;
  }
}
