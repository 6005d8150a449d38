import { type Static, Type } from "@sinclair/typebox";
import { isInLog, logEnd, nextPosition, requireInLog, requireRetained } from "./log.ts";
import { type Caller, requireBuilder } from "../../identity/access/caller.ts";
import { isoTime } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { ruled } from "../../base/check.ts";
import { createFairQueue, type FairQueue } from "../../base/fair-queue.ts";
import { TimestampText, parseTimestamp } from "../../base/timestamp.ts";
import { Id, Timestamp } from "../../base/view.ts";
import { isId, lastIdAt } from "../../base/ids.ts";
import { fault, refuseFields } from "../../base/errors.ts";
import { cursorKey, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import {
  type AnyEventType,
  CATALOGUE,
  EventTypeView,
  EXAMPLE,
  type PrivateEventType,
  type PublicEventType,
  type StaffEventType,
  readableTypes,
  type WorkspaceEventType,
} from "./catalogue.ts";
import { testDataOf, NIL_UUID } from "./test-data.ts";
import { withEmptyText, envelopeOf, type EventPayload, type SubjectOf } from "./subjects.ts";
import { currentTraceparent } from "./trace.ts";
import {
  deleteFanOut,
  type FanOut,
  insertDelivery,
  insertEvent,
  type Reader,
  saveFanOut,
  selectEvents,
  selectEventsById,
  selectFanOut,
  selectSubscribers,
  type StoredEvent,
} from "./events-store.ts";

export { type EventBatch, selectEvents } from "./events-store.ts";

/** The range of all endpoints. The transaction that fires an event uses this range for its first batch. */
const ALL_ENDPOINTS = { afterEndpoint: "", untilEndpoint: "whe_~" };

/**
 * Number of deliveries that are written per transaction. The batch is small because each delivery takes 15
 * µs, and the same thread also answers requests.
 */
const FAN_OUT_BATCH = 50;

/**
 * Records a public event and one delivery for each subscribed endpoint. The event stores the subject's id but
 * not its text (`subjects.ts`). Call it in the transaction of the operation, so that either both the
 * operation and the event are stored or neither. This transaction also writes the first batch of deliveries.
 * `continueFanOut` writes the other batches.
 */
export function recordPublicEvent<Type extends PublicEventType>(
  core: Core,
  type: Type,
  data: EventPayload[Type],
  ...[subjectId]: SubjectOf<Type>
): void {
  const event = writeEvent(core, type, data, { subjectId });
  writeBatch(core, { ...event, type, builderId: null, workspaceId: null, ...ALL_ENDPOINTS });
}

/**
 * Records an event that only one builder may read (docs/contract.md#5.7). The event is delivered to endpoints
 * that the builder registered in workspaces that the builder owns. Other members of these workspaces cannot
 * read the event by webhook or in the event list. Otherwise like `recordPublicEvent`.
 */
export function recordPrivateEvent<Type extends PrivateEventType>(
  core: Core,
  builderId: string,
  type: Type,
  data: EventPayload[Type],
  ...[subjectId]: SubjectOf<Type>
): void {
  const event = writeEvent(core, type, data, { builderId, subjectId });
  writeBatch(core, { ...event, type, builderId, workspaceId: null, ...ALL_ENDPOINTS });
}

/**
 * Records an event that the members of one workspace may read. The event is delivered to the workspace's
 * subscribed endpoints. If the event is about an endpoint, `except` names this endpoint, and the event is not
 * delivered to it. Otherwise like `recordPublicEvent`.
 */
export function recordWorkspaceEvent<Type extends WorkspaceEventType>(
  core: Core,
  workspaceId: string,
  type: Type,
  data: EventPayload[Type],
  except?: string,
): void {
  const event = writeEvent(core, type, data, { workspaceId });
  writeBatch(core, { ...event, type, builderId: null, workspaceId, ...ALL_ENDPOINTS }, except);
}

/**
 * Records an event that only the staff may read: members with `moderation` or a role in a session. The event
 * is delivered to endpoints whose owner is a moderator or above, now and at each attempt. Otherwise like
 * `recordPublicEvent`.
 */
export function recordStaffEvent<Type extends StaffEventType>(
  core: Core,
  type: Type,
  data: EventPayload[Type],
): void {
  const event = writeEvent(core, type, data, {});
  writeBatch(core, { ...event, type, builderId: null, workspaceId: null, ...ALL_ENDPOINTS });
}

/**
 * Queues the oldest unfinished event for its next subscribers. Returns whether an unfinished event existed.
 * Call it repeatedly, each time in a transaction.
 */
export function continueFanOut(core: Core): boolean {
  const event = selectFanOut(core);
  if (event) writeBatch(core, event);
  return event !== undefined;
}

function writeBatch(core: Core, event: FanOut, except?: string): void {
  const endpointIds = selectSubscribers(core, event, FAN_OUT_BATCH);
  for (const endpointId of endpointIds) if (endpointId !== except) writeDelivery(core, event, endpointId);
  const last = endpointIds.at(-1);
  if (last !== undefined && endpointIds.length === FAN_OUT_BATCH) saveFanOut(core, event.id, last);
  else if (event.afterEndpoint !== "") deleteFanOut(core, event.id);
}

/**
 * Creates a delivery of an older event to an endpoint that has no delivery of the event yet. The delivery is
 * due at once. Call it in a transaction.
 */
export function deliverLate(core: Core, eventId: string, endpointId: string): void {
  writeDelivery(core, { id: eventId, createdAt: core.clock.now() }, endpointId);
}

/**
 * Records an event for one endpoint. Only the endpoint's workspace can see the event. Returns the id of the
 * delivery. The payload of `webhook.test` names the endpoint. The payload of any other type is example data.
 */
export function recordTestEvent(
  core: Core,
  workspaceId: string,
  endpointId: string,
  type: AnyEventType,
): string {
  const data = type === "webhook.test" ? { endpoint_id: endpointId } : testDataOf(type, core.origin);
  return writeDelivery(core, writeEvent(core, type, data, { workspaceId }), endpointId);
}

/** The envelope of a delivered event (docs/contract.md#V6.6). */
export const EventView = Type.Object(
  {
    id: Id(`evt_${EXAMPLE}`, "The identifier of the event."),
    type: EventTypeView,
    createdAt: Timestamp({ description: "The time of the event." }),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: "The payload. Its fields depend on `type`.",
      examples: [CATALOGUE["post.created"].example],
    }),
  },
  { $id: "Event" },
);

