// Types the commands of “A bad evening” in docs/community.md, and checks what each changes.
import { expect, test } from "bun:test";
import { isoTime, DAY } from "../src/core/base/clock.ts";
import type { Core } from "../src/core/base/core.ts";
import { createPost } from "../src/core/community/feed/feed.ts";
import { replyTo } from "../src/core/community/feed/replies.ts";
import { findLock } from "../src/core/community/feed/locks.ts";
import type { BuilderCaller } from "../src/core/identity/access/caller.ts";
import { changeRole } from "../src/core/identity/accounts/administration.ts";
import { OPERATOR } from "../src/core/identity/access/caller.ts";
import { findBuilder } from "../src/core/identity/builders/builders.ts";
import { findRestriction, isLimited } from "../src/core/identity/standing/standing.ts";
import { continueRemovals } from "../src/core/services/moderation/removal.ts";
import { decide } from "../src/core/services/moderation/decisions.ts";
import { listNotifications } from "../src/core/services/notifications/notifications.ts";
import { command } from "./command.ts";
import { createSignedInMember } from "./core/people.ts";
import { blocksOf, pageOf } from "./program/documents.ts";
import { createTestWorld, signedInNow } from "./support.ts";

const PAGE = "docs/community.md";
const TIME = "2026-11-20T18:00:00Z";
const FIRST = "post_01kafzq8e5f2r8v0j3n6s1t4wx";

type Step = (typed: string, change?: Record<string, string>) => Promise<string>;

/** Opens a community at the present time, because commands use the system's clock. */
async function evening() {
  const world = createTestWorld();
  const { core, clock } = world;
  clock.pass(Date.now() - clock.now());
  const people = new Map<string, BuilderCaller>();
  for (const name of ["mallory", "eve", "bob", "cy", "rogue", "bea", "ada"]) {
    const { caller } = await createSignedInMember(core, name);
    people.set(name, caller);
  }
  for (const name of ["rogue", "bea"]) changeRole(core, OPERATOR, name, "moderator");
  const as = (name: string): BuilderCaller => {
    const caller = people.get(name);
    if (!caller) throw new Error(`there is no ${name}`);
    return name === "rogue" || name === "bea" ? signedInNow(core, caller) : caller;
  };
  const typed: string[] = [];
  /** Runs a command of the guide with ids and times of this world. */
  const step: Step = async (line, change = {}) => {
    typed.push(line);
    let changed = line;
    for (const [from, to] of Object.entries(change)) changed = changed.replaceAll(from, to);
    const args = [...changed.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? "");
    expect(args[0]).toBe("guildhall");
    const { code, stdout, stderr } = await command(world, args.slice(1));
    expect([line, code, code === 0 ? "" : stderr]).toEqual([line, 0, ""]);
    return stdout;
  };
  return { world, core, clock, as, step, typed };
}

