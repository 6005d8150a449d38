import { type Caller, requireBuilder } from "../access/caller.ts";
import { isoTime } from "../clock.ts";
import type { Core } from "../core.ts";
import { isId, lastIdAt } from "../ids.ts";
import { cursorKey, type Page, pageOf, type PageRequest } from "../page.ts";
import { insertDelivery, insertEvent, selectEvents, subscribedEndpoints } from "./events-store.ts";

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
export function recordPublicEvent<Type extends keyof EventData>(
  core: Core,
  type: Type,
  data: EventData[Type],
): void {
  const event = writeEvent(core, type, data, null);
  for (const endpointId of subscribedEndpoints(core, type)) writeDelivery(core, event, endpointId);
}

/** Writes an event that only one endpoint gets, and only its workspace sees; returns the delivery's id. */
export function recordTestEvent(core: Core, workspaceId: string, endpointId: string): string {
  const event = writeEvent(core, "webhook.test", { endpoint_id: endpointId }, workspaceId);
  return writeDelivery(core, event, endpointId);
}

/** An envelope of §6 as it was stored: JSON text. */
export interface StoredEvent {
  id: string;
  body: string;
}

export interface EventFilter {
  /** Only events fired after this moment, in ms since the epoch. */
  since?: number | undefined;
}

/**
 * The pull twin of the deliveries: all that this workspace may see, oldest first, for a receiver behind a firewall or
 * after an outage. Events are kept 30 days. Needs `webhooks:read`. Throws bad_request for a cursor of another list.
 */
export function listEvents(
  core: Core,
  caller: Caller,
  filter: EventFilter,
  request: PageRequest,
): Page<StoredEvent> {
  const { workspaceId } = requireBuilder(caller, "webhooks:read");
  const scope = { list: "events", filters: { workspaceId, ...filter } };
  const key = cursorKey(
    request,
    scope,
    (parts): parts is [string] => parts.length === 1 && isId("evt", parts[0]),
  );
  const after = key?.[0] ?? (filter.since === undefined ? "" : lastIdAt("evt", filter.since));
  return pageOf(selectEvents(core, workspaceId, after, request.limit + 1), request, scope, (event) => [
    event.id,
  ]);
}

function writeEvent(
  core: Core,
  type: string,
  data: unknown,
  workspaceId: string | null,
): { id: string; createdAt: number } {
  const createdAt = core.clock.now();
  const id = core.makeId("evt", createdAt);
  const body = JSON.stringify({ id, type, created_at: isoTime(createdAt), data });
  insertEvent(core, { id, type, body, workspaceId, createdAt });
  return { id, createdAt };
}

function writeDelivery(core: Core, event: { id: string; createdAt: number }, endpointId: string): string {
  const id = core.makeId("dlv", event.createdAt);
  insertDelivery(core, { id, eventId: event.id, endpointId, dueAt: event.createdAt });
  // Heard before the commit and acted on after it: the loop claims in a transaction of its own.
  core.wake();
  return id;
}
