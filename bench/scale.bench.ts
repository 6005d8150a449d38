import { OPERATOR } from "../src/core/identity/access/caller.ts";
import { type FeedFilter, listFeed } from "../src/core/community/feed/feed.ts";
import { createBenchCommunity, row, time } from "./server.ts";

/** Measures the cost of a feed page as the feed grows. The cost should stay constant. */
export async function scale(): Promise<void> {
  row(
    "posts",
    "fill s",
    "first page µs",
    "page in the middle µs",
    "by tag µs",
    "by author µs",
    "by tag and author µs",
  );
  row("---", "---", "---", "---", "---", "---", "---");
  for (const posts of [10_000, 100_000, 1_000_000]) {
    const from = performance.now();
    using stage = await createBenchCommunity({ builders: 200, posts, jobs: 0, prompts: 0 });
    const filled = (performance.now() - from) / 1000;
    const { core } = stage;
    const { username = "" } =
      core.db.prepare<{ username: string }>("SELECT username FROM builders LIMIT 1").get() ?? {};
    const middle = core.db
      .prepare<{ at: number }>("SELECT (min(created_at) + max(created_at)) / 2 AS at FROM posts")
      .get();
    const cost = (filter: FeedFilter, cursor?: string): string =>
      (time(() => listFeed(core, OPERATOR, filter, { limit: 20, cursor }), 2000).median * 1000).toFixed(0);
    row(
      posts.toLocaleString("en-US"),
      filled.toFixed(1),
      cost({}),
      cost({}, cursorAt(core, middle?.at ?? 0)),
      cost({ tag: "rust" }),
      cost({ author: username }),
      cost({ tag: "rust", author: username }),
    );
  }
}

/** Returns the cursor of the last post before a time. */
function cursorAt(core: Parameters<typeof listFeed>[0], at: number): string {
  const row = core.db
    .prepare<{ id: string }>(
      "SELECT id FROM posts WHERE parent_id IS NULL AND created_at < ? ORDER BY id DESC LIMIT 1",
    )
    .get(at);
  const page = listFeed(core, OPERATOR, {}, { limit: 1 });
  const [node] = page.nodes;
  if (!node) return "";
  return page.cursorOf({ ...node, id: row?.id ?? node.id });
}
