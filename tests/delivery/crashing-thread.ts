import Database from "better-sqlite3";
import { observe } from "../../src/core/base/digest.ts";
import { newDeliveryCounters } from "../../src/core/outbox/deliveries/counters.ts";
import type { FromThread, ToThread } from "../../src/delivery/thread.ts";

/**
 * A worker thread that counts its starts and wake-ups. After each start except the last, a wake-up ends the
 * thread as `deaths` says.
 */
export interface MortalSetup {
  counts: SharedArrayBuffer;
  deaths: ("throw" | "reject" | "exit" | "throw in a transaction")[];
  /** The database for "throw in a transaction". */
  file?: string;
}

declare const self: Worker;

let setup: MortalSetup | undefined;
let life = 0;

self.addEventListener("message", ({ data }: MessageEvent<ToThread<MortalSetup>>) => {
  if (data === "stop") report("stopped");
  else if (data === "wake") wake();
  else if ("start" in data) {
    setup = data.start;
    life = Atomics.add(new Int32Array(setup.counts), 0, 1);
    const tally = newDeliveryCounters();
    tally.attempts["acknowledged"] = 5;
    tally.ended.acknowledged = 5;
    observe(tally.attemptSeconds, 0.02);
    report({ health: { sincePassMs: 0, running: 3, faults: 2, tally } });
  }
});

function wake(): void {
  if (!setup) return;
  const counts = new Int32Array(setup.counts);
  Atomics.add(counts, 1, 1);
  Atomics.notify(counts, 1);
  const death = setup.deaths[life];
  if (death === "throw in a transaction") new Database(setup.file).exec("BEGIN IMMEDIATE");
  if (death?.startsWith("throw")) throw new Error("the thread throws");
  if (death === "reject") void Promise.reject(new Error("the thread rejects"));
  if (death === "exit") process.exit(3);
}

function report(message: FromThread): void {
  self.postMessage(message);
}
