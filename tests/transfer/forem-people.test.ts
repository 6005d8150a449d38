// docs/contract.md#12.7: the operator says which Forem author is which member. The import never guesses.
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { listUnclaimed } from "../../src/core/services/imported/imported.ts";
import { listFeed } from "../../src/core/community/feed/feed.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";
import { OPERATOR, VISITOR } from "../../src/core/identity/access/caller.ts";
import { foremApi } from "../../src/transfer/forem-api.ts";
import { importForem } from "../../src/transfer/forem.ts";
import { createLimitedGet } from "../../src/transfer/limited-get.ts";
import { command } from "../command.ts";
import { createTestWorld, createMember, type TestWorld } from "../support.ts";
import { type FakeArticle, fakeForem } from "./fake-forem.ts";

/** Runs `guildhall import --forem` on a file in which klaus and eve have written and bob has answered. */
function bring(world: TestWorld, ...args: string[]) {
  const file = join(world.folder, "forem.json");
  writeFileSync(file, JSON.stringify({ articles: ARTICLES }));
  return command(world, ["import", "--forem", file, "--from", "forem.example", ...args]);
}

const article = (user: string, id: number, comments: object[] = []): object => ({
  id,
  path: `/${user.toLowerCase()}/text-${id}`,
  title: `Text ${id}`,
  body_markdown: `What ${user} wrote.`,
  published_at: "2024-03-01T10:00:00Z",
  comments_count: comments.length,
  comments,
  user: { username: user, name: user },
});
const comment = {
  id_code: "c1",
  body_html: "<p>Hi</p>",
  created_at: "2024-03-02T10:00:00Z",
  user: { username: "bob", name: "Bob" },
};
const ARTICLES = [article("Klaus", 1, [comment]), article("eve", 2)];

function table({ folder }: TestWorld, text: string): string {
  const file = join(folder, "people");
  writeFileSync(file, text);
  return file;
}

const rowsOf = ({ core }: TestWorld) =>
  ["builders", "posts", "arrivals", "audit_entries", "workspaces"].map(
    (name) => core.db.prepare<{ rows: number }>(`SELECT count(*) AS rows FROM ${name}`).get()?.rows,
  );

const authors = ({ core }: TestWorld) =>
  listFeed(core, VISITOR, {}, { limit: 10 })
    .nodes.map(({ text, author }) => [/What (\w+)/.exec(text)?.[1], author.username])
    .sort();

test("refuses people whose username is taken before any write, and prints the lines for a mapping table", async () => {
  using world = createTestWorld();
  for (const name of ["klaus", "bob"]) createMember(world.core, name);
  const before = rowsOf(world);

  for (const more of [[], ["--dry-run"]]) {
    const { code, stdout, stderr } = await bring(world, ...more);

    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("2 usernames of forem.example belong to a member here, so nothing was written.");
    expect(stderr).toContain(
      "\n  Klaus,klaus  # or Klaus,klaus-2 for a new account\n  bob,bob  # or bob,bob-2",
    );
    expect(stderr).not.toContain("eve");
  }
  expect(rowsOf(world)).toEqual(before);
});

test("a table maps a person's texts to a member or a new account, and a second run needs no table", async () => {
  using world = createTestWorld();
  for (const name of ["klaus", "bob", "karl"]) createMember(world.core, name);
  const people = table(
    world,
    "forem-username,guildhall-username\n# who is who\nklaus,Karl\n\n@bob , bob-of-forem # another Bob\n",
  );

  const dry = await bring(world, "--people", people, "--dry-run");
  const real = await bring(world, "--people", people);

  expect(real).toMatchObject({ code: 0, stderr: "" });
  expect(real.stdout).toContain("people  2 imported, 0 already there\n");
  expect(real.stdout).toContain("went to an existing member:\n  Klaus is @karl\n");
  expect(real.stdout).toContain("\n  @bob is @bob-of-forem\n");
  expect(dry.stdout.replaceAll("to import", "imported").replace("would go", "went")).toBe(real.stdout);
  expect(authors(world)).toEqual([
    ["Klaus", "karl"],
    ["eve", "eve"],
  ]);
  // An existing member's account cannot be claimed.
  expect(listUnclaimed(world.core, OPERATOR, "", 10).map(({ username }) => username)).toEqual([
    "bob-of-forem",
    "eve",
  ]);

  const again = await bring(world);
  expect(again).toMatchObject({ code: 0, stderr: "" });
  expect(again.stdout).toContain("posts   0 imported, 2 already there\n");
});

test("a table may be JSON, and the texts of suspended members are left out", async () => {
  using world = createTestWorld();
  createMember(world.core, "klaus");
  setSuspended(world.core, OPERATOR, "klaus", true);

  const { code, stdout } = await bring(world, "--people", table(world, '{ "Klaus": "klaus" }'));

  expect(code).toBe(0);
  expect(stdout).toContain("/klaus/text-1 is by a member who is suspended here");
  expect(authors(world)).toEqual([["eve", "eve"]]);
});

test("refuses a wrong table line by line, and writes nothing", async () => {
  using world = createTestWorld();
  createMember(world.core, "klaus");
  const before = rowsOf(world);
  const wrongs: [text: string, code: number, words: string][] = [
    ["klaus", 2, "Line 1 of"],
    ["klaus,klaus,klaus", 2, "Line 1 of"],
    ["klaus,klaus\nKlaus,eve", 2, "names Klaus twice"],
    [
      "klaus,admin",
      1,
      "klaus,admin: there is no member @admin, and the name is not allowed for a new account",
    ],
    ["klaus,Not A Name", 1, "there is no member @not a name"],
    ['{ "klaus": 1 }', 2, "has no username for klaus"],
    ["{", 2, "is not valid JSON"],
  ];
  for (const [text, wanted, words] of wrongs) {
    const { code, stdout, stderr } = await bring(world, "--people", table(world, text));

    expect([text, code, stdout]).toEqual([text, wanted, ""]);
    expect(stderr).toContain(words);
  }
  expect((await bring(world, "--people", join(world.folder, "none.csv"))).stderr).toContain(
    "cannot be read (ENOENT)",
  );
  expect(rowsOf(world)).toEqual(before);
});

test("the check of usernames causes no repeated requests to the server", async () => {
  const talk: FakeArticle = {
    id: 1,
    user: "ada",
    slug: "text-1",
    title: "Text",
    body: "What ada wrote.",
    at: "2023-05-01T10:00:00Z",
    comments: [{ id: "aa1", user: "bob", html: "<p>Hi</p>", at: "2023-05-02T10:00:00Z" }],
  };
  await using forem = await fakeForem([talk]);
  using world = createTestWorld({ resolve: async () => ["127.0.0.1"], allow: ["forem.example"] });
  createMember(world.core, "klaus");
  const get = createLimitedGet(forem.url, {
    targets: world.core.targets,
    ca: forem.ca,
    userAgent: "Guildhall-Import/test",
    perSecond: 2,
    wait: async () => {},
    onDelay: () => {},
  });

  const { posts, replies } = await importForem(world.core, OPERATOR, foremApi(forem.host, get), {
    isDry: false,
    progress: () => {},
  });

  expect([posts.created, replies.created]).toEqual([1, 1]);
  expect(forem.asked).toEqual([...new Set(forem.asked)]);
});
