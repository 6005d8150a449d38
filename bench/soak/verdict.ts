import { type SlopeLimits, trendOf, quantile } from "./slope.ts";

/** Figures at the end of a sampling period, by their names in the table. */
export type Sample = Readonly<Record<string, number>>;

/**
 * Share of the samples at the start that are not judged. Caches fill and the first backup is made during this
 * time.
 */
const WARM_UP_SHARE = 1 / 6;
/** Minimum number of samples for a verdict. */
const JUDGED_MIN = 8;

/**
 * Allowed growth of each figure from the end of the warm-up to the end. The WAL restarts at 32 MiB and keeps
 * at most 64 MiB.
 */
const ALLOWED: Readonly<Record<string, SlopeLimits>> = {
  "rss MiB": { share: 0.15, least: 16 },
  "heap MiB": { share: 0.3, least: 8 },
  files: { share: 0.1, least: 5 },
  "WAL MiB": { share: 0.5, least: 48 },
  "log kB/min": { share: 0.1, least: 10 },
};
const ALLOWED_OF_TIMES: SlopeLimits = { share: 0.5, least: 10 };

export interface Judged {
  name: string;
  /** Number of samples that were judged. */
  samples: number;
  first: number;
  last: number;
  worst: number;
  growth: number;
  verdict: "flat" | "GROWS" | "too few samples";
}

/**
 * Judges every figure. Times are judged only by samples with a load of at most `loadMax`. Other work on the
 * machine distorts the times of all other samples.
 */
export function judge(samples: readonly Sample[], loadMax: number): Judged[] {
  const warm = samples.slice(Math.ceil(samples.length * WARM_UP_SHARE));
  const calm = warm.filter(({ load = 0 }) => load <= loadMax);
  return Object.keys(samples[0] ?? {}).flatMap((name) => {
    const isTime = / p(?:50|99)$/.test(name);
    const allowed = isTime ? ALLOWED_OF_TIMES : ALLOWED[name];
    if (!allowed) return [];
    const figures = (isTime ? calm : warm).map((sample) => sample[name] ?? 0);
    const { isFlat, ...course } = trendOf(figures, allowed);
    const verdict = figures.length < JUDGED_MIN ? "too few samples" : isFlat ? "flat" : "GROWS";
    return [{ name, samples: figures.length, ...course, worst: quantile(figures, 1), verdict }];
  });
}

/** Reads the samples from the output of a run and skips the text before and after the table. */
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
