import type { Refusals } from "./refusals.ts";

/** Refusals about the operator's limits per member. */
export const QUOTAS = {
  posts_over_quota: {
    error: "rate_limited",
    says: "You can write at most {max} posts and replies in 24 hours. Wait {seconds:second} and try again.",
  },
  endpoints_over_quota: {
    error: "conflict",
    says: "You have reached the limit of {max:webhook endpoint} in all your workspaces. Delete one, or ask the operator for a higher limit.",
  },
  filters_over_quota: {
    error: "conflict",
    says: "You have reached the limit of {max:job filter}. Delete or change one, or ask the operator for a higher limit.",
  },
  media_over_quota: {
    error: "conflict",
    says: "Your images use all of your {max} MB. Delete posts with images, or ask the operator for a higher limit.",
  },
} as const satisfies Refusals;
