// docs/contract.md#12.13.1: the operator can moderate a community without a browser.
import { apply } from "../src/core/identity/applications/applications.ts";
import { DAY } from "../src/core/base/clock.ts";
import { expect, test } from "bun:test";
import { appeal } from "../src/core/services/moderation/appeals.ts";
import { decide } from "../src/core/services/moderation/decisions.ts";
import { report } from "../src/core/services/moderation/reports.ts";
import { createPost, getPost } from "../src/core/community/feed/feed.ts";
import { claimDue, settle } from "../src/core/outbox/deliveries/deliveries.ts";
import { continueBatches } from "../src/core/services/batches/batches.ts";
import { listUnhealthy } from "../src/core/outbox/webhooks/health.ts";
import { checkUrl, registerEndpoint } from "../src/core/outbox/webhooks/webhooks.ts";
import { deleteAccount } from "../src/core/services/deletion/deletion.ts";
import { OPERATOR } from "../src/core/identity/access/caller.ts";
import { changeRole } from "../src/core/identity/accounts/administration.ts";
import { command } from "./command.ts";
import { asSession, createTestWorld, createMember, limitOf, signedInNow, type TestWorld } from "./support.ts";

const tool = (world: TestWorld, ...args: string[]) => command(world, args);

async function receivedBy(world: TestWorld, ...args: string[]): Promise<string[][]> {
  const { code, stdout, stderr } = await tool(world, ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => line.split("\t"));
}

