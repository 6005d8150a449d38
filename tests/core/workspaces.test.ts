// docs/contract.md#7.12: shared workspaces.
import { expect, test } from "bun:test";
import { authenticate, createToken, listTokens } from "../../src/core/delegation/tokens/tokens.ts";
import { type Caller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import { listAudit } from "../../src/core/identity/audit/audit.ts";
import { addBuilder } from "../../src/core/identity/builders/builders.ts";
import type { Core } from "../../src/core/base/core.ts";
import { CoreError } from "../../src/core/base/errors.ts";
import { listEndpoints, registerEndpoint, checkUrl } from "../../src/core/outbox/webhooks/webhooks.ts";
import {
  inviteMember,
  joinWorkspace,
  listInvitations,
  peekInvitation,
  withdrawInvitation,
} from "../../src/core/delegation/workspaces/invitations.ts";
import {
  addMember,
  createWorkspace,
  deleteWorkspace,
  dropRemovedWorkspaces,
  getWorkspace,
  leaveWorkspace,
  listMembers,
  listSharedWorkspaces,
  listWorkspaces,
  MEMBERS_MAX,
  removeMember,
  renameWorkspace,
  setRole,
  WORKSPACES_MAX,
} from "../../src/core/delegation/workspaces/workspaces.ts";
import { asSession, createTestWorld, createMember, openTestServer } from "../support.ts";
import { dumpRows, rows } from "../spec/rows.ts";
import { addMembers, createTools, createCallers, refusalOf, tokenOf } from "./workspace-parts.ts";

test("every builder has a personal workspace and may join shared ones", () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const { ada, bo } = createCallers(core, "ada", "bo");
  clock.pass(1000);
  const tools = createTools(core, ada);
  addMembers(core, ada, tools, bo);
  expect(listWorkspaces(core, bo, "bo")).toEqual([
    {
      id: bo.workspaceId ?? "",
      name: "bo",
      isPersonal: true,
      role: "owner",
      members: 1,
      createdAt: clock.now() - 1000,
    },
    { id: tools, name: "Tools", isPersonal: false, role: "member", members: 2, createdAt: clock.now() },
  ]);
  expect(listWorkspaces(core, OPERATOR, "ada").map(({ id, role }) => [id, role])).toEqual([
    [ada.workspaceId ?? "", "owner"],
    [tools, "owner"],
  ]);
  expect(listMembers(core, bo, tools).map(({ username, role }) => [username, role])).toEqual([
    ["ada", "owner"],
    ["bo", "member"],
  ]);
  renameWorkspace(core, ada, tools, { name: "Tidewater tools" });
  expect(getWorkspace(core, bo, tools).name).toBe("Tidewater tools");
});

test("leaving or removal from a workspace revokes all of the member's tokens in it, permanently", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { ada, bo } = createCallers(core, "ada", "bo");
  const tools = createTools(core, ada);
  const ways = [
    () => leaveWorkspace(core, bo, tools),
    () => removeMember(core, ada, tools, "bo"),
    () => removeMember(core, OPERATOR, tools, "bo"),
  ];
  const statusOf = async (token: string) => (await server.request(token, "/webhooks")).status;
  const make = (owner: Caller, workspaceId?: string) =>
    createToken(core, owner, owner.username, {
      name: "t",
      scopes: ["webhooks:read"],
      tier: "personal",
      ...(workspaceId === undefined ? {} : { workspaceId }),
    }).token;
  for (const leave of ways) {
    addMembers(core, ada, tools, bo);
    const ended = [make(bo, tools), make(bo, tools)];
    const kept = [make(bo), make(ada, tools), make(ada)];
    for (const token of [...ended, ...kept]) expect(await statusOf(token)).toBe(200);
    leave();
    for (const token of ended) expect(await statusOf(token)).toBe(401);
    for (const token of kept) expect(await statusOf(token)).toBe(200);
    expect(refusalOf(() => make(bo, tools))).toBe("not_found");
    addMembers(core, ada, tools, bo);
    for (const token of ended) expect(await statusOf(token)).toBe(401);
    removeMember(core, ada, tools, "bo");
  }
});

