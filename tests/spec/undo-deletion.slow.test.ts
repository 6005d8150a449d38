// Tests docs/contract.md#9.12: accounts deleted by an admin or the operator.
import { expect, test } from "bun:test";
import {
  continueDeletion,
  deleteAccount,
  deleteOwnAccount,
  eraseDueAccounts,
} from "../../src/core/services/deletion/deletion.ts";
import { listPendingDeletions, undoDeletion } from "../../src/core/services/deletion/pending.ts";
import { listReports } from "../../src/core/services/moderation/reports.ts";
import { restore, hide } from "../moderate.ts";
import { createPost, listFeed } from "../../src/core/community/feed/feed.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { followBuilder } from "../../src/core/community/following/following.ts";
import { block } from "../../src/core/community/messages/blocks.ts";
import { countUnread, listThreads, sendMessage } from "../../src/core/community/messages/messages.ts";
import { ACCESS_KINDS, type AccessKind } from "../../src/core/delegation/securing/access.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";
import { getWorkspace } from "../../src/core/delegation/workspaces/workspaces.ts";
import { DAY } from "../../src/core/base/clock.ts";
import { type Core, createCore } from "../../src/core/base/core.ts";
import { type BuilderCaller, OPERATOR, VISITOR } from "../../src/core/identity/access/caller.ts";
import { BUILDER_SCOPES } from "../../src/core/identity/access/scopes.ts";
import { signIn, signUp } from "../../src/core/identity/accounts/accounts.ts";
import { changeRole } from "../../src/core/identity/accounts/administration.ts";
import { findBuilder } from "../../src/core/identity/builders/builders.ts";
import { findRole } from "../../src/core/identity/members/members.ts";
import { mailsDue } from "../due-messages.ts";
import { KINDS } from "../core/access-kinds.ts";
import { completeDeletion, dumpRows, createLinkedCommunity } from "../core/linked-community.ts";
import { withCaller, HOME, outcomeOf, PASSWORD, createSignedInMember } from "../core/people.ts";
import { createMemberToken, createTestWorld, signedInNow } from "../support.ts";
import { openSite, signedInAs, type Site, tokenOf, visit } from "../web/support.ts";

const PAGE = { limit: 100 };

function owner(core: Core, root: BuilderCaller): BuilderCaller {
  changeRole(core, OPERATOR, "root", "owner");
  return signedInNow(core, root);
}

function deleteAda(core: Core, root: BuilderCaller): void {
  deleteAccount(core, signedInNow(core, root), "ada", "ada");
}

const NODE = `query ($id: ID!) { node(id: $id) { ... on Post { text } ... on Prompt { title } ... on Job { company { name } }
  ... on Thread { messages(first: 9) { nodes { text } } } ... on Message { text } ... on Project { title } } }`;

/**
 * Reads everything that others can see of ada: REST and GraphQL as bob, pages and feeds as bob and as a
 * guest.
 */
async function readsOf(site: Site, found: Record<string, readonly string[]>): Promise<Map<string, string>> {
  const { core } = site;
  const { token } = createMemberToken(core, "bob", BUILDER_SCOPES);
  const { post = [], prompt = [], job = [], thr = [], prj = [] } = found;
  const rest = [
    "/feed",
    "/feed?tag=rust",
    "/feed?author=ada",
    "/prompts",
    "/jobs",
    "/profiles",
    "/profiles/ada",
    "/profiles/bob",
    "/search?q=zebra",
    "/messages",
    "/notifications",
    "/events",
    "/community",
    ...post.flatMap((id) => [`/feed/${id}`, `/feed/${id}/replies`, `/feed/${id}/revisions`]),
    ...prompt.flatMap((id) => [`/prompts/${id}`, `/prompts/${id}/versions`]),
    ...job.map((id) => `/jobs/${id}`),
    ...thr.map((id) => `/messages/${id}`),
    ...prj.map((id) => `/projects/${id}`),
  ];
  const pages = [
    "/",
    "/@ada",
    "/@ada/feed.atom",
    "/feed.atom",
    "/feed.json",
    "/tags/rust",
    "/tags/rust/feed.atom",
    "/prompts",
    "/jobs",
    "/jobs/feed.atom",
    "/builders",
    "/builders?q=zebra",
    "/search?q=zebra",
    "/messages",
    "/messages/requests",
    "/notifications",
    "/sitemap.xml",
    "/about",
    ...post.map((id) => `/posts/${id}`),
    ...prompt.map((id) => `/prompts/${id}`),
    ...job.map((id) => `/jobs/${id}`),
    ...thr.map((id) => `/messages/${id}`),
  ];
  const values = new Map<string, string>();
  for (const path of rest) {
    const response = await site.request(token, path);
    values.set(`REST ${path}`, JSON.stringify(await response.json()));
  }
  const query = `{ feed(first: 50) { nodes { text author { username name } replies(first: 9) { nodes { text } } } }
    builder(username: "ada") { name bio } search(query: "zebra", first: 9) { nodes { __typename } } }`;
  const graph = async (body: object): Promise<string> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    return (await fetch(`${site.url}/graphql`, init)).text();
  };
  values.set("GraphQL", await graph({ query }));
  for (const id of Object.values(found).flat())
    values.set(`GraphQL node ${id}`, await graph({ query: NODE, variables: { id } }));
  for (const [who, visitor] of [
    ["bob", signedInAs(site, "bob")],
    ["a stranger", visit(site)],
  ] as const)
    for (const path of pages) values.set(`${who} ${path}`, (await visitor.open(path)).html);
  return values;
}

