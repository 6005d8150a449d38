import { type Caller, requireBuilder, requireScope } from "../access/caller.ts";
import type { Core } from "../core.ts";
import { type Delivery, getDeliveries } from "../deliveries/delivery-log.ts";
import { badRequest } from "../errors.ts";
import { getPosts, type Post } from "../feed/feed.ts";
import { type IdKind, isId } from "../ids.ts";
import { getJobMatches, type JobMatch } from "../job-filters/matching.ts";
import { getMessages, type Message } from "../messages/messages.ts";
import {
  type Log,
  type Place,
  selectEnd,
  selectNewAttempts,
  selectNewEvents,
  selectNewMessages,
  selectPlace,
} from "./live-store.ts";

/*
 * What happens, for those who listen. Nobody is told by a broker: each listener reads the tables again behind the place where it
 * was, in the order in which things were stored, so that nothing is lost when it was away or many things came at once. Rows
 * are told by their order of arrival and not by their ids, as the machine's clock may be set back.
 */

/** One thing told. `id` names its place: who passes it as `after` is told what came behind it. */
export interface Told<Thing> {
  id: string;
  thing: Thing;
}

/** What came behind a place, and the place to go on from; `isMore` where it has to be asked again at once. */
export interface News<Thing> {
  told: Told<Thing>[];
  place: Place;
  isMore: boolean;
}

/** A thing to listen to. */
export interface Channel<Thing> {
  /** Where a listener begins: at the end, or behind what was told last. Needs the scope of `read`. Throws bad_request for a foreign id. */
  begin(core: Core, caller: Caller, after: string | undefined): Place;
  /** What came since. */
  read(core: Core, caller: Caller, place: Place): News<Thing>;
}

/** So many rows are read at once. */
const SLICE = 200;

/** Posts that land on the feed. Needs `feed:read`. */
export const newPosts: Channel<Post> = {
  begin(core, caller, after) {
    requireScope(caller, "feed:read");
    return placeIn(core, "events", "evt", after);
  },
  read(core, caller, place) {
    const from = current(core, "events", place);
    const rows = selectNewEvents(core, from, { type: "post.created", builderId: null }, SLICE);
    const ids = new Map(
      rows.flatMap(({ id, body }) => (body === null ? [] : [[id, JSON.parse(body).data.post.id as string]])),
    );
    const posts = byId(ids.size === 0 ? [] : getPosts(core, caller, [...ids.values()]));
    return news(rows, from, ({ id }) => posts.get(ids.get(id) ?? ""));
  },
};

/** Jobs that match the caller's saved filters. Needs `jobs:read`. */
export const newMatches: Channel<JobMatch> = {
  begin(core, caller, after) {
    requireBuilder(caller, "jobs:read");
    return placeIn(core, "events", "evt", after);
  },
  read(core, caller, place) {
    const { builderId } = requireBuilder(caller, "jobs:read");
    const from = current(core, "events", place);
    const rows = selectNewEvents(core, from, { type: "job.matched", builderId }, SLICE);
    const ids = new Map(
      rows.flatMap(({ id, body }) => (body === null ? [] : [[id, JSON.parse(body).data.job_id as string]])),
    );
    const matches = ids.size === 0 ? [] : getJobMatches(core, caller, [...ids.values()]);
    const byJob = new Map(matches.map((match) => [match.job.id, match]));
    return news(rows, from, ({ id }) => byJob.get(ids.get(id) ?? ""));
  },
};

/** Direct messages to the caller. Needs `messages:read`. */
export const newMessages: Channel<Message> = {
  begin(core, caller, after) {
    requireBuilder(caller, "messages:read");
    return placeIn(core, "messages", "msg", after);
  },
  read(core, caller, place) {
    const { builderId } = requireBuilder(caller, "messages:read");
    const from = current(core, "messages", place);
    const rows = selectNewMessages(core, from, builderId, SLICE);
    const ids = rows.filter(({ isTheirs }) => isTheirs).map(({ id }) => id);
    const messages = byId(ids.length === 0 ? [] : getMessages(core, caller, ids));
    return news(rows, from, ({ id }) => messages.get(id));
  },
};

/** Deliveries to the caller's workspace that were acknowledged or failed for good. Needs `webhooks:read`. */
export const settledDeliveries: Channel<Delivery> = {
  begin(core, caller, after) {
    requireBuilder(caller, "webhooks:read");
    return placeIn(core, "attempts", "att", after);
  },
  read(core, caller, place) {
    const { workspaceId } = requireBuilder(caller, "webhooks:read");
    const from = current(core, "attempts", place);
    const rows = selectNewAttempts(core, from, workspaceId, SLICE);
    const ids = rows.flatMap(({ deliveryId }) => deliveryId ?? []);
    const deliveries = byId(ids.length === 0 ? [] : getDeliveries(core, caller, ids));
    return news(rows, from, ({ deliveryId }) => deliveries.get(deliveryId ?? ""));
  },
};

function placeIn(core: Core, log: Log, kind: IdKind, after: string | undefined): Place {
  if (after === undefined) return selectEnd(core, log);
  if (!isId(kind, after))
    throw badRequest("`after` must be the id of an event of this stream, as it came with it.");
  return selectPlace(core, log, after);
}

/** Where the last rows were deleted, or all of them numbered anew, the row's number means nothing any more. */
function current(core: Core, log: Log, place: Place): Place {
  return selectEnd(core, log).row < place.row ? selectPlace(core, log, place.id) : place;
}

function news<Row extends Place, Thing>(
  rows: readonly Row[],
  from: Place,
  thingOf: (row: Row) => Thing | undefined,
): News<Thing> {
  const last = rows.at(-1);
  return {
    told: rows.flatMap((row) => {
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
