import { DAY } from "../../base/clock.ts";

/** How long a job is open. v1 jobs never expire; Guildhall adds a limit (docs/contract.md#4.8). */
export const LIFETIME_MS = 60 * DAY;

export const JOB_STATES = ["open", "closed", "hidden", "expired"] as const;
/**
 * An open job is public. A job that was closed by its publisher, hidden by moderators or expired after 60
 * days is visible only to its publisher and moderators.
 */
export type JobState = (typeof JOB_STATES)[number];

export interface JobTimes {
  postedAt: number;
  closedAt: number | null;
  hiddenAt: number | null;
}

export function stateOf({ postedAt, closedAt, hiddenAt }: JobTimes, now: number): JobState {
  if (postedAt <= expiryCutoff(now)) return "expired";
  if (hiddenAt !== null) return "hidden";
  return closedAt === null ? "open" : "closed";
}

/** Returns the latest time at which an expired job can have been posted, in ms since the epoch. */
export function expiryCutoff(now: number): number {
  return now - LIFETIME_MS;
}
