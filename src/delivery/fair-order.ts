/** Maximum number of members kept in memory. A forgotten member is first again. */
const REMEMBERED_MAX = 10_000;

/**
 * Remembers when a message of each member last started. A member with many waiting messages is served after a
 * member with few.
 */
export interface FairOrder {
  /**
   * Yields the values of a map by member. Members without a started message are first, then members by the
   * age of their last start, oldest first. A member whose message starts meanwhile is yielded again at the
   * end. Members may be removed from the map during the iteration.
   */
  sorted<Of>(members: ReadonlyMap<string, Of>): Iterable<Of>;
  noteStart(member: string): void;
}

export function createFairOrder(): FairOrder {
  /** Members in the order in which their last message started. */
  const served = new Set<string>();
  return {
    *sorted(members) {
      for (const [member, of] of members) if (!served.has(member)) yield of;
      for (const member of served) {
        const of = members.get(member);
        if (of !== undefined) yield of;
      }
    },
    noteStart(member) {
      served.delete(member);
      served.add(member);
      const [oldest] = served;
      if (served.size > REMEMBERED_MAX && oldest !== undefined) served.delete(oldest);
    },
  };
}
