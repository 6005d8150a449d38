import { type Caller, requireBuilder, requireScope } from "../../identity/access/caller.ts";
import { handleOf } from "../../identity/builders/builders.ts";
import type { Core } from "../../base/core.ts";
import { type Delivery, getDeliveries } from "../../outbox/deliveries/delivery-log.ts";
import { refuse } from "../../base/errors.ts";
import { momentOfLogEnd, requireInLog } from "../../outbox/events/log.ts";
import type { AnyEventType, EventData } from "../../outbox/events/catalogue.ts";
import { getPost, getPosts, type Post } from "../../community/feed/feed.ts";
import { type IdKind, isId, lastIdAt } from "../../base/ids.ts";
import { getJobFilter } from "../../community/jobs/job-filters.ts";
import { getJobMatches, type JobMatch } from "../../community/jobs/matching.ts";
import { getJobs } from "../../community/jobs/jobs.ts";
import { type Job } from "../../community/jobs/job.ts";
import { getMessages, getThread, type Message } from "../../community/messages/messages.ts";
import { getNotifications, type Notification } from "../notifications/notifications.ts";
import { getProfile } from "../../community/profiles/profiles.ts";
import { getEndpoint } from "../../outbox/webhooks/webhooks.ts";
import {
  type Log,
  type Place,
  selectEnd,
  selectNewAttempts,
  selectNewEvents,
  selectNewMessages,
  selectNewNotifications,
  selectNewReplies,
  selectPlace,
} from "./live-store.ts";

/*
 * What happens, for those who listen. Nobody is told by a broker: each listener reads the tables again behind
 * the place where it was, in the order in which things were stored, so that nothing is lost when it was away
 * or many things came at once. Rows are told by their order of arrival and not by their ids, as the machine's
 * clock may be set back.
 */

/** One thing told. `id` names its place: who passes it as `after` is told what came behind it. */
export interface LiveEvent<Thing> {
  id: string;
  thing: Thing;
}

/** The events after a position, and the next position. `isMore` means that the next batch is ready now. */
export interface LiveBatch<Thing> {
  events: LiveEvent<Thing>[];
  place: Place;
  isMore: boolean;
}

/** A thing to listen to. */
export interface LiveSource<Thing> {
  /**
   * Where a listener begins: at the end, or behind what was told last. Needs the scope of `read`. Throws
   * bad_request for a foreign id, and what the thing throws that it listens to.
   */
  begin(core: Core, caller: Caller, after: string | undefined): Place;
  /** What came since. */
  read(core: Core, caller: Caller, place: Place): LiveBatch<Thing>;
}

/** So many rows are read at once. */
const SLICE = 200;

/**
 * Posts that land on the feed: all, or those with a tag, or of one author (in any case). Needs `feed:read`.
 */
export function newPosts({ tag, author }: { tag?: string; author?: string } = {}): LiveSource<Post> {
  const isMeant = (core: Core, post: Post): boolean =>
    (tag === undefined || post.tags.includes(tag)) &&
    (author === undefined || post.author.username === handleOf(core, author));
  return {
    begin(core, caller, after) {
      requireScope(caller, "feed:read");
      return placeIn(core, "events", "evt", after);
    },
    read: (core, caller, place) =>
      readEvents(
        core,
        place,
        { type: "post.created", builderId: null },
        (data) => data.post.id,
        (ids) => byId(getPosts(core, caller, ids).filter((post) => isMeant(core, post))),
      ),
  };
}

/**
 * Replies that everybody sees: all, or those under one post. Needs `feed:read`. Throws not_found for a post
 * that is not there to see.
 */
export function newReplies({ post }: { post?: string } = {}): LiveSource<Post> {
  return {
    begin(core, caller, after) {
      requireScope(caller, "feed:read");
      if (post !== undefined) getPost(core, caller, post);
      return placeIn(core, "posts", "post", after);
    },
    read(core, caller, place) {
      const from = current(core, "posts", place);
      const rows = selectNewReplies(core, from, post ?? null, SLICE);
      const ids = rows.filter(({ isMeant }) => isMeant).map(({ id }) => id);
      const replies = byId(ids.length === 0 ? [] : getPosts(core, caller, ids));
      return news(rows, from, ({ id }) => replies.get(id));
    },
  };
}

