import { DAY } from "../../ground/clock.ts";

/** How long a job stays on the board. «Lifecycle of jobs: not shown» (§3); it is our choice, and an honest board needs one. */
export const LIFETIME_MS = 60 * DAY;

export const JOB_STATES = ["open", "closed", "hidden", "expired"] as const;
/** Open: on the board. Closed by whoever published it, hidden by moderators, expired after 60 days: for their eyes only. */
export type JobState = (typeof JOB_STATES)[number];

export interface Life {
  postedAt: number;
  closedAt: number | null;
  hiddenAt: number | null;
}

export function stateOf({ postedAt, closedAt, hiddenAt }: Life, now: number): JobState {
  if (postedAt <= expiryLine(now)) return "expired";
  if (hiddenAt !== null) return "hidden";
  return closedAt === null ? "open" : "closed";
}

/** Jobs posted at this moment or before are past their time. */
export function expiryLine(now: number): number {
  return now - LIFETIME_MS;
}
