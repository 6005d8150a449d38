import type { Clock } from "../clock.ts";
import type { Db } from "../db/open.ts";
import { getSetting, setSetting } from "../db/settings.ts";
import {
  DERIVED_PURPOSES,
  type DerivedPurpose,
  keyFingerprint,
  type Keyring,
  type SealedSecrets,
} from "../sealed-secrets.ts";
import { deleteFormerKeys, insertFormerKey, selectFormerKeys } from "./keyring-store.ts";

/*
 * Keys that seal the secrets in the database, and their rotation (docs/adr/0044-key-rotation.md). The setting
 * `keys` in the database names the sealing key by its fingerprint. While data is still sealed with the
 * previous key, the setting also contains the fingerprint of the previous key. All processes switch keys with
 * the same commit, and a rotation needs no restart. A database that was never rotated has one key and no such
 * setting.
 */

/** The database names a key that this server does not have. */
class KeyMissing extends Error {
  override name = "KeyMissing";
  constructor(readonly fingerprint: string) {
    super(`the key ${fingerprint}, which sealed this database, is missing`);
  }
}

/** Splits the setting `keys` into fingerprints. Empty if the key of the database was never rotated. */
export function namedKeys(text: string | undefined): string[] {
  return text?.split(" ") ?? [];
}

/**
 * Creates the keyring of an open database. `find` returns all keys that exist on this machine. The first of
 * these keys is the key that the operator configured. `find` is called at once, and again when the database
 * names an unknown key.
 */
export function createKeyring(db: Db, find: () => readonly Uint8Array[], now: () => number): Keyring {
  const known = new Map<string, Uint8Array>();
  const loadKeys = (): readonly Uint8Array[] => {
    const found = find();
    for (const key of found) known.set(keyFingerprint(key), key);
    return found;
  };
  const [chosen] = loadKeys();
  if (!chosen) throw new Error("there is no key");
  let cached: { text: string | undefined; keys: readonly [Uint8Array, ...Uint8Array[]] } | undefined;
  const keysOf = (text: string | undefined): readonly [Uint8Array, ...Uint8Array[]] => {
    const names = namedKeys(text);
    if (names.some((name) => !known.has(name))) loadKeys();
    const [sealing = "", ...others] = names;
    const first = text === undefined ? chosen : known.get(sealing);
    if (!first) throw new KeyMissing(sealing);
    return [first, ...others.flatMap((name) => known.get(name) ?? [])];
  };
  return {
    keys() {
      const text = getSetting({ db }, "keys");
      if (cached?.text !== text || !cached) cached = { text, keys: keysOf(text) };
      return cached.keys;
    },
    former: (purpose) =>
      selectFormerKeys(db, purpose, now()).map((row) => ({
        owner: formerKeyOwner(row),
        sealed: row.sealed,
      })),
  };
}

export function formerKeyOwner({ purpose, fingerprint }: { purpose: string; fingerprint: string }): string {
  return `${purpose} ${fingerprint}`;
}

const KEY_CHECK = "this database and this key file belong together";

/** Seals a check value with the key of a new database and stores the sealed value in that database. */
export function markKey(db: Db, secrets: SealedSecrets): void {
  if (getSetting({ db }, "key-check") === undefined) db.transact(() => writeKeyCheck(db, secrets));
}

function writeKeyCheck(db: Db, secrets: SealedSecrets): void {
  setSetting({ db }, "key-check", secrets.seal("key-check", "", KEY_CHECK).toString("base64"));
}

/** Whether these secrets open the check value of a database. */
export function isMarkedBy(check: string, secrets: Pick<SealedSecrets, "open">): boolean {
  try {
    secrets.open("key-check", "", Buffer.from(check, "base64"));
    return true;
  } catch {
    return false;
  }
}

/** How long signatures of a former key stay valid after a rotation, in ms per purpose. */
export type FormerKeyLifetimes = Readonly<Record<DerivedPurpose, number>>;

/**
 * Makes `to` the sealing key from the commit on. From then on, the former sealing key only opens sealed
 * values. Signatures of the former key stay valid for `lives`. If `lives` is omitted, these signatures become
 * invalid at once. Call it in a transaction. No other rotation may run at the same time.
 */
export function rotateKey(
  db: Db,
  secrets: SealedSecrets,
  to: string,
  now: number,
  lives: FormerKeyLifetimes | undefined,
): void {
  const from = secrets.fingerprint();
  const signed = DERIVED_PURPOSES.map((purpose) => ({ purpose, key: secrets.derivedKeys(purpose)[0] }));
  deleteFormerKeys(db, lives ? now : Infinity);
  setSetting({ db }, "keys", `${to} ${from}`);
  writeKeyCheck(db, secrets);
  for (const { purpose, key } of lives ? signed : []) {
    const row = { purpose, fingerprint: from, endsAt: now + (lives?.[purpose] ?? 0) };
    insertFormerKey(db, { ...row, sealed: secrets.seal("former-key", formerKeyOwner(row), key) });
  }
}

/** Drops the previous key once no data is sealed with it. Call it in a transaction. */
export function forgetFormerKey(db: Db): void {
  const [sealing] = namedKeys(getSetting({ db }, "keys"));
  if (sealing !== undefined) setSetting({ db }, "keys", sealing);
}

/** Deletes expired former keys. Called periodically. */
export async function forgetEndedKeys({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  await db.write(() => deleteFormerKeys(db, clock.now()));
}