/**
 * Jobs that go live on the board: all, or those with any of these stacks, or of one company. Needs
 * `jobs:read`.
 */
export function newJobs({
  stack,
  company,
}: { stack?: readonly string[]; company?: string } = {}): LiveSource<Job> {
  const isMeant = (job: Job): boolean =>
    job.state === "open" &&
    (stack === undefined || stack.length === 0 || job.stack.some((one) => stack.includes(one))) &&
    (company === undefined || job.company.slug === company);
  return {
    begin(core, caller, after) {
      requireScope(caller, "jobs:read");
      return placeIn(core, "events", "evt", after);
    },
    read: (core, caller, place) =>
      readEvents(
        core,
        place,
        { type: "job.published", builderId: null },
        (data) => data.job.id,
        (ids) => byId(getJobs(core, caller, ids).filter(isMeant)),
      ),
  };
}

/** Somebody's way into a new level. */
export interface LevelUp {
  builderId: string;
  fromLevel: number;
  toLevel: number;
  badge: string;
}

/**
 * Builders who reach a new level: all, or one of them (by their handle, in any case). Needs `profile:read`.
 * Throws not_found for nobody's.
 */
export function newLevels({ username }: { username?: string } = {}): LiveSource<LevelUp> {
  let meant: string | undefined;
  return {
    begin(core, caller, after) {
      requireScope(caller, "profile:read");
      if (username !== undefined) meant = getProfile(core, caller, username).id;
      return placeIn(core, "events", "evt", after);
    },
    read(core, caller, place) {
      requireScope(caller, "profile:read");
      const from = current(core, "events", place);
      const rows = selectNewEvents(core, from, { type: "xp.level_up", builderId: null }, SLICE);
      return news(rows, from, ({ body }) => {
        if (body === null) return undefined;
        const { user_id, from_level, to_level, badge } = dataOf<"xp.level_up">(body);
        if (meant !== undefined && meant !== user_id) return undefined;
        return { builderId: user_id, fromLevel: from_level, toLevel: to_level, badge };
      });
    },
  };
}

/**
 * Jobs that match the caller's saved filters: all, or those that fit one filter best. Needs `jobs:read`.
 * Throws not_found for a filter of others.
 */
export function newMatches({ filter }: { filter?: string } = {}): LiveSource<JobMatch> {
  return {
    begin(core, caller, after) {
      requireBuilder(caller, "jobs:read");
      if (filter !== undefined) getJobFilter(core, caller, filter);
      return placeIn(core, "events", "evt", after);
    },
    read(core, caller, place) {
      const { builderId } = requireBuilder(caller, "jobs:read");
      return readEvents(
        core,
        place,
        { type: "job.matched", builderId },
        (data) => data.job_id,
        (ids) =>
          new Map(
            getJobMatches(core, caller, ids)
              .filter(({ filterId }) => filter === undefined || filterId === filter)
              .map((match) => [match.job.id, match]),
          ),
      );
    },
  };
}

/**
 * Direct messages to the caller: all, or those of one thread. Needs `messages:read`. Throws not_found for a
 * thread of others.
 */
export function newMessages({ thread }: { thread?: string } = {}): LiveSource<Message> {
  return {
    begin(core, caller, after) {
      requireBuilder(caller, "messages:read");
      if (thread !== undefined) getThread(core, caller, thread);
      return placeIn(core, "messages", "msg", after);
    },
    read(core, caller, place) {
      const { builderId } = requireBuilder(caller, "messages:read");
      const from = current(core, "messages", place);
      const rows = selectNewMessages(core, from, builderId, SLICE);
      const ids = rows.filter(({ isTheirs }) => isTheirs).map(({ id }) => id);
      const found = ids.length === 0 ? [] : getMessages(core, caller, ids);
      const messages = byId(found.filter(({ threadId }) => thread === undefined || threadId === thread));
      return news(rows, from, ({ id }) => messages.get(id));
    },
  };
}

/**
 * What the caller is told. A group that grows while it is unread is told again, under its new id. Needs
 * `notifications:read`.
 */
