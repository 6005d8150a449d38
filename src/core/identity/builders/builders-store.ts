import type { Role } from "../access/roles.ts";
import type { Core } from "../../base/core.ts";
import { builders, formerUsernames } from "../../base/db/schema.ts";
import type { Language } from "../../base/locales.ts";
import { descending, type PageRequest } from "../../base/page.ts";
import { insertWorkspaceWithOwner } from "../members/members.ts";

export interface BuilderRow {
  id: string;
  username: string;
  role: Role;
  /** ID of the builder's personal workspace. */
  workspaceId: string;
}

/** A new builder with the ID of the personal workspace. */
export type NewBuilder = typeof builders.$inferInsert & { workspaceId: string };

/** Finds a builder by the current or a former username. */
export function findBuilder(core: Core, username: string): BuilderRow | undefined {
  const named = findNamed(core, username);
  if (named) return named;
  const renamed = findRenamed(core, username);
  return renamed === undefined ? undefined : findNamed(core, renamed);
}

function findNamed(core: Core, username: string): BuilderRow | undefined {
  return core.db
    .prepare<BuilderRow>(
      `SELECT b.id, b.username, b.role, w.id AS workspaceId
       FROM builders b CROSS JOIN workspaces w ON w.owner_id = b.id
       WHERE b.username = ? AND b.removed_at IS NULL`,
    )
    .get(username);
}

export interface AccountStanding {
  username: string;
  suspendedAt: number | null;
  role: Role;
}

export function findStanding(core: Core, builderId: string): AccountStanding | undefined {
  return core.db
    .prepare<AccountStanding>("SELECT username, suspended_at AS suspendedAt, role FROM builders WHERE id = ?")
    .get(builderId);
}

/** Inserts a builder with a personal workspace. */
export function insertBuilder(core: Core, row: NewBuilder): void {
  const { id, workspaceId, username, createdAt } = row;
  core.db.insert(builders, row);
  insertWorkspaceWithOwner(core, { id: workspaceId, name: username, ownerId: id, createdAt }, id);
}

export function updateLanguage(core: Core, builderId: string, language: Language | null): void {
  core.db.patch(builders, { id: builderId }, { language });
}

/** Returns the language that a builder chose; undefined without a choice or for an unknown builder. */
export function selectLanguage(core: Core, builderId: string): Language | undefined {
  return (
    core.db
      .prepare<{ language: Language | null }>("SELECT language FROM builders WHERE id = ?")
      .get(builderId)?.language ?? undefined
  );
}

export function updateSuspension(core: Core, builderId: string, suspendedAt: number | null): void {
  core.db.patch(builders, { id: builderId }, { suspendedAt });
}

export function putRole(core: Core, builderId: string, role: Role): void {
  core.db.patch(builders, { id: builderId }, { role });
}

/** Whether any builder with one of these roles is not suspended. */
export function hasActive(core: Core, roles: readonly Role[]): boolean {
  return (
    core.db
      .prepare(
        `SELECT 1 FROM builders
         WHERE role <> 'member' AND role IN (SELECT value FROM json_each(?)) AND suspended_at IS NULL AND id > ''
         LIMIT 1`,
      )
      .get(JSON.stringify(roles)) !== undefined
  );
}

/** Whether the username belonged to a deleted account or is the former username of another account. */
export function isFormerUsername(core: Core, username: string): boolean {
  return core.db.prepare("SELECT 1 FROM former_usernames WHERE username = ?").get(username) !== undefined;
}

/** Returns the current username of the member who gave up this username. */
export function findRenamed(core: Core, username: string): string | undefined {
  return core.db
    .prepare<{ username: string }>(
      `SELECT b.username FROM former_usernames f CROSS JOIN builders b ON b.id = f.builder_id
       WHERE f.username = ? AND b.removed_at IS NULL`,
    )
    .get(username)?.username;
}

/** Returns when a builder last gave up a username. */
export function lastRenamedAt(core: Core, builderId: string): number | undefined {
  return core.db
    .prepare<{ at: number }>(
      "SELECT removed_at AS at FROM former_usernames WHERE builder_id = ? ORDER BY removed_at DESC LIMIT 1",
    )
    .get(builderId)?.at;
}

/**
 * Stores the new username and makes the old one a former username. A former username that the builder takes
 * back is no longer former.
 */
export function renameBuilder(
  core: Core,
  { id, username }: Pick<BuilderRow, "id" | "username">,
  to: string,
  now: number,
): void {
  const { db } = core;
  db.prepare("DELETE FROM former_usernames WHERE username = ? AND builder_id = ?").run(to, id);
  db.insert(formerUsernames, { username, removedAt: now, builderId: id });
  db.patch(builders, { id }, { username: to });
}

export function anyBuilder(core: Core): boolean {
  return core.db.prepare("SELECT 1 FROM builders LIMIT 1").get() !== undefined;
}

