import { deck, type Deck } from "./shuffled-deck.ts";
import type { Draw, Vocabulary } from "./grammar.ts";
import { hashText, mix, randomFor } from "./random.ts";

/** A template for a whole item: which pools it draws from, and how many records of each. */
export interface ItemTemplate {
  uses: ReadonlyMap<string, number>;
}

/**
 * Which template item `index` is written with, and the records and numbers to write it from. The draw is good
 * until the next call.
 */
export type Templates<Kind extends ItemTemplate> = (index: number) => { frame: Kind; draw: Draw };

/**
 * Deals templates to items and records to templates so that neither returns soon. Every item depends on the
 * seed and its own index only.
 */
export function templates<Kind extends ItemTemplate>(
  frames: readonly Kind[],
  words: Vocabulary,
  seed: number,
  stream: string,
): Templates<Kind> {
  const salt = hashText(stream);
  const order = deck(frames.length, mix(seed, salt, 0));
  const pools = poolsOf(frames, words, mix(seed, salt, 1));
  const blockOf = blocks(frames, order);
  let places: ReadonlyMap<string, number> | undefined;
  const draw: Draw = { random: () => 0, seed, round: 0, words: {}, bound: new Map(), choose };

  /**
   * Records of a pool are dealt in the order in which the items of a block need them. A pool the template
   * does not name (a reply may) has no place in that order, and any record will do.
   */
  function choose(name: string, size: number, nth: number): number {
    const pool = pools.get(name);
    const place = places?.get(name);
    if (pool === undefined || place === undefined) return Math.floor(draw.random() * size);
    return pool.deal((draw.round * pool.users + place) * pool.width + nth);
  }

  return (index) => {
    const position = index % frames.length;
    draw.round = (index - position) / frames.length;
    draw.random = randomFor(seed, salt, index);
    draw.bound.clear();
    const block = blockOf(draw.round);
    places = block[position];
    const frame = frames[order(index)];
    if (frame === undefined) throw new Error("an anthology needs at least one template");
    return { frame, draw };
  };
}

interface Pool {
  deal: Deck;
  /** How many templates draw from it in one block. */
  users: number;
  /** The most records one template draws from it. */
  width: number;
}

function poolsOf(frames: readonly ItemTemplate[], words: Vocabulary, seed: number): Map<string, Pool> {
  const pools = new Map<string, Pool>();
  for (const frame of frames) {
    for (const [name, count] of frame.uses) {
      const size = words.pools.get(name)?.length ?? 0;
      const pool = pools.get(name) ?? { deal: deck(size, mix(seed, hashText(name), 0)), users: 0, width: 0 };
      pools.set(name, { ...pool, users: pool.users + 1, width: Math.max(pool.width, count) });
    }
  }
  return pools;
}

/** For each item of a block (one item per template), how many items before it draw from the same pools. */
function blocks(
  frames: readonly ItemTemplate[],
  order: Deck,
): (round: number) => readonly Map<string, number>[] {
  let current = -1;
  let block: Map<string, number>[] = [];
  return (round) => {
    if (round !== current) {
      const seen = new Map<string, number>();
      block = frames.map((_, position) => {
        const places = new Map<string, number>();
        for (const name of frames[order(round * frames.length + position)]?.uses.keys() ?? []) {
          const place = seen.get(name) ?? 0;
          places.set(name, place);
          seen.set(name, place + 1);
        }
        return places;
      });
      current = round;
    }
    return block;
  };
}