export interface Event extends Static<typeof EventView> {
  type: AnyEventType;
  /** The whole envelope as JSON text, as a delivery would send it now. */
  body: string;
}

/** The event filter in a request. `readEventFilter` converts it to the type that `listEvents` takes. */
export const EventFilter = Type.Object({
  since: Type.Optional(
    TimestampText({
      description: "Return only events fired after this time.",
      examples: ["2026-11-20T09:30:00Z"],
    }),
  ),
  after: Type.Optional(
    Type.String({
      description:
        "The identifier of an event. You get only later events, in the order they were committed. An identifier that is not in the log is refused. To start with the oldest event, send `evt_` and 26 zeros.",
      examples: [`evt_${NIL_UUID}`],
      minLength: 1,
      ...ruled("not_event_id"),
    }),
  ),
});

export interface EventFilter {
  /** Return only events fired after this moment, in ms since the epoch. */
  since?: number | undefined;
  /**
   * Return only events after this event in the log. The value is accepted even if the caller may not read
   * this event.
   */
  after?: string | undefined;
}

/** Converts a filter that has passed its schema. */
export function readEventFilter({ since, after }: Static<typeof EventFilter>): EventFilter {
  return { since: since === undefined ? undefined : parseTimestamp(since), after };
}

/**
 * Returns events oldest first, as an alternative to webhooks for receivers behind a firewall or after an
 * outage. The list has all events that the workspace may read. If the caller owns the workspace, the list
 * also has the caller's private events. Leaves out events without the needed scope and events whose subject
 * is gone. Leaves out `post.created` if the post was edited since (docs/contract.md#5.8). If many events are
 * left out, a page may be shorter than its limit. Only the end of the log has an empty page. Left-out events
 * are skipped in batches, and other requests run between two batches. Events are kept for the retention time
 * of the server. Needs `webhooks:read`. Throws (or rejects with) bad_request for a cursor of another list and
 * for an unknown or expired `after`.
 */
