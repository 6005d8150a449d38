import { type FeedFilter, listFeed } from "../src/core/community/feed/feed.ts";
import type { Caller } from "../src/core/identity/access/caller.ts";
import { scopesOfPerson } from "../src/core/identity/access/caller.ts";
import { fill, row, time } from "./ground.ts";

const YEAR = 365 * 24 * 3600 * 1000;

/** A page of what one follows, in a feed of a million posts: work by what is followed, not by what lies between. */
export async function following(): Promise<void> {
  using stage = await fill({ builders: 2_000, posts: 1_000_000, jobs: 0, prompts: 0 });
  const { core } = stage;
  const { db } = core;
  const [me, rare] = ["reader", "rare"].map((username, i) => {
    const id = core.makeId("builder", core.clock.now());
    db.prepare("INSERT INTO builders (id, username, name, created_at) VALUES (?, ?, 'N', ?)").run(
      id,
      username,
      i,
    );
    return id;
  });
  const { at = 0 } = db.prepare<{ at: number }>("SELECT max(created_at) AS at FROM posts").get() ?? {};
  // Who posted once, a year ago, behind most of the million; and two tags that half of all posts have, of which
  // none has both.
  db.prepare("INSERT INTO posts (id, author_id, text, created_at) VALUES (?, ?, 'once', ?)").run(
    core.makeId("post", at - YEAR),
    rare,
    at - YEAR,
  );
  for (const [tag, parity] of [
    ["left", 0],
    ["right", 1],
  ])
    db.prepare(
      `INSERT OR IGNORE INTO post_tags (tag, post_id, author_id)
       SELECT ?, id, author_id FROM posts WHERE parent_id IS NULL AND hidden_at IS NULL AND rowid % 2 = CAST(? AS INTEGER)`,
    ).run(tag, parity);
  const caller = {
    builderId: me,
    workspaceId: "",
    scopes: scopesOfPerson("member"),
    means: "token",
  } as unknown as Caller;
  const follow = (builders: number, tags: number): void => {
    db.prepare("DELETE FROM follows").run();
    db.prepare("DELETE FROM followed_tags").run();
    db.prepare(
      "INSERT INTO follows SELECT ?, id, 0 FROM builders WHERE username NOT IN ('reader', 'rare') LIMIT CAST(? AS INTEGER)",
    ).run(me, builders);
    db.prepare(
      "INSERT INTO followed_tags SELECT ?, tag, 0 FROM (SELECT DISTINCT tag FROM post_tags WHERE tag NOT IN ('left', 'right')) LIMIT CAST(? AS INTEGER)",
    ).run(me, tags);
    // The demo has fewer tags than one may follow.
    for (let i = 0; i < tags; i++)
      db.prepare(
        "INSERT OR IGNORE INTO followed_tags SELECT ?, ?, 0 WHERE (SELECT count(*) FROM followed_tags) < CAST(? AS INTEGER)",
      ).run(me, `t${i}`, tags);
  };
  const cost = (filter: FeedFilter, limit: number): string => {
    const { median, slowest } = time(
      () => listFeed(core, caller, { ...filter, following: true }, { limit }),
      300,
    );
    return `${median.toFixed(2)} (${slowest.toFixed(2)})`;
  };
  row("follows", "page", "20 posts, ms (slowest)", "100 posts, ms (slowest)");
  row("---", "---", "---", "---");
  const both = (what: string, page: string, filter: FeedFilter = {}): void =>
    row(what, page, cost(filter, 20), cost(filter, 100));
  follow(0, 0);
  db.prepare("INSERT INTO follows VALUES (?, ?, 0)").run(me, rare);
  both("1 builder who posted once, a year ago", "first");
  follow(10, 5);
  both("10 builders, 5 tags", "first");
  follow(1000, 200);
  both("1,000 builders, 200 tags", "first");
  both("1,000 builders, 200 tags", "of a tag that is not followed", { tag: "left" });
  both("1,000 builders, 200 tags", "of a builder who is not followed", { author: "rare" });
  both("1,000 builders, 200 tags", "of the last day", { since: at - YEAR / 365 });
  follow(0, 0);
  db.prepare("INSERT INTO followed_tags VALUES (?, 'left', 0)").run(me);
  both("a tag of half of all posts", "first");
  both("a tag of half of all posts", "of a tag of the other half", { tag: "right" });
}
