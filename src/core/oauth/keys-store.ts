import type { Core } from "../core.ts";
import { signingKeys } from "../db/schema-access.ts";

export interface KeyRow {
  kid: string;
  sealed: Buffer;
  /** JSON. */
  publicJwk: string;
  createdAt: number;
  retiredAt: number | null;
}

/** The one that signs first, then the newest. */
export function selectKeys(core: Core): KeyRow[] {
  return core.db
    .prepare<KeyRow>(
      `SELECT kid, sealed, public_jwk AS publicJwk, created_at AS createdAt, retired_at AS retiredAt
       FROM signing_keys ORDER BY retired_at IS NOT NULL, created_at DESC`,
    )
    .all();
}

export function findPublicJwk(core: Core, kid: string): string | undefined {
  return core.db
    .prepare<{ publicJwk: string }>("SELECT public_jwk AS publicJwk FROM signing_keys WHERE kid = ?")
    .get(kid)?.publicJwk;
}

export function insertKey(core: Core, row: typeof signingKeys.$inferInsert): void {
  core.db.orm.insert(signingKeys).values(row).run();
}

export function retireKeys(core: Core, now: number): void {
  core.db.prepare("UPDATE signing_keys SET retired_at = ? WHERE retired_at IS NULL").run(now);
}

export function dropKeysRetiredBefore(core: Core, before: number): void {
  core.db.prepare("DELETE FROM signing_keys WHERE retired_at < ?").run(before);
}
