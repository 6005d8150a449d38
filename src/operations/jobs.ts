import { Type } from "@sinclair/typebox";
import {
  type Job,
  JobChange,
  JobDraft,
  JobListingView,
  JobQuery,
  JobView,
} from "../core/community/jobs/job.ts";
import {
  changeJob,
  getJob,
  isPublisher,
  listOwnJobs,
  publishJob,
  searchJobs,
} from "../core/community/jobs/jobs.ts";
import { area, list, read, write } from "./operation.ts";

const { city, remote, seniority, state, expiresAt, ...published } = JobView.properties;
const JobDetail = Type.Object(
  { ...published, ...Type.Partial(Type.Object({ city, remote, seniority, state, expiresAt })).properties },
  { $id: "Job", description: "The fields from `city` on are there for whoever published it." },
);

const param = {
  name: "id",
  description: "The job's identifier.",
  example: "job_01kafzq8e5f2r8v0j3n6s1t4wx",
};

export const jobOperations = area("Jobs", {
  searchJobs: list({
    at: "GET /jobs",
    summary: "Search the jobs board",
    description:
      "Ranked by relevance × recency; recency halves every 14 days. Without words, the newest first. Jobs posted while you page through neither shift nor repeat anything.",
    restDescription: "Lists may be sent as `stack=a&stack=b`, `stack=a,b` or `stack[]=a&stack[]=b`.",
    scope: "jobs:read",
    filter: JobQuery,
    view: JobListingView,
    page: "JobPage",
    gives: "One page of jobs",
    run: ({ core, caller, filter, page }) => searchJobs(core, caller, filter, page),
  }),
  publishJob: write({
    at: "POST /jobs",
    summary: "Publish a job",
    description:
      "It stays on the board for 60 days. `job.published` fires, and `job.matched` for the builders whose saved filters it meets. The first to name a company makes it, in the workspace of their token; afterwards only they and the members of that workspace may publish for it.",
    restDescription: "403 for everybody else; 422 where `salary.min` is above `salary.max`.",
    scope: "jobs:write",
    effect: "makes",
    draft: JobDraft,
    view: JobView,
    gives: "The job",
    run: ({ core, caller, draft }) => publishJob(core, caller, draft),
    place: ({ id }) => `/jobs/${id}`,
  }),
  listOwnJobs: list({
    at: "GET /jobs/mine",
    summary: "List the jobs that you have published",
    description: "In whatever state, newest first.",
    scope: "jobs:read",
    view: JobView,
    page: "OwnJobPage",
    gives: "One page of jobs",
    run: ({ core, caller, page }) => listOwnJobs(core, caller, page),
  }),
  getJob: read({
    at: "GET /jobs/{id}",
    summary: "Retrieve a job",
    description:
      "A job that is closed, expired or hidden is not found, but by whoever published it, who also sees its state.",
    scope: "jobs:read",
    param,
    view: JobDetail,
    // Most who read it have not published it.
    example: { city: undefined, seniority: undefined, expires_at: undefined },
    gives: "The job",
    run({ core, caller, id }) {
      const job = getJob(core, caller, id);
      return isPublisher(caller, job) ? job : asApplicantsSee(job);
    },
  }),
  changeJob: write({
    at: "PATCH /jobs/{id}",
    summary: "Change a job, close it or open it again",
    description:
      "For whoever published it. A field left out stays as it is; the company stays. `open`: false takes it off the board, `open`: true puts it back for what is left of its 60 days, unless they are over. An open job is matched again: builders who newly match are told, nobody is told twice.",
    restDescription: "409 where its 60 days are over.",
    scope: "jobs:write",
    effect: "changes",
    param,
    draft: JobChange,
    view: JobView,
    refusals: [409, 422],
    gives: "The job as it is now",
    run: ({ core, caller, id, draft }) => changeJob(core, caller, id, draft),
  }),
});

function asApplicantsSee(job: Job) {
  const { city: _c, remote: _r, seniority: _s, state: _t, expiresAt: _e, ...shown } = job;
  return shown;
}
