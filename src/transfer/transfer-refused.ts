/**
 * An export or import that cannot be done. The message tells the operator where the problem is and what to
 * do.
 */
export class PortableRefused extends Error {
  override name = "PortableRefused";
}

/** An import that cannot continue because another one is unfinished. The finished part is kept. */
export class AnotherIsUnfinished extends PortableRefused {}

/** Returns the system's error code, such as `ENOENT`. */
export function reason(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
