import { deleteOwnAccount } from "../../src/core/services/deletion/deletion.ts";
import { expect, test } from "bun:test";
import { type Caller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import {
  createAccount,
  makeSetupLink,
  checkSetupLink,
  setUp,
  signIn,
  signUp,
} from "../../src/core/identity/accounts/accounts.ts";
import {
  listInvites,
  makeInvite,
  peekInvite,
  withdrawInvite,
} from "../../src/core/identity/accounts/invites.ts";
import {
  hasPassword,
  makeRecovery,
  peekRecovery,
  recover,
} from "../../src/core/identity/accounts/passwords.ts";
import { makeLink, useLink } from "../../src/core/identity/accounts/links.ts";
import { sessionOf } from "../../src/core/identity/accounts/sessions.ts";
import { listAdmins } from "../../src/core/identity/builders/member-list.ts";
import { DAY } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
import { createTestWorld } from "../support.ts";
import {
  signInOriginAt,
  callerOf,
  HOME,
  outcomeOf,
  PASSWORD,
  createSignedInMember,
  countOutcomes,
  tokenIn,
} from "./people.ts";
import { lowContrastBackgrounds } from "../../src/core/identity/community-settings/accent.ts";
import { communitySettingsOf } from "../../src/core/identity/community-settings/community-settings.ts";
import { changeRole, transferOwnership } from "../../src/core/identity/accounts/administration.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";

const NEW = "an entirely new password";

function setupToken(core: Core): string {
  return tokenIn(makeSetupLink(core, OPERATOR)?.url ?? "");
}

test("the set-up link creates the first owner, once, under any sign-up policy", async () => {
  using world = createTestWorld({ signup: "closed" });
  const { core } = world;
  const { url, expiresAt } = makeSetupLink(core, OPERATOR) ?? { url: "", expiresAt: 0 };
  expect(url).toMatch(/^https:\/\/guild\.test\/setup\?token=[\w-]{43}$/);
  expect(expiresAt).toBe(world.clock.now() + 7 * DAY);
  checkSetupLink(core, tokenIn(url));
  const form = { token: tokenIn(url), username: "ada", name: "Ada Okafor", password: PASSWORD };
  const community = { name: "Tidewater", line: "We build.", accent: "#ffffff", joining: "closed" } as const;
  for (const wrong of [{ name: "" }, { line: "x".repeat(161) }, { accent: "red" }, { joining: "all" }])
    expect(
      await outcomeOf(() => setUp(core, HOME, { ...form, community: { ...community, ...wrong } as never })),
    ).toBe("bad_request");
  const created = await setUp(core, HOME, { ...form, community });
  const { name, line, accent } = communitySettingsOf(core);
  // White is darkened until it is readable on white. A value that is the default is not stored.
  expect([name, line, lowContrastBackgrounds(accent)]).toEqual(["Tidewater", "We build.", []]);
  expect(core.db.prepare("SELECT joining FROM charter").get()).toEqual({ joining: null });
  expect(core.db.prepare("SELECT detail FROM audit_entries WHERE act = 'charter.changed'").get()).toEqual({
    detail: JSON.stringify({ parts: "accent, line, name" }),
  });
  expect(sessionOf(core, created.secret, "")).toMatchObject({ name: "Ada Okafor", role: "owner" });
  expect(callerOf(core, created.secret).scopes.has("admin")).toBe(true);
  expect(await outcomeOf(() => setUp(core, HOME, { ...form, username: "bob" }))).toBe("not_found");
  expect(makeSetupLink(core, OPERATOR)).toBeUndefined();
});

test("the two newest set-up links work, and none works once an admin exists", async () => {
  using world = createTestWorld();
  const { core } = world;
  const tokens = [1, 2, 3].map(() => {
    world.clock.pass(1000);
    return setupToken(core);
  });
  const works = tokens.map((token) => outcomeOf(() => checkSetupLink(core, token)));
  expect(await Promise.all(works)).toEqual(["not_found", "done", "done"]);
  await setUp(core, HOME, { token: tokens[1] ?? "", username: "ada", password: PASSWORD });
  // The link is deleted, not only refused.
  expect(await outcomeOf(() => checkSetupLink(core, tokens[2] ?? ""))).toBe("not_found");
});

test("of two clients that use the set-up link at once, one becomes the owner and the other gets no account", async () => {
  using world = createTestWorld();
  const { core } = world;
  const token = setupToken(core);
  const both = ["ada", "bob"].map((username) => setUp(core, HOME, { token, username, password: PASSWORD }));
  expect(await countOutcomes(both)).toEqual({ done: 1, not_found: 1 });
  expect(core.db.prepare("SELECT count(*) AS n, sum(role = 'owner') AS owners FROM builders").get()).toEqual({
    n: 1,
    owners: 1,
  });
});

test("no set-up link works once an admin was created another way", async () => {
  using world = createTestWorld();
  const { core } = world;
  const fresh = setupToken(core);
  checkSetupLink(core, fresh);
  await createAccount(core, OPERATOR, { username: "eve", name: "Eve", role: "admin" });
  expect(await outcomeOf(() => checkSetupLink(core, fresh))).toBe("conflict");
  const form = { token: fresh, username: "ada", password: PASSWORD };
  expect(await outcomeOf(() => setUp(core, HOME, form))).toBe("conflict");
});

test("a refused form leaves its link unused", async () => {
  using world = createTestWorld();
  const { core } = world;
  await createAccount(core, OPERATOR, { username: "bob", name: "Bob", role: "member" });
  const token = setupToken(core);
  for (const [username, password, code] of [
    ["bob", PASSWORD, "conflict"],
    ["admin", PASSWORD, "unprocessable"],
    ["ada", "short", "bad_request"],
    ["a b", PASSWORD, "bad_request"],
  ] as const) {
    expect(await outcomeOf(() => setUp(core, HOME, { token, username, password }))).toBe(code);
  }
  expect(await outcomeOf(() => setUp(core, HOME, { token, username: "ada", password: PASSWORD }))).toBe(
    "done",
  );
});

test("an invite creates one account within 7 days, and only one of two simultaneous uses succeeds", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const ada = await createSignedInMember(core, "ada", { role: "admin" });
  const { url, id, expiresAt } = makeInvite(core, ada.caller);
  expect(url).toMatch(/^https:\/\/guild\.test\/sign-up\?invite=[\w-]{43}$/);
  expect(expiresAt).toBe(clock.now() + 7 * DAY);
  expect(listInvites(core, ada.caller)).toEqual([
    { id, label: "", invitedBy: "ada", uses: 1, used: 0, createdAt: clock.now(), expiresAt },
  ]);
  peekInvite(core, tokenIn(url));
  const invite = tokenIn(url);
  const both = ["bob", "eve"].map((username) => signUp(core, HOME, { username, password: PASSWORD, invite }));
  expect(await countOutcomes(both)).toEqual({ done: 1, not_found: 1 });
  expect(core.db.prepare("SELECT count(*) AS n FROM builders").get()).toEqual({ n: 2 });
  expect(listInvites(core, ada.caller)).toEqual([]);

  const late = tokenIn(makeInvite(core, ada.caller).url);
  clock.pass(7 * DAY);
  expect(
    await outcomeOf(() => signUp(core, HOME, { username: "kay", password: PASSWORD, invite: late })),
  ).toBe("not_found");
});

