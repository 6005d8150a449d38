import { type Static, Type } from "@sinclair/typebox";
import { isInLog, logEnd, nextPlace, requireInLog, requireRetained } from "./log.ts";
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
  readableTypes,
  type WorkspaceEventType,
} from "./catalogue.ts";
import { testDataOf, NIL_UUID } from "./test-data.ts";
import { withEmptyText, envelopeOf, type EventFact, type SubjectOf } from "./subjects.ts";
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

export { type EventSlice, selectEvents } from "./events-store.ts";

/** In the transaction of the fact: whichever endpoints there are now. */
const EVERYBODY = { afterEndpoint: "", untilEndpoint: "whe_~" };

/**
 * So many deliveries are written at once; each costs 15 µs, and the thread that writes them also answers
 * requests.
 */
const FAN_OUT_SLICE = 50;

/**
 * Writes a public event and one delivery for each subscribed endpoint. The words of its subject, which is
 * named by id, are not part of it (`subjects.ts`). Called inside the transaction of the fact it tells: both
 * are stored or neither. Where the subscribers are many, the first have their delivery in that transaction,
 * and with the event is written how far it got: `continueFanOut` does the rest.
 */
export function recordPublicEvent<Type extends PublicEventType>(
  core: Core,
  type: Type,
  data: EventFact[Type],
  ...[subjectId]: SubjectOf<Type>
): void {
  const event = writeEvent(core, type, data, { subjectId });
  writeSlice(core, { ...event, type, builderId: null, workspaceId: null, ...EVERYBODY });
}

/**
 * The same for an event that is one builder's alone (docs/contract.md#5.7). It goes to endpoints that they
 * have registered themself, in workspaces that they own: their personal one, and shared ones where they are
 * an owner. A fellow member reads nothing of it, neither at an endpoint of their own nor in the list of
 * events.
 */
export function recordPrivateEvent<Type extends PrivateEventType>(
  core: Core,
  builderId: string,
  type: Type,
  data: EventFact[Type],
  ...[subjectId]: SubjectOf<Type>
): void {
  const event = writeEvent(core, type, data, { builderId, subjectId });
  writeSlice(core, { ...event, type, builderId, workspaceId: null, ...EVERYBODY });
}

/**
 * The same for an event that concerns one workspace: its members read it, and its subscribed endpoints get
 * it, but one where it is about that.
 */
export function recordWorkspaceEvent<Type extends WorkspaceEventType>(
  core: Core,
  workspaceId: string,
  type: Type,
  data: EventFact[Type],
  except?: string,
): void {
  const event = writeEvent(core, type, data, { workspaceId });
  writeSlice(core, { ...event, type, builderId: null, workspaceId, ...EVERYBODY }, except);
}

/**
 * Brings the oldest event that is not yet with all its subscribers to some more of them, and returns whether
 * there was one. Call it in a transaction, again and again.
 */
export function continueFanOut(core: Core): boolean {
  const event = selectFanOut(core);
  if (event) writeSlice(core, event);
  return event !== undefined;
}

function writeSlice(core: Core, event: FanOut, except?: string): void {
  const endpointIds = selectSubscribers(core, event, FAN_OUT_SLICE);
  for (const endpointId of endpointIds) if (endpointId !== except) writeDelivery(core, event, endpointId);
  const last = endpointIds.at(-1);
  if (last !== undefined && endpointIds.length === FAN_OUT_SLICE) saveFanOut(core, event.id, last);
  else if (event.afterEndpoint !== "") deleteFanOut(core, event.id);
}

/**
 * Brings an event to an endpoint that has no delivery of it, long after it fired: it is due now. Call it in a
 * transaction.
 */
export function deliverLate(core: Core, eventId: string, endpointId: string): void {
  writeDelivery(core, { id: eventId, createdAt: core.clock.now() }, endpointId);
}

/**
 * Writes an event that only one endpoint gets, and only its workspace sees; returns the delivery's id.
 * `webhook.test` names the endpoint; of any other type the payload is made up.
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

/** The envelope in which an event is delivered (docs/contract.md#V6.6). */
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
  /** All of it, as a delivery would send it now: JSON text. */
  body: string;
}

/** What of the log can be asked for, as it is sent; `readEventFilter` makes of it what `listEvents` takes. */
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
  /** Only events fired after this moment, in ms since the epoch. */
  since?: number | undefined;
  /** Only events behind this one in the log, whether or not the caller may read that one. */
  after?: string | undefined;
}

