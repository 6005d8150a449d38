import { OPERATOR } from "../src/core/identity/access/caller.ts";
import { createPost, type FeedFilter, getPost, listFeed } from "../src/core/community/feed/feed.ts";
import { getProfile } from "../src/core/community/profiles/profiles.ts";
import { authenticate } from "../src/core/delegation/tokens/tokens.ts";
import { type BenchCommunity, cpuTime, createBenchCommunity, row } from "./server.ts";

/** The number of members stays the same while posts grow, and the reverse. */
const POSTS = [10_000, 100_000, 1_000_000];
const MEMBERS = [1_000, 10_000, 100_000];
const USUAL = { posts: 100_000, members: 1_000 };

/**
 * Operations per CPU measurement. The system counts CPU time in steps that are longer than one operation.
 */
const BATCH = 50;

/**
 * Measures the cost of reads and writes in the core and the database while posts and members grow. Each cost
 * should stay constant. `SCALE=posts` or `SCALE=members` measures one of the two.
 */
export async function scale(): Promise<void> {
  const selected = process.env["SCALE"];
  row("posts", "members", "filling in s", ...Object.keys(COSTS));
  row("---", "---", "---", ...Object.keys(COSTS).map(() => "---"));
  if (selected !== "members") for (const posts of POSTS) await measure({ ...USUAL, posts });
  if (selected !== "posts") for (const members of MEMBERS) await measure({ ...USUAL, members });
}

async function measure({ posts, members }: typeof USUAL): Promise<void> {
  const from = performance.now();
  using stage = await createBenchCommunity({ builders: members, posts, jobs: 0, prompts: 0 });
  const filled = (performance.now() - from) / 1000;
  // Without a checkpoint, the reads after a long filling would search the whole write-ahead log.
  stage.core.db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
  const cells = Object.values(COSTS).map((work) => microseconds(work(stage)));
  row(posts.toLocaleString("en-US"), members.toLocaleString("en-US"), filled.toFixed(1), ...cells);
}

const page = (filter: FeedFilter, cursor?: string) => (stage: BenchCommunity) => () =>
  void listFeed(stage.core, OPERATOR, filter, { limit: 20, cursor });

/** Each column with the operation that it measures. */
const COSTS: Readonly<Record<string, (stage: BenchCommunity) => () => void>> = {
  "first page µs": page({}),
  "page in the middle µs": (stage) => page({}, cursorInTheMiddle(stage))(stage),
  "by tag µs": page({ tag: "rust" }),
  "by author µs": (stage) => page({ author: usernameOf(stage) })(stage),
  "by tag and author µs": (stage) => page({ tag: "rust", author: usernameOf(stage) })(stage),
  "one post µs": (stage) => {
    const [post] = listFeed(stage.core, OPERATOR, {}, { limit: 1 }).nodes;
    return () => void getPost(stage.core, OPERATOR, post?.id ?? "");
  },
  "a profile µs": (stage) => {
    const username = usernameOf(stage);
    return () => void getProfile(stage.core, OPERATOR, username);
  },
  "creating a post µs": (stage) => {
    const caller = authenticate(stage.core, stage.token, () => true);
    if (!caller) throw new Error("the token of the bench is not valid");
    const draft = { text: "The nightly export runs in a queue now.", tags: ["rust", "queues"] };
    return () => void createPost(stage.core, caller, draft);
  },
};

function microseconds(work: () => void): string {
  const { median } = cpuTime(() => {
    for (let i = 0; i < BATCH; i++) work();
  }, 40);
  return ((median * 1000) / BATCH).toFixed(0);
}

function usernameOf({ core }: BenchCommunity): string {
  return core.db.prepare<{ username: string }>("SELECT username FROM builders LIMIT 1").get()?.username ?? "";
}

/** Returns the cursor of the last post before the middle of the feed's time. */
function cursorInTheMiddle({ core }: BenchCommunity): string {
  const { at = 0 } =
    core.db
      .prepare<{ at: number }>("SELECT (min(created_at) + max(created_at)) / 2 AS at FROM posts")
      .get() ?? {};
  const last = core.db
    .prepare<{ id: string }>(
      "SELECT id FROM posts WHERE parent_id IS NULL AND created_at < ? ORDER BY id DESC LIMIT 1",
    )
    .get(at);
  const { nodes, cursorOf } = listFeed(core, OPERATOR, {}, { limit: 1 });
  const [node] = nodes;
  return node ? cursorOf({ ...node, id: last?.id ?? node.id }) : "";
}
