import { expect, test } from "bun:test";
import fc from "fast-check";
import { backfillSearch } from "../../src/core/services/search/backfill.ts";
import { checkFullText } from "../../src/core/services/checkup/full-text.ts";
import { hide, restore } from "../moderate.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { editPost } from "../../src/core/community/feed/revisions.ts";
import { searchPosts } from "../../src/core/community/feed/search.ts";
import { parseQuestion } from "../../src/core/community/fulltext/language.ts";
import { submitPrompt } from "../../src/core/community/prompts/prompts.ts";
import { searchPrompts } from "../../src/core/community/prompts/search.ts";
import { revisePrompt } from "../../src/core/community/prompts/versions.ts";
import { DAY, HOUR } from "../../src/core/base/clock.ts";
import { type Caller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import { createTestWorld, createMember, type TestWorld } from "../support.ts";

/** docs/contract.md#4.19 */

const PAGE = { limit: 100 };

const finds = ({ core }: TestWorld, caller: Caller, q: string): string[] =>
  searchPosts(core, caller, q, PAGE).nodes.map(({ text }) => text);

test("parses words, phrases, prefixes, tags, authors and days, and treats everything else as words", () => {
  expect(parseQuestion('rust "big deal" engin* tag:Node.js author:@Ada before:2026-03 after:2025')).toEqual({
    terms: [
      { text: "rust", isPrefix: false },
      { text: "big deal", isPrefix: false },
      { text: "engin", isPrefix: true },
    ],
    tags: ["node.js"],
    authors: ["ada"],
    from: Date.parse("2025-01-01T00:00:00Z"),
    until: Date.parse("2026-03-01T00:00:00Z"),
  });
  const none = { tags: [], authors: [], from: undefined, until: undefined };
  expect(parseQuestion('tag: author:a/b before:2026-02-31 after:soon "tag:x" before:"2026"')).toEqual({
    ...none,
    terms: ["tag:", "author:a/b", "before:2026-02-31", "after:soon", "tag:x", "before:", "2026"].map(
      (text) => ({
        text,
        isPrefix: false,
      }),
    ),
  });
});

/** Texts with few different words, so that searches find many of them. */
const WORDS = ["rust", "Rüst", "rustic", "go", "c++", "straße", "strasse", "日本語", "a", "shipped"];
const text = fc
  .array(fc.constantFrom(...WORDS, "\n", "# ", "**"), { minLength: 1, maxLength: 8 })
  .map((words) => words.join(" "))
  .filter((content) => /\S/.test(content));
const tags = fc.uniqueArray(fc.constantFrom("rust", "go", "node.js"), { maxLength: 2 });
const act = fc.oneof(
  fc.record({ do: fc.constant("post" as const), by: fc.nat(1), text, tags, to: fc.nat(20) }),
  fc.record({ do: fc.constant("reply" as const), by: fc.nat(1), text, to: fc.nat(20) }),
  fc.record({ do: fc.constantFrom("edit" as const), text, tags, to: fc.nat(20) }),
  fc.record({ do: fc.constantFrom("hide" as const, "restore" as const, "delete" as const), to: fc.nat(20) }),
  fc.record({ do: fc.constant("wait" as const), to: fc.nat(40) }),
);
const question = fc
  .array(
    fc.oneof(
      fc.constantFrom(...WORDS, "rus*", "stra*", "日*", '"rust go"', '"go rus"*', "zymurgy"),
      fc.constantFrom("tag:rust", "tag:go", "author:ada", "author:bo", "author:nobody"),
      fc.constantFrom("before:2026-11-21", "after:2026-11-21", "after:2026-11-20", "before:2026-11-22"),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => parts.join(" "));

interface Written {
  id: string;
  by: string;
  text: string;
  tags: string[];
  at: number;
  parent: Written | undefined;
  isHidden: boolean;
}

/** Naive tokenizer of the model. */
const wordsOf = (line: string): string[] =>
  line
    .replaceAll("ß", "ss")
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[\p{L}\p{N}+#]+/gu) ?? [];

/** Whether the words follow each other in the text. With `isPrefix` the last one may be a prefix. */
const containsInOrder = (requested: readonly string[], all: readonly string[], isPrefix: boolean): boolean =>
  all.some((_, from) =>
    requested.every((word, i) =>
      isPrefix && i === requested.length - 1 ? all[from + i]?.startsWith(word) : all[from + i] === word,
    ),
  );

/** Expected result by reading every post. */
function naively(all: readonly Written[], q: string): string[] {
  const { terms, tags: slugs, authors, from = 0, until = Infinity } = parseQuestion(q);
  return all
    .filter(
      (written) => !written.isHidden && !written.parent?.isHidden && written.at >= from && written.at < until,
    )
    .filter((written) => slugs.every((slug) => written.tags.includes(slug)))
    .filter((written) => authors.length === 0 || authors.includes(written.by))
    .filter((written) => {
      const [, first = "", below = ""] = /^\s*(.*)([^]*)$/u.exec(written.text) ?? [];
      const parts =
        below.trim() === ""
          ? [[...written.tags].join(" "), written.text]
          : [[first, ...written.tags].join(" "), below];
      return terms.every((term) =>
        parts.some((part) => containsInOrder(wordsOf(term.text), wordsOf(part), term.isPrefix)),
      );
    })
    .map(({ id }) => id)
    .sort();
}

function attempt(action: () => unknown): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}

test("search finds what reading everything finds after any write, edit, hiding, restoring and deletion", () => {
  fc.assert(
    fc.property(
      fc.array(act, { minLength: 5, maxLength: 25 }),
      fc.array(question, { minLength: 6, maxLength: 6 }),
      (actions, statements) => {
        using world = createTestWorld();
        const { core, clock } = world;
        const people = ["ada", "bo"].map((name) => ({ name, caller: createMember(core, name).caller }));
        let all: Written[] = [];
        for (const action of actions) {
          const target = all[action.to % Math.max(1, all.length)];
          if (action.do === "post") {
            const { name, caller } = people[action.by] as (typeof people)[number];
            const { id } = createPost(core, caller, { text: action.text, tags: action.tags });
            all.push({
              id,
              by: name,
              text: action.text,
              tags: action.tags,
              at: clock.now(),
              parent: undefined,
              isHidden: false,
            });
          }
          if (action.do === "wait") clock.pass(action.to * HOUR);
          if (!target) continue;
          const root = target.parent ?? target;
          if (action.do === "reply" && !target.isHidden && !root.isHidden) {
            const { name, caller } = people[action.by] as (typeof people)[number];
            const { id } = replyTo(core, caller, target.id, { text: action.text });
            all.push({
              id,
              by: name,
              text: action.text,
              tags: [],
              at: clock.now(),
              parent: root,
              isHidden: false,
            });
          }
          if (action.do === "edit") {
            const { caller } = people.find(({ name }) => name === target.by) as (typeof people)[number];
            const change = { text: action.text, ...(target.parent ? {} : { tags: action.tags }) };
            // The core refuses edits under a hidden post, and more than ten edits per hour.
            if (attempt(() => editPost(core, caller, target.id, change))) Object.assign(target, change);
          }
          if (action.do === "hide" || action.do === "restore") {
            (action.do === "hide" ? hide : restore)(core, OPERATOR, target.id);
            target.isHidden = action.do === "hide";
          }
          if (action.do === "delete") {
            deletePost(core, people.find(({ name }) => name === target.by)?.caller as Caller, target.id);
            all = all.filter((each) => each !== target && each.parent !== target);
          }
        }
        for (const q of statements) {
          const found = searchPosts(core, people[0]?.caller as Caller, q, PAGE).nodes.map(({ id }) => id);
          expect([q, found.sort()]).toEqual([q, naively(all, q)]);
        }
        const slices = { db: core.db, clock, pause: async () => {}, progress() {} };
        expect(checkFullText(slices, false).map(({ severity }) => severity)).toEqual(["ok"]);
      },
    ),
    { numRuns: 15 },
  );
});

test("a text changed within one transaction or batch is found by its final version", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = createMember(core, "ada");
  const post = (text: string) => createPost(core, caller, { text });
  core.db.transact(() => {
    post("plain");
    editPost(core, caller, post("edited before").id, { text: "edited after" });
    hide(core, OPERATOR, post("hidden").id);
    const both = post("both").id;
    hide(core, OPERATOR, both);
    restore(core, OPERATOR, both);
    deletePost(core, caller, post("deleted").id);
  });
  for (const word of ["plain", "after", "both"]) expect(finds(world, caller, word)).toHaveLength(1);
  for (const word of ["before", "hidden", "deleted"]) expect(finds(world, caller, word)).toEqual([]);
  let id = "";
  const outcomes = await Promise.allSettled([
    core.db.write(() => void (id = post("of a batch").id)),
    core.db.write(() => {
      editPost(core, caller, id, { text: "taken back" });
      throw new Error("refused");
    }),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(finds(world, caller, "batch")).toEqual(["of a batch"]);
  expect(finds(world, caller, "taken")).toEqual([]);
  const slices = { db: core.db, clock: core.clock, pause: async () => {}, progress() {} };
  expect(checkFullText(slices, false).map(({ severity }) => severity)).toEqual(["ok"]);
});

test("indexes older content in the background, newest first", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const { caller } = createMember(core, "ada");
  core.db.transact(() => {
    for (let i = 0; i < 60; i++) {
      clock.pass(i % 3 === 0 ? 1 : 0);
      createPost(core, caller, { text: `post ${i}` });
    }
  });
  submitPrompt(core, caller, { title: "Old", body: "b", model: "m", category: "c" });
  core.db.prepare("DELETE FROM post_search").run();
  core.db.prepare("UPDATE posts SET place = NULL").run();
  core.db.prepare("UPDATE prompts SET place = NULL").run();
  expect(finds(world, caller, "post")).toEqual([]);
  await backfillSearch(core);
  expect(finds(world, caller, "post")).toHaveLength(60);
  expect(searchPrompts(core, caller, "old", PAGE).nodes).toHaveLength(1);
});

test("posts of the same millisecond get distinct positions close to it", () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const { caller } = createMember(core, "ada");
  core.db.transact(() => {
    for (let i = 0; i < 300; i++) createPost(core, caller, { text: `one ${i}` });
  });
  const last = core.db.prepare<{ last: number }>("SELECT max(place) AS last FROM posts").get()?.last;
  expect(last).toBe(clock.now() + 299);
});

test("weights title and tags three times, halves the score every 14 days, and pages through all results in both directions", () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const { caller } = createMember(core, "ada");
  createPost(core, caller, { text: "Rust\nand more" });
  clock.pass(14 * DAY);
  createPost(core, caller, { text: "in the text: rust" });
  clock.pass(DAY);
  createPost(core, caller, { text: "untitled", tags: ["rust"] });
  expect(finds(world, caller, "rust")).toEqual(["untitled", "Rust\nand more", "in the text: rust"]);
  core.db.transact(() => {
    for (let i = 0; i < 1100; i++) {
      clock.pass(HOUR);
      createPost(core, caller, { text: i % 7 === 0 ? `rust\n${i}` : `rust ${i}` });
    }
  });
  const walk = (backwards: boolean): string[] => {
    const shown: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page = searchPosts(core, caller, "rust", { limit: 100, cursor, backwards });
      const ids = page.nodes.map(({ id }) => id);
      shown[backwards ? "unshift" : "push"](...ids);
      const end = page.nodes.at(backwards ? 0 : -1);
      if (!end || !(backwards ? page.hasPreviousPage : page.hasNextPage)) return shown;
      cursor = page.cursorOf(end);
    }
  };
  const down = walk(false);
  expect(new Set(down).size).toBe(1103);
  expect(down).toHaveLength(1103);
  expect(walk(true)).toEqual(down);
});

