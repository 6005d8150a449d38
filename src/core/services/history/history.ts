import { type Caller, requireAdmin } from "../../identity/access/caller.ts";
import { DAY, HOUR, MINUTE } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import {
  addCreated,
  countActive,
  countCreated,
  deleteDaysBefore,
  findCountedTo,
  findDay,
  findFirstArrival,
  type CreatedCounts,
  putDay,
  raiseActive,
  selectDays,
  type StoredDay,
  deleteFutureDays,
} from "./history-store.ts";
import { noteWeeks } from "./weeks.ts";
import { addHistograms, percentile, countOf, differenceOf, type Histogram } from "./histogram.ts";

/** Figures of a day (UTC). Today's figures are incomplete. */
export interface Day extends CreatedCounts {
  /** Midnight in UTC, in ms since the epoch. */
  startsAt: number;
  /** Builders who used a session, a token or an app; null if no server counted that day. */
  active: number | null;
  /** Number of read requests and their durations in ms. The durations are null if no request was made. */
  reads: RequestTimes;
  writes: RequestTimes;
  /** Requests with a 5xx response. */
  faults: number;
  /** The last measured size; null if it was not measured. */
  databaseBytes: number | null;
  freeBytes: number | null;
}

export interface RequestTimes {
  requests: number;
  p50: number | null;
  p99: number | null;
}

/** Counts of requests since the server started. */
export interface RequestCounts {
  reads: Histogram;
  writes: Histogram;
  faults: number;
}

/** Current size of the database, and free disk space. */
export interface Sizes {
  databaseBytes: number;
  freeBytes: number;
}

/** Records the daily figures of a server. */
export interface DayRecorder {
  /** Writes the figures every five minutes and when a day ends. Call it about once a minute. */
  tick(): Promise<void>;
  /** Stops the recorder and writes the figures that were counted since the last write. */
  stop(): Promise<void>;
}

/** How many days the figures are kept. */
export const RETENTION_DAYS = 400;
/**
 * Default number of listed days. The first count also covers this number of days and counts the rows that
 * exist already.
 */
const SHOWN_DAYS = 30;
const WRITE_EVERY_MS = 5 * MINUTE;
/**
 * Only items that are older than this are counted, because some items are stored late. The id of an attempt
 * contains its start time, but the attempt is stored when it ends, up to ten minutes later.
 */
const LATE_MS = 12 * MINUTE;
/**
 * Target duration of a counting query. After a slower query, the next query covers a shorter time range.
 * After a much faster query, the next query covers a longer time range.
 */
const BATCH_MS = 10;
/** The pause after a counting query, as a multiple of its duration. */
const PAUSE_FACTOR = 4;
const SMALLEST_SPAN_MS = 10_000;
/**
 * Maximum time range of a counting query. Without this maximum, the range could grow so far in a quiet time
 * that it is too long for a busy time.
 */
const LARGEST_SPAN_MS = 2 * HOUR;

/** Lists the last days, oldest first, including days without figures and today. Only for admins. */
export function listDays(core: Core, caller: Caller, days: number = SHOWN_DAYS): Day[] {
  requireAdmin(caller);
  const today = startOf(core.clock.now());
  const found = new Map(
    selectDays(core, today - (days - 1) * DAY, today).map((row) => [row.startsAt, present(row)]),
  );
  return Array.from({ length: days }, (_, index) => {
    const startsAt = today - (days - 1 - index) * DAY;
    return found.get(startsAt) ?? emptyDay(startsAt);
  });
}

/**
 * Creates the recorder of the daily figures. `pause` waits the given number of ms. The recorder pauses
 * between counting queries, so that they do not delay requests.
 */
