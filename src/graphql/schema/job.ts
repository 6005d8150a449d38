import { refuse } from "../../core/ground/errors.ts";
import { getCompanies, getCompany } from "../../core/community/jobs/companies.ts";
import {
  changeJob,
  getJob,
  getJobs,
  type Job,
  JobChange,
  JobDraft,
  type JobListing,
  jobAbilities,
  JobQuery,
  listJobsOf,
  publishJob,
  searchJobs,
  SENIORITIES,
} from "../../core/community/jobs/jobs.ts";
import { JOB_STATES } from "../../core/community/jobs/life.ts";
import { byId, LONG_ROWS } from "../batch.ts";
import { builder } from "../builder.ts";
import { type ConnectionArgs, listed, pageOf } from "../connection.ts";
import type { GraphContext } from "../context.ts";
import { enumOf, fieldsOf, readFilter } from "../inputs.ts";
import { renderedHtml } from "../made.ts";
import { mutation } from "../mutation.ts";
import { HTML, CompanyRef, JobConnection, JobRef, node } from "./refs.ts";

export const Seniority = enumOf("Seniority", SENIORITIES, "How much experience a job takes.");

const JobState = enumOf("JobState", JOB_STATES, "Where a job stands.", {
  open: "On the board.",
  closed: "Taken off the board by whoever published it.",
  hidden: "Taken off the board by moderators.",
  expired: "Off the board, as its 60 days are over.",
});

const Salary = builder.objectRef<JobListing["salary"]>("Salary").implement({
  description: "What a job pays, in whole units of the currency, a year.",
  fields: (t) => ({
    min: t.exposeInt("min", { description: "The lower end." }),
    max: t.exposeInt("max", { description: "The upper end." }),
    currency: t.exposeString("currency", { description: "Three capitals, such as EUR." }),
  }),
});

node(CompanyRef, {
  description: "Who a job is with.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "What it is called." }),
    slug: t.exposeString("slug", { description: "Its slug." }),
    jobs: t.field({
      type: JobConnection,
      nullable: true,
      description: "What it has on the board, newest first. Needs `jobs:read`.",
      args: t.arg.connectionArgs(),
      resolve: ({ id }, args, { core, caller, batch }) =>
        pageOf(batch, "jobs of", id, args, (ids, request) => listJobsOf(core, caller, ids, request)),
    }),
  }),
});

node(JobRef, {
  description: "A job. One that is not on the board is shown to whoever published it, and to admins.",
  fields: (t) => ({
    title: t.exposeString("title", { description: "What is wanted." }),
    company: t.field({
      type: CompanyRef,
      description: "Who it is with.",
      resolve: ({ companyId, company }) => ({ id: companyId, ...company }),
    }),
    location: t.exposeString("location", { description: "Where, in words." }),
    stack: t.exposeStringList("stack", { description: "Stack slugs." }),
    salary: t.field({ type: Salary, description: "What it pays.", resolve: ({ salary }) => salary }),
    postedAt: t.field({
      type: "DateTime",
      description: "When it was published.",
      resolve: ({ postedAt }) => postedAt,
    }),
    description: t.string({
      description: "Markdown.",
      resolve: (job, _, context) => detailOf(context, job, "description"),
    }),
    descriptionHtml: t.string({
      description: HTML,
      resolve: (job, _, context) => renderedHtml(context, detailOf(context, job, "description")),
    }),
    url: t.string({
      description: "Its page.",
      resolve: ({ id }, _, { core }) => `${core.origin}/jobs/${id}`,
    }),
    viewerCanChange: t.boolean({
      description:
        "Whether you may change and close it: you have published it, and your token has `jobs:write`.",
      resolve: async (job, _, context) => (await abilitiesOf(context, job)).change,
    }),
    viewerCanModerate: t.boolean({
      description: "Whether you may hide and restore it.",
      resolve: async (job, _, context) => (await abilitiesOf(context, job)).moderate,
    }),
    applyUrl: t.string({
      description: "Where to apply.",
      resolve: (job, _, context) => detailOf(context, job, "applyUrl"),
    }),
    city: t.string({
      nullable: true,
      description: "City slug; null where none was named.",
      resolve: (job, _, context) => detailOf(context, job, "city"),
    }),
    remote: t.boolean({
      description: "Whether it is fully remote.",
      resolve: (job, _, context) => detailOf(context, job, "remote"),
    }),
    seniority: t.field({
      type: Seniority,
      description: "How much experience it takes.",
      resolve: (job, _, context) => detailOf(context, job, "seniority"),
    }),
    state: t.field({
      type: JobState,
      description: "Where it stands.",
      resolve: (job, _, context) => detailOf(context, job, "state"),
    }),
    expiresAt: t.field({
      type: "DateTime",
      description: "When it leaves the board: 60 days after it was published.",
      resolve: (job, _, context) => detailOf(context, job, "expiresAt"),
    }),
  }),
});

