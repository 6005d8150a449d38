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

/** A rehearsal is due each week. */
const REHEARSAL_LATE_MS = 14 * DAY;
const NOW = "guildhall backup --scheduled";
/** A server makes its first one a minute after its start, while this is looked at for the first time. */
const FIRST_MS = HOUR;

/** Whether the community could be had back, and how much of it would be lost. */
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
      ? `the newest in ${folder} is ${formatDuration(now() - Math.max(...made))} old`
      : `there is none in ${folder}`;
  return warning(
    "backup",
    `no backups are scheduled, and ${last}`,
    "GUILDHALL_BACKUP=/a/folder/elsewhere or s3://bucket/prefix; guildhall backup makes one now",
  );
}

function scheduled({ config, now, isServed }: CheckContext): CheckResult {
  const { last, failed } = readState(config.data);
  const reason =
    failed && `the newest try, ${formatDuration(now() - failed.at)} ago, failed: ${failed.reason}`;
  if (!last && !failed && isServed && now() - addressWrittenAt(config.data) < FIRST_MS)
    return note(
      "backup",
      "there is no scheduled backup yet: the server makes the first one in the minutes after its start",
    );
  if (!last)
    return finding(
      "backup",
      failed ? "severe" : "warning",
      failed ? `there is no scheduled backup yet; ${reason}` : "there is no scheduled backup yet",
      NOW,
    );
  const age = now() - last.at;
  const says = `the newest verified backup, ${last.name} (${formatBytes(last.bytes)} unpacked), is ${formatDuration(age)} old`;
  if (age > 2 * config.backupEveryMs)
    return severe(
      "backup",
      `${says}, and one is wanted every ${formatDuration(config.backupEveryMs)}${reason === undefined ? "" : `; ${reason}`}`,
      NOW,
    );
  return failed ? warning("backup", `${says}; ${reason}`, NOW) : ok("backup", says);
}

/** Where they are, as far as this machine can see it. */
function placeOf({ config }: CheckContext, backup: string): CheckResult {
  const { backupPassphraseFile: passphrase } = config;
  return [
    passphrase !== undefined &&
      !existsSync(passphrase) &&
      severe(
        "backup_passphrase",
        `there is no passphrase file ${passphrase}`,
        "put it there, or correct GUILDHALL_BACKUP_PASSPHRASE_FILE",
      ),
    !backup.startsWith("s3://") && folderOf(config, backup),
  ];
}

function folderOf({ data }: CheckContext["config"], folder: string): CheckResult {
  if (!existsSync(folder))
    return severe(
      "backup_place",
      `there is no folder ${folder} for backups`,
      "make it, mount its disk, or correct GUILDHALL_BACKUP",
    );
  const { last } = readState(data);
  const free = freeBytes(folder);
  return [
    last &&
      !existsSync(join(folder, last.name)) &&
      severe("backup_place", `the newest verified backup, ${last.name}, is not in ${folder} any more`, NOW),
    last &&
      free < last.bytes &&
      warning(
        "backup_place",
        `${formatBytes(free)} are free in ${folder}, and the last backup had ${formatBytes(last.bytes)} before it was packed`,
        "make room there, or keep fewer with GUILDHALL_BACKUP_KEEP",
      ),
    statSync(folder).dev === statSync(data).dev &&
      note(
        "backup_place",
        `backups in ${folder} stand on the disk of the community, and are lost with it`,
        "GUILDHALL_BACKUP: a folder of another disk or machine, or s3://bucket/prefix",
      ),
  ];
}

function rehearsed({ config, now }: CheckContext): CheckResult {
  const { last, failed } = readRehearsals(config.data);
  const mend = "guildhall restore --rehearse";
  if (failed && failed.at > (last?.at ?? 0))
    return severe(
      "rehearsal",
      `a restore of the newest backup was tried ${formatDuration(now() - failed.at)} ago and failed: ${failed.reason}`,
      mend,
    );
  // Of what there is not none can be tried.
  if (!last && !readState(config.data).last) return undefined;
  if (!last) return note("rehearsal", "no restore was tried yet", mend);
  const says = `a restore (of ${last.name}) was tried ${formatDuration(now() - last.at)} ago and worked`;
  if (now() - last.at > REHEARSAL_LATE_MS) return warning("rehearsal", says, mend);
  return ok("rehearsal", says);
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
