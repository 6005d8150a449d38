/**
 * A change of the leader was refused, and the leader is the same as before. The message tells the operator
 * why, and what to do.
 */
export class LeadRefused extends Error {
  override name = "LeadRefused";
}
