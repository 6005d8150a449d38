import type { Core } from "../core/ground/core.ts";
import { continueReach, isReachDue } from "../core/across/reach/reach.ts";
import { duePushes, nextPush, type Push, type PushEnd, settlePush } from "../core/outbox/push/queue.ts";
import { createFairOrder } from "./fair-order.ts";
import type { PushWords, SendPush } from "./push-request.ts";
import type { Sending } from "./sender.ts";
import { createShares, type Parts, type Place } from "./shares.ts";

/** How many of the requests that Bun makes at once are kept for pushes. */
export const PUSHES_AT_ONCE = 32;
/** Most members' browsers share a few push services; and four new browsers of one member are tried at once. */
const PARTS: Parts = { host: 1 / 2, unprovenOfOwner: 4 / PUSHES_AT_ONCE };
const DUE_READ = 1000;

/** `wordsOf` says what is shown of one; undefined where there is nothing to say any more. */
export function pushSending(
  send: SendPush,
  wordsOf: (core: Core, push: Push) => PushWords | undefined,
): Sending<Push, PushEnd> {
  const shares = createShares(PUSHES_AT_ONCE, PARTS);
  const order = createFairOrder();
  return {
    name: "push",
    gather: {
      isDue: (core) => isReachDue(core, "push"),
      slice: (core) => continueReach(core, "push"),
    },
    due(core, running) {
      if (shares.free() === 0) return [];
      const due = duePushes(core, idsOf(running), DUE_READ);
      return order
        .sorted(due, ({ builderId }) => builderId)
        .filter((push) => {
          if (shares.roomOf(placeOf(push)) < 1) return false;
          shares.begun(placeOf(push));
          order.begun(push.builderId);
          return true;
        });
    },
    nextDue: (core, running) => nextPush(core, idsOf(running)),
    async send(core, push) {
      let isTaken: boolean | undefined = false;
      try {
        const words = wordsOf(core, push);
        const end: PushEnd = words ? await send(push, words) : { kind: "void" };
        isTaken = end.kind === "void" ? undefined : end.kind === "taken";
        return end;
      } finally {
        shares.ended(placeOf(push), isTaken);
      }
    },
    failed: { kind: "later" },
    settle: settlePush,
  };
}

function placeOf({ subscriptionId, builderId, endpoint, standing }: Push): Place {
  return {
    endpointId: subscriptionId,
    ownerId: builderId,
    url: endpoint,
    isFailing: standing === "failing",
  };
}

function idsOf(running: readonly Push[]): ReadonlySet<number> {
  return new Set(running.map(({ seq }) => seq));
}