function idsOf(core: Core, builderId: string): Record<string, string[]> {
  const of = (sql: string): string[] =>
    core.db
      .prepare<{ id: string }>(sql)
      .all(builderId)
      .map(({ id }) => id);
  return {
    post: of("SELECT id FROM posts WHERE author_id = ?"),
    prompt: of("SELECT id FROM prompts WHERE author_id = ?"),
    job: of("SELECT id FROM jobs WHERE published_by = ?"),
    thr: of("SELECT id FROM threads WHERE ? IN (low_id, high_id)"),
    prj: of("SELECT id FROM projects WHERE builder_id = ?"),
    msg: of("SELECT id FROM messages WHERE sender_id = ?"),
  };
}

/**
 * Returns the reads that contain the deleted member's texts or name. The requested URL and the search text
 * are ignored.
 */
function leaks(values: ReadonlyMap<string, string>): string[] {
  const isLeak = (name: string, text: string): boolean =>
    name.includes("search")
      ? /Ada Zebra|(?:posts|prompts|jobs)\/(?:post|prompt|job)_/.test(text)
      : /zebra|"ada"/i.test(text.replaceAll("q=zebra", "").replaceAll('value="zebra"', ""));
  return [...values].filter(([name, text]) => isLeak(name, text)).map(([name]) => name);
}

test("an admin's deletion hides the account and its content at once on every route", async () => {
  await using site = openSite();
  const { core } = site;
  const { ada, root } = await createLinkedCommunity(core);
  const ids = idsOf(core, ada.builderId);
  const before = leaks(await readsOf(site, ids));
  expect(before.length).toBeGreaterThan(30);

  deleteAda(core, root.caller);

  expect(leaks(await readsOf(site, ids))).toEqual([]);
});

test("undoing a deletion restores everything unchanged", async () => {
  await using site = openSite();
  const { core } = site;
  const { ada, bob, root } = await createLinkedCommunity(core);
  followBuilder(core, ada.caller, "bob");
  followBuilder(core, bob.caller, "ada");
  createPost(core, ada.caller, { text: "Hidden by a moderator" });
  const [hidden] = listFeed(core, VISITOR, {}, { limit: 1 }).nodes;
  hide(core, OPERATOR, hidden?.id ?? "");
  const ids = idsOf(core, ada.builderId);
  const read = async () =>
    [...(await readsOf(site, ids))].filter(
      ([name]) => name.startsWith("REST") && !["REST /events", "REST /community"].includes(name),
    );
  // Reads once before the comparison, because the first read marks messages as read.
  await read();
  const before = await read();
  const state = () => [countUnread(core, bob.caller), listThreads(core, bob.caller, {}, PAGE).nodes];
  const talks = state();

  deleteAda(core, root.caller);
  await eraseDueAccounts(core);
  completeDeletion(core);
  expect(await outcomeOf(() => restore(core, OPERATOR, ids["post"]?.[0] ?? ""))).toBe("not_found");
  undoDeletion(core, owner(core, root.caller), "ada");
  completeDeletion(core);

  expect(await read()).toEqual(before);
  expect(state()).toEqual(talks);
  const again = await signIn(core, HOME, { username: "ada", password: PASSWORD });
  expect(again.builderId).toBe(ada.builderId);
  for (const table of ["pending_deletions", "hidden_by_deletion"])
    expect(core.db.prepare(`SELECT 1 FROM ${table}`).all()).toEqual([]);
});