export interface MemberListRow {
  id: string;
  username: string;
  name: string;
  role: Role;
  suspendedAt: number | null;
  createdAt: number;
}

const MEMBER_LIST =
  "SELECT id, username, name, role, suspended_at AS suspendedAt, created_at AS createdAt FROM builders";

export function findMemberListRow(core: Core, username: string): MemberListRow | undefined {
  return core.db
    .prepare<MemberListRow>(`${MEMBER_LIST} WHERE username = ? AND removed_at IS NULL`)
    .get(username);
}

/** Conditions of the member list. Each part that is set limits the list. */
export interface MemberConditions {
  /** Builders with greater ids joined later. */
  afterId?: string | undefined;
  /** Id of the builder who invited. */
  invitedBy?: string | undefined;
  /** The network of the sign-up. */
  network?: string | undefined;
  /** A host in one of the newest texts. */
  linkHost?: string | undefined;
  standing?: "active" | "limited" | "suspended" | undefined;
}

/** Number of newest posts and replies in which the member list looks for a link host. */
const HOST_TEXTS = 10_000;

/** Each condition is skipped if its first parameter is null. */
const LIMITS = `AND (? IS NULL OR id > ?)
    AND (? IS NULL OR id IN (SELECT builder_id FROM invited WHERE invited_by = ?))
    AND (? IS NULL OR id IN (SELECT builder_id FROM sign_ups WHERE network = ?))
    AND (? IS NULL OR id IN (
      SELECT author_id FROM (SELECT author_id, text FROM posts ORDER BY id DESC LIMIT ${HOST_TEXTS})
      WHERE instr(lower(text), ?) > 0))
    AND (? IS NULL OR CASE ? WHEN 'suspended' THEN suspended_at IS NOT NULL WHEN 'active' THEN suspended_at IS NULL
      ELSE EXISTS (SELECT 1 FROM restrictions WHERE builder_id = builders.id AND kind = 'limited') END)`;

/** Returns the parameters of `LIMITS`. */
function limitsOf({ afterId, invitedBy, network, linkHost, standing }: MemberConditions): (string | null)[] {
  return [afterId, invitedBy, network, linkHost, standing].flatMap((value) => [value ?? null, value ?? null]);
}

/** Selects members for a page, newest first, or oldest first for a backwards request. */
export function selectNewest(
  core: Core,
  conditions: MemberConditions,
  request: PageRequest,
  fromId: string | undefined,
): MemberListRow[] {
  const { beyond, order } = descending(request);
  return core.db
    .prepare<MemberListRow>(
      `${MEMBER_LIST} WHERE removed_at IS NULL AND id ${beyond} ? ${LIMITS} ORDER BY id ${order} LIMIT ?`,
    )
    .all(fromId ?? (request.backwards ? "" : "builder_~"), ...limitsOf(conditions), request.limit + 1);
}

/**
 * Selects members whose username starts with `prefix`, in alphabetical order or reversed. `{` sorts after
 * every character of a username.
 */
export function selectByName(
  core: Core,
  prefix: string,
  conditions: MemberConditions,
  { limit, backwards }: PageRequest,
  fromName: string | undefined,
): MemberListRow[] {
  const [beyond, order] = backwards ? ["<", "DESC"] : [">", "ASC"];
  return core.db
    .prepare<MemberListRow>(
      `${MEMBER_LIST} WHERE username >= ? AND username < ? AND username ${beyond} ? AND removed_at IS NULL
       ${LIMITS} ORDER BY username ${order} LIMIT ?`,
    )
    .all(prefix, `${prefix}{`, fromName ?? (backwards ? "{" : ""), ...limitsOf(conditions), limit + 1);
}

/** Selects the members with a role who are not suspended, oldest first. */
export function selectTeam(core: Core): MemberListRow[] {
  return core.db
    .prepare<MemberListRow>(
      `${MEMBER_LIST} WHERE role <> 'member' AND suspended_at IS NULL AND id > ? ORDER BY id`,
    )
    .all("builder_");
}

/** Selects the roles of these members. Omits members with the role `member`. */
export function selectRoles(core: Core, ids: readonly string[]): { id: string; role: Role }[] {
  return core.db
    .prepare<{ id: string; role: Role }>(
      `SELECT b.id, b.role FROM json_each(?) wanted CROSS JOIN builders b ON b.id = wanted.value
       WHERE b.role <> 'member'`,
    )
    .all(JSON.stringify(ids));
}

export function selectAdmins(core: Core): MemberListRow[] {
  return core.db
    .prepare<MemberListRow>(
      `${MEMBER_LIST} WHERE role <> 'member' AND role IN ('admin', 'owner') AND id < ? ORDER BY id DESC`,
    )
    .all("builder_~");
}
