import { getCompanies, getCompany } from "../../core/community/jobs/companies.ts";
import {
  CompanyView,
  type Job,
  type JobListing,
  JobView,
  SENIORITIES,
} from "../../core/community/jobs/job.ts";
import { getJob, getJobs, jobAbilities, listJobsOf } from "../../core/community/jobs/jobs.ts";
import { JOB_STATES } from "../../core/community/jobs/expiry.ts";
import { refuse } from "../../core/base/errors.ts";
import { descriptionOf } from "../../core/base/view.ts";
import { jobOperations } from "../../operations/jobs.ts";
import { byId, LONG_ROWS_BATCH } from "../batch.ts";
import { builder } from "../builder.ts";
import { batchedConnection } from "../connection.ts";
import type { GraphContext } from "../context.ts";
import { enumOf } from "../inputs.ts";
import { renderedHtml } from "../rendered-text.ts";
import { mutationOf } from "../mutation.ts";
import { output } from "../outputs.ts";
import { queryOf } from "../query.ts";
import { HTML, CompanyRef, JobConnection, JobRef, node } from "./refs.ts";

enumOf("Seniority", SENIORITIES, "The seniority that a job asks for.");

enumOf("JobState", JOB_STATES, "The state of a job.", {
  open: "On the board.",
  closed: "Closed by its publisher.",
  hidden: "Hidden by a moderator.",
  expired: "Off the board because its 60 days are over.",
});

output("Salary", JobView.properties.salary, descriptionOf(JobView.properties.salary));

node(CompanyRef, {
  description: "A company that offers jobs.",
  kind: "company",
  many: getCompanies,
  view: CompanyView,
  fields: (t) => ({
    jobs: t.field({
      type: JobConnection,
      nullable: true,
      description: "The jobs of the company on the board, newest first. Requires the `jobs:read` scope.",
      args: t.arg.connectionArgs(),
      resolve: ({ id }, args, { core, caller, batch }) =>
        batchedConnection(batch, "jobs of", id, args, (ids, request) =>
          listJobsOf(core, caller, ids, request),
        ),
    }),
  }),
});

node(JobRef, {
  description: "A job. A job that is not on the board is visible only to its publisher and the moderators.",
  kind: "job",
  many: getJobs,
  view: JobView,
  read: (job, name, context) => detailOf(context, job, name as keyof Job),
  fields: (t) => {
    const can = (ability: keyof ReturnType<typeof jobAbilities>, description: string) =>
      t.boolean({
        description,
        resolve: async (job, _, context) => {
          const publishedBy = await detailOf(context, job, "publishedBy");
          return jobAbilities(context.caller, { publishedBy })[ability];
        },
      });
    return {
      company: t.field({
        type: CompanyRef,
        description: "The company that offers the job.",
        resolve: ({ companyId, company }) => ({ id: companyId, ...company }),
      }),
      descriptionHtml: t.string({
        description: HTML,
        resolve: (job, _, context) =>
          renderedHtml(context, detailOf(context, job, "description"), { id: job.id }),
      }),
      url: t.string({
        description: "The URL of the job's page.",
        resolve: ({ id }, _, { core }) => `${core.origin}/jobs/${id}`,
      }),
      viewerCanChange: can(
        "change",
        "Whether you may change and close the job. `true` if you published it and your token has `jobs:write`.",
      ),
      viewerCanModerate: can("moderate", "Whether you may hide the job and show it again."),
    };
  },
});

builder.queryFields((t) => ({
  company: t.field({
    type: CompanyRef,
    nullable: true,
    description:
      "A company by its slug. Requires the `jobs:read` scope. Returns a `not_found` error if no company has this slug.",
    args: { slug: t.arg.string({ required: true, description: "The slug of the company." }) },
    resolve: (_root, { slug }, { core, caller }) => getCompany(core, caller, slug),
  }),
}));
queryOf("jobs", jobOperations.searchJobs, JobConnection);
queryOf("job", jobOperations.getJob, JobRef, ({ core, caller, id }) => getJob(core, caller, id));

const { publishJob, changeJob } = jobOperations;

mutationOf(publishJob, { payload: { job: { type: JobRef, description: "The job." } } });
mutationOf(changeJob, { payload: { job: { type: JobRef, description: "The changed job." } } });

/**
 * Returns a field of a job. Lists contain only some fields of each job, so the other fields are read in one
 * batch.
 */
function detailOf<Name extends keyof Job>(
  { core, caller, batch }: GraphContext,
  job: JobListing | Job,
  name: Name,
): Job[Name] | Promise<Job[Name]> {
  if (name in job) return (job as Job)[name];
  return batch("jobs", job.id, (ids) => byId(getJobs(core, caller, ids)), LONG_ROWS_BATCH).then((found) => {
    if (!found) throw refuse("job_gone");
    return found[name];
  });
}

/** Reads companies by id. */
export function companies({ core, caller }: GraphContext, ids: readonly string[]) {
  return getCompanies(core, caller, ids);
}
