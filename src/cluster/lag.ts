import { SECOND, type Clock } from "../core/base/clock.ts";
import { isAtLeast, type Version } from "./version.ts";

/** How far the copy was behind the leader at the last check. */
export interface CopyLag {
  /** Updates the lag. `leader` is undefined while there is no leader. */
  record(own: Version | undefined, leader: Version | undefined): void;
  /** How long the copy has lacked commits that the leader has. */
  seconds(): number;
  /**
   * Whether the copy has been behind the leader without any progress for too long. The engine may have
   * stopped without an error.
   */
  isStalled(): boolean;
}

export function createLag({ elapsed }: Pick<Clock, "elapsed">, stallMs: () => number): CopyLag {
  /** A version that the copy still lacks, and when this node learned of that version. */
  let missed: { version: Version; since: number } | undefined;
  let last: Version | undefined;
  let movedAt = -Infinity;
  return {
    record(own, leader) {
      const now = elapsed();
      if (own && (!last || !isAtLeast(last, own))) movedAt = now;
      last = own;
      if (missed && own && isAtLeast(own, missed.version)) missed = undefined;
      if (!missed && leader && (!own || !isAtLeast(own, leader))) missed = { version: leader, since: now };
    },
    seconds: () => (missed ? (elapsed() - missed.since) / SECOND : 0),
    isStalled: () => missed !== undefined && elapsed() - Math.max(missed.since, movedAt) > stallMs(),
  };
}
