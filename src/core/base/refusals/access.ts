import type { Refusals } from "./refusals.ts";

/** Refusals about tokens, scopes and permissions. */
export const ACCESS = {
  person_only: {
    error: "forbidden",
    says: "Only a signed-in member can do this. Sign in, and use the pages under `/settings`.",
  },
  not_yours: { error: "forbidden", says: "This belongs to another member." },
  builder_only: { error: "forbidden", says: "Only a member can do this. Use the access token of a member." },
  enterprise_by_operator: {
    error: "forbidden",
    says: "Only the operator can create enterprise tokens. Create a personal token instead.",
  },
  token_lifetime_unknown: {
    error: "bad_request",
    path: "expires_days",
    says: "This token lifetime is not available. Choose {days} days, or no expiry.",
  },
  scope_unknown: {
    error: "unprocessable",
    path: "scopes",
    says: "There is no such scope. Choose from these: {scopes}.",
  },
  admin_token_for_others: {
    error: "forbidden",
    path: "scopes",
    says: "{username} is not an admin, so their tokens cannot have the scope `admin`.",
  },
  moderation_token_for_others: {
    error: "forbidden",
    path: "scopes",
    says: "{username} is not a moderator, so their tokens cannot have the scope `moderation`.",
  },
  token_workspace_unknown: {
    error: "not_found",
    path: "workspace",
    says: "{username} is in no workspace with that id.",
  },
  tokens_too_many: {
    error: "conflict",
    says: "You already have {max} active tokens. Revoke one that you do not need.",
  },
  token_unknown: {
    error: "not_found",
    says: "There is no such active token. Check the id in the list of tokens.",
  },
  token_not_yours: {
    error: "not_found",
    says: "You have no such active token. Check the id in your list of tokens.",
  },
} as const satisfies Refusals;
