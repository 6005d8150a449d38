import {
  noteOutgoing,
  OTHER_HOSTS,
  type OutgoingAttempts,
  type DeliveryCounters,
} from "../core/outbox/deliveries/counters.ts";
import type { QueueToSend } from "./sender.ts";

/** Whom an attempt goes to; undefined where nobody is asked. */
type Labels<Item> = (item: Item) => Omit<OutgoingAttempts, "outcome" | "count"> | undefined;

/** A sending whose attempts are counted by how they ended. An item with nothing to say is no attempt. */
export function countAttempts<Item extends { seq: number }, End extends { kind: string }>(
  sending: QueueToSend<Item, End>,
  tally: Pick<DeliveryCounters, "outgoing">,
  labelsOf: Labels<Item>,
): QueueToSend<Item, End> {
  const note = (item: Item, { kind }: End): void => {
    const labels = kind === "void" ? undefined : labelsOf(item);
    if (labels) noteOutgoing(tally, { ...labels, outcome: kind === "taken" ? "sent" : kind });
  };
  return {
    ...sending,
    async send(core, item) {
      try {
        const end = await sending.send(core, item);
        note(item, end);
        return end;
      } catch (err) {
        note(item, sending.failed);
        throw err;
      }
    },
  };
}

/** Services that browsers come with: they keep a label of their own, whatever others subscribe with. */
const KNOWN: ReadonlySet<string> = new Set([
  "fcm.googleapis.com",
  "updates.push.services.mozilla.com",
  "web.push.apple.com",
]);
/** One service with many hosts: `db5p.notify.windows.com`. */
const WINDOWS = /(?:^|\.)(notify\.windows\.com)$/;
const HOSTS_MAX = 20;

/**
 * Names hosts of push services for a label: those that browsers come with, twenty others, and `other` for the
 * rest.
 */
export function hostLabels(): (endpoint: string) => string {
  const seen = new Set<string>();
  return (endpoint) => {
    const { host } = new URL(endpoint);
    const known = WINDOWS.exec(host)?.[1] ?? (KNOWN.has(host) ? host : undefined);
    if (known !== undefined) return known;
    if (seen.size < HOSTS_MAX) seen.add(host);
    return seen.has(host) ? host : OTHER_HOSTS;
  };
}
