// docs/contract.md#9.12: account deletion.
import { expect, test } from "bun:test";
import { authenticate, createToken } from "../../src/core/delegation/tokens/tokens.ts";
import { type Caller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import { signIn, signUp } from "../../src/core/identity/accounts/accounts.ts";
import {
  deleteAccount,
  deleteOwnAccount,
  eraseDueAccounts,
} from "../../src/core/services/deletion/deletion.ts";
import { makeInvite } from "../../src/core/identity/accounts/invites.ts";
import { changePassword, makeRecovery, peekRecovery } from "../../src/core/identity/accounts/passwords.ts";
import { sessionOf } from "../../src/core/identity/accounts/sessions.ts";
import { findClient } from "../../src/core/delegation/apps/apps.ts";
import { findInMemberList, listBuilders } from "../../src/core/identity/builders/member-list.ts";
import { DAY, MINUTE } from "../../src/core/base/clock.ts";
import { listFeed } from "../../src/core/community/feed/feed.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { getProfile } from "../../src/core/community/profiles/profiles.ts";
import { checkUrl, registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import { inviteMember, joinWorkspace } from "../../src/core/delegation/workspaces/invitations.ts";
import {
  createWorkspace,
  dropRemovedWorkspaces,
  leaveWorkspace,
  listMembers,
  removeMember,
  setRole,
} from "../../src/core/delegation/workspaces/workspaces.ts";
import { graph } from "../graphql/ask.ts";
import { createTestWorld, openTestServer } from "../support.ts";
import {
  asToken,
  HOME,
  outcomeOf,
  PASSWORD,
  createSignedInMember,
  refusalOf,
  countOutcomes,
  tokenIn,
} from "./people.ts";
import {
  proof,
  PAGE,
  deleteAccountOf,
  completeDeletion,
  createLinkedCommunity,
  dumpRows,
} from "./linked-community.ts";
import { changeRole } from "../../src/core/identity/accounts/administration.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";

test("refuses every credential of a deleted account from the next request on", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { ada, bob, token, ids } = await createLinkedCommunity(core);
  expect((await server.request(token, "/feed")).status).toBe(200);
  expect((await server.request(token, "/profiles/ada")).status).toBe(403);
  const recovery = tokenIn(makeRecovery(core, OPERATOR, "ada").url);
  await deleteAccountOf(core, ada.caller);
  expect((await server.request(token, "/feed")).status).toBe(401);
  expect(sessionOf(core, ada.secret, HOME.address)).toBeUndefined();
  expect(await outcomeOf(() => signIn(core, HOME, { username: "ada", password: PASSWORD }))).toBe(
    "unauthorized",
  );
  expect(await outcomeOf(() => peekRecovery(core, recovery))).toBe("not_found");
  expect(findClient(core, ids.app)).toBeUndefined();
  expect(await outcomeOf(() => getProfile(core, bob.caller, "ada"))).toBe("not_found");
  expect(await outcomeOf(() => sendMessage(core, bob.caller, { to: "ada", text: "Hello?" }))).toBe(
    "not_found",
  );
  // The author is anonymous before the first batch.
  expect(listFeed(core, bob.caller, {}, PAGE).nodes.map(({ author }) => author.name)).toContain(
    "Deleted account",
  );
  expect(listFeed(core, bob.caller, { author: "ada" }, PAGE).nodes).toEqual([]);
  expect(listBuilders(core, OPERATOR, {}, PAGE).nodes.map(({ username }) => username)).toEqual([
    "root",
    "bob",
  ]);
  for (const action of [
    () => setSuspended(core, OPERATOR, "ada", false),
    () => changeRole(core, OPERATOR, "ada", "admin"),
    () => makeRecovery(core, OPERATOR, "ada"),
  ])
    expect(await outcomeOf(action)).toBe("not_found");
});

test("shows the author of remaining posts without a name until the last batch, and never finds the account", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { ada, bob } = await createLinkedCommunity(core);
  const reader = createToken(core, OPERATOR, "bob", {
    name: "reader",
    scopes: ["feed:read", "profile:read"],
    tier: "enterprise",
  }).token;
  const by = (id: string) => graph(server, reader, `{ node(id: "${id}") { id } }`);
  expect((await by(ada.builderId)).body.data).toEqual({ node: { id: ada.builderId } });
  await deleteAccountOf(core, ada.caller);
  const row = core.db.prepare<{ username: string }>("SELECT username FROM builders WHERE id = ?");
  const name = row.get(ada.builderId)?.username ?? "";
  expect(name).toStartWith("-");
  expect(await outcomeOf(() => getProfile(core, bob.caller, name))).toBe("not_found");
  expect(await outcomeOf(() => findInMemberList(core, OPERATOR, name))).toBe("not_found");
  for (const username of ["-", name])
    expect(listBuilders(core, OPERATOR, { username }, PAGE).nodes).toEqual([]);
  expect((await server.request(reader, `/profiles/${name}`)).status).toBe(404);
  expect((await fetch(`${server.url}/@${name}`)).status).toBe(404);
  expect((await by(ada.builderId)).body.data).toEqual({ node: null });
  const feed = await graph(
    server,
    reader,
    "{ feed { edges { node { author { id name bio place links } } } } }",
  );
  expect(feed.body.errors).toBeUndefined();
  expect(feed.body.data.feed.edges).toContainEqual({
    node: { author: { id: ada.builderId, name: "Deleted account", bio: "", place: "", links: [] } },
  });
});