test("refuses an invite that was withdrawn, or whose maker was suspended or is no longer an admin", async () => {
  using world = createTestWorld();
  const { core } = world;
  const ada = await createSignedInMember(core, "ada", { role: "admin" });
  const bob = await createSignedInMember(core, "bob", { role: "admin" });
  const withdrawn = makeInvite(core, ada.caller);
  withdrawInvite(core, bob.caller, withdrawn.id);
  expect(await outcomeOf(() => withdrawInvite(core, bob.caller, withdrawn.id))).toBe("not_found");
  const [first, second] = [makeInvite(core, ada.caller), makeInvite(core, bob.caller)];
  changeRole(core, OPERATOR, "ada", "member");
  setSuspended(core, OPERATOR, "bob", true);
  for (const { url } of [withdrawn, first, second]) {
    const form = { username: "eve", password: PASSWORD, invite: tokenIn(url) };
    expect(await outcomeOf(() => peekInvite(core, tokenIn(url)))).toBe("not_found");
    expect(await outcomeOf(() => signUp(core, HOME, form))).toBe("not_found");
  }
  // The operator's invites work even though the operator is no member.
  const { url } = makeInvite(core, OPERATOR);
  const form = { username: "eve", password: PASSWORD, invite: tokenIn(url) };
  expect(await outcomeOf(() => signUp(core, HOME, form))).toBe("done");
});

