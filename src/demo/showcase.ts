import castTexts from "../../data/seed/cast.json";
import conversations from "../../data/seed/conversations.json";
import privately from "../../data/seed/messages.json";
import shared from "../../data/seed/shared-prompts.json";
import { DAY, HOUR, MINUTE } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { bookmarkPost } from "../core/community/feed/bookmarks.ts";
import { createPost } from "../core/community/feed/feed.ts";
import { likePost } from "../core/community/feed/likes.ts";
import { replyTo } from "../core/community/feed/replies.ts";
import { storeVisit } from "../core/community/feed/visits.ts";
import { followBuilder, followTag } from "../core/community/following/following.ts";
import { createMedia } from "../core/community/media/media.ts";
import type { PictureStorage } from "../core/community/media/picture-storage.ts";
import { markRead, sendMessage } from "../core/community/messages/messages.ts";
import { markActive } from "../core/community/xp/streaks.ts";
import { type BuilderCaller, VISITOR } from "../core/identity/access/caller.ts";
import { BUILDER_SCOPES } from "../core/identity/access/scopes.ts";
import { listNotifications, markNotifications } from "../core/services/notifications/notifications.ts";
import { type Population, populationAt } from "./builders.ts";
import {
  type CastMember,
  type Community,
  type CommunitySize,
  demoCommunity,
  type DemoBuilder,
  type DemoPost,
  type DemoPrompt,
} from "./community.ts";
import { hashText, randomFor } from "./random.ts";
import { type Member, type Members, othersOf, writeFollows } from "./reactions.ts";
import { type EncodedPictures, encode } from "./showcase-pictures.ts";
import { writeSessions, writeStatistics } from "./statistics-store.ts";

/** Age of the oldest hand-written post. Generated posts are older. */
const SPAN_MS = 48 * HOUR;

/** A picture of a conversation: its file name and its alternative text. */
interface PictureText {
  file: string;
  alt: string;
}

/** A hand-written reply. `ago` is its age in minutes, and `likes` the number of members who like it. */
interface ReplyText {
  by: string;
  ago: number;
  text: string;
  likes?: number;
  replies?: ReplyText[];
}

interface PostText extends ReplyText {
  /** The name by which messages and bookmarks refer to the post. */
  key?: string;
  tags?: string[];
  pictures?: PictureText[];
  /** Likes of named members at a given time, for the notifications of the demo's member. */
  lateLikes?: { by: string; ago: number }[];
}

/** One operation at its time. */
interface Step {
  at: number;
  run: (core: Core) => void;
}

export interface Showcase {
  community: Community;
  /** Numbers of the generated and the hand-written part together. */
  size: CommunitySize;
  /** Re-encodes the pictures like uploads. */
  encode: (storage: PictureStorage) => Promise<EncodedPictures>;
  /**
   * Runs the hand-written part through the core's operations, each at its own time, so that XP, streaks,
   * counts and notifications follow. Call it in a transaction, after the community is written.
   */
  play: (core: Core, members: Members, pictures: EncodedPictures) => void;
}

/** The written community, for the steps of the hand-written part. */
interface Stage {
  members: Members;
  /** Indexes of the members by username. */
  places: ReadonlyMap<string, number>;
  pictures: EncodedPictures;
  from: number;
  now: number;
}

export function openShowcase(clockTime: number, size: CommunitySize, seed: number): Showcase {
  const now = Math.floor(clockTime / MINUTE) * MINUTE;
  const from = now - SPAN_MS;
  const generated = demoCommunity(size, seed, from);
  const population = populationAt(size.builders, seed, from);
  const cast = castIn(population, Math.floor(from / DAY));
  const places = new Map([...cast].map(([index, { username }]) => [username, index]));
  return {
    community: {
      builders: mappedIn(generated.builders, (builder, index) => played(builder, cast.get(index))),
      posts: mappedIn(generated.posts, (post) => recast(post, cast)),
      jobs: demoCommunity(size, seed, now).jobs,
      prompts: withShared(generated.prompts, places, from, size.prompts),
    },
    size: { ...size, posts: size.posts + conversations.length },
    encode,
    play(core, members, pictures) {
      writeFollows(core, members, population, { seed, until: from });
      const policy = withoutQuotas(core.policy);
      const script = scriptOf({ members, places, pictures, now, from });
      for (const { at, run } of script.sort((a, b) => a.at - b.at)) {
        run({ ...core, policy, clock: { ...core.clock, now: () => at } });
      }
      writeStatistics(core, now);
      writeSessions(core, now, members[0]?.id);
    },
  };
}

