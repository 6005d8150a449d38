import { readFileSync, statSync } from "node:fs";

/** What is no plain file. The code says what it is, where the system's errors say what went wrong. */
class NotPlain extends Error {
  override name = "NotPlain";
  constructor(readonly code: string) {
    super(code);
  }
}

/** What a shell hands over: whoever made it holds its other end. */
const HANDED = /^\/dev\/(?:stdin|fd\/\d+)$|^\/proc\/self\/fd\/\d+$/;

/**
 * Throws, with a `code` that a message can show, for a file that is not there, a folder, and for what could
 * be waited for without end or read without end: a named pipe, a device. With `isHanded`, a pipe that the
 * shell hands over (`<(…)`) will do.
 */
export function requirePlain(path: string, { isHanded = false } = {}): void {
  if (path === "/dev/null" || (isHanded && HANDED.test(path))) return;
  const found = statSync(path);
  if (found.isFile()) return;
  throw new NotPlain(
    found.isDirectory() ? "a folder" : found.isFIFO() ? "a pipe" : found.isSocket() ? "a socket" : "a device",
  );
}

/** The bytes of a file that an operator has named. Throws as `requirePlain`, or what the system says. */
export function readPlain(path: string, given?: { isHanded?: boolean }): Buffer {
  requirePlain(path, given);
  return readFileSync(path);
}

/**
 * Whether something else than a file lies there, in a word: `a folder`; undefined for a file, and for
 * nothing.
 */
export function irregularityOf(path: string): string | undefined {
  try {
    requirePlain(path);
    return undefined;
  } catch (error) {
    return error instanceof NotPlain ? error.code : undefined;
  }
}