/** The commands of one guide, in order. */
async function commandsOf(title: string): Promise<string[]> {
  const page = await pageOf(PAGE);
  const start = page.indexOf(`### ${title}\n`);
  expect(start).toBeGreaterThan(0);
  const end = page.slice(start + 4).search(/^##/m);
  return blocksOf(PAGE, page.slice(start, start + 4 + end)).flatMap(({ commands }) => commands);
}

function idOf(core: Core, username: string): string {
  return findBuilder(core, username)?.id ?? "";
}

const isHidden = (core: Core, id: string): boolean =>
  core.db.prepare("SELECT 1 FROM posts WHERE id = ? AND hidden_at IS NOT NULL").get(id) !== undefined;

function finish(core: Core): void {
  while (core.db.transact(() => continueRemovals(core)));
}

test("spam wave: the accounts and their posts go, the host is held, and one decision is undone", async () => {
  const { world, core, clock, as, step, typed } = await evening();
  using _world = world;
  const posts = ["mallory", "eve"].map(
    (name) => createPost(core, as(name), { text: `Buy https://spam.example/${name}` }).id,
  );
  const list = "guildhall builder list --new-since 2026-11-20T18:00:00Z --link-host spam.example";
  const listed = await step(list, { [TIME]: isoTime(clock.now() - DAY) });
  expect(listed.match(/^\w+/gm)).toEqual(["eve", "mallory"]);
  const preview = await step("guildhall builder spam mallory eve --preview");
  expect(preview).toContain("spam.example");
  expect(findRestriction(core, idOf(core, "eve"), "suspended")).toBeUndefined();

  const removed = await step(
    'guildhall builder spam mallory eve --host spam.example --reason "Advertisements"',
  );
  finish(core);
  expect(posts.map((id) => isHidden(core, id))).toEqual([true, true]);
  expect(findRestriction(core, idOf(core, "mallory"), "suspended")).toMatchObject({ until: null });
  const held = "SELECT host FROM held_hosts";
  expect(core.db.prepare(held).all()).toContainEqual({ host: "spam.example" });
  await step("guildhall community set --joining approval");
  expect((await command(world, ["community", "show"])).stdout).toContain("joining\tapproval\n");

  const decision = /^eve\t(dec_\w+)$/m.exec(removed)?.[1] ?? "";
  await step("guildhall case undo dec_01kafzq8e5f2r8v0j3n6s1t4wx", {
    dec_01kafzq8e5f2r8v0j3n6s1t4wx: decision,
  });
  finish(core);
  expect(posts.map((id) => isHidden(core, id))).toEqual([true, false]);
  expect(findRestriction(core, idOf(core, "eve"), "suspended")).toBeUndefined();
  expect(typed).toEqual(await commandsOf("Spam wave"));
});

test("flame war: the thread is locked, an insult hidden, members warned and limited", async () => {
  const { world, core, clock, as, step, typed } = await evening();
  using _world = world;
  const first = createPost(core, as("ada"), { text: "Which loom?" }).id;
  const insult = replyTo(core, as("bob"), first, { text: "You cannot weave." }).id;
  const ids = {
    [FIRST]: first,
    post_01kafzq8e5f2r8v0j3n6s1t4wy: insult,
    "2026-12-01T00:00:00Z": isoTime(clock.now() + DAY),
  };
  await step("guildhall case list");
  await step(`guildhall case decide ${FIRST} lock --reason "Everyone needs a break until tomorrow"`, ids);
  expect(findLock(core, first)).toBeDefined();
  await step('guildhall post hide post_01kafzq8e5f2r8v0j3n6s1t4wy --reason "Insults a member"', ids);
  expect([isHidden(core, first), isHidden(core, insult)]).toEqual([false, true]);
  await step('guildhall builder warn cy --reason "Argue about the loom, not about the person"');
  expect(listNotifications(core, as("cy"), {}, { limit: 1 }).nodes[0]).toMatchObject({
    kind: "decision",
    about: "Argue about the loom, not about the person",
  });
  await step(
    'guildhall builder limit bob --reason "Insults after a warning" --until 2026-12-01T00:00:00Z',
    ids,
  );
  expect(isLimited(core, idOf(core, "bob"))).toBe(true);
  await step(`guildhall case decide ${FIRST} unlock`, ids);
  expect(findLock(core, first)).toBeUndefined();
  clock.pass(DAY);
  expect(isLimited(core, idOf(core, "bob"))).toBe(false);
  expect(typed).toEqual(await commandsOf("Flame war"));
});

test("rogue moderator: the role ends, and every decision since a time is undone", async () => {
  const { world, core, clock, as, step, typed } = await evening();
  using _world = world;
  const [early, late] = ["Early", "Late"].map((text) => createPost(core, as("ada"), { text }).id);
  decide(core, as("rogue"), early ?? "", { act: "hide", reason: "An advertisement" });
  clock.pass(1000);
  const since = { [TIME]: isoTime(clock.now()) };
  decide(core, as("rogue"), late ?? "", { act: "hide", reason: "I do not like it" });
  decide(core, as("rogue"), idOf(core, "cy"), { act: "suspend", reason: "I do not like you" });

  await step("guildhall builder role rogue member");
  expect(findBuilder(core, "rogue")?.role).toBe("member");
  expect(await step("guildhall audit list --builder rogue")).toContain("rogue");
  const undone = await step(`guildhall case undo --of rogue --since ${TIME}`, since);
  expect(undone.trimEnd().split("\n")).toHaveLength(2);
  expect([isHidden(core, early ?? ""), isHidden(core, late ?? "")]).toEqual([true, false]);
  expect(findRestriction(core, idOf(core, "cy"), "suspended")).toBeUndefined();
  expect(typed).toEqual(await commandsOf("Rogue moderator"));
});

test("stolen account: its access ends, its decisions are undone, and the owner gets it back", async () => {
  const { world, core, clock, as, step, typed } = await evening();
  using _world = world;
  const post = createPost(core, as("ada"), { text: "A loom" }).id;
  const since = { [TIME]: isoTime(clock.now()) };
  decide(core, as("bea"), post, { act: "hide", reason: "None" });
  const sessions = "SELECT count(*) AS n FROM sessions WHERE builder_id = ?";
  const open = () => core.db.prepare(sessions).get(idOf(core, "bea"));

  await step("guildhall builder role bea member");
  await step("guildhall builder secure bea --drop-password --drop-passkeys");
  expect(open()).toEqual({ n: 0 });
  await step(`guildhall case undo --of bea --since ${TIME}`, since);
  expect(isHidden(core, post)).toBe(false);
  expect(await step("guildhall builder recover bea")).toMatch(/^http\S+\n$/);
  await step("guildhall builder role bea moderator");
  expect(findBuilder(core, "bea")?.role).toBe("moderator");
  expect(typed).toEqual(await commandsOf("Stolen moderator account"));
});