test("each link works only for its own purpose, and a made-up link for none", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const setup = setupToken(core);
  await createSignedInMember(core, "ada");
  const invite = tokenIn(makeInvite(core, OPERATOR).url);
  const recovery = tokenIn(makeRecovery(core, OPERATOR, "ada").url);
  const created = Buffer.alloc(32, 7).toString("base64url");
  for (const token of [setup, recovery, created, "", "x".repeat(10_000), `${invite}=`]) {
    clock.pass(DAY / 50);
    const form = { username: "eve", password: PASSWORD, invite: token };
    const code = await outcomeOf(() => signUp(core, HOME, form));
    expect(code).toBe(token === "" ? "forbidden" : "not_found");
  }
  for (const token of [setup, invite, created, "", recovery.slice(1)]) {
    clock.pass(DAY / 50);
    expect(await outcomeOf(() => recover(core, HOME, { token, password: NEW }))).toBe("not_found");
    expect(await outcomeOf(() => peekRecovery(core, token))).toBe("not_found");
  }
  for (const token of [invite, recovery, created]) {
    const form = { token, username: "eve", password: PASSWORD };
    expect(await outcomeOf(() => setUp(core, HOME, form))).toBe("not_found");
  }
});

test("a recovery link sets a new password once, within a day, and ends every session", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const ada = await createSignedInMember(core, "ada");
  const bob = await createSignedInMember(core, "bob", { role: "admin" });
  const { url, expiresAt } = makeRecovery(core, bob.caller, "Ada");
  expect(url).toMatch(/^https:\/\/guild\.test\/recover\?token=[\w-]{43}$/);
  expect(expiresAt).toBe(clock.now() + DAY);
  const token = tokenIn(url);
  expect(peekRecovery(core, token)).toEqual({ builderId: ada.builderId, username: "ada" });
  expect(await outcomeOf(() => recover(core, HOME, { token, password: "ada" }))).toBe("bad_request");
  expect(sessionOf(core, ada.secret, "")).toBeDefined();
  const both = [1, 2].map((i) =>
    recover(core, signInOriginAt(`198.51.100.${i}`), { token, password: `${NEW} ${i}` }),
  );
  expect(await countOutcomes(both)).toEqual({ done: 1, not_found: 1 });
  expect(sessionOf(core, ada.secret, "")).toBeUndefined();
  expect(
    core.db.prepare("SELECT count(*) AS n FROM sessions WHERE builder_id = ?").get(ada.builderId),
  ).toEqual({ n: 1 });
  expect(await outcomeOf(() => signIn(core, HOME, { username: "ada", password: PASSWORD }))).toBe(
    "unauthorized",
  );
  expect(await outcomeOf(() => recover(core, HOME, { token, password: NEW }))).toBe("not_found");

  const late = tokenIn(makeRecovery(core, OPERATOR, "ada").url);
  clock.pass(DAY);
  expect(await outcomeOf(() => recover(core, HOME, { token: late, password: NEW }))).toBe("not_found");
});

test("only the newest recovery link works, and none by a former admin", async () => {
  using world = createTestWorld();
  const { core } = world;
  const ada = await createSignedInMember(core, "ada", { role: "admin" });
  await createSignedInMember(core, "bob");
  const [old, fresh] = [1, 2].map(() => tokenIn(makeRecovery(core, ada.caller, "bob").url));
  expect(await outcomeOf(() => peekRecovery(core, old ?? ""))).toBe("not_found");
  expect(peekRecovery(core, fresh ?? "").username).toBe("bob");
  setSuspended(core, OPERATOR, "ada", true);
  expect(await outcomeOf(() => peekRecovery(core, fresh ?? ""))).toBe("not_found");
  expect(await outcomeOf(() => recover(core, HOME, { token: fresh ?? "", password: NEW }))).toBe("not_found");
  expect(await outcomeOf(() => makeRecovery(core, OPERATOR, "nobody"))).toBe("not_found");
});

test("a suspension ends recovery links; a later link works only after the suspension", async () => {
  using world = createTestWorld();
  const { core } = world;
  await createSignedInMember(core, "ada");
  const before = tokenIn(makeRecovery(core, OPERATOR, "ada").url);
  setSuspended(core, OPERATOR, "ada", true);
  expect(await outcomeOf(() => peekRecovery(core, before))).toBe("not_found");
  const token = tokenIn(makeRecovery(core, OPERATOR, "ada").url);
  expect(await outcomeOf(() => recover(core, HOME, { token, password: NEW }))).toBe("forbidden");
  setSuspended(core, OPERATOR, "ada", false);
  expect(await outcomeOf(() => signIn(core, HOME, { username: "ada", password: NEW }))).toBe("unauthorized");
  expect(await outcomeOf(() => recover(core, HOME, { token, password: NEW }))).toBe("done");
  expect(await outcomeOf(() => signIn(core, HOME, { username: "ada", password: NEW }))).toBe("done");
});

test("a recovery link sets the first password of an account without one", async () => {
  using world = createTestWorld();
  const { core } = world;
  await createAccount(core, OPERATOR, { username: "ada", name: "Ada", role: "member" });
  const token = tokenIn(makeRecovery(core, OPERATOR, "ada").url);
  const { secret } = await recover(core, HOME, { token, password: NEW });
  expect(hasPassword(core, callerOf(core, secret))).toBe(true);
});

