import { OPERATOR } from "../core/identity/access/caller.ts";
import { createToken } from "../core/delegation/tokens/tokens.ts";
import { BUILDER_SCOPES } from "../core/identity/access/scopes.ts";
import { putCommunitySettings } from "../core/identity/community-settings/community-settings.ts";
import { hasBuilders } from "../core/identity/builders/builders.ts";
import { findBuilder, insertBuilder, putRole } from "../core/identity/builders/builders-store.ts";
import { DAY } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { refuse } from "../core/base/errors.ts";
import { insertPost } from "../core/community/feed/feed-store.ts";
import { idCounts, idMaker } from "../core/base/ids.ts";
import { ensureCompany, insertJob } from "../core/community/jobs/jobs-store.ts";
import { insertProjects } from "../core/community/profiles/projects-store.ts";
import { insertPrompt } from "../core/community/prompts/prompts-store.ts";
import { rankOf, scoreOf } from "../core/community/prompts/score.ts";
import { clearSetting, getSetting, setSetting } from "../core/base/db/settings.ts";
import type { Community, CommunitySize, DemoBuilder, DemoJob, DemoPost, DemoPrompt } from "./community.ts";
import CHARTER from "../../data/seed/charter.json";
import { writeLedger, writeStreak } from "./ledger.ts";
import { seededBytes } from "./seeded-bytes.ts";

export const DEMO_SIZE: CommunitySize = { builders: 200, posts: 5000, jobs: 500, prompts: 300 };
export const DEMO_SEED = 1;

/**
 * Rows per commit. With more rows the WAL would become large. With fewer rows the commits would take longer
 * in total.
 */
const CHUNK = 5000;

export type Progress = (done: number, total: number, label: string) => void;

/**
 * Fills an empty database with the community of this seed and size. All records are dated before the last
 * midnight (UTC), so that two runs on one day give the same rows. Writes through the stores, because the
 * core's operations do not accept past dates. Throws conflict if the database already has builders.
 */
export async function fillDemo(
  core: Core,
  size: CommunitySize,
  seed: number,
  progress: Progress,
): Promise<void> {
  if (getSetting(core, "demo-unfinished") !== undefined) {
    throw refuse("demo_half_way");
  }
  if (hasBuilders(core)) throw refuse("demo_needs_empty");
  const midnight = Math.floor(core.clock.now() / DAY) * DAY;
  const filling: Core = { ...core, makeId: idMaker(seededBytes(seed), idCounts()) };
  // Loaded here only, because its texts take 14 MiB of memory.
  const { demoCommunity } = await import("./community.ts");
  const community = demoCommunity(size, seed, midnight);
  const total = size.builders + size.posts + size.jobs + size.prompts;
  let done = 0;

  core.db.transact(() => setSetting(core, "demo-unfinished", String(seed)));
  const authors: string[] = [];
  for (const { label, rows } of steps(filling, community, authors, midnight)) {
    for (const written of inChunks(core, rows)) {
      done += written;
      progress(done, total, label);
      // Yields to the event loop, so that the progress bar is drawn and signals are handled.
      await new Promise(setImmediate);
    }
  }
  core.db.transact(() => {
    const [first, second] = community.builders;
    if (first) setSetting(core, "demo-builder", first.username);
    // No demo builder is the owner, because nobody can sign in as a demo builder. The person who opens the
    // setup link becomes the owner.
    const moderator = second && findBuilder(core, second.username);
    if (moderator) putRole(core, moderator.id, "moderator");
    putCommunitySettings(core, CHARTER);
    clearSetting(core, "demo-unfinished");
  });
}

/** Fills the demo into an empty database. Leaves any other database unchanged. */
export async function ensureDemo(core: Core, progress: Progress): Promise<void> {
  if (!hasBuilders(core) || getSetting(core, "demo-unfinished") !== undefined) {
    await fillDemo(core, DEMO_SIZE, DEMO_SEED, progress);
  }
}

