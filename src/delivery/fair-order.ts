/** How many members stay in memory. One that is forgotten comes first again. */
const REMEMBERED_MAX = 10_000;

/** Whose message was begun when, so that a member with many waiting comes after one with few. */
export interface FairOrder {
  /** Members of whom nothing was begun yet come first, then those whose last message began longest ago. */
  sorted<Item>(items: readonly Item[], memberOf: (item: Item) => string): Item[];
  begun(member: string): void;
}

export function createFairOrder(): FairOrder {
  const last = new Map<string, number>();
  let count = 0;
  return {
    sorted(items, memberOf) {
      const lastOf = (item: (typeof items)[number]): number => last.get(memberOf(item)) ?? 0;
      return items.toSorted((one, other) => lastOf(one) - lastOf(other));
    },
    begun(member) {
      last.delete(member);
      last.set(member, ++count);
      const [oldest] = last.keys();
      if (last.size > REMEMBERED_MAX && oldest !== undefined) last.delete(oldest);
    },
  };
}
