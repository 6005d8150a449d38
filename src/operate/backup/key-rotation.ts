import { rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type ColumnResult, reseal } from "../../core/services/sealing/sealing.ts";
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
  type KeyLocation,
  makeKeyFile,
  nameOfLocation,
  nextFile,
  swapKeyFiles,
} from "./key-files.ts";
import { BackupRefused } from "./refused.ts";

export interface RotationOptions {
  location: KeyLocation;
  /** How long signatures of the former key stay valid. Undefined makes them invalid at once. */
  formerLives: FormerKeyLifetimes | undefined;
  progress(result: ColumnResult): void;
}

export interface Rotated {
  fingerprint: string;
  /** Number of values that this run resealed. `lost` is the number of values that no available key opens. */
  changed: number;
  lost: number;
  /** Path of the former key; undefined if the operator keeps that key. */
  former: string | undefined;
  /** File of the new key, if the operator has to copy the new key to the location of the old key. */
  waiting: string | undefined;
}

/** Pause between two batches, in ms, so that a server on the same database can write. */
const PAUSE_MS = 5;

/**
 * Replaces the community's key. A server may be running on the data folder (docs/contract.md#12.9):
 * 1. Writes the new key beside the old one.
 * 2. Switches all processes to the new key in one commit.
 * 3. Reseals the old values in batches.
 * 4. Swaps the key files.
 * After a kill at any moment, the next run continues. Both keys exist until no value is sealed with the old
 * one. Throws BackupRefused.
 */
export async function rotate(core: Core, options: RotationOptions): Promise<Rotated> {
  const { location } = options;
  const lock = join(location.data, ".key-rotation");
  const held = lockFile(lock);
  if (!held)
    throw new BackupRefused(
      `Another key rotation of ${location.data} is running. Try again when it has finished.`,
    );
  try {
    return await run(core, options);
  } finally {
    held.release();
    rmSync(lock, { force: true });
  }
}

async function run(core: Core, { location, formerLives, progress }: RotationOptions): Promise<Rotated> {
  const isResealed = (): boolean => namedKeys(getSetting(core, "keys")).length < 2;
  const isNextKeyUsed = (): boolean =>
    findKeys(location).some(
      ({ file, fingerprint }) => file === nextFile(location) && fingerprint === core.secrets.fingerprint(),
    );
  if (isResealed() && !isNextKeyUsed()) useNextKey(core, location, formerLives);
  else if (isResealed() && !isSwappable(location)) rotateExternalKey(core, location, formerLives);

  const done = new Map<string, ColumnResult>();
  for (const result of isResealed() ? [] : reseal(core)) {
    done.set(result.column, result);
    progress(result);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  core.db.transact(() => forgetFormerKey(core.db));
  const sum = (count: (result: ColumnResult) => number): number =>
    [...done.values()].reduce((total, result) => total + count(result), 0);
  const time = isoTime(core.clock.now()).replace(/\.\d+/, "").replaceAll(/[-:]/g, "");
  const canSwap = isSwappable(location);
  return {
    fingerprint: core.secrets.fingerprint(),
    changed: sum(({ changed }) => changed),
    lost: sum(({ lost }) => lost),
    former: canSwap ? swapKeyFiles(location, time) : undefined,
    waiting: canSwap ? undefined : nextFile(location),
  };
}

/** Seals everything with the next key from now on. Uses the next key of a killed run, if there is one. */
function useNextKey(core: Core, location: KeyLocation, formerLives: FormerKeyLifetimes | undefined): void {
  const next = nextFile(location);
  let key = findKeys(location).find(({ file }) => file === next)?.key;
  if (!key) {
    // A killed run may have left an incomplete key file. No value is sealed with that key yet.
    rmSync(next, { force: true });
    key = createNextKey(next, core.random.bytes(MASTER_KEY_BYTES));
  }
  const fingerprint = keyFingerprint(key);
  core.db.transact(() => rotateKey(core.db, core.secrets, fingerprint, core.clock.now(), formerLives));
}

/**
 * Creates the next key. Throws BackupRefused if the folder is not writable, because the operator may keep the
 * old key in a read-only folder.
 */
function createNextKey(next: string, bytes: Uint8Array): Buffer {
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
 * installed the key of the last rotation.
 */
function rotateExternalKey(
  core: Core,
  location: KeyLocation,
  formerLives: FormerKeyLifetimes | undefined,
): void {
  const [chosen] = findKeys(location);
  if (chosen.fingerprint !== core.secrets.fingerprint())
    throw new BackupRefused(
      `${nameOfLocation(location)} still holds the key from before the last rotation. Copy ${nextFile(location)} there, restart, then rotate again.`,
    );
  rmSync(nextFile(location));
  useNextKey(core, location, formerLives);
}
