import type { Core } from "../../base/core.ts";
import { descending, type PageRequest } from "../../base/page.ts";
import type { Profile } from "./profiles.ts";
import { PROFILE, type ProfileRow, toProfile } from "./profiles-store.ts";

/** A profile with its sequence number in the directory. */
export interface ListedProfile extends Profile {
  seq: number;
}

type Row = ProfileRow & { seq: number };

/** SQL condition that leaves suspended builders out of the directory until they are restored. */
const LISTED = "b.suspended_at IS NULL";

/** SQL condition that leaves out deleted accounts. */
const IN_DIRECTORY = "EXISTS (SELECT 1 FROM directory d WHERE d.builder_id = b.id)";

/** The names of a builder. */
export interface NamedBuilder {
  id: string;
  username: string;
  name: string;
}

/** Selects builders whose username has this prefix, in order. `~` sorts after all letters of a username. */
export function selectUsernamesFrom(core: Core, prefix: string, limit: number): NamedBuilder[] {
  return core.db
    .prepare<NamedBuilder>(
      `SELECT b.id, b.username, b.name FROM builders b CROSS JOIN directory d ON d.builder_id = b.id
       WHERE b.username >= ? AND b.username < ? AND ${LISTED} ORDER BY b.username LIMIT ?`,
    )
    .all(prefix, `${prefix}~`, limit);
}

/** Selects the newest builders whose names match an FTS5 expression. */
export function selectNamesMatching(core: Core, expression: string, limit: number): NamedBuilder[] {
  return core.db
    .prepare<NamedBuilder>(
      `SELECT b.id, b.username, b.name
       FROM directory_search s CROSS JOIN directory d ON d.seq = s.rowid CROSS JOIN builders b ON b.id = d.builder_id
       WHERE directory_search MATCH ? AND ${LISTED} ORDER BY s.rowid DESC LIMIT ?`,
    )
    .all(expression, limit);
}

/**
 * Selects profiles after `seq` in the direction of the request, newest builders first. Without an FTS5
 * expression, selects all builders of the directory. The SQLite driver binds numbers as REAL. FTS5 ignores a
 * REAL rowid, so the query casts numbers to INTEGER.
 */
export function selectDirectory(
  core: Core,
  expression: string | undefined,
  seq: number | undefined,
  request: PageRequest,
): ListedProfile[] {
  const { beyond, order } = descending(request);
  const now = core.clock.now();
  const start = seq ?? (request.backwards ? 0 : Number.MAX_SAFE_INTEGER);
  const rows =
    expression === undefined
      ? core.db
          .prepare<Row>(
            `${PROFILE}, d.seq FROM directory d CROSS JOIN builders b ON b.id = d.builder_id
             WHERE d.seq ${beyond} ? AND ${LISTED} ORDER BY d.seq ${order} LIMIT ?`,
          )
          .all(now, start, request.limit + 1)
      : core.db
          .prepare<Row>(
            `${PROFILE}, d.seq
             FROM directory_search s CROSS JOIN directory d ON d.seq = s.rowid CROSS JOIN builders b ON b.id = d.builder_id
             WHERE directory_search MATCH ? AND s.rowid ${beyond} CAST(? AS INTEGER) AND ${LISTED}
             ORDER BY s.rowid ${order} LIMIT ?`,
          )
          .all(now, expression, start, request.limit + 1);
  return rows.map(({ seq: place, ...row }) => ({ ...toProfile(row, now), seq: place }));
}

/** Selects profiles by XP, highest first, after a position of XP and builder id. */
export function selectByXp(
  core: Core,
  [xp, id]: readonly [xp: number, id: string],
  request: PageRequest,
): Profile[] {
  const { beyond, order } = descending(request);
  const now = core.clock.now();
  return core.db
    .prepare<ProfileRow>(
      `${PROFILE} FROM builders b
       WHERE (b.xp, b.id) ${beyond} (?, ?) AND ${LISTED} AND ${IN_DIRECTORY}
       ORDER BY b.xp ${order}, b.id ${order} LIMIT ?`,
    )
    .all(now, xp, id, request.limit + 1)
    .map((row) => toProfile(row, now));
}

/** Selects profiles by username, from A to Z, after a username. */
export function selectByUsername(core: Core, username: string, request: PageRequest): Profile[] {
  const { beyond, order } = descending({ ...request, backwards: !request.backwards });
  const now = core.clock.now();
  return core.db
    .prepare<ProfileRow>(
      `${PROFILE} FROM builders b
       WHERE b.username ${beyond} ? AND ${LISTED} AND ${IN_DIRECTORY}
       ORDER BY b.username ${order} LIMIT ?`,
    )
    .all(now, username, request.limit + 1)
    .map((row) => toProfile(row, now));
}

/** Selects the tags that each builder posts under most, in one statement. */
export function selectTopTags(
  core: Core,
  builderIds: readonly string[],
  limit: number,
): ReadonlyMap<string, string[]> {
  const rows = core.db
    .prepare<{ id: string; tags: string }>(
      `SELECT wanted.value AS id,
              (SELECT json_group_array(tag) FROM (
                 SELECT tag FROM post_tags WHERE author_id = wanted.value
                 GROUP BY tag ORDER BY count(*) DESC, tag LIMIT ?)) AS tags
       FROM json_each(?) wanted`,
    )
    .all(limit, JSON.stringify(builderIds));
  return new Map(rows.map(({ id, tags }) => [id, JSON.parse(tags) as string[]]));
}
