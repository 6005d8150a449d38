import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { findingsOf, type CheckResult, note, ok, warning } from "../../core/services/checkup/checkup.ts";
import { DAY } from "../../core/base/clock.ts";
import { getSetting } from "../../core/base/db/settings.ts";
import { namedKeys } from "../../core/base/keyring/keyring.ts";
import { unfinishedFolder } from "../../app/data-folder.ts";
import { BACKUPS } from "../backup/backup.ts";
import { isUnfinished } from "../backup/restore-swap.ts";
import { removeAddress, readAddress } from "../health/address.ts";
import type { CheckContext } from "./context.ts";
import { folderSize } from "./entries.ts";
import { formatDuration, shellQuoted, formatBytes } from "./format.ts";

/** Checks for interrupted work and for files that are kept until the operator deletes them. */
export function checkLeftovers(context: CheckContext): CheckResult {
  const found = findingsOf([
    unfinished(context),
    rotationOf(context),
    addressOf(context),
    partials(context),
    checkSetAside(context),
  ]);
  if (found.some(({ severity }) => severity !== "note")) return found;
  return [ok("unfinished", "Nothing is unfinished."), ...found];
}

function unfinished({ config, isServed }: CheckContext): CheckResult {
  const importing = unfinishedFolder(config.data);
  return [
    isUnfinished(config.data) &&
      warning(
        "unfinished_restore",
        "A restore is running or was interrupted. The next command that opens the folder completes or removes it.",
        isServed ? undefined : "Run guildhall restore FILE again, or start the server",
      ),
    existsSync(importing) &&
      warning(
        "unfinished_import",
        "An import is running or was interrupted.",
        `Continue it: guildhall import DIR. Or discard it: rm -r ${shellQuoted(importing)}`,
      ),
  ];
}

function rotationOf({ db }: CheckContext): CheckResult {
  if (!db || namedKeys(getSetting({ db }, "keys")).length < 2) return undefined;
  return warning(
    "unfinished_rotation",
    "A key rotation is running or was interrupted. Some secrets still use the old key.",
    "guildhall key rotate",
  );
}

/** Checks the file with the server's URL. A killed server leaves this file behind. */
function addressOf({ config, isServed }: CheckContext): CheckResult {
  const address = readAddress(config.data);
  if (isServed && address === undefined)
    return warning(
      "address",
      "A server uses the folder, but guildhall.address does not contain its address.",
      "Restart the server to write the address. Until then: guildhall health --url URL",
    );
  if (isServed || address === undefined) return undefined;
  return {
    ...note(
      "address",
      `guildhall.address names ${address}, but no server runs on the folder. The last one was killed.`,
      "Start the server, or remove the file: guildhall doctor --fix",
    ),
    fix() {
      removeAddress(config.data);
      return "Deleted guildhall.address, which a killed server had left.";
    },
  };
}

/**
 * Names of partial files. Only this program uses these names. The backup folder may also contain other
 * people's files.
 */
const PARTIAL =
  /^(?:guildhall-(?:[0-9a-f]{8}-)?\d{8}T\d{6}Z\.tar\.zst(?:\.age)?|before-upgrade-\d+-to-\d+-\d{8}T\d{6}Z)\.partial$/;

/**
 * Finds partial files that were unchanged for a day, left by killed copies and backups. A running backup
 * writes to its file all the time.
 */
function partials({ config, now }: CheckContext): CheckResult {
  const folders = [config.data, join(config.data, BACKUPS)];
  if (config.backup !== undefined && !config.backup.startsWith("s3://")) folders.push(config.backup);
  const stale = folders.flatMap((folder) =>
    namesIn(folder)
      .filter((name) => PARTIAL.test(name))
      .map((name) => join(folder, name))
      .filter((path) => now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > DAY),
  );
  if (stale.length === 0) return undefined;
  const bytes = stale.reduce((sum, path) => sum + folderSize(path), 0);
  return {
    ...note(
      "partial",
      `Unfinished for more than a day: ${stale.join(", ")} (${formatBytes(bytes)}).`,
      "guildhall doctor --fix",
    ),
    fix() {
      for (const path of stale) rmSync(path, { recursive: true, force: true });
      return `Deleted unfinished files: ${stale.join(", ")}.`;
    },
  };
}

const ASIDE: readonly [check: string, name: RegExp, what: string][] = [
  ["before_restore", /^before-restore-/, "the community before a restore"],
  ["before_upgrade", /^before-upgrade-(?!.*\.partial$)/, "the database before an upgrade"],
  ["damaged_log", /^guildhall\.db-wal\.damaged-/, "a damaged log with lost commits"],
  ["old_key", /\.key\.old-/, "an old key, needed for backups from before a rotation"],
];

/** Reports folders that only the operator may delete. */
function checkSetAside({ config, now }: CheckContext): CheckResult {
  return ASIDE.flatMap(([check, pattern, what]) => {
    const names = namesIn(config.data).filter((name) => pattern.test(name));
    return names.map((name) => {
      const path = join(config.data, name);
      const age = formatDuration(now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now()));
      return note(
        check,
        `${name} (${formatBytes(folderSize(path))}, ${age} old) is ${what}. Delete it when it is no longer needed.`,
        `rm -r ${shellQuoted(path)}`,
      );
    });
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
