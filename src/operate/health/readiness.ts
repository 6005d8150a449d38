import type { Logger } from "pino";
import { SECOND } from "../../core/base/clock.ts";
import { newestCheckup } from "../../core/services/checkup/checkup.ts";
import type { ReadinessFailure } from "../../core/services/checkup/readiness.ts";
import { OPERATOR } from "../../core/identity/access/caller.ts";
import type { Core } from "../../core/base/core.ts";
import { isOfThisProgram, probeWrite } from "../../core/base/db/write-probe.ts";
import type { HttpMetrics } from "../../http/metrics.ts";

/** Whether the server can do its work (docs/contract.md#12.13). */
export interface Readiness {
  /**
   * Returns why the server is not ready; empty if ready. Checks once a second, however often it is called.
   */
  refresh(): Promise<readonly ReadinessFailure[]>;
  /** Result of the newest check, or undefined before the first has ended. */
  newest(): readonly ReadinessFailure[] | undefined;
  /** Additional status of a follower. Clients get `all`, and requests from this machine also get `local`. */
  extraStatus?(): { all: Record<string, unknown>; local: Record<string, unknown> };
}

export interface Parts {
  /** Time since the delivery loop's last pass, in ms. */
  sincePassMs(): number;
  freeBytes(): number;
}

/** Shortest time between two checks, in ms. Each check commits once. */
const CHECK_EVERY_MS = SECOND;
/** A commit that takes longer counts as failed. */
const WITHIN_MS = 2 * SECOND;
/** Longest healthy time since the loop's last pass. The loop runs every second. */
const PASS_MAX_MS = 10 * SECOND;
/** Minimum free space in bytes. With less space, the next checkpoint or a large transaction fails. */
const FREE_MIN_BYTES = 16 * 1024 * 1024;

export function createReadiness(
  core: Core,
  parts: Parts,
  log: Logger,
  { withinMs = WITHIN_MS } = {},
): Readiness {
  const { elapsed } = core.clock;
  let logged = "";
  let newest: { at: number; failures: readonly ReadinessFailure[] } | undefined;
  let running: Promise<readonly ReadinessFailure[]> | undefined;
  let writing: { since: number; isWorking: Promise<boolean> } | undefined;
  return { refresh, newest: () => newest?.failures };

  function refresh(): Promise<readonly ReadinessFailure[]> {
    if (newest && elapsed() - newest.at < CHECK_EVERY_MS) return Promise.resolve(newest.failures);
    running ??= runChecks().finally(() => {
      running = undefined;
    });
    return running;
  }

  async function runChecks(): Promise<readonly ReadinessFailure[]> {
    const failures: ReadinessFailure[] = [];
    const isGivenUp = core.db.fencedBy() !== undefined;
    if (isGivenUp) failures.push("fenced");
    else if (!(await canWrite())) failures.push("write");
    if (parts.sincePassMs() > PASS_MAX_MS) failures.push("delivery");
    if (!hasFreeSpace(parts)) failures.push("disk");
    failures.push(...databaseFailures(core));
    newest = { at: elapsed(), failures: failures };
    logChange(failures);
    return failures;
  }

  /** Tests a write. While a write hangs, all callers wait for the same write, and no second one starts. */
  async function canWrite(): Promise<boolean> {
    writing ??= begin();
    const leftMs = withinMs - (elapsed() - writing.since);
    if (leftMs <= 0) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const limit = setTimeout(() => resolve(false), leftMs);
    void writing.isWorking.then(resolve);
    return await promise.finally(() => clearTimeout(limit));
  }

  function begin(): NonNullable<typeof writing> {
    const works = probeWrite(core).then(
      () => true,
      () => false,
    );
    void works.then(() => (writing = undefined));
    return { since: elapsed(), isWorking: works };
  }

  /** Logs only changes, because a client may ask every second. */
  function logChange(failures: readonly ReadinessFailure[]): void {
    const failing = failures.join(" ");
    if (failing === logged) return;
    logged = failing;
    if (failures.length > 0) log.error({ failing: failures }, "not ready");
    else log.info("ready again");
  }
}

/** Whether the disk has enough free space. False if the folder cannot be read. */
function hasFreeSpace({ freeBytes }: Parts): boolean {
  try {
    return freeBytes() >= FREE_MIN_BYTES;
  } catch {
    return false;
  }
}

function databaseFailures(core: Core): ReadinessFailure[] {
  try {
    return [
      ...(isOfThisProgram(core) ? [] : ["schema" as const]),
      ...(isDamaged(core) ? ["database" as const] : []),
    ];
  } catch {
    return ["database"];
  }
}

/** Doctor checks that read the database. */
const LOOKS: ReadonlySet<string> = new Set(["database", "quick_check"]);

/** Whether a statement met damage, or the newest doctor run found it. */
function isDamaged(core: Core): boolean {
  const isMet = core.db.storageFaults.open().some(({ kind }) => kind === "damaged" || kind === "unreadable");
  const { checked = [] } = newestCheckup(core, OPERATOR) ?? {};
  return isMet || checked.some(({ check, severity }) => severity === "severe" && LOOKS.has(check));
}

/** Adds readiness to `/metrics`, as of the newest check. Each scrape also starts a new check. */
export function gaugeReadiness(metrics: HttpMetrics, { refresh, newest }: Readiness): void {
  void refresh();
  metrics.gauges(() => {
    void refresh();
    const failures = newest();
    return { guildhall_ready: failures && (failures.length === 0 ? 1 : 0) };
  });
}
