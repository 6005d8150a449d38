import cities from "../../data/seed/cities.json";
import companies from "../../data/seed/companies.json";
import frames from "../../data/seed/posts.json";
import answers from "../../data/seed/replies.json";
import topics from "../../data/seed/topics.json";
import { templates, type ItemTemplate } from "./templates.ts";
import type { Population } from "./builders.ts";
import { day, hour, timeline, weekday } from "./clock.ts";
import type { DemoPost, DemoReply } from "./community.ts";
import { type Deck, deck } from "./shuffled-deck.ts";
import { type Draw, type Fill, vocabulary, recordOf, template } from "./grammar.ts";
import { hashText, mix, type Random, randomFor, fixedFraction } from "./random.ts";

/** The posts of the last year, oldest first. Empty without builders. */
export function* demoPosts(
  count: number,
  members: Population,
  seed: number,
  now: number,
): Generator<DemoPost> {
  if (members.size === 0) return;
  const start = now - 365 * day;
  const timestampOf = timeline(count, start, now, seed, 31);
  const written = templates(postTemplates, words, seed, "posts");
  const desk: FeedContext = {
    members,
    seed,
    now,
    founders: members.joinedBy(start),
    decks: replyDecks(seed),
  };
  for (let index = 0; index < count; index++) {
    const { frame, draw } = written(index);
    const random = randomFor(seed, 32, index);
    const createdAt = timestampOf(index);
    draw.words = { today: weekday(createdAt) };
    const text = frame.fill(draw).trim();
    const author = authorOf(desk, frame, draw, createdAt);
    yield {
      author,
      text,
      tags: tagsOf(random, frame, draw),
      createdAt,
      likes: likesOf(desk, random, frame.manner.likes, createdAt),
      replies: repliesOf(desk, random, frame, draw, { author, createdAt, index }),
    };
  }
}

type Kind = keyof typeof frames;

/** How popular a kind of post is, and which tags it has besides its topic. */
interface KindTraits {
  tags: string[];
  likes: number;
  /** Probability of at least one reply. */
  replies: number;
}

interface PostTemplate extends ItemTemplate {
  kind: Kind;
  manner: KindTraits;
  fill: Fill;
}

interface FeedContext {
  members: Population;
  seed: number;
  now: number;
  /** Number of builders before the first post. */
  founders: number;
  decks: ReadonlyMap<string, Deck>;
}

const manners: Record<Kind, KindTraits> = {
  lesson: { tags: [], likes: 7, replies: 0.2 },
  bug: { tags: [], likes: 8, replies: 0.2 },
  win: { tags: [], likes: 9, replies: 0.2 },
  snippet: { tags: ["snippet"], likes: 8, replies: 0.14 },
  question: { tags: [], likes: 3, replies: 0.62 },
  launch: { tags: ["launch"], likes: 16, replies: 0.36 },
  progress: { tags: ["building-in-public"], likes: 6, replies: 0.16 },
  tool: { tags: ["tools"], likes: 6, replies: 0.14 },
  take: { tags: ["opinion"], likes: 6, replies: 0.26 },
  reading: { tags: ["reading"], likes: 4, replies: 0.1 },
  thanks: { tags: ["thanks"], likes: 8, replies: 0.16 },
  icebreaker: { tags: [], likes: 5, replies: 0.5 },
  ai: { tags: [], likes: 6, replies: 0.2 },
  quip: { tags: [], likes: 9, replies: 0.14 },
  event: { tags: [], likes: 5, replies: 0.24 },
  hiring: { tags: [], likes: 3, replies: 0.16 },
  career: { tags: [], likes: 12, replies: 0.24 },
  offer: { tags: ["offer"], likes: 8, replies: 0.3 },
  log: { tags: ["ship-log"], likes: 4, replies: 0.1 },
};

/**
 * Kind of reply that the author of a post writes after other replies. By default, the author was convinced.
 */
const closings: Partial<Record<Kind, string>> = {
  question: "resolved",
  bug: "author",
  win: "author",
  snippet: "author",
  tool: "author",
  icebreaker: "author",
  quip: "author",
  thanks: "author",
  career: "author",
  event: "author",
  hiring: "author",
  offer: "author",
  launch: "author",
  progress: "author",
  reading: "author",
  log: "author",
};

const words = vocabulary({
  ...topics,
  city: cities.cities,
  company: companies.map(({ name, makes, users, cities: homes }) => ({
    name,
    makes,
    users,
    city: homes.map((slug) => cities.cities.find((city) => city.slug === slug)?.name ?? slug),
  })),
});

const postTemplates: PostTemplate[] = (Object.keys(frames) as Kind[]).flatMap((kind) =>
  frames[kind].map((text) => ({ kind, manner: manners[kind], ...template(words, text) })),
);

const replyFills = new Map<string, Fill[]>(
  Object.entries(answers).map(([kind, texts]) => [kind, texts.map((text) => template(words, text).fill)]),
);

function replyDecks(seed: number): Map<string, Deck> {
  return new Map(
    [...replyFills].map(([kind, fills]) => [kind, deck(fills.length, mix(seed, 33, hashText(kind)))]),
  );
}