export function newNotifications(): LiveSource<Notification> {
  return {
    begin(core, caller, after) {
      requireBuilder(caller, "notifications:read");
      return placeIn(core, "notifications", "ntf", after);
    },
    read(core, caller, place) {
      const { builderId } = requireBuilder(caller, "notifications:read");
      const from = current(core, "notifications", place);
      const rows = selectNewNotifications(core, from, builderId, SLICE);
      const ids = rows.filter(({ isTheirs }) => isTheirs).map(({ id }) => id);
      const found = byId(ids.length === 0 ? [] : getNotifications(core, caller, ids));
      return news(rows, from, ({ id }) => found.get(id));
    },
  };
}

/**
 * Deliveries to the caller's workspace that were acknowledged or failed for good: all, or those to one
 * endpoint. Needs `webhooks:read`. Throws not_found for an endpoint of others.
 */
export function settledDeliveries({ webhook }: { webhook?: string } = {}): LiveSource<Delivery> {
  return {
    begin(core, caller, after) {
      requireBuilder(caller, "webhooks:read");
      if (webhook !== undefined) getEndpoint(core, caller, webhook);
      return placeIn(core, "attempts", "att", after);
    },
    read(core, caller, place) {
      const { workspaceId } = requireBuilder(caller, "webhooks:read");
      const from = current(core, "attempts", place);
      const rows = selectNewAttempts(core, from, workspaceId, SLICE);
      const ids = rows.flatMap(({ deliveryId }) => deliveryId ?? []);
      const found = ids.length === 0 ? [] : getDeliveries(core, caller, ids);
      const deliveries = byId(
        found.filter(({ endpointId }) => webhook === undefined || endpointId === webhook),
      );
      return news(rows, from, ({ deliveryId }) => deliveries.get(deliveryId ?? ""));
    },
  };
}

/**
 * Events of one type behind a place, with the things they are about: `idOf` finds the thing's id, `read` the
 * things.
 */
function readEvents<Type extends AnyEventType, Thing>(
  core: Core,
  place: Place,
  of: { type: Type; builderId: string | null },
  idOf: (data: EventData[Type]) => string,
  read: (ids: readonly string[]) => ReadonlyMap<string, Thing>,
): LiveBatch<Thing> {
  const from = current(core, "events", place);
  const rows = selectNewEvents(core, from, of, SLICE);
  const ids = new Map(
    rows.flatMap(({ id, body }) => (body === null ? [] : [[id, idOf(dataOf<Type>(body))] as const])),
  );
  const things = ids.size === 0 ? new Map<string, Thing>() : read([...ids.values()]);
  return news(rows, from, ({ id }) => things.get(ids.get(id) ?? ""));
}

function dataOf<Type extends AnyEventType>(body: string): EventData[Type] {
  return (JSON.parse(body) as { data: EventData[Type] }).data;
}

function placeIn(core: Core, log: Log, kind: IdKind, after: string | undefined): Place {
  if (after === undefined) {
    const end = selectEnd(core, log);
    if (kind === "evt") return { ...end, id: momentOfLogEnd(core) };
    // Of an empty log the id is before all that come.
    return end.row === 0 ? { row: 0, id: lastIdAt(kind, 0) } : end;
  }
  if (!isId(kind, after)) throw refuse("event_not_of_stream");
  if (kind === "evt") requireInLog(core, after);
  return selectPlace(core, log, after);
}

/**
 * Where the last rows were deleted, or all of them numbered anew, the row's number means nothing any more.
 */
function current(core: Core, log: Log, place: Place): Place {
  return selectEnd(core, log).row < place.row ? selectPlace(core, log, place.id) : place;
}

function news<Row extends Place, Thing>(
  rows: readonly Row[],
  from: Place,
  thingOf: (row: Row) => Thing | undefined,
): LiveBatch<Thing> {
  const last = rows.at(-1);
  return {
    events: rows.flatMap((row) => {
      const thing = thingOf(row);
      return thing === undefined ? [] : [{ id: row.id, thing }];
    }),
    place: last ? { row: last.row, id: last.id } : from,
    isMore: rows.length === SLICE,
  };
}

function byId<Thing extends { id: string }>(things: readonly Thing[]): ReadonlyMap<string, Thing> {
  return new Map(things.map((thing) => [thing.id, thing]));
}
