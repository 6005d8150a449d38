import { renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Config } from "../../config/config.ts";
import {
  type Checkup,
  type Finding,
  registerCheckup,
  SEVERITIES,
} from "../../core/services/checkup/checkup.ts";
import { DAY, HOUR } from "../../core/base/clock.ts";
import type { Core } from "../../core/base/core.ts";
import { readRegularFile } from "../../files/regular-file.ts";
import { databaseFile } from "../../app/data-folder.ts";
import { STORAGE_FAULT_KINDS, type StorageFaults } from "../../core/base/db/storage-faults.ts";
import type { HttpMetrics } from "../../http/metrics.ts";
import { startDoctorProcess } from "../backup/child-process.ts";
import { type ChildRun, createSingleRun, elapsedSince } from "../backup/single-run.ts";

/** File in the data folder with the newest results. */
const FILE = "guildhall.checkup";
/** Hour of the nightly run, in the machine's local time. Few members are online then. */
const NIGHT_HOUR = 3;
/** Time until the next try after a failed run. */
const AGAIN_MS = HOUR;
/** Time after which a run counts as hung. A run over a million posts takes minutes. */
const LONGEST_MS = 3 * HOUR;

export interface CheckupSchedule {
  /** Call this every minute. A run is due after each start, and once a night. */
  runIfDue(): Promise<void>;
  newest(): Checkup | undefined;
  /** Starts a run now. Returns false if one is running. */
  again(): boolean;
  stop(): Promise<void>;
}

export interface ScheduleOptions {
  config: Pick<Config, "data">;
  now(): number;
  /** Starts a run in a separate process, either full or with this night's sample. */
  run(isSampled: boolean): ChildRun;
  /** Faults that occurred in the server's own database connections. */
  storageFaults: Pick<StorageFaults, "open" | "closeBefore">;
  log: Logger;
}

/**
 * Starts the schedule. A separate process runs the checks, and this process reports the results
 * (docs/contract.md#12.11).
 */
export function startCheckups(
  config: Config,
  core: Core,
  metrics: HttpMetrics,
  log: Logger,
): Pick<CheckupSchedule, "runIfDue" | "stop"> {
  const { now } = core.clock;
  const run = (isSampled: boolean): ChildRun =>
    startDoctorProcess(config.data, config.settingsFile?.path, isSampled);
  const { storageFaults } = core.db;
  const {
    newest,
    again: runNow,
    runIfDue,
    stop,
  } = createCheckupSchedule({ config, now, run, storageFaults, log });
  registerCheckup(core, newest, runNow);
  metrics.gauges(() => {
    const checkup = newest();
    return { guildhall_checkup_age_seconds: checkup && (now() - checkup.at) / 1000 };
  });
  metrics.collect("guildhall_checkup_findings", () => {
    const { checked } = newest() ?? { checked: [] };
    return (["severe", "warning", "note"] as const).map((severity) => [
      [severity],
      checked.filter((each) => each.severity === severity).length,
    ]);
  });
  metrics.collect("guildhall_database_troubles", () => {
    const standing = new Map(storageFaults.open().map(({ kind, times }) => [kind, times]));
    return STORAGE_FAULT_KINDS.map((kind) => [[kind], standing.get(kind) ?? 0]);
  });
  return { runIfDue, stop };
}

/**
 * Creates the schedule. The results of an earlier process count until the next run. Each finding is logged
 * once.
 */
