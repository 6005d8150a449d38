import type { Logger } from "pino";
import { HOUR, MINUTE } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { maintenanceOf } from "../core/identity/maintenance/maintenance.ts";
import type { DeliveryCounters } from "../core/outbox/deliveries/counters.ts";
import { cleanUpDeliveries } from "../core/outbox/deliveries/cleanup.ts";

/** Soon after a start, as many programs do not live for an hour; then every hour. */
const FIRST_MS = MINUTE;
const EVERY_MS = HOUR;
/** Between two slices others write, on this thread and on that of the requests. */
const PAUSE_MS = 5;
const UPKEEP = "upkeep of deliveries";

/**
 * What has to be done now and then on the delivery thread, so that no request waits for it. One that fails is
 * told and tried again.
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

  /** Rejects where it is time to stop: what is left is done the next time. */
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
