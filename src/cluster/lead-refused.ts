/** The leader was not changed. The message tells the operator why, and what to do. */
export class LeadRefused extends Error {
  override name = "LeadRefused";
}