/**
 * Returns the hand-written members by the index of the builder whose place they take. The first two are the
 * founder and the moderator. Members with `recent` joined lately. The others are the most active builders.
 */
function castIn(population: Population, from: number): Map<number, CastMember> {
  const recent = castTexts.flatMap(({ recent: place }) =>
    place === undefined ? [] : [population.size - place],
  );
  const active = Array.from({ length: population.size }, (_, index) => index)
    .filter((index) => index > 1 && !recent.includes(index))
    .sort((a, b) => population.activity(b) - population.activity(a));
  const free = [0, 1, ...active].values();
  return new Map(
    castTexts.map(({ recent: place, ...member }, nth) => [
      place === undefined ? (free.next().value ?? nth) : population.size - place,
      { ...member, from },
    ]),
  );
}

function played(builder: DemoBuilder, cast: CastMember | undefined): DemoBuilder {
  if (!cast) return builder;
  const { username, name, bio, projects } = cast;
  return { ...builder, username, name, bio, projects: projects.map(({ title }) => title), cast };
}

/** Tags of generated posts whose places, employers and projects would contradict a hand-written profile. */
const PERSONAL = new Set(["building-in-public", "hiring", "launch", "meetup", "offer"]);

/** Index of a builder who joined before the first generated post. */
const EARLY = 20;

/** Gives a personal post of a hand-written member to the closest generated builder who joined earlier. */
function recast(post: DemoPost, cast: ReadonlyMap<number, CastMember>): DemoPost {
  if (!cast.has(post.author) || !post.tags.some((tag) => PERSONAL.has(tag))) return post;
  const replying = new Set(post.replies.map((reply) => reply.author));
  // Nobody joined before the first two, so an early builder takes their place.
  let author = post.author < 2 ? EARLY : post.author;
  while (author > 2 && (cast.has(author) || replying.has(author))) author--;
  const replies = post.replies.map((reply) => (reply.author === post.author ? { ...reply, author } : reply));
  return { ...post, author, replies };
}

/** Adds the hand-written prompts, which are the last ones in time, and keeps the number of prompts. */
function withShared(
  generated: Iterable<DemoPrompt>,
  places: ReadonlyMap<string, number>,
  now: number,
  count: number,
): Iterable<DemoPrompt> {
  const written = shared.map(({ by, daysAgo, ratings, ...prompt }, nth): DemoPrompt => {
    const random = randomFor(nth, 71, 0);
    return {
      ...prompt,
      author: places.get(by) ?? 0,
      createdAt: now - daysAgo * DAY - Math.floor(random() * 6 * HOUR),
      ratings: ratings.flatMap((times, at) => Array.from({ length: times }, () => 5 - at)),
    };
  });
  return {
    *[Symbol.iterator]() {
      let left = count - written.length;
      for (const prompt of generated) if (left-- > 0) yield prompt;
      yield* written;
    },
  };
}

function mappedIn<Item, Result>(
  items: Iterable<Item>,
  map: (item: Item, index: number) => Result,
): Iterable<Result> {
  return {
    *[Symbol.iterator]() {
      let index = 0;
      for (const item of items) yield map(item, index++);
    },
  };
}

function withoutQuotas({
  quotaPosts: _posts,
  quotaMedia: _media,
  mediaMax: _max,
  ...policy
}: Core["policy"]) {
  return policy;
}

/** Returns all steps of the hand-written part, in any order. */
function scriptOf(stage: Stage): Step[] {
  const ids = new Map<string, string>();
  return [
    ...conversations.flatMap((post: PostText) => stepsOfPost(stage, post, ids)),
    ...privately.threads.flatMap((thread) => stepsOfThread(stage, thread)),
    ...stepsOfDays(stage),
    ...privately.visits.map((ago) => step(stage, ago, (core) => visit(core, callerOf(stage, DEMO_MEMBER)))),
    ...privately.follows.map(({ by, of, ago }) =>
      step(stage, ago, (core) => void followBuilder(core, callerOf(stage, by), of)),
    ),
    ...privately.tags.map((tag, nth) =>
      step(stage, 2000 - nth, (core) => void followTag(core, callerOf(stage, DEMO_MEMBER), tag)),
    ),
    ...privately.bookmarks.map(({ key, ago }) =>
      step(stage, ago, (core) => void bookmarkPost(core, callerOf(stage, DEMO_MEMBER), ids.get(key) ?? "")),
    ),
  ];
}

/** The member whose token the server prints. */
const DEMO_MEMBER = castTexts[0]?.username ?? "";

