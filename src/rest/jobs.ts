import { type Static, Type } from "@sinclair/typebox";
import type { Caller } from "../core/identity/access/caller.ts";
import { Choice } from "../core/ground/check.ts";
import { isoTime } from "../core/ground/clock.ts";
import {
  changeJob,
  getJob,
  isPublisher,
  type Job,
  JobChange,
  JobDraft,
  type JobListing,
  JobQuery,
  listOwnJobs,
  publishJob,
  searchJobs,
  SENIORITIES,
} from "../core/community/jobs/jobs.ts";
import { JOB_STATES } from "../core/community/jobs/life.ts";
import { operation } from "./operation.ts";
import { pageParameters, PageOf, pageRequest, presentPage } from "./page.ts";
import { Company, Salary } from "./parts.ts";

const listing = {
  id: Type.String({ examples: ["job_01kafzq8e5f2r8v0j3n6s1t4wx"] }),
  title: Type.String(),
  company: Company,
  location: Type.String(),
  stack: Type.Array(Type.String(), { description: "Stack slugs." }),
  salary: Salary,
  posted_at: Type.String({ format: "date-time" }),
};

export const JobListItem = Type.Object(listing, { $id: "JobListing" });

const detail = {
  ...listing,
  description: Type.String({ description: "Markdown." }),
  apply_url: Type.String({ format: "uri" }),
};
const own = {
  city: Type.Union([Type.String(), Type.Null()]),
  remote: Type.Boolean(),
  seniority: Choice(SENIORITIES),
  state: Choice(JOB_STATES, "`open`: on the board. In any other state only whoever published it finds it."),
  expires_at: Type.String({
    format: "date-time",
    description: "When it leaves the board: 60 days after it was posted.",
  }),
};
const JobDetail = Type.Object(
  { ...detail, ...Type.Partial(Type.Object(own)).properties },
  { $id: "Job", description: "The fields from `city` on are there for whoever published it." },
);
const OwnJob = Type.Object({ ...detail, ...own }, { $id: "OwnJob" });

const JobsQuery = Type.Object({ ...JobQuery.properties, ...pageParameters });

const exampleListing = {
  id: "job_01kafzq8e5f2r8v0j3n6s1t4wx",
  title: "Senior Rust Engineer",
  company: { name: "Tidewater Systems", slug: "tidewater-systems" },
  location: "Berlin, Germany",
  stack: ["rust", "postgres"],
  salary: { min: 85000, max: 110000, currency: "EUR" },
  posted_at: "2026-11-18T08:00:00.000Z",
};

const exampleDetail = {
  ...exampleListing,
  description: "You will own the storage engine of …",
  apply_url: "https://tidewater-systems.example.com/careers/senior-rust-engineer",
};
const exampleOwn = {
  ...exampleDetail,
  city: "berlin",
  remote: false,
  seniority: "senior",
  state: "open",
  expires_at: "2027-01-17T08:00:00.000Z",
};
const param = { name: "id", description: "The job's identifier.", example: exampleListing.id };

export const jobOperations = [
  operation({
    id: "searchJobs",
    method: "GET",
    path: "/jobs",
    group: "Jobs",
    summary: "Search the jobs board",
    description:
      "Ranked by relevance × recency; recency halves every 14 days. Without words, the newest first. Jobs posted while you page through neither shift nor repeat anything. Lists may be sent as `stack=a&stack=b`, `stack=a,b` or `stack[]=a&stack[]=b`.",
    scope: "jobs:read",
    query: JobsQuery,
    answer: {
      status: 200,
      description: "One page of jobs",
      schema: PageOf("JobPage", JobListItem),
      example: { data: [exampleListing], next: null },
    },
    refusals: [400],
    handle: ({ core, caller, query }) =>
      presentPage(searchJobs(core, caller, jobQuery(query), pageRequest(query)), presentListing),
  }),
  operation({
    id: "publishJob",
    method: "POST",
    path: "/jobs",
    group: "Jobs",
    summary: "Publish a job",
    description:
      "It stays on the board for 60 days. `job.published` fires, and `job.matched` for the builders whose saved filters it meets. The first to name a company makes it, in the workspace of their token; afterwards only they and the members of that workspace may publish for it: 403 for everybody else. 422 where `salary.min` is above `salary.max`.",
    scope: "jobs:write",
    body: JobDraft,
    answer: { status: 201, description: "The job", schema: OwnJob, example: exampleOwn },
    refusals: [400, 409, 422],
    handle: ({ core, caller, body, commit }) =>
      commit(() => {
        const job = publishJob(core, caller, body);
        return { status: 201, body: presentOwn(job), headers: { location: `/v1/jobs/${job.id}` } };
      }),
  }),
  operation({
    id: "listOwnJobs",
    method: "GET",
    path: "/jobs/mine",
    group: "Jobs",
    summary: "List the jobs that you have published",
    description: "In whatever state, newest first.",
    scope: "jobs:read",
    query: Type.Object(pageParameters),
    answer: {
      status: 200,
      description: "One page of jobs",
      schema: PageOf("OwnJobPage", OwnJob),
      example: { data: [exampleOwn], next: null },
    },
    refusals: [400],
    handle: ({ core, caller, query }) =>
      presentPage(listOwnJobs(core, caller, pageRequest(query)), presentOwn),
  }),
  operation({
    id: "getJob",
    method: "GET",
    path: "/jobs/{id}",
    group: "Jobs",
    summary: "Retrieve a job",
    description:
      "A job that is closed, expired or hidden is not found, but by whoever published it, who also sees its state.",
    scope: "jobs:read",
    param,
    answer: { status: 200, description: "The job", schema: JobDetail, example: exampleDetail },
    refusals: [404],
    handle: ({ core, caller, id }) => ({ status: 200, body: presentFor(caller, getJob(core, caller, id)) }),
  }),
  operation({
    id: "changeJob",
    method: "PATCH",
    path: "/jobs/{id}",
    group: "Jobs",
    summary: "Change a job, close it or open it again",
    description:
      "For whoever published it. A field left out stays as it is; the company stays. `open`: false takes it off the board, `open`: true puts it back for what is left of its 60 days, 409 where they are over. An open job is matched again: builders who newly match are told, nobody is told twice.",
    scope: "jobs:write",
    param,
    body: JobChange,
    answer: { status: 200, description: "The job as it is now", schema: OwnJob, example: exampleOwn },
    refusals: [400, 404, 409, 422],
    handle: ({ core, caller, id, body, commit }) =>
      commit(() => ({ status: 200, body: presentOwn(changeJob(core, caller, id, body)) })),
  }),
];

function jobQuery({ q, stack, city, remote, seniority }: Static<typeof JobsQuery>): JobQuery {
  return { q, stack, city, remote, seniority };
}

export function presentListing(job: JobListing) {
  return {
    id: job.id,
    title: job.title,
    company: job.company,
    location: job.location,
    stack: job.stack,
    salary: job.salary,
    posted_at: isoTime(job.postedAt),
  };
}

function presentFor(caller: Caller, job: Job) {
  return isPublisher(caller, job) ? presentOwn(job) : presentDetail(job);
}

function presentDetail(job: Job) {
  return { ...presentListing(job), description: job.description, apply_url: job.applyUrl };
}

function presentOwn(job: Job) {
  return {
    ...presentDetail(job),
    city: job.city,
    remote: job.remote,
    seniority: job.seniority,
    state: job.state,
    expires_at: isoTime(job.expiresAt),
  };
}
