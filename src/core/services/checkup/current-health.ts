import type { Caller } from "../../identity/access/caller.ts";
import { isoTime, MINUTE } from "../../base/clock.ts";
import { countWithNoun } from "../../base/count-with-noun.ts";
import type { Core } from "../../base/core.ts";
import type { StorageFaultKind } from "../../base/db/storage-faults.ts";
import { backupHealth } from "../backups/backups.ts";
import { REPLICA_LATE_MS, replicaHealth } from "../backups/replica.ts";
import {
  finding,
  type Finding,
  newestCheckup,
  ok,
  severe,
  SEVERITIES,
  type Severity,
  warning,
} from "./checkup.ts";
import { outgoingHealth } from "../channels/outgoing.ts";
import { checkDeliveries } from "./deliveries.ts";
import { checkOutgoing } from "./outgoing.ts";
import { READINESS_FAILURES, currentFailures } from "./readiness.ts";

/**
 * The newest checkup, updated. Findings that can be determined quickly show the current state instead of the
 * state at the checkup.
 */
export interface CurrentHealth {
  /** Time of the newest checkup; undefined if there is none yet. */
  at: number | undefined;
  /** The highest severity of all findings. */
  severity: Severity;
  /** All findings, most severe first. */
  checked: readonly Finding[];
}

/** Formats a time as on the admin pages: `2026-11-22 19:30 UTC`. */
const minuteOf = (at: number): string => `${isoTime(at).slice(0, 16).replace("T", " ")} UTC`;

/** Returns the current health. Only for admins. */
export async function currentHealth(core: Core, caller: Caller): Promise<CurrentHealth> {
  const served = await readiness(core, caller);
  const checkup = newestCheckup(core, caller);
  const now = [
    ...served,
    ...storageFaults(core),
    ...checkDeliveries(core, true),
    ...checkOutgoing(core, true, outgoingHealth(core, caller).mailServer),
    ...backups(core, caller),
    ...replica(core, caller),
  ];
  const current = new Set(now.map(({ check }) => check));
  const older = checkup?.checked.filter(({ check }) => !current.has(check)) ?? [];
  const place = ({ severity }: Finding) => SEVERITIES.indexOf(severity);
  const checked = [...now, ...older].sort((a, b) => place(a) - place(b));
  return { at: checkup?.at, severity: checked[0]?.severity ?? "ok", checked };
}

/**
 * Returns a finding about the current readiness. This finding replaces the readiness finding of the newest
 * checkup.
 */
async function readiness(core: Core, caller: Caller): Promise<Finding[]> {
  const failures = await currentFailures(core, caller);
  if (failures === undefined) return [];
  const check = "server";
  if (failures.length === 0) return [ok(check, "The server is ready.")];
  const says = `The server is not ready: ${failures.map((failure) => READINESS_FAILURES[failure]).join(", ")}.`;
  return [severe(check, says, "Run guildhall doctor, and read the server's log")];
}

const STORAGE_FAULTS: Readonly<Record<StorageFaultKind, { says: string; mend: string }>> = {
  damaged: { says: "A request found damage in the database", mend: "guildhall doctor" },
  unreadable: { says: "The disk failed while the database was read", mend: "guildhall doctor" },
  unwritable: {
    says: "The database cannot be written",
    mend: "Free disk space, then run guildhall doctor",
  },
  unmerged: {
    says: "The write-ahead log cannot be merged into the database and keeps growing",
    mend: "Stop the program that keeps the database open for reading",
  },
};

function storageFaults({ db }: Core): Finding[] {
  return db.storageFaults
    .open()
    .map(({ kind, code, lastAt, times }) =>
      severe(
        "database_trouble",
        `${STORAGE_FAULTS[kind].says} (${code}, ${times === 1 ? "once" : `${times} times`}, last at ${minuteOf(lastAt)}).`,
        STORAGE_FAULTS[kind].mend,
      ),
    );
}

const SCHEDULE = "Set GUILDHALL_BACKUP to a folder on another disk, or to s3://bucket/prefix";

function backups(core: Core, caller: Caller): Finding[] {
  const health = backupHealth(core, caller);
  const check = "backup";
  if (!health) return [warning(check, "The server makes no backups.", SCHEDULE)];
  const { last, failed, isLate, rehearsal } = health;
  const newest = last
    ? `The newest verified backup is ${last.name}, made at ${minuteOf(last.at)}`
    : "There is no backup yet";
  const found: Finding[] = [];
  if (failed || isLate)
    found.push(
      finding(
        check,
        isLate ? "severe" : "warning",
        failed
          ? `${newest}. The attempt at ${minuteOf(failed.at)} failed: ${failed.reason}`
          : last
            ? `${newest}, which is too old.`
            : `${newest}, although one is due.`,
        "guildhall backup --scheduled",
      ),
    );
  else found.push(finding(check, last ? "ok" : "note", `${newest}.`));
  if (rehearsal?.failed)
    found.push(
      warning(
        "rehearsal",
        `The test restore at ${minuteOf(rehearsal.failed.at)} failed: ${rehearsal.failed.reason}`,
        "guildhall restore --rehearse",
      ),
    );
  else if (rehearsal?.last)
    found.push(
      ok(
        "rehearsal",
        `The test restore of ${rehearsal.last.name} at ${minuteOf(rehearsal.last.at)} succeeded.`,
      ),
    );
  return found;
}

const REPLICATE = "Check `litestream replicate` on this node: docs/operating.md#alert-replica-behind";

function replica(core: Core, caller: Caller): Finding[] {
  const health = replicaHealth(core, caller);
  if (!health) return [];
  const { name, ageMs, newest, error } = health;
  const check = "replica";
  const isLate = ageMs > REPLICA_LATE_MS;
  const since = `for ${countWithNoun(Math.round(ageMs / MINUTE), "minute")}`;
  if (error !== undefined)
    return [
      finding(
        check,
        isLate ? "severe" : "warning",
        `The replica ${name} cannot be read (${error}). Its age has been unknown ${since}.`,
        REPLICATE,
      ),
    ];
  const last = newest === undefined ? "" : ` Its newest file is from ${minuteOf(newest)}.`;
  if (isLate)
    return [
      severe(check, `The replica ${name} has been behind the newest commits ${since}.${last}`, REPLICATE),
    ];
  return [ok(check, `The replica ${name} is up to date.${last}`)];
}
