import { randomFor } from "./random.ts";

export const hour = 3_600_000;
export const day = 24 * hour;
const week = 7 * day;

/** Returns the time of a stream's item: an increasing function of its index. */
export type Timeline = (index: number) => number;

/**
 * Spreads `count` times from `from` to `now`. The times are denser towards the end, by day and on weekdays.
 * The community's activity is divided into `count` equal shares, and each share contains one time. So the
 * times ascend, although each depends only on its own index. The newest time is within the last hour, so that
 * a fresh demo looks active.
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
 * Maps a share of the community's age (0 to 1) to its share of all activity. The community grows steadily:
 * the density of activity rises from 0.6 to 1.4.
 */
export function growth(time: number): number {
  return 0.6 * time + 0.4 * time * time;
}

/** Inverse of `growth`: maps a share of all activity to a share of the community's age. */
export function timeOfGrowth(share: number): number {
  return (Math.sqrt(0.36 + 1.6 * share) - 0.6) / 0.8;
}

/** Returns the English name of the weekday, in UTC. */
export function weekday(moment: number): string {
  // 1 January 1970 was a Thursday.
  return weekdays[(((Math.floor(moment / day) + 4) % 7) + 7) % 7] ?? "";
}

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** Activity per hour of the day in UTC, for a community whose members live mostly between Lisbon and Pune. */
const rhythm = [3, 2, 2, 2, 3, 4, 6, 9, 12, 13, 12, 10, 10, 12, 12, 11, 10, 9, 9, 9, 8, 7, 6, 4];

/**
 * Cumulative activity by hour of the week, as a share of the week's activity. The week starts on Thursday,
 * like the Unix epoch.
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

/** Converts a time to a scale on which the activity is constant. */
function busyTime(moment: number): number {
  const within = (((moment % week) + week) % week) / hour;
  const at = Math.floor(within);
  const [low = 0, high = 1] = cumulative.slice(at, at + 2);
  return Math.floor(moment / week) + low + (within - at) * (high - low);
}

/** Inverse of `busyTime`. */
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
