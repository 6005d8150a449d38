import { DAY } from "../../base/clock.ts";

/**
 * How long a job stays on the board. v1 leaves it open; an honest board needs an end (docs/contract.md#4.8).
 */
export const LIFETIME_MS = 60 * DAY;

export const JOB_STATES = ["open", "closed", "hidden", "expired"] as const;
/**
 * Open: on the board. Closed by whoever published it, hidden by moderators, expired after 60 days: for their
 * eyes only.
 */
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
