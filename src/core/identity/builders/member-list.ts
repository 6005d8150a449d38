import { type Caller, requireModerator, requireScope } from "../access/caller.ts";
import type { Role } from "../access/roles.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import { cursorKey, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import { findMemberListRow, selectAdmins, selectByName, selectNewest } from "./builders-store.ts";
import { foldUsername } from "./username.ts";

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
}

/**
 * Lists the members: newest first, or by username in a search. For moderators. Throws forbidden, bad_request
 * for a cursor of another list.
 */
export function listBuilders(
  core: Core,
  caller: Caller,
  filter: MemberListFilter,
  request: PageRequest,
): Page<MemberListEntry> {
  requireModerator(caller);
  const prefix = foldUsername(filter.username?.trim().replace(/^@/, "") ?? "");
  const scope = { list: "roll", filters: { prefix: prefix || undefined } };
  const isKey = (parts: readonly (string | number)[]): parts is [string] =>
    parts.length === 1 &&
    (prefix === "" ? isId("builder", parts[0]) : typeof parts[0] === "string" && parts[0].startsWith(prefix));
  const key = cursorKey(request, scope, isKey)?.[0];
  const rows = prefix === "" ? selectNewest(core, request, key) : selectByName(core, prefix, request, key);
  return pageOf(rows, request, scope, ({ id, username }) => [prefix === "" ? id : username]);
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
  const row = findMemberListRow(core, foldUsername(username));
  if (!row) throw refuse("builder_unknown");
  return row;
}