test("after seven days the account is erased completely, even across a restart", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const { root } = await createLinkedCommunity(core);
  deleteAda(core, root.caller);
  const next = (): Core => {
    const { makeId: _, wake: _w, onWake: _o, memory: _m, ...parts } = core;
    return createCore(parts);
  };
  clock.step(30 * DAY);
  clock.pass(7 * DAY - 1);
  await eraseDueAccounts(next());
  expect(listPendingDeletions(core, OPERATOR)).toHaveLength(1);
  clock.pass(1);
  await eraseDueAccounts(next());
  await eraseDueAccounts(next());
  completeDeletion(next());

  expect(
    dumpRows(core).filter(
      (row) => /zebra/i.test(row) && !/^(?:report_copies|reports|audit_entries|apps|companies) /.test(row),
    ),
  ).toEqual([]);
  expect(findBuilder(core, "ada")).toBeUndefined();
  expect(await outcomeOf(() => undoDeletion(core, OPERATOR, "ada"))).toBe("not_found");
  const form = { username: "ada", password: PASSWORD };
  expect(await outcomeOf(() => signUp(core, HOME, form))).not.toBe("done");
});

test("a list of blocked builders leaves a deleted account out until the undo", async () => {
  await using site = openSite();
  const { core } = site;
  const { bob, root } = await createLinkedCommunity(core);
  block(core, bob.caller, "ada");
  const { token } = createMemberToken(core, "bob");
  const lists = async (): Promise<string[]> => {
    const query = "{ viewer { blocks(first: 9) { nodes { builder { username } } } } }";
    const graph = await site.request(token, "/../graphql", { method: "POST", body: { query } });
    const page = await signedInAs(site, "bob").open("/messages/blocked");
    const rest = await site.request(token, "/blocks");
    return [await rest.text(), await graph.text(), page.html].map(
      (text) => /@?\bada\b|-0[a-z\d]{25}|Deleted account/.exec(text)?.[0].replace("@", "") ?? "nobody",
    );
  };
  expect(await lists()).toEqual(["ada", "ada", "ada"]);
  deleteAda(core, root.caller);
  expect(await lists()).toEqual(["nobody", "nobody", "nobody"]);
  undoDeletion(core, owner(core, root.caller), "ada");
  expect(await lists()).toEqual(["ada", "ada", "ada"]);
});

test("access ends at once; an undo restores the password, the passkeys and the email address", async () => {
  using world = createTestWorld({ policy: { signup: "open", mailFrom: "guild@guild.test", name: "Guild" } });
  const { core, clock } = world;
  await createSignedInMember(core, "maker");
  const root = await createSignedInMember(core, "root", { role: "admin" });
  const ada = await createSignedInMember(core, "ada");
  const works = new Map<AccessKind, () => boolean | Promise<boolean>>();
  for (const kind of ACCESS_KINDS) works.set(kind, await KINDS[kind].add(core, ada));
  const working = async () => {
    const kinds: AccessKind[] = [];
    for (const [kind, look] of works) if (await look()) kinds.push(kind);
    return kinds;
  };

  deleteAda(core, root.caller);
  // The passkey is still stored but cannot sign in. The lines below test this.
  expect(await working()).toEqual(["passkeys"]);
  expect(await outcomeOf(() => signIn(core, HOME, { username: "ada", password: PASSWORD }))).toBe(
    "unauthorized",
  );
  const mails = mailsDue(core, "urgent").length;
  clock.pass(DAY);
  expect(mailsDue(core, "urgent").length).toBeLessThanOrEqual(mails);

  undoDeletion(core, owner(core, root.caller), "ada");
  expect(await working()).toEqual(["passkeys", "mail"]);
  expect(await outcomeOf(() => signIn(core, HOME, { username: "ada", password: PASSWORD }))).toBe("done");
});

