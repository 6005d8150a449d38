import type { Caller } from "../../identity/access/caller.ts";
import { countUnread } from "../../community/messages/messages.ts";
import { requireBuilder } from "../../identity/access/caller.ts";
import type { Core } from "../../base/core.ts";
import { countNotifications } from "../notifications/notifications.ts";
import { type LiveSource, newMessages, newPosts, newReplies } from "./live.ts";
import type { Place } from "./live-store.ts";

/** What has happened that an open page may show, and nothing of what it says: a page asks for that itself. */
export interface LiveUpdate {
  /** Names the places up to which it was told; who passes it as `after` is told what came behind them. */
  id: string;
  /** How many posts of others have landed on the feed. */
  posts: number;
  /** Where something was said: the ids of posts that were replied to, and of threads. */
  talks: string[];
  /**
   * Whether more has happened than is told here, as somebody was away for long: any conversation may have
   * gone on.
   */
  isCut: boolean;
  /** What waits for whoever listens, at this moment. */
  unread: { messages: number; notifications: number };
}

/** Somebody's places in the logs. */
export interface LiveUpdates {
  read(core: Core, caller: Caller): LiveUpdate;
}

/** The logs that are followed, in the order in which an id names their places. */
const SOURCES = { posts: newPosts(), replies: newReplies(), messages: newMessages() } as const;

/**
 * Begins to follow what happens, now or behind the id of what was told last; one that is none begins now. For
 * whoever has signed in: needs `feed:read`, `messages:read` and `notifications:read`.
 */
export function followUpdates(core: Core, caller: Caller, after: string | undefined): LiveUpdates {
  requireBuilder(caller, "messages:read");
  const places = placesOf(core, caller, after);
  return {
    read(core, caller) {
      const batches = {
        posts: readAll(core, caller, SOURCES.posts, places.posts),
        replies: readAll(core, caller, SOURCES.replies, places.replies),
        messages: readAll(core, caller, SOURCES.messages, places.messages),
      };
      const { builderId } = requireBuilder(caller, "messages:read");
      return {
        id: idOf(places),
        isCut: Object.values(batches).some(({ isCut }) => isCut),
        posts: batches.posts.things.filter(({ authorId }) => authorId !== builderId).length,
        talks: [
          ...new Set([
            ...batches.replies.things.flatMap(({ rootId }) => rootId ?? []),
            ...batches.messages.things.map(({ threadId }) => threadId),
          ]),
        ],
        unread: { messages: countUnread(core, caller), notifications: countNotifications(core, caller) },
      };
    },
  };
}

/** The id of now: what a page is drawn with, so that nothing is lost between it and its stream. */
export function currentUpdate(core: Core, caller: Caller): string {
  return idOf(placesOf(core, caller, undefined));
}

/** Where somebody is in a log; it moves as they read. */
interface Walk {
  at: Place;
}

type Places = Record<keyof typeof SOURCES, Walk>;

function placesOf(core: Core, caller: Caller, after: string | undefined): Places {
  const [posts, replies, messages] = after === undefined ? [] : after.split(".");
  return {
    posts: begin(core, caller, SOURCES.posts, posts),
    replies: begin(core, caller, SOURCES.replies, replies),
    messages: begin(core, caller, SOURCES.messages, messages),
  };
}

function idOf({ posts, replies, messages }: Places): string {
  return [posts, replies, messages].map(({ at }) => at.id).join(".");
}

function begin<Thing>(
  core: Core,
  caller: Caller,
  channel: LiveSource<Thing>,
  after: string | undefined,
): Walk {
  const now = channel.begin(core, caller, undefined);
  try {
    return { at: channel.begin(core, caller, after || undefined) };
  } catch {
    return { at: now };
  }
}

/** So many slices of a log are read at once, in some ms: a made-up place may lie a million rows back. */
const SLICES_MAX = 5;

/** Slice by slice, up to the end; where that is far, what lies between is left out. */
function readAll<Thing>(
  core: Core,
  caller: Caller,
  channel: LiveSource<Thing>,
  walk: Walk,
): { things: Thing[]; isCut: boolean } {
  const things: Thing[] = [];
  for (let slices = 0; slices < SLICES_MAX; slices++) {
    const news = channel.read(core, caller, walk.at);
    things.push(...news.events.map(({ thing }) => thing));
    walk.at = news.place;
    if (!news.isMore) return { things, isCut: false };
  }
  walk.at = channel.begin(core, caller, undefined);
  return { things, isCut: true };
}