export function createCheckupSchedule({
  config,
  now,
  run,
  storageFaults,
  log,
}: ScheduleOptions): CheckupSchedule {
  let newest = read(config);
  let triedAt: number | undefined;
  let hasRun = false;
  let hasFailed = false;
  let begun: ChildRun | undefined;
  let isSampled = false;
  const singleRun = createSingleRun(() => (begun = run(isSampled)));

  /**
   * Whether damage is known. If so, each run is a full run, because a night's sample may not include the
   * damaged part.
   */
  function isDamaged(): boolean {
    return damageSeenAt() !== undefined || (newest?.checked.some(isOfDamage) ?? false);
  }

  /** Time when the server last met damage that is not fixed yet. */
  function damageSeenAt(): number | undefined {
    const met = storageFaults.open().filter(({ kind }) => kind === "damaged" || kind === "unreadable");
    return met.length > 0 ? Math.max(...met.map(({ lastAt }) => lastAt)) : undefined;
  }

  async function runChecks(isComplete: boolean): Promise<void> {
    isSampled = !isComplete;
    triedAt = now();
    hasFailed = true;
    const ended = await singleRun.runOnce();
    if (!ended) return;
    // The exit code does not show whether the run failed, because severe findings set that code too.
    const checkup = readCheckup(ended.text ?? "");
    if (!checkup) {
      log.error({ reason: ended.output || `exit code ${ended.code}` }, "doctor run failed");
      return;
    }
    hasRun = true;
    hasFailed = false;
    if (isComplete && !checkup.checked.some(isOfDamage)) storageFaults.closeBefore(checkup.at);
    logChanges(newest, checkup, log);
    newest = checkup;
    write(config, checkup, log);
  }

  return {
    newest: () => newest,
    async runIfDue() {
      if (!singleRun.isFree()) {
        if (elapsedSince(now(), triedAt) > LONGEST_MS) begun?.kill();
        return;
      }
      const isDue = !hasRun || (newest?.at ?? 0) < lastNight(now()) || (newest?.at ?? 0) > now();
      const mayTry = !hasFailed || elapsedSince(now(), triedAt) >= AGAIN_MS;
      // If the server met damage after the newest run, another run starts. Such a run starts at most once an
      // hour.
      const isMet = (damageSeenAt() ?? 0) > (newest?.at ?? 0) && elapsedSince(now(), triedAt) >= AGAIN_MS;
      // If the newest run could not open the database, another run starts, because the error may have lasted
      // only a moment. The server is not ready until a run opens the database.
      const isShut = newest?.checked.some(isUnopened) === true && elapsedSince(now(), triedAt) >= AGAIN_MS;
      if ((isDue && mayTry) || isMet || isShut) await runChecks(isDamaged());
    },
    again() {
      if (!singleRun.isFree()) return false;
      // No caller awaits this run. Without the catch, a run that cannot start (its program was moved) would
      // end the server.
      void runChecks(true).catch((err: unknown) => log.error({ err }, "doctor run failed"));
      return true;
    },
    stop: singleRun.stop,
  };
}

/** Returns the most recent 3 a.m. in local time. */
function lastNight(at: number): number {
  const night = new Date(at).setHours(NIGHT_HOUR, 0, 0, 0);
  return night <= at ? night : night - DAY;
}

/** Logs findings that are new or worse, and findings that are resolved. */
function logChanges(before: Checkup | undefined, { checked }: Checkup, log: Logger): void {
  const known = new Set(before?.checked.map(({ check, severity }) => `${severity} ${check}`));
  for (const { check, severity, says, mend } of checked) {
    if (known.has(`${severity} ${check}`)) continue;
    if (severity === "severe") log.error({ check, mend }, says);
    if (severity === "warning") log.warn({ check, mend }, says);
  }
  const failing = new Set(checked.filter(isFailing).map(({ check }) => check));
  const recovered = new Set(before?.checked.filter(isFailing).map(({ check }) => check));
  for (const check of recovered) if (!failing.has(check)) log.info({ check }, "doctor finding resolved");
}

/** Whether the finding is severe, and only a full run can show that it is resolved. */
function isOfDamage({ check, severity }: Finding): boolean {
  return severity === "severe" && ["quick_check", "foreign_keys", "full_text"].includes(check);
}

function isUnopened({ check, severity }: Finding): boolean {
  return severity === "severe" && check === "database";
}

function isFailing({ severity }: { severity: string }): boolean {
  return severity === "severe" || severity === "warning";
}

/**
 * Results of a run and the database that was checked. A restored database is another file, so older results
 * do not apply to it.
 */
interface StoredCheckup {
  database: number;
  checkup: string;
}

function read(config: Pick<Config, "data">): Checkup | undefined {
  try {
    const { database, checkup } = JSON.parse(
      readRegularFile(join(config.data, FILE)).toString("utf8"),
    ) as StoredCheckup;
    return database === fileNumber(config) ? readCheckup(checkup) : undefined;
  } catch {
    return undefined;
  }
}

function write(config: Pick<Config, "data">, checkup: Checkup, log: Logger): void {
  const path = join(config.data, FILE);
  try {
    const stored: StoredCheckup = { database: fileNumber(config), checkup: JSON.stringify(checkup) };
    writeFileSync(`${path}.new`, JSON.stringify(stored), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch (err) {
    log.warn({ err }, "could not save the doctor's findings, the next start runs it again");
  }
}

function fileNumber(config: Pick<Config, "data">): number {
  return statSync(databaseFile(config)).ino;
}

/** Parses the output of `guildhall doctor --json`. Returns undefined for any other text. */
function readCheckup(text: string): Checkup | undefined {
  try {
    const checkup: unknown = JSON.parse(text);
    return isCheckup(checkup) ? checkup : undefined;
  } catch {
    return undefined;
  }
}

function isCheckup(value: unknown): value is Checkup {
  const { at, checked } = (value ?? {}) as Partial<Checkup>;
  return typeof at === "number" && Array.isArray(checked) && checked.every(isChecked);
}

function isChecked(value: unknown): value is Finding {
  const { check, severity, says, mend } = (value ?? {}) as Partial<Finding>;
  const hasValidMend = mend === undefined || typeof mend === "string";
  return (
    typeof check === "string" &&
    typeof says === "string" &&
    hasValidMend &&
    SEVERITIES.some((known) => known === severity)
  );
}
