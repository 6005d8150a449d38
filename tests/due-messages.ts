import type { Core } from "../src/core/base/core.ts";
import { dueMails, type Mail, nextMailTo } from "../src/core/identity/mail/queue.ts";
import { selectDuePushes, nextPushTo, type Push } from "../src/core/outbox/push/queue.ts";

const START = { dueAt: 0, seq: 0 };
const MOST = 10_000;

/** The next email to each mailbox in a lane, oldest first. */
export function mailsDue(core: Core, lane: "urgent" | "ordinary"): Mail[] {
  const isUrgent = lane === "urgent";
  const due = dueMails(core, isUrgent, core.clock.steady(), START, MOST);
  return firstOfEach(due.map((row) => nextMailTo(core, isUrgent, row)));
}

/** The next push to each browser, oldest first. */
export function pushesDue(core: Core): Push[] {
  const due = selectDuePushes(core, core.clock.steady(), START, MOST);
  return firstOfEach(due.map(({ subscriptionId }) => nextPushTo(core, subscriptionId)));
}

function firstOfEach<Item extends { seq: number }>(items: readonly (Item | undefined)[]): Item[] {
  const bySeq = new Map(items.flatMap((item) => (item ? [[item.seq, item] as const] : [])));
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq);
}
