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
  description: "The identifier of the filter.",
  example: "flt_01kafzq8e5f2r8v0j3n6s1t4wx",
};

export const jobFilterOperations = area("Jobs", {
  listJobFilters: list({
    route: "GET /job-filters",
    summary: "List your job filters",
    description: "Returns your saved filters, newest first.",
    scope: "jobs:read",
    view: JobFilterView,
    page: "JobFilterPage",
    responseDescription: "One page of filters",
    run: ({ core, caller, page }) => listJobFilters(core, caller, page),
  }),
  createJobFilter: write({
    route: "POST /job-filters",
    summary: "Create a job filter",
    description:
      "From now on, a job that meets the filter becomes a match when it is published, changed, or reopened. A new match fires `job.matched`. The conditions work as in the job search. A field you leave out sets no condition. You can have up to 20 filters.",
    restDescription: "Returns 409 if you have reached the limit.",
    scope: "jobs:write",
    effect: "creates",
    draft: JobFilterInput,
    view: JobFilterView,
    responseDescription: "The filter",
    run: ({ core, caller, draft }) => createJobFilter(core, caller, draft),
    locationOf: ({ id }) => `/job-filters/${id}`,
  }),
  getJobFilter: read({
    route: "GET /job-filters/{id}",
    summary: "Retrieve a job filter",
    description: "Returns one of your saved filters. Nobody else can see them.",
    scope: "jobs:read",
    param,
    view: JobFilterView,
    responseDescription: "The filter",
    run: ({ core, caller, id }) => getJobFilter(core, caller, id),
  }),
  changeJobFilter: write({
    route: "PATCH /job-filters/{id}",
    summary: "Change a job filter",
    description:
      "Changes the fields you send and keeps the others. `null` or an empty list removes a condition. Existing matches stay.",
    scope: "jobs:write",
    effect: "changes",
    param,
    draft: JobFilterChange,
    view: JobFilterView,
    responseDescription: "The changed filter",
    run: ({ core, caller, id, draft }) => changeJobFilter(core, caller, id, draft),
  }),
  deleteJobFilter: write({
    route: "DELETE /job-filters/{id}",
    summary: "Delete a job filter",
    description: "Existing matches stay.",
    scope: "jobs:write",
    effect: "removes",
    param,
    responseDescription: "The filter is deleted",
    run: ({ core, caller, id }) => deleteJobFilter(core, caller, id),
  }),
  listJobMatches: list({
    route: "GET /job-matches",
    summary: "List jobs that match your filters",
    description:
      "Returns jobs on the board that match your filters, newest first. Each job is listed once, with the filter that fits best.",
    scope: "jobs:read",
    view: JobMatchView,
    page: "JobMatchPage",
    responseDescription: "One page of matches",
    run: ({ core, caller, page }) => listJobMatches(core, caller, page),
  }),
});
