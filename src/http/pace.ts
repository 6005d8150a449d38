/**
 * How long expensive work may keep the event loop for itself before everything else that came in is served.
 */
const SLICE_MS = 5;
/** How many of those who come together begin in one turn of the loop. */
const BEGIN_MAX = 4;
/** How many go on in one turn at most, be they ever so quick. */
const PLACES = 16;

/** What is expensive rests by it, and what comes in many at a time begins by it. */
export interface Pace {
  /** Whether it is time for others: whoever can, rests now. */
  isSpent(): boolean;
  /** Resolves behind whatever the network has brought by now, those who rest longer first. */
  rest(): Promise<void>;
  /**
   * For what comes in many at a time, and is not small: some begin at once, the others as many at each turn of
   * the loop. Fifty that came together would otherwise be answered
   * in one go, before whoever came a moment later is even read.
   */
  comeIn(): Promise<void>;
}

/**
 * A slice of each turn of the event loop is for what rests and what comes in. One always goes on in it, and
 * others as long as it lasts: a hundred who would be done in no time do not wait a turn each, which on a busy
 * server are more turns than there are.
 */
export function createPace(now: () => number): Pace {
  const resting: (() => void)[] = [];
  const coming: (() => void)[] = [];
  let isScheduled = false;
  let begunAt = 0;
  /** In this turn. */
  let begun = 0;

  function isSpent(): boolean {
    schedule();
    return now() - begunAt >= SLICE_MS;
  }

  /** Whoever is the first in a turn begins its slice. */
  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    begunAt = now();
    keepPlaces();
  }

  /** One after the other in the next turn; what one of them lets go on has gone as far as it can before the next. */
  function keepPlaces(): void {
    for (let place = 0; place < PLACES; place++) setImmediate(takePlace, place);
  }

  function takePlace(place: number): void {
    if (place === 0) [begunAt, begun] = [now(), 0];
    if (place === 0 || !isSpent()) resting.shift()?.();
    if (coming.length > 0 && begun < BEGIN_MAX) {
      begun++;
      coming.shift()?.();
    }
    if (place < PLACES - 1) return;
    // What goes on behind the last place still has what is left of this slice.
    if (begun > 0 || resting.length > 0) keepPlaces();
    else isScheduled = false;
  }

  return {
    isSpent,
    rest: () =>
      new Promise((resolve) => {
        resting.push(resolve);
        schedule();
      }),
    comeIn: () =>
      new Promise((resolve) => {
        if (begun < BEGIN_MAX) {
          begun++;
          resolve();
        } else coming.push(resolve);
        schedule();
      }),
  };
}

/** There is one event loop in a process, and so one pace for all that is expensive in it. */
export const { isSpent, rest, comeIn } = createPace(() => performance.now());
