import { rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Looked, reseal } from "../../core/services/sealing/sealing.ts";
import { isoTime } from "../../core/base/clock.ts";
import type { Core } from "../../core/base/core.ts";
import { getSetting } from "../../core/base/db/settings.ts";
import {
  forgetFormerKey,
  type FormerKeyLifetimes,
  namedKeys,
  rotateKey,
} from "../../core/base/keyring/keyring.ts";
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
  /** How long signatures of the former key stay valid. Undefined makes them invalid at once. */
  lives: FormerKeyLifetimes | undefined;
  progress(looked: Looked): void;
}

export interface Rotated {
  fingerprint: string;
  /** Values that this run resealed. `lost` counts those that no available key opens. */
  changed: number;
  lost: number;
  /** Path of the former key; undefined if the operator keeps that key. */
  former: string | undefined;
  /** File of the new key, which the operator has to copy to the place of the old one. */
  waiting: string | undefined;
}

/** Pause between two batches, in ms, so that a server on the same database can write. */
const PAUSE_MS = 5;

/**
 * Replaces the community's key, while a server runs or not (docs/contract.md#12.9):
 * 1. Writes the new key beside the old one.
 * 2. Switches all processes to the new key in one commit.
 * 3. Reseals the old values in batches.
 * 4. Swaps the key files.
 * After a kill at any moment, the next run continues. Both keys exist until no value is sealed with the old
 * one. Throws BackupRefused.
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
  const isNextKeyUsed = (): boolean =>
    findKeys(place).some(
      ({ file, fingerprint }) => file === nextFile(place) && fingerprint === core.secrets.fingerprint(),
    );
  if (isResealed() && !isNextKeyUsed()) useNextKey(core, place, lives);
  else if (isResealed() && !isSwappable(place)) rotateExternalKey(core, place, lives);

  const done = new Map<string, Looked>();
  for (const looked of isResealed() ? [] : reseal(core)) {
    done.set(looked.column, looked);
    progress(looked);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
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

/** Seals everything with the next key from now on. Uses the next key of a killed run, if there is one. */
function useNextKey(core: Core, place: KeyPlace, lives: FormerKeyLifetimes | undefined): void {
  const next = nextFile(place);
  let key = findKeys(place).find(({ file }) => file === next)?.key;
  if (!key) {
    // An incomplete key file, with which nothing is sealed yet.
    rmSync(next, { force: true });
    key = makeNext(next, core.random.bytes(MASTER_KEY_BYTES));
  }
  const fingerprint = keyFingerprint(key);
  core.db.transact(() => rotateKey(core.db, core.secrets, fingerprint, core.clock.now(), lives));
}

/** The operator may keep the old key in a folder that this user can only read. */
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

/**
 * Starts another rotation of a key that the operator keeps. Throws BackupRefused if the operator has not
 * installed the key of the last rotation yet.
 */
function rotateExternalKey(core: Core, place: KeyPlace, lives: FormerKeyLifetimes | undefined): void {
  const [chosen] = findKeys(place);
  if (chosen.fingerprint !== core.secrets.fingerprint())
    throw new BackupRefused(
      `${nameOfPlace(place)} still holds the key from before the last rotation. Copy ${nextFile(place)} there, restart, then rotate again.`,
    );
  rmSync(nextFile(place));
  useNextKey(core, place, lives);
}