/**
 * Creates a new token for a demo builder. Returns undefined if this is not a demo community, or if the
 * builder's account was deleted.
 */
export function demoToken(core: Core): { token: string; username: string } | undefined {
  const username = getSetting(core, "demo-builder");
  if (username === undefined || !findBuilder(core, username)) return undefined;
  const draft = { name: "demo", scopes: [...BUILDER_SCOPES], expiresInDays: 7, tier: "personal" as const };
  return { token: createToken(core, OPERATOR, username, draft).token, username };
}

function steps(core: Core, community: Community, authors: string[], midnight: number) {
  return [
    {
      label: "builders",
      rows: mapped(community.builders, (builder) => void authors.push(writeBuilder(core, builder, midnight))),
    },
    { label: "posts", rows: mapped(community.posts, (post) => writePost(core, post, authors)) },
    { label: "jobs", rows: mapped(community.jobs, (job) => writeJob(core, job)) },
    { label: "prompts", rows: mapped(community.prompts, (prompt) => writePrompt(core, prompt, authors)) },
  ];
}

function* mapped<Item>(items: Iterable<Item>, write: (item: Item) => void): Iterable<() => void> {
  for (const item of items) yield () => write(item);
}

/** Runs the writes in transactions of `CHUNK` writes. Yields the number of writes after each transaction. */
function* inChunks(core: Core, writes: Iterable<() => void>): Iterable<number> {
  let chunk: (() => void)[] = [];
  const flush = (): number => {
    const writing = chunk;
    chunk = [];
    core.db.transact(() => {
      for (const write of writing) write();
    });
    return writing.length;
  };
  for (const write of writes) {
    chunk.push(write);
    if (chunk.length === CHUNK) yield flush();
  }
  if (chunk.length > 0) yield flush();
}

function writeBuilder(core: Core, builder: DemoBuilder, midnight: number): string {
  const createdAt = builder.joinedAt;
  const id = core.makeId("builder", createdAt);
  const workspaceId = core.makeId("ws", createdAt);
  const { username, name, bio } = builder;
  insertBuilder(core, {
    id,
    workspaceId,
    username,
    name,
    bio,
    role: "member",
    createdAt,
    isVouched: true,
  });
  writeLedger(core, id, builder);
  writeStreak(core, id, builder.streakDays, midnight);
  insertProjects(
    core,
    builder.projects.map((title) => ({ id: core.makeId("prj", createdAt), builderId: id, title, createdAt })),
  );
  return id;
}

function writePost(core: Core, post: DemoPost, authors: readonly string[]): void {
  const id = core.makeId("post", post.createdAt);
  insertPost(core, {
    ...post,
    id,
    authorId: authors[post.author] ?? "",
    rootId: null,
    media: [],
    replies: post.replies.length,
  });
  for (const reply of post.replies) {
    insertPost(core, {
      ...reply,
      id: core.makeId("post", reply.createdAt),
      authorId: authors[reply.author] ?? "",
      rootId: id,
      tags: [],
      media: [],
      replies: 0,
    });
  }
}

function writeJob(core: Core, { company, salary, ...job }: DemoJob): void {
  const { id: companyId } = ensureCompany(core, {
    ...company,
    id: core.makeId("company", job.postedAt),
    createdAt: job.postedAt,
  });
  insertJob(core, {
    ...job,
    id: core.makeId("job", job.postedAt),
    companyId,
    salaryMin: salary.min,
    salaryMax: salary.max,
    currency: salary.currency,
  });
}

function writePrompt(
  core: Core,
  { author, ratings, ...prompt }: DemoPrompt,
  authors: readonly string[],
): void {
  const sum = ratings.reduce((total, rating) => total + rating, 0);
  insertPrompt(core, {
    ...prompt,
    id: core.makeId("prompt", prompt.createdAt),
    authorId: authors[author] ?? "",
    ratingCount: ratings.length,
    ratingSum: sum,
    score: scoreOf(sum, ratings.length),
    rank: rankOf(sum, ratings.length),
  });
}
