/**
 * A seeded source of numbers in [0, 1). The demo community must be the same on every machine, so nothing in
 * `src/demo/` may call `Math.random`.
 */
export type Random = () => number;

/**
 * Returns a random source for one item of a stream. The source depends only on the item's index. So an item
 * can be generated without the earlier ones, and streams do not influence each other.
 */
export function randomFor(seed: number, stream: number, index: number): Random {
  let state = mix(seed, stream, index);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/** Hashes three integers to an unsigned 32-bit integer. */
export function mix(a: number, b: number, c: number): number {
  let word = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35);
  word = Math.imul(word ^ (word >>> 15) ^ Math.imul(c + 0x165667b1, 0x27d4eb2f), 0x2c1b3c6d);
  word = Math.imul(word ^ (word >>> 12), 0x297a2d39);
  return (word ^ (word >>> 15)) >>> 0;
}

/** Returns the hash as a fraction in [0, 1): a fixed trait of item `c`, such as a builder's activity. */
export function fixedFraction(a: number, b: number, c: number): number {
  return mix(a, b, c) / 0x1_0000_0000;
}

/** Hashes a string to an unsigned 32-bit integer (FNV-1a), for names of streams and choices. */
export function hashText(text: string): number {
  let word = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) word = Math.imul(word ^ text.charCodeAt(at), 0x01000193);
  return word >>> 0;
}

/** Returns a whole number from `low` to `high`, inclusive. */
export function between(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

/** Returns an item of a list. Throws if the list is empty. */
export function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

/** Returns `count` different items of a list in random order, or all of them if the list is shorter. */
export function sample<Item>(random: Random, items: readonly Item[], count: number): Item[] {
  const rest = [...items];
  const taken: Item[] = [];
  while (taken.length < count && rest.length > 0) {
    taken.push(...rest.splice(Math.floor(random() * rest.length), 1));
  }
  return taken;
}
