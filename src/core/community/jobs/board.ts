import type { Core } from "../../base/core.ts";
import { forgetOldMatches, matchJob } from "./matching.ts";
import { deleteIndexed, findMatchable, insertIndexed, selectOverdue, updateJob } from "./jobs-store.ts";
import { expiryLine, stateOf } from "./expiry.ts";

/**
 * Brings the board in step with a job that has changed: an open one stands in the search index as it is now
 * and is held against the saved filters, any other stands nowhere. Call it in the transaction of the change.
 */
export function updateListing(core: Core, id: string): void {
  const job = findMatchable(core, id);
  if (!job) return;
  const isOpen = stateOf(job, core.clock.now()) === "open";
  if (job.onBoard) deleteIndexed(core, job.seq);
  if (isOpen) insertIndexed(core, job);
  if (isOpen !== job.onBoard) updateJob(core, id, { onBoard: isOpen });
  if (isOpen) matchJob(core, id);
}

/**
 * Hides a job: nobody but its publisher finds it any more. For moderation, which has asked the right. Returns
 * whether there is such a job. Call it in a transaction.
 */
export function hideJob(core: Core, id: string): boolean {
  return setHidden(core, id, core.clock.now());
}

/** Takes that back: the job is what it would be, open, closed or expired. Otherwise the same. */
export function unhideJob(core: Core, id: string): boolean {
  return setHidden(core, id, null);
}

function setHidden(core: Core, id: string, hiddenAt: number | null): boolean {
  if (!updateJob(core, id, { hiddenAt })) return false;
  updateListing(core, id);
  return true;
}

/** So many jobs leave the index at once. */
const EXPIRY_SLICE = 50;

/**
 * Takes jobs off the board whose 60 days are over, and forgets whom they matched, a slice at a time. Called
 * now and then: lists leave such a job out by themselves, from the very moment.
 */
export async function expireJobs(core: Core): Promise<void> {
  while ((await core.db.write(() => expireSlice(core))) === EXPIRY_SLICE);
  await forgetOldMatches(core);
}

function expireSlice(core: Core): number {
  const overdue = selectOverdue(core, expiryLine(core.clock.now()), EXPIRY_SLICE);
  for (const id of overdue) updateListing(core, id);
  return overdue.length;
}
