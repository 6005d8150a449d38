import { OPERATOR } from "../src/core/identity/access/caller.ts";
import { searchPosts } from "../src/core/community/feed/search.ts";
import { searchPrompts } from "../src/core/community/prompts/search.ts";
import { createPost } from "../src/core/community/feed/feed.ts";
import type { Core } from "../src/core/base/core.ts";
import type { Page } from "../src/core/base/page.ts";
import { authenticate } from "../src/core/delegation/tokens/tokens.ts";
import { statSync } from "node:fs";
import { join } from "node:path";
import { cpuSamples, createBenchCommunity, median, row, type BenchCommunity, time } from "./server.ts";

/** Typical searches, and searches that cost the server the most for the shortest query. */
const SEARCHES = (author: string): Readonly<Record<string, Readonly<Record<string, string>>>> => ({
  typical: {
    "a common word": "the",
    "two common words": "the people",
    "three common words": "first time we",
    "a rare word": "soldered",
    "a word in no post": "zymurgy",
    "a rare word and a common one": "soldered the",
    "a phrase": '"slow only on mondays"',
    "a common phrase": '"of the"',
    "a prefix of three letters": "pro*",
    "a prefix of four letters": "post*",
    "a prefix of seven letters": "enginee*",
    "a tag": "tag:rust",
    "a tag and a word": "tag:rust compiler",
    "an author": `author:${author}`,
    "an author and a word": `author:${author} the`,
    "a word before a day": "the before:2026-06-01",
    "a word after a day": "the after:2026-06-01",
    "a week": "after:2026-03-01 before:2026-03-08",
  },
  harmful: {
    "one letter": "s*",
    "the widest prefix of five letters": "about*",
    "four wide prefixes": "abou* ther* with* people*",
    "sixteen common words": "the a and i it is for to of in that you on one with my",
    "a phrase of stop words that is nowhere": '"the the"',
    "sixteen phrases of stop words": Array.from({ length: 16 }, (_, i) => `"the a ${i} of"`).join(" "),
    "1,000 characters": "ab ".repeat(333),
    "a rare tag, author and common words": `the and a tag:zig author:${author}`,
  },
});

/**
 * Measures post search over a million posts in the database and the core: the first page of 20 and the tenth.
 */
export async function search(): Promise<void> {
  const posts = Number(process.env["POSTS"] ?? 1_000_000);
  using stage = await createBenchCommunity({ builders: 200, posts, jobs: 0, prompts: 20_000 });
  measureAll(stage);
}

/** Measures a folder that is already filled. */
export function measureAll(stage: Pick<BenchCommunity, "core" | "folder" | "token">): void {
  const { core } = stage;
  const { username = "" } =
    core.db.prepare<{ username: string }>("SELECT username FROM builders LIMIT 1").get() ?? {};
  for (const [what, searches] of Object.entries(SEARCHES(username))) {
    row(what, "shown", "p50 ms", "p99 ms", "tenth page: p50 ms");
    row("---", "---", "---", "---", "---");
    for (const [name, q] of Object.entries(searches)) measure(core, name, q);
    console.log();
  }
  row("prompts, of 20,000", "shown", "p50 ms", "p99 ms", "tenth page: p50 ms");
  row("---", "---", "---", "---", "---");
  for (const [name, q] of Object.entries({
    "a common word": "the",
    "a word and a tag": "code tag:claude-sonnet",
  }))
    measure(core, name, q, searchPrompts);
  console.log();
  sizes(stage);
  writes(stage);
}

function measure(
  core: Core,
  name: string,
  q: string,
  search: typeof searchPosts | typeof searchPrompts = searchPosts,
): void {
  const page = (cursor?: string): Page<unknown> => search(core, OPERATOR, q, { limit: 20, cursor });
  const slow = time(() => page(), 1).median > 50;
  const taken = cpuSamples(() => page(), slow ? 10 : 300);
  let cursor: string | undefined;
  let shown = 0;
  for (let i = 0; i < 10; i++) {
    const found = page(cursor);
    shown += found.nodes.length;
    const last = found.nodes.at(-1);
    if (!found.hasNextPage || !last) break;
    cursor = found.cursorOf(last);
  }
  const deep = cpuSamples(() => page(cursor), slow ? 10 : 100);
  row(name, shown === 200 ? "200 or more" : shown, at(taken, 0.5), at(taken, 0.99), at(deep, 0.5));
}

const at = (sorted: readonly number[], part: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(2);

function sizes({ core, folder }: Pick<BenchCommunity, "core" | "folder">): void {
  core.db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
  const whole = statSync(join(folder, "guildhall.db")).size;
  const index =
    core.db
      .prepare<{ bytes: number }>("SELECT sum(pgsize) AS bytes FROM dbstat WHERE name LIKE 'post_search%'")
      .get()?.bytes ?? 0;
  console.log(
    `The database: ${(whole / 1e6).toFixed(0)} MB, of it the index ${(index / 1e6).toFixed(0)} MB.`,
  );
}

/** Measures the CPU time of creating a post in the core. Each post has its own transaction. */
function writes({ core, token }: Pick<BenchCommunity, "core" | "token">): void {
  const caller = authenticate(core, token, () => true);
  if (!caller) throw new Error("the bench's token does not work");
  const texts = core.db.prepare<{ text: string }>("SELECT text FROM posts ORDER BY id LIMIT 2000").all();
  const each = (work: (text: string) => void): number[] =>
    texts.flatMap(({ text }) => cpuSamples(() => work(text), 1));
  const all = each((text) => void createPost(core, caller, { text }));
  const sorted = all.toSorted((a, b) => a - b);
  const mean = all.reduce((sum, ms) => sum + ms, 0) / all.length;
  console.log(
    `A post: mean ${mean.toFixed(2)} ms, p50 ${median(all).toFixed(2)}, p99 ${at(sorted, 0.99)}, p99.9 ${at(sorted, 0.999)}, slowest ${at(sorted, 1)}.`,
  );
}
