import { FILTERS_MAX } from "../core/community/jobs/job-filters.ts";
import { count, spaceSize } from "./parsers.ts";
import { setting } from "./setting.ts";

/** Quotas per member (docs/contract.md#12.17). */
export const QUOTAS = {
  quotaPosts: setting({
    name: "QUOTA_POSTS",
    type: "number",
    parse: (text) => count(text, 100_000),
    unset: undefined,
    example: "50",
    bounds: "1 to 100000",
    meaning: "Number of posts and replies that a member may publish within 24 hours. Deleted ones also count",
    isReloaded: true,
  }),
  quotaEndpoints: setting({
    name: "QUOTA_ENDPOINTS",
    type: "number",
    parse: (text) => count(text, 1000),
    unset: undefined,
    example: "5",
    bounds: "1 to 1000",
    meaning: "Number of webhook endpoints that a member may have, in all workspaces together",
    isReloaded: true,
  }),
  quotaFilters: setting({
    name: "QUOTA_FILTERS",
    type: "number",
    parse: (text) => count(text, FILTERS_MAX),
    unset: undefined,
    defaultText: `${FILTERS_MAX}`,
    example: "3",
    bounds: `1 to ${FILTERS_MAX}`,
    meaning: "Number of saved job filters that a member may have",
    isReloaded: true,
  }),
  quotaMedia: setting({
    name: "QUOTA_MEDIA",
    type: "size",
    parse: spaceSize,
    unset: undefined,
    example: "100MB",
    bounds: "1MB to 1000GB",
    meaning: "Disk space for the images of one member. All sizes of each image count",
    isReloaded: true,
  }),
  mediaMax: setting({
    name: "MEDIA_MAX",
    type: "size",
    parse: spaceSize,
    default: "5GB",
    example: "20GB",
    bounds: "1MB to 1000GB",
    meaning: "Disk space for all images in the data folder. Each backup contains these images",
    isReloaded: true,
  }),
} as const;
