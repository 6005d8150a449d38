import { median } from "../server.ts";
import type { Load } from "../load.ts";

/** Result of one side in one round, with the resources used. */
export interface Round extends Load {
  /** CPU time of all processes of a side, by kind of process. */
  cpuMs: Readonly<Record<string, number>>;
  memoryMiB: number;
}

export const HEAD = [
  "side",
  "requests/s",
  "p50 ms",
  "p99 ms",
  "CPU µs a request",
  "MiB",
  "Guildhall's requests/s ÷ its",
  "its CPU ÷ Guildhall's",
] as const;

/**
 * Returns a table row per side: medians over all rounds, and medians of the ratios within a round. Ratios
 * within a round vary less when the machine is slow for a while. The first side is the reference.
 */
export function comparison(sides: ReadonlyMap<string, readonly Round[]>): string[][] {
  const [first = []] = sides.values();
  return [...sides].map(([name, turns]) => {
    const ratio = (of: (round: Round, beside: Round) => number): string =>
      turns === first
        ? ""
        : median(turns.map((measured, round) => of(measured, first[round] ?? measured))).toFixed(2);
    return [
      name,
      median(turns.map(({ perSecond }) => perSecond)).toFixed(0),
      median(turns.map(({ p50 }) => p50)).toFixed(2),
      median(turns.map(({ p99 }) => p99)).toFixed(2),
      cpuCell(turns),
      String(median(turns.map(({ memoryMiB }) => memoryMiB))),
      ratio((round, beside) => beside.perSecond / round.perSecond),
      ratio((round, beside) => perRequest(round) / perRequest(beside)),
    ];
  });
}

/**
 * Returns the CPU time per request: the total, and then the part of each kind of process if there are several
 * kinds.
 */
function cpuCell(turns: readonly Round[]): string {
  const kinds = Object.keys(turns[0]?.cpuMs ?? {});
  const part = (kind?: string): string => median(turns.map((round) => perRequest(round, kind))).toFixed(0);
  const parts = kinds.map((kind) => `${kind} ${part(kind)}`).join(", ");
  return kinds.length > 1 ? `${part()} (${parts})` : part();
}

/** Returns the CPU time per request in µs. */
function perRequest({ cpuMs, requests }: Round, kind?: string): number {
  const ms =
    kind === undefined ? Object.values(cpuMs).reduce((sum, each) => sum + each, 0) : (cpuMs[kind] ?? 0);
  return (1000 * ms) / requests;
}
