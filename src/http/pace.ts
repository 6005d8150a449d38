/** How long dear work may keep the event loop for itself before everything else that came in is served. */
const SLICE_MS = 5;

/*
 * There is one event loop in a process, and so one pace for all that is dear in it: of a hundred who rest, one goes on at each turn
 * of the loop.
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