function stepsOfPost(stage: Stage, post: PostText, ids: Map<string, string>): Step[] {
  const { by, ago, text, tags = [], pictures = [], lateLikes = [], key, replies = [] } = post;
  let id = "";
  const publish = (core: Core) => {
    const caller = callerOf(stage, by);
    const media = pictures.flatMap(({ file, alt }) => {
      const encoded = stage.pictures.get(file);
      return encoded ? [createMedia(core, caller, encoded, { alt }).id] : [];
    });
    ({ id } = createPost(core, caller, { text, tags, media }));
    if (key !== undefined) ids.set(key, id);
  };
  return [
    step(stage, ago, publish),
    ...stepsOfLikes(stage, post, () => id),
    ...lateLikes.map((like) =>
      step(stage, like.ago, (core) => void likePost(core, callerOf(stage, like.by), id)),
    ),
    ...replies.flatMap((reply) => stepsOfReply(stage, reply, () => id)),
  ];
}

function stepsOfReply(stage: Stage, reply: ReplyText, parentId: () => string): Step[] {
  const { by, ago, text, replies = [] } = reply;
  let id = "";
  return [
    step(stage, ago, (core) => ({ id } = replyTo(core, callerOf(stage, by), parentId(), { text }))),
    ...stepsOfLikes(stage, reply, () => id),
    ...replies.flatMap((answer) => stepsOfReply(stage, answer, () => id)),
  ];
}

/**
 * Spreads likes over the time since the post, most of them early. The demo's member gets likes only before
 * the last visit, so that the unread notifications are those of the script.
 */
function stepsOfLikes(stage: Stage, { by, ago, text, likes = 0 }: ReplyText, idOf: () => string): Step[] {
  const until = by === DEMO_MEMBER ? Math.min(...privately.visits.filter((visited) => visited < ago)) : 1;
  const span = Math.max(1, ago - (Number.isFinite(until) ? until : 1));
  const random = randomFor(hashText(text), 72, 0);
  const author = stage.members[stage.places.get(by) ?? 0]?.id ?? "";
  return [...othersOf(stage.members, author, likes, text)].map((member) =>
    step(stage, ago - Math.max(1, Math.floor(span * random() ** 2)), (core) => {
      if (member.username !== DEMO_MEMBER) likePost(core, callerFor(member), idOf());
    }),
  );
}

interface ThreadText {
  with: string;
  lines: { by: string; ago: number; text: string }[];
  /** When the demo's member last read the conversation, in minutes before now. */
  readAgo?: number;
}

function stepsOfThread(stage: Stage, { with: other, lines, readAgo }: ThreadText): Step[] {
  let threadId = "";
  const sent = lines.map(({ by, ago, text }) =>
    step(stage, ago, (core) => {
      const to = by === DEMO_MEMBER ? other : DEMO_MEMBER;
      ({ threadId } = sendMessage(core, callerOf(stage, by), { to, text }));
    }),
  );
  if (readAgo === undefined) return sent;
  return [
    ...sent,
    step(stage, readAgo, (core) => void markRead(core, callerOf(stage, DEMO_MEMBER), threadId)),
  ];
}

/** Continues the streaks of the hand-written members on each day until yesterday. */
function stepsOfDays({ members, places, from, now }: Stage): Step[] {
  return castTexts
    .filter(({ streak }) => streak > 0)
    .flatMap(({ username }, nth) => {
      const builderId = members[places.get(username) ?? 0]?.id ?? "";
      const days: Step[] = [];
      for (let day = Math.floor(from / DAY); day < Math.floor(now / DAY); day++) {
        const at = Math.max(from, day * DAY + 7 * HOUR + nth * 11 * MINUTE);
        days.push({ at, run: (core) => markActive(core, builderId) });
      }
      return days;
    });
}

/** Reads the feed and all notifications. */
function visit(core: Core, caller: BuilderCaller): void {
  const [newest] = listNotifications(core, caller, {}, { limit: 1 }).nodes;
  if (newest) markNotifications(core, caller, { up_to: newest.id });
  storeVisit(core, caller);
}

function step({ now }: Stage, ago: number, run: (core: Core) => void): Step {
  return { at: now - ago * MINUTE, run };
}

function callerOf({ members, places }: Stage, username: string): BuilderCaller {
  const member = members[places.get(username) ?? -1];
  if (!member) throw new Error(`the showcase has no member ${username}`);
  return callerFor(member);
}

function callerFor({ id, workspaceId, username }: Member): BuilderCaller {
  const scopes = new Set(BUILDER_SCOPES);
  return { ...VISITOR, builderId: id, workspaceId, username, role: "member", scopes, tier: "personal" };
}