test("finds a prompt by its current version, model and category", () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = createMember(core, "ada");
  const { id } = submitPrompt(core, caller, {
    title: "Review",
    body: "old words",
    model: "sonnet",
    category: "code-review",
  });
  const found = (q: string) => searchPrompts(core, caller, q, PAGE).nodes.length;
  expect(["old", "tag:sonnet", "tag:code-review author:ada", "author:bo"].map(found)).toEqual([1, 1, 1, 0]);
  revisePrompt(core, caller, id, { body: "new words", note: "n" });
  expect(["old", "new"].map(found)).toEqual([0, 1]);
  hide(core, OPERATOR, id);
  expect(found("new")).toBe(0);
  restore(core, OPERATOR, id);
  expect(found("new")).toBe(1);
});

test("weights a title the same in sparse and dense windows, in any spelling", () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const { caller } = createMember(core, "ada");
  const titled = ["Straße nach Łódź\nbelow", "untitled", "both: lodz strasse"];
  createPost(core, caller, { text: titled[0] ?? "" });
  createPost(core, caller, { text: titled[1] ?? "", tags: ["strasse", "lodz"] });
  core.db.transact(() => {
    for (let i = 0; i < 2100; i++) {
      clock.pass(1);
      createPost(core, caller, { text: `filler ${i}` });
    }
  });
  createPost(core, caller, { text: titled[2] ?? "" });
  expect(finds(world, caller, "lodz strasse")).toEqual([titled[1], titled[0], titled[2]] as string[]);
  expect(finds(world, caller, '"strasse nach" lod*')[0]).toBe(titled[0] ?? "");
});
