import {
  chmodSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  closeSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { keyFingerprint, MASTER_KEY_BYTES } from "../../core/base/sealed-secrets.ts";
import { readRegularFile } from "../../files/regular-file.ts";
import { freeName } from "./free-name.ts";
import { syncFolder } from "./backup-file.ts";
import { BackupRefused } from "./refused.ts";

/**
 * Location of the key. If several of the three fields are set, the first of them is used
 * (docs/contract.md#12.9).
 */
export interface KeyLocation {
  data: string;
  /**
   * The key in hexadecimal, from the environment or the settings file. If this field is set, no key file is
   * used.
   */
  key?: string | undefined;
  /** File of the systemd credential, which is read-only. */
  credential?: string | undefined;
  /** The key file. Created with a new database, and replaced by a rotation. */
  keyFile: string;
}

/** The example key that src/config/table.ts documents. */
const EXAMPLE = "0123456789abcdef".repeat(4);
const HEX = /^[0-9a-f]{64}$/i;

/** Returns the name of the key's location, for messages to the operator. */
export function nameOfLocation({ key, credential, keyFile }: KeyLocation): string {
  if (key !== undefined) return "GUILDHALL_KEY";
  return credential ?? keyFile;
}

/** Whether a rotation can replace the key at this location. */
export function isSwappable({ key, credential }: KeyLocation): boolean {
  return key === undefined && credential === undefined;
}

/** Whether a key exists at this location. */
export function hasKey(location: KeyLocation): boolean {
  return location.key !== undefined || existsSync(location.credential ?? location.keyFile);
}

/**
 * Returns the fingerprint of the key at this location, or undefined if no key exists. Throws BackupRefused.
 */
export function fingerprintAt(location: KeyLocation): string | undefined {
  return hasKey(location) ? keyFingerprint(readKey(location)) : undefined;
}

/** Reads the key at this location. Throws BackupRefused if no key exists or the content is not a key. */
function readKey(location: KeyLocation): Buffer {
  if (location.key === EXAMPLE)
    throw new BackupRefused(
      "GUILDHALL_KEY is the public example from the documentation. Create your own: openssl rand -hex 32",
    );
  if (location.key !== undefined) return Buffer.from(location.key, "hex");
  const file = location.credential ?? location.keyFile;
  if (!existsSync(file))
    throw new BackupRefused(
      `The key file ${file} is missing. Put your copy back: without it, this database's secrets cannot be opened.`,
    );
  return keyIn(file);
}

function keyIn(file: string): Buffer {
  let text: string;
  try {
    text = readRegularFile(file).toString("utf8").trim();
  } catch (error) {
    throw new BackupRefused(`The key file ${file} cannot be read (${reason(error)}).`);
  }
  if (!HEX.test(text)) throw new BackupRefused(`${file} is not a key file. It must contain 64 hex digits.`);
  return Buffer.from(text, "hex");
}

export function nextFile(location: KeyLocation): string {
  return `${baseFile(location)}.next`;
}

/**
 * Returns the path from which a key rotation derives the names of its files. The location of an external key
 * is not writable. The files of its rotation are therefore in the data folder.
 */
function baseFile(location: KeyLocation): string {
  return isSwappable(location) ? location.keyFile : join(location.data, "guildhall.key");
}

/** A key and its file; `file` is undefined for a key from the environment. */
export interface FoundKey {
  key: Buffer;
  fingerprint: string;
  file: string | undefined;
}

/**
 * Returns all keys that exist: the key at this location, the next key of a rotation, then the former keys,
 * newest first. Skips unreadable keys, except the key at this location. Throws BackupRefused.
 */
export function findKeys(location: KeyLocation): [FoundKey, ...FoundKey[]] {
  const chosen = readKey(location);
  const others = [nextFile(location), ...formerFiles(location)].flatMap((file) => {
    try {
      return [found(keyIn(file), file)];
    } catch {
      return [];
    }
  });
  return [
    found(chosen, location.key === undefined ? (location.credential ?? location.keyFile) : undefined),
    ...others,
  ];
}

function found(key: Buffer, file: string | undefined): FoundKey {
  return { key, fingerprint: keyFingerprint(key), file };
}

function formerFiles(location: KeyLocation): string[] {
  const base = baseFile(location);
  const folder = dirname(base);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${basename(base)}.old-`))
    .sort()
    .reverse()
    .map((name) => join(folder, name));
}

/**
 * Creates a key in a file that only its owner can read. The file is on disk before anything is sealed with
 * the key, because a database without its key is lost. Throws BackupRefused.
 */
export function makeKeyFile(file: string, bytes: Uint8Array): Buffer {
  const key = Buffer.from(bytes.subarray(0, MASTER_KEY_BYTES));
  try {
    writeFileSync(file, `${key.toString("hex")}\n`, { mode: 0o600, flag: "wx", flush: true });
    chmodSync(file, 0o600);
    syncFolder(dirname(file));
  } catch (error) {
    // Removes an incomplete key file. An incomplete file would look like the key of a database that is lost.
    if (!["EEXIST", "ENOTDIR"].includes(reason(error))) rmSync(file, { force: true });
    throw new BackupRefused(`The key file ${file} cannot be written (${reason(error)}).`);
  }
  return key;
}

/**
 * Replaces the key file with the next key, and keeps the old key beside it for older backups. A complete key
 * file exists at every moment. Returns the path of the old key.
 */
export function swapKeyFiles(location: KeyLocation, time: string): string {
  const next = nextFile(location);
  const [chosen, ...others] = findKeys(location);
  const kept = others.find(
    ({ file, fingerprint }) => file !== next && fingerprint === chosen.fingerprint,
  )?.file;
  const old = kept ?? freeName(`${location.keyFile}.old-${time}`);
  try {
    if (kept === undefined) {
      // The copy has another name until it is complete.
      copyFileSync(location.keyFile, `${next}.former`);
      chmodSync(`${next}.former`, 0o600);
      syncFile(`${next}.former`);
      renameSync(`${next}.former`, old);
    }
    renameSync(next, location.keyFile);
    syncFolder(dirname(location.keyFile));
  } catch (error) {
    throw new BackupRefused(
      `${next} cannot replace ${location.keyFile} (${reason(error)}). The database already uses the new key: give this user write access and run the command again.`,
    );
  }
  return old;
}

function syncFile(file: string): void {
  const opened = openSync(file, "r+");
  fsyncSync(opened);
  closeSync(opened);
}

/** Describes who can read the key. `isOpen` is true if every user of the machine can read the key. */
export function rightsOf(location: KeyLocation): { description: string; isOpen: boolean } {
  if (location.key !== undefined)
    return {
      description:
        "environment or settings file: root, this user's programs (/proc/PID/environ), and anyone who can inspect the container or the unit",
      isOpen: false,
    };
  if (process.platform === "win32")
    return { description: "the users who can read its folder", isOpen: false };
  const { mode, uid } = statSync(location.credential ?? location.keyFile);
  const isOpen = (mode & 0o007) !== 0;
  const description = `mode ${(mode & 0o777).toString(8).padStart(4, "0")}, user ${uid}`;
  return {
    description: isOpen
      ? `${description}, readable by every user of this machine (fix: chmod 600)`
      : description,
    isOpen,
  };
}

function reason(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