export function createDayRecorder(
  core: Core,
  counted: () => RequestCounts,
  sizes: () => Sizes,
  pause: (ms: number) => Promise<void>,
): DayRecorder {
  const { clock } = core;
  let stored: RequestCounts = { reads: {}, writes: {}, faults: 0 };
  let wroteAt = -Infinity;
  // Wall-clock time up to which active builders were counted. The use of a session or token is stored a few
  // minutes late, so `noteWeeks` counts from an hour earlier.
  let tickedAt = -Infinity;
  let day = startOf(clock.now());
  let working: Promise<void> | undefined;
  let isStopping = false;

  return {
    tick() {
      const isOver = startOf(clock.now()) !== day;
      if (!isOver && clock.elapsed() - wroteAt < WRITE_EVERY_MS) return working ?? Promise.resolve();
      working ??= work().finally(() => (working = undefined));
      return working;
    },
    async stop() {
      isStopping = true;
      await working?.catch(() => {});
      await writePresent();
    },
  };

  async function work(): Promise<void> {
    await writePresent();
    await countPast();
  }

  /**
   * Writes the figures that cannot be counted later, such as requests and sizes. Requests that were made
   * since the last write are added to the day of the last write.
   */
  async function writePresent(): Promise<void> {
    const now = clock.now();
    const [fresh, today] = [counted(), startOf(now)];
    // The clock may have been set back since the last write. `day` is then in the future, and today is used
    // instead.
    const past = Math.min(day, today);
    const size = sizes();
    await core.db.write(() => {
      deleteFutureDays(core, now);
      deleteDaysBefore(core, today - (RETENTION_DAYS - 1) * DAY);
      const before = findDay(core, past);
      putDay(core, past, {
        reads: addHistograms(timesOf(before?.reads), differenceOf(fresh.reads, stored.reads)),
        writes: addHistograms(timesOf(before?.writes), differenceOf(fresh.writes, stored.writes)),
        faults: (before?.faults ?? 0) + fresh.faults - stored.faults,
      });
      for (const startsAt of new Set([past, today])) {
        raiseActive(core, startsAt, countActive(core, startsAt, startsAt + DAY));
      }
      putDay(core, today, size);
      noteWeeks(core, [past, today], { now, activeSince: Math.min(tickedAt, now) - HOUR });
    });
    stored = fresh;
    tickedAt = now;
    day = today;
    wroteAt = clock.elapsed();
  }

  /**
   * Counts the items that were created since the last call, in batches. Each batch commits its counts
   * together with the end of its time range.
   */
  async function countPast(): Promise<void> {
    const until = clock.now() - LATE_MS;
    let span = SMALLEST_SPAN_MS;
    for (let from = beginning(); from < until && !isStopping;) {
      const startsAt = startOf(from);
      const to = Math.min(from + span, startsAt + DAY, until);
      const begunAt = clock.elapsed();
      const created = countCreated(core, from, to);
      const tookMs = clock.elapsed() - begunAt;
      await core.db.write(() => addCreated(core, startsAt, created, to));
      if (tookMs > BATCH_MS) span = Math.max(SMALLEST_SPAN_MS, span / 4);
      else if (tookMs < BATCH_MS / 4) span = Math.min(LARGEST_SPAN_MS, span * 4);
      from = to;
      if (from < until) await pause(tookMs * PAUSE_FACTOR);
    }
  }

  function beginning(): number {
    const known = findCountedTo(core);
    if (known !== null) return known;
    const now = clock.now();
    return startOf(Math.max(now - (SHOWN_DAYS - 1) * DAY, findFirstArrival(core) ?? now));
  }
}

function startOf(at: number): number {
  return Math.floor(at / DAY) * DAY;
}

function present({ countedTo: _, reads, writes, ...day }: StoredDay): Day {
  return { ...day, reads: requestTimesOf(timesOf(reads)), writes: requestTimesOf(timesOf(writes)) };
}

function requestTimesOf(times: Histogram): RequestTimes {
  return { requests: countOf(times), p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

function timesOf(json: string | undefined): Histogram {
  return json === undefined ? {} : (JSON.parse(json) as Histogram);
}

function emptyDay(startsAt: number): Day {
  const none = requestTimesOf({});
  return {
    startsAt,
    signUps: 0,
    posts: 0,
    replies: 0,
    jobs: 0,
    prompts: 0,
    acknowledged: 0,
    failed: 0,
    active: null,
    reads: none,
    writes: none,
    faults: 0,
    databaseBytes: null,
    freeBytes: null,
  };
}

/** Counts the builders who used a session, a token or an app in the last `ms`. Checks no right. */
export function activeWithin(core: Core, ms: number): number {
  const now = core.clock.now();
  return countActive(core, now - ms, now + 1);
}
