import { OperatorError } from "../core/base/operator-error.ts";

/**
 * A change of the leader was refused, and the leader is the same as before. The message tells the operator
 * why, and what to do.
 */
export class LeadRefused extends OperatorError {
  override name = "LeadRefused";
}
