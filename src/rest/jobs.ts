import { type Static, Type } from "@sinclair/typebox";
import { Choice, Slug, Text } from "../core/check.ts";
import { isoTime } from "../core/clock.ts";
import { getJob, type JobFilter, type JobListing, searchJobs, SENIORITIES } from "../core/jobs/jobs.ts";
import { operation } from "./operation.ts";
import { pageParameters, PageOf, pageRequest, presentPage } from "./page.ts";

const listing = {
  id: Type.String({ examples: ["job_01kafzq8e5f2r8v0j3n6s1t4wx"] }),
  title: Type.String(),
  company: Type.Object({ name: Type.String(), slug: Type.String() }),
  location: Type.String(),
  stack: Type.Array(Type.String(), { description: "Stack slugs." }),
  salary: Type.Object(
    { min: Type.Integer(), max: Type.Integer(), currency: Type.String() },
    { description: "Whole units of the currency, a year." },
  ),
  posted_at: Type.String({ format: "date-time" }),
};

const JobListItem = Type.Object(listing, { $id: "JobListing" });
const JobDetail = Type.Object(
  {
    ...listing,
    description: Type.String({ description: "Markdown." }),
    apply_url: Type.String({ format: "uri" }),
  },
  { $id: "Job" },
);

const JobsQuery = Type.Object({
  q: Type.Optional(
    Text({
      min: 0,
      // Whatever the alphabet, so many still fit encoded (12 letters for one) into the 16 KiB that Bun reads as headers:
      // more would meet a 431 without a body instead of our 400.
      max: 1000,
      description:
        'Words to find in title and description: all of them. `"quoted phrases"` and a trailing `*` work; no input is a syntax error.',
      examples: ['rust "distributed systems" engin*'],
    }),
  ),
  stack: Type.Optional(
    Type.Array(Slug(), {
      maxItems: 20,
      description:
        "Stack slugs, any of: `stack=a&stack=b`, `stack=a,b` and `stack[]=a&stack[]=b` mean the same.",
      examples: [["rust", "postgres"]],
    }),
  ),
  city: Type.Optional(
    Slug({ description: "City slug; with `remote=true`, that city or fully remote.", examples: ["berlin"] }),
  ),
  remote: Type.Optional(
    Type.Boolean({
      description:
        "`true`: fully remote roles, beside those of `city` where it is given. `false`: none of them.",
      rule: "must be true or false",
    }),
  ),
  seniority: Type.Optional(
    Type.Array(Choice(SENIORITIES), { maxItems: SENIORITIES.length, description: "Any of these levels." }),
  ),
  ...pageParameters,
});

const exampleListing = {
  id: "job_01kafzq8e5f2r8v0j3n6s1t4wx",
  title: "Senior Rust Engineer",
  company: { name: "Tidewater Systems", slug: "tidewater-systems" },
  location: "Berlin, Germany",
  stack: ["rust", "postgres"],
  salary: { min: 85000, max: 110000, currency: "EUR" },
  posted_at: "2026-11-18T08:00:00.000Z",
};

export const jobOperations = [
  operation({
    id: "searchJobs",
    method: "GET",
    path: "/jobs",
    group: "Jobs",
    summary: "Search the jobs board",
    description:
      "Ranked by relevance × recency; recency halves every 14 days. Without words, the newest first. Jobs posted while you page through neither shift nor repeat anything.",
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
      presentPage(searchJobs(core, caller, jobFilter(query), pageRequest(query)), presentListing),
  }),
  operation({
    id: "getJob",
    method: "GET",
    path: "/jobs/{id}",
    group: "Jobs",
    summary: "Retrieve a job",
    scope: "jobs:read",
    param: { name: "id", description: "The job's identifier.", example: exampleListing.id },
    answer: {
      status: 200,
      description: "The job",
      schema: JobDetail,
      example: {
        ...exampleListing,
        description: "You will own the storage engine of …",
        apply_url: "https://tidewater-systems.example.com/careers/senior-rust-engineer",
      },
    },
    refusals: [404],
    handle: ({ core, caller, id }) => {
      const job = getJob(core, caller, id);
      return {
        status: 200,
        body: { ...presentListing(job), description: job.description, apply_url: job.applyUrl },
      };
    },
  }),
];

function jobFilter({ q, stack, city, remote, seniority }: Static<typeof JobsQuery>): JobFilter {
  return { q, stack, city, remote, seniority };
}

function presentListing(job: JobListing) {
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
