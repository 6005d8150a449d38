import { FILTERS_MAX } from "../core/community/jobs/job-filters.ts";
import { count } from "./parsers.ts";
import { setting } from "./setting.ts";

/** What one member may have (docs/contract.md#12.17). */
export const QUOTAS = {
  quotaPosts: setting({
    name: "QUOTA_POSTS",
    type: "number",
    parse: (text) => count(text, 100_000),
    none: undefined,
    example: "50",
    bounds: "1 to 100000",
    meaning: "how many posts and replies a member may publish within 24 hours; deleted ones count",
    isReloaded: true,
  }),
  quotaEndpoints: setting({
    name: "QUOTA_ENDPOINTS",
    type: "number",
    parse: (text) => count(text, 1000),
    none: undefined,
    example: "5",
    bounds: "1 to 1000",
    meaning: "how many webhook endpoints a member may have, in all workspaces together",
    isReloaded: true,
  }),
  quotaFilters: setting({
    name: "QUOTA_FILTERS",
    type: "number",
    parse: (text) => count(text, FILTERS_MAX),
    none: undefined,
    otherwise: `${FILTERS_MAX}`,
    example: "3",
    bounds: `1 to ${FILTERS_MAX}`,
    meaning: "how many saved job filters a member may have",
    isReloaded: true,
  }),
} as const;
