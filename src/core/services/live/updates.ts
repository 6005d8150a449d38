import type { Caller } from "../../identity/access/caller.ts";
import { countUnread } from "../../community/messages/messages.ts";
import { requireBuilder } from "../../identity/access/caller.ts";
import type { Core } from "../../base/core.ts";
import { countNotifications } from "../notifications/notifications.ts";
import { type LiveSource, newMessages, newPosts, newReplies } from "./live.ts";
import type { LogRowPosition } from "./live-store.ts";

/**
 * Tells an open page what has changed. An update contains only counts and ids; the page requests the content
 * separately.
 */
export interface LiveUpdate {
  /**
   * Id of this update. The id contains the positions in the logs up to which the update reports. A client
   * that passes this id as `after` continues after these positions.
   */
  id: string;
  /** Number of new posts of other members on the feed. */
  posts: number;
  /** Ids of conversations with new content: posts that got replies, and message threads. */
  talks: string[];
  /**
   * Whether updates were skipped because the client was disconnected for too long. Any conversation may then
   * have new content, even one that is not in `talks`.
   */
  isCut: boolean;
  /** Current number of unread messages and notifications. */
  unread: { messages: number; notifications: number };
}

/** A listener's positions in the logs. */
export interface LiveUpdates {
  read(core: Core, caller: Caller): LiveUpdate;
}

/** The logs that are read for updates. The id of an update lists the positions in the same order. */
const SOURCES = { posts: newPosts(), replies: newReplies(), messages: newMessages() } as const;

/**
 * Starts to follow updates, from now or after the given id. An invalid id starts from now. Needs `feed:read`,
 * `messages:read` and `notifications:read`.
 */
export function followUpdates(core: Core, caller: Caller, after: string | undefined): LiveUpdates {
  requireBuilder(caller, "messages:read");
  const positions = positionsOf(core, caller, after);
  return {
    read(core, caller) {
      const batches = {
        posts: readAll(core, caller, SOURCES.posts, positions.posts),
        replies: readAll(core, caller, SOURCES.replies, positions.replies),
        messages: readAll(core, caller, SOURCES.messages, positions.messages),
      };
      const { builderId } = requireBuilder(caller, "messages:read");
      return {
        id: idOf(positions),
        isCut: Object.values(batches).some(({ isCut }) => isCut),
        posts: batches.posts.items.filter(({ authorId }) => authorId !== builderId).length,
        talks: [
          ...new Set([
            ...batches.replies.items.flatMap(({ rootId }) => rootId ?? []),
            ...batches.messages.items.map(({ threadId }) => threadId),
          ]),
        ],
        unread: { messages: countUnread(core, caller), notifications: countNotifications(core, caller) },
      };
    },
  };
}

/**
 * Returns the id of the current positions. A page is rendered with this id, so that no update is lost between
 * the page and its stream.
 */
export function currentUpdate(core: Core, caller: Caller): string {
  return idOf(positionsOf(core, caller, undefined));
}

/** Position in a log. The position advances as the log is read. */
interface Walk {
  at: LogRowPosition;
}

type Positions = Record<keyof typeof SOURCES, Walk>;

function positionsOf(core: Core, caller: Caller, after: string | undefined): Positions {
  const [posts, replies, messages] = after === undefined ? [] : after.split(".");
  return {
    posts: begin(core, caller, SOURCES.posts, posts),
    replies: begin(core, caller, SOURCES.replies, replies),
    messages: begin(core, caller, SOURCES.messages, messages),
  };
}

function idOf({ posts, replies, messages }: Positions): string {
  return [posts, replies, messages].map(({ at }) => at.id).join(".");
}

function begin<Item>(core: Core, caller: Caller, channel: LiveSource<Item>, after: string | undefined): Walk {
  if (after) {
    try {
      return { at: channel.begin(core, caller, after) };
    } catch {
      // Starts from now.
    }
  }
  return { at: channel.begin(core, caller, undefined) };
}

/**
 * Maximum number of batches that `readAll` reads. Reading this many batches takes a few milliseconds. The
 * limit is needed because a client can send a position that is a million rows back.
 */
const BATCHES_MAX = 5;

/** Reads all batches up to the end of the log. If the end is too many batches away, skips to the end. */
function readAll<Item>(
  core: Core,
  caller: Caller,
  channel: LiveSource<Item>,
  walk: Walk,
): { items: Item[]; isCut: boolean } {
  const items: Item[] = [];
  for (let batches = 0; batches < BATCHES_MAX; batches++) {
    const batch = channel.read(core, caller, walk.at);
    items.push(...batch.events.map(({ item }) => item));
    walk.at = batch.position;
    if (!batch.isMore) return { items, isCut: false };
  }
  walk.at = channel.begin(core, caller, undefined);
  return { items, isCut: true };
}