export function listEvents(
  core: Core,
  caller: Caller,
  filter: EventFilter,
  request: PageRequest,
): Page<Event> | Promise<Page<Event>> {
  const page = readPage(core, caller, filter, request);
  return typeof page === "string" ? skipUnlisted(core, caller, filter, request, page) : page;
}

/**
 * Number of events per batch that are read to complete a page. Reading 500 events takes half a ms if no event
 * of the batch is listed.
 */
const EXTRA_READ_MAX = 500;

/** Returns a page. If events were read but no event is listed, returns the id of the last event read. */
function readPage(
  core: Core,
  caller: Caller,
  filter: EventFilter,
  request: PageRequest,
): Page<Event> | string {
  const reader = readerOf(caller);
  const { workspaceId, builderId } = reader;
  const scope = { list: "events", filters: { workspaceId, builderId, ...filter } };
  const key = cursorKey(
    request,
    scope,
    (parts): parts is [string] => parts.length === 1 && isId("evt", parts[0]) && isInLog(core, parts[0]),
  );
  const { backwards, limit, walkedTo = "" } = request;
  const begin = beginOf(core, reader, filter, request);
  const from = key?.[0];
  const range = {
    above: backwards ? begin : latest(begin, from ?? "", walkedTo),
    below: (backwards ? walkedTo || from : undefined) ?? "evt_~",
    order: backwards ? "DESC" : "ASC",
  } as const;
  const batch = selectEvents(core, reader, { ...range, limit: limit + 1 });
  const { listed } = batch;
  let { lastId, isEnd } = batch;
  if (listed.length <= limit && !isEnd && lastId !== undefined) {
    const rest = { ...range, [backwards ? "below" : "above"]: lastId, limit: EXTRA_READ_MAX };
    const more = selectEvents(core, reader, rest);
    listed.push(...more.listed);
    lastId = more.lastId ?? lastId;
    isEnd = more.isEnd;
  }
  if (listed.length === 0 && !isEnd && lastId !== undefined) return lastId;
  const hasMore = listed.length > limit || !isEnd;
  noteScopes(caller, listed);
  const page = pageOf(listed.flatMap(toEvent), request, scope, (event) => [event.id], hasMore);
  if (hasMore) return page;
  return { ...page, walkedTo: lastId ?? request.walkedTo ?? (backwards ? undefined : begin) };
}

const latest = (...ids: string[]): string => ids.reduce((one, other) => (one > other ? one : other));

/**
 * Continues a page after unlisted events. Each round of the event loop reads one batch. Several readers take
 * turns (round-robin).
 */
async function skipUnlisted(
  core: Core,
  caller: Caller,
  filter: EventFilter,
  request: PageRequest,
  walkedTo: string,
): Promise<Page<Event>> {
  const enqueue = core.memory(newReadingQueue);
  for (let position = walkedTo; ;) {
    const behind = { ...request, walkedTo: position };
    const page = await enqueue(caller.builderId ?? "", () => readPage(core, caller, filter, behind));
    if (typeof page !== "string") return page;
    position = page;
  }
}

const newReadingQueue = (): FairQueue => createFairQueue();