async function json<Shape>(world: TestWorld, ...args: string[]): Promise<Shape> {
  const { code, stdout, stderr } = await tool(world, ...args, "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

async function refused(world: TestWorld, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await tool(world, ...args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^guildhall: [^\n]+\n$/);
  return stderr;
}

test("lists builders with their status, and shows the sign-in methods of one builder", async () => {
  using world = createTestWorld();
  for (const name of ["ada", "bo", "cy"]) createMember(world.core, name);
  const named = "Cy\t\u001b[31mred\nline\u009b2J\u202e";
  world.core.db.prepare("UPDATE builders SET name = ? WHERE username = 'cy'").run(named);
  expect((await tool(world, "builder", "admin", "ada")).code).toBe(0);
  expect((await tool(world, "builder", "suspend", "bo", "--reason", "Spam")).code).toBe(0);
  const all = await receivedBy(world, "builder", "list");
  expect(all.map(([username, standing]) => [username, standing])).toEqual([
    ["cy", "member"],
    ["bo", "suspended"],
    ["ada", "owner"],
  ]);
  // Display names must not add columns or lines, or colour the terminal.
  expect(all[0]).toEqual([
    "cy",
    "member",
    "2026-11-20T12:00:00.000Z",
    expect.stringMatching(/^builder_/),
    "Cy [31mred line 2J ",
  ]);
  const { stdout } = await tool(world, "builder", "show", "cy", "--json");
  expect(stdout).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  expect(JSON.parse(stdout)).toMatchObject({ name: named });
  expect((await receivedBy(world, "builder", "list", "--admins")).map(([name]) => name)).toEqual(["ada"]);
  expect((await receivedBy(world, "builder", "list", "--suspended")).map(([name]) => name)).toEqual(["bo"]);
  expect(await json<object[]>(world, "builder", "list", "--suspended")).toMatchObject([
    { username: "bo", standing: "suspended", createdAt: "2026-11-20T12:00:00.000Z" },
  ]);
  const shown = Object.fromEntries(await receivedBy(world, "builder", "show", "Ada"));
  expect(shown).toMatchObject({ username: "ada", standing: "owner", tokens: "1", hasPassword: "false" });
  expect(await json<object>(world, "builder", "show", "ada")).toMatchObject({
    username: "ada",
    suspendedAt: null,
    workspaces: [{ kind: "personal", role: "owner", name: "ada" }],
    endpoints: [],
  });
  expect(await refused(world, "builder", "show", "nobody")).toContain("no member with that username");
});

test("refuses a role that the builder already has, and writes no audit entry", async () => {
  using world = createTestWorld();
  for (const name of ["ada", "bo", "mo"]) createMember(world.core, name);
  expect((await tool(world, "builder", "admin", "ada")).code).toBe(0);
  expect((await tool(world, "builder", "role", "mo", "moderator")).code).toBe(0);
  const workspace = (await tool(world, "workspace", "create", "Tools", "--owner", "bo")).stdout.trim();
  const before = await receivedBy(world, "audit", "list");

  for (const args of [
    ["builder", "role", "ada", "owner"],
    ["builder", "role", "bo", "member"],
    ["builder", "admin", "ada"],
    ["builder", "admin", "mo", "--revoke"],
    ["workspace", "member", "own", workspace, "bo"],
  ])
    expect(await refused(world, ...args)).toContain("already has this role. Choose another one.");
  expect(await receivedBy(world, "audit", "list")).toEqual(before);
});

test("restores an account that an admin deleted, and erases such an account at once", async () => {
  using world = createTestWorld();
  const { core } = world;
  const root = asSession(createMember(core, "root").caller, "admin");
  createMember(core, "ada");
  changeRole(core, OPERATOR, "root", "admin");
  const standing = () => receivedBy(world, "builder", "list").then((rows) => rows.map(([name]) => name));
  deleteAccount(core, signedInNow(core, root), "ada", "ada");
  expect(await standing()).toEqual(["root"]);
  expect((await tool(world, "builder", "undelete", "ada")).code).toBe(0);
  expect((await standing()).toSorted()).toEqual(["ada", "root"]);
  expect(await refused(world, "builder", "undelete", "ada")).toContain("no member with that username");

  deleteAccount(core, signedInNow(core, root), "ada", "ada");
  expect((await tool(world, "builder", "delete", "ada", "--yes")).code).toBe(0);
  expect(await refused(world, "builder", "undelete", "ada")).toContain("no member with that username");
});

test("prints a list that is longer than a page in full", async () => {
  using world = createTestWorld();
  for (let i = 0; i < 203; i++) createMember(world.core, `b${i}`);
  expect((await receivedBy(world, "builder", "list")).length).toBe(203);
  expect((await receivedBy(world, "audit", "list", "--limit", "150")).length).toBe(150);
});

test("finds endpoints of any owner, switches them off and on, and notifies the owner", async () => {
  using world = createTestWorld();
  const { core } = world;
  const ada = createMember(core, "ada");
  const bo = createMember(core, "bo");
  const add = async (caller: typeof ada, url: string): Promise<string> =>
    registerEndpoint(core, caller.caller, {
      url: await checkUrl(core, caller.caller, url),
      events: ["post.created"],
    }).id;
  const item = await add(ada, "https://hooks.example.com/a");
  const other = await add(bo, "https://hooks.example.com/b");
  expect(await receivedBy(world, "endpoint", "list")).toEqual([
    [other, "ok", "-", "-", "bo", "https://hooks.example.com/b", "post.created"],
    [item, "ok", "-", "-", "ada", "https://hooks.example.com/a", "post.created"],
  ]);
  expect((await receivedBy(world, "endpoint", "list", "Bo")).map(([id]) => id)).toEqual([other]);
  expect(await receivedBy(world, "endpoint", "list", "--failing")).toEqual([]);

  createPost(core, ada.caller, { text: "told to all" });
  core.db.transact(() => {
    while (continueBatches(core));
    for (const claim of claimDue(core, 100, "", limitOf(100)).claims)
      settle(
        core,
        claim,
        { durationMs: 41, status: 503, failure: { code: "status", params: { status: 503 } } },
        [0, 30_000],
      );
  });
  const failing = await json<Record<string, unknown>[]>(world, "endpoint", "list", "--failing");
  expect(failing.map(({ id, state, troubledSince }) => [id, state, troubledSince])).toEqual([
    [other, "failing", expect.stringMatching(/^2026-11-20T12:00:00/)],
    [item, "failing", expect.stringMatching(/^2026-11-20T12:00:00/)],
  ]);
  expect(await json<object>(world, "endpoint", "show", item)).toMatchObject({
    owner: "ada",
    attempts: [{ status: 503, code: "status", durationMs: 41 }],
  });
  expect((await receivedBy(world, "endpoint", "show", item)).filter(([name]) => name === "attempts")).toEqual(
    [["attempts", expect.stringMatching(/^2026-/), "41", "503", "status"]],
  );

  for (let i = 0; i < 2; i++) expect((await tool(world, "endpoint", "disable", item)).code).toBe(0);
  expect((await receivedBy(world, "endpoint", "list", "ada"))[0]?.slice(1, 4)).toEqual([
    "disabled",
    expect.any(String),
    "switched_off_by_operator",
  ]);
  expect(listUnhealthy(core, asSession(ada.caller))).toMatchObject([
    { id: item, disabled: { reason: "The operator disabled the endpoint." } },
  ]);
  for (let i = 0; i < 2; i++) expect((await tool(world, "endpoint", "resume", item)).code).toBe(0);
  expect((await receivedBy(world, "endpoint", "list", "ada"))[0]?.[1]).toBe("ok");
  const events = await receivedBy(world, "audit", "list", "--builder", "ada");
  expect(
    events.filter(([, , , , act]) => /paused|resumed/.test(act ?? "")).map((cells) => cells.slice(1)),
  ).toEqual([
    ["-", "ada", "-", "endpoint.resumed", "Resumed the webhook endpoint https://hooks.example.com/a"],
    ["-", "ada", "-", "endpoint.paused", "Paused the webhook endpoint https://hooks.example.com/a"],
  ]);
  const ofBo = await receivedBy(world, "audit", "list", "--builder", "Bo");
  expect(ofBo.map((cells) => cells[4])).toContain("endpoint.registered");
  expect(ofBo.map((cells) => cells[2])).toEqual(ofBo.map(() => "bo"));
  expect(await refused(world, "endpoint", "show", "whe_01kafzq8e5f2r8v0j3n6s1t4wx")).toContain(
    "no webhook endpoint with that id.",
  );
  expect(await refused(world, "endpoint", "disable", "nonsense")).toContain(
    "no webhook endpoint with that id.",
  );
});

test("lists appeals, and answers one", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller: ada } = createMember(core, "ada");
  const { id: post } = createPost(core, ada, { text: "Buy now" });
  const { id } = decide(core, OPERATOR, post, { act: "hide", reason: "An advertisement" });
  appeal(core, asSession(ada), id, { text: "It was a quotation." });
  const row = (at: string) => [id, "hide", "ada", at, "It was a quotation.", "An advertisement"];
  const [waiting] = await receivedBy(world, "appeal", "list");
  expect(waiting?.slice(0, 6)).toEqual(row(waiting?.[3] ?? ""));
  expect(await tool(world, "appeal", "decide", id, "granted", "--answer", "You are right.")).toMatchObject({
    code: 0,
    stderr: "",
  });
  expect(getPost(core, ada, post).hiddenAt).toBeNull();
  expect(await receivedBy(world, "appeal", "list")).toEqual([]);
  expect((await receivedBy(world, "appeal", "list", "--state", "decided"))[0]?.[6]).toBe("granted");
  const again = await tool(world, "appeal", "decide", id, "denied", "--answer", "No.");
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("answered this appeal")]);
});

