import { type Clock, MINUTE, monotonicMs, SECOND } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { getSetting, setSetting } from "../../base/db/settings.ts";
import { maintenanceOf } from "../../identity/maintenance/maintenance.ts";
import { addServed } from "../webhooks/served-time.ts";

/** A steady time and the wall-clock time of the same moment, both in ms. */
export interface Mark {
  steady: number;
  wall: number;
}

/**
 * Returns the offset from this thread's monotonic time to the steady time of the data folder. The steady time
 * continues from the stored mark. The wall-clock time that has passed since the mark is added. If the clock
 * was set back while the server was stopped, no time is added.
 */
export function steadyBase(core: Pick<Core, "db">, wall: number): number {
  const text = getSetting(core, "steady-time");
  const mark: Mark = text === undefined ? { steady: wall, wall } : JSON.parse(text);
  return mark.steady + Math.max(0, wall - mark.wall) - monotonicMs();
}

/**
 * Returns a mark for a new thread. From this mark, `baseFrom` computes the same steady time in the new
 * thread.
 */
export function clockMarkOf(clock: Clock): Mark {
  return { steady: clock.steady(), wall: clock.now() };
}

/**
 * Returns the offset of a new thread that received a mark. Threads share the wall clock, but each thread has
 * its own monotonic clock. If the wall clock was set after the mark was made, the thread's own age is used
 * instead.
 */
export function baseFrom(mark: Mark, wall: number, ageMs: number): number {
  const passed = wall - mark.wall;
  const isStepped = passed < 0 || passed > ageMs + STEP_MS;
  return mark.steady + (isStepped ? ageMs : passed) - monotonicMs();
}

/**
 * Largest drift between the wall clock and the monotonic clock, in ms. If the drift is larger, the wall clock
 * was set. NTP slewing causes a smaller drift.
 */
const STEP_MS = SECOND;
const MARK_EVERY_MS = MINUTE;

/**
 * Returns a function that stores the steady time once a minute and whenever the clock was set. The next
 * start, or a CLI command, continues from the stored value. The function also stores the served time, which
 * is the sum of the times between two calls. Each of these times counts as at most one minute, because a
 * suspended machine serves nobody. Call the function about every second. The function returns `true` if it
 * wrote something.
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
    // `servedMs` is reset before the write, because the function may be called again while this write waits.
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

/** Converts a steady time to wall-clock time for display. */
export function wallTimeOf(clock: Clock, steady: number): number {
  const ahead = aheadOf(clock);
  return Math.abs(ahead) < STEP_MS ? steady : Math.round(steady - ahead);
}

function aheadOf(clock: Clock): number {
  return clock.steady() - clock.now();
}
