import { randomFor } from "./random.ts";

export const hour = 3_600_000;
export const day = 24 * hour;
const week = 7 * day;

/** When the items of a stream happened: a rising function of their index. */
export type Timeline = (index: number) => number;

/**
 * Spreads `count` moments over the time from `from` to `now`: somewhat denser towards the end, and denser by
 * day and on weekdays than at night and at weekends. One moment lies in each of `count` equal shares of the
 * community's activity, which makes them ascend although each depends on its own index only. The newest one
 * falls into the last hour, so that a fresh demo does not look deserted.
 */
export function timeline(count: number, from: number, now: number, seed: number, stream: number): Timeline {
  const start = busyTime(from);
  const span = busyTime(now) - start;
  return (index) => {
    const random = randomFor(seed, stream, index);
    const share = timeOfGrowth((index + random()) / count);
    const moment = Math.min(now, Math.max(from, Math.floor(wallTime(start + share * span))));
    return index === count - 1 ? Math.max(moment, now - Math.floor(random() * hour)) : moment;
  };
}

/**
 * The share of all growth that has happened by a share of the time, for a community that grows steadily: the
 * density rises from 0.6 to 1.4.
 */
export function growth(time: number): number {
  return 0.6 * time + 0.4 * time * time;
}

/** The inverse of `growth`: the time by which a share of the growth has happened. */
export function timeOfGrowth(share: number): number {
  return (Math.sqrt(0.36 + 1.6 * share) - 0.6) / 0.8;
}

/** The English name of the weekday of a moment, in UTC. */
export function weekday(moment: number): string {
  // The epoch began on a Thursday.
  return weekdays[(((Math.floor(moment / day) + 4) % 7) + 7) % 7] ?? "";
}

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/**
 * How much happens in each hour of a day, in UTC, for a community that lives mostly between Lisbon and Pune.
 */
const rhythm = [3, 2, 2, 2, 3, 4, 6, 9, 12, 13, 12, 10, 10, 12, 12, 11, 10, 9, 9, 9, 8, 7, 6, 4];

/**
 * Activity up to each hour of the week, as a share of the week's activity. Weeks begin on Thursday here,
 * because the epoch did.
 */
const cumulative = (() => {
  const sums = [0];
  for (let at = 0; at < 168; at++) {
    const weekend = Math.floor(at / 24) === 2 || Math.floor(at / 24) === 3;
    sums.push((sums[at] ?? 0) + (rhythm[at % 24] ?? 0) * (weekend ? 0.6 : 1));
  }
  const total = sums[168] ?? 1;
  return sums.map((sum) => sum / total);
})();

/** Turns clock time into time in which the same amount happens in every hour. */
function busyTime(moment: number): number {
  const within = (((moment % week) + week) % week) / hour;
  const at = Math.floor(within);
  const [low = 0, high = 1] = cumulative.slice(at, at + 2);
  return Math.floor(moment / week) + low + (within - at) * (high - low);
}

/** The inverse of `busyTime`. */
function wallTime(busy: number): number {
  const weeks = Math.floor(busy);
  const share = busy - weeks;
  let low = 0;
  let high = 168;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((cumulative[middle] ?? 1) <= share) low = middle;
    else high = middle;
  }
  const from = cumulative[low] ?? 0;
  const width = (cumulative[high] ?? 1) - from;
  return weeks * week + (low + (share - from) / width) * hour;
}
