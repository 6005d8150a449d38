import {
  changeJobFilter,
  createJobFilter,
  deleteJobFilter,
  getJobFilter,
  JobFilterChange,
  JobFilterInput,
  JobFilterView,
  listJobFilters,
} from "../core/community/jobs/job-filters.ts";
import { JobMatchView, listJobMatches } from "../core/community/jobs/matching.ts";
import { area, list, read, write } from "./operation.ts";

const param = {
  name: "id",
  description: "The filter's identifier.",
  example: "flt_01kafzq8e5f2r8v0j3n6s1t4wx",
};

export const jobFilterOperations = area("Jobs", {
  listJobFilters: list({
    at: "GET /job-filters",
    summary: "List your saved filters",
    description: "Newest first.",
    scope: "jobs:read",
    view: JobFilterView,
    page: "JobFilterPage",
    gives: "One page of filters",
    run: ({ core, caller, page }) => listJobFilters(core, caller, page),
  }),
  createJobFilter: write({
    at: "POST /job-filters",
    summary: "Save a filter",
    description:
      "From now on, each job that is published and meets it is a match of yours, and `job.matched` fires. Its parts mean what they mean in a search; what is left out asks nothing. At most twenty.",
    restDescription: "409 for the twenty-first.",
    scope: "jobs:write",
    effect: "makes",
    draft: JobFilterInput,
    view: JobFilterView,
    gives: "The filter",
    run: ({ core, caller, draft }) => createJobFilter(core, caller, draft),
    place: ({ id }) => `/job-filters/${id}`,
  }),
  getJobFilter: read({
    at: "GET /job-filters/{id}",
    summary: "Retrieve a saved filter",
    scope: "jobs:read",
    param,
    view: JobFilterView,
    gives: "The filter",
    run: ({ core, caller, id }) => getJobFilter(core, caller, id),
  }),
  changeJobFilter: write({
    at: "PATCH /job-filters/{id}",
    summary: "Change a saved filter",
    description:
      "A field left out stays as it is; null or an empty list asks nothing any more. What it has matched stays a match.",
    scope: "jobs:write",
    effect: "changes",
    param,
    draft: JobFilterChange,
    view: JobFilterView,
    gives: "The filter as it is now",
    run: ({ core, caller, id, draft }) => changeJobFilter(core, caller, id, draft),
  }),
  deleteJobFilter: write({
    at: "DELETE /job-filters/{id}",
    summary: "Delete a saved filter",
    description: "What it has matched stays a match.",
    scope: "jobs:write",
    effect: "removes",
    param,
    gives: "It is gone",
    run: ({ core, caller, id }) => deleteJobFilter(core, caller, id),
  }),
  listJobMatches: list({
    at: "GET /job-matches",
    summary: "List the jobs that match your filters",
    description: "Those on the board, the newest job first. Each job is there once, with its best filter.",
    scope: "jobs:read",
    view: JobMatchView,
    page: "JobMatchPage",
    gives: "One page of matches",
    run: ({ core, caller, page }) => listJobMatches(core, caller, page),
  }),
});
