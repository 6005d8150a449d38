import { expect, test } from "bun:test";
import { deleteAccount } from "../../src/core/services/deletion/deletion.ts";
import { hide, restore, restoreBuilder, suspendBuilder } from "../moderate.ts";
import { dismissReport, reopenReport, report } from "../../src/core/services/moderation/reports.ts";
import { listNotifications } from "../../src/core/services/notifications/notifications.ts";
import { factsOf } from "../../src/core/identity/notifications/kinds.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { previewSecuring, secureAccount } from "../../src/core/delegation/securing/securing.ts";
import { type BuilderCaller, type Caller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import {
  isAtLeast,
  mayChangeRole,
  mayActOn,
  type Role,
  ROLES,
  type AccountAction,
} from "../../src/core/identity/access/roles.ts";
import {
  createBuilder,
  changeRole,
  transferOwnership,
} from "../../src/core/identity/accounts/administration.ts";
import { writeAs } from "../../src/core/identity/accounts/sessions.ts";
import { makeRecovery, peekRecovery } from "../../src/core/identity/accounts/passwords.ts";
import { listAudit } from "../../src/core/identity/audit/audit.ts";
import { findStanding } from "../../src/core/identity/builders/builders.ts";
import type { Core } from "../../src/core/base/core.ts";
import { BUILDER_SCOPES, createMemberToken, createTestWorld, signedInNow } from "../support.ts";
import type { Scope } from "../../src/core/identity/access/scopes.ts";
import { outcomeOf, createSignedInMember, refusalOf, tokenIn } from "./people.ts";

test("each role includes the rights of the roles before it, and a guest has none", () => {
  // docs/contract.md#12.23
  const may = ROLES.map((role) => ROLES.filter((least) => isAtLeast(role, least)));
  expect(may).toEqual([
    ["member"],
    ["member", "moderator"],
    ["member", "moderator", "admin"],
    ["member", "moderator", "admin", "owner"],
  ]);
  expect(ROLES.filter((least) => isAtLeast(null, least))).toEqual([]);
});

const ACTS: Readonly<
  Record<string, { touch?: AccountAction; act(core: Core, caller: Caller, to: string): unknown }>
> = {
  suspend: { touch: "suspend", act: suspendBuilder },
  restore: {
    touch: "suspend",
    act(core, caller, to) {
      suspendBuilder(core, OPERATOR, to);
      return restoreBuilder(core, caller, to);
    },
  },
  recover: { touch: "recover", act: makeRecovery },
  "look what gives access": { touch: "secure", act: previewSecuring },
  secure: {
    touch: "secure",
    act: (core, caller, to) => secureAccount(core, caller, to, { passkeys: "all", password: true }),
  },
  delete: { touch: "delete", act: (core, caller, to) => deleteAccount(core, caller, to, to) },
  "make a member": { act: (core, caller, to) => changeRole(core, caller, to, "member") },
  "make a moderator": { act: (core, caller, to) => changeRole(core, caller, to, "moderator") },
  "make an admin": { act: (core, caller, to) => changeRole(core, caller, to, "admin") },
  "make an owner": { act: (core, caller, to) => changeRole(core, caller, to, "owner") },
  "hand over": { act: (core, caller, to) => transferOwnership(core, caller, to, to) },
};

const MODERATES = ["suspend", "restore"];
const RUNS = [...MODERATES, "recover", "look what gives access", "secure", "delete"];
const GIVES_ALL = ["make a member", "make a moderator", "make an admin", "make an owner"];

/** The scopes of the tokens of an owner. */
const TOKENS = {
  "token with admin": ["admin"],
  "token with moderation": ["moderation", "profile:write"],
  "other token": BUILDER_SCOPES,
} as const satisfies Readonly<Record<string, readonly Scope[]>>;

/** The table of docs/contract.md#12.23: who may do what to whom. */
const MAY: Readonly<
  Record<Role | keyof typeof TOKENS | "operator", Readonly<Record<Role, readonly string[]>>>
> = {
  member: { member: [], moderator: [], admin: [], owner: [] },
  moderator: { member: MODERATES, moderator: [], admin: [], owner: [] },
  admin: {
    member: [...RUNS, "make a member", "make a moderator"],
    moderator: [...RUNS, "make a member", "make a moderator"],
    admin: [],
    owner: [],
  },
  owner: {
    member: [...RUNS, ...GIVES_ALL, "hand over"],
    moderator: [...RUNS, ...GIVES_ALL, "hand over"],
    admin: [...RUNS, ...GIVES_ALL, "hand over"],
    owner: ["hand over"],
  },
  // An owner's token with `admin` moderates and makes moderators, but touches no higher role and no access.
  "token with admin": {
    member: [...MODERATES, "make a member", "make a moderator"],
    moderator: [...MODERATES, "make a member", "make a moderator"],
    admin: MODERATES,
    owner: [],
  },
  "token with moderation": { member: MODERATES, moderator: MODERATES, admin: MODERATES, owner: [] },
  "other token": { member: [], moderator: [], admin: [], owner: [] },
  operator: {
    member: [...RUNS, ...GIVES_ALL],
    moderator: [...RUNS, ...GIVES_ALL],
    admin: [...RUNS, ...GIVES_ALL],
    owner: [...RUNS, ...GIVES_ALL],
  },
};

function addMemberWith(core: Core, username: string, role: Role): BuilderCaller {
  return signedInNow(core, { builderId: createBuilder(core, OPERATOR, { username, name: username, role }) });
}

function callerLike(core: Core, role: keyof typeof MAY, username: string): Caller {
  if (role === "operator") return OPERATOR;
  if (!(role in TOKENS)) return addMemberWith(core, username, role as Role);
  addMemberWith(core, username, "owner");
  return createMemberToken(core, username, TOKENS[role as keyof typeof TOKENS]).caller;
}

test("every role, each token and the operator may do exactly what the table says, to every role", async () => {
  // docs/contract.md#12.23
  using world = createTestWorld();
  const { core } = world;
  addMemberWith(core, "first", "owner");
  let count = 0;
  for (const member of Object.keys(MAY) as (keyof typeof MAY)[])
    for (const role of ROLES) {
      const may: string[] = [];
      for (const [name, { act }] of Object.entries(ACTS)) {
        count++;
        const actor = callerLike(core, member, `actor-${count}`);
        addMemberWith(core, `target-${count}`, role);
        if ((await outcomeOf(() => act(core, actor, `target-${count}`))) === "done") may.push(name);
      }
      const expected = MAY[member][role].filter(
        (name) => !(name.startsWith("make") && name.endsWith(` ${role}`)),
      );
      expect([member, role, may.sort()]).toEqual([member, role, expected.sort()]);
    }
});

test("the table that pages use matches the operations", () => {
  for (const actor of ROLES)
    for (const target of ROLES) {
      for (const [name, { touch }] of Object.entries(ACTS))
        if (touch)
          expect([actor, name, target, mayActOn(actor, touch, target)]).toEqual([
            actor,
            name,
            target,
            MAY[actor][target].includes(name),
          ]);
      for (const to of ROLES.filter((role) => role !== target))
        expect([actor, target, to, mayChangeRole(actor, target, to)]).toEqual([
          actor,
          target,
          to,
          MAY[actor][target].some((name) => name.startsWith("make") && name.endsWith(` ${to}`)),
        ]);
    }
  expect(mayActOn(null, "suspend", "member") || mayChangeRole(null, "member", "moderator")).toBe(false);
});

test("a refusal names the required role", async () => {
  using world = createTestWorld();
  const { core } = world;
  const owner = addMemberWith(core, "olga", "owner");
  const admin = addMemberWith(core, "ada", "admin");
  const moderator = addMemberWith(core, "mo", "moderator");
  for (const name of ["abe", "may", "bob"])
    addMemberWith(core, name, name === "abe" ? "admin" : name === "may" ? "moderator" : "member");
  const messageOf = async (action: () => unknown) => (await refusalOf(action)).message;
  expect(await messageOf(() => suspendBuilder(core, addMemberWith(core, "eve", "member"), "bob"))).toBe(
    "Only moderators and admins of the community can do this. Ask one of them.",
  );
  expect(await messageOf(() => suspendBuilder(core, moderator, "may"))).toBe(
    "Only admins of the community can do this. Ask one of them.",
  );
  for (const action of [
    () => suspendBuilder(core, moderator, "abe"),
    () => suspendBuilder(core, admin, "abe"),
    () => changeRole(core, admin, "bob", "admin"),
    () => changeRole(core, admin, "ada", "owner"),
    () => transferOwnership(core, admin, "bob", "bob"),
  ])
    expect(await messageOf(action)).toBe("Only an owner of the community can do this. Ask an owner.");
  for (const caller of [moderator, admin, addMemberWith(core, "otto", "owner")])
    expect(await messageOf(() => suspendBuilder(core, caller, "olga"))).toBe(
      "olga is an owner of the community. Only the operator can do this, at the command line.",
    );
  changeRole(core, OPERATOR, "otto", "member");
  expect(await messageOf(() => changeRole(core, owner, "olga", "admin"))).toBe(
    "olga is the last active owner of the community. Make another member an owner first.",
  );
});

test("a handover needs the new owner's username, and the log records the former roles", async () => {
  using world = createTestWorld();
  const { core } = world;
  const ada = addMemberWith(core, "ada", "owner");
  const bob = addMemberWith(core, "bob", "moderator");
  for (const typed of ["", "ada", "bo"])
    expect((await refusalOf(() => transferOwnership(core, ada, "bob", typed))).code).toBe("not_new_owner");
  transferOwnership(core, ada, "bob", " @Bob ");
  const roleOf = ({ builderId }: BuilderCaller) => findStanding(core, builderId)?.role;
  expect([roleOf(ada), roleOf(bob)]).toEqual(["admin", "owner"]);
  const entries = listAudit(core, OPERATOR, { of: "all" }, { limit: 2 }).nodes;
  expect(entries.map(({ words, actor, subject }) => [words, actor, subject])).toEqual([
    ["Changed the role from owner to admin", "ada", "ada"],
    ["Changed the role from moderator to owner", "ada", "bob"],
  ]);
});

test("notifies the owners of a new owner at once, on the site and by email, and nobody else", () => {
  using world = createTestWorld();
  const { core } = world;
  const [ada, bob, otto] = [
    addMemberWith(core, "ada", "owner"),
    addMemberWith(core, "bob", "admin"),
    addMemberWith(core, "otto", "owner"),
  ];
  const others = [addMemberWith(core, "abe", "admin"), addMemberWith(core, "may", "member")];
  const notificationsOf = (reader: BuilderCaller) =>
    listNotifications(core, reader, { kind: "owner_changed" }, { limit: 9 }).nodes.map(
      ({ actors, about, subject }) => [actors[0]?.username, about, subject.url],
    );

  transferOwnership(core, ada, "bob", "bob");

  const said = [["ada", "@bob", `${core.origin}/@bob`]];
  expect([
    notificationsOf(otto),
    notificationsOf(bob),
    notificationsOf(ada),
    ...others.map(notificationsOf),
  ]).toEqual([said, said, [], [], []]);
  expect(factsOf("owner_changed").isUrgent).toBe(true);
  // Granting the owner role also notifies the other owners, unless the operator grants it.
  changeRole(core, otto, "may", "owner");
  changeRole(core, OPERATOR, "abe", "owner");
  expect(notificationsOf(bob).map(([actor, about]) => [actor, about])).toEqual([
    ["otto", "@may"],
    ["ada", "@bob"],
  ]);
});

test("a recovery link works only while its maker's role outranks its recipient's", async () => {
  // docs/threats.md#M08
  using world = createTestWorld();
  const { core } = world;
  const ada = addMemberWith(core, "ada", "admin");
  addMemberWith(core, "bob", "member");
  const token = tokenIn(makeRecovery(core, ada, "bob").url);
  const works = () => outcomeOf(() => peekRecovery(core, token));
  expect(await works()).toBe("done");
  for (const role of ["admin", "owner"] as const) {
    changeRole(core, OPERATOR, "bob", role);
    expect(await works()).toBe("not_found");
  }
  addMemberWith(core, "cleo", "owner");
  changeRole(core, OPERATOR, "bob", "moderator");
  expect(await works()).toBe("done");
  changeRole(core, OPERATOR, "ada", "moderator");
  expect(await works()).toBe("not_found");
});

test("refuses a queued write when its sender has lost their role", async () => {
  // docs/threats.md#M08
  using world = createTestWorld();
  const { core } = world;
  addMemberWith(core, "olga", "owner");
  addMemberWith(core, "bob", "member");
  const mo = addMemberWith(core, "mo", "moderator");
  const kept = writeAs(core, mo, () => suspendBuilder(core, mo, "bob"));
  expect(await outcomeOf(() => kept)).toBe("done");
  const demotion = core.db.write(() => changeRole(core, OPERATOR, "mo", "member"));
  const overtaken = writeAs(core, mo, () => restoreBuilder(core, mo, "bob"));
  expect(await Promise.all([outcomeOf(() => demotion), codeOf(() => overtaken)])).toEqual([
    "done",
    "role_lost",
  ]);
  // The direct call is refused too, because the transaction reads the current role.
  expect(await outcomeOf(() => core.db.write(() => restoreBuilder(core, mo, "bob")))).toBe("forbidden");
  changeRole(core, OPERATOR, "mo", "admin");
  expect(await outcomeOf(() => writeAs(core, mo, () => restoreBuilder(core, mo, "bob")))).toBe("done");
});

test("refuses moderation decisions about the moderator's own content or account", async () => {
  using world = createTestWorld();
  const { core } = world;
  const [mo, max, ada] = [
    await createSignedInMember(core, "mo", { role: "moderator" }),
    await createSignedInMember(core, "max", { role: "moderator" }),
    await createSignedInMember(core, "ada"),
  ].map(({ caller }) => caller) as [BuilderCaller, BuilderCaller, BuilderCaller];
  const { id } = createPost(core, mo, { text: "Mine" });
  const aboutPost = report(core, ada, { kind: "post", id }, { reason: "Spam" }).id;
  const aboutMo = report(core, ada, { kind: "builder", id: mo.builderId }, { reason: "Rude" }).id;
  for (const each of [aboutPost, aboutMo])
    expect(await codeOf(() => dismissReport(core, mo, each))).toBe("own_cause");
  hide(core, max, id);
  expect(await codeOf(() => restore(core, mo, id))).toBe("own_cause");
  restore(core, max, id);
  for (const each of [aboutPost, aboutMo]) {
    expect(dismissReport(core, max, each).settled?.outcome).toBe("dismissed");
    expect(await codeOf(() => reopenReport(core, mo, each))).toBe("own_cause");
  }
  // Moderators may hide their own content.
  expect(hide(core, mo, id).hidden).toBe(true);
});

async function codeOf(work: () => unknown): Promise<string> {
  return (await refusalOf(work)).code;
}
