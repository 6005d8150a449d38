import { existsSync, readdirSync, statSync } from "node:fs";
import { freeBytes } from "../../files/disk-space.ts";
import { join } from "node:path";
import type { BackupHealth } from "../../core/services/backups/backups.ts";
import type { FixableFinding } from "../../core/services/checkup/checkup.ts";
import { DAY, HOUR } from "../../core/base/clock.ts";
import { BACKUPS } from "../backup/backup.ts";
import { readRehearsals } from "../backup/rehearsal.ts";
import { readState } from "../backup/scheduled.ts";
import { addressWrittenAt } from "../health/address.ts";
import type { CheckContext } from "./context.ts";
import { formatDuration, formatBytes } from "./format.ts";

/** A rehearsal is due each week. */
const REHEARSAL_LATE_MS = 14 * DAY;
const NOW = "guildhall backup --scheduled";
/** A server makes its first one a minute after its start, while this is looked at for the first time. */
const FIRST_MS = HOUR;

/** Whether the community could be had back, and how much of it would be lost. */
export function checkBackups(context: CheckContext): FixableFinding[] {
  const { backup } = context.config;
  if (backup === undefined) return [unscheduled(context)];
  return [...scheduled(context), ...placeOf(context, backup), ...rehearsed(context)];
}

function unscheduled({ config, now }: CheckContext): FixableFinding {
  const folder = join(config.data, BACKUPS);
  const made = namesIn(folder)
    .filter((name) => /^guildhall-.*\.tar\.zst(?:\.age)?$/.test(name))
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0);
  const last =
    made.length > 0
      ? `the newest in ${folder} is ${formatDuration(now() - Math.max(...made))} old`
      : `there is none in ${folder}`;
  return {
    check: "backup",
    severity: "warning",
    says: `no backups are scheduled, and ${last}`,
    mend: "GUILDHALL_BACKUP=/a/folder/elsewhere or s3://bucket/prefix; guildhall backup makes one now",
  };
}

function scheduled({ config, now, isServed }: CheckContext): FixableFinding[] {
  const { last, failed } = readState(config.data);
  const reason =
    failed && `the newest try, ${formatDuration(now() - failed.at)} ago, failed: ${failed.reason}`;
  if (!last && !failed && isServed && now() - addressWrittenAt(config.data) < FIRST_MS)
    return [
      {
        check: "backup",
        severity: "note",
        says: "there is no scheduled backup yet: the server makes the first one in the minutes after its start",
      },
    ];
  if (!last)
    return [
      {
        check: "backup",
        severity: failed ? "severe" : "warning",
        says: failed ? `there is no scheduled backup yet; ${reason}` : "there is no scheduled backup yet",
        mend: NOW,
      },
    ];
  const age = now() - last.at;
  const found: FixableFinding[] = [];
  const says = `the newest verified backup, ${last.name} (${formatBytes(last.bytes)} unpacked), is ${formatDuration(age)} old`;
  if (age > 2 * config.backupEveryMs)
    found.push({
      check: "backup",
      severity: "severe",
      says: `${says}, and one is wanted every ${formatDuration(config.backupEveryMs)}${reason === undefined ? "" : `; ${reason}`}`,
      mend: NOW,
    });
  else if (failed)
    found.push({ check: "backup", severity: "warning", says: `${says}; ${reason}`, mend: NOW });
  else found.push({ check: "backup", severity: "ok", says });
  return found;
}

/** Where they stand, as far as this machine can see it. */
function placeOf({ config }: CheckContext, backup: string): FixableFinding[] {
  const found: FixableFinding[] = [];
  const { backupPassphraseFile: passphrase } = config;
  if (passphrase !== undefined && !existsSync(passphrase))
    found.push({
      check: "backup_passphrase",
      severity: "severe",
      says: `there is no passphrase file ${passphrase}`,
      mend: "put it there, or correct GUILDHALL_BACKUP_PASSPHRASE_FILE",
    });
  if (backup.startsWith("s3://")) return found;
  if (!existsSync(backup))
    return [
      ...found,
      {
        check: "backup_place",
        severity: "severe",
        says: `there is no folder ${backup} for backups`,
        mend: "make it, mount its disk, or correct GUILDHALL_BACKUP",
      },
    ];
  const last: BackupHealth["last"] = readState(config.data).last;
  if (last && !existsSync(join(backup, last.name)))
    found.push({
      check: "backup_place",
      severity: "severe",
      says: `the newest verified backup, ${last.name}, is not in ${backup} any more`,
      mend: NOW,
    });
  const free = freeBytes(backup);
  if (last && free < last.bytes)
    found.push({
      check: "backup_place",
      severity: "warning",
      says: `${formatBytes(free)} are free in ${backup}, and the last backup had ${formatBytes(last.bytes)} before it was packed`,
      mend: "make room there, or keep fewer with GUILDHALL_BACKUP_KEEP",
    });
  if (statSync(backup).dev === statSync(config.data).dev)
    found.push({
      check: "backup_place",
      severity: "note",
      says: `backups in ${backup} stand on the disk of the community, and are lost with it`,
      mend: "GUILDHALL_BACKUP: a folder of another disk or machine, or s3://bucket/prefix",
    });
  return found;
}

function rehearsed({ config, now }: CheckContext): FixableFinding[] {
  const { last, failed } = readRehearsals(config.data);
  const mend = "guildhall restore --rehearse";
  if (failed && failed.at > (last?.at ?? 0))
    return [
      {
        check: "rehearsal",
        severity: "severe",
        says: `a restore of the newest backup was tried ${formatDuration(now() - failed.at)} ago and failed: ${failed.reason}`,
        mend,
      },
    ];
  // Of what there is not none can be tried.
  if (!last && !readState(config.data).last) return [];
  if (!last) return [{ check: "rehearsal", severity: "note", says: "no restore was tried yet", mend }];
  const says = `a restore (of ${last.name}) was tried ${formatDuration(now() - last.at)} ago and worked`;
  if (now() - last.at > REHEARSAL_LATE_MS) return [{ check: "rehearsal", severity: "warning", says, mend }];
  return [{ check: "rehearsal", severity: "ok", says }];
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
