import {
  changeJobFilter,
  createJobFilter,
  deleteJobFilter,
  getJobFilter,
  type JobFilter,
  JobFilterChange,
  JobFilterInput,
  listJobFilters,
} from "../../core/community/jobs/job-filters.ts";
import type { JobMatch } from "../../core/community/jobs/matching.ts";
import { PAGE_LIMIT } from "../../core/ground/page.ts";
import { byId } from "../batch.ts";
import { builder } from "../builder.ts";
import type { GraphContext } from "../context.ts";
import { mutation } from "../mutation.ts";
import { Seniority } from "./job.ts";
import { connectionOf, JobFilterRef, JobRef, node } from "./refs.ts";

const Least = builder.objectRef<NonNullable<JobFilter["salary"]>>("LeastSalary").implement({
  description: "What a job pays up to at least, in whole units of that very currency, a year.",
  fields: (t) => ({
    min: t.exposeInt("min", { description: "At least." }),
    currency: t.exposeString("currency", { description: "Three capitals, such as EUR." }),
  }),
});

node(JobFilterRef, {
  description:
    "A search that you have saved: whatever is published and meets it is a match of yours. Nobody else sees it.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "What you call it." }),
    q: t.exposeString("q", { description: "Words; empty where none are asked for." }),
    stack: t.exposeStringList("stack", { description: "Any of these; empty where none is asked for." }),
    city: t.exposeString("city", { nullable: true, description: "City slug; null asks for none." }),
    remote: t.exposeBoolean("remote", {
      nullable: true,
      description:
        "`true`: fully remote jobs, beside those of `city`; `false`: none of them; null asks nothing.",
    }),
    seniority: t.field({
      type: [Seniority],
      description: "Any of these; empty where none is asked for.",
      resolve: ({ seniority }) => seniority,
    }),
    salary: t.field({
      type: Least,
      nullable: true,
      description: "What it has to pay up to; null asks nothing.",
      resolve: ({ salary }) => salary,
    }),
    createdAt: t.field({
      type: "DateTime",
      description: "When it was saved.",
      resolve: ({ createdAt }) => createdAt,
    }),
  }),
});

const part = (words: string) => ({
  nullable: true as const,
  description: `0 to 1; null where the filter does not ask for it. ${words}`,
});

const Why = builder.objectRef<JobMatch["why"]>("MatchParts").implement({
  description:
    "The parts that a filter asks for, each with how well it is met; the score is their weighted mean.",
  fields: (t) => ({
    words: t.exposeFloat(
      "words",
      part("0.5 where all stand in the description alone, 1 where all stand in the title. Weighs 3."),
    ),
    stack: t.exposeFloat("stack", part("How much of the shorter list of stacks is in the other. Weighs 3.")),
    place: t.exposeFloat(
      "place",
      part("1, or 0.8 for a remote job elsewhere where a city was named. Weighs 2."),
    ),
    salary: t.exposeFloat(
      "salary",
      part("1 where the lower end is enough, down to 0.5 where only the upper end is. Weighs 2."),
    ),
    seniority: t.exposeFloat("seniority", part("Weighs 1.")),
  }),
});

export const JobMatchRef = builder.objectRef<JobMatch>("JobMatch").implement({
  description: "A job on the board that meets a saved filter of yours.",
  fields: (t) => ({
    job: t.field({ type: JobRef, description: "The job.", resolve: ({ job }) => job }),
    filter: t.field({
      type: JobFilterRef,
      nullable: true,
      description: "The filter that fits best; null where it was deleted since.",
      resolve: ({ filterId }, _, context) =>
        filterId === null
          ? null
          : context.batch("job filters", filterId, (ids) => byId(ownFilters(context, ids))),
    }),
    score: t.exposeFloat("score", { description: "0 to 1." }),
    why: t.field({ type: Why, description: "What the score is made of.", resolve: ({ why }) => why }),
    matchedAt: t.field({
      type: "DateTime",
      description: "When it was found.",
      resolve: ({ matchedAt }) => matchedAt,
    }),
  }),
});

export const JobMatchConnection = connectionOf(JobMatchRef, "JobMatch", "matches");

/** A builder has so few that all of them are one page. */
export function ownFilters({ core, caller }: GraphContext, ids: readonly string[]): JobFilter[] {
  return listJobFilters(core, caller, { limit: PAGE_LIMIT.max }).nodes.filter(({ id }) => ids.includes(id));
}

builder.queryFields((t) => ({
  jobFilter: t.field({
    type: JobFilterRef,
    nullable: true,
    description:
      "One of your saved filters. Needs `jobs:read`. Refused as `not_found` where it is not yours.",
    args: { id: t.arg.id({ required: true, description: "Its identifier." }) },
    resolve: (_root, { id }, { core, caller }) => getJobFilter(core, caller, id),
  }),
}));

mutation("createJobFilter", {
  description:
    "Saves a filter: from now on, each job that is published and meets it is a match of yours. At most twenty. Needs `jobs:write`.",
  once: "jobs:write",
  draft: JobFilterInput,
  payload: { jobFilter: { type: JobFilterRef, description: "The filter." } },
  run: ({ core, caller, draft, commit }) =>
    commit(() => ({ jobFilter: createJobFilter(core, caller, draft) })),
});

mutation("changeJobFilter", {
  description:
    "Changes what is given of a saved filter. What it has matched stays a match. Needs `jobs:write`.",
  names: { id: "The filter." },
  draft: JobFilterChange,
  payload: { jobFilter: { type: JobFilterRef, description: "The filter as it is now." } },
  run: ({ core, caller, named, draft, commit }) =>
    commit(() => ({ jobFilter: changeJobFilter(core, caller, named.id, draft) })),
});

mutation("deleteJobFilter", {
  description: "Deletes a saved filter. What it has matched stays a match. Needs `jobs:write`.",
  names: { id: "The filter." },
  payload: { deletedId: { type: "ID", description: "What is gone." } },
  run: ({ core, caller, named, commit }) =>
    commit(() => {
      deleteJobFilter(core, caller, named.id);
      return { deletedId: named.id };
    }),
});
