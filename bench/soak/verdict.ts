import { type Allowed, courseOf, quantile } from "./slope.ts";

/** What was seen at the end of a minute: figures by the names that the table has. */
export type Sample = Readonly<Record<string, number>>;

/** While caches fill, and the first backup is made. */
const WARM_UP_SHARE = 1 / 6;
/** With fewer samples nothing can be said. */
const JUDGED_MIN = 8;

/**
 * How much each figure may grow from the end of the warm-up to the end. The log restarts from 32 MiB on, and
 * keeps 64 at most.
 */
const ALLOWED: Readonly<Record<string, Allowed>> = {
  "rss MiB": { share: 0.15, least: 16 },
  "heap MiB": { share: 0.3, least: 8 },
  files: { share: 0.1, least: 5 },
  "WAL MiB": { share: 0.5, least: 48 },
  "log kB/min": { share: 0.1, least: 10 },
};
const ALLOWED_OF_TIMES: Allowed = { share: 0.5, least: 10 };

/** How one figure went. */
export interface Judged {
  name: string;
  /** How many samples this speaks of. */
  samples: number;
  first: number;
  last: number;
  worst: number;
  growth: number;
  verdict: "flat" | "GROWS" | "too few samples";
}

/**
 * Times are judged by the samples alone in which the machine had room: where more than `loadMax` want its
 * cores, they tell of the others.
 */
export function judge(samples: readonly Sample[], loadMax: number): Judged[] {
  const warm = samples.slice(Math.ceil(samples.length * WARM_UP_SHARE));
  const calm = warm.filter(({ load = 0 }) => load <= loadMax);
  return Object.keys(samples[0] ?? {}).flatMap((name) => {
    const isTime = / p(?:50|99)$/.test(name);
    const allowed = isTime ? ALLOWED_OF_TIMES : ALLOWED[name];
    if (!allowed) return [];
    const figures = (isTime ? calm : warm).map((sample) => sample[name] ?? 0);
    const { isFlat, ...course } = courseOf(figures, allowed);
    const verdict = figures.length < JUDGED_MIN ? "too few samples" : isFlat ? "flat" : "GROWS";
    return [{ name, samples: figures.length, ...course, worst: quantile(figures, 1), verdict }];
  });
}

/** The samples of a table as a run printed it, without the text before and after it. */
export function samplesIn(table: string): Sample[] {
  const rows = table
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const names = rows.find(([first]) => first === "min") ?? [];
  return rows
    .filter((cells) => cells.length === names.length && cells.every((cell) => /^-?[\d.]+$/.test(cell)))
    .map((cells) => Object.fromEntries(names.map((name, i) => [name, Number(cells[i])])));
}
