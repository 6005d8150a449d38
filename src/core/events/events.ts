import { type Caller, requireBuilder } from "../access/caller.ts";
import { isoTime } from "../clock.ts";
import type { Core } from "../core.ts";
import { isId, lastIdAt } from "../ids.ts";
import { cursorKey, type Page, pageOf, type PageRequest } from "../page.ts";
import {
  deleteFanOut,
  type FanOut,
  insertDelivery,
  insertEvent,
  saveFanOut,
  selectEvents,
  selectEventsById,
  selectFanOut,
  selectSubscribers,
} from "./events-store.ts";

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
  "job.matched": { job_id: string; builder_id: string; score: number };
  "dm.received": { thread_id: string; from_id: string; preview: string };
  "xp.level_up": { user_id: string; from_level: number; to_level: number; badge: string };
}

/** What only the builder learns whom it concerns; all other events are public facts. */
export type PrivateEventType = Extract<keyof EventData, "job.matched" | "dm.received">;

/** In the transaction of the fact: whichever endpoints there are now. */
const EVERYBODY = { afterEndpoint: "", untilEndpoint: "whe_~" };

/** So many deliveries are written at once; each costs 15 µs, and the thread that writes them also answers requests. */
const FAN_OUT_SLICE = 50;

/**
 * Writes a public event and one delivery for each subscribed endpoint. Called inside the transaction of the fact it
 * tells: both are stored or neither. Where the subscribers are many, the first have their delivery in that transaction, and
 * with the event is written how far it got: `continueFanOut` does the rest.
 */
export function recordPublicEvent<Type extends Exclude<keyof EventData, PrivateEventType>>(
  core: Core,
  type: Type,
  data: EventData[Type],
): void {
  const event = writeEvent(core, type, data, {});
  writeSlice(core, { ...event, type, builderId: null, ...EVERYBODY });
}

/**
 * The same for an event that is one builder's alone (CONTRACT «Events»). It goes to endpoints that they have registered
 * themself, in workspaces that they own: their personal one, and shared ones where they are an owner. A fellow member reads
 * nothing of it, neither at an endpoint of their own nor in the list of events.
 */
export function recordPrivateEvent<Type extends PrivateEventType>(
  core: Core,
  builderId: string,
  type: Type,
  data: EventData[Type],
): void {
  const event = writeEvent(core, type, data, { builderId });
  writeSlice(core, { ...event, type, builderId, ...EVERYBODY });
}

/**
 * Brings the oldest event that is not yet with all its subscribers to some more of them, and returns whether there was one.
 * Call it in a transaction, again and again.
 */
export function continueFanOut(core: Core): boolean {
  const event = selectFanOut(core);
  if (event) writeSlice(core, event);
  return event !== undefined;
}

function writeSlice(core: Core, event: FanOut): void {
  const endpointIds = selectSubscribers(core, event, FAN_OUT_SLICE);
  for (const endpointId of endpointIds) writeDelivery(core, event, endpointId);
  const last = endpointIds.at(-1);
  if (last !== undefined && endpointIds.length === FAN_OUT_SLICE) saveFanOut(core, event.id, last);
  else if (event.afterEndpoint !== "") deleteFanOut(core, event.id);
}

/** Writes an event that only one endpoint gets, and only its workspace sees; returns the delivery's id. */
export function recordTestEvent(core: Core, workspaceId: string, endpointId: string): string {
  const event = writeEvent(core, "webhook.test", { endpoint_id: endpointId }, { workspaceId });
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
 * The pull twin of the deliveries: all that this workspace may see, and in a workspace of their own what is private to the
 * caller, oldest first, for a receiver behind a firewall or
 * after an outage. Events are kept as long as `prune` is told. Needs `webhooks:read`. Throws bad_request for a cursor of another list.
 */
export function listEvents(
  core: Core,
  caller: Caller,
  filter: EventFilter,
  request: PageRequest,
): Page<StoredEvent> {
  const { workspaceId, builderId } = requireBuilder(caller, "webhooks:read");
  const reader = { workspaceId, builderId };
  const scope = { list: "events", filters: { ...reader, ...filter } };
  const key = cursorKey(
    request,
    scope,
    (parts): parts is [string] => parts.length === 1 && isId("evt", parts[0]),
  );
  const since = filter.since === undefined ? "" : lastIdAt("evt", filter.since);
  const from = key?.[0];
  const isBehind = !request.backwards && from !== undefined && from > since;
  const rows = selectEvents(core, reader, {
    above: isBehind ? from : since,
    below: (request.backwards ? from : undefined) ?? "evt_~",
    order: request.backwards ? "DESC" : "ASC",
    limit: request.limit + 1,
  });
  return pageOf(rows, request, scope, (event) => [event.id]);
}

/** Many events at once, by their ids; those that this workspace or the caller may not see are left out. Needs `webhooks:read`. */
export function getEvents(core: Core, caller: Caller, ids: readonly string[]): StoredEvent[] {
  const { workspaceId, builderId } = requireBuilder(caller, "webhooks:read");
  return selectEventsById(core, { workspaceId, builderId }, ids);
}

function writeEvent(
  core: Core,
  type: string,
  data: unknown,
  audience: { workspaceId?: string; builderId?: string },
): { id: string; createdAt: number } {
  const createdAt = core.clock.now();
  const id = core.makeId("evt", createdAt);
  const body = JSON.stringify({ id, type, created_at: isoTime(createdAt), data });
  insertEvent(core, { id, type, body, ...audience, createdAt });
  return { id, createdAt };
}

function writeDelivery(core: Core, event: { id: string; createdAt: number }, endpointId: string): string {
  const id = core.makeId("dlv", event.createdAt);
  insertDelivery(core, { id, eventId: event.id, endpointId, dueAt: event.createdAt });
  // Heard before the commit and acted on after it: the loop claims in a transaction of its own.
  core.wake();
  return id;
}
