import { continueMatching } from "../../community/jobs/matching.ts";
import type { Core } from "../../base/core.ts";
import { continueRecovery } from "../../outbox/deliveries/recovery.ts";
import { continueFanOut } from "../../outbox/events/events.ts";
import { continueRemoval } from "../../outbox/webhooks/webhooks.ts";

/**
 * Goes on, by one slice each, with what is too much for one transaction: a job that meets many filters, an
 * event on its way to many subscribers, a recovery, the deliveries of a removed endpoint. Returns whether
 * there was anything. Call it in a transaction, again and again.
 */
export function continueBatches(core: Core): boolean {
  const did = [continueMatching(core), continueFanOut(core), continueRecovery(core), continueRemoval(core)];
  return did.includes(true);
}