test("decides cases in every way that a moderator can, and hides and restores posts", async () => {
  using world = createTestWorld();
  const { core } = world;
  const [ada, bo] = [createMember(core, "ada"), createMember(core, "bo")];
  const { id } = createPost(core, ada.caller, { text: "# Buy *now*" });
  const isVisible = (): boolean => {
    try {
      return getPost(core, bo.caller, id).id === id;
    } catch {
      return false;
    }
  };
  const reason = { reason: "An advertisement\tfor the fifth time." };
  report(core, bo.caller, { kind: "post", id }, reason);
  const open = () => receivedBy(world, "case", "list", "--state", "open");
  const [row] = await open();
  expect(row).toEqual([
    expect.stringMatching(/^case_/),
    ...["open", "report", "2026-11-20T12:00:00.000Z", "post", id, "ada"],
    "An advertisement for the fifth time.",
  ]);
  const created = row?.[0] ?? "";
  expect(await receivedBy(world, "case", "show", created)).toContainEqual(["title", "Buy now"]);
  expect((await tool(world, "case", "note", created, "Warned before.")).code).toBe(0);
  expect(await json<object>(world, "case", "show", id)).toMatchObject({
    reports: [{ reporter: "bo" }],
    notes: [{ author: null, text: "Warned before." }],
  });

  const decideBy = async (about: string, act: string, ...options: string[]): Promise<string> => {
    const { code, stdout, stderr } = await tool(world, "case", "decide", about, act, ...options);
    expect([code, stderr]).toEqual([0, ""]);
    return stdout.trim();
  };
  const dismissed = await decideBy(created, "dismiss");
  expect([isVisible(), await open()]).toEqual([true, []]);
  expect((await receivedBy(world, "case", "undo", dismissed))[0]?.slice(0, 3)).toEqual([
    dismissed,
    "undone",
    "dismiss",
  ]);
  expect(await open()).toHaveLength(1);
  const unreasoned = await tool(world, "case", "decide", created, "hide");
  expect([unreasoned.code, unreasoned.stderr]).toEqual([2, expect.stringContaining("reason")]);
  await decideBy(created, "hide", "--reason", "Spam");
  expect([isVisible(), await open()]).toEqual([false, []]);
  expect((await tool(world, "post", "restore", id)).code).toBe(0);
  expect(isVisible()).toBe(true);
  expect((await tool(world, "post", "hide", id, "--reason", "Spam")).code).toBe(0);
  expect(isVisible()).toBe(false);

  await decideBy("@ada", "suspend", "--reason", "Spam", "--until", "2026-12-01T00:00:00Z");
  expect((await receivedBy(world, "builder", "list", "--suspended")).map(([name]) => name)).toEqual(["ada"]);
  expect((await tool(world, "builder", "restore", "ada")).code).toBe(0);
  for (const act of ["warn", "limit"])
    expect((await tool(world, "builder", act, "ada", "--reason", "Spam")).code).toBe(0);
  expect((await tool(world, "builder", "unlimit", "ada")).code).toBe(0);
  expect(await receivedBy(world, "case", "list", "--state", "closed", "--member", "ada")).not.toEqual([]);

  expect(await refused(world, "case", "show", "case_01kafzq8e5f2r8v0j3n6s1t4wx")).toContain("case");
  expect(await refused(world, "post", "hide", "post_01kafzq8e5f2r8v0j3n6s1t4wx", "--reason", "Spam")).toMatch(
    /no/i,
  );
  for (const wrong of [
    ["case", "decide", created, "burn"],
    ["case", "undo"],
    ["case", "undo", "--of", "ada"],
    ["case", "undo", "--of", "ada", "--since", "yesterday"],
  ])
    expect((await tool(world, ...wrong)).code).toBe(2);
  const badEnd = ["builder", "limit", "ada", "--reason", "Rude", "--until", "soon"];
  expect((await tool(world, ...badEnd)).stderr).toContain("--until must be a time such as");
});

