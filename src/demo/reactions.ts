import type { Core } from "../core/base/core.ts";
import { DAY } from "../core/base/clock.ts";
import { insertLike } from "../core/community/feed/likes-store.ts";
import { insertFollow } from "../core/community/following/following-store.ts";
import { putRating } from "../core/community/prompts/ratings-store.ts";
import type { Population } from "./builders.ts";
import type { DemoPost, DemoPrompt } from "./community.ts";
import { between, fixedFraction, hashText, mix, randomFor } from "./random.ts";

/** A member whose rows are written, in the order of the builders' indexes. */
export interface Member {
  id: string;
  workspaceId: string;
  username: string;
  joinedAt: number;
}
export type Members = Member[];

/** Yields `count` different members other than `author`. Different keys start at different members. */
export function* othersOf(members: Members, author: string, count: number, key: string): Generator<Member> {
  const start = hashText(key) % members.length;
  for (let left = count, at = 0; left > 0 && at < members.length; at++) {
    const member = members[(start + at) % members.length];
    if (member === undefined || member.id === author) continue;
    left--;
    yield member;
  }
}

/** Writes a row for each like that the generator counted. Most come within hours, and none before joining. */
export function writeLikes(
  core: Core,
  postId: string,
  { author, likes, createdAt }: Pick<DemoPost, "author" | "likes" | "createdAt">,
  members: Members,
): void {
  let nth = 0;
  for (const { id, joinedAt } of othersOf(members, members[author]?.id ?? "", likes, postId)) {
    const wait = fixedFraction(createdAt, 61, nth++) ** 3 * DAY;
    insertLike(core, postId, id, Math.floor(Math.max(createdAt, joinedAt) + wait));
  }
}

/** Writes a row for each rating of a prompt. */
export function writeRatings(
  core: Core,
  promptId: string,
  { author, ratings, createdAt }: DemoPrompt,
  members: Members,
): void {
  const raters = othersOf(members, members[author]?.id ?? "", ratings.length, promptId);
  for (const stars of ratings) {
    const { value } = raters.next();
    if (!value) return;
    const ratedAt =
      Math.max(createdAt, value.joinedAt) + Math.floor(fixedFraction(createdAt, 62, stars) * DAY);
    putRating(core, { promptId, version: 1, builderId: value.id, stars }, ratedAt);
  }
}

/** Lets each member follow some others. Active members have more followers. */
export function writeFollows(
  core: Core,
  members: Members,
  population: Population,
  { seed, until }: { seed: number; until: number },
): void {
  for (const [index, follower] of members.entries()) {
    const random = randomFor(seed, 63, index);
    const followed = new Set<number>();
    const count = between(random, 2, 4 + Math.floor(12 * population.activity(index)));
    for (let nth = 0; nth < count; nth++) followed.add(population.speaker(random, until));
    followed.delete(index);
    for (const other of followed) {
      const target = members[other];
      if (target === undefined) continue;
      const since = Math.max(follower.joinedAt, target.joinedAt);
      const createdAt = since + Math.floor((until - since) * (mix(seed, index, other) / 2 ** 32));
      insertFollow(core, { followerId: follower.id, followedId: target.id, createdAt });
    }
  }
}
