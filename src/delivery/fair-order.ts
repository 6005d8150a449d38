/** How many members stay in memory. One that is forgotten comes first again. */
const REMEMBERED_MAX = 10_000;

/** Whose message was begun when, so that a member with many waiting comes after one with few. */
export interface FairOrder {
  /**
   * Yields the values of a map by member: members of whom nothing was begun yet come first, then those whose
   * last message began longest ago. A member of whom one is begun meanwhile comes once more, at the end.
   * Members may leave the map meanwhile.
   */
  sorted<Of>(members: ReadonlyMap<string, Of>): Iterable<Of>;
  begun(member: string): void;
}

export function createFairOrder(): FairOrder {
  /** Members in the order in which their last message began. */
  const served = new Set<string>();
  return {
    *sorted(members) {
      for (const [member, of] of members) if (!served.has(member)) yield of;
      for (const member of served) {
        const of = members.get(member);
        if (of !== undefined) yield of;
      }
    },
    begun(member) {
      served.delete(member);
      served.add(member);
      const [oldest] = served;
      if (served.size > REMEMBERED_MAX && oldest !== undefined) served.delete(oldest);
    },
  };
}
