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
  type LogRowPosition,
  selectEnd,
  selectNewAttempts,
  selectNewEvents,
  selectNewMessages,
  selectNewNotifications,
  selectNewReplies,
  selectPosition,
} from "./live-store.ts";

/*
 * Live updates for listeners, without a broker. Each listener reads the tables from its own position, in the
 * order in which rows were stored. So a listener loses nothing while it is disconnected or when many rows are
 * written at once. The order is by row number and not by id, because the machine's clock may be set back.
 */

/** A new item. A client that passes its `id` as `after` continues with the next item. */
export interface LiveEvent<Item> {
  id: string;
  item: Item;
}

/**
 * The items after a position, and the next position. If `isMore` is true, the next batch can be read
 * immediately.
 */
export interface LiveBatch<Item> {
  events: LiveEvent<Item>[];
  position: LogRowPosition;
  isMore: boolean;
}

/** A stream of items that clients can listen to. */
export interface LiveSource<Item> {
  /**
   * Returns the position at which a listener starts. This is the position after the given id, or the end of
   * the log if no id is given. Needs the scope of `read`. Throws bad_request for an id of another stream, and
   * not_found for an unknown filter value.
   */
  begin(core: Core, caller: Caller, after: string | undefined): LogRowPosition;
  /** Returns the items after a position. */
  read(core: Core, caller: Caller, position: LogRowPosition): LiveBatch<Item>;
}

/** Rows per batch. */
const BATCH = 200;

/**
 * New posts of the feed. `tag` limits the posts to this tag, and `author` to this author
 * (case-insensitive). Needs `feed:read`.
 */
export function newPosts({ tag, author }: { tag?: string; author?: string } = {}): LiveSource<Post> {
  const isIncluded = (core: Core, post: Post): boolean =>
    (tag === undefined || post.tags.includes(tag)) &&
    (author === undefined || post.author.username === handleOf(core, author));
  return {
    begin(core, caller, after) {
      requireScope(caller, "feed:read");
      return startPosition(core, "events", "evt", after);
    },
    read: (core, caller, position) =>
      readEvents(
        core,
        position,
        { type: "post.created", builderId: null },
        (data) => data.post.id,
        (ids) => byId(getPosts(core, caller, ids).filter((post) => isIncluded(core, post))),
      ),
  };
}

/**
 * New visible replies. With `post`, only replies to this post. Needs `feed:read`. Throws not_found for a post
 * that the caller cannot see.
 */
export function newReplies({ post }: { post?: string } = {}): LiveSource<Post> {
  return {
    begin(core, caller, after) {
      requireScope(caller, "feed:read");
      if (post !== undefined) getPost(core, caller, post);
      return startPosition(core, "posts", "post", after);
    },
    read(core, caller, position) {
      const from = currentPosition(core, "posts", position);
      const rows = selectNewReplies(core, from, post ?? null, BATCH);
      const ids = rows.filter(({ isMeant }) => isMeant).map(({ id }) => id);
      const replies = byId(ids.length === 0 ? [] : getPosts(core, caller, ids));
      return toBatch(rows, from, ({ id }) => replies.get(id));
    },
  };
}

/**
 * Newly published jobs, optionally only those with one of the given stacks or of one company. Needs
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
      return startPosition(core, "events", "evt", after);
    },
    read: (core, caller, position) =>
      readEvents(
        core,
        position,
        { type: "job.published", builderId: null },
        (data) => data.job.id,
        (ids) => byId(getJobs(core, caller, ids).filter(isMeant)),
      ),
  };
}

/** The rise of a builder to a new level. */
export interface LevelUp {
  builderId: string;
  fromLevel: number;
  toLevel: number;
  badge: string;
}

/**
 * Builders who reach a new level, optionally only one builder (by username, case-insensitive). Needs
 * `profile:read`. Throws not_found for an unknown username.
 */
export function newLevels({ username }: { username?: string } = {}): LiveSource<LevelUp> {
  let meant: string | undefined;
  return {
    begin(core, caller, after) {
      requireScope(caller, "profile:read");
      if (username !== undefined) meant = getProfile(core, caller, username).id;
      return startPosition(core, "events", "evt", after);
    },
    read(core, caller, position) {
      requireScope(caller, "profile:read");
      const from = currentPosition(core, "events", position);
      const rows = selectNewEvents(core, from, { type: "xp.level_up", builderId: null }, BATCH);
      return toBatch(rows, from, ({ body }) => {
        if (body === null) return undefined;
        const { user_id, from_level, to_level, badge } = dataOf<"xp.level_up">(body);
        if (meant !== undefined && meant !== user_id) return undefined;
        return { builderId: user_id, fromLevel: from_level, toLevel: to_level, badge };
      });
    },
  };
}

/**
 * Jobs that match the caller's saved filters. With `filter`, only jobs whose best match is this filter. Needs
 * `jobs:read`. Throws not_found for a filter of another builder.
 */
