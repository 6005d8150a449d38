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
  takeBackFuture,
} from "./history-store.ts";
import { noteWeeks } from "./weeks.ts";
import { addHistograms, percentile, countOf, differenceOf, type Histogram } from "./histogram.ts";

/** How a day (UTC) was; today's is not over. */
export interface Day extends CreatedCounts {
  /** Its midnight. */
  startsAt: number;
  /** Builders who were signed in, or a token or an app of theirs worked; null where no server counted. */
  active: number | null;
  /** Requests, and how long they took in ms; null where there was none. */
  reads: RequestTimes;
  writes: RequestTimes;
  /** Requests that were answered by a 5xx. */
  faults: number;
  /** As they last were; null where nobody looked. */
  databaseBytes: number | null;
  freeBytes: number | null;
}

export interface RequestTimes {
  requests: number;
  p50: number | null;
  p99: number | null;
}

/** What a server has counted since it started. */
export interface Counted {
  reads: Histogram;
  writes: Histogram;
  faults: number;
}

/** How large things are now. */
export interface Sizes {
  databaseBytes: number;
  freeBytes: number;
}

/** Whoever serves keeps the days' figures by this. */
export interface DayRecorder {
  /** Call it every minute or so: it writes every five minutes, and when a day ends. */
  look(): Promise<void>;
  /** Writes what was counted since. */
  stop(): Promise<void>;
}

/** How long a day is kept, and how far the first look reaches back: what was made stands in the database. */
const KEPT_DAYS = 400;
const SHOWN_DAYS = 30;
const WRITE_EVERY_MS = 5 * MINUTE;
/**
 * An attempt has the id of the time when it began, and is written when it ended: ten minutes later at most.
 */
const LATE_MS = 12 * MINUTE;
/** What is counted at once is made smaller where that took longer, and larger where it took far less. */
const SLICE_MS = 10;
/** A slice of counting has rests beside it that are longer than it. */
const REST_SHARE = 4;
const SMALLEST_SPAN_MS = 10_000;
/** Behind a quiet time may be a busy one. */
const LARGEST_SPAN_MS = 2 * HOUR;

/** The last days, oldest first, one for each, today's last. For admins. */
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

/** `pause` rests so many ms between two slices of what would else hold up the requests. */
export function createDayRecorder(
  core: Core,
  counted: () => Counted,
  sizes: () => Sizes,
  pause: (ms: number) => Promise<void>,
): DayRecorder {
  const { clock } = core;
  let stored: Counted = { reads: {}, writes: {}, faults: 0 };
  let wroteAt = -Infinity;
  // By the machine's clock. Who was seen is written down some minutes later at most.
  let lookedAt = -Infinity;
  let day = startOf(clock.now());
  let working: Promise<void> | undefined;
  let isStopping = false;

  return {
    look() {
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

  /** What is known only while it is so: it counts for the day of the look before. */
  async function writePresent(): Promise<void> {
    const now = clock.now();
    const [fresh, today] = [counted(), startOf(now)];
    // A clock that was set back: there is no day to come.
    const past = Math.min(day, today);
    const size = sizes();
    await core.db.write(() => {
      takeBackFuture(core, now);
      deleteDaysBefore(core, today - (KEPT_DAYS - 1) * DAY);
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
      noteWeeks(core, [past, today], { now, seenFrom: Math.min(lookedAt, now) - HOUR });
    });
    stored = fresh;
    lookedAt = now;
    day = today;
    wroteAt = clock.elapsed();
  }

  /** Counts what was made since the last time, in slices, each in one commit with how far it came. */
  async function countPast(): Promise<void> {
    const until = clock.now() - LATE_MS;
    let span = SMALLEST_SPAN_MS;
    for (let from = beginning(); from < until && !isStopping;) {
      const startsAt = startOf(from);
      const to = Math.min(from + span, startsAt + DAY, until);
      const begunAt = clock.elapsed();
      const made = countCreated(core, from, to);
      const tookMs = clock.elapsed() - begunAt;
      await core.db.write(() => addCreated(core, startsAt, made, to));
      if (tookMs > SLICE_MS) span = Math.max(SMALLEST_SPAN_MS, span / 4);
      else if (tookMs < SLICE_MS / 4) span = Math.min(LARGEST_SPAN_MS, span * 4);
      from = to;
      if (from < until) await pause(tookMs * REST_SHARE);
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

/** Of which nothing was written down. */
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

/** How many builders were here within so many ms: signed in, or by a token or an app. Asks no right. */
export function activeWithin(core: Core, ms: number): number {
  const now = core.clock.now();
  return countActive(core, now - ms, now + 1);
}
