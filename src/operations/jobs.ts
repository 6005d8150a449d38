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
  {
    $id: "Job",
    description: "A job. Only its publisher gets `city`, `remote`, `seniority`, `state`, and `expires_at`.",
  },
);

const param = {
  name: "id",
  description: "The identifier of the job.",
  example: "job_01kafzq8e5f2r8v0j3n6s1t4wx",
};

export const jobOperations = area("Jobs", {
  searchJobs: list({
    route: "GET /jobs",
    summary: "Search the jobs board",
    description:
      "Returns open jobs, ranked by relevance × recency. The recency factor of a job halves every 14 days. Without search words, the newest jobs come first. While you page, new jobs do not shift or repeat items.",
    restDescription: "Send lists as `stack=a&stack=b`, `stack=a,b` or `stack[]=a&stack[]=b`.",
    scope: "jobs:read",
    filter: JobQuery,
    view: JobListingView,
    page: "JobPage",
    responseDescription: "One page of jobs",
    run: ({ core, caller, filter, page }) => searchJobs(core, caller, filter, page),
  }),
  publishJob: write({
    route: "POST /jobs",
    summary: "Publish a job",
    description:
      "The job stays on the board for 60 days. Fires `job.published`, and `job.matched` for builders whose saved filters match. The first builder to name a company creates it in the workspace of their token. After that, only they and the members of that workspace can publish for the company.",
    restDescription:
      "Returns 403 if you may not publish for the company, and 422 if `salary.min` is above `salary.max`.",
    scope: "jobs:write",
    effect: "creates",
    draft: JobDraft,
    view: JobView,
    responseDescription: "The job",
    run: ({ core, caller, draft }) => publishJob(core, caller, draft),
    locationOf: ({ id }) => `/jobs/${id}`,
  }),
  listOwnJobs: list({
    route: "GET /jobs/mine",
    summary: "List the jobs you published",
    description: "Returns your jobs in every state, newest first.",
    scope: "jobs:read",
    view: JobView,
    page: "OwnJobPage",
    responseDescription: "One page of jobs",
    run: ({ core, caller, page }) => listOwnJobs(core, caller, page),
  }),
  getJob: read({
    route: "GET /jobs/{id}",
    summary: "Retrieve a job",
    description:
      "Returns the job with its description. A closed, expired, or hidden job is visible only to its publisher and the moderators. The publisher also sees the state.",
    restDescription: "Returns 404 for a job that you may not see.",
    scope: "jobs:read",
    param,
    view: JobDetail,
    // Most responses lack these fields: they are optional or only for the publisher.
    example: { city: undefined, seniority: undefined, expires_at: undefined },
    responseDescription: "The job",
    run({ core, caller, id }) {
      const job = getJob(core, caller, id);
      return isPublisher(caller, job) ? job : asApplicantsSee(job);
    },
  }),
  changeJob: write({
    route: "PATCH /jobs/{id}",
    summary: "Change, close, or reopen a job",
    description:
      "Changes the fields you send and keeps the others. Only the publisher can change a job, and the company cannot be changed. `open: false` takes the job off the board. `open: true` puts the job back on the board for the rest of its 60 days. An open job is matched against saved filters again. Each builder is notified of the job only once.",
    restDescription: "Returns 403 if you did not publish the job, and 409 if its 60 days are over.",
    scope: "jobs:write",
    effect: "changes",
    param,
    draft: JobChange,
    view: JobView,
    refusals: [409, 422],
    responseDescription: "The changed job",
    run: ({ core, caller, id, draft }) => changeJob(core, caller, id, draft),
  }),
});

function asApplicantsSee(job: Job) {
  const { city: _c, remote: _r, seniority: _s, state: _t, expiresAt: _e, ...shown } = job;
  return shown;
}
