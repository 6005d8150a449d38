import { populationAt, demoBuilders } from "./builders.ts";
import { demoJobs } from "./jobs.ts";
import { demoPosts } from "./posts.ts";
import { demoPrompts } from "./prompts.ts";

export interface CommunitySize {
  builders: number;
  posts: number;
  jobs: number;
  prompts: number;
}

export interface Community {
  builders: Iterable<DemoBuilder>;
  posts: Iterable<DemoPost>;
  jobs: Iterable<DemoJob>;
  prompts: Iterable<DemoPrompt>;
}

/**
 * Generates a community for demos, tests and measurements: builders, posts, jobs and prompts. The same size,
 * seed and time always give the same community on every machine.
 *
 * Each stream is in ascending time order (builders by the time of joining) and is generated while it is read.
 * So a million posts need no more memory than one. A stream can be read repeatedly. Its content does not
 * depend on the size of the other streams, except that posts and prompts need builders as authors. `now` is
 * the newest time, in milliseconds since the epoch.
 */
export function demoCommunity(size: CommunitySize, seed: number, now: number): Community {
  const end = Math.floor(now);
  const members = populationAt(size.builders, seed, end);
  return {
    builders: reread(() => demoBuilders(members, seed, end)),
    posts: reread(() => demoPosts(size.posts, members, seed, end)),
    jobs: reread(() => demoJobs(size.jobs, seed, end)),
    prompts: reread(() => demoPrompts(size.prompts, members, seed, end)),
  };
}

export interface DemoBuilder {
  username: string;
  name: string;
  bio: string;
  /** From 0 to 20,000. */
  xp: number;
  /** From 0 to 400. */
  streakDays: number;
  badges: string[];
  /** Titles of the projects. */
  projects: string[];
  joinedAt: number;
  /** The hand-written part of the profile. Only some members of the showcase have one. */
  cast?: CastMember;
}

/** A member with a hand-written profile (data/seed/cast.json). */
export interface CastMember {
  username: string;
  name: string;
  bio: string;
  place: string;
  /** Length of the current streak in days, before the hand-written part begins. */
  streak: number;
  /** Length of the run before the current streak, in days. */
  earlier: number;
  /** The first day (days since the epoch) of the hand-written part. */
  from: number;
  /** The last project is pinned. Links of the profile are the URLs of the projects. */
  projects: { title: string; url?: string; description?: string }[];
}

export interface DemoPost {
  /** Index into the builders. */
  author: number;
  /** Text in Markdown. */
  text: string;
  tags: string[];
  createdAt: number;
  likes: number;
  replies: DemoReply[];
}

export interface DemoReply {
  author: number;
  text: string;
  createdAt: number;
  likes: number;
}

export type Seniority = "intern" | "junior" | "mid" | "senior" | "staff" | "principal" | "lead";

export interface DemoJob {
  company: { slug: string; name: string };
  title: string;
  /** Text in Markdown. */
  description: string;
  location: string;
  /** A slug, or null for work from anywhere. */
  city: string | null;
  remote: boolean;
  seniority: Seniority;
  stack: string[];
  /** Yearly salary, in whole units of the currency. */
  salary: { min: number; max: number; currency: string };
  applyUrl: string;
  postedAt: number;
}

export interface DemoPrompt {
  author: number;
  title: string;
  body: string;
  model: string;
  category: string;
  /** Each rating is 1 to 5. A prompt has at most 60 ratings. */
  ratings: number[];
  createdAt: number;
}

/** Returns an iterable that can be read repeatedly. A generator can be read only once. */
function reread<Item>(start: () => Generator<Item>): Iterable<Item> {
  return { [Symbol.iterator]: start };
}
