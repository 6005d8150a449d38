import { readFileSync, statSync } from "node:fs";

/**
 * Error for a path that is not a regular file. `code` says what kind of file the path is, and is used like
 * the `code` of a system error.
 */
class NotRegularFile extends Error {
  override name = "NotPlain";
  constructor(readonly code: string) {
    super(code);
  }
}

/**
 * Paths that a shell passes to a command instead of a file, if the file is a pipe. The user who runs the
 * command also controls the other end of the pipe.
 */
const PIPE_PATH = /^\/dev\/(?:stdin|fd\/\d+)$|^\/proc\/self\/fd\/\d+$/;

/**
 * Throws if the path is not a regular file. The error's `code` can be shown in a message. Missing files,
 * folders, and files that may block or never end are refused, such as named pipes and devices. With
 * `mayBePipe`, a pipe from the shell (`<(…)`) is allowed.
 */
export function requireRegularFile(path: string, { mayBePipe = false } = {}): void {
  if (path === "/dev/null" || (mayBePipe && PIPE_PATH.test(path))) return;
  const found = statSync(path);
  if (found.isFile()) return;
  throw new NotRegularFile(
    found.isDirectory() ? "a folder" : found.isFIFO() ? "a pipe" : found.isSocket() ? "a socket" : "a device",
  );
}

/**
 * Returns the content of a file whose path the operator set. Throws like `requireRegularFile`, or a system
 * error.
 */
export function readRegularFile(path: string, options?: { mayBePipe?: boolean }): Buffer {
  requireRegularFile(path, options);
  return readFileSync(path);
}

/**
 * Returns what a path is if the path is not a regular file, for example `a folder`. Returns `undefined` for a
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
