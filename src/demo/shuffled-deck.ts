import { mix } from "./random.ts";

/** Says which card lies at a step of an endless game with a deck of cards. */
export type Deck = (step: number) => number;

/**
 * A deck that is dealt to the end before any card returns, and then shuffled again. Plain random picks repeat
 * themselves far too soon (with 36 lessons, the seventh already clashes more often than not), and a reader
 * notices. Each quarter of the deck is shuffled by itself, so that the last cards of one round cannot be the
 * first of the next: between two appearances of a card lie at least three quarters of the deck.
 */
export function deck(size: number, seed: number): Deck {
  const home = Array.from({ length: size }, (_, card) => card);
  shuffle(home, 0, size, seed);
  // Steps are asked for almost in order, so remembering the last even and the last odd round is enough.
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
 * Which of `size` wordings comes at a round. Neighbouring rounds always differ; two wordings in one text
 * drift apart from round to round, so that they do not always meet the same partner. Needs no memory at all.
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