test("reserves the username of a deleted account permanently, in any letter case", async () => {
  using world = createTestWorld({ signup: "open" });
  const { core } = world;
  const { ada } = await createLinkedCommunity(core);
  const again = () => signUp(core, HOME, { username: "Ada", password: "another horse battery" });
  await deleteAccountOf(core, ada.caller);
  expect((await refusalOf(again)).message).toBe("This username is taken. Choose another one.");
  completeDeletion(core);
  expect((await refusalOf(again)).message).toBe("This username is taken. Choose another one.");
});

test("a member deletes their own account by typing its name and proving their identity again", async () => {
  using world = createTestWorld();
  const { core } = world;
  const ada = await createSignedInMember(core, "ada");
  const before = dumpRows(core);
  const attempt = (username: string, password: string) => () =>
    deleteOwnAccount(core, ada.caller, { username, proof: { password } });
  expect((await refusalOf(attempt("ad", PASSWORD))).details?.[0]?.path).toBe("username");
  expect((await refusalOf(attempt("ada", "wrong horse battery"))).details?.[0]?.path).toBe("current");
  expect(await outcomeOf(attempt("ada", ""))).toBe("bad_request");
  const byToken = () =>
    deleteOwnAccount(core, { ...ada.caller, ...asToken(ada.caller) }, { username: "ada", proof });
  expect(await outcomeOf(byToken)).toBe("forbidden");
  expect(dumpRows(core)).toEqual(before);
  await deleteOwnAccount(core, ada.caller, { username: " @ADA ", proof });
  expect(completeDeletion(core)).toBeGreaterThan(0);
  expect(core.db.prepare("SELECT * FROM builders").all()).toEqual([]);
});

test("the only active owner of a shared workspace must transfer or delete the workspace first", async () => {
  using world = createTestWorld();
  const { core } = world;
  const [ada, bob, cy] = await Promise.all(
    ["ada", "bob", "cy"].map((name) => createSignedInMember(core, name)),
  );
  if (!ada || !bob || !cy) throw new Error("they are there");
  const tools = createWorkspace(core, ada.caller, "ada", { name: "Tools" });
  for (const { caller } of [bob, cy])
    joinWorkspace(core, caller, tokenIn(inviteMember(core, ada.caller, tools).url));
  setRole(core, ada.caller, tools, "bob", "owner");
  setSuspended(core, OPERATOR, "bob", true);
  const before = dumpRows(core);
  const refused = await refusalOf(() => deleteAccountOf(core, ada.caller));
  expect(refused.message).toContain(
    "the workspace “Tools”. Make another member its owner first, or delete the workspace.",
  );
  for (const action of [
    () => leaveWorkspace(core, ada.caller, tools),
    () => setRole(core, ada.caller, tools, "ada", "member"),
    () => removeMember(core, ada.caller, tools, "ada"),
    () => removeMember(core, OPERATOR, tools, "ada"),
  ])
    expect(await outcomeOf(action)).toBe("conflict");
  // The operator is not in the workspace, so the refusal names the operator's command.
  const byOther = await refusalOf(() => deleteAccount(core, OPERATOR, "ada", "ada"));
  expect([byOther.error, byOther.message]).toEqual([
    "conflict",
    expect.stringContaining(`\`guildhall workspace member own ${tools} USERNAME\``),
  ]);
  expect(dumpRows(core)).toEqual(before);
  // Ada is an active owner, so she may demote the suspended owner.
  setRole(core, ada.caller, tools, "bob", "member");
  setRole(core, ada.caller, tools, "cy", "owner");
  leaveWorkspace(core, ada.caller, tools);
  await deleteAccountOf(core, ada.caller);
  expect(listMembers(core, cy.caller, tools)).toHaveLength(2);
});

test("deletes a shared workspace without other members, including an admin's", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const [root, ada, bob] = [
    await createSignedInMember(core, "root", { role: "admin" }),
    await createSignedInMember(core, "ada"),
    await createSignedInMember(core, "bob"),
  ];
  const [alone, left] = ["Alone", "Left"].map((name) => createWorkspace(core, ada.caller, "ada", { name }));
  if (!alone || !left) throw new Error("they are there");
  const link = tokenIn(inviteMember(core, ada.caller, alone).url);
  joinWorkspace(core, bob.caller, tokenIn(inviteMember(core, ada.caller, left).url));
  leaveWorkspace(core, bob.caller, left);
  const draft = { name: "CI", scopes: ["feed:read"], tier: "personal" as const, workspaceId: alone };
  const { token } = createToken(core, ada.caller, "ada", draft);
  deleteAccount(core, root.caller, "ada", "ada");
  expect(authenticate(core, token, () => true)).toBeUndefined();
  expect(await outcomeOf(() => joinWorkspace(core, bob.caller, link))).toBe("not_found");
  clock.pass(7 * DAY);
  await eraseDueAccounts(core);
  for (const id of [alone, left])
    expect(await outcomeOf(() => listMembers(core, OPERATOR, id))).toBe("not_found");
  completeDeletion(core);
  await dropRemovedWorkspaces(core);
  const about = dumpRows(core).filter((row) => row.includes(alone) || row.includes(left));
  // Bob's own operations are in his own log.
  expect(about.filter((row) => !(row.startsWith("audit_entries") && row.includes(bob.builderId)))).toEqual(
    [],
  );
});

