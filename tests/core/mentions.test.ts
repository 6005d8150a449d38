// docs/contract.md#4.16: mentions.
import { expect, test } from "bun:test";
import { listNotifications } from "../../src/core/services/notifications/notifications.ts";
import { hide, restore } from "../moderate.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { editPost } from "../../src/core/community/feed/revisions.ts";
import { storeMentions, MENTIONS_MAX, mentionsOf } from "../../src/core/community/mentions/mentions.ts";
import { block } from "../../src/core/community/messages/blocks.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { submitPrompt } from "../../src/core/community/prompts/prompts.ts";
import { revisePrompt } from "../../src/core/community/prompts/versions.ts";
import { changeRole } from "../../src/core/identity/accounts/administration.ts";
import { deleteAccount } from "../../src/core/services/deletion/deletion.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { namesIn, renderMarkdown } from "../../src/core/base/markdown.ts";
import { namesInPlainText, renderPlainText } from "../../src/core/base/names.ts";
import type { Core } from "../../src/core/base/core.ts";
import { createTestWorld, signedInNow } from "../support.ts";
import { completeDeletion } from "./linked-community.ts";
import { createCallers } from "./workspace-parts.ts";

function receivedBy(core: Core): string[] {
  return core.db
    .prepare<{ words: string }>(
      `SELECT b.username || ' by ' || a.username || ' in ' || n.subject_type AS words
       FROM notifications n JOIN builders b ON b.id = n.builder_id JOIN notification_facts f USING (group_id)
       JOIN builders a ON a.id = f.actor_id WHERE n.kind = 'mention' ORDER BY n.place`,
    )
    .all()
    .map(({ words }) => words);
}

function named(core: Core, id: string): Record<string, string> {
  return Object.fromEntries(mentionsOf(core, [id]).get(id) ?? []);
}

test("finds names where text mentions a member, and not in code, links or addresses", () => {
  const found = {
    "@Ada, (@bo) and «@cy»: @di's / @ed—": ["ada", "bo", "cy", "di", "ed"],
    "_@a_b_ **@c-d** # @e\n\n# @f\n\n> - @g\n\n|@h|\n|-|\n|@i|": ["a_b", "c-d", "e", "f", "g", "h", "i"],
    "note[^1]\n\n[^1]: of @j": ["j"],
    "`@x` ``@x`` [@x](http://a.example) ![@x](http://a.example/p.png) <http://a.example/@x>": [],
    "```\n@x\n```\n\n    @x\n\nhttp://a.example/@x www.a.example/@x a@x a.@x @x@a.example @x.example @x_ @é @-x":
      [],
    "\\@x &#64;x @\u202Ex @х [@x][r]\n\n[r]: http://a.example": [],
    [`@${"a".repeat(32)} @${"b".repeat(33)}`]: ["a".repeat(32)],
    "@a @A @a @b @c": ["a", "b", "c"],
  };
  expect(Object.fromEntries(Object.keys(found).map((text) => [text, namesIn(text, 100)]))).toEqual(found);
  // A prompt is shown as plain text.
  expect(namesInPlainText("@a `@x` *@b* a@x\n```\n@x\n```\n@c ```@x", 100)).toEqual(["a", "b", "c"]);
  expect(renderPlainText("<b> @Ada & `@ada` @bo", (name) => (name === "ada" ? "new-ada" : undefined))).toBe(
    '&lt;b&gt; <a class="mention" href="/@new-ada">@Ada</a> &amp; `@ada` @bo',
  );
});

