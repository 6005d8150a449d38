/**
 * How long expensive work may keep the event loop for itself before everything else that came in is served.
 */
const SLICE_MS = 5;

/*
 * There is one event loop in a process, and so one pace for all that is expensive in it: of a hundred who
 * rest, one goes on at each turn of the loop.
 */
const resting: (() => void)[] = [];
let isScheduled = false;
let begunAt = 0;

/** Whether it is time for others: whoever can, rests now. */
export function isSpent(): boolean {
  return performance.now() - begunAt >= SLICE_MS;
}

/** Resolves behind whatever the network has brought by now, those who rest longer first. */
export function rest(): Promise<void> {
  return new Promise((resolve) => {
    resting.push(resolve);
    schedule();
  });
}

function schedule(): void {
  if (isScheduled || resting.length === 0) return;
  isScheduled = true;
  setImmediate(() => {
    isScheduled = false;
    begunAt = performance.now();
    resting.shift()?.();
    schedule();
  });
}

/** How many of those who come together begin in one turn of the loop. */
const BEGIN_MAX = 4;
const coming: (() => void)[] = [];
let begun = 0;

/**
 * For what comes in many at a time, and is not small: some begin at once, the others as many at each turn of
 * the loop. Fifty that came together would otherwise be answered in one go, before whoever came a moment
 * later is even read.
 */
export function comeIn(): Promise<void> {
  if (begun === 0) setImmediate(letIn);
  return new Promise((resolve) => {
    if (begun < BEGIN_MAX) {
      begun++;
      resolve();
    } else coming.push(resolve);
  });
}

function letIn(): void {
  const next = coming.splice(0, BEGIN_MAX);
  begun = next.length;
  if (begun > 0) setImmediate(letIn);
  for (const resolve of next) resolve();
}
