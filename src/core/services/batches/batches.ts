import { continueMatching } from "../../community/jobs/matching.ts";
import type { Core } from "../../base/core.ts";
import { continueRecovery } from "../../outbox/deliveries/recovery.ts";
import { continueFanOut } from "../../outbox/events/events.ts";
import { continueRemovals } from "../moderation/removal.ts";
import { continueRemoval } from "../../outbox/webhooks/webhooks.ts";

/**
 * Runs the next batch of each kind of work that is too large for one transaction. The kinds are: matching a
 * job with filters, sending an event to its subscribers, a recovery, and deleting the deliveries of a removed
 * endpoint. Another kind is hiding the content of removed spammers. Returns whether any batch had work. Call
 * it repeatedly, each time in a transaction.
 */
export function continueBatches(core: Core): boolean {
  const did = [
    continueMatching(core),
    continueFanOut(core),
    continueRecovery(core),
    continueRemoval(core),
    continueRemovals(core),
  ];
  return did.includes(true);
}