test("notifies each mentioned member once for any kind of text, and never the author", () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada, bo, cy } = createCallers(core, "ada", "bo", "cy");
  const post = createPost(core, ada, { text: "@ada and @bo and @Bo and @nobody" });
  expect(named(core, post.id)).toEqual({ ada: "ada", bo: "bo" });
  // A reply already notifies the author whom it answers.
  replyTo(core, bo, post.id, { text: "@ada, ask @cy" });
  const prompt = submitPrompt(core, ada, { title: "t", body: "Ask @bo", model: "m", category: "c" });
  revisePrompt(core, ada, prompt.id, { body: "Ask @bo or @cy, not `@ada`", note: "n" });
  // The first message already notifies its recipient. Members outside a conversation are never notified of
  // it.
  sendMessage(core, ada, { to: "bo", text: "@bo: hello" });
  sendMessage(core, bo, { to: "ada", text: "@ada @bo @cy" });
  const all = [
    "bo by ada in post",
    "cy by bo in post",
    "bo by ada in prompt",
    "cy by ada in prompt",
    "ada by bo in thread",
  ];
  expect(receivedBy(core)).toEqual(all);
  // A stranger's first message notifies its recipient. Later messages notify only after the recipient has
  // answered.
  for (const text of ["Hello", "@bo", "@bo!"]) sendMessage(core, cy, { to: "bo", text });
  expect(receivedBy(core)).toEqual(all);
  sendMessage(core, bo, { to: "cy", text: "Yes?" });
  sendMessage(core, cy, { to: "bo", text: "@bo, at last" });
  expect(receivedBy(core)).toEqual([...all, "bo by cy in thread"]);
});

test("an edit notifies added names, withdraws removed ones, and leaves the others unchanged", () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada } = createCallers(core, "ada", "bo", "cy", "di");
  const post = createPost(core, ada, { text: "@bo @cy" });
  editPost(core, ada, post.id, { text: "again: @cy @di" });
  expect(receivedBy(core)).toEqual(["cy by ada in post", "di by ada in post"]);
  expect(named(core, post.id)).toEqual({ cy: "cy", di: "di" });
  editPost(core, ada, post.id, { text: "nobody" });
  expect([receivedBy(core), named(core, post.id)]).toEqual([[], {}]);
});

test("blocks, hiding, deletion and deleted accounts apply to mentions", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada, bo, cy, root } = createCallers(core, "ada", "bo", "cy", "root");
  changeRole(core, OPERATOR, "root", "admin");
  const admin = signedInNow(core, root);
  block(core, bo, "ada");
  const post = createPost(core, ada, { text: "@bo and @cy" });
  expect(receivedBy(core)).toEqual(["cy by ada in post"]);
  const seen = () => listNotifications(core, cy, { kind: "mention" }, { limit: 10 }).nodes.length;
  expect(seen()).toBe(1);
  // A hidden post hides its mentions, and an edit of that post notifies nobody.
  hide(core, admin, post.id, { reason: "r" });
  expect(seen()).toBe(0);
  editPost(core, ada, post.id, { text: "@cy and @root" });
  restore(core, admin, post.id);
  expect(receivedBy(core)).toEqual(["cy by ada in post"]);
  const other = createPost(core, ada, { text: "@root" });
  deletePost(core, ada, other.id);
  expect(receivedBy(core)).toEqual(["cy by ada in post"]);
  deleteAccount(core, admin, "cy", "cy");
  expect(named(core, post.id)).toEqual({ root: "root" });
  completeDeletion(core);
  deletePost(core, ada, post.id);
  expect(core.db.prepare("SELECT * FROM mentions").all()).toEqual([]);
});

test("of five hundred names in one text twenty count, at one lookup and one row each", () => {
  using world = createTestWorld();
  const { core } = world;
  const names = Array.from({ length: 40 }, (_, i) => `b${i}`);
  const { ada } = createCallers(core, "ada", ...names);
  const text = [...Array.from({ length: 60 }, (_, i) => `nobody${i}`), ...names].map((name) => `@${name}`);
  const statements: string[] = [];
  const { db } = core;
  const watched = {
    ...core,
    db: { ...db, prepare: (sql: string) => (statements.push(sql), db.prepare(sql)) },
  };
  db.transact(() =>
    storeMentions(watched as Core, {
      id: "post_1",
      by: ada?.builderId ?? "",
      text: Array.from({ length: 500 }, (_, i) => text[i % text.length]).join(" "),
      subject: { type: "post", id: "post_1" },
    }),
  );
  expect(Object.keys(named(core, "post_1"))).toHaveLength(MENTIONS_MAX);
  expect(receivedBy(core)).toHaveLength(MENTIONS_MAX);
  // Each notified member costs about ten statements. Unknown usernames and mentions beyond the limit cost
  // none.
  expect(statements.length).toBeLessThan(2 + MENTIONS_MAX * 15);
  const flood = `@${names.join(" @")} `.repeat(100);
  expect(renderMarkdown(flood, { nameOf: (name) => (name === "b1" ? name : undefined) }).length).toBeLessThan(
    flood.length * 3,
  );
});
