import { deck, type Deck } from "./shuffled-deck.ts";
import type { Draw, Vocabulary } from "./grammar.ts";
import { hashText, mix, randomFor } from "./random.ts";

/** A template for a whole item: the pools that it draws from, and the number of records from each. */
export interface ItemTemplate {
  uses: ReadonlyMap<string, number>;
}

/**
 * Returns the template of item `index`, with its records and random numbers. The draw is valid until the next
 * call.
 */
export type Templates<Kind extends ItemTemplate> = (index: number) => { frame: Kind; draw: Draw };

/**
 * Assigns templates to items and records to templates, so that neither repeats soon. Each item depends only
 * on the seed and its own index.
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
  let offsets: ReadonlyMap<string, number> | undefined;
  const draw: Draw = { random: () => 0, seed, round: 0, words: {}, bound: new Map(), choose };

  /**
   * Records of a pool are assigned in the order in which the items of a block need them. A reply may use a
   * pool that the template does not name. The records of such a pool are picked at random.
   */
  function choose(name: string, size: number, nth: number): number {
    const pool = pools.get(name);
    const offset = offsets?.get(name);
    if (pool === undefined || offset === undefined) return Math.floor(draw.random() * size);
    return pool.deal((draw.round * pool.users + offset) * pool.width + nth);
  }

  return (index) => {
    const position = index % frames.length;
    draw.round = (index - position) / frames.length;
    draw.random = randomFor(seed, salt, index);
    draw.bound.clear();
    const block = blockOf(draw.round);
    offsets = block[position];
    const frame = frames[order(index)];
    if (frame === undefined) throw new Error("an anthology needs at least one template");
    return { frame, draw };
  };
}

interface Pool {
  deal: Deck;
  /** Number of templates that draw from the pool in one block. */
  users: number;
  /** Largest number of records that one template draws from the pool. */
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

/**
 * Returns, for each item of a block, a map from pool to the number of earlier items that draw from this pool.
 * A block has one item per template.
 */
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
        const offsets = new Map<string, number>();
        for (const name of frames[order(round * frames.length + position)]?.uses.keys() ?? []) {
          const offset = seen.get(name) ?? 0;
          offsets.set(name, offset);
          seen.set(name, offset + 1);
        }
        return offsets;
      });
      current = round;
    }
    return block;
  };
}
