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
import { type PictureStorage, setPictureStorage } from "../core/community/media/picture-storage.ts";
import { updateDetails } from "../core/community/profiles/profiles-store.ts";
import { insertProjects } from "../core/community/profiles/projects-store.ts";
import { insertPrompt } from "../core/community/prompts/prompts-store.ts";
import { rankOf, scoreOf } from "../core/community/prompts/score.ts";
import { clearSetting, getSetting, setSetting } from "../core/base/db/settings.ts";
import type {
  Community,
  CommunitySize,
  CastMember,
  DemoBuilder,
  DemoJob,
  DemoPost,
  DemoPrompt,
} from "./community.ts";
import CHARTER from "../../data/seed/charter.json";
import { writeDailyLedger, writeLedger, writeStreak } from "./ledger.ts";
import { type Members, writeLikes, writeRatings } from "./reactions.ts";
import { seededBytes } from "./seeded-bytes.ts";

export const DEMO_SIZE: CommunitySize = { builders: 200, posts: 1600, jobs: 350, prompts: 300 };
export const DEMO_SEED = 1;

/**
 * Rows per commit. With more rows the WAL would become large. With fewer rows the commits would take longer
 * in total.
 */
const CHUNK = 5000;
/** Rows per commit while pictures are re-encoded. The encoder starts its next process after a commit. */
const SHOWCASE_CHUNK = 200;
/** Pause after each commit, in ms. The event loop needs some turns for the end of a process. */
const SHOWCASE_PAUSE_MS = 1;

export type Progress = (done: number, total: number, label: string) => void;

/**
 * Fills an empty database with the generated community of this seed and size, for measurements and tests. All
 * records are dated before the last midnight (UTC), so that two runs on one day give the same rows. Writes
 * through the stores, because the core's operations do not accept past dates. Throws conflict if the database
 * already has builders.
 */
export async function fillDemo(
  core: Core,
  size: CommunitySize,
  seed: number,
  progress: Progress,
): Promise<void> {
  const midnight = begin(core, seed);
  const filling: Core = { ...core, makeId: idMaker(seededBytes(seed), idCounts()) };
  // Loaded here only, because its texts take 14 MiB of memory.
  const { demoCommunity } = await import("./community.ts");
  const community = demoCommunity(size, seed, midnight);
  await write(filling, { community, size, midnight, isCounted: false }, progress);
  core.db.transact(() => finish(core, community));
}

/**
 * Fills an empty database with the community that visitors see. The generated part has a row for each like
 * and rating. Hand-written conversations, launches, messages and profiles are on top, and the newest are
 * minutes old. `pictures` stores the pictures of the posts. Returns the size of the community. Throws
 * conflict like `fillDemo`.
 */
export async function fillShowcase(
  core: Core,
  pictures: PictureStorage,
  progress: Progress,
): Promise<CommunitySize> {
  const midnight = begin(core, DEMO_SEED);
  const { openShowcase } = await import("./showcase.ts");
  const filling: Core = { ...core, makeId: idMaker(seededBytes(DEMO_SEED), idCounts()) };
  const showcase = openShowcase(core.clock.now(), DEMO_SIZE, DEMO_SEED);
  // The encoder runs in other processes while this thread writes.
  const encoded = showcase.encode(pictures);
  // A failure is reported by the `await` below.
  encoded.catch(() => {});
  const { community } = showcase;
  const members = await write(filling, { community, size: DEMO_SIZE, midnight, isCounted: true }, progress);
  const files = await encoded;
  setPictureStorage(core, pictures);
  core.db.transact(() => {
    showcase.play(filling, members, files);
    finish(core, community);
    setSetting(core, "demo-rows", "all");
  });
  return showcase.size;
}

/** Fills the demo into an empty database. Leaves any other database unchanged. */
export async function ensureDemo(core: Core, pictures: PictureStorage, progress: Progress): Promise<void> {
  if (!hasBuilders(core) || getSetting(core, "demo-unfinished") !== undefined) {
    await fillShowcase(core, pictures, progress);
  }
}

/** Checks that the database is empty and marks it as unfinished. Returns the last midnight (UTC). */
function begin(core: Core, seed: number): number {
  if (getSetting(core, "demo-unfinished") !== undefined) {
    throw refuse("demo_half_way");
  }
  if (hasBuilders(core)) throw refuse("demo_needs_empty");
  core.db.transact(() => setSetting(core, "demo-unfinished", String(seed)));
  return Math.floor(core.clock.now() / DAY) * DAY;
}

