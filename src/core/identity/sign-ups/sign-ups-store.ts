import type { Core } from "../../base/core.ts";
import { heldNetworks, signUps } from "../../base/db/schema-moderation.ts";

export function insertSignUp(core: Core, row: typeof signUps.$inferInsert): void {
  core.db.insert(signUps, row);
}

/** Returns the time of the `nth` newest sign-up from a network; undefined when fewer are stored. */
export function findNthFrom(core: Core, network: string, nth: number): number | undefined {
  const sql = `SELECT created_at AS at FROM sign_ups WHERE network = ?
    ORDER BY created_at DESC LIMIT 1 OFFSET ?`;
  return core.db.prepare<{ at: number }>(sql).get(network, nth - 1)?.at;
}

/** Returns the time of the `nth` newest sign-up from anywhere; undefined when fewer are stored. */
export function findNth(core: Core, nth: number): number | undefined {
  const sql = "SELECT created_at AS at FROM sign_ups ORDER BY created_at DESC LIMIT 1 OFFSET ?";
  return core.db.prepare<{ at: number }>(sql).get(nth - 1)?.at;
}

/** Whether a removal of a spammer holds a network at this time. */
export function isNetworkHeld(core: Core, network: string, now: number): boolean {
  const sql = "SELECT 1 FROM held_networks WHERE network = ? AND ends_at > ? LIMIT 1";
  return core.db.prepare(sql).get(network, now) !== undefined;
}

/** Returns the network that a member signed up from; undefined once it is deleted. */
export function findSignUpNetwork(core: Core, builderId: string): string | undefined {
  const sql = "SELECT network FROM sign_ups WHERE builder_id = ?";
  return core.db.prepare<{ network: string }>(sql).get(builderId)?.network;
}

export function insertHeldNetwork(core: Core, row: typeof heldNetworks.$inferInsert): void {
  core.db.insertNew(heldNetworks, row);
}

export function deleteHeldNetworks(core: Core, decisionId: string): void {
  core.db.prepare("DELETE FROM held_networks WHERE decision_id = ?").run(decisionId);
}

/** Deletes at most `limit` expired holds and sign-ups from before `before`. Returns how many it deleted. */
export function deleteSomeOld(core: Core, now: number, before: number, limit: number): number {
  const held = core.db.prepare(
    `DELETE FROM held_networks WHERE (network, decision_id) IN
       (SELECT network, decision_id FROM held_networks WHERE ends_at <= ? LIMIT ?)`,
  );
  const old = core.db.prepare(
    `DELETE FROM sign_ups WHERE builder_id IN
       (SELECT builder_id FROM sign_ups WHERE created_at <= ? LIMIT ?)`,
  );
  return held.run(now, limit).changes + old.run(before, limit).changes;
}