test("leaving a workspace revokes the member's app grants in it", () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada, bo } = createCallers(core, "ada", "bo");
  const tools = createTools(core, ada);
  addMembers(core, ada, tools, bo);
  const app = core.makeId("app", core.clock.now());
  core.db.transact(() => {
    core.db
      .prepare(
        `INSERT INTO apps (id, workspace_id, name, kind, redirect_uris, scopes, created_at)
         VALUES (?, ?, 'Board', 'public', '[]', 'feed:read', 0)`,
      )
      .run(app, ada.workspaceId);
    for (const [owner, workspaceId] of [
      [ada, tools],
      [bo, tools],
    ] as const)
      core.db
        .prepare(
          "INSERT INTO grants (id, builder_id, app_id, workspace_id, scopes, created_at) VALUES (?, ?, ?, ?, '', 0)",
        )
        .run(core.makeId("grant", 0), owner.builderId, app, workspaceId);
  });
  leaveWorkspace(core, bo, tools);
  expect(
    rows(core, "SELECT builder_id AS builder, revoked_at AS at FROM grants ORDER BY at IS NULL"),
  ).toEqual([
    { builder: bo.builderId, at: core.clock.now() },
    { builder: ada.builderId, at: null },
  ]);
});

test("nobody joins, leaves or deletes a personal workspace", () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada, bo } = createCallers(core, "ada", "bo");
  const own = ada.workspaceId ?? "";
  const before = dumpRows(core);
  for (const action of [
    () => inviteMember(core, ada, own),
    () => listInvitations(core, ada, own),
    () => withdrawInvitation(core, ada, own, "lnk_x"),
    () => leaveWorkspace(core, ada, own),
    () => deleteWorkspace(core, ada, own),
    () => removeMember(core, ada, own, "ada"),
    () => setRole(core, ada, own, "ada", "member"),
    () => addMember(core, OPERATOR, own, "bo"),
    () => deleteWorkspace(core, OPERATOR, own),
  ])
    expect(refusalOf(action)).toBe("unprocessable");
  expect(dumpRows(core)).toEqual(before);
  expect(refusalOf(() => getWorkspace(core, bo, own))).toBe("not_found");
});

test("a workspace always has an owner", () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada, bo } = createCallers(core, "ada", "bo");
  const tools = createTools(core, ada);
  addMembers(core, ada, tools, bo);
  for (const action of [
    () => leaveWorkspace(core, ada, tools),
    () => removeMember(core, ada, tools, "ada"),
    () => removeMember(core, OPERATOR, tools, "ada"),
    () => setRole(core, ada, tools, "ada", "member"),
  ])
    expect(refusalOf(action)).toBe("conflict");
  setRole(core, ada, tools, "bo", "owner");
  leaveWorkspace(core, ada, tools);
  expect(listMembers(core, bo, tools).map(({ username, role }) => [username, role])).toEqual([
    ["bo", "owner"],
  ]);
});

/** Every operation on a shared workspace; `member` is a member of it, `stranger` is not. */
const ACTS: Record<string, (core: Core, caller: Caller, id: string) => unknown> = {
  get: getWorkspace,
  rename: (core, caller, id) => renameWorkspace(core, caller, id, { name: "Mine now" }),
  members: listMembers,
  invite: inviteMember,
  invitations: listInvitations,
  withdraw: (core, caller, id) => withdrawInvitation(core, caller, id, "lnk_x"),
  remove: (core, caller, id) => removeMember(core, caller, id, "ada"),
  role: (core, caller, id) => setRole(core, caller, id, "bo", "owner"),
  add: (core, caller, id) => addMember(core, caller, id, "stranger"),
  delete: deleteWorkspace,
  leave: leaveWorkspace,
};

test("hides other workspaces like missing ones, and refuses owner operations to members", () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada, bo, stranger } = createCallers(core, "ada", "bo", "stranger");
  const tools = createTools(core, ada);
  addMembers(core, ada, tools, bo);
  const unknown = core.makeId("ws", core.clock.now());
  const outcomeFor = (caller: Caller, id: string, name: string): string => {
    try {
      ACTS[name]?.(core, caller, id);
      return "done";
    } catch (thrown) {
      if (!(thrown instanceof CoreError)) throw thrown;
      return `${thrown.error}: ${thrown.message}`;
    }
  };
  const before = dumpRows(core);
  for (const name of Object.keys(ACTS)) {
    const refused = outcomeFor(stranger, tools, name);
    expect([name, refused]).toEqual([name, outcomeFor(stranger, unknown, name)]);
    expect([name, refused]).toEqual([
      name,
      expect.stringMatching(name === "add" ? /^forbidden/ : /^not_found/),
    ]);
    if (!["get", "members", "leave"].includes(name))
      expect([name, outcomeFor(bo, tools, name)]).toEqual([name, expect.stringMatching(/^forbidden/)]);
  }
  expect(dumpRows(core)).toEqual(before);
});

