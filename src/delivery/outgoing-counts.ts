import {
  noteOutgoing,
  OTHER_HOSTS,
  type OutgoingAttempts,
  type DeliveryCounters,
} from "../core/outbox/deliveries/counters.ts";
import type { QueueToSend } from "./sender.ts";

/**
 * Returns the metric labels of an item. Returns `undefined` for an item that is not counted, because no
 * attempt is made for it.
 */
type Labels<Item> = (item: Item) => Omit<OutgoingAttempts, "outcome" | "count"> | undefined;

/** Wraps a queue to count its attempts by result. Items without content are not counted. */
export function countAttempts<Item extends { seq: number }, End extends { kind: string }>(
  sending: QueueToSend<Item, End>,
  tally: Pick<DeliveryCounters, "outgoing">,
  labelsOf: Labels<Item>,
): QueueToSend<Item, End> {
  const count = (item: Item, { kind }: End): void => {
    const labels = kind === "void" ? undefined : labelsOf(item);
    if (labels) noteOutgoing(tally, { ...labels, outcome: kind === "taken" ? "sent" : kind });
  };
  return {
    ...sending,
    async send(core, item) {
      try {
        const end = await sending.send(core, item);
        count(item, end);
        return end;
      } catch (err) {
        count(item, sending.failed);
        throw err;
      }
    },
  };
}

/** Hosts of the major browsers' push services. Each of these hosts always has its own label. */
const KNOWN: ReadonlySet<string> = new Set([
  "fcm.googleapis.com",
  "updates.push.services.mozilla.com",
  "web.push.apple.com",
]);
/** Windows hosts such as `db5p.notify.windows.com` share one label. */
const WINDOWS = /(?:^|\.)(notify\.windows\.com)$/;
const HOSTS_MAX = 20;

/**
 * Creates a function that returns the metric label of a push service. Known hosts, and the first twenty other
 * hosts, have their own label. All remaining hosts share the label `other`.
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
