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
import { Shown, Timestamp } from "../../base/view.ts";
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
 * Whom and which tags a builder follows (docs/contract.md#4.20). It is theirs alone to see: others learn how
 * many follow somebody, and whoever is followed is told by whom.
 */

/** Not shown in the specification. So many walks is a page of what one follows merged from. */
export const FOLLOWED_MAX = { builders: 1000, tags: 200 } as const;

/** Whether the caller follows somebody now, and how many do. */
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

/** Somebody whom the caller follows. */
export interface FollowedProfile extends Profile {
  /** Since when, in ms since the epoch. */
  followedAt: number;
}

export const TagFollowingView = Type.Object(
  { following: Type.Boolean({ description: "Whether you follow the tag now.", examples: [true] }) },
  { $id: "TagFollowing" },
);

export const FollowedTagView = Type.Object(
  {
    tag: Shown("The tag, as a slug.", "rust"),
    createdAt: Timestamp({ description: "The time at which you followed the tag." }),
  },
  { $id: "FollowedTag" },
);
export type FollowedTag = Static<typeof FollowedTagView>;

/**
 * Follows a builder as the caller, once however often it is asked. Needs `profile:write`. Throws not_found;
 * unprocessable for oneself; forbidden, with one sentence, for the suspended and for whoever has blocked the
 * caller; conflict for whom the caller has blocked, and for one too many.
 */
export function followBuilder(core: Core, caller: Caller, username: string): Following {
  const { builderId: followerId } = requireBuilder(caller, "profile:write");
  return core.db.transact(() => {
    const them = known(core, followerId, username);
    refuseFollowing(followerId, them);
    if (isFollowing(core, followerId, them.id)) return followingOf(them, true);
    refuseMany("follows_too_many", countFollowed(core, followerId), FOLLOWED_MAX.builders);
    insertFollow(core, { followerId, followedId: them.id, createdAt: core.clock.now() });
    notifyOnceADay(core, followerId, them.id);
    return followingOf(known(core, followerId, username), true);
  });
}

/** Follows them no more, where the caller did. Needs `profile:write`. Throws not_found. */
export function unfollowBuilder(core: Core, caller: Caller, username: string): Following {
  const { builderId: followerId } = requireBuilder(caller, "profile:write");
  return core.db.transact(() => {
    const { id } = known(core, followerId, username);
    end(core, followerId, id);
    return followingOf(known(core, followerId, username), false);
  });
}

/**
 * Neither of two builders follows the other any more: one has blocked the other. Asks no right: what calls it
 * has. Call it in a transaction.
 */
export function endFollowing(core: Core, one: string, other: string): void {
  end(core, one, other);
  end(core, other, one);
}

/**
 * Whom the caller follows, the latest first; whoever is suspended is not there until they are restored. Needs
 * `profile:read`. Throws bad_request for a cursor of another list.
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

/**
 * Which of these builders the caller follows, in one look for all of them; none for one who is no builder.
 * Needs `profile:read`.
 */
export function followedAmong(core: Core, caller: Caller, ids: readonly string[]): ReadonlySet<string> {
  const { builderId } = requireBuilder(caller, "profile:read");
  return new Set(selectFollowedAmong(core, builderId, ids));
}

/**
 * Follows a tag, once however often it is asked; nobody need have posted under it. Needs `feed:write`. Throws
 * not_found for what no tag can be, conflict for one too many.
 */
export function followTag(core: Core, caller: Caller, tag: string): { following: boolean } {
  const { builderId } = requireBuilder(caller, "feed:write");
  refuseNoTag(tag);
  core.db.transact(() => {
    if (isFollowingTag(core, builderId, tag)) return;
    refuseMany("followed_tags_too_many", countFollowedTags(core, builderId), FOLLOWED_MAX.tags);
    insertFollowedTag(core, { builderId, tag, createdAt: core.clock.now() });
  });
  return { following: true };
}

/** Follows it no more. Otherwise the same. */
export function unfollowTag(core: Core, caller: Caller, tag: string): { following: boolean } {
  const { builderId } = requireBuilder(caller, "feed:write");
  refuseNoTag(tag);
  core.db.transact(() => deleteFollowedTag(core, builderId, tag));
  return { following: false };
}

/** Whether the caller follows a tag. Needs `feed:read`. */
export function followsTag(core: Core, caller: Caller, tag: string): boolean {
  return isFollowingTag(core, requireBuilder(caller, "feed:read").builderId, tag);
}

/**
 * The tags that the caller follows, the latest first. Needs `feed:read`. Throws bad_request for a cursor of
 * another list.
 */
export function listFollowedTags(core: Core, caller: Caller, request: PageRequest): Page<FollowedTag> {
  const { builderId } = requireBuilder(caller, "feed:read");
  const scope = { list: "followed-tags", filters: { builderId } };
  const key = cursorKey(request, scope, isTagKey);
  const rows = selectFollowedTags(core, builderId, request, key);
  return pageOf(rows, request, scope, (one) => [one.createdAt, one.tag]);
}

/** Those of these tags that the caller follows. Needs `feed:read`. */
export function getFollowedTags(core: Core, caller: Caller, tags: readonly string[]): FollowedTag[] {
  return selectFollowedTagsAmong(core, requireBuilder(caller, "feed:read").builderId, tags);
}

function end(core: Core, followerId: string, followedId: string): void {
  if (deleteFollow(core, followerId, followedId))
    withdrawNotification(core, {
      kind: "follow",
      subject: { type: "builder", id: followedId },
      by: followerId,
    });
}

/** So many are remembered; of the others, whoever begins anew is told of anew. */
const NOTIFIED_MAX = 10_000;

/**
 * When each follower was told of to each whom they follow. A restart forgets it: then a flood is told of once
 * more.
 */
function notificationTimes(): Map<string, number> {
  return new Map();
}

/** At most once a day by the same one, however often they end it and begin anew. */
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

function known(core: Core, followerId: string, username: string): Followable {
  const them = findFollowable(core, followerId, handleOf(core, username));
  if (!them) throw refuse("builder_unknown");
  return them;
}

function refuseFollowing(followerId: string, them: Followable): void {
  if (them.id === followerId) throw refuse("own_follow");
  if (them.isBlocked) throw refuse("follow_blocked");
  // One sentence for both: whether one is blocked is not one's business.
  if (them.hasBlocked || them.isSuspended) throw refuse("follow_unwanted");
}

function refuseMany(code: "follows_too_many" | "followed_tags_too_many", count: number, max: number): void {
  if (count >= max) throw refuse(code, { max });
}

function refuseNoTag(tag: string): void {
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
