import type { Core } from "../../base/core.ts";
import { forgetOldMatches, matchJob } from "./matching.ts";
import { deleteIndexed, findMatchable, insertIndexed, selectOverdue, updateJob } from "./jobs-store.ts";
import { expiryCutoff, stateOf } from "./expiry.ts";

/**
 * Updates the search index and the saved filter matches after a job has changed. An open job is indexed and
 * matched against saved filters. A job in any other state is removed from the index. Call it in the
 * transaction of the change.
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
 * Hides a job from everyone except its publisher. The moderation code calls this function and checks
 * permissions. Returns whether the job exists. Call it in a transaction.
 */
export function hideJob(core: Core, id: string): boolean {
  return setHidden(core, id, core.clock.now());
}

/**
 * Makes a hidden job visible again. The job is then open, closed or expired, as if it had never been hidden.
 * The moderation code calls this function and checks permissions. Returns whether the job exists. Call it in
 * a transaction.
 */
export function unhideJob(core: Core, id: string): boolean {
  return setHidden(core, id, null);
}

function setHidden(core: Core, id: string, hiddenAt: number | null): boolean {
  if (!updateJob(core, id, { hiddenAt })) return false;
  updateListing(core, id);
  return true;
}

/** Number of jobs removed from the index per transaction. */
const EXPIRY_BATCH = 50;

/**
 * Removes jobs older than 60 days from the search index and deletes old filter matches, in batches. A
 * periodic task calls this function. An expired job is left out of all lists even before this function runs.
 */
export async function expireJobs(core: Core): Promise<void> {
  while ((await core.db.write(() => expireBatch(core))) === EXPIRY_BATCH);
  await forgetOldMatches(core);
}

function expireBatch(core: Core): number {
  const overdue = selectOverdue(core, expiryCutoff(core.clock.now()), EXPIRY_BATCH);
  for (const id of overdue) updateListing(core, id);
  return overdue.length;
}