test("only members in person and the operator manage workspaces, never a token or app of any scope", () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada } = createCallers(core, "ada");
  const tools = createTools(core, ada);
  const invitation = tokenOf(inviteMember(core, ada, tools).url);
  const before = dumpRows(core);
  for (const means of ["token", "app"] as const) {
    const caller: Caller = { ...ada, scopes: OPERATOR.scopes, means };
    for (const action of Object.values(ACTS))
      expect(refusalOf(() => action(core, caller, tools))).toBe("forbidden");
    for (const action of [
      () => createWorkspace(core, caller, "ada", { name: "x" }),
      () => listWorkspaces(core, caller, "ada"),
      () => listSharedWorkspaces(core, caller, { limit: 1 }),
      () => peekInvitation(core, caller, invitation),
      () => joinWorkspace(core, caller, invitation),
    ])
      expect(refusalOf(action)).toBe("forbidden");
  }
  expect(dumpRows(core)).toEqual(before);
});

test("a builder creates and lists only their own workspaces; the operator any", () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada } = createCallers(core, "ada", "bo");
  expect(refusalOf(() => createWorkspace(core, ada, "bo", { name: "x" }))).toBe("forbidden");
  expect(refusalOf(() => listWorkspaces(core, ada, "bo"))).toBe("forbidden");
  expect(refusalOf(() => listSharedWorkspaces(core, ada, { limit: 1 }))).toBe("forbidden");
  expect(refusalOf(() => createWorkspace(core, OPERATOR, "nobody", { name: "x" }))).toBe("not_found");
  const created = Array.from({ length: 5 }, (_, n) =>
    createWorkspace(core, OPERATOR, n % 2 ? "ada" : "bo", { name: `${n}` }),
  );
  const first = listSharedWorkspaces(core, OPERATOR, { limit: 3 });
  const cursor = first.cursorOf(first.nodes[2] as never);
  const second = listSharedWorkspaces(core, OPERATOR, { limit: 3, cursor });
  expect([...first.nodes, ...second.nodes].map(({ id }) => id)).toEqual(created.toReversed());
  expect([first.hasNextPage, second.hasNextPage]).toEqual([true, false]);
});

test("limits: fifty members a workspace, twenty workspaces a builder, fifty open links", () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada, bo } = createCallers(core, "ada", "bo");
  const tools = createTools(core, ada);
  for (let n = 1; n < MEMBERS_MAX; n++) {
    addBuilder(core, { username: `b${n}`, name: "B", role: "member" }, { isVouchedFor: true });
    addMember(core, OPERATOR, tools, `b${n}`);
  }
  const token = tokenOf(inviteMember(core, ada, tools).url);
  expect(refusalOf(() => joinWorkspace(core, bo, token))).toBe("conflict");
  expect(refusalOf(() => addMember(core, OPERATOR, tools, "bo"))).toBe("conflict");
  expect(refusalOf(() => addMember(core, OPERATOR, tools, "b1"))).toBe("conflict");
  removeMember(core, ada, tools, "b1");
  expect(joinWorkspace(core, bo, token)).toBe(tools);

  while (listWorkspaces(core, bo, "bo").length < WORKSPACES_MAX) createTools(core, bo);
  expect(refusalOf(() => createTools(core, bo))).toBe("conflict");
  const crowded = tokenOf(inviteMember(core, ada, createTools(core, ada)).url);
  expect(refusalOf(() => joinWorkspace(core, bo, crowded))).toBe("conflict");

  for (let n = 0; n < 50; n++) inviteMember(core, ada, tools);
  expect(refusalOf(() => inviteMember(core, ada, tools))).toBe("conflict");
});

