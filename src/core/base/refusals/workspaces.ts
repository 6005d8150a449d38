import type { Refusals } from "./refusals.ts";

/** Workspaces, their members and invitations. */
export const WORKSPACES = {
  workspace_none: { error: "not_found", says: "These credentials belong to no workspace." },
  member_already: { error: "conflict", says: "{username} is in this workspace already." },
  members_too_many: {
    error: "conflict",
    says: "This workspace has {max} members already; one has to leave first.",
  },
  workspace_personal: {
    error: "unprocessable",
    says: "A personal workspace belongs to one person, for good; make a shared one.",
  },
  owner_only: { error: "forbidden", says: "Only an owner of this workspace can do this; ask one of them." },
  operator_only: {
    error: "forbidden",
    says: "Only the operator can do this, at the command line; people invite each other by a link.",
  },
  member_unknown: { error: "not_found", says: "There is no member with that username in this workspace." },
  owner_last: {
    error: "conflict",
    says: "A workspace needs an owner who may come in, and there is no other; make another member an owner, or delete the workspace.",
  },
  workspaces_too_many: {
    error: "conflict",
    says: "{username} is in {max} workspaces already; leave one first.",
  },
  invitations_too_many: {
    error: "conflict",
    says: "{max} invitations are open already; withdraw one first.",
  },
  invitation_unknown: {
    error: "not_found",
    says: "There is no open invitation with that id in this workspace.",
  },
  workspace_unknown: { error: "not_found", says: "There is no workspace with that id among yours." },
  own_workspace_needs_owner: {
    error: "conflict",
    says: "Nobody else who may come in owns the workspace “{name}”; make another member its owner, or delete it, first.",
  },
  workspace_needs_owner: {
    error: "conflict",
    says: "Nobody else who may come in owns the workspace “{name}”. Suspend the account for now, and have the operator run `guildhall workspace member own {id} USERNAME` for another member, or `guildhall workspace delete {id}`; then delete it.",
  },
  workspace_id_unknown: { error: "not_found", says: "There is no workspace with that id." },
} as const satisfies Refusals;