export function newMatches({ filter }: { filter?: string } = {}): LiveSource<JobMatch> {
  return {
    begin(core, caller, after) {
      requireBuilder(caller, "jobs:read");
      if (filter !== undefined) getJobFilter(core, caller, filter);
      return startPosition(core, "events", "evt", after);
    },
    read(core, caller, position) {
      const { builderId } = requireBuilder(caller, "jobs:read");
      return readEvents(
        core,
        position,
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
 * Direct messages to the caller. With `thread`, only messages of this thread. Needs `messages:read`. Throws
 * not_found for a thread that the caller is not in.
 */
export function newMessages({ thread }: { thread?: string } = {}): LiveSource<Message> {
  return {
    begin(core, caller, after) {
      requireBuilder(caller, "messages:read");
      if (thread !== undefined) getThread(core, caller, thread);
      return startPosition(core, "messages", "msg", after);
    },
    read(core, caller, position) {
      const { builderId } = requireBuilder(caller, "messages:read");
      const from = currentPosition(core, "messages", position);
      const rows = selectNewMessages(core, from, builderId, BATCH);
      const ids = rows.filter(({ isTheirs }) => isTheirs).map(({ id }) => id);
      const found = ids.length === 0 ? [] : getMessages(core, caller, ids);
      const messages = byId(found.filter(({ threadId }) => thread === undefined || threadId === thread));
      return toBatch(rows, from, ({ id }) => messages.get(id));
    },
  };
}

/**
 * Notifications of the caller. A group that grows while it is unread is sent again with its new id. Needs
 * `notifications:read`.
 */
export function newNotifications(): LiveSource<Notification> {
  return {
    begin(core, caller, after) {
      requireBuilder(caller, "notifications:read");
      return startPosition(core, "notifications", "ntf", after);
    },
    read(core, caller, position) {
      const { builderId } = requireBuilder(caller, "notifications:read");
      const from = currentPosition(core, "notifications", position);
      const rows = selectNewNotifications(core, from, builderId, BATCH);
      const ids = rows.filter(({ isTheirs }) => isTheirs).map(({ id }) => id);
      const found = byId(ids.length === 0 ? [] : getNotifications(core, caller, ids));
      return toBatch(rows, from, ({ id }) => found.get(id));
    },
  };
}

/**
 * Deliveries to the caller's workspace that were acknowledged or failed finally. With `webhook`, only
 * deliveries to this endpoint. Needs `webhooks:read`. Throws not_found for an endpoint of another workspace.
 */
export function settledDeliveries({ webhook }: { webhook?: string } = {}): LiveSource<Delivery> {
  return {
    begin(core, caller, after) {
      requireBuilder(caller, "webhooks:read");
      if (webhook !== undefined) getEndpoint(core, caller, webhook);
      return startPosition(core, "attempts", "att", after);
    },
    read(core, caller, position) {
      const { workspaceId } = requireBuilder(caller, "webhooks:read");
      const from = currentPosition(core, "attempts", position);
      const rows = selectNewAttempts(core, from, workspaceId, BATCH);
      const ids = rows.flatMap(({ deliveryId }) => deliveryId ?? []);
      const found = ids.length === 0 ? [] : getDeliveries(core, caller, ids);
      const deliveries = byId(
        found.filter(({ endpointId }) => webhook === undefined || endpointId === webhook),
      );
      return toBatch(rows, from, ({ deliveryId }) => deliveries.get(deliveryId ?? ""));
    },
  };
}

/**
 * Reads events of one type after a position, with their subjects. `idOf` returns the id of an event's
 * subject, and `read` loads subjects by id.
 */
function readEvents<Type extends AnyEventType, Item>(
  core: Core,
  position: LogRowPosition,
  of: { type: Type; builderId: string | null },
  idOf: (data: EventData[Type]) => string,
  read: (ids: readonly string[]) => ReadonlyMap<string, Item>,
): LiveBatch<Item> {
  const from = currentPosition(core, "events", position);
  const rows = selectNewEvents(core, from, of, BATCH);
  const ids = new Map(
    rows.flatMap(({ id, body }) => (body === null ? [] : [[id, idOf(dataOf<Type>(body))] as const])),
  );
  const items = ids.size === 0 ? new Map<string, Item>() : read([...ids.values()]);
  return toBatch(rows, from, ({ id }) => items.get(ids.get(id) ?? ""));
}

function dataOf<Type extends AnyEventType>(body: string): EventData[Type] {
  return (JSON.parse(body) as { data: EventData[Type] }).data;
}

function startPosition(core: Core, log: Log, kind: IdKind, after: string | undefined): LogRowPosition {
  if (after === undefined) {
    const end = selectEnd(core, log);
    if (kind === "evt") return { ...end, id: momentOfLogEnd(core) };
    // The log is empty, so the listener starts at an id that sorts before all ids that will be created.
    return end.row === 0 ? { row: 0, id: lastIdAt(kind, 0) } : end;
  }
  if (!isId(kind, after)) throw refuse("event_not_of_stream");
  if (kind === "evt") requireInLog(core, after);
  return selectPosition(core, log, after);
}

/**
 * Returns a position with its current row number. The stored row number is wrong if the last rows were
 * deleted or if all rows were renumbered. In these cases the id finds the row.
 */
function currentPosition(core: Core, log: Log, position: LogRowPosition): LogRowPosition {
  return selectEnd(core, log).row < position.row ? selectPosition(core, log, position.id) : position;
}

function toBatch<Row extends LogRowPosition, Item>(
  rows: readonly Row[],
  from: LogRowPosition,
  itemOf: (row: Row) => Item | undefined,
): LiveBatch<Item> {
  const last = rows.at(-1);
  return {
    events: rows.flatMap((row) => {
      const item = itemOf(row);
      return item === undefined ? [] : [{ id: row.id, item }];
    }),
    position: last ? { row: last.row, id: last.id } : from,
    isMore: rows.length === BATCH,
  };
}

function byId<Item extends { id: string }>(items: readonly Item[]): ReadonlyMap<string, Item> {
  return new Map(items.map((item) => [item.id, item]));
}
