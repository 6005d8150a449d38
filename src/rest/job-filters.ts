import { Type } from "@sinclair/typebox";
import { Choice } from "../core/ground/check.ts";
import { isoTime } from "../core/ground/clock.ts";
import {
  changeJobFilter,
  createJobFilter,
  deleteJobFilter,
  getJobFilter,
  type JobFilter,
  JobFilterChange,
  JobFilterInput,
  listJobFilters,
} from "../core/community/jobs/job-filters.ts";
import { type JobMatch, listJobMatches } from "../core/community/jobs/matching.ts";
import { SENIORITIES } from "../core/community/jobs/jobs.ts";
import { JobListItem, presentListing } from "./jobs.ts";
import { operation } from "./operation.ts";
import { pageParameters, PageOf, pageRequest, presentPage } from "./page.ts";
import { SalaryFloor } from "./parts.ts";

const FilterAnswer = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    q: Type.String({ description: "Empty where no words are asked for." }),
    stack: Type.Array(Type.String()),
    city: Type.Union([Type.String(), Type.Null()]),
    remote: Type.Union([Type.Boolean(), Type.Null()]),
    seniority: Type.Array(Choice(SENIORITIES)),
    salary: Type.Union([SalaryFloor, Type.Null()]),
    created_at: Type.String({ format: "date-time" }),
  },
  { $id: "JobFilter" },
);

const part = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 1, description }));
const Match = Type.Object(
  {
    job: JobListItem,
    filter_id: Type.Union([Type.String(), Type.Null()], {
      description: "The filter that fits best; null where it is deleted.",
    }),
    score: Type.Number({ minimum: 0, maximum: 1 }),
    why: Type.Object(
      {
        words: part(
          "0.5 where all words stand in the description alone, 1 where all stand in the title. Weighs 3.",
        ),
        stack: part("How much of the shorter list of stacks is in the other. Weighs 3."),
        place: part("1, or 0.8 for a remote job elsewhere where a city was named. Weighs 2."),
        salary: part("1 where the lower end is enough, down to 0.5 where only the upper end is. Weighs 2."),
        seniority: part("1. Weighs 1."),
      },
      { description: "The parts that the filter asks for; the score is their weighted mean." },
    ),
    matched_at: Type.String({ format: "date-time" }),
  },
  { $id: "JobMatch" },
);

const example = {
  id: "flt_01kafzq8e5f2r8v0j3n6s1t4wx",
  name: "Rust in Berlin",
  q: "",
  stack: ["rust"],
  city: "berlin",
  remote: true,
  seniority: ["senior", "staff"],
  salary: { min: 80000, currency: "EUR" },
  created_at: "2026-11-20T09:30:00.000Z",
};
const matchExample = {
  job: {
    id: "job_01kafzq8e5f2r8v0j3n6s1t4wx",
    title: "Senior Rust Engineer",
    company: { name: "Tidewater Systems", slug: "tidewater-systems" },
    location: "Berlin, Germany",
    stack: ["rust", "postgres"],
    salary: { min: 85000, max: 110000, currency: "EUR" },
    posted_at: "2026-11-20T10:00:00.000Z",
  },
  filter_id: example.id,
  score: 1,
  why: { stack: 1, place: 1, salary: 1, seniority: 1 },
  matched_at: "2026-11-20T10:00:00.000Z",
};
const param = { name: "id", description: "The filter's identifier.", example: example.id };

export const jobFilterOperations = [
  operation({
    id: "listJobFilters",
    method: "GET",
    path: "/job-filters",
    group: "Jobs",
    summary: "List your saved filters",
    description: "Newest first.",
    scope: "jobs:read",
    query: Type.Object(pageParameters),
    answer: {
      status: 200,
      description: "One page of filters",
      schema: PageOf("JobFilterPage", FilterAnswer),
      example: { data: [example], next: null },
    },
    refusals: [400],
    handle: ({ core, caller, query }) =>
      presentPage(listJobFilters(core, caller, pageRequest(query)), presentFilter),
  }),
  operation({
    id: "createJobFilter",
    method: "POST",
    path: "/job-filters",
    group: "Jobs",
    summary: "Save a filter",
    description:
      "From now on, each job that is published and meets it is a match of yours, and `job.matched` fires. Its parts mean what they mean in a search; what is left out asks nothing. At most twenty: 409.",
    scope: "jobs:write",
    body: JobFilterInput,
    answer: { status: 201, description: "The filter", schema: FilterAnswer, example },
    refusals: [400, 409, 422],
    handle: ({ core, caller, body, commit }) =>
      commit(() => {
        const filter = createJobFilter(core, caller, body);
        return {
          status: 201,
          body: presentFilter(filter),
          headers: { location: `/v1/job-filters/${filter.id}` },
        };
      }),
  }),
  operation({
    id: "getJobFilter",
    method: "GET",
    path: "/job-filters/{id}",
    group: "Jobs",
    summary: "Retrieve a saved filter",
    scope: "jobs:read",
    param,
    answer: { status: 200, description: "The filter", schema: FilterAnswer, example },
    refusals: [404],
    handle: ({ core, caller, id }) => ({ status: 200, body: presentFilter(getJobFilter(core, caller, id)) }),
  }),
  operation({
    id: "changeJobFilter",
    method: "PATCH",
    path: "/job-filters/{id}",
    group: "Jobs",
    summary: "Change a saved filter",
    description: "A field left out stays as it is; null or an empty list asks nothing any more.",
    scope: "jobs:write",
    param,
    body: JobFilterChange,
    answer: { status: 200, description: "The filter as it is now", schema: FilterAnswer, example },
    refusals: [400, 404],
    handle: ({ core, caller, id, body, commit }) =>
      commit(() => ({ status: 200, body: presentFilter(changeJobFilter(core, caller, id, body)) })),
  }),
  operation({
    id: "deleteJobFilter",
    method: "DELETE",
    path: "/job-filters/{id}",
    group: "Jobs",
    summary: "Delete a saved filter",
    description: "What it has matched stays a match.",
    scope: "jobs:write",
    param,
    answer: { status: 204, description: "It is gone" },
    refusals: [404],
    handle: ({ core, caller, id, commit }) =>
      commit(() => {
        deleteJobFilter(core, caller, id);
        return { status: 204 };
      }),
  }),
  operation({
    id: "listJobMatches",
    method: "GET",
    path: "/job-matches",
    group: "Jobs",
    summary: "List the jobs that match your filters",
    description: "Those on the board, the newest job first. Each job is there once, with its best filter.",
    scope: "jobs:read",
    query: Type.Object(pageParameters),
    answer: {
      status: 200,
      description: "One page of matches",
      schema: PageOf("JobMatchPage", Match),
      example: { data: [matchExample], next: null },
    },
    refusals: [400],
    handle: ({ core, caller, query }) =>
      presentPage(listJobMatches(core, caller, pageRequest(query)), presentMatch),
  }),
];

function presentFilter({ builderId: _whose, createdAt, ...filter }: JobFilter) {
  return { ...filter, created_at: isoTime(createdAt) };
}

function presentMatch(match: JobMatch) {
  return {
    job: presentListing(match.job),
    filter_id: match.filterId,
    score: match.score,
    why: match.why,
    matched_at: isoTime(match.matchedAt),
  };
}
