import type { Refusals } from "./refusals.ts";

/** Refusals about workspaces, their members and invitations. */
export const WORKSPACES = {
  workspace_none: { error: "not_found", says: "These credentials belong to no workspace." },
  member_already: { error: "conflict", says: "{username} is already in this workspace." },
  members_too_many: {
    error: "conflict",
    says: "This workspace already has {max} members. One of them has to leave first.",
  },
  workspace_personal: {
    error: "unprocessable",
    says: "A personal workspace has only one member. Create a shared workspace instead.",
  },
  owner_only: { error: "forbidden", says: "Only an owner of this workspace can do this. Ask an owner." },
  operator_only: {
    error: "forbidden",
    says: "Only the operator can do this, at the command line.",
  },
  member_unknown: { error: "not_found", says: "There is no member with that username in this workspace." },
  owner_last: {
    error: "conflict",
    says: "A workspace needs at least one active owner. Make another member an owner first, or delete the workspace.",
  },
  workspaces_too_many: {
    error: "conflict",
    says: "{username} is already in {max} workspaces and has to leave one first.",
  },
  invitations_too_many: {
    error: "conflict",
    says: "There are already {max} open invitations. Withdraw one first.",
  },
  invitation_unknown: {
    error: "not_found",
    says: "There is no open invitation with that id in this workspace.",
  },
  workspace_unknown: { error: "not_found", says: "You have no workspace with that id." },
  own_workspace_needs_owner: {
    error: "conflict",
    says: "You are the last active owner of the workspace “{name}”. Make another member its owner first, or delete the workspace.",
  },
  workspace_needs_owner: {
    error: "conflict",
    says: "This account is the last active owner of the workspace “{name}”. Suspend the account for now. Ask the operator to run `guildhall workspace member own {id} USERNAME` for another member, or `guildhall workspace delete {id}`. Then delete the account.",
  },
  workspace_id_unknown: { error: "not_found", says: "There is no workspace with that id." },
} as const satisfies Refusals;
