// docs/contract.md#12.42: decisions about appeals.
import { expect, test } from "bun:test";
import { DAY, MINUTE } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
import { createPost, getPost } from "../../src/core/community/feed/feed.ts";
import { type BuilderCaller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import type { Role } from "../../src/core/identity/access/roles.ts";
import { createBuilder } from "../../src/core/identity/accounts/administration.ts";
import { listAudit } from "../../src/core/identity/audit/audit.ts";
import { findStanding } from "../../src/core/identity/builders/builders.ts";
import {
  appeal,
  appealSuspension,
  decideAppeal,
  getOwnDecision,
  listAppeals,
  listOwnDecisions,
} from "../../src/core/services/moderation/appeals.ts";
import { decide } from "../../src/core/services/moderation/decisions.ts";
import { undoDecision } from "../../src/core/services/moderation/undo.ts";
import { listNotifications } from "../../src/core/services/notifications/notifications.ts";
import { BUILDER_SCOPES, createMemberToken, createTestWorld, signedInNow } from "../support.ts";
import { outcomeOf, refusalOf } from "./people.ts";

const REASON = "Off topic";
const DENIED = { outcome: "denied", answer: "The rule is clear." } as const;
const GRANTED = { outcome: "granted", answer: "You are right." } as const;
const codeOf = async (work: () => unknown) => (await refusalOf(work)).code;

function add(core: Core, username: string, role: Role = "member"): BuilderCaller {
  return signedInNow(core, { builderId: createBuilder(core, OPERATOR, { username, name: username, role }) });
}

function community() {
  const world = createTestWorld();
  const { core } = world;
  const [mo, bob] = [add(core, "mo", "moderator"), add(core, "bob")];
  const post = createPost(core, bob, { text: "Cheap followers" });
  const hidden = () => {
    const { id } = decide(core, mo, post.id, { act: "hide", reason: REASON });
    appeal(core, bob, id, { text: "It was a quotation." });
    return id;
  };
  return { ...world, mo, bob, post, hidden };
}

const kindsOf = (core: Core, caller: BuilderCaller) =>
  listNotifications(core, caller, {}, { limit: 50 }).nodes.map(({ kind }) => kind);

test("a granted appeal undoes the decision, and a denied one leaves it in force", () => {
  using there = community();
  const { core, bob, post, hidden } = there;
  const may = add(core, "may", "moderator");
  const first = hidden();
  expect(decideAppeal(core, may, first, DENIED).undone).toBeNull();
  expect(getOwnDecision(core, bob, first).appeal?.decided).toMatchObject(DENIED);
  decide(core, may, post.id, { act: "restore" });

  const second = hidden();
  expect(decideAppeal(core, may, second, GRANTED)).toMatchObject({
    undone: { by: "may" },
    appeal: { decided: { by: "may", ...GRANTED } },
  });
  expect(getPost(core, bob, post.id).hiddenAt).toBeNull();
  const { nodes } = listAudit(core, OPERATOR, { of: "all", act: "appeal.decided" }, { limit: 10 });
  expect(nodes.map(({ detail }) => detail)).toMatchObject([
    { outcome: "granted", reason: GRANTED.answer },
    { outcome: "denied", reason: DENIED.answer },
  ]);
});

test("the moderator of the decision answers only while no other active one can", async () => {
  using there = community();
  const { core, mo, hidden, clock } = there;
  const id = hidden();
  const may = add(core, "may", "moderator");
  expect(await codeOf(() => decideAppeal(core, mo, id, DENIED))).toBe("appeal_of_own_decision");
  clock.pass(MINUTE);
  decide(core, OPERATOR, may.builderId, { act: "suspend", reason: REASON });
  expect(decideAppeal(core, mo, id, DENIED).appeal?.decided?.by).toBe("mo");
});

test("the appellant is no other moderator, and nobody answers their own appeal", async () => {
  using there = community();
  const { core, mo } = there;
  const may = add(core, "may", "moderator");
  const post = createPost(core, may, { text: "Mine" });
  const { id } = decide(core, mo, post.id, { act: "hide", reason: REASON });
  appeal(core, may, id, { text: "Please look again." });
  expect(await codeOf(() => decideAppeal(core, may, id, GRANTED))).toBe("own_appeal");
  expect(await outcomeOf(() => decideAppeal(core, mo, id, DENIED))).toBe("done");
});

test("an appeal about an account needs a higher role, and a moderator of the same role is no other one", async () => {
  using there = community();
  const { core, mo } = there;
  const [ada, may] = [add(core, "ada", "admin"), add(core, "may", "moderator")];
  const { id } = decide(core, ada, may.builderId, { act: "warn", reason: REASON });
  appeal(core, may, id, { text: "Please look again." });
  expect(await codeOf(() => decideAppeal(core, mo, id, GRANTED))).toBe("admin_only");
  expect(decideAppeal(core, ada, id, GRANTED).undone?.by).toBe("ada");
});

test("the operator always may answer", () => {
  using there = community();
  const { id } = decide(there.core, OPERATOR, there.post.id, { act: "hide", reason: REASON });
  appeal(there.core, there.bob, id, { text: "Please look again." });
  expect(decideAppeal(there.core, OPERATOR, id, GRANTED).appeal?.decided?.by).toBeNull();
});

test("members and tokens without the scope can neither list nor answer appeals", async () => {
  using there = community();
  const { core, bob, hidden } = there;
  const id = hidden();
  expect(await codeOf(() => decideAppeal(core, bob, id, GRANTED))).toBe("moderator_only");
  expect(await codeOf(() => listAppeals(core, bob, {}, { limit: 10 }))).toBe("moderator_only");
});

test("an app neither reads the decisions about a member nor appeals", async () => {
  using there = community();
  const { core, mo, bob, post } = there;
  const { id } = decide(core, mo, post.id, { act: "hide", reason: REASON });
  const app = { ...createMemberToken(core, "bob", BUILDER_SCOPES).caller, means: "app" } as const;
  for (const act of [
    () => listOwnDecisions(core, app, { limit: 1 }),
    () => getOwnDecision(core, app, id),
    () => appeal(core, app, id, { text: "Please" }),
  ])
    expect(await codeOf(act)).toBe("own_decisions_by_app");
  expect(getOwnDecision(core, bob, id).appeal).toBeNull();
});

test("the first of two answers wins, and an answer has 1 to 2,000 characters", async () => {
  using there = community();
  const { core, hidden } = there;
  const id = hidden();
  const may = add(core, "may", "moderator");
  for (const answer of [" ", "x".repeat(2001)])
    expect(await outcomeOf(() => decideAppeal(core, may, id, { ...DENIED, answer }))).toBe("bad_request");
  decideAppeal(core, may, id, { ...DENIED, answer: "x".repeat(2000) });
  const refused = await refusalOf(() => decideAppeal(core, OPERATOR, id, GRANTED));
  expect([refused.error, refused.code]).toEqual(["conflict", "appeal_decided"]);
  expect(await codeOf(() => decideAppeal(core, may, "dec_00000000000000000000000000", DENIED))).toBe(
    "appeal_unknown",
  );
});

test("an appeal against a decision that was undone meanwhile is still answered", () => {
  using there = community();
  const { core, mo, bob, hidden } = there;
  const id = hidden();
  undoDecision(core, mo, id);
  decideAppeal(core, OPERATOR, id, GRANTED);
  expect(getOwnDecision(core, bob, id).appeal?.decided?.outcome).toBe("granted");
});

for (const [days, state] of [
  [6, "within seven days"],
  [8, "after seven days"],
] as const)
  test(`a granted appeal of a removed spammer ends the suspension ${state}`, () => {
    using there = community();
    const { core, mo, bob, clock } = there;
    const may = add(core, "may", "moderator");
    const { id } = decide(core, mo, bob.builderId, { act: "remove_spammer", reason: "Spam" });
    appealSuspension(core, bob, { text: "I am real." }, "::1");
    clock.pass(days * DAY);
    const later = signedInNow(core, may);
    decideAppeal(core, later, id, GRANTED);
    expect(findStanding(core, bob.builderId)?.suspendedAt).toBeNull();
    expect(getOwnDecision(core, bob, id)).toMatchObject({ undoneAt: clock.now() });
    expect(kindsOf(core, bob)).toContain("appeal_decided");
  });

test("waiting appeals are listed oldest first, answered ones last answered first, page by page", () => {
  using there = community();
  const { core, mo, bob, clock } = there;
  const ids = [1, 2, 3].map((n) => {
    clock.pass(MINUTE);
    const { id } = createPost(core, bob, { text: `Post ${n}` });
    const decision = decide(core, mo, id, { act: "hide", reason: REASON }).id;
    appeal(core, bob, decision, { text: "No." });
    return decision;
  });
  const walk = (state: "waiting" | "decided") => {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = listAppeals(core, mo, { state }, { limit: 1, cursor });
      found.push(...page.nodes.map(({ id }) => id));
      cursor = page.hasNextPage ? page.nodes.map((node) => page.cursorOf(node)).at(-1) : undefined;
    } while (cursor !== undefined);
    const [last] = listAppeals(core, mo, { state }, { limit: 1, backwards: true }).nodes;
    expect(last?.id).toBe(found.at(-1));
    return found;
  };
  expect(walk("waiting")).toEqual(ids);
  for (const id of ids) {
    clock.pass(MINUTE);
    decideAppeal(core, OPERATOR, id, DENIED);
  }
  expect(walk("decided")).toEqual(ids.toReversed());
  expect(walk("waiting")).toEqual([]);
});