/** A filter that was checked by its schema. */
export function readEventFilter({ since, after }: Static<typeof EventFilter>): EventFilter {
  return { since: since === undefined ? undefined : parseTimestamp(since), after };
}

/**
 * The pull twin of the deliveries: all that this workspace may see, and in a workspace of their own what is
 * private to the caller, oldest first, for a receiver behind a firewall or after an outage. What the caller
 * lacks the scope of is left out, and so are events whose subject is gone, and `post.created` of a post that
 * was edited since (docs/contract.md#5.8). A page ends early before many events that are left out. An empty
 * page comes only at the end of the log: such events are skipped in slices, and other requests are answered
 * in between. Events are kept as long as `prune` is told. Needs `webhooks:read`. Throws, or rejects with,
 * bad_request for a cursor of another list, and for an `after` that one cannot go on from.
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
 * So many events are read behind a page that is not full; 500 take half a millisecond where none is listed.
 */
const READ_ON = 500;

/** Returns a page. Where events were read and none of them is listed, returns the id of the last one. */
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
  const slice = selectEvents(core, reader, { ...range, limit: limit + 1 });
  const { listed } = slice;
  let { lastId, isEnd } = slice;
  if (listed.length <= limit && !isEnd && lastId !== undefined) {
    const rest = { ...range, [backwards ? "below" : "above"]: lastId, limit: READ_ON };
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
 * Continues a page behind unlisted events: one slice in each turn of the event loop, fairly across readers.
 */
async function skipUnlisted(
  core: Core,
  caller: Caller,
  filter: EventFilter,
  request: PageRequest,
  walkedTo: string,
): Promise<Page<Event>> {
  const inTurn = core.memory(newReadingQueue);
  for (let place = walkedTo; ;) {
    const behind = { ...request, walkedTo: place };
    const page = await inTurn(caller.builderId ?? "", () => readPage(core, caller, filter, behind));
    if (typeof page !== "string") return page;
    place = page;
  }
}

const newReadingQueue = (): FairQueue => createFairQueue();

/**
 * What somebody asks for who follows the log: behind `lastId`, the last that they were told, or as the filter
 * says; with neither from now on. Needs `webhooks:read`.
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
 * Behind which place a walk begins: the later one, where a moment and a place are named. A walk that has
 * begun goes on where the event at its place is deleted with its owner's account.
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
    requireRetained(core, after, () => selectEvents(core, reader, { ...EVERYTHING, limit: 1 }).lastId);
  }
  const moment = since === undefined ? "" : lastIdAt("evt", since);
  return after !== undefined && after > moment ? after : moment;
}

const EVERYTHING = { above: "", below: "evt_~", order: "ASC" } as const;

/**
 * Many events at once, by their ids; those that this workspace or the caller may not see, or whose type's
 * scope they lack, are left out. One whose subject is gone has empty words. Needs `webhooks:read`.
 */
export function getEvents(core: Core, caller: Caller, ids: readonly string[]): Event[] {
  const events = selectEventsById(core, readerOf(caller), ids);
  noteScopes(caller, events);
  return events.map(withEmptyText).flatMap(toEvent);
}

/** As it reads now; nothing where its subject is gone. */
function toEvent({ id, ...row }: StoredEvent): Event[] {
  const { type } = row;
  const envelope = envelopeOf(row);
  if (!envelope) return [];
  const { created_at, data, body } = envelope;
  return [{ id, type, createdAt: Date.parse(created_at), data, body }];
}

/** A token's owner sees which of its scopes were never needed: those of what it was told were. */
function noteScopes({ noteScope }: Caller, events: readonly StoredEvent[]): void {
  if (noteScope)
    for (const type of new Set(events.map((event) => event.type))) noteScope(CATALOGUE[type].scope);
}

/** Needs `webhooks:read`, and each type its own scope: an event is read by who may read what it tells of. */
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
  const { id, createdAt } = nextPlace(core);
  const body = JSON.stringify({ id, type, created_at: isoTime(createdAt), data });
  insertEvent(core, { id, type, body, ...about, createdAt, traceparent: currentTraceparent(core) ?? null });
  return { id, createdAt };
}

function writeDelivery(core: Core, event: { id: string; createdAt: number }, endpointId: string): string {
  const id = core.makeId("dlv", event.createdAt);
  // Due by the clock that nobody sets back, and not by the log, whose moments may run ahead.
  insertDelivery(core, {
    id,
    eventId: event.id,
    endpointId,
    dueAt: core.clock.steady(),
    createdAt: event.createdAt,
  });
  // Heard before the commit and acted on after it: the loop claims in a transaction of its own.
  core.wake();
  return id;
}
