import { loadDriver } from "./driver/driver.ts";
import { createStorageFaults } from "../core/base/db/storage-faults.ts";
import { createLockQueue } from "../core/base/db/lock-queue.ts";
import { startCheckpoints } from "../operate/backup/checkpoints.ts";
import type { FromThread, ToThread } from "../operate/backup/checkpoint-thread.ts";

/** The setup that server.ts sends to the checkpoint thread. */
export interface CheckpointSetup {
  data: string;
  database: string;
  /** Storage faults, shared with the server's database. */
  troubles: SharedArrayBuffer;
  /** The queue for the write lock. Writers wait in it while a checkpoint runs. */
  lockQueue: SharedArrayBuffer;
}

declare const self: Worker;

function begin({ data, database, troubles, lockQueue }: CheckpointSetup): { stop(): void } {
  loadDriver(data);
  const shared = { troubles: createStorageFaults(troubles), lockQueue: createLockQueue(lockQueue) };
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
