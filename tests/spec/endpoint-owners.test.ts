import { expect, test } from "bun:test";
import { join } from "node:path";
import Database from "better-sqlite3";
import { revokeToken } from "../../src/core/delegation/tokens/tokens.ts";
import { type BuilderCaller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import type { Scope } from "../../src/core/identity/access/scopes.ts";
import { secureAccount } from "../../src/core/delegation/securing/securing.ts";
import {
  changeApp,
  registerApp,
  removeApp,
  restoreApp,
  suspendApp,
} from "../../src/core/delegation/apps/apps.ts";
import { claimDue } from "../../src/core/outbox/deliveries/deliveries.ts";
import { MIGRATIONS } from "../../src/core/base/db/migrations.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { grantAccess, listConnectedApps, revokeGrant } from "../../src/core/delegation/grants/grants.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { commitChanges } from "../../src/core/delegation/oauth/records.ts";
import type { CheckedUrl } from "../../src/core/outbox/webhooks/target.ts";
import {
  changeEndpoint,
  continueRemoval,
  getEndpoint,
  listEndpoints,
  registerEndpoint,
} from "../../src/core/outbox/webhooks/webhooks.ts";
import {
  createMemberToken,
  createTestWorld,
  createMember,
  limitOf,
  signedInNow,
  type TestWorld,
} from "../support.ts";
import { rows } from "./rows.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";

const HOOKS: readonly Scope[] = ["webhooks:read", "webhooks:write"];
const url = (name: string) => `https://hooks.example.com/${name}` as CheckedUrl;

/** Creates ada and mae's app, which ada has authorized. Both can read every event. */
function setUp(world: TestWorld, scopes: readonly Scope[] = [...HOOKS, "feed:read", "messages:read"]) {
  const { core } = world;
  const ada = createMember(core, "ada").caller;
  const person = signedInNow(core, ada);
  const maker = signedInNow(core, createMember(core, "mae").caller);
  const { app } = registerApp(core, maker, maker.workspaceId, {
    name: "Digest",
    kind: "public",
    redirectUris: ["https://app.example/callback"],
    scopes: [...HOOKS, "feed:read", "messages:read", "jobs:read"],
  });
  const grant = grantAccess(core, person, { appId: app.id, scopes, workspaceId: person.workspaceId });
  const inApp: BuilderCaller = {
    ...person,
    means: "app",
    credentialId: grant.id,
    appId: app.id,
    scopes: new Set(scopes),
  };
  return { ada, person, maker, app, grant, inApp };
}

const living = ({ core }: TestWorld, person: BuilderCaller) =>
  listEndpoints(core, person).map((endpoint) => endpoint.url);
const queued = ({ core }: TestWorld) => rows(core, "SELECT id FROM deliveries").length;
const due = ({ core }: TestWorld) =>
  core.db.transact(() => claimDue(core, 50, "", limitOf(50))).claims.length;

test("docs/contract.md#5.1: a subscription needs the scope of each type, at registration and at each change", () => {
  using world = createTestWorld();
  const { core } = world;
  const { person } = setUp(world);
  const hooks = createMemberToken(core, "ada", HOOKS).caller;
  const reader = createMemberToken(core, "ada", [...HOOKS, "messages:read"]).caller;
  const draft = { url: url("a"), events: ["dm.received"] };
  expect(() => registerEndpoint(core, hooks, draft)).toThrow("`messages:read`");
  const { id } = registerEndpoint(core, reader, draft);
  expect(() => changeEndpoint(core, hooks, id, { events: ["dm.received", "post.created"] })).toThrow(
    "`feed:read`",
  );
  expect(() => changeEndpoint(core, reader, id, { events: ["post.created"] })).toThrow("`feed:read`");
  // A changed URL means a new reader of the subscribed events. The change therefore needs the scope of each
  // of these events.
  expect(() => changeEndpoint(core, hooks, id, { url: url("b") })).toThrow("`messages:read`");
  changeEndpoint(core, hooks, id, { events: ["dm.received"], enabled: false });
  changeEndpoint(core, hooks, id, { enabled: true });
  expect(changeEndpoint(core, person, id, { events: ["dm.received", "post.created"] }).events).toHaveLength(
    2,
  );
  expect(changeEndpoint(core, hooks, id, { events: ["webhook.endpoint_disabled"] }).events).toHaveLength(1);
});

test("docs/contract.md#6.1: an app's endpoint ends with its grant, however the grant ends; waiting deliveries are dropped", () => {
  const ways: Record<string, (world: TestWorld, at: ReturnType<typeof setUp>) => void> = {
    disconnect: ({ core }, { person, grant }) => revokeGrant(core, person, grant.id),
    "the app is deleted": ({ core }, { maker, app }) => removeApp(core, maker, app.id),
    "the account is secured": ({ core }, { person }) =>
      void secureAccount(core, person, "ada", { passkeys: "all", password: true }),
    "the account is suspended": ({ core }) => setSuspended(core, OPERATOR, "ada", true),
    "its last family of tokens is revoked": ({ core }, { grant }) =>
      core.db.transact(() =>
        commitChanges(core, [{ kind: "end-family", grant: { id: grant.id, family: "f" }, isReplay: true }]),
      ),
  };
  for (const [way, end] of Object.entries(ways)) {
    using world = createTestWorld();
    const { core } = world;
    const at = setUp(world);
    // Members cannot secure their own account without a way to sign in afterwards. The password is such a
    // way.
    core.db
      .prepare("INSERT INTO passwords (builder_id, hash, changed_at) VALUES (?, '$argon2id$x', 0)")
      .run(at.person.builderId);
    registerEndpoint(core, at.inApp, { url: url("app"), events: ["post.created", "dm.received"] });
    sendMessage(core, at.maker, { to: "ada", text: "for you alone" });
    expect([way, queued(world)]).toEqual([way, 1]);
    end(world, at);
    sendMessage(core, createMember(core, "bo").caller, { to: "mae", text: "after" });
    createPost(core, at.maker, { text: "after it ended" });
    expect([
      way,
      due(world),
      rows(core, "SELECT id FROM webhook_endpoints WHERE removed_at IS NULL"),
    ]).toEqual([way, 0, []]);
    while (core.db.transact(() => continueRemoval(core)));
    expect([way, queued(world)]).toEqual([way, 0]);
  }
});

test("an app's endpoint receives only what its app may read, at the fan-out and at each attempt", () => {
  using world = createTestWorld();
  const { core } = world;
  const { person, maker, app, inApp } = setUp(world);
  const { id } = registerEndpoint(core, inApp, { url: url("app"), events: ["post.created", "dm.received"] });
  sendMessage(core, maker, { to: "ada", text: "before" });
  createPost(core, maker, { text: "before" });
  expect(queued(world)).toBe(2);
  changeApp(core, maker, app.id, { scopes: [...HOOKS, "feed:read"] });
  sendMessage(core, maker, { to: "ada", text: "after" });
  createPost(core, maker, { text: "after" });
  expect(queued(world)).toBe(3);
  suspendApp(core, OPERATOR, app.id, "spam");
  expect(due(world)).toBe(0);
  createPost(core, maker, { text: "while it is suspended" });
  expect(queued(world)).toBe(3);
  restoreApp(core, OPERATOR, app.id);
  const { claims } = core.db.transact(() => claimDue(core, 50, "", limitOf(50)));
  expect(claims.map(({ body }) => JSON.parse(body).type)).toEqual(["post.created", "post.created"]);
  expect(queued(world)).toBe(2);
  // Her consent cannot give the app a scope that she did not grant.
  expect(() => changeEndpoint(core, person, id, { events: ["xp.level_up"] })).toThrow("`profile:read`");
});

test("docs/contract.md#6.1: a person's endpoint outlives its token; the person who revokes the token chooses which endpoints end", () => {
  using world = createTestWorld();
  const { core } = world;
  const { person } = setUp(world);
  const { caller, token } = createMemberToken(core, "ada", [...HOOKS, "feed:read"]);
  const [kept, ended] = ["kept", "ended"].map((name) =>
    registerEndpoint(core, caller, { url: url(name), events: ["post.created"] }),
  );
  registerEndpoint(core, person, { url: url("page"), events: ["post.created"] });
  expect(revokeToken(core, person, token, [ended?.id ?? ""]).map((endpoint) => endpoint.id)).toEqual([
    kept?.id ?? "",
  ]);
  expect(living(world, person)).toEqual([url("page"), url("kept")]);
  createPost(core, person, { text: "goes on" });
  expect(queued(world)).toBe(2);
  const again = createMemberToken(core, "ada", [...HOOKS, "feed:read"]);
  registerEndpoint(core, again.caller, { url: url("all"), events: ["post.created"] });
  revokeToken(core, OPERATOR, again.token, "all");
  expect(living(world, person)).toEqual([url("page"), url("kept")]);
});

test("a change of the address makes the caller, or the caller's app, the owner of the endpoint", () => {
  using world = createTestWorld();
  const { core } = world;
  const { person, grant, inApp, app } = setUp(world);
  const { id } = registerEndpoint(core, person, { url: url("mine"), events: ["post.created"] });
  expect(getEndpoint(core, person, id).owner).toEqual({ username: "ada", app: null, tokenId: null });
  changeEndpoint(core, inApp, id, { url: url("apps") });
  expect(getEndpoint(core, person, id).owner).toEqual({
    username: "ada",
    app: { id: app.id, name: "Digest", grantId: grant.id },
    tokenId: null,
  });
  expect(
    listConnectedApps(core, person).map(({ endpoints }) => endpoints.map((endpoint) => endpoint.url)),
  ).toEqual([[url("apps")]]);
  changeEndpoint(core, person, id, { url: url("mine-again") });
  revokeGrant(core, person, grant.id);
  expect(living(world, person)).toEqual([url("mine-again")]);
});

test("docs/contract.md#6.1: moving an endpoint needs the scopes of all types that it ever received", () => {
  using world = createTestWorld();
  const { core } = world;
  const { person } = setUp(world);
  const { id } = registerEndpoint(core, person, { url: url("mine"), events: ["dm.received"] });
  sendMessage(core, createMember(core, "bo").caller, { to: "ada", text: "between us" });
  expect(queued(world)).toBe(1);
  const { caller: hooks } = createMemberToken(core, "ada", [...HOOKS]);
  changeEndpoint(core, hooks, id, { events: ["webhook.endpoint_disabled"] });
  const move = { url: url("elsewhere") };
  const refused = () => expect(() => changeEndpoint(core, hooks, id, move)).toThrow("`messages:read`");
  refused();
  // Restores an endpoint from before the `webhook_heard` table existed. The migration fills the table from
  // the stored deliveries.
  const sqlite = new Database(join(world.folder, "guildhall.db"));
  sqlite.exec("DROP TRIGGER subscriptions_are_heard; DROP TABLE webhook_heard");
  sqlite.exec(MIGRATIONS.find(({ name }) => name === "0025_heard_types")?.sql ?? "");
  refused();
  // The change is also refused after the deliveries were deleted.
  sqlite.exec("DELETE FROM deliveries");
  sqlite.close();
  refused();
  expect(getEndpoint(core, person, id).url).toBe(url("mine"));
  const { caller: reader } = createMemberToken(core, "ada", [...HOOKS, "messages:read"]);
  expect(changeEndpoint(core, reader, id, move).url).toBe(move.url);
});
