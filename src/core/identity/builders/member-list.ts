import { type Caller, requireModerator, requireScope } from "../access/caller.ts";
import type { Role } from "../access/roles.ts";
import type { Core } from "../../base/core.ts";
import { refuse, refuseAt } from "../../base/errors.ts";
import { isId, lastIdAt } from "../../base/ids.ts";
import { cursorKey, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import { hostNamed } from "../held-hosts/held-hosts.ts";
import { signUpNetworkOf } from "../sign-ups/sign-ups.ts";
import {
  findBuilder,
  findMemberListRow,
  type MemberConditions,
  selectAdmins,
  selectByName,
  selectNewest,
} from "./builders-store.ts";
import { typedUsername } from "./username.ts";

/** A builder in the member list of the moderators. Times in ms since the epoch. */
export interface MemberListEntry {
  id: string;
  username: string;
  name: string;
  role: Role;
  /** Time of the suspension; null for an active member. */
  suspendedAt: number | null;
  createdAt: number;
}

export interface MemberListFilter {
  /** Start of a username. A leading `@` and letter case are ignored. */
  username?: string | undefined;
  /** Only members who joined after this moment, in ms since the epoch. */
  newSince?: number | undefined;
  /** Username of the member who invited. */
  inviter?: string | undefined;
  /**
   * Username of a member: only members who signed up from the same network within 30 days. The network itself
   * is not shown.
   */
  network?: string | undefined;
  /** A host that the member linked in one of the community's newest 10,000 posts and replies. */
  linkHost?: string | undefined;
  standing?: MemberStanding | undefined;
}

export const MEMBER_STANDINGS = ["active", "limited", "suspended"] as const;
export type MemberStanding = (typeof MEMBER_STANDINGS)[number];

/**
 * Lists the members: newest first, or by username in a search. For moderators. Throws forbidden, not_found
 * for an unknown member in a filter, bad_request for a cursor of another list.
 */
export function listBuilders(
  core: Core,
  caller: Caller,
  filter: MemberListFilter,
  request: PageRequest,
): Page<MemberListEntry> {
  requireModerator(caller);
  const prefix = typedUsername(filter.username ?? "");
  const conditions = conditionsOf(core, filter);
  const scope = { list: "roll", filters: { prefix: prefix || undefined, ...conditions } };
  const isKey = (parts: readonly (string | number)[]): parts is [string] =>
    parts.length === 1 &&
    (prefix === "" ? isId("builder", parts[0]) : typeof parts[0] === "string" && parts[0].startsWith(prefix));
  const key = cursorKey(request, scope, isKey)?.[0];
  const rows =
    prefix === ""
      ? selectNewest(core, conditions, request, key)
      : selectByName(core, prefix, conditions, request, key);
  return pageOf(rows, request, scope, ({ id, username }) => [prefix === "" ? id : username]);
}

/** A network that no member signed up from. */
const NO_NETWORK = "-";

/**
 * Returns the ID of the member whom the field of a filter names; undefined for an empty field. Throws
 * not_found at the field.
 */
export function memberIn(core: Core, field: string, username: string | undefined): string | undefined {
  if (username === undefined) return undefined;
  const found = findBuilder(core, typedUsername(username));
  if (!found) throw refuseAt(field, "builder_unknown");
  return found.id;
}

/** Returns the sign-up network of the member whom the filter `network` names. Throws like `memberIn`. */
export function networkIn(core: Core, username: string | undefined): string | undefined {
  const id = memberIn(core, "network", username);
  return id === undefined ? undefined : (signUpNetworkOf(core, id) ?? NO_NETWORK);
}

/** Converts the filter for the statement. */
function conditionsOf(core: Core, filter: MemberListFilter): MemberConditions {
  const { newSince, inviter, network, linkHost, standing } = filter;
  return {
    afterId: newSince === undefined ? undefined : lastIdAt("builder", Math.max(0, newSince)),
    invitedBy: memberIn(core, "inviter", inviter),
    network: networkIn(core, network),
    linkHost: linkHost === undefined ? undefined : hostNamed(linkHost.trim()),
    standing,
  };
}

/**
 * Lists all admins and owners, newest builder first, without pages because they are few. Needs `admin`.
 * Throws forbidden.
 */
export function listAdmins(core: Core, caller: Caller): MemberListEntry[] {
  requireScope(caller, "admin");
  return selectAdmins(core);
}

/** Returns one builder, suspended or not. For moderators. Throws forbidden, not_found. */
export function findInMemberList(core: Core, caller: Caller, username: string): MemberListEntry {
  requireModerator(caller);
  const row = findMemberListRow(core, typedUsername(username));
  if (!row) throw refuse("builder_unknown");
  return row;
}
