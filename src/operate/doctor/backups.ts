import { existsSync, readdirSync, statSync } from "node:fs";
import { freeBytes } from "../../files/disk-space.ts";
import { join } from "node:path";
import { finding, type CheckResult, note, ok, severe, warning } from "../../core/services/checkup/checkup.ts";
import { DAY, HOUR } from "../../core/base/clock.ts";
import { BACKUPS } from "../backup/backup.ts";
import { readRehearsals } from "../backup/rehearsal.ts";
import { readState } from "../backup/scheduled-backup.ts";
import { addressWrittenAt } from "../health/address.ts";
import type { CheckContext } from "./context.ts";
import { formatDuration, formatBytes } from "./format.ts";

/** If the last test restore is older than this, in ms, it counts as late. A test restore is due each week. */
const REHEARSAL_LATE_MS = 14 * DAY;
const NOW = "guildhall backup --scheduled";
/**
 * Time after a server's start, in ms, during which a missing first backup is not yet reported. The server
 * makes that backup a minute after its start, while the first doctor run is in progress.
 */
const FIRST_MS = HOUR;

/** Checks whether the community can be restored, and how much would be lost. */
export function checkBackups(context: CheckContext): CheckResult {
  const { backup } = context.config;
  if (backup === undefined) return unscheduled(context);
  return [scheduled(context), placeOf(context, backup), rehearsed(context)];
}

function unscheduled({ config, now }: CheckContext): CheckResult {
  const folder = join(config.data, BACKUPS);
  const made = namesIn(folder)
    .filter((name) => /^guildhall-.*\.tar\.zst(?:\.age)?$/.test(name))
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0);
  const last =
    made.length > 0
      ? `The newest backup in ${folder} is ${formatDuration(now() - Math.max(...made))} old.`
      : `There is no backup in ${folder}.`;
  return warning(
    "backup",
    `No backups are scheduled. ${last}`,
    "Set GUILDHALL_BACKUP to a folder on another disk, or to s3://bucket/prefix. To make one now: guildhall backup",
  );
}

function scheduled({ config, now, isServed }: CheckContext): CheckResult {
  const { last, failed } = readState(config.data);
  const reason =
    failed && ` The last attempt, ${formatDuration(now() - failed.at)} ago, failed: ${failed.reason}`;
  if (!last && !failed && isServed && now() - addressWrittenAt(config.data) < FIRST_MS)
    return note(
      "backup",
      "There is no scheduled backup yet. The server makes the first one minutes after its start.",
    );
  if (!last)
    return finding(
      "backup",
      failed ? "severe" : "warning",
      failed ? `There is no scheduled backup yet.${reason}` : "There is no scheduled backup yet.",
      NOW,
    );
  const age = now() - last.at;
  const says = `The newest verified backup, ${last.name} (${formatBytes(last.bytes)} unpacked), is ${formatDuration(age)} old`;
  if (age > 2 * config.backupEveryMs)
    return severe(
      "backup",
      `${says}, but a backup is scheduled every ${formatDuration(config.backupEveryMs)}.${reason ?? ""}`,
      NOW,
    );
  return failed ? warning("backup", `${says}.${reason}`, NOW) : ok("backup", `${says}.`);
}

/** Describes where the backups are stored, as far as this machine knows. */
function placeOf({ config }: CheckContext, backup: string): CheckResult {
  const { backupPassphraseFile: passphrase } = config;
  return [
    passphrase !== undefined &&
      !existsSync(passphrase) &&
      severe(
        "backup_passphrase",
        `The passphrase file ${passphrase} does not exist.`,
        "Put the file there, or correct GUILDHALL_BACKUP_PASSPHRASE_FILE",
      ),
    !backup.startsWith("s3://") && folderOf(config, backup),
  ];
}

function folderOf({ data }: CheckContext["config"], folder: string): CheckResult {
  if (!existsSync(folder))
    return severe(
      "backup_place",
      `The backup folder ${folder} does not exist.`,
      "Create it, mount its disk, or correct GUILDHALL_BACKUP",
    );
  const { last } = readState(data);
  const free = freeBytes(folder);
  return [
    last &&
      !existsSync(join(folder, last.name)) &&
      severe("backup_place", `The newest verified backup, ${last.name}, is no longer in ${folder}.`, NOW),
    last &&
      free < last.bytes &&
      warning(
        "backup_place",
        `${folder} has ${formatBytes(free)} free. The last backup took ${formatBytes(last.bytes)} before compression.`,
        "Free up space there, or keep fewer backups with GUILDHALL_BACKUP_KEEP",
      ),
    statSync(folder).dev === statSync(data).dev &&
      note(
        "backup_place",
        `The backups in ${folder} are on the same disk as the community. If the disk fails, both are lost.`,
        "Set GUILDHALL_BACKUP to a folder on another disk or machine, or to s3://bucket/prefix",
      ),
  ];
}

function rehearsed({ config, now }: CheckContext): CheckResult {
  const { last, failed } = readRehearsals(config.data);
  const mend = "guildhall restore --rehearse";
  if (failed && failed.at > (last?.at ?? 0))
    return severe(
      "rehearsal",
      `The test restore of the newest backup, ${formatDuration(now() - failed.at)} ago, failed: ${failed.reason}`,
      mend,
    );
  // Without a backup, no test restore is possible.
  if (!last && !readState(config.data).last) return undefined;
  if (!last) return note("rehearsal", "No backup has had a test restore yet.", mend);
  const says = `The last test restore (${last.name}), ${formatDuration(now() - last.at)} ago, succeeded.`;
  if (now() - last.at > REHEARSAL_LATE_MS) return warning("rehearsal", says, mend);
  return ok("rehearsal", says);
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
