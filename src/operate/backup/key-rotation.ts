import { rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Looked, reseal } from "../../core/services/sealing/sealing.ts";
import { isoTime } from "../../core/base/clock.ts";
import type { Core } from "../../core/base/core.ts";
import { getSetting } from "../../core/base/db/settings.ts";
import { forgetFormerKey, type FormerLives, namedKeys, rotateKey } from "../../core/base/keyring/keyring.ts";
import { keyFingerprint, MASTER_KEY_BYTES } from "../../core/base/sealed-secrets.ts";
import { lockFile } from "./file-lock.ts";
import {
  findKeys,
  isSwappable,
  type KeyPlace,
  makeKeyFile,
  nameOfPlace,
  nextFile,
  swapKeyFiles,
} from "./key-files.ts";
import { BackupRefused } from "./refused.ts";

export interface RotationOptions {
  place: KeyPlace;
  /** How long what the former key signed goes on counting; undefined: not at all from now on. */
  lives: FormerLives | undefined;
  progress(looked: Looked): void;
}

export interface Rotated {
  fingerprint: string;
  /** How much was sealed anew by this run, and how much opens with no key that is here. */
  changed: number;
  lost: number;
  /** Where the key until now lies; undefined where it is the operator's to keep. */
  former: string | undefined;
  /** The file of the new key, which the operator has to put where the old one is. */
  waiting: string | undefined;
}

/** Between two slices: a server on the same database writes in between. */
const REST_MS = 5;

/**
 * Gives the community another key, beside a server too (docs/contract.md#12.9): the new key is laid beside
 * the old one, one commit has everybody seal with it, what is sealed with the old one is sealed anew in
 * slices, and then the files are swapped. Killed at any moment, the next run goes on; both keys are there
 * until nothing is sealed with the old one. Throws BackupRefused.
 */
export async function rotate(core: Core, options: RotationOptions): Promise<Rotated> {
  const { place } = options;
  const lock = join(place.data, ".key-rotation");
  const held = lockFile(lock);
  if (!held)
    throw new BackupRefused(
      `Another key rotation of ${place.data} is running. Try again when it has finished.`,
    );
  try {
    return await run(core, options);
  } finally {
    held.release();
    rmSync(lock, { force: true });
  }
}

async function run(core: Core, { place, lives, progress }: RotationOptions): Promise<Rotated> {
  const isResealed = (): boolean => namedKeys(getSetting(core, "keys")).length < 2;
  const isTurned = (): boolean =>
    findKeys(place).some(
      ({ file, fingerprint }) => file === nextFile(place) && fingerprint === core.secrets.fingerprint(),
    );
  if (isResealed() && !isTurned()) turn(core, place, lives);
  else if (isResealed() && !isSwappable(place)) again(core, place, lives);

  const done = new Map<string, Looked>();
  for (const looked of isResealed() ? [] : reseal(core)) {
    done.set(looked.column, looked);
    progress(looked);
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
  }
  core.db.transact(() => forgetFormerKey(core.db));
  const sum = (count: (looked: Looked) => number): number =>
    [...done.values()].reduce((total, looked) => total + count(looked), 0);
  const time = isoTime(core.clock.now()).replace(/\.\d+/, "").replaceAll(/[-:]/g, "");
  const isOurs = isSwappable(place);
  return {
    fingerprint: core.secrets.fingerprint(),
    changed: sum(({ changed }) => changed),
    lost: sum(({ lost }) => lost),
    former: isOurs ? swapKeyFiles(place, time) : undefined,
    waiting: isOurs ? undefined : nextFile(place),
  };
}

/**
 * From here on everything is sealed with the next key. One that a killed run has laid down already will do.
 */
function turn(core: Core, place: KeyPlace, lives: FormerLives | undefined): void {
  const next = nextFile(place);
  let key = findKeys(place).find(({ file }) => file === next)?.key;
  if (!key) {
    // Half of one, in which nothing can be sealed yet.
    rmSync(next, { force: true });
    key = makeNext(next, core.random.bytes(MASTER_KEY_BYTES));
  }
  const fingerprint = keyFingerprint(key);
  core.db.transact(() => rotateKey(core.db, core.secrets, fingerprint, core.clock.now(), lives));
}

/** The old key may lie where an operator has put it, and this user can only read. */
function makeNext(next: string, bytes: Uint8Array): Buffer {
  try {
    return makeKeyFile(next, bytes);
  } catch (error) {
    if (!(error instanceof BackupRefused)) throw error;
    throw new BackupRefused(
      `${error.message} Nothing was changed. A rotation needs write access to ${dirname(resolve(next))} to put the new key beside the old one.`,
    );
  }
}

/** The key that the last rotation made: has the operator put it where the one before it was? */
function again(core: Core, place: KeyPlace, lives: FormerLives | undefined): void {
  const [chosen] = findKeys(place);
  if (chosen.fingerprint !== core.secrets.fingerprint())
    throw new BackupRefused(
      `${nameOfPlace(place)} still holds the key from before the last rotation. Copy ${nextFile(place)} there, restart, then rotate again.`,
    );
  rmSync(nextFile(place));
  turn(core, place, lives);
}
