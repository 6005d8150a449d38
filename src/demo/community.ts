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
 * Invents a community to look at, to try things on and to measure with: people, what they write to each
 * other, the jobs they are offered and the prompts they share. The same size, seed and moment give the same
 * community everywhere, always.
 *
 *  Each stream is in ascending time order (builders by when they joined) and is made item by item as it is
 *  read, so a million posts take no more memory than one. Each can be read more than once, and its content
 *  does not depend on how many items of other kinds there are, except that posts and prompts need builders to
 *  write them: a community of none is silent. `now` is the newest moment, in milliseconds since the epoch.
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
  /** 0 to 20,000. */
  xp: number;
  /** 0 to 400. */
  streakDays: number;
  badges: string[];
  /** Titles. */
  projects: string[];
  joinedAt: number;
}

export interface DemoPost {
  /** Index into the builders. */
  author: number;
  /** Markdown. */
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
  /** Markdown. */
  description: string;
  location: string;
  /** A slug; none where the work can be done anywhere. */
  city: string | null;
  remote: boolean;
  seniority: Seniority;
  stack: string[];
  /** A year’s pay, in whole units of the currency. */
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
  /** 1 to 5 each, at most 60 of them. */
  ratings: number[];
  createdAt: number;
}

/** A generator can be read once only; this can be read as often as one likes. */
function reread<Item>(start: () => Generator<Item>): Iterable<Item> {
  return { [Symbol.iterator]: start };
}
