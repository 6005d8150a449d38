import { eq } from "drizzle-orm";
import type { Core } from "../../ground/core.ts";
import { passkeys } from "../../ground/db/schema-access.ts";

export type PasskeyRow = typeof passkeys.$inferSelect;

/** Newest first. */
export function selectPasskeys(core: Core, builderId: string): PasskeyRow[] {
  const rows = core.db.orm.select().from(passkeys).where(eq(passkeys.builderId, builderId)).all();
  return rows.sort((a, b) => (a.id < b.id ? 1 : -1));
}

export function findPasskey(core: Core, credential: string): PasskeyRow | undefined {
  return core.db.orm.select().from(passkeys).where(eq(passkeys.credential, credential)).get();
}

export function insertPasskey(core: Core, row: PasskeyRow): void {
  core.db.orm.insert(passkeys).values(row).run();
}

/** Counts on from what was compared. False where another sign-in was faster, or the passkey is gone. */
export function storeUse(
  core: Core,
  id: string,
  { from, to, at }: { from: number; to: number; at: number },
): boolean {
  return (
    core.db
      .prepare("UPDATE passkeys SET counter = ?, last_used_at = ? WHERE id = ? AND counter = ?")
      .run(to, at, id, from).changes === 1
  );
}

export function deletePasskey(core: Core, id: string): void {
  core.db.orm.delete(passkeys).where(eq(passkeys.id, id)).run();
}