test("only an owner or the operator undoes a deletion; the operator can erase at once", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { bob, root } = await createLinkedCommunity(core);
  const admin = signedInNow(core, root.caller);
  deleteAda(core, root.caller);

  for (const caller of [admin, bob.caller, { ...admin, means: "token" as const }])
    expect(await outcomeOf(() => undoDeletion(core, caller, "ada"))).toBe("forbidden");
  expect(await outcomeOf(() => listPendingDeletions(core, admin))).toBe("forbidden");
  expect(listPendingDeletions(core, owner(core, root.caller))).toEqual([
    {
      username: "ada",
      deletedBy: "root",
      deletedAt: core.clock.now(),
      erasedAt: core.clock.now() + 7 * DAY,
    },
  ]);
  expect(await outcomeOf(() => createSignedInMember(core, "ada"))).toBe("conflict");
  expect(await outcomeOf(() => deleteAda(core, root.caller))).toBe("not_found");
  deleteAccount(core, OPERATOR, "ada", "ada");
  completeDeletion(core);
  expect(dumpRows(core).some((row) => row.startsWith("pending_deletions"))).toBe(false);
});

test("receivers get `post.deleted` when the account is hidden, and `post.updated` when it is restored", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { root } = await createLinkedCommunity(core);
  const types = () =>
    core.db
      .prepare<{ type: string }>("SELECT type FROM events WHERE type LIKE 'post.%' ORDER BY id")
      .all()
      .map(({ type }) => type);
  const before = types().length;

  deleteAda(core, root.caller);
  expect(types().slice(before)).toEqual(["post.deleted"]);
  undoDeletion(core, owner(core, root.caller), "ada");

  expect(types().slice(before)).toEqual(["post.deleted", "post.updated"]);
});

test("a conversation returns once neither member is hidden, and never when one of them is erased", async () => {
  using world = createTestWorld();
  const { core } = world;
  const ada = await createSignedInMember(core, "ada");
  const bob = await createSignedInMember(core, "bob");
  const root = await createSignedInMember(core, "root", { role: "admin" });
  sendMessage(core, ada.caller, { to: "bob", text: "zebra" });
  const threads = ({ caller }: { caller: BuilderCaller }) => listThreads(core, caller, {}, PAGE).nodes.length;
  const boss = owner(core, root.caller);
  deleteAda(core, root.caller);
  deleteAccount(core, boss, "bob", "bob");
  undoDeletion(core, boss, "ada");
  completeDeletion(core);
  expect([threads(ada), threads(bob)]).toEqual([0, 0]);
  undoDeletion(core, boss, "bob");
  completeDeletion(core);
  expect([threads(ada), threads(bob)]).toEqual([1, 1]);

  deleteAda(core, root.caller);
  deleteAccount(core, OPERATOR, "bob", "bob");
  completeDeletion(core);
  undoDeletion(core, boss, "ada");
  completeDeletion(core);
  expect(threads(ada)).toBe(0);
  expect(core.db.prepare("SELECT 1 FROM pending_deletions").all()).toEqual([]);
});

test("a suspended member is still suspended after an undo, with their earlier role and usernames", async () => {
  using world = createTestWorld();
  const { core } = world;
  const root = await createSignedInMember(core, "root", { role: "owner" });
  await createSignedInMember(core, "ada", { role: "moderator" });
  setSuspended(core, OPERATOR, "ada", true);
  core.db.transact(() => {
    const id = findBuilder(core, "ada")?.id ?? "";
    core.db
      .prepare("INSERT INTO former_usernames (username, removed_at, builder_id) VALUES ('lovelace', 1, ?)")
      .run(id);
  });
  const row = () => core.db.prepare("SELECT * FROM builders WHERE username = 'ada'").get();
  const before = { row: row(), directory: core.db.prepare("SELECT * FROM directory").all() };

  deleteAda(core, root.caller);
  undoDeletion(core, signedInNow(core, root.caller), "ada");

  expect({ row: row(), directory: core.db.prepare("SELECT * FROM directory").all() }).toMatchObject({
    ...before,
    row: { ...(before.row as object), device_epoch: expect.any(Number) },
  });
  expect(findBuilder(core, "lovelace")?.username).toBe("ada");
});

