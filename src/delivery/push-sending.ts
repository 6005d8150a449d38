import type { Core } from "../core/base/core.ts";
import { queueNotifications, hasNotificationsToQueue } from "../core/services/channels/queueing.ts";
import {
  type DuePush,
  selectDuePushes,
  nextPush,
  nextPushTo,
  type Push,
  type PushEnd,
  settlePush,
} from "../core/outbox/push/queue.ts";
import { createDueList, type Recipient } from "./due-list.ts";
import type { PushContent, SendPush } from "./push-request.ts";
import type { QueueToSend } from "./sender.ts";
import { createConcurrencyLimits, type HostShares, type Slot } from "./concurrency-limits.ts";

/**
 * Maximum number of concurrent pushes. The same number of Bun's concurrent requests is reserved for pushes.
 */
export const PUSHES_AT_ONCE = 32;
/**
 * The limit per host is high because most browsers use the same few push services. At most four unproven
 * browsers of one member receive a push at the same time.
 */
const SHARES: HostShares = { host: 1 / 2, unprovenOfOwner: 4 / PUSHES_AT_ONCE };
/** Order among the browsers of one member. Browsers whose last push failed are last. */
const RANKS: Readonly<Record<Push["standing"], number>> = { proven: 0, new: 1, failing: 2 };

/**
 * Creates the queue of pushes. `contentOf` returns the content of a push, or `undefined` if nothing is left
 * to report.
 */
export function pushSending(
  send: SendPush,
  contentOf: (core: Core, push: Push) => PushContent | undefined,
): QueueToSend<Push, PushEnd> {
  const limits = createConcurrencyLimits(PUSHES_AT_ONCE, SHARES);
  const list = createDueList<Browser, Push>({
    read: (core, after, now, most) =>
      selectDuePushes(core, now, after, most).map((row) => ({ ...row, to: browserOf(row) })),
    next: (core, { key }) => nextPushTo(core, key),
    recipientOf: browserOf,
  });
  return {
    name: "push",
    gather: {
      isDue: (core) => hasNotificationsToQueue(core, "push"),
      addBatch: (core) => queueNotifications(core, "push"),
    },
    *due(core, running) {
      const freeSlots = {
        isFull: () => limits.free() === 0,
        hasFor: ({ slot }: Browser) => limits.freeSlotsFor(slot) > 0,
      };
      for (const push of list.begin(core, running, freeSlots)) {
        limits.start(slotOf(push));
        yield push;
      }
    },
    isBehind: list.isBehind,
    nextDue: (core) => (list.hasWaiting() ? core.clock.steady() : nextPush(core)),
    async send(core, push) {
      let isTaken: boolean | undefined = false;
      try {
        const content = contentOf(core, push);
        const end: PushEnd = content ? await send(push, content) : { kind: "void" };
        isTaken = end.kind === "void" ? undefined : end.kind === "taken";
        return end;
      } finally {
        limits.finish(slotOf(push), isTaken);
      }
    },
    failed: { kind: "later" },
    settle: settlePush,
  };
}

interface Browser extends Recipient {
  slot: Slot;
}

function browserOf(push: Omit<DuePush, "dueAt">): Browser {
  const { subscriptionId, builderId, standing } = push;
  return { key: subscriptionId, member: builderId, rank: RANKS[standing], slot: slotOf(push) };
}

function slotOf({ subscriptionId, builderId, endpoint, standing }: Omit<DuePush, "dueAt">): Slot {
  return {
    endpointId: subscriptionId,
    ownerId: builderId,
    url: endpoint,
    isFailing: standing === "failing",
  };
}
