import { forgetSubject } from "../../identity/notifications/notify.ts";
import type { Core } from "../../base/core.ts";
import { forgetHeld } from "../holding/holding.ts";
import { deleteIndexed, updateJob } from "./jobs-store.ts";
import { deleteSomeOfJob, findJobOf, removeCompanyCreator, selectCompaniesOf } from "./removal-store.ts";

/**
 * Deletes the jobs of a builder whose account is being deleted, and removes the builder as creator of
 * companies. If no other builder may publish for a company, the company then belongs to the operator. If
 * other builders may publish for a job's company, the job is kept without a publisher. Processes at most
 * `limit` rows and returns the number of processed rows. The calling operation must check permissions. Call
 * it in a transaction.
 */
export function dropJobsOf(core: Core, builderId: string, limit: number): number {
  let done = 0;
  while (done < limit) {
    const job = findJobOf(core, builderId);
    if (!job) break;
    if (job.hasOtherPublishers === 1) {
      updateJob(core, job.id, { publishedBy: null });
      done++;
      continue;
    }
    forgetHeld(core, job.id);
    if (job.onBoard === 1) {
      deleteIndexed(core, job.seq);
      updateJob(core, job.id, { closedAt: core.clock.now(), onBoard: false });
    }
    done += forgetSubject(core, job.id, limit - done);
    if (done < limit) done += deleteSomeOfJob(core, job.id, limit - done);
  }
  if (done >= limit) return done;
  const companies = selectCompaniesOf(core, builderId, limit - done);
  for (const company of companies) removeCompanyCreator(core, company);
  return done + companies.length;
}
