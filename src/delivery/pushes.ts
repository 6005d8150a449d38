import type { Core } from "../core/ground/core.ts";
import { continueReach, isReachDue } from "../core/across/reach/reach.ts";
import { duePushes, nextPush, type Push, type PushEnd, settlePush } from "../core/outbox/push/queue.ts";
import type { PushWords, SendPush } from "./push-request.ts";
import type { Sending } from "./sender.ts";

/**
 * How many are under way at once: in all, of one builder, and of browsers whose push service never took anything
 * (`new`) or did not take the last one (`failing`). Whoever subscribes silent addresses keeps nobody else's waiting.
 */
const PLACES = { all: 32, builder: 4, new: 12, failing: 4 };
/** What of the requests that Bun makes at once is kept for pushes. */
export const PUSHES_AT_ONCE = PLACES.all;
const DUE_READ = 200;

/** `wordsOf` says what is shown of one; undefined where there is nothing to say any more. */
export function pushSending(
  send: SendPush,
  wordsOf: (core: Core, push: Push) => PushWords | undefined,
): Sending<Push, PushEnd> {
  return {
    name: "push",
    gather: { isDue: isReachDue, slice: continueReach },
    due: (core, running) => withinPlaces(duePushes(core, idsOf(running), DUE_READ), running),
    nextDue: (core, running) => nextPush(core, idsOf(running)),
    async send(core, push) {
      const words = wordsOf(core, push);
      return words ? send(push, words) : { kind: "void" };
    },
    failed: { kind: "later" },
    settle: settlePush,
  };
}

function idsOf(running: readonly Push[]): ReadonlySet<number> {
  return new Set(running.map(({ seq }) => seq));
}

function withinPlaces(due: readonly Push[], running: readonly Push[]): Push[] {
  const begun: Push[] = [];
  const count = (fits: (push: Push) => boolean): number =>
    running.filter(fits).length + begun.filter(fits).length;
  for (const push of due) {
    const { builderId, standing } = push;
    if (count(() => true) >= PLACES.all) break;
    if (count((other) => other.builderId === builderId) >= PLACES.builder) continue;
    if (standing !== "proven" && count((other) => other.standing === standing) >= PLACES[standing]) continue;
    begun.push(push);
  }
  return begun;
}
