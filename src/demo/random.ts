/**
 * A seeded source of numbers in [0, 1). The demo community must be the same on every machine, so nothing in
 * `src/demo/` may call `Math.random`.
 */
export type Random = () => number;

/**
 * A random source that belongs to one item of one stream. Because it starts from the item's own index, any
 * item can be made without making the ones before it, and streams do not disturb each other.
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

/** Stirs three integers into one unsigned 32-bit integer. */
export function mix(a: number, b: number, c: number): number {
  let word = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35);
  word = Math.imul(word ^ (word >>> 15) ^ Math.imul(c + 0x165667b1, 0x27d4eb2f), 0x2c1b3c6d);
  word = Math.imul(word ^ (word >>> 12), 0x297a2d39);
  return (word ^ (word >>> 15)) >>> 0;
}

/** The same, as a fraction in [0, 1): a fixed trait of item `c`, such as how talkative a builder is. */
export function fixedFraction(a: number, b: number, c: number): number {
  return mix(a, b, c) / 0x1_0000_0000;
}

/** Hashes a string to an unsigned 32-bit integer (FNV-1a), for names of streams and of choices. */
export function hashText(text: string): number {
  let word = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) word = Math.imul(word ^ text.charCodeAt(at), 0x01000193);
  return word >>> 0;
}

/** A whole number from `low` to `high`, both included. */
export function between(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

/** One item of a list that must not be empty. */
export function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

/** `count` different items of a list (all of them if it is shorter), in random order. */
export function sample<Item>(random: Random, items: readonly Item[], count: number): Item[] {
  const rest = [...items];
  const taken: Item[] = [];
  while (taken.length < count && rest.length > 0) {
    taken.push(...rest.splice(Math.floor(random() * rest.length), 1));
  }
  return taken;
}
