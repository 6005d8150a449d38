import { type Caller, requireModerator, requireScope } from "../access/caller.ts";
import type { Role } from "../access/roles.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import { cursorKey, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import { findMemberListRow, selectAdmins, selectByName, selectNewest } from "./builders-store.ts";
import { foldUsername } from "./username.ts";

/** A builder as those who run the community see them. Times in ms since the epoch. */
export interface MemberListEntry {
  id: string;
  username: string;
  name: string;
  role: Role;
  /** Null for one who may come in. */
  suspendedAt: number | null;
  createdAt: number;
}

export interface MemberListFilter {
  /** How a username begins; an `@` before it and capitals do not count. */
  username?: string | undefined;
}

/**
 * The roll of the community: newest first, or by username where it is searched. For moderators. Throws
 * forbidden, bad_request for a cursor of another list.
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
 * Everybody who runs the community, the newest builder first. There are few. Needs `admin`. Throws forbidden.
 */
export function listAdmins(core: Core, caller: Caller): MemberListEntry[] {
  requireScope(caller, "admin");
  return selectAdmins(core);
}

/** One builder, whatever their standing. For moderators. Throws forbidden, not_found. */
export function findInMemberList(core: Core, caller: Caller, username: string): MemberListEntry {
  requireModerator(caller);
  const row = findMemberListRow(core, foldUsername(username));
  if (!row) throw refuse("builder_unknown");
  return row;
}
