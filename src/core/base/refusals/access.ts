import type { Refusals } from "./refusals.ts";

/** Tokens, scopes, and who may do what. */
export const ACCESS = {
  person_only: {
    error: "forbidden",
    says: "Only a person who has signed in can do this; use the pages under /settings.",
  },
  not_yours: { error: "forbidden", says: "This belongs to somebody else." },
  builder_only: { error: "forbidden", says: "Only a builder can do this; use a builder's token." },
  enterprise_by_operator: {
    error: "forbidden",
    says: "Only the operator makes enterprise tokens; make a personal one.",
  },
  token_lifetime_unknown: {
    error: "bad_request",
    path: "expires_days",
    says: "A token lives {days} days, or for ever; choose one of these.",
  },
  scope_unknown: {
    error: "unprocessable",
    path: "scopes",
    says: "There is no such scope; the scopes are {scopes}.",
  },
  admin_token_for_others: {
    error: "forbidden",
    path: "scopes",
    says: "{username} is not an admin, so no token of theirs can be.",
  },
  token_workspace_unknown: {
    error: "not_found",
    path: "workspace",
    says: "{username} belongs to no workspace with that id.",
  },
  tokens_too_many: {
    error: "conflict",
    says: "You have {max} live tokens already; revoke one that you do not need.",
  },
  token_unknown: {
    error: "not_found",
    says: "There is no live token like that; the list of tokens shows the ids.",
  },
  token_not_yours: {
    error: "not_found",
    says: "There is no live token like that among yours; the list of tokens shows the ids.",
  },
} as const satisfies Refusals;
