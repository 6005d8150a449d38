import { WhyView } from "../../core/community/jobs/match-reasons.ts";
import {
  type JobFilter,
  JobFilterView,
  listJobFilters,
  SalaryFloorView,
} from "../../core/community/jobs/job-filters.ts";
import { getJobMatches, type JobMatch, JobMatchView } from "../../core/community/jobs/matching.ts";
import { PAGE_LIMIT } from "../../core/base/page.ts";
import { descriptionOf } from "../../core/base/view.ts";
import { jobFilterOperations } from "../../operations/saved-filters.ts";
import type { Core } from "../../core/base/core.ts";
import type { Caller } from "../../core/identity/access/caller.ts";
import { DELETED_PAYLOAD, mutationOf } from "../mutation.ts";
import { nodeOf } from "../nodes.ts";
import { output } from "../outputs.ts";
import { queryOf } from "../query.ts";
import { derivedNode, namesOf } from "./derived-node.ts";
import { connectionOf, JobFilterRef, JobRef, node } from "./refs.ts";

output("LeastSalary", SalaryFloorView, descriptionOf(SalaryFloorView));

node(JobFilterRef, {
  description:
    "A saved job filter. Each job that meets the filter becomes a match. Only you can see your filters.",
  kind: "flt",
  many: ownFilters,
  view: JobFilterView,
});

output(
  "MatchParts",
  WhyView,
  `${descriptionOf(WhyView)} A score is \`null\` if the filter does not have that condition.`,
);

export const JobMatchRef = derivedNode<JobMatch>("JobMatch", JobMatchView, {
  description: "A job on the board that meets one of your filters.",
  kind: "mch",
  partsOf: ({ job }, { builderId }) => [builderId ?? "", job.id],
  many: (core, caller, parts) => getJobMatches(core, caller, namesOf(parts)),
  out: ["filterId"],
  fields: (t) => ({
    job: t.field({ type: JobRef, description: "The job.", resolve: ({ job }) => job }),
    filter: t.field({
      type: JobFilterRef,
      nullable: true,
      description: descriptionOf(JobMatchView.properties.filterId),
      resolve: ({ filterId }, _, context) => nodeOf(context, filterId) as never,
    }),
  }),
});

export const JobMatchConnection = connectionOf(JobMatchRef, "JobMatch", "matches");

/**
 * Reads the caller's filters with the given ids. One page is enough, because a builder has only a few
 * filters.
 */
function ownFilters(core: Core, caller: Caller, ids: readonly string[]): JobFilter[] {
  return listJobFilters(core, caller, { limit: PAGE_LIMIT.max }).nodes.filter(({ id }) => ids.includes(id));
}

queryOf("jobFilter", jobFilterOperations.getJobFilter, JobFilterRef);

const { createJobFilter, changeJobFilter, deleteJobFilter } = jobFilterOperations;

mutationOf(createJobFilter, {
  payload: { jobFilter: { type: JobFilterRef, description: "The filter." } },
});
mutationOf(changeJobFilter, {
  payload: { jobFilter: { type: JobFilterRef, description: "The changed filter." } },
});
mutationOf(deleteJobFilter, DELETED_PAYLOAD);
