import { loadDriver } from "./driver/driver.ts";
import { createStorageFaults } from "../core/base/db/storage-faults.ts";
import { createLockQueue } from "../core/base/db/lock-queue.ts";
import { startCheckpoints } from "../operate/backup/checkpoints.ts";
import type { FromThread, ToThread } from "../operate/backup/checkpoint-thread.ts";

/** What server.ts passes to the checkpoint thread. */
export interface CheckpointSetup {
  data: string;
  database: string;
  /** Where the server's database notes what it meets. */
  troubles: SharedArrayBuffer;
  /** Where those are told who waited while a checkpoint held writers up. */
  lockQueue: SharedArrayBuffer;
}

declare const self: Worker;

/** The main program of the thread of checkpoints. */
function begin({ data, database, troubles, lockQueue }: CheckpointSetup): { stop(): void } {
  loadDriver(data);
  const shared = { troubles: createStorageFaults(troubles), turns: createLockQueue(lockQueue) };
  return startCheckpoints(database, shared, (error) => send({ fault: String(error) }));
}

function send(message: FromThread): void {
  self.postMessage(message);
}

let running: ReturnType<typeof begin> | undefined;
self.addEventListener("message", ({ data }: MessageEvent<ToThread<CheckpointSetup>>) => {
  if (data !== "stop") return void (running = begin(data.start));
  running?.stop();
  send("stopped");
});
