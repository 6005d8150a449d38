import type { Core } from "../../base/core.ts";
import { held, knownHosts, newcomerTexts } from "../../base/db/schema-moderation.ts";

export type HeldRow = typeof held.$inferSelect;

/** A member's standing, and the settings of the brakes. A setting that is null has its default. */
export interface BrakeFacts {
  role: string;
  isVouched: 0 | 1;
  joinedAt: number;
  isLimited: 0 | 1;
  newcomerDays: number | null;
  holdNewcomerLinks: 0 | 1 | null;
  heldWords: string | null;
  heldLinkHosts: string | null;
  equalTexts: number | null;
}

/** Returns all that the brakes need about a member, in one lookup. */
export function findBrakeFacts(core: Core, builderId: string): BrakeFacts | undefined {
  return core.db
    .prepare<BrakeFacts>(
      `SELECT b.role, b.is_vouched AS isVouched, b.created_at AS joinedAt,
              EXISTS (SELECT 1 FROM restrictions WHERE builder_id = b.id AND kind = 'limited'
                        AND (until IS NULL OR until > ?)) AS isLimited,
              c.newcomer_days AS newcomerDays, c.hold_newcomer_links AS holdNewcomerLinks,
              c.held_words AS heldWords, c.held_link_hosts AS heldLinkHosts, c.equal_texts AS equalTexts
       FROM builders b LEFT JOIN charter c ON c.one = 1 WHERE b.id = ?`,
    )
    .get(core.clock.now(), builderId);
}

/** Selects the hosts that a member who is not new linked after `since`. */
export function selectKnown(core: Core, hosts: readonly string[], since: number): string[] {
  return core.db
    .prepare<{ host: string }>(
      `SELECT k.host FROM json_each(?) wanted CROSS JOIN known_hosts k ON k.host = wanted.value WHERE k.at > ?`,
    )
    .all(JSON.stringify(hosts), since)
    .map(({ host }) => host);
}

/** Stores the day of the last link to each host. Writes nothing if the day is already stored. */
export function putKnown(core: Core, hosts: readonly string[], day: number): void {
  for (const host of hosts)
    if (!core.db.insertNew(knownHosts, { host, at: day }))
      core.db.prepare("UPDATE known_hosts SET at = ? WHERE host = ? AND at < ?").run(day, host, day);
}

export function deleteKnown(core: Core, hosts: readonly string[]): void {
  core.db
    .prepare("DELETE FROM known_hosts WHERE host IN (SELECT value FROM json_each(?))")
    .run(JSON.stringify(hosts));
}

/** Deletes at most `limit` hosts that were last linked before `before`. Returns how many rows it deleted. */
export function deleteSomeKnown(core: Core, before: number, limit: number): number {
  return core.db
    .prepare(
      "DELETE FROM known_hosts WHERE host IN (SELECT host FROM known_hosts WHERE at < ? ORDER BY at LIMIT ?)",
    )
    .run(before, limit).changes;
}

/** Counts how often newcomers wrote a text after `since`. */
export function countEqual(core: Core, digest: Buffer, since: number): number {
  return (
    core.db
      .prepare<{ n: number | null }>("SELECT sum(times) AS n FROM newcomer_texts WHERE digest = ? AND at > ?")
      .get(digest, since)?.n ?? 0
  );
}

/** Notes that a newcomer wrote a text. Counts from 1 again if the last time was before `since`. */
export function noteText(
  core: Core,
  { digest, builderId, at }: { digest: Buffer; builderId: string; at: number },
  since: number,
): void {
  if (core.db.insertNew(newcomerTexts, { digest, builderId, at })) return;
  core.db
    .prepare(
      `UPDATE newcomer_texts SET times = iif(at > ?, times, 0) + 1, at = ? WHERE digest = ? AND builder_id = ?`,
    )
    .run(since, at, digest, builderId);
}

/** Deletes at most `limit` noted texts from before `before`. Returns the number of deleted rows. */
export function deleteSomeTexts(core: Core, before: number, limit: number): number {
  return core.db
    .prepare(
      `DELETE FROM newcomer_texts WHERE (digest, builder_id) IN
         (SELECT digest, builder_id FROM newcomer_texts WHERE at < ? ORDER BY at LIMIT ?)`,
    )
    .run(before, limit).changes;
}

export function putHeld(core: Core, row: typeof held.$inferInsert): void {
  core.db.upsert(held, row);
}

export function patchHeld(core: Core, subjectId: string, dismissedAt: number | null): boolean {
  return core.db.patch(held, { subjectId }, { dismissedAt });
}

export function deleteHeld(core: Core, subjectId: string): boolean {
  return core.db.prepare("DELETE FROM held WHERE subject_id = ?").run(subjectId).changes > 0;
}

/** Selects content of a builder that waits for approval. */
export function selectWaiting(
  core: Core,
  builderId: string,
  limit: number,
): Pick<HeldRow, "subjectId" | "kind">[] {
  return core.db
    .prepare<Pick<HeldRow, "subjectId" | "kind">>(
      `SELECT subject_id AS subjectId, kind FROM held
       WHERE builder_id = ? AND dismissed_at IS NULL ORDER BY subject_id LIMIT ?`,
    )
    .all(builderId, limit);
}

export function selectHeld(core: Core, ids: readonly string[]): HeldRow[] {
  return core.db
    .prepare<Omit<HeldRow, "isNew" | "mentioned"> & { isNew: 0 | 1; mentioned: string }>(
      `SELECT h.subject_id AS subjectId, h.builder_id AS builderId, h.kind, h.brake, h.detail, h.is_new AS isNew,
              h.held_at AS heldAt, h.dismissed_at AS dismissedAt, h.mentioned
       FROM json_each(?) wanted CROSS JOIN held h ON h.subject_id = wanted.value`,
    )
    .all(JSON.stringify(ids))
    .map((row) => ({ ...row, isNew: row.isNew === 1, mentioned: JSON.parse(row.mentioned) as string[] }));
}