test("content too large for one transaction is hidden and restored in batches, even when an undo interrupts the hiding", async () => {
  using world = createTestWorld();
  const { core } = world;
  const root = await createSignedInMember(core, "root", { role: "owner" });
  const ada = await createSignedInMember(core, "ada");
  core.db.transact(() => {
    for (let i = 0; i < 250; i++) createPost(core, ada.caller, { text: `post ${i}` });
  });
  const shown = () => core.db.prepare("SELECT 1 FROM posts WHERE hidden_at IS NULL").all().length;
  deleteAda(core, root.caller);
  expect(shown()).toBe(150);
  completeDeletion(core);
  expect(shown()).toBe(0);
  undoDeletion(core, signedInNow(core, root.caller), "ada");
  expect(shown()).toBe(100);
  expect(completeDeletion(core)).toBeGreaterThan(1);
  expect(shown()).toBe(250);

  deleteAda(core, root.caller);
  undoDeletion(core, signedInNow(core, root.caller), "ada");
  completeDeletion(core);
  expect(shown()).toBe(250);
});

async function writers(core: Core, posts: number) {
  const root = await createSignedInMember(core, "root", { role: "owner" });
  const ada = await createSignedInMember(core, "ada");
  core.db.transact(() => {
    for (let i = 0; i < posts; i++) createPost(core, ada.caller, { text: `post ${i}` });
  });
  const shown = () =>
    core.db.prepare("SELECT 1 FROM posts WHERE author_id = ? AND hidden_at IS NULL").all(ada.builderId)
      .length;
  return { root, ada, shown, undo: () => undoDeletion(core, signedInNow(core, root.caller), "ada") };
}

test("an account can be deleted again while an undo is still restoring its content", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { root, shown, undo } = await writers(core, 250);
  deleteAda(core, root.caller);
  completeDeletion(core);
  undo();
  expect(shown()).toBe(100);

  deleteAda(core, root.caller);
  completeDeletion(core);
  expect(shown()).toBe(0);
  undo();
  completeDeletion(core);
  expect(shown()).toBe(250);
});

test("a member who deletes their account during an undo stops the restoring of their content", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { root, undo } = await writers(core, 250);
  deleteAda(core, root.caller);
  completeDeletion(core);
  undo();
  const updated = () => core.db.prepare("SELECT 1 FROM events WHERE type = 'post.updated'").all().length;
  const before = updated();
  const ada = withCaller(core, await signIn(core, HOME, { username: "ada", password: PASSWORD }));

  await deleteOwnAccount(core, ada.caller, { username: "ada", proof: { password: PASSWORD } });
  core.db.transact(() => continueDeletion(core));

  expect(updated()).toBe(before);
  completeDeletion(core);
  expect(core.db.prepare("SELECT 1 FROM builders WHERE id = ?").all(ada.builderId)).toEqual([]);
});

test("a message sent before an undo is complete joins its conversation, or is refused while the conversation is hidden", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada, root, undo } = await writers(core, 250);
  const bob = await createSignedInMember(core, "bob");
  sendMessage(core, ada.caller, { to: "bob", text: "Hello" });
  sendMessage(core, bob.caller, { to: "ada", text: "Hello to you" });
  deleteAda(core, root.caller);
  completeDeletion(core);
  undo();

  sendMessage(core, bob.caller, { to: "ada", text: "Back again?" });
  expect(core.db.prepare("SELECT 1 FROM hidden_by_deletion").all().length).toBeGreaterThan(100);
  completeDeletion(core);

  expect(listThreads(core, ada.caller, {}, PAGE).nodes).toMatchObject([
    { unread: 2, last: { preview: "Back again?" } },
  ]);
  // Simulates the state while the restore of more than 100 conversations is still in progress.
  core.db.transact(() => core.db.prepare("DELETE FROM thread_members").run());
  expect(await outcomeOf(() => sendMessage(core, bob.caller, { to: "ada", text: "Still there?" }))).toBe(
    "forbidden",
  );
});

test("a reply under a post that is being deleted does not block hiding in batches", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada, root } = await writers(core, 0);
  const bob = await createSignedInMember(core, "bob");
  const post = createPost(core, bob.caller, { text: "With many replies" });
  core.db.transact(() => {
    for (let i = 0; i < 250; i++) replyTo(core, ada.caller, post.id, { text: `reply ${i}` });
  });
  deletePost(core, bob.caller, post.id);
  deleteAda(core, root.caller);

  expect(completeDeletion(core)).toBeLessThan(10);

  expect(listPendingDeletions(core, OPERATOR)).toHaveLength(1);
  expect(core.db.prepare("SELECT 1 FROM pending_deletions WHERE state = 'hidden'").all()).toHaveLength(1);
});

