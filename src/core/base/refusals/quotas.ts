import type { Refusals } from "./refusals.ts";

/** What the operator has bounded for each member. */
export const QUOTAS = {
  posts_over_quota: {
    error: "rate_limited",
    says: "You have published as many posts and replies as a member may here within 24 hours ({max}); wait {seconds:second} and try again.",
  },
  endpoints_over_quota: {
    error: "conflict",
    says: "You have as many webhook endpoints as a member may have here, in all workspaces together ({max}); delete one, or ask whoever runs this community for more.",
  },
  filters_over_quota: {
    error: "conflict",
    says: "You have as many job filters as a member may have here ({max}); delete or change one, or ask whoever runs this community for more.",
  },
  media_over_quota: {
    error: "conflict",
    says: "Your pictures take as much room as a member has here ({max} MB); delete posts that show some, or ask whoever runs this community for more.",
  },
} as const satisfies Refusals;
