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
import { readPlain } from "../../files/plain-file.ts";
import { freeName } from "./free-name.ts";
import { syncFolder } from "./backup-file.ts";
import { BackupRefused } from "./refused.ts";

/** Where the operator keeps the key: one of three places, the first that is given (docs/contract.md#12.9). */
export interface KeyPlace {
  data: string;
  /** Its hex digits in the environment or the settings file. Then there is no file. */
  key?: string | undefined;
  /** The file of systemd's credential of that name, which nobody writes. */
  credential?: string | undefined;
  /** Made with a new database, and swapped by a rotation. */
  keyFile: string;
}

/** What src/config/table.ts shows. */
const EXAMPLE = "0123456789abcdef".repeat(4);
const HEX = /^[0-9a-f]{64}$/i;

/** In words, for an operator. */
export function nameOfPlace({ key, credential, keyFile }: KeyPlace): string {
  if (key !== undefined) return "GUILDHALL_KEY";
  return credential ?? keyFile;
}

/** Whether a rotation can put the new key where the old one was. */
export function isSwappable({ key, credential }: KeyPlace): boolean {
  return key === undefined && credential === undefined;
}

/** Whether there is a key at the place that the operator chose. */
export function hasKey(place: KeyPlace): boolean {
  return place.key !== undefined || existsSync(place.credential ?? place.keyFile);
}

/** What the key of the chosen place is called; undefined where there is none. Throws BackupRefused. */
export function fingerprintAt(place: KeyPlace): string | undefined {
  return hasKey(place) ? keyFingerprint(readKey(place)) : undefined;
}

/** The key of the chosen place. Throws BackupRefused where there is none, or what is there is none. */
function readKey(place: KeyPlace): Buffer {
  if (place.key === EXAMPLE)
    throw new BackupRefused(
      "GUILDHALL_KEY is the public example from the documentation. Create your own: openssl rand -hex 32",
    );
  if (place.key !== undefined) return Buffer.from(place.key, "hex");
  const file = place.credential ?? place.keyFile;
  if (!existsSync(file))
    throw new BackupRefused(
      `The key file ${file} is missing. Put your copy back: without it, this database's secrets cannot be opened.`,
    );
  return keyIn(file);
}

function keyIn(file: string): Buffer {
  let text: string;
  try {
    text = readPlain(file).toString("utf8").trim();
  } catch (error) {
    throw new BackupRefused(`The key file ${file} cannot be read (${reason(error)}).`);
  }
  if (!HEX.test(text)) throw new BackupRefused(`${file} is not a key file. It must contain 64 hex digits.`);
  return Buffer.from(text, "hex");
}

/** Where the next key waits while a rotation is under way. */
export function nextFile(place: KeyPlace): string {
  return `${baseFile(place)}.next`;
}

/** A key from outside has nothing beside it that we may write; what is made then lies in the data folder. */
function baseFile(place: KeyPlace): string {
  return isSwappable(place) ? place.keyFile : join(place.data, "guildhall.key");
}

/** A key and the file in which it was found; undefined for one of the environment. */
export interface FoundKey {
  key: Buffer;
  fingerprint: string;
  file: string | undefined;
}

/**
 * All keys that lie about: the chosen one first, then the next one and those before it, the newest of them
 * first. One that cannot be read is left out, but for the chosen one. Throws BackupRefused.
 */
export function findKeys(place: KeyPlace): [FoundKey, ...FoundKey[]] {
  const chosen = readKey(place);
  const others = [nextFile(place), ...formerFiles(place)].flatMap((file) => {
    try {
      return [found(keyIn(file), file)];
    } catch {
      return [];
    }
  });
  return [
    found(chosen, place.key === undefined ? (place.credential ?? place.keyFile) : undefined),
    ...others,
  ];
}

function found(key: Buffer, file: string | undefined): FoundKey {
  return { key, fingerprint: keyFingerprint(key), file };
}

function formerFiles(place: KeyPlace): string[] {
  const base = baseFile(place);
  const folder = dirname(base);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${basename(base)}.old-`))
    .sort()
    .reverse()
    .map((name) => join(folder, name));
}

/**
 * A new key in a file that its owner alone may read; on disk before anything is sealed with it, as a database
 * that outlives its key is lost. Throws BackupRefused.
 */
export function makeKeyFile(file: string, bytes: Uint8Array): Buffer {
  const key = Buffer.from(bytes.subarray(0, MASTER_KEY_BYTES));
  try {
    writeFileSync(file, `${key.toString("hex")}\n`, { mode: 0o600, flag: "wx", flush: true });
    chmodSync(file, 0o600);
    syncFolder(dirname(file));
  } catch (error) {
    // Half a key would be taken for one whose database is lost.
    if (!["EEXIST", "ENOTDIR"].includes(reason(error))) rmSync(file, { force: true });
    throw new BackupRefused(`The key file ${file} cannot be written (${reason(error)}).`);
  }
  return key;
}

/**
 * Puts the next key in the place of the one until now, and keeps that beside it: backups from before need it.
 * At every moment there is a whole key file. Where that one lies is returned.
 */
export function swapKeyFiles(place: KeyPlace, time: string): string {
  const next = nextFile(place);
  const [chosen, ...others] = findKeys(place);
  const kept = others.find(
    ({ file, fingerprint }) => file !== next && fingerprint === chosen.fingerprint,
  )?.file;
  const old = kept ?? freeName(`${place.keyFile}.old-${time}`);
  try {
    if (kept === undefined) {
      // Under another name until it is whole.
      copyFileSync(place.keyFile, `${next}.former`);
      chmodSync(`${next}.former`, 0o600);
      syncFile(`${next}.former`);
      renameSync(`${next}.former`, old);
    }
    renameSync(next, place.keyFile);
    syncFolder(dirname(place.keyFile));
  } catch (error) {
    throw new BackupRefused(
      `${next} cannot replace ${place.keyFile} (${reason(error)}). The database already uses the new key: give this user write access and run the command again.`,
    );
  }
  return old;
}

function syncFile(file: string): void {
  const opened = openSync(file, "r+");
  fsyncSync(opened);
  closeSync(opened);
}

/** Who may read the key, in words; `isOpen` where every user of the machine may. */
export function rightsOf(place: KeyPlace): { words: string; isOpen: boolean } {
  if (place.key !== undefined)
    return {
      words:
        "environment or settings file: root, this user's programs (/proc/PID/environ), and anyone who can inspect the container or the unit",
      isOpen: false,
    };
  if (process.platform === "win32") return { words: "the users who can read its folder", isOpen: false };
  const { mode, uid } = statSync(place.credential ?? place.keyFile);
  const isOpen = (mode & 0o007) !== 0;
  const words = `mode ${(mode & 0o777).toString(8).padStart(4, "0")}, user ${uid}`;
  return {
    words: isOpen ? `${words}, readable by every user of this machine (fix: chmod 600)` : words,
    isOpen,
  };
}

function reason(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