test("the last active admin cannot delete their own account; the operator can delete it", async () => {
  using world = createTestWorld();
  const { core } = world;
  const [ada, bob] = [
    await createSignedInMember(core, "ada", { role: "admin" }),
    await createSignedInMember(core, "bob", { role: "admin" }),
  ];
  expect(await countOutcomes([deleteAccountOf(core, ada.caller), deleteAccountOf(core, bob.caller)])).toEqual(
    { done: 1, conflict: 1 },
  );
  const left = core.db
    .prepare<{ username: string }>("SELECT username FROM builders WHERE role = 'admin'")
    .get();
  deleteAccount(core, OPERATOR, left?.username ?? "", left?.username ?? "");
  completeDeletion(core);
  expect(core.db.prepare("SELECT * FROM builders").all()).toEqual([]);
});

test("only an admin with a recent sign-in and the operator delete another member's account", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const [root, ada, bob] = [
    await createSignedInMember(core, "root", { role: "admin" }),
    await createSignedInMember(core, "ada"),
    await createSignedInMember(core, "bob"),
  ];
  const by = (caller: Caller, typed = "bob") => outcomeOf(() => deleteAccount(core, caller, "bob", typed));
  expect(await by(ada.caller)).toBe("forbidden");
  expect(await by(asToken(root.caller))).toBe("forbidden");
  expect(await by(root.caller, "bobby")).toBe("bad_request");
  expect(await outcomeOf(() => deleteAccount(core, root.caller, "root", "root"))).toBe("conflict");
  clock.pass(10 * MINUTE);
  expect(await by(root.caller)).toBe("forbidden");
  const again = await signIn(core, HOME, { username: "root", password: PASSWORD });
  const fresh = sessionOf(core, again.secret, HOME.address)?.caller;
  if (!fresh) throw new Error("root is signed in");
  expect(await by(fresh)).toBe("done");
  expect(await by(fresh)).toBe("not_found");
  expect(sessionOf(core, bob.secret, HOME.address)).toBeUndefined();
});

test("links by a deleted admin stop working, also after the account's row is gone", async () => {
  using world = createTestWorld();
  const { core } = world;
  const [ada] = [
    await createSignedInMember(core, "ada", { role: "admin" }),
    await createSignedInMember(core, "root", { role: "admin" }),
  ];
  await createSignedInMember(core, "bob");
  const invite = tokenIn(makeInvite(core, ada.caller).url);
  const recovery = tokenIn(makeRecovery(core, ada.caller, "bob").url);
  await deleteAccountOf(core, ada.caller);
  const join = () => signUp(core, HOME, { username: "mallory", password: "another horse battery", invite });
  for (let i = 0; i < 2; i++) {
    expect(await outcomeOf(join)).toBe("not_found");
    expect(await outcomeOf(() => peekRecovery(core, recovery))).toBe("not_found");
    completeDeletion(core);
  }
});

test("of two simultaneous deletions one succeeds, and a simultaneous password change stops a deletion", async () => {
  using world = createTestWorld();
  const { core } = world;
  const [ada, bob] = [await createSignedInMember(core, "ada"), await createSignedInMember(core, "bob")];
  expect(await countOutcomes([deleteAccountOf(core, ada.caller), deleteAccountOf(core, ada.caller)])).toEqual(
    {
      done: 1,
      forbidden: 1,
    },
  );
  const both = [
    changePassword(core, bob.caller, { current: PASSWORD, password: "another horse battery" }),
    deleteAccountOf(core, bob.caller),
  ];
  expect(await countOutcomes(both)).toEqual({ done: 1, forbidden: 1 });
});

test("refuses an endpoint whose host lookup ends after the account was deleted", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada, token } = await createLinkedCommunity(core);
  const caller = authenticate(core, token, () => true);
  const byToken = { ...ada.caller, ...caller, scopes: ada.caller.scopes };
  const url = await checkUrl(core, byToken, "https://hooks.example.com/late");
  await deleteAccountOf(core, ada.caller);
  const register = () => registerEndpoint(core, byToken, { url, events: ["post.created"] });
  expect(await outcomeOf(register)).toBe("unauthorized");
  completeDeletion(core);
  expect(await outcomeOf(register)).toBe("unauthorized");
  expect(dumpRows(core).filter((row) => row.includes("/late"))).toEqual([]);
});