test("undoes what one moderator decided since a time", async () => {
  using world = createTestWorld();
  const { core } = world;
  const [mo, ada] = [createMember(core, "mo"), createMember(core, "ada")];
  changeRole(core, OPERATOR, "mo", "moderator");
  const { id } = createPost(core, ada.caller, { text: "Hello" });
  decide(core, signedInNow(core, mo.caller), id, { act: "hide", reason: "No." });
  const undone = await receivedBy(world, "case", "undo", "--of", "mo", "--since", "2026-11-20T00:00:00Z");
  expect(undone.map(([, state, act, , about]) => [state, act, about])).toEqual([["undone", "hide", id]]);
  expect(getPost(core, ada.caller, id).hiddenAt).toBeNull();
});

test("lists invite links without their address, and withdraws them", async () => {
  using world = createTestWorld({ origin: "https://guild.test" });
  createMember(world.core, "ada");
  const [[link = ""] = []] = [[(await tool(world, "builder", "invite")).stdout.trim()]];
  const [row = []] = await receivedBy(world, "invite", "list");
  expect(row.slice(3)).toEqual(["operator", "0", "1", "-"]);
  expect(row.join()).not.toContain(new URL(link).searchParams.get("invite") ?? "none");
  expect(await json<object[]>(world, "invite", "list")).toMatchObject([
    { id: row[0], invitedBy: "operator" },
  ]);
  expect((await tool(world, "invite", "withdraw", row[0] ?? "")).code).toBe(0);
  expect(await receivedBy(world, "invite", "list")).toEqual([]);
  expect(await refused(world, "invite", "withdraw", row[0] ?? "")).toContain(
    "There is no open invitation link with that id",
  );

  const options = ["--label", "Meetup", "--uses", "12", "--expires", "30d"];
  expect((await tool(world, "builder", "invite", ...options)).code).toBe(0);
  const [kept = []] = await receivedBy(world, "invite", "list");
  expect(kept.slice(3)).toEqual(["operator", "0", "12", "Meetup"]);
  expect(Date.parse(kept[2] ?? "") - Date.parse(kept[1] ?? "")).toBe(30 * DAY);
  for (const wrong of ["90m", "91d", "0h", "soon"])
    expect((await tool(world, "builder", "invite", "--expires", wrong)).code).toBe(2);
  for (const wrong of ["0", "1001", "many"])
    expect(await tool(world, "builder", "invite", "--uses", wrong)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("uses"),
    });
});

test("lists join requests, and answers each one once, with a message", async () => {
  using world = createTestWorld({ origin: "https://guild.test" });
  createMember(world.core, "root");
  expect((await tool(world, "community", "set", "--joining", "approval")).code).toBe(0);
  for (const username of ["ada", "bob"])
    await apply(
      world.core,
      { address: "203.0.113.7", agent: "" },
      {
        username,
        password: "correct horse battery",
        why: "I weave.",
        language: "en",
      },
    );
  const rows = await receivedBy(world, "application", "list");
  expect(rows.map((row) => row.slice(2))).toEqual([
    ["ada", "ada", "I weave."],
    ["bob", "bob", "I weave."],
  ]);
  const [[ada = ""] = [], [bob = ""] = []] = rows;
  expect((await tool(world, "application", "approve", ada, "--word", "Welcome.")).code).toBe(0);
  expect((await tool(world, "application", "decline", bob)).code).toBe(0);
  expect(await json<object[]>(world, "application", "list")).toEqual([]);
  expect((await receivedBy(world, "builder", "list")).map(([name]) => name)).toEqual(["ada", "root"]);
  for (const verb of ["approve", "decline"])
    expect(await refused(world, "application", verb, ada)).toContain("It was decided or withdrawn");
});
