import { chmodSync, chownSync, lstatSync, realpathSync, statSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import {
  finding,
  type FixableFinding,
  type CheckResult,
  ok,
  severe,
  type Severity,
} from "../../core/services/checkup/checkup.ts";
import { databaseFile, hasDatabase } from "../../app/data-folder.ts";
import { isSwappable } from "../backup/key-files.ts";
import { changeIfUnchanged, type Entry, entriesOf } from "./entries.ts";
import type { CheckContext } from "./context.ts";
import { shellQuoted } from "./format.ts";

/** Permission bits for every user of the machine. */
const OTHERS = 0o007;
const NAMED_MAX = 3;

/** Checks whether other users can read private files (docs/threats.md#L11). */
export function checkRights({ config }: CheckContext): CheckResult {
  if (process.platform === "win32") return undefined;
  const { data, settingsFile, backupPassphraseFile, tls } = config;
  const own = ownOf(data).filter(({ name }) => isPrivate(name));
  // If other users cannot enter the data folder, they cannot reach the files in it, whatever the files' modes
  // are.
  const kinds = Map.groupBy(own.filter(isOpen), ({ name }) => kindOf(name));
  const severity = isGranted(data) ? "severe" : "note";
  const found = [...kinds].map(([kind, entries]) =>
    accessFinding(kind, entries, severity, closingFix(config, data)),
  );
  const elsewhere: [string, string | undefined][] = [
    ["key_rights", isSwappable(config) ? config.keyFile : undefined],
    ["settings_rights", settingsFile?.isOpenToAll === true ? settingsFile.path : undefined],
    ["passphrase_rights", backupPassphraseFile],
    ["certificate_rights", tls && "files" in tls.source ? tls.source.files.key : undefined],
  ];
  for (const [check, path] of elsewhere) {
    const stats = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
    if (path === undefined || !stats || own.some((entry) => entry.path === path)) continue;
    const entry = { path: realpathSync(path), name: path, stats };
    if (stats.isFile() && isOpen(entry))
      found.push(accessFinding(check, [entry], "severe", closingFix(config, dirname(entry.path))));
  }
  const backups = backupsOf(config).filter(isOpen);
  if (backups.length > 0) {
    const shelf = config.backup ?? "";
    found.push(accessFinding("backup_rights", backups, "severe", closingFix(config, shelf)));
  }
  if (found.length > 0) return found;
  return ok(
    "rights",
    "Only the service's user can read the database, the key, the backups, and secret settings.",
  );
}

/**
 * Names that the program creates in its data folder. Only these entries of the folder may be changed, because
 * the operator may have named a wrong folder.
 */
const OWN_PATHS =
  /^(?:guildhall\.|backups$|tls$|driver$|importing$|restore-|before-|\.key-rotation|\.rehearsal$)/;

/** Returns the data folder itself, and the program's own entries in it. */
function ownOf(data: string): Entry[] {
  return [...entriesOf(data)].filter(
    ({ name }) => name === "" || OWN_PATHS.test(name.split("/", 1)[0] ?? ""),
  );
}

/** Returns scheduled backups outside the data folder, if other users can enter their folder. */
function backupsOf({ backup }: CheckContext["config"]): Entry[] {
  if (backup === undefined || backup.startsWith("s3://") || !isGranted(backup)) return [];
  return [...entriesOf(backup)].filter(({ name }) => /^guildhall-[^/]*\.tar\.zst/.test(name));
}

/** Whether every user of the machine can enter the folder. */
function isGranted(folder: string): boolean {
  return ((statSync(folder, { throwIfNoEntry: false })?.mode ?? 0) & 0o001) !== 0;
}

/** Whether a file is private. The driver is public, and lock files are empty. */
function isPrivate(name: string): boolean {
  return (
    name !== "" &&
    !/^(?:driver(?:\/|$)|guildhall\.address|\.key-rotation)|(?:^guildhall|[/.])\.?lock(?:-journal)?$/.test(
      name,
    )
  );
}

function kindOf(name: string): string {
  if (/^guildhall\.key/.test(name)) return "key_rights";
  if (/^guildhall\.db/.test(name)) return "database_rights";
  return name.startsWith("backups") ? "backup_rights" : "folder_rights";
}

function isOpen({ stats }: { stats: Stats }): boolean {
  return !stats.isSymbolicLink() && (stats.mode & OTHERS) !== 0;
}

function accessFinding(
  check: string,
  entries: readonly Entry[],
  severity: Severity,
  fixing: { fix(entries: readonly Entry[]): string } | undefined,
): FixableFinding {
  const paths = entries.map(({ path }) => path);
  const mend = `chmod o-rwx ${paths.slice(0, NAMED_MAX).map(shellQuoted).join(" ")}`;
  return {
    ...finding(
      check,
      severity,
      severity === "severe"
        ? `Every user of this machine can read ${named(paths)}.`
        : `Every user could read ${named(paths)}, but the folder is closed to them.`,
      paths.length > NAMED_MAX && fixing ? `${mend} … Or fix all: guildhall doctor --fix` : mend,
    ),
    ...(fixing && { fix: () => fixing.fix(entries) }),
  };
}

/**
 * Returns the fix that removes permissions of other users. Returns undefined if the data folder has no
 * database. The operator then probably named a wrong folder.
 */
function closingFix(
  config: CheckContext["config"],
  folder: string,
): { fix(entries: readonly Entry[]): string } | undefined {
  if (!hasDatabase(config)) return undefined;
  return {
    fix: (entries) =>
      changeEach("Closed to other users", entries, folder, (path, { mode }) =>
        chmodSync(path, mode & ~OTHERS & 0o7777),
      ),
  };
}

/**
 * Runs `act` on each entry. Returns as text which entries were changed. Leaves an entry unchanged if it may
 * have been replaced.
 */
function changeEach(
  done: string,
  entries: readonly Entry[],
  folder: string,
  act: (path: string, stats: Stats) => void,
): string {
  const isDone = (entry: Entry): boolean =>
    changeIfUnchanged(entry, folder, (path) => act(path, entry.stats));
  const { true: touched = [], false: left = [] } = Object.groupBy(entries, (entry) =>
    isDone(entry) ? "true" : "false",
  );
  const paths = (some: readonly Entry[]): string => named(some.map(({ path }) => path));
  return [
    ...(touched.length > 0 ? [`${done}: ${paths(touched)}`] : []),
    ...(left.length > 0
      ? [
          `Unchanged: ${paths(left)} (a symbolic link, a file with more than one hard link, or a file that changed during the run)`,
        ]
      : []),
  ].join(". ");
}

/**
 * Checks whether all files have the owner of the data folder. If root created a file, the server cannot write
 * the file, and perhaps cannot even read it.
 */
export function checkOwners({ config }: CheckContext): CheckResult {
  if (process.platform === "win32") return undefined;
  const { data } = config;
  const { uid, gid } = statSync(data);
  // Files of other owners are no problem for root, because root can read and write every file.
  const strange = uid === 0 ? [] : ownOf(data).filter((entry) => isOtherOwner(entry, uid));
  if (strange.length === 0)
    return ok(
      "owner",
      uid === 0
        ? "The folder belongs to root, who can write to all files in it."
        : `All files in the folder belong to its owner (user ${uid}).`,
    );
  const paths = strange.map(({ path }) => path);
  const isNeeded = strange.some(({ name }) => /^guildhall\.|^backups(?:\/\.|$)|^tls/.test(name));
  const isRoot = process.getuid?.() === 0;
  return {
    ...finding(
      "owner",
      isNeeded ? "severe" : "warning",
      `${named(paths)} ${paths.length === 1 ? "does" : "do"} not belong to the folder's owner (user ${uid}), who may be unable to use ${paths.length === 1 ? "it" : "them"}. A command was run as another user.`,
      `sudo chown -hR ${uid}:${gid} ${shellQuoted(data)}`,
    ),
    ...(isRoot &&
      hasDatabase(config) && {
        fix: () => changeEach(`Given to user ${uid}`, strange, data, (path) => chownSync(path, uid, gid)),
      }),
  };
}

/** Whether another user owns the entry. The owner of a symbolic link does not matter. */
function isOtherOwner({ stats }: Entry, uid: number): boolean {
  return stats.uid !== uid && !stats.isSymbolicLink();
}

/** Checks whether the owner can read and write the files that the server needs. */
export function checkOwnerRights({ config }: CheckContext): CheckResult {
  if (process.platform === "win32") return undefined;
  const { data } = config;
  const file = databaseFile(config);
  const needed: [string, number][] = [
    [data, 0o700],
    [file, 0o600],
    [`${file}-wal`, 0o600],
    [`${file}-shm`, 0o600],
    [join(data, "guildhall.lock"), 0o600],
    [join(data, "backups"), 0o700],
  ];
  const missing = needed.filter(([path, mode]) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats !== undefined && (stats.mode & mode) !== mode;
  });
  if (missing.length === 0) return undefined;
  const paths = missing.map(([path]) => path);
  return {
    ...severe(
      "owner_rights",
      `The owner cannot read and write ${named(paths)}.`,
      `chmod u+rwX ${paths.map(shellQuoted).join(" ")}`,
    ),
    ...(hasDatabase(config) && {
      fix() {
        const entries = paths.map((path): Entry => ({
          path: path === data ? realpathSync(path) : path,
          name: path,
          stats: path === data ? statSync(path) : lstatSync(path),
        }));
        return changeEach("Opened for the owner", entries, data, (path, stats) => {
          chmodSync(path, (stats.mode | (stats.isDirectory() ? 0o700 : 0o600)) & 0o7777);
        });
      },
    }),
  };
}

function named(paths: readonly string[]): string {
  const more = paths.length - NAMED_MAX;
  return `${paths.slice(0, NAMED_MAX).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
