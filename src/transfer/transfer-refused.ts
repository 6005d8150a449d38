import { OperatorError } from "../core/base/operator-error.ts";

/**
 * An export or import that cannot be done. The message tells the operator where the problem is and what to
 * do.
 */
export class TransferRefused extends OperatorError {
  override name = "TransferRefused";
}

/** An import that cannot continue because another one is unfinished. The finished part is kept. */
export class OtherImportUnfinished extends TransferRefused {}

/** Returns the system's error code, such as `ENOENT`. */
export function reason(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
