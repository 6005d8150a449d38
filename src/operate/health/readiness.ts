import type { Logger } from "pino";
import { SECOND } from "../../core/base/clock.ts";
import { newestCheckup } from "../../core/services/checkup/checkup.ts";
import type { ReadinessFailure } from "../../core/services/checkup/readiness.ts";
import { OPERATOR } from "../../core/identity/access/caller.ts";
import type { Core } from "../../core/base/core.ts";
import { isOfThisProgram, probeWrite } from "../../core/base/db/write-probe.ts";
import type { HttpMetrics } from "../../http/metrics.ts";

/** Whether the server can do what it is for (docs/contract.md#12.13). */
export interface Readiness {
  /** Nothing: it is ready. However often it is asked, it looks once a second. */
  look(): Promise<readonly ReadinessFailure[]>;
  /** What the newest look came to, whoever asked for it; undefined before the first has ended. */
  newest(): readonly ReadinessFailure[] | undefined;
  /** What a follower says beside it, and to this machine alone; nothing of any other server. */
  extraStatus?(): { all: Record<string, unknown>; local: Record<string, unknown> };
}

/** What of the program it asks. */
export interface Parts {
  /** How long ago the delivery loop looked around. */
  sinceTurnMs(): number;
  /** What may still be written on the disk of the data folder. */
  freeBytes(): number;
}

/** However many ask, one look a second: each is a commit. */
const LOOK_EVERY_MS = SECOND;
/** A commit that takes longer is none. */
const WITHIN_MS = 2 * SECOND;
/** The loop looks around every second. */
const TURN_WITHIN_MS = 10 * SECOND;
/** With less, the next checkpoint or a transaction of some size fails. */
const ROOM_BYTES = 16 * 1024 * 1024;

export function createReadiness(
  core: Core,
  parts: Parts,
  log: Logger,
  { withinMs = WITHIN_MS } = {},
): Readiness {
  const { elapsed } = core.clock;
  let logged = "";
  let newest: { at: number; failures: readonly ReadinessFailure[] } | undefined;
  let looking: Promise<readonly ReadinessFailure[]> | undefined;
  let writing: { since: number; works: Promise<boolean> } | undefined;
  return { look, newest: () => newest?.failures };

  function look(): Promise<readonly ReadinessFailure[]> {
    if (newest && elapsed() - newest.at < LOOK_EVERY_MS) return Promise.resolve(newest.failures);
    looking ??= runChecks().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  async function runChecks(): Promise<readonly ReadinessFailure[]> {
    const failures: ReadinessFailure[] = [];
    const isGivenUp = core.db.fencedBy() !== undefined;
    if (isGivenUp) failures.push("fenced");
    else if (!(await canWrite())) failures.push("write");
    if (parts.sinceTurnMs() > TURN_WITHIN_MS) failures.push("delivery");
    if (!hasRoom(parts)) failures.push("disk");
    failures.push(...lacksOfDatabase(core));
    newest = { at: elapsed(), failures: failures };
    logChange(failures);
    return failures;
  }

  /** A write that hangs is waited for by all who ask meanwhile, and no other one is made. */
  async function canWrite(): Promise<boolean> {
    writing ??= begin();
    const leftMs = withinMs - (elapsed() - writing.since);
    if (leftMs <= 0) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const limit = setTimeout(() => resolve(false), leftMs);
    void writing.works.then(resolve);
    return await promise.finally(() => clearTimeout(limit));
  }

  function begin(): NonNullable<typeof writing> {
    const works = probeWrite(core).then(
      () => true,
      () => false,
    );
    void works.then(() => (writing = undefined));
    return { since: elapsed(), works };
  }

  /** Once for each change: whoever asks every second fills no log. */
  function logChange(failures: readonly ReadinessFailure[]): void {
    const words = failures.join(" ");
    if (words === logged) return;
    logged = words;
    if (failures.length > 0) log.error({ failing: failures }, "not ready");
    else log.info("ready again");
  }
}

/** A folder that cannot be asked has none either. */
function hasRoom({ freeBytes }: Parts): boolean {
  try {
    return freeBytes() >= ROOM_BYTES;
  } catch {
    return false;
  }
}

function lacksOfDatabase(core: Core): ReadinessFailure[] {
  try {
    return [
      ...(isOfThisProgram(core) ? [] : ["schema" as const]),
      ...(isDamaged(core) ? ["database" as const] : []),
    ];
  } catch {
    return ["database"];
  }
}

/** Looks at the database, of a checkup. */
const LOOKS: ReadonlySet<string> = new Set(["database", "quick_check"]);

/** A statement met it, or the newest checkup found it. */
function isDamaged(core: Core): boolean {
  const isMet = core.db.troubles.open().some(({ kind }) => kind === "damaged" || kind === "unreadable");
  const { checked = [] } = newestCheckup(core, OPERATOR) ?? {};
  return isMet || checked.some(({ check, severity }) => severity === "severe" && LOOKS.has(check));
}

/** On `/metrics`, as of the newest look; whoever reads the page has another one made. */
export function gaugeReadiness(metrics: HttpMetrics, { look, newest }: Readiness): void {
  void look();
  metrics.gauges(() => {
    void look();
    const failures = newest();
    return { guildhall_ready: failures && (failures.length === 0 ? 1 : 0) };
  });
}