/**
 * Returns the filter for a client that follows the log. `lastId` is the last event that the client received,
 * and the filter continues after this event. If `lastId` is undefined, the filter starts where the client's
 * own filter starts. If the client's own filter has no start, the filter starts now. Needs `webhooks:read`.
 */
export function followFrom(
  core: Core,
  caller: Caller,
  filter: Static<typeof EventFilter>,
  lastId: string | undefined,
): Static<typeof EventFilter> {
  requireBuilder(caller, "webhooks:read");
  const after =
    lastId ?? filter.after ?? (filter.since === undefined ? logEnd(core) || undefined : undefined);
  return after === undefined ? filter : { ...filter, after };
}

/**
 * Returns the position after which a list starts. This is the later position of `since` and `after`. If the
 * event at a client's cursor was deleted with its owner's account, the client can still read the next page.
 */
function beginOf(
  core: Core,
  reader: Reader,
  { since, after }: EventFilter,
  { walkedTo }: PageRequest,
): string {
  if (after !== undefined) {
    if (!isId("evt", after)) throw refuseFields([fault("after", "not_event_id")]);
    if (walkedTo === undefined) requireInLog(core, after);
    requireRetained(core, after, () => selectEvents(core, reader, { ...FULL_RANGE, limit: 1 }).lastId);
  }
  const moment = since === undefined ? "" : lastIdAt("evt", since);
  return after !== undefined && after > moment ? after : moment;
}

const FULL_RANGE = { above: "", below: "evt_~", order: "ASC" } as const;

/**
 * Returns events by id. Leaves out events that the caller or the workspace may not read. The text of an event
 * is empty if its subject is gone. Needs `webhooks:read`.
 */
export function getEvents(core: Core, caller: Caller, ids: readonly string[]): Event[] {
  const events = selectEventsById(core, readerOf(caller), ids);
  noteScopes(caller, events);
  return events.map(withEmptyText).flatMap(toEvent);
}

/** Returns the event with its current text, or nothing if its subject is gone. */
function toEvent({ id, ...row }: StoredEvent): Event[] {
  const { type } = row;
  const envelope = envelopeOf(row);
  if (!envelope) return [];
  const { created_at, data, body } = envelope;
  return [{ id, type, createdAt: Date.parse(created_at), data, body }];
}

/** Records which scopes a token used, so that the owner of the token can see unused scopes. */
function noteScopes({ noteScope }: Caller, events: readonly StoredEvent[]): void {
  if (noteScope)
    for (const type of new Set(events.map((event) => event.type))) noteScope(CATALOGUE[type].scope);
}

/**
 * Returns the caller as a reader of events. Needs `webhooks:read`, and for each type the scope of that type.
 */
function readerOf(caller: Caller): Reader {
  const { workspaceId, builderId, scopes } = requireBuilder(caller, "webhooks:read");
  return { workspaceId, builderId, types: readableTypes(scopes) };
}

function writeEvent(
  core: Core,
  type: AnyEventType,
  data: unknown,
  about: { workspaceId?: string; builderId?: string; subjectId?: string | undefined },
): { id: string; createdAt: number } {
  const { id, createdAt } = nextPosition(core);
  const body = JSON.stringify({ id, type, created_at: isoTime(createdAt), data });
  insertEvent(core, { id, type, body, ...about, createdAt, traceparent: currentTraceparent(core) ?? null });
  return { id, createdAt };
}

function writeDelivery(core: Core, event: { id: string; createdAt: number }, endpointId: string): string {
  const id = core.makeId("dlv", event.createdAt);
  // The due time is a steady time, which is never set back. Event times can be ahead of the clock.
  insertDelivery(core, {
    id,
    eventId: event.id,
    endpointId,
    dueAt: core.clock.steady(),
    createdAt: event.createdAt,
  });
  // `wake` is called before the commit. The delivery loop claims the delivery after the commit, in its own
  // transaction.
  core.wake();
  return id;
}
