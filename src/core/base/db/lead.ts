import type { Clock } from "../clock.ts";
import { SECOND } from "../clock.ts";
import { refuseFor } from "../errors.ts";

/**
 * Whether this process may write in a cluster where other nodes may become leader
 * (docs/adr/0065-leadership.md). All threads of the process share this state, because each thread writes
 * through its own connection.
 */
export interface Lead {
  /**
   * Throws unavailable when another node leads, or when this node has not checked recently that no other node
   * leads.
   */
  require(): void;
  /** Whether the last check of the other nodes is recent enough for `require`. */
  isCheckRecent(): boolean;
  /** Starts a check of the other nodes. Resolves when the check ends or times out. */
  checkNow(): Promise<unknown>;
  /** Records a check that began at this moment and found no other leader. */
  recordCheck(at: Moment): void;
  /** Records the epoch of a newer leader. From then on, `require` refuses all writes. */
  fence(epoch: number): void;
  /** Epoch of the new leader if this process gave up the lead; undefined while this process leads. */
  fencedBy(): number | undefined;
  /** Shared memory with this state, to pass to other threads of this process. */
  shared: SharedArrayBuffer;
}

/**
 * Time at which a check of the other nodes began, on two clocks. `steady` is shared by all threads and
 * continues while the process is stopped. `wall` continues while the machine sleeps.
 */
export interface Moment {
  steady: number;
  wall: number;
}

export function momentOf(clock: Pick<Clock, "steady" | "now">): Moment {
  return { steady: clock.steady(), wall: clock.now() };
}

/**
 * How long a check of the other nodes is valid, in ms. A new leader waits equally long for nodes that do not
 * respond. A leader that was paused in the middle of its work must check again when it continues.
 */
export const CHECK_VALID_MS = 2 * SECOND;
/**
 * `Retry-After` of each refusal, in ms. A client that retries after this time either finds the new leader or
 * is refused again.
 */
const RETRY_MS = { fenced: 10 * SECOND, unsure: SECOND };

/** Throws unavailable when this node has given up the database to another node. */
export function refuseFenced({ fencedBy }: { fencedBy(): number | undefined }): void {
  if (fencedBy() !== undefined) throw refuseFor("fenced", RETRY_MS.fenced);
}

const FENCED_BY = 0;
const STEADY = 1;
const WALL = 2;

/**
 * Creates the state of this process. `checkPeers` starts a check of the other nodes. A node without other
 * nodes never calls it.
 */
export function createLead(
  clock: Pick<Clock, "steady" | "now">,
  checkPeers: () => Promise<unknown>,
  shared = new SharedArrayBuffer(3 * Float64Array.BYTES_PER_ELEMENT),
): Lead {
  /**
   * Values in the shared memory. `FENCED_BY`, `STEADY` and `WALL` are their indexes. The value 0 means that
   * no newer leader, or no check, is known yet.
   */
  const known = new Float64Array(shared);
  const isOld = (at: number, now: number): boolean => now - at > CHECK_VALID_MS;
  const isCheckRecent = (): boolean => {
    const [, steady = 0, wall = 0] = known;
    return steady === 0 || !(isOld(steady, clock.steady()) || isOld(wall, clock.now()));
  };
  const fencedBy = (): number | undefined => known[FENCED_BY] || undefined;
  return {
    shared,
    isCheckRecent,
    fencedBy,
    checkNow: checkPeers,
    require() {
      refuseFenced({ fencedBy });
      if (!isCheckRecent()) throw refuseFor("lead_unsure", RETRY_MS.unsure);
    },
    recordCheck({ steady, wall }) {
      known[WALL] = wall;
      known[STEADY] = steady;
    },
    fence(epoch) {
      known[FENCED_BY] = Math.max(known[FENCED_BY] ?? 0, epoch);
    },
  };
}
