import type { Core } from "../../base/core.ts";
import { descending, type PageRequest } from "../../base/page.ts";
import type { Profile } from "./profiles.ts";
import { PROFILE, type ProfileRow, toProfile } from "./profiles-store.ts";

/** A profile with its place in the directory. */
export interface ListedProfile extends Profile {
  seq: number;
}

type Row = ProfileRow & { seq: number };

/** Whoever is suspended stands in the directory no more until they may come in again. */
const LISTED = "b.suspended_at IS NULL";

/** What a list of names needs of a builder. */
export interface NewMember {
  id: string;
  username: string;
  name: string;
  joinedAt: number;
}

/** Those who came last, of those who stand in the directory. */
export function selectNewest(core: Core, limit: number): NewMember[] {
  return core.db
    .prepare<NewMember>(
      `SELECT b.id, b.username, b.name, b.created_at AS joinedAt
       FROM directory d CROSS JOIN builders b ON b.id = d.builder_id
       WHERE ${LISTED} ORDER BY d.seq DESC LIMIT ?`,
    )
    .all(limit);
}

/**
 * The profiles behind `seq` in the direction of the request, the builders who came last first; those that an
 * FTS5 expression finds, or all. The driver binds numbers as REAL, which FTS5 would ignore: hence the cast.
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
