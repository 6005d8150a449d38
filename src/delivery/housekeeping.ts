import type { Logger } from "pino";
import { HOUR, MINUTE } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { maintenanceOf } from "../core/identity/maintenance/maintenance.ts";
import type { DeliveryCounters } from "../core/outbox/deliveries/counters.ts";
import { cleanUpDeliveries } from "../core/outbox/deliveries/cleanup.ts";

/**
 * Time from the process start to the first run, in ms. This time is short because many processes run for less
 * than an hour.
 */
const FIRST_MS = MINUTE;
const EVERY_MS = HOUR;
/**
 * Pause between two batches, in ms. During the pause, other code on this thread and on the request thread can
 * write.
 */
const PAUSE_MS = 5;
const UPKEEP = "upkeep of deliveries";

/**
 * Runs periodic cleanup on the delivery thread, so that requests do not wait for it. A failed cleanup is
 * logged and retried.
 */
export function startHousekeeping(
  core: Core,
  rules: { readonly retentionMs: number },
  log: Logger,
  counters: DeliveryCounters["upkeep"],
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let working = Promise.resolve();
  let timer = setTimeout(begin, FIRST_MS);
  return { stop };

  function begin(): void {
    working = upkeep()
      .then(() => {
        counters.succeededAt = core.clock.now();
      })
      .catch((err: unknown) => {
        if (stopping.signal.aborted) return;
        counters.failures++;
        log.error({ err, chore: UPKEEP }, "chore failed");
      })
      .then(() => {
        if (!stopping.signal.aborted) timer = setTimeout(begin, EVERY_MS);
      });
  }

  async function upkeep(): Promise<void> {
    if (maintenanceOf(core) || core.db.fencedBy() !== undefined) return;
    await cleanUpDeliveries(core, rules.retentionMs, pause);
  }

  /** Rejects when the process stops. The next run continues with the remaining rows. */
  async function pause(): Promise<void> {
    await Bun.sleep(PAUSE_MS);
    stopping.signal.throwIfAborted();
  }

  async function stop(): Promise<void> {
    stopping.abort();
    clearTimeout(timer);
    await working;
  }
}