test("content hidden by a moderator while the account awaits erasure stays hidden after an undo", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada, root } = await createLinkedCommunity(core);
  const [post = ""] = idsOf(core, ada.builderId)["post"] ?? [];
  deleteAda(core, root.caller);

  hide(core, OPERATOR, post, { reason: "No zebras." });

  expect(
    listReports(core, OPERATOR, { state: "open" }, PAGE).nodes.map(({ subject }) => subject.id),
  ).not.toContain(post);
  undoDeletion(core, OPERATOR, "ada");
  completeDeletion(core);
  const isHidden = () =>
    core.db.prepare("SELECT 1 FROM posts WHERE id = ? AND hidden_at IS NOT NULL").get(post);
  expect(isHidden()).toBeDefined();
  restore(core, OPERATOR, post);
  expect(isHidden()).toBeUndefined();
});

test("content hidden by a moderator before the deletion cannot be restored before the undo", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada, root } = await createLinkedCommunity(core);
  const found = idsOf(core, ada.builderId);
  const hers = [found["post"]?.[0] ?? "", found["prompt"]?.[0] ?? "", found["job"]?.[0] ?? ""];
  for (const id of hers) hide(core, OPERATOR, id);
  deleteAda(core, root.caller);

  for (const id of hers) expect(await outcomeOf(() => restore(core, OPERATOR, id))).toBe("not_found");
  undoDeletion(core, OPERATOR, "ada");
  for (const id of hers) expect(restore(core, OPERATOR, id).hidden).toBe(false);
});

test("every admin change through the placeholder name of a deleted account is 404 and changes nothing", async () => {
  await using site = openSite();
  const { core } = site;
  const { ada, root } = await createLinkedCommunity(core);
  changeRole(core, OPERATOR, "root", "owner");
  deleteAda(core, root.caller);
  const { username = "" } =
    core.db.prepare<{ username: string }>("SELECT username FROM builders WHERE id = ?").get(ada.builderId) ??
    {};
  const boss = signedInAs(site, "root");
  const form_token = tokenOf(await boss.open("/admin/builders"));
  const account = () => [
    core.db.prepare("SELECT * FROM builders WHERE id = ?").get(ada.builderId),
    core.db.prepare("SELECT * FROM passwords WHERE builder_id = ?").get(ada.builderId),
  ];
  const before = account();

  const changes = ["suspend", "restore", "role", "hand-over", "recovery", "vouch", "secure", "delete"];
  const statuses: [string, number][] = [];
  for (const change of changes) {
    const fields = { form_token, username, role: "moderator" };
    statuses.push([change, (await boss.post(`/admin/builders/${username}/${change}`, fields)).status]);
  }

  expect(statuses).toEqual(changes.map((change) => [change, 404]));
  expect(account()).toEqual(before);
});

test("an owner can leave a workspace shared only with a deleted account; an undo makes that account the owner", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada, bob, root, ids } = await createLinkedCommunity(core);
  const members = () => getWorkspace(core, bob.caller, ids.tools).members;
  expect(members()).toBe(2);
  deleteAda(core, root.caller);
  expect(members()).toBe(1);

  await deleteOwnAccount(core, bob.caller, { username: "bob", proof: { password: PASSWORD } });
  completeDeletion(core);
  undoDeletion(core, OPERATOR, "ada");

  expect(findRole(core, ids.tools, ada.builderId)).toBe("owner");
});

test("only owners see deleted accounts with their erasure date on the member page, and undo a deletion there", async () => {
  await using site = openSite();
  const { core } = site;
  await createSignedInMember(core, "root", { role: "owner" });
  await createSignedInMember(core, "abe", { role: "admin" });
  await createSignedInMember(core, "ada");
  const [root, abe] = [signedInAs(site, "root"), signedInAs(site, "abe")];
  await abe.submit(await abe.open("/admin/builders/ada"), "/admin/builders/ada/delete", { username: "ada" });

  expect((await abe.open("/admin/builders")).html).not.toContain("Deleted accounts");
  const list = await root.open("/admin/builders");
  expect(list.html).toContain("Deleted accounts");
  expect(list.html).toContain("@ada");
  const back = await root.submit(list, "/admin/builders/ada/undelete");

  expect([back.status, back.address.split("?")[0]]).toEqual([200, "/admin/builders/ada"]);
  expect(findBuilder(core, "ada")).toBeDefined();
});
