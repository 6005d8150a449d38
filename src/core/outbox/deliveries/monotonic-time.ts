import { type Clock, MINUTE, monotonicMs, SECOND } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { getSetting, setSetting } from "../../base/db/settings.ts";
import { maintenanceOf } from "../../identity/maintenance/maintenance.ts";
import { addServed } from "../webhooks/served-time.ts";

/** Where the steady time stood at a moment of the wall's. */
export interface Mark {
  steady: number;
  wall: number;
}

/**
 * What to add to this thread's monotonic time to go on with the steady time of a data folder: from where it
 * stood, by what has passed on the wall since. A clock that was set back while nothing ran counts as no time
 * at all.
 */
export function steadyBase(core: Pick<Core, "db">, wall: number): number {
  const text = getSetting(core, "steady-time");
  const mark: Mark = text === undefined ? { steady: wall, wall } : JSON.parse(text);
  return mark.steady + Math.max(0, wall - mark.wall) - monotonicMs();
}

/** What a thread that begins now is told, so that it goes by the same steady time; see `baseFrom`. */
export function clockMarkOf(clock: Clock): Mark {
  return { steady: clock.steady(), wall: clock.now() };
}

/**
 * The base of a thread that was told a mark when it began: no monotonic time is common to threads, the wall
 * is. Where that was set meanwhile, the thread's own age is near enough.
 */
export function baseFrom(mark: Mark, wall: number, ageMs: number): number {
  const passed = wall - mark.wall;
  const isStepped = passed < 0 || passed > ageMs + STEP_MS;
  return mark.steady + (isStepped ? ageMs : passed) - monotonicMs();
}

/** How far the two have to part until somebody must have set the clock: it is slewed by less. */
const STEP_MS = SECOND;
const MARK_EVERY_MS = MINUTE;

/**
 * Writes down where the steady time stands: once a minute, and when the clock was set, so that the next
 * start, or a command beside the server, goes on from there. It writes down the served time, too: what passes
 * between two calls, at most a minute of it, as a suspended machine serves nobody. Call it every second or
 * so; `true` where there was something to write.
 */
export function createMonotonicStore(core: Core): () => Promise<boolean> {
  let markedAt = -Infinity;
  let ahead = NaN;
  let calledAt = core.clock.elapsed();
  let servedMs = 0;
  return async () => {
    const { clock } = core;
    if (!maintenanceOf(core)) servedMs += Math.min(clock.elapsed() - calledAt, MARK_EVERY_MS);
    calledAt = clock.elapsed();
    const isStepped = Math.abs(aheadOf(clock) - ahead) > STEP_MS;
    if (!isStepped && clock.elapsed() - markedAt < MARK_EVERY_MS) return false;
    const mark = clockMarkOf(clock);
    const served = servedMs;
    // Before the write: the next call may come while this one waits for it.
    servedMs = 0;
    try {
      await core.db.write(() => {
        setSetting(core, "steady-time", JSON.stringify(mark));
        addServed(core, served);
      });
    } catch (error) {
      servedMs += served;
      throw error;
    }
    markedAt = clock.elapsed();
    ahead = aheadOf(clock);
    return true;
  };
}

/** A moment of the steady time, as a date for people. */
export function wallTimeOf(clock: Clock, steady: number): number {
  const ahead = aheadOf(clock);
  return Math.abs(ahead) < STEP_MS ? steady : Math.round(steady - ahead);
}

function aheadOf(clock: Clock): number {
  return clock.steady() - clock.now();
}
