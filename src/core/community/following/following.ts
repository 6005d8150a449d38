import { type Static, Type } from "@sinclair/typebox";
import { type Caller, requireBuilder } from "../../identity/access/caller.ts";
import { handleOf } from "../../identity/builders/builders.ts";
import { notify, withdrawNotification } from "../../identity/notifications/notify.ts";
import { isSlug } from "../../base/check.ts";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import { cursorKey, type CursorKey, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import { DisplayText, Timestamp } from "../../base/view.ts";
import { getProfiles, type Profile } from "../profiles/profiles.ts";
import {
  countFollowed,
  countFollowedTags,
  deleteFollow,
  deleteFollowedTag,
  findFollowable,
  type Followable,
  insertFollow,
  insertFollowedTag,
  isFollowing,
  isFollowingTag,
  selectFollowed,
  selectFollowedAmong,
  selectFollowedTags,
  selectFollowedTagsAmong,
} from "./following-store.ts";

/*
 * The builders and tags that a builder follows (docs/contract.md#4.20). Only the builder sees these lists.
 * Other members see the number of a builder's followers. A followed builder is notified of each new follower.
 */

/**
 * Maximum numbers of followed builders and tags. The limits exist because the followed feed merges one index
 * range per followed builder and tag. The v1 specification sets no such limits.
 */
export const FOLLOWED_MAX = { builders: 1000, tags: 200 } as const;

export const FollowingView = Type.Object(
  {
    following: Type.Boolean({ description: "Whether you follow the builder now.", examples: [true] }),
    followers: Type.Integer({
      description: "The number of builders who follow this builder.",
      examples: [12],
    }),
  },
  { $id: "Following" },
);

export interface Following extends Static<typeof FollowingView> {
  builderId: string;
}

export interface FollowedProfile extends Profile {
  /** Time of the follow, in ms since the epoch. */
  followedAt: number;
}

export const TagFollowingView = Type.Object(
  { following: Type.Boolean({ description: "Whether you follow the tag now.", examples: [true] }) },
  { $id: "TagFollowing" },
);

export const FollowedTagView = Type.Object(
  {
    tag: DisplayText("The tag, as a slug.", "rust"),
    createdAt: Timestamp({ description: "The time at which you followed the tag." }),
  },
  { $id: "FollowedTag" },
);
export type FollowedTag = Static<typeof FollowedTagView>;

/**
 * Follows a builder as the caller. Idempotent. Needs `profile:write`. Throws not_found, and unprocessable for
 * the caller's own account. Throws forbidden for a suspended builder, and for a builder who has blocked the
 * caller. Both cases have the same message. Throws conflict for a builder whom the caller has blocked, and if
 * the caller already follows the maximum number of builders.
 */
export function followBuilder(core: Core, caller: Caller, username: string): Following {
  const { builderId: followerId } = requireBuilder(caller, "profile:write");
  return core.db.transact(() => {
    const target = getFollowable(core, followerId, username);
    refuseFollowing(followerId, target);
    if (isFollowing(core, followerId, target.id)) return followingOf(target, true);
    refuseMany("follows_too_many", countFollowed(core, followerId), FOLLOWED_MAX.builders);
    insertFollow(core, { followerId, followedId: target.id, createdAt: core.clock.now() });
    notifyOnceADay(core, followerId, target.id);
    return followingOf(getFollowable(core, followerId, username), true);
  });
}

/** Ends the caller's follow of a builder, if any. Needs `profile:write`. Throws not_found. */
export function unfollowBuilder(core: Core, caller: Caller, username: string): Following {
  const { builderId: followerId } = requireBuilder(caller, "profile:write");
  return core.db.transact(() => {
    const { id } = getFollowable(core, followerId, username);
    removeFollow(core, followerId, id);
    return followingOf(getFollowable(core, followerId, username), false);
  });
}

/**
 * Ends the follows between two builders in both directions. Called when one of the two builders blocks the
 * other. The calling operation must check permissions. Call it in a transaction.
 */
export function unfollowEachOther(core: Core, one: string, other: string): void {
  removeFollow(core, one, other);
  removeFollow(core, other, one);
}

/**
 * Returns the builders that the caller follows, newest follow first. Leaves out suspended builders until the
 * builders are restored. Needs `profile:read`. Throws bad_request for a cursor of another list.
 */
export function listFollowing(core: Core, caller: Caller, request: PageRequest): Page<FollowedProfile> {
  const { builderId } = requireBuilder(caller, "profile:read");
  const scope = { list: "following", filters: { builderId } };
  const key = cursorKey(request, scope, isBuilderKey);
  const followed = selectFollowed(core, builderId, request, key);
  const profiles = new Map(
    getProfiles(
      core,
      caller,
      followed.map(({ id }) => id),
    ).map((one) => [one.id, one]),
  );
  const rows = followed.flatMap(({ id, createdAt }) => {
    const profile = profiles.get(id);
    return profile ? [{ ...profile, followedAt: createdAt }] : [];
  });
  return pageOf(rows, request, scope, (one) => [one.followedAt, one.id]);
}

/** Returns which of the builders the caller follows, with one query. Needs `profile:read`. */
export function followedAmong(core: Core, caller: Caller, ids: readonly string[]): ReadonlySet<string> {
  const { builderId } = requireBuilder(caller, "profile:read");
  return new Set(selectFollowedAmong(core, builderId, ids));
}

/**
 * Follows a tag as the caller. Idempotent. The tag need not have any posts yet. Needs `feed:write`. Throws
 * not_found for an invalid tag, and conflict if the caller already follows the maximum number of tags.
 */
export function followTag(core: Core, caller: Caller, tag: string): { following: boolean } {
  const { builderId } = requireBuilder(caller, "feed:write");
  refuseInvalidTag(tag);
  core.db.transact(() => {
    if (isFollowingTag(core, builderId, tag)) return;
    refuseMany("followed_tags_too_many", countFollowedTags(core, builderId), FOLLOWED_MAX.tags);
    insertFollowedTag(core, { builderId, tag, createdAt: core.clock.now() });
  });
  return { following: true };
}

/** Ends the caller's follow of a tag, if any. Needs `feed:write`. Throws not_found for an invalid tag. */
export function unfollowTag(core: Core, caller: Caller, tag: string): { following: boolean } {
  const { builderId } = requireBuilder(caller, "feed:write");
  refuseInvalidTag(tag);
  core.db.transact(() => deleteFollowedTag(core, builderId, tag));
  return { following: false };
}

/** Whether the caller follows a tag. Needs `feed:read`. */
export function followsTag(core: Core, caller: Caller, tag: string): boolean {
  return isFollowingTag(core, requireBuilder(caller, "feed:read").builderId, tag);
}

/**
 * Returns the tags that the caller follows, newest follow first. Needs `feed:read`. Throws bad_request for a
 * cursor of another list.
 */
export function listFollowedTags(core: Core, caller: Caller, request: PageRequest): Page<FollowedTag> {
  const { builderId } = requireBuilder(caller, "feed:read");
  const scope = { list: "followed-tags", filters: { builderId } };
  const key = cursorKey(request, scope, isTagKey);
  const rows = selectFollowedTags(core, builderId, request, key);
  return pageOf(rows, request, scope, (one) => [one.createdAt, one.tag]);
}

/** Returns the tags among `tags` that the caller follows. Needs `feed:read`. */
export function getFollowedTags(core: Core, caller: Caller, tags: readonly string[]): FollowedTag[] {
  return selectFollowedTagsAmong(core, requireBuilder(caller, "feed:read").builderId, tags);
}

function removeFollow(core: Core, followerId: string, followedId: string): void {
  if (deleteFollow(core, followerId, followedId))
    withdrawNotification(core, {
      kind: "follow",
      subject: { type: "builder", id: followedId },
      by: followerId,
    });
}

/**
 * Maximum number of pairs (follower and followed builder) in the map of notification times. If a pair is
 * dropped from the map, the followed builder can be notified a second time within a day.
 */
const NOTIFIED_MAX = 10_000;

/**
 * Times of the last follow notification, by pair of follower and followed builder. A restart empties the map,
 * so repeated follows can notify once more.
 */
function notificationTimes(): Map<string, number> {
  return new Map();
}

/**
 * Notifies a builder of a follower at most once a day. Unfollowing and following again within a day causes no
 * second notification.
 */
function notifyOnceADay(core: Core, followerId: string, followedId: string): void {
  const notifiedAt = core.memory(notificationTimes);
  const now = core.clock.now();
  const pair = `${followerId} ${followedId}`;
  if ((notifiedAt.get(pair) ?? -DAY) > now - DAY) return;
  notifiedAt.delete(pair);
  notifiedAt.set(pair, now);
  const [oldest] = notifiedAt.keys();
  if (notifiedAt.size > NOTIFIED_MAX && oldest !== undefined) notifiedAt.delete(oldest);
  notify(core, {
    to: followedId,
    kind: "follow",
    by: followerId,
    subject: { type: "builder", id: followedId },
  });
}

function getFollowable(core: Core, followerId: string, username: string): Followable {
  const target = findFollowable(core, followerId, handleOf(core, username));
  if (!target) throw refuse("builder_unknown");
  return target;
}

function refuseFollowing(followerId: string, target: Followable): void {
  if (target.id === followerId) throw refuse("own_follow");
  if (target.isBlocked) throw refuse("follow_blocked");
  // A block and a suspension return the same refusal, so that a blocked member cannot detect the block.
  if (target.hasBlocked || target.isSuspended) throw refuse("follow_unwanted");
}

function refuseMany(code: "follows_too_many" | "followed_tags_too_many", count: number, max: number): void {
  if (count >= max) throw refuse(code, { max });
}

function refuseInvalidTag(tag: string): void {
  if (!isSlug(tag)) throw refuse("tag_unknown");
}

function followingOf({ id, followers }: Followable, following: boolean): Following {
  return { builderId: id, following, followers };
}

function isBuilderKey(key: CursorKey): key is [number, string] {
  return key.length === 2 && typeof key[0] === "number" && isId("builder", key[1]);
}

function isTagKey(key: CursorKey): key is [number, string] {
  return key.length === 2 && typeof key[0] === "number" && typeof key[1] === "string" && isSlug(key[1]);
}