function finish(core: Core, community: Community): void {
  const [first, second] = community.builders;
  if (first) setSetting(core, "demo-builder", first.username);
  // No demo builder is the owner. The person who opens the set-up link becomes the owner.
  const moderator = second && findBuilder(core, second.username);
  if (moderator) putRole(core, moderator.id, "moderator");
  putCommunitySettings(core, CHARTER);
  clearSetting(core, "demo-unfinished");
}

/** The rows to write. `isCounted` also writes a row for each like and rating. */
interface Filling {
  community: Community;
  size: CommunitySize;
  midnight: number;
  isCounted: boolean;
}

async function write(core: Core, filling: Filling, progress: Progress): Promise<Members> {
  const { size, isCounted } = filling;
  const total = size.builders + size.posts + size.jobs + size.prompts;
  const members: Members = [];
  let done = 0;
  for (const { label, rows } of steps(core, filling, members)) {
    for (const written of inChunks(core, rows, isCounted ? SHOWCASE_CHUNK : CHUNK)) {
      done += written;
      progress(done, total, label);
      // Yields to the event loop, so that the progress bar is drawn and signals are handled.
      await (isCounted ? Bun.sleep(SHOWCASE_PAUSE_MS) : new Promise(setImmediate));
    }
  }
  return members;
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

function steps(core: Core, { community, midnight, isCounted }: Filling, members: Members) {
  return [
    {
      label: "builders",
      rows: mapped(community.builders, (builder) => void members.push(writeBuilder(core, builder, midnight))),
    },
    { label: "posts", rows: mapped(community.posts, (post) => writePost(core, post, members, isCounted)) },
    { label: "jobs", rows: mapped(community.jobs, (job) => writeJob(core, job)) },
    {
      label: "prompts",
      rows: mapped(community.prompts, (prompt) => writePrompt(core, prompt, members, isCounted)),
    },
  ];
}

function* mapped<Item>(items: Iterable<Item>, write: (item: Item) => void): Iterable<() => void> {
  for (const item of items) yield () => write(item);
}

/** Runs the writes in transactions of `count` writes. Yields the number of writes after each transaction. */
function* inChunks(core: Core, writes: Iterable<() => void>, count: number): Iterable<number> {
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
    if (chunk.length === count) yield flush();
  }
  if (chunk.length > 0) yield flush();
}

function writeBuilder(core: Core, builder: DemoBuilder, midnight: number): Members[number] {
  const { username, name, bio, joinedAt: createdAt, cast } = builder;
  const id = core.makeId("builder", createdAt);
  const workspaceId = core.makeId("ws", createdAt);
  insertBuilder(core, {
    id,
    workspaceId,
    username,
    name,
    bio,
    role: "member",
    createdAt,
    isVouched: true,
    ...(cast && { hasReadWelcome: true, hasPutStepsAway: true }),
  });
  if (cast) writeDailyLedger(core, id, builder, cast);
  else {
    writeLedger(core, id, builder);
    writeStreak(core, id, builder.streakDays, midnight);
  }
  const drafts: CastMember["projects"] = cast?.projects ?? builder.projects.map((title) => ({ title }));
  const projects = drafts.map((project) => ({
    ...project,
    id: core.makeId("prj", createdAt),
    builderId: id,
    createdAt,
  }));
  insertProjects(core, projects);
  if (cast) {
    const links = projects.flatMap(({ url }) => url ?? []);
    updateDetails(core, id, { place: cast.place, links, pinnedProjectId: projects.at(-1)?.id ?? null });
  }
  return { id, workspaceId, username, joinedAt: createdAt };
}

function writePost(core: Core, post: DemoPost, members: Members, isCounted: boolean): void {
  const id = core.makeId("post", post.createdAt);
  insertPost(core, {
    ...post,
    id,
    authorId: members[post.author]?.id ?? "",
    rootId: null,
    media: [],
    replies: post.replies.length,
  });
  if (isCounted) writeLikes(core, id, post, members);
  for (const reply of post.replies) {
    const replyId = core.makeId("post", reply.createdAt);
    insertPost(core, {
      ...reply,
      id: replyId,
      authorId: members[reply.author]?.id ?? "",
      rootId: id,
      tags: [],
      media: [],
      replies: 0,
    });
    if (isCounted) writeLikes(core, replyId, reply, members);
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

function writePrompt(core: Core, written: DemoPrompt, members: Members, isCounted: boolean): void {
  const { author, ratings, ...prompt } = written;
  const sum = ratings.reduce((total, rating) => total + rating, 0);
  const id = core.makeId("prompt", prompt.createdAt);
  insertPrompt(core, {
    ...prompt,
    id,
    authorId: members[author]?.id ?? "",
    ratingCount: ratings.length,
    ratingSum: sum,
    score: scoreOf(sum, ratings.length),
    rank: rankOf(sum, ratings.length),
  });
  if (isCounted) writeRatings(core, id, written, members);
}
