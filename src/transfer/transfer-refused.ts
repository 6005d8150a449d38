/**
 * An export or an import that cannot be done. The message tells the operator where it stands and what to do.
 */
export class PortableRefused extends Error {
  override name = "PortableRefused";
}

/** The same where what was done before is kept, and can be gone on with. */
export class AnotherIsUnfinished extends PortableRefused {}

/** What the system says, such as `ENOENT`. */
export function reason(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
