import { isoTime } from "../clock.ts";
import type { Core } from "../core.ts";
import { insertDelivery, insertEvent, subscribedEndpoints } from "./events-store.ts";

/** What endpoints can subscribe to (§6), each with when it fires. */
export const EVENT_TYPES = {
  "post.created": "a new post lands on the feed",
  "job.published": "a job goes live on the board",
  "job.matched": "a role matches a builder's saved filters",
  "dm.received": "a builder sends a direct message to your account",
  "xp.level_up": "a builder crosses into a new XP tier",
} as const;

export type EventType = keyof typeof EVENT_TYPES;
export const EVENT_NAMES = Object.keys(EVENT_TYPES) as EventType[];

/** The payloads of §6 for the events that this program fires. */
export interface EventData {
  "post.created": { post: { id: string; author_id: string; title: string; url: string } };
  "job.published": {
    job: { id: string; title: string; company: { name: string; slug: string }; url: string };
  };
}

/**
 * Writes a public event and one delivery for each subscribed endpoint. Called inside the transaction of the fact it
 * tells: both are stored or neither.
 */
export function recordEvent<Type extends keyof EventData>(
  core: Core,
  type: Type,
  data: EventData[Type],
): void {
  const createdAt = core.clock.now();
  const id = core.makeId("evt", createdAt);
  insertEvent(core, {
    id,
    type,
    body: JSON.stringify({ id, type, created_at: isoTime(createdAt), data }),
    createdAt,
  });
  for (const endpointId of subscribedEndpoints(core, type)) {
    insertDelivery(core, { id: core.makeId("dlv", createdAt), eventId: id, endpointId, dueAt: createdAt });
  }
}
