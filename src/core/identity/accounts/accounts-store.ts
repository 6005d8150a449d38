import type { Core } from "../../base/core.ts";
import { passwords } from "../../base/db/schema-access.ts";

/** Returns the account of a username with its password hash; the hash is null without a password. */
export function findAccount(
  core: Core,
  username: string,
): { builderId: string; hash: string | null } | undefined {
  return core.db
    .prepare<{ builderId: string; hash: string | null }>(
      `SELECT b.id AS builderId, p.hash FROM builders b LEFT JOIN passwords p ON p.builder_id = b.id
       WHERE b.username = ?`,
    )
    .get(username);
}

export function findPasswordHash(core: Core, builderId: string): string | undefined {
  return core.db.prepare<{ hash: string }>("SELECT hash FROM passwords WHERE builder_id = ?").get(builderId)
    ?.hash;
}

export function putPassword(core: Core, row: typeof passwords.$inferInsert): void {
  core.db.upsert(passwords, row);
}

export function findDeviceEpoch(core: Core, builderId: string): number {
  return (
    core.db
      .prepare<{ epoch: number }>("SELECT device_epoch AS epoch FROM builders WHERE id = ?")
      .get(builderId)?.epoch ?? 0
  );
}

export function raiseDeviceEpoch(core: Core, builderId: string): void {
  core.db.prepare("UPDATE builders SET device_epoch = device_epoch + 1 WHERE id = ?").run(builderId);
}

export function anyAdmin(core: Core): boolean {
  // The condition on `id` is always true. It makes SQLite search the partial index of members with a role.
  return (
    core.db
      .prepare(
        "SELECT 1 FROM builders WHERE role <> 'member' AND role IN ('admin', 'owner') AND id > '' LIMIT 1",
      )
      .get() !== undefined
  );
}

export function deletePassword(core: Core, builderId: string): boolean {
  return core.db.prepare("DELETE FROM passwords WHERE builder_id = ?").run(builderId).changes === 1;
}
