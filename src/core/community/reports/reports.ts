/*
 * How reports about a thing end, which the thing's own concept knows first. Who may report what, and the
 * moderators' queue, stand above in `moderation`. Nothing here asks a right.
 */
export {
  reopenReports,
  reopenReportsOfSender,
  settleReports,
  settleReportsOfSender,
  settleReportsOfThread,
} from "./reports-store.ts";

/**
 * Upheld: the thing was hidden or the builder suspended. Gone: its author deleted it before anybody looked.
 */
export const OUTCOMES = ["upheld", "dismissed", "gone"] as const;
export type Outcome = (typeof OUTCOMES)[number];
