import type { Core } from "../../base/core.ts";
import { followedTags, follows } from "../../base/db/schema.ts";
import { descending, type PageRequest } from "../../base/page.ts";
import type { FollowedTag } from "./following.ts";

/** A builder who may be followed, with the data that depends on the possible follower. */
export interface Followable {
  id: string;
  isSuspended: 0 | 1;
  isBlocked: 0 | 1;
  hasBlocked: 0 | 1;
  /** Number of followers who are not suspended. */
  followers: number;
}

export function findFollowable(core: Core, followerId: string, username: string): Followable | undefined {
  return core.db
    .prepare<Followable>(
      `SELECT b.id, b.suspended_at IS NOT NULL AS isSuspended, b.followers,
              EXISTS (SELECT 1 FROM blocks WHERE builder_id = ? AND blocked_id = b.id) AS isBlocked,
              EXISTS (SELECT 1 FROM blocks WHERE builder_id = b.id AND blocked_id = ?) AS hasBlocked
       FROM builders b WHERE b.username = ?`,
    )
    .get(followerId, followerId, username);
}

export function isFollowing(core: Core, followerId: string, followedId: string): boolean {
  return (
    core.db
      .prepare("SELECT 1 FROM follows WHERE follower_id = ? AND followed_id = ?")
      .get(followerId, followedId) !== undefined
  );
}

export function insertFollow(core: Core, row: typeof follows.$inferInsert): void {
  core.db.insert(follows, row);
}

/** Returns whether the follow existed. */
export function deleteFollow(core: Core, followerId: string, followedId: string): boolean {
  return (
    core.db
      .prepare("DELETE FROM follows WHERE follower_id = ? AND followed_id = ?")
      .run(followerId, followedId).changes > 0
  );
}

/**
 * Counts the followed builders. Suspended builders count too, because the follows of a suspended builder are
 * active again after a restore.
 */
export function countFollowed(core: Core, followerId: string): number {
  return (
    core.db.prepare<{ n: number }>("SELECT count(*) AS n FROM follows WHERE follower_id = ?").get(followerId)
      ?.n ?? 0
  );
}

export interface Followed {
  id: string;
  /** Time of the follow, in ms since the epoch. */
  createdAt: number;
}

/**
 * Selects the followed builders, newest follow first, or oldest first for a backward request. Leaves out
 * suspended builders.
 */
export function selectFollowed(
  core: Core,
  followerId: string,
  request: PageRequest,
  from: readonly [number, string] | undefined,
): Followed[] {
  const { beyond, order } = descending(request);
  const [at, id] = from ?? beginning(request);
  return core.db
    .prepare<Followed>(
      `SELECT f.followed_id AS id, f.created_at AS createdAt
       FROM follows f CROSS JOIN builders b ON b.id = f.followed_id
       WHERE f.follower_id = ? AND (f.created_at, f.followed_id) ${beyond} (?, ?) AND b.suspended_at IS NULL
       ORDER BY f.created_at ${order}, f.followed_id ${order} LIMIT ?`,
    )
    .all(followerId, at, id, request.limit + 1);
}

/** Selects which of these builders the follower follows, in one statement. */
export function selectFollowedAmong(core: Core, followerId: string, ids: readonly string[]): string[] {
  return core.db
    .prepare<{ id: string }>(
      `SELECT f.followed_id AS id FROM json_each(?) wanted
       CROSS JOIN follows f ON f.follower_id = ? AND f.followed_id = wanted.value
       CROSS JOIN builders b ON b.id = f.followed_id WHERE b.suspended_at IS NULL`,
    )
    .all(JSON.stringify(ids), followerId)
    .map(({ id }) => id);
}

export function isFollowingTag(core: Core, builderId: string, tag: string): boolean {
  return (
    core.db.prepare("SELECT 1 FROM followed_tags WHERE builder_id = ? AND tag = ?").get(builderId, tag) !==
    undefined
  );
}

export function insertFollowedTag(core: Core, row: typeof followedTags.$inferInsert): void {
  core.db.insert(followedTags, row);
}

export function deleteFollowedTag(core: Core, builderId: string, tag: string): void {
  core.db.prepare("DELETE FROM followed_tags WHERE builder_id = ? AND tag = ?").run(builderId, tag);
}

export function countFollowedTags(core: Core, builderId: string): number {
  return (
    core.db
      .prepare<{ n: number }>("SELECT count(*) AS n FROM followed_tags WHERE builder_id = ?")
      .get(builderId)?.n ?? 0
  );
}

/** Selects the followed tags, newest follow first, or oldest first for a backward request. */
export function selectFollowedTags(
  core: Core,
  builderId: string,
  request: PageRequest,
  from: readonly [number, string] | undefined,
): FollowedTag[] {
  const { beyond, order } = descending(request);
  const [at, tag] = from ?? beginning(request);
  return core.db
    .prepare<FollowedTag>(
      `SELECT tag, created_at AS createdAt FROM followed_tags
       WHERE builder_id = ? AND (created_at, tag) ${beyond} (?, ?)
       ORDER BY created_at ${order}, tag ${order} LIMIT ?`,
    )
    .all(builderId, at, tag, request.limit + 1);
}

export function selectFollowedTagsAmong(
  core: Core,
  builderId: string,
  tags: readonly string[],
): FollowedTag[] {
  return core.db
    .prepare<FollowedTag>(
      `SELECT f.tag, f.created_at AS createdAt FROM json_each(?) wanted
       CROSS JOIN followed_tags f ON f.builder_id = ? AND f.tag = wanted.value`,
    )
    .all(JSON.stringify(tags), builderId);
}

function beginning({ backwards }: PageRequest): readonly [number, string] {
  return backwards ? [-1, ""] : [Number.MAX_SAFE_INTEGER, ""];
}
