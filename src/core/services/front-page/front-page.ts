import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { valuesOfVersion, type VersionValues } from "../../base/values-of-version.ts";
import { lastIdAt } from "../../base/ids.ts";
import { type Caller, requireScope } from "../../identity/access/caller.ts";
import type { Post } from "../../community/feed/feed.ts";
import { blockedAmong } from "../../community/messages/blocks.ts";
import { selectActiveMembers, selectBestReplies, selectTagsInUse } from "./front-page-store.ts";

/*
 * The best reply under a busy thread, the tags in use, and the members who are active
 * (docs/contract.md#9.42). Everybody who may read the feed may read them.
 */

/** A reply that the feed quotes under its post. */
export interface BestReply {
  id: string;
  authorId: string;
  author: { username: string; name: string };
  text: string;
  /** The id of the last edit. Null if the reply was never edited. */
  revision: string | null;
}

/** Number of replies from which a thread is busy. */
const BUSY = 3;

const keptReplies = (): VersionValues<BestReply | null> => ({ version: undefined, values: new Map() });

/**
 * Returns the most liked reply under each busy post of a list, by the post's id. Leaves out hidden replies
 * and replies without likes. Also leaves out replies of the post's author, of suspended members, and of
 * members whom the caller has blocked. Runs one statement, and none if nothing has changed since the last
 * list. Needs `feed:read`.
 */
export function bestReplies(
  core: Core,
  caller: Caller,
  posts: readonly Post[],
): ReadonlyMap<string, BestReply> {
  requireScope(caller, "feed:read");
  const busy = posts.filter(
    ({ rootId, hiddenAt, metrics }) => rootId === null && hiddenAt === null && metrics.replies >= BUSY,
  );
  if (busy.length === 0) return new Map();
  const known = valuesOfVersion(core, keptReplies);
  const unread = busy.filter(({ id }) => !known.has(id));
  const read = unread.length > 0 ? selectBestReplies(core, unread) : undefined;
  for (const { id } of unread) known.set(id, read?.get(id) ?? null);
  const best = busy.flatMap(({ id }) => {
    const reply = known.get(id);
    return reply ? [[id, reply] as const] : [];
  });
  const blocked = blockedBy(
    core,
    caller,
    best.map(([, { authorId }]) => authorId),
  );
  return new Map(best.filter(([, { authorId }]) => !blocked.has(authorId)));
}

/** Returns the tags that most members use in the newest posts. Needs `feed:read`. */
export function tagsInUse(core: Core, caller: Caller, limit: number): string[] {
  requireScope(caller, "feed:read");
  return selectTagsInUse(core, limit);
}

/** A member with a post or reply of the last days. */
export interface ActiveMember {
  id: string;
  username: string;
  name: string;
}

/** How long after a post or reply its author is here. */
const HERE_MS = 14 * DAY;

/**
 * Returns the members who posted or replied in the last 14 days, last active first. Only what everybody can
 * read counts, so nobody learns who reads. Leaves out suspended members. Needs `feed:read`.
 */
export function activeMembers(core: Core, caller: Caller, limit: number): ActiveMember[] {
  requireScope(caller, "feed:read");
  return selectActiveMembers(core, lastIdAt("post", core.clock.now() - HERE_MS), limit);
}

/** Returns which of the members the caller has blocked. A guest has blocked nobody. */
export function blockedBy(core: Core, caller: Caller, ids: readonly string[]): ReadonlySet<string> {
  return caller.builderId === null || ids.length === 0 ? new Set() : blockedAmong(core, caller, ids);
}