/** A project has one maker, who writes all posts about it. Anyone may write the other posts. */
function authorOf(desk: FeedContext, frame: PostTemplate, draw: Draw, moment: number): number {
  if (frame.kind !== "launch" && frame.kind !== "progress") return desk.members.speaker(draw.random, moment);
  const name = hashText(projectName(draw));
  for (let tries = 0; tries < 12; tries++) {
    const maker = Math.floor(fixedFraction(name, desk.seed, tries) * desk.founders);
    if (fixedFraction(name, desk.seed + 1, tries) < 0.05 + desk.members.activity(maker)) return maker;
  }
  return Math.floor(fixedFraction(name, desk.seed, 0) * desk.founders);
}

function projectName(draw: Draw): string {
  return recordOf(draw, words, "project", 0).entry.fields.get("name")?.[0]?.(draw) ?? "";
}

/** The tags of the post's subject, then those of its kind. Some authors leave tags out. */
function tagsOf(random: Random, frame: PostTemplate, draw: Draw): string[] {
  const care = random();
  if (care < 0.08) return [];
  const tags = new Set<string>();
  for (const { entry } of draw.bound.values()) {
    const { tags: about } = entry.source;
    if (typeof about === "object") for (const tag of about) tags.add(tag);
  }
  for (const tag of frame.manner.tags) tags.add(tag);
  return [...tags].slice(0, care < 0.25 ? 1 : 5);
}

/**
 * Many posts get a few likes, and a few posts get many. Few builders have seen a new post. The more likes a
 * post has, the fewer builders are left who can like it.
 */
function likesOf(desk: FeedContext, random: Random, typical: number, moment: number): number {
  const others = desk.members.size - 1;
  const seen = Math.min(1, 0.15 + (desk.now - moment) / (2 * day));
  const luck = -Math.log(1 - random()) * (random() < 0.04 ? 6 : 1);
  return others < 1 ? 0 : Math.floor(others * (1 - Math.exp((-typical * seen * luck) / others)));
}

/** Most posts get no reply, but most questions do. After two or more replies, the author may reply again. */
function repliesOf(
  desk: FeedContext,
  random: Random,
  frame: PostTemplate,
  draw: Draw,
  post: { author: number; createdAt: number; index: number },
): DemoReply[] {
  if (desk.members.size < 2 || random() >= frame.manner.replies) return [];
  let count = 1;
  while (count < 7 && random() < 0.42) count += 1;
  const moments = timestampsAfter(desk, random, post.createdAt, count);
  const speakers = new Set([post.author]);
  const replies = moments.map((createdAt, nth): DemoReply => {
    const text = replyText(desk, random, frame, draw, post.index * 8 + nth);
    const author = nextSpeaker(desk, random, speakers, createdAt);
    return { author, text, createdAt, likes: likesOf(desk, random, 1.4, createdAt) };
  });
  const last = moments.at(-1) ?? post.createdAt;
  if (count < 2 || random() > 0.45) return replies;
  const [createdAt = last] = timestampsAfter(desk, random, last, 1);
  const text = dealtReply(desk, draw, closings[frame.kind] ?? "convinced", post.index);
  return [...replies, { author: post.author, text, createdAt, likes: likesOf(desk, random, 1, createdAt) }];
}

/** Replies usually fit the post. A few are only short comments. The replies to one question differ. */
function replyText(desk: FeedContext, random: Random, frame: PostTemplate, draw: Draw, step: number): string {
  const isQuestion = frame.kind === "question";
  const nth = step % 8;
  const text = dealtReply(
    desk,
    draw,
    random() < 0.15 || (isQuestion && nth > 2) ? "general" : frame.kind,
    step,
  );
  const question = draw.bound.get("question");
  if (isQuestion && question !== undefined) question.shift += 1;
  return text;
}

function dealtReply(desk: FeedContext, draw: Draw, kind: string, step: number): string {
  const card = desk.decks.get(kind)?.(step) ?? 0;
  return replyFills.get(kind)?.[card]?.(draw).trim() ?? "";
}

/**
 * Returns a builder who has not written in this conversation, if a few tries find one. Otherwise returns the
 * builder with the next index.
 */
function nextSpeaker(desk: FeedContext, random: Random, speakers: Set<number>, moment: number): number {
  let voice = desk.members.speaker(random, moment);
  for (let tries = 0; tries < 4 && speakers.has(voice); tries++) voice = desk.members.speaker(random, moment);
  const present = desk.members.joinedBy(moment);
  for (let steps = 0; steps < 8 && speakers.has(voice); steps++) voice = (voice + 1) % present;
  speakers.add(voice);
  return voice;
}

/** Returns ascending times after a post. The first is usually within hours, and none is later than now. */
function timestampsAfter(desk: FeedContext, random: Random, start: number, count: number): number[] {
  let moment = start;
  return Array.from({ length: count }, () => {
    const delay = 60_000 - 5 * hour * Math.log(1 - random());
    const left = desk.now - moment;
    moment += Math.ceil(delay <= left ? delay : left * random());
    return moment;
  });
}
