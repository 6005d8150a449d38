/** Resolves in the next turn of the event loop. Await it between two slices of work, so that other requests run. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
