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
 * Which key seals is said by the database: by fingerprint, in the setting `keys`, the one that seals first
 * and behind it the one before, as long as anything is sealed with that. So whoever seals, in whatever
 * process, goes by the same key from one commit on, and a rotation needs nobody's restart
 * (docs/adr/0044-key-rotation.md). A database that was never rotated says nothing: it has one key.
 */

/** A key that the database names is not among those that are here. */
class KeyMissing extends Error {
  override name = "KeyMissing";
  constructor(readonly fingerprint: string) {
    super(`the key ${fingerprint}, which sealed this database, is missing`);
  }
}

/** The text of the setting `keys` in parts; none where the database never had another key. */
export function namedKeys(text: string | undefined): string[] {
  return text?.split(" ") ?? [];
}

/**
 * The keys of an open database. `find` looks for all that lie about, the one that the operator chose first;
 * it is asked at once, and again whenever the database names one that is not known yet.
 */
export function createKeyring(db: Db, find: () => readonly Uint8Array[], now: () => number): Keyring {
  const known = new Map<string, Uint8Array>();
  const learn = (): readonly Uint8Array[] => {
    const found = find();
    for (const key of found) known.set(keyFingerprint(key), key);
    return found;
  };
  const [chosen] = learn();
  if (!chosen) throw new Error("there is no key");
  let seen: { text: string | undefined; keys: readonly [Uint8Array, ...Uint8Array[]] } | undefined;
  const keysOf = (text: string | undefined): readonly [Uint8Array, ...Uint8Array[]] => {
    const names = namedKeys(text);
    if (names.some((name) => !known.has(name))) learn();
    const [sealing = "", ...others] = names;
    const first = text === undefined ? chosen : known.get(sealing);
    if (!first) throw new KeyMissing(sealing);
    return [first, ...others.flatMap((name) => known.get(name) ?? [])];
  };
  return {
    keys() {
      const text = getSetting({ db }, "keys");
      if (seen?.text !== text || !seen) seen = { text, keys: keysOf(text) };
      return seen.keys;
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

/** A new database is marked with the key that seals what will be in it. */
export function markKey(db: Db, secrets: SealedSecrets): void {
  if (getSetting({ db }, "key-check") === undefined) db.transact(() => writeKeyCheck(db, secrets));
}

function writeKeyCheck(db: Db, secrets: SealedSecrets): void {
  setSetting({ db }, "key-check", secrets.seal("key-check", "", KEY_CHECK).toString("base64"));
}

/** Whether the mark of a database opens. */
export function isMarkedBy(check: string, secrets: Pick<SealedSecrets, "open">): boolean {
  try {
    secrets.open("key-check", "", Buffer.from(check, "base64"));
    return true;
  } catch {
    return false;
  }
}

/** What a former key signed counts for so long after a rotation. */
export type FormerLives = Readonly<Record<DerivedPurpose, number>>;

/**
 * From its commit on everything is sealed with another key, and the one until now only opens. What that one
 * signed goes on counting for as long as it is told (`lives`, in ms), or not at all from now on. Call it in a
 * transaction; nobody else may rotate meanwhile.
 */
export function rotateKey(
  db: Db,
  secrets: SealedSecrets,
  to: string,
  now: number,
  lives: FormerLives | undefined,
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

/** Nothing is sealed with the key before any more. Call it in a transaction. */
export function forgetFormerKey(db: Db): void {
  const [sealing] = namedKeys(getSetting({ db }, "keys"));
  if (sealing !== undefined) setSetting({ db }, "keys", sealing);
}

/** Drops derived keys that count no more. Called now and then. */
export async function forgetEndedKeys({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  await db.write(() => deleteFormerKeys(db, clock.now()));
}