test("a link works once, before it expires and only for its purpose, even if it was never opened before", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const { builderId } = await createSignedInMember(core, "bob");
  const make = () =>
    core.db.transact(
      () => makeLink(core, { purpose: "recovery", lifetimeMs: DAY, builderId, createdBy: null }).token,
    );
  const use = (purpose: "invite" | "recovery", token: string) =>
    outcomeOf(() => core.db.transact(() => useLink(core, purpose, token)));
  const [one, two] = [make(), make()];
  expect([await use("invite", one), await use("recovery", one), await use("recovery", one)]).toEqual([
    "not_found",
    "done",
    "not_found",
  ]);
  clock.pass(DAY);
  expect(await use("recovery", two)).toBe("not_found");
});

test("only admins in person and the operator invite members, recover accounts and assign roles", async () => {
  using world = createTestWorld();
  const { core } = world;
  const bob = await createSignedInMember(core, "bob");
  const actions: ((caller: Caller) => unknown)[] = [
    (caller) => makeInvite(core, caller),
    (caller) => listInvites(core, caller),
    (caller) => withdrawInvite(core, caller, "lnk_x"),
    (caller) => makeRecovery(core, caller, "bob"),
    (caller) => changeRole(core, caller, "bob", "admin"),
    (caller) => createAccount(core, caller, { username: "eve", name: "Eve", role: "admin" }),
    (caller) => setSuspended(core, caller, "bob", true),
    (caller) => makeSetupLink(core, caller),
  ];
  for (const action of actions)
    expect([String(action), await outcomeOf(() => action(bob.caller))]).toEqual([
      String(action),
      "forbidden",
    ]);
});

test("only higher roles assign a role, the last owner keeps theirs, and nobody suspends their own account", async () => {
  using world = createTestWorld();
  const { core } = world;
  const ada = await createSignedInMember(core, "ada", { role: "owner" });
  const bob = await createSignedInMember(core, "bob");
  expect(await outcomeOf(() => changeRole(core, ada.caller, "ada", "admin"))).toBe("conflict");
  changeRole(core, ada.caller, "bob", "owner");
  const owner = callerOf(core, bob.secret);
  expect(await outcomeOf(() => changeRole(core, owner, "ada", "member"))).toBe("forbidden");
  changeRole(core, ada.caller, "ada", "member");
  expect(sessionOf(core, ada.secret, "")?.role).toBe("member");
  expect(await outcomeOf(() => changeRole(core, owner, "nobody", "admin"))).toBe("not_found");
  expect(await outcomeOf(() => setSuspended(core, owner, "bob", true))).toBe("conflict");
});

test("suspended owners do not count as the last owner; without an owner, the last admin keeps the role", async () => {
  using world = createTestWorld();
  const { core } = world;
  const ada = (await createSignedInMember(core, "ada", { role: "owner" })).caller;
  await createSignedInMember(core, "bob", { role: "owner" });
  const [cleo, dee] = [
    (await createSignedInMember(core, "cleo", { role: "admin" })).caller,
    (await createSignedInMember(core, "dee", { role: "admin" })).caller,
  ];
  setSuspended(core, OPERATOR, "bob", true);
  for (const caller of [ada, OPERATOR])
    expect(await outcomeOf(() => changeRole(core, caller, "ada", "admin"))).toBe("conflict");
  expect(await outcomeOf(() => transferOwnership(core, ada, "bob", "bob"))).toBe("conflict");
  expect(
    await outcomeOf(() => deleteOwnAccount(core, ada, { username: "ada", proof: { password: PASSWORD } })),
  ).toBe("conflict");
  setSuspended(core, OPERATOR, "ada", true);
  changeRole(core, cleo, "cleo", "moderator");
  expect(await outcomeOf(() => changeRole(core, dee, "dee", "member"))).toBe("conflict");
  expect(listAdmins(core, OPERATOR).map(({ username, suspendedAt }) => [username, suspendedAt])).toEqual([
    ["dee", null],
    ["bob", core.clock.now()],
    ["ada", core.clock.now()],
  ]);
});

test("at most a hundred invites are open at once", async () => {
  using world = createTestWorld();
  const { core } = world;
  const open = Array.from({ length: 100 }, () => makeInvite(core, OPERATOR));
  expect(await outcomeOf(() => makeInvite(core, OPERATOR))).toBe("conflict");
  withdrawInvite(core, OPERATOR, open[0]?.id ?? "");
  expect(makeInvite(core, OPERATOR).invitedBy).toBeNull();
});
