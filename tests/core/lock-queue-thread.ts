/** A worker thread that waits on shared memory, or signals that a transaction has ended. */
import { HOUR } from "../../src/core/base/clock.ts";
import { createLockQueue } from "../../src/core/base/db/lock-queue.ts";

declare const self: Worker;

self.addEventListener("message", ({ data }: MessageEvent<{ shared: SharedArrayBuffer; waits: boolean }>) => {
  const turns = createLockQueue(data.shared);
  if (data.waits) turns.waitForEnd(turns.endedCount(), HOUR, () => undefined);
  else turns.reportEnd();
  self.postMessage("done");
});
