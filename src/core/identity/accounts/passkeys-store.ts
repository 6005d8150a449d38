import type { Core } from "../../base/core.ts";
import { passkeys } from "../../base/db/schema-access.ts";

export type PasskeyRow = typeof passkeys.$inferSelect;

type SqlRow = Omit<PasskeyRow, "transports"> & { transports: string };

const COLUMNS = `id, builder_id AS builderId, credential, public_key AS publicKey, counter, transports, name,
              created_at AS createdAt, last_used_at AS lastUsedAt`;

function toPasskey(row: SqlRow): PasskeyRow {
  return { ...row, transports: JSON.parse(row.transports) };
}

/** Returns the passkeys of a builder, newest first. */
export function selectPasskeys(core: Core, builderId: string): PasskeyRow[] {
  return core.db
    .prepare<SqlRow>(`SELECT ${COLUMNS} FROM passkeys WHERE builder_id = ? ORDER BY id DESC`)
    .all(builderId)
    .map(toPasskey);
}

export function findPasskey(core: Core, credential: string): PasskeyRow | undefined {
  const row = core.db.prepare<SqlRow>(`SELECT ${COLUMNS} FROM passkeys WHERE credential = ?`).get(credential);
  return row && toPasskey(row);
}

export function insertPasskey(core: Core, row: PasskeyRow): void {
  core.db.insert(passkeys, row);
}

/**
 * Stores the new signature counter if the old counter is unchanged. Returns false when another sign-in was
 * faster or the passkey is deleted.
 */
export function storeUse(
  core: Core,
  id: string,
  { from, to, at }: { from: number; to: number; at: number },
): boolean {
  return core.db.patch(passkeys, { id, counter: from }, { counter: to, lastUsedAt: at });
}

export function deletePasskey(core: Core, id: string): void {
  core.db.prepare("DELETE FROM passkeys WHERE id = ?").run(id);
}