test("deleting a workspace ends its tokens, endpoints and apps at once, and removes its rows in batches", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { ada, bo } = createCallers(core, "ada", "bo");
  const tools = createTools(core, ada);
  addMembers(core, ada, tools, bo);
  const open = tokenOf(inviteMember(core, ada, tools).url);
  const draft = {
    name: "t",
    scopes: ["webhooks:read", "webhooks:write", "feed:write", "feed:read" as const],
    tier: "personal" as const,
  };
  const { token } = createToken(core, bo, "bo", { ...draft, workspaceId: tools });
  const { token: own } = createToken(core, bo, "bo", draft);
  const inTools = authenticate(core, token, () => true) as Caller;
  const inOwn = authenticate(core, own, () => true) as Caller;
  for (const caller of [inTools, inOwn]) {
    const url = await checkUrl(core, caller, "https://hooks.example.com/in");
    registerEndpoint(core, caller, { url, events: ["post.created"] });
  }
  const app = core.makeId("app", core.clock.now());
  core.db.transact(() =>
    core.db
      .prepare(
        `INSERT INTO apps (id, workspace_id, name, kind, redirect_uris, scopes, created_at)
         VALUES (?, ?, 'Board', 'public', '[]', 'feed:read', 0)`,
      )
      .run(app, tools),
  );
  // Creates more rows than one batch deletes.
  core.db.transact(() => {
    for (let n = 0; n < 1200; n++) {
      core.db
        .prepare(
          "INSERT INTO events (id, type, body, workspace_id, created_at) VALUES (?, 'webhook.test', '{}', ?, 0)",
        )
        .run(core.makeId("evt", n), tools);
    }
  });
  const kept = rows(core, "SELECT * FROM webhook_endpoints WHERE workspace_id = ?", bo.workspaceId);

  deleteWorkspace(core, ada, tools);
  expect((await server.request(token, "/webhooks")).status).toBe(401);
  expect((await server.request(own, "/webhooks")).status).toBe(200);
  expect(refusalOf(() => getWorkspace(core, ada, tools))).toBe("not_found");
  expect(refusalOf(() => getWorkspace(core, OPERATOR, tools))).toBe("not_found");
  expect(refusalOf(() => addMember(core, OPERATOR, tools, "bo"))).toBe("not_found");
  expect(refusalOf(() => joinWorkspace(core, asSession(createMember(core, "cleo").caller), open))).toBe(
    "not_found",
  );
  expect(listWorkspaces(core, ada, "ada").map(({ id }) => id)).toEqual([ada.workspaceId ?? ""]);
  expect(listSharedWorkspaces(core, OPERATOR, { limit: 10 }).nodes).toEqual([]);
  expect(listTokens(core, bo, "bo").find(({ workspace }) => workspace.id === tools)?.state).toBe("revoked");
  expect(rows(core, "SELECT suspended_at IS NOT NULL AS isLocked FROM apps")).toEqual([{ isLocked: 1 }]);
  expect(listEndpoints(core, inTools)).toEqual([]);
  await server.request(own, "/feed", { method: "POST", body: { text: "Still here" } });
  expect(rows(core, "SELECT endpoint_id AS id FROM deliveries")).toEqual([{ id: kept[0].id }]);

  await dropRemovedWorkspaces(core);
  expect(rows(core, "SELECT 1 FROM workspaces WHERE id = ?", tools)).toHaveLength(1);
  // Deletes the removed endpoints, as the delivery loop does on its next run.
  core.db.transact(() => core.db.prepare("DELETE FROM webhook_endpoints WHERE removed_at IS NOT NULL").run());
  await dropRemovedWorkspaces(core);
  for (const table of ["events", "tokens", "apps", "links", "workspace_members", "webhook_endpoints"])
    expect([table, rows(core, `SELECT * FROM ${table} WHERE workspace_id = ?`, tools)]).toEqual([table, []]);
  expect(rows(core, "SELECT 1 FROM workspaces WHERE id = ?", tools)).toEqual([]);
  expect(rows(core, "SELECT * FROM webhook_endpoints")).toEqual(kept);
});

test("the audit log of the affected member records every workspace operation with actor and address", () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada, bo } = createCallers(core, "ada", "bo");
  const tools = createTools(core, ada);
  const link = inviteMember(core, ada, tools);
  withdrawInvitation(core, ada, tools, inviteMember(core, ada, tools).id);
  joinWorkspace(core, bo, tokenOf(link.url));
  setRole(core, ada, tools, "bo", "owner");
  leaveWorkspace(core, bo, tools);
  addMember(core, OPERATOR, tools, "bo");
  removeMember(core, ada, tools, "bo");
  addMembers(core, ada, tools, bo);
  renameWorkspace(core, ada, tools, { name: "Tidewater" });
  deleteWorkspace(core, ada, tools);
  const logOf = (caller: Caller) =>
    listAudit(core, caller, { of: "mine" }, { limit: 100 })
      .nodes.map(({ act, actor, address }) => `${act} by ${actor ?? "operator"} from ${address ?? "nowhere"}`)
      .filter((line) => /^(workspace|member)/.test(line))
      .toReversed();
  const at = "from 203.0.113.7";
  expect(logOf(ada)).toEqual([
    `workspace.made by ada ${at}`,
    `workspace.invited by ada ${at}`,
    `workspace.invited by ada ${at}`,
    `workspace.uninvited by ada ${at}`,
    `workspace.invited by ada ${at}`,
    `workspace.renamed by ada ${at}`,
    `workspace.deleted by ada ${at}`,
  ]);
  expect(logOf(bo)).toEqual([
    `workspace.joined by bo ${at}`,
    "member.changed by ada from nowhere",
    `workspace.left by bo ${at}`,
    "workspace.joined by operator from nowhere",
    "member.removed by ada from nowhere",
    `workspace.joined by bo ${at}`,
    "workspace.deleted by ada from nowhere",
  ]);
  expect(dumpRows(core).join("\n")).not.toContain(tokenOf(link.url));
});
