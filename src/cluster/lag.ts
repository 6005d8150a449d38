import { SECOND, type Clock } from "../core/base/clock.ts";
import { isAtLeast, type Version } from "./version.ts";

/** How far the copy is behind the leader, as of the last look. */
export interface CopyLag {
  /** Looks once more; `theirs` is undefined while nobody leads. */
  look(own: Version | undefined, theirs: Version | undefined): void;
  /** For how long there has been something at the leader that is not here. */
  seconds(): number;
  /**
   * Whether the copy has stood still behind the leader for too long: what moves it has stopped, perhaps in
   * silence.
   */
  isStalled(): boolean;
}

export function createLag({ elapsed }: Pick<Clock, "elapsed">, stallMs: () => number): CopyLag {
  /** The first version that was not here when it was heard of, and when that was. */
  let missed: { version: Version; since: number } | undefined;
  let last: Version | undefined;
  let movedAt = -Infinity;
  return {
    look(own, theirs) {
      const now = elapsed();
      if (own && (!last || !isAtLeast(last, own))) movedAt = now;
      last = own;
      if (missed && own && isAtLeast(own, missed.version)) missed = undefined;
      if (!missed && theirs && (!own || !isAtLeast(own, theirs))) missed = { version: theirs, since: now };
    },
    seconds: () => (missed ? (elapsed() - missed.since) / SECOND : 0),
    isStalled: () => missed !== undefined && elapsed() - Math.max(missed.since, movedAt) > stallMs(),
  };
}
