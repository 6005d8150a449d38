/**
 * Maximum number of members kept in memory. A member who was removed counts as a member without a started
 * message.
 */
const REMEMBERED_MAX = 10_000;

/**
 * Order of members by the time when their last message started. A member with few waiting messages does not
 * wait for a member with many.
 */
export interface FairOrder {
  /**
   * Yields the values of a map by member. Members without a started message are first. The other members
   * follow by the time of their last start, oldest first. A member whose message starts during the iteration
   * is yielded again at the end. The caller may remove members from the map during the iteration.
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
