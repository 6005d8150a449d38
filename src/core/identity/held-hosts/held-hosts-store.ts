import type { Core } from "../../base/core.ts";
import { heldHosts } from "../../base/db/schema-moderation.ts";

/** Returns the first of these hosts that is held at this time. */
export function findHeld(core: Core, hosts: readonly string[], now: number): string | undefined {
  return core.db
    .prepare<{ host: string }>(
      `SELECT h.host FROM json_each(?) wanted CROSS JOIN held_hosts h ON h.host = wanted.value
       WHERE h.ends_at > ? LIMIT 1`,
    )
    .get(JSON.stringify(hosts), now)?.host;
}

export function insertHeldHost(core: Core, row: typeof heldHosts.$inferInsert): void {
  core.db.insertNew(heldHosts, row);
}

export function deleteHeldHosts(core: Core, decisionId: string): void {
  core.db.prepare("DELETE FROM held_hosts WHERE decision_id = ?").run(decisionId);
}

/** Deletes at most `limit` expired holds. Returns how many it deleted. */
export function deleteSomeEnded(core: Core, now: number, limit: number): number {
  return core.db
    .prepare(
      `DELETE FROM held_hosts WHERE (host, decision_id) IN
         (SELECT host, decision_id FROM held_hosts WHERE ends_at <= ? LIMIT ?)`,
    )
    .run(now, limit).changes;
}
