import type { Core } from "../../base/core.ts";
import { signingKeys } from "../../base/db/schema-access.ts";

/** A signing key as stored, with `publicJwk` as JSON text. */
export type KeyRow = Omit<typeof signingKeys.$inferSelect, "publicJwk"> & { publicJwk: string };

/** Selects all keys: first the signing keys, then the retired keys. Both groups are sorted newest first. */
export function selectKeys(core: Core): KeyRow[] {
  return core.db
    .prepare<KeyRow>(
      `SELECT kid, alg, sealed, public_jwk AS publicJwk, created_at AS createdAt, retired_at AS retiredAt
       FROM signing_keys ORDER BY retired_at IS NOT NULL, alg, created_at DESC`,
    )
    .all();
}

/** Finds the public part of a key that signs access tokens. */
export function findPublicJwk(core: Core, kid: string): string | undefined {
  return core.db
    .prepare<{ publicJwk: string }>(
      "SELECT public_jwk AS publicJwk FROM signing_keys WHERE kid = ? AND alg = 'EdDSA'",
    )
    .get(kid)?.publicJwk;
}

export function insertKey(core: Core, row: typeof signingKeys.$inferInsert): void {
  core.db.insert(signingKeys, row);
}

export function retireKey(core: Core, kid: string, now: number): void {
  core.db
    .prepare("UPDATE signing_keys SET retired_at = ? WHERE kid = ? AND retired_at IS NULL")
    .run(now, kid);
}

export function dropKeysRetiredBefore(core: Core, before: number): void {
  core.db.prepare("DELETE FROM signing_keys WHERE retired_at < ?").run(before);
}
