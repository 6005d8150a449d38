import type { Clock } from "../clock.ts";
import { SECOND } from "../clock.ts";
import { refuseFor } from "../errors.ts";

/**
 * Whether this program may write, where other nodes may come to lead (docs/adr/0065-leadership.md). Its
 * threads share it, as each writes through a connection of its own.
 */
export interface Lead {
  /** Throws unavailable where another node leads, or where it is not known that none does. */
  require(): void;
  /** Whether `require` would not throw for want of a look. */
  isSure(): boolean;
  /** Has the others asked; resolves when that has ended, or was waited for in vain. */
  sure(): Promise<unknown>;
  /** The others were asked, from this moment on: none of them led. */
  looked(at: Moment): void;
  /** From now on nothing is written, in favour of who leads by this epoch. */
  fence(epoch: number): void;
  /** By whose epoch this program gave up; undefined while it leads. */
  fencedBy(): number | undefined;
  /** What another thread of this program is given. */
  shared: SharedArrayBuffer;
}

/**
 * When a look began. By the steady time, which all threads have in common and which goes on while a program
 * is stopped; and by the wall's, which goes on while a machine sleeps.
 */
export interface Moment {
  steady: number;
  wall: number;
}

export function momentOf(clock: Pick<Clock, "steady" | "now">): Moment {
  return { steady: clock.steady(), wall: clock.now() };
}

/**
 * A look counts for so long. Whoever comes to lead waits as long for an answer of a leader that is silent:
 * one that was stopped in the middle of its work has to look first when it goes on.
 */
export const CHECK_VALID_MS = 2 * SECOND;
/** A client that tries again finds the new leader by then, or the same sentence. */
const RETRY_MS = { fenced: 10 * SECOND, unsure: SECOND };

/** Throws unavailable where the database was given up for another node's. */
export function refuseFenced({ fencedBy }: { fencedBy(): number | undefined }): void {
  if (fencedBy() !== undefined) throw refuseFor("fenced", RETRY_MS.fenced);
}

const FENCED_BY = 0;
const STEADY = 1;
const WALL = 2;

/** `look` asks the others; a node that has none never has to. */
export function createLead(
  clock: Pick<Clock, "steady" | "now">,
  look: () => Promise<unknown>,
  shared = new SharedArrayBuffer(3 * Float64Array.BYTES_PER_ELEMENT),
): Lead {
  /** 0 is nobody, and never. */
  const known = new Float64Array(shared);
  const isOld = (at: number, now: number): boolean => now - at > CHECK_VALID_MS;
  const isSure = (): boolean => {
    const [, steady = 0, wall = 0] = known;
    return steady === 0 || !(isOld(steady, clock.steady()) || isOld(wall, clock.now()));
  };
  const fencedBy = (): number | undefined => known[FENCED_BY] || undefined;
  return {
    shared,
    isSure,
    fencedBy,
    sure: look,
    require() {
      refuseFenced({ fencedBy });
      if (!isSure()) throw refuseFor("lead_unsure", RETRY_MS.unsure);
    },
    looked({ steady, wall }) {
      known[WALL] = wall;
      known[STEADY] = steady;
    },
    fence(epoch) {
      known[FENCED_BY] = Math.max(known[FENCED_BY] ?? 0, epoch);
    },
  };
}
