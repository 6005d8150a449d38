import { expect, test } from "bun:test";
import { DAY } from "../../src/core/base/clock.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { titled } from "../../src/core/community/feed/kind.ts";
import { likePost } from "../../src/core/community/feed/likes.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { publishJob } from "../../src/core/community/jobs/jobs.ts";
import { block } from "../../src/core/community/messages/blocks.ts";
import { putCommunitySettings } from "../../src/core/identity/community-settings/community-settings.ts";
import { hide, restore, suspendBuilder } from "../moderate.ts";
import { callerOf } from "./sample-site.ts";
import { createAccountOf, openSite, signedInAs, visit, type Visitor } from "./support.ts";

const words = (html: string) => html.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
const asideOf = (html: string) => /<aside class="sidebar">([^]*?)<\/aside>/.exec(html)?.[1] ?? "";
const quotesOf = (html: string) =>
  [...html.matchAll(/<a class="best"[^]*?<\/a>/g)].map(([quote]) => words(quote).trim());

// docs/contract.md#9.42
test("the feed quotes the best reply and lists tags, jobs and active members, for each reader what they may see", async () => {
  await using site = openSite();
  const { core, clock } = site;
  for (const name of ["ada", "bob", "cy"]) await createAccountOf(site, name);
  await createAccountOf(site, "root", { role: "owner" });
  const [ada, cy] = [signedInAs(site, "ada"), signedInAs(site, "cy")];
  const guest = visit(site);
  const callers = {
    ada: callerOf(site, ada),
    bob: callerOf(site, signedInAs(site, "bob")),
    cy: callerOf(site, cy),
  };
  const owner = callerOf(site, signedInAs(site, "root"));
  const post = createPost(core, callers.ada, { text: "Which loom?\n\nA small one.", tags: ["looms"] }).id;
  const front = async (visitor: Visitor) => {
    const { html } = await visitor.open("/");
    return { quotes: quotesOf(html), aside: words(asideOf(html)), html };
  };
  expect((await front(guest)).html).toContain('<p class="kind">Open question</p>');
  const first = replyTo(core, callers.bob, post, { text: "A **table** loom." }).id;
  const second = replyTo(core, callers.cy, first, { text: "A rigid heddle." }).id;
  const own = replyTo(core, callers.ada, post, { text: "Thank you." }).id;
  for (const id of [first, own]) for (const name of ["cy", "bob"] as const) likePost(core, callers[name], id);
  likePost(core, callers.ada, second);
  replyTo(core, callers.ada, second, { text: "And where do you put it?" });
  publishJob(core, callers.bob, {
    title: "Weaver",
    company: { name: "Tidewater", slug: "tidewater" },
    location: "Enns",
    remote: true,
    seniority: "senior",
    stack: ["rust"],
    salary: { min: 1, max: 2, currency: "EUR" },
    description: "Weave.",
    apply_url: "https://jobs.example.com/1",
  });

  const seen = await front(guest);
  expect(seen.html).toContain('<p class="kind answered">Answered</p>');
  expect(seen.quotes).toEqual(["Most liked reply: Bob A table loom."]);
  expect(seen.html).toContain(`<a class="best" href="/posts/${first}">`);
  expect(seen.aside).toMatch(
    /Active lately Ada Cy Bob Open jobs Weaver Tidewater All jobs Tags in use #looms/,
  );
  expect(words(asideOf((await guest.open(`/posts/${post}`)).html))).toContain("Active lately");

  block(core, callers.cy, "bob");
  const blocking = await front(cy);
  expect([blocking.quotes, blocking.aside]).toEqual([
    [],
    expect.stringMatching(/Active lately Ada Cy Open jobs/),
  ]);
  expect((await front(ada)).quotes).toHaveLength(1);

  hide(core, owner, first);
  expect((await front(guest)).quotes).toEqual(["Most liked reply: Cy A rigid heddle."]);
  suspendBuilder(core, owner, "cy");
  const suspended = await front(guest);
  expect([suspended.quotes, suspended.aside]).toEqual([[], expect.not.stringContaining("Cy")]);
  expect(suspended.aside).not.toContain("Bob");
  restore(core, owner, first);
  expect((await front(guest)).aside).toContain("Bob");
  hide(core, owner, post);
  expect((await front(guest)).aside).not.toMatch(/Active lately|looms/);

  clock.pass(61 * DAY);
  expect((await front(guest)).aside).not.toContain("Weaver");
  core.db.transact(() => putCommunitySettings(core, { reading: "members" }));
  expect(asideOf((await guest.open("/")).html)).toBe("");
});

// docs/contract.md#9.20.1
test("the title of a post is its first heading, or the first line of a question", () => {
  const parts = (text: string, kind: "story" | "question" = "story") => {
    const { title, body } = titled({ text }, kind);
    return [title, body.trim()];
  };
  expect(parts("\n# A **bold** title #\n\nText")).toEqual(["A bold title", "Text"]);
  expect(parts("## Only a title")).toEqual(["Only a title", ""]);
  expect(parts("Why?\n\nBecause.", "question")).toEqual(["Why?", "Because."]);
  // Anything that a plain title would lose stays in the text.
  for (const text of [
    "A line\n\n# A later heading",
    "# With a [link](https://example.com)",
    "# Hello @ada",
    "    # code",
    "#hashtag",
    "Why?\n\nBecause.",
  ])
    expect(parts(text)).toEqual(["", text.trim()]);
  for (const text of ["Why?\nBecause.", "- Why?", "A statement.\n\nWhy?", `${"w".repeat(160)}?`])
    expect(parts(text, "question")).toEqual(["", text]);
});
