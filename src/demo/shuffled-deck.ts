import { mix } from "./random.ts";

/**
 * Returns the card at a step of an endless sequence. The sequence deals the cards of a deck again and again.
 */
export type Deck = (step: number) => number;

/**
 * Returns a deck whose cards are all dealt before it is shuffled again. Random picks would repeat too soon
 * for readers: with 36 lessons, the first eight contain a repeat more often than not. Each quarter of the
 * deck is shuffled separately. So the last cards of a round cannot be the first of the next round. A card
 * repeats after three quarters of the deck at the earliest.
 */
export function deck(size: number, seed: number): Deck {
  const home = Array.from({ length: size }, (_, card) => card);
  shuffle(home, 0, size, seed);
  // Steps are requested almost in order, so caching the last even and the last odd round is enough.
  const rounds = [home, home];
  const numbers = [-1, -1];
  return (step) => {
    const position = step % size;
    const round = (step - position) / size;
    const slot = round & 1;
    if (numbers[slot] !== round) {
      rounds[slot] = dealt(home, mix(seed, 1, round));
      numbers[slot] = round;
    }
    return rounds[slot]?.[position] ?? 0;
  };
}

/**
 * Returns which of `size` wordings to use in a round. Consecutive rounds always differ. The wordings of two
 * slots in one text change at different rates, so that they do not always occur together. Needs no memory.
 */
export function wordingIndex(size: number, round: number, seed: number, id: number): number {
  if (size < 2) return 0;
  const word = mix(seed, 2, id);
  const stride = size % 2 === 1 && word & 1 ? 2 : 1;
  const drift = (word >>> 8) % size;
  const safeDrift = (drift + stride) % size === 0 ? 0 : drift;
  return (round * stride + Math.floor(round / size) * safeDrift + (word >>> 16)) % size;
}

function dealt(home: readonly number[], seed: number): number[] {
  const cards = [...home];
  const quarter = Math.ceil(cards.length / 4);
  for (let from = 0; from < cards.length; from += quarter) {
    shuffle(cards, from, Math.min(from + quarter, cards.length), seed + from);
  }
  return cards;
}

function shuffle(cards: number[], from: number, to: number, seed: number): void {
  for (let last = to - 1; last > from; last--) {
    const other = from + (mix(seed, 3, last) % (last - from + 1));
    const card = cards[last] ?? 0;
    cards[last] = cards[other] ?? 0;
    cards[other] = card;
  }
}
