import { loadDriver } from "./driver/driver.ts";
import { startCheckpoints } from "./keep/checkpoints.ts";
import type { ToThread } from "./keep/thread.ts";
import { createLog, type LogLevel } from "./log.ts";

/** What main.ts hands over to the thread of checkpoints. */
export interface KeepSetup {
  data: string;
  database: string;
  logLevel: LogLevel;
}

declare const self: Worker;

/** The main program of the thread of checkpoints. */
function begin({ data, database, logLevel }: KeepSetup): { stop(): void } {
  loadDriver(data);
  const log = createLog(logLevel);
  return startCheckpoints(database, (err) => log.error({ err }, "a checkpoint failed"));
}

let running: ReturnType<typeof begin> | undefined;
self.addEventListener("message", ({ data }: MessageEvent<ToThread<KeepSetup>>) => {
  if (data !== "stop") return void (running = begin(data.start));
  running?.stop();
  self.postMessage("stopped");
});