async function abilitiesOf(context: GraphContext, job: JobListing | Job) {
  return jobAbilities(context.caller, { publishedBy: await detailOf(context, job, "publishedBy") });
}

builder.queryFields((t) => ({
  company: t.field({
    type: CompanyRef,
    nullable: true,
    description: "A company by its slug. Needs `jobs:read`. Refused as `not_found` where there is none.",
    args: { slug: t.arg.string({ required: true, description: "Its slug." }) },
    resolve: (_root, { slug }, { core, caller }) => getCompany(core, caller, slug),
  }),
  jobs: t.field({
    type: JobConnection,
    nullable: true,
    description:
      "The jobs board, ranked by relevance × recency; without words, the newest first. Needs `jobs:read`.",
    args: { ...t.arg.connectionArgs(), ...fieldsOf(t.arg, JobQuery, "Jobs") },
    resolve: (_root, args, { core, caller }) =>
      listed(args as ConnectionArgs, (request) =>
        searchJobs(core, caller, readFilter(JobQuery, args), request),
      ),
  }),
  job: t.field({
    type: JobRef,
    nullable: true,
    description: "One job. Needs `jobs:read`. Refused as `not_found` where there is none to see.",
    args: { id: t.arg.id({ required: true, description: "Its identifier." }) },
    resolve: (_root, { id }, { core, caller }) => getJob(core, caller, id),
  }),
}));

mutation("publishJob", {
  description:
    "Puts a job on the board for 60 days; fires `job.published`, and `job.matched` for the builders whose saved filters it meets. Needs `jobs:write`.",
  once: "jobs:write",
  draft: JobDraft,
  payload: { job: { type: JobRef, description: "The job." } },
  run: ({ core, caller, draft, commit }) => commit(() => ({ job: publishJob(core, caller, draft) })),
});

mutation("changeJob", {
  description:
    "Changes what is given of a job that you have published, closes it or opens it again. Needs `jobs:write`.",
  names: { id: "The job." },
  draft: JobChange,
  payload: { job: { type: JobRef, description: "The job as it is now." } },
  run: ({ core, caller, named, draft, commit }) =>
    commit(() => ({ job: changeJob(core, caller, named.id, draft) })),
});

/** A list knows a job in brief: the rest of all of them is read together. */
function detailOf<Name extends keyof Job>(
  { core, caller, batch }: GraphContext,
  job: JobListing | Job,
  name: Name,
): Job[Name] | Promise<Job[Name]> {
  if (name in job) return (job as Job)[name];
  return batch("jobs", job.id, (ids) => byId(getJobs(core, caller, ids)), LONG_ROWS).then((found) => {
    if (!found) throw refuse("job_gone");
    return found[name];
  });
}

/** Companies of many nodes at once. */
export function companies({ core, caller }: GraphContext, ids: readonly string[]) {
  return getCompanies(core, caller, ids);
}
