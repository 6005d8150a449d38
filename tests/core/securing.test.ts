// docs/contract.md#9.1 and docs/contract.md#9.2: securing an account.
import { expect, test } from "bun:test";
import { authenticate, createToken, listTokens } from "../../src/core/delegation/tokens/tokens.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import type { Role } from "../../src/core/identity/access/roles.ts";
import { signIn } from "../../src/core/identity/accounts/accounts.ts";
import { makeInvite, peekInvite } from "../../src/core/identity/accounts/invites.ts";
import { addPasskey, beginPasskey, listPasskeys } from "../../src/core/identity/accounts/passkeys.ts";
import { makeRecovery, peekRecovery } from "../../src/core/identity/accounts/passwords.ts";
import { previewSecuring, secureAccount } from "../../src/core/delegation/securing/securing.ts";
import { isFresh, listSessions, sessionOf } from "../../src/core/identity/accounts/sessions.ts";
import { registerApp } from "../../src/core/delegation/apps/apps.ts";
import { listAudit } from "../../src/core/identity/audit/audit.ts";
import { MINUTE } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
import { grantAccess, listConnectedApps } from "../../src/core/delegation/grants/grants.ts";
import type { CheckedUrl } from "../../src/core/outbox/webhooks/target.ts";
import { changeEndpoint, listEndpoints, registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import { inviteMember, listInvitations } from "../../src/core/delegation/workspaces/invitations.ts";
import { createWorkspace } from "../../src/core/delegation/workspaces/workspaces.ts";
import { MIGRATIONS } from "../../src/core/base/db/migrations.ts";
import { createTestWorld } from "../support.ts";
import { makeAuthenticator } from "./authenticator.ts";
import {
  signInOriginAt,
  callerOf,
  withCaller,
  HOME,
  outcomeOf,
  PASSWORD,
  createSignedInMember,
  tokenIn,
} from "./people.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";

type Person = Awaited<ReturnType<typeof createSignedInMember>>;

const ALL = { passkeys: "all", password: true } as const;

/** A member with access of each kind. */
async function createMemberWithAllAccess(
  core: Core,
  username: string,
  { role = "member" }: { role?: Role } = {},
) {
  const item = await createSignedInMember(core, username, { role });
  const { caller } = item;
  const elsewhere = await signIn(core, signInOriginAt("198.51.100.9"), { username, password: PASSWORD });
  const draft = { name: "script", scopes: ["feed:read"], tier: "personal" as const };
  const { token } = createToken(core, caller, username, draft);
  const maker = await createSignedInMember(core, `${username}s-maker`);
  const { app } = registerApp(core, maker.caller, maker.caller.workspaceId, {
    name: "Digest",
    kind: "confidential",
    redirectUris: ["https://app.example/cb"],
    scopes: ["feed:read"],
  });
  grantAccess(core, caller, { appId: app.id, scopes: ["feed:read"], workspaceId: caller.workspaceId });
  const shared = createWorkspace(core, caller, username, { name: "Tools" });
  const endpoint = (workspaceId: string, path: string) =>
    registerEndpoint(
      core,
      { ...caller, workspaceId },
      { url: `https://hooks.example.com/${path}` as CheckedUrl, events: ["post.created"] },
    ).id;
  const endpoints = [endpoint(caller.workspaceId, "own"), endpoint(shared, "shared")];
  inviteMember(core, caller, shared);
  const recovery = tokenIn(makeRecovery(core, OPERATOR, username).url);
  const names = ["phone", "stranger"];
  for (const name of names) {
    const { challenge } = await beginPasskey(core, caller);
    const response = await (await makeAuthenticator()).create({ challenge });
    await addPasskey(core, caller, { name, response });
  }
  return { ...item, elsewhere, token, shared, endpoints, recovery };
}

type Furnished = Awaited<ReturnType<typeof createMemberWithAllAccess>>;

function works(core: Core, item: Furnished): string[] {
  const { caller, shared } = item;
  const isThere = (look: () => unknown): boolean => {
    try {
      look();
      return true;
    } catch {
      return false;
    }
  };
  const ways: [string, boolean][] = [
    ["this session", sessionOf(core, item.secret, HOME.address) !== undefined],
    ["the other session", sessionOf(core, item.elsewhere.secret, HOME.address) !== undefined],
    ["the token", authenticate(core, item.token, () => true) !== undefined],
    ["the app", listConnectedApps(core, caller).length > 0],
    ["an endpoint", listEndpoints(core, caller).some(({ disabled }) => !disabled)],
    [
      "a shared one",
      listEndpoints(core, { ...caller, workspaceId: shared }).some((endpoint) => !endpoint.disabled),
    ],
    ["the invitation", listInvitations(core, caller, shared).length > 0],
    ["the recovery link", isThere(() => peekRecovery(core, item.recovery))],
  ];
  return ways.flatMap(([name, isOpen]) => (isOpen ? [name] : []));
}

const EVERYTHING = [
  "this session",
  "the other session",
  "the token",
  "the app",
  "an endpoint",
  "a shared one",
  "the invitation",
  "the recovery link",
];

const ENDED = { sessions: 1, tokens: 1, apps: 1, endpoints: 2, links: 2 };

test("securing an account ends all other access, and the member's session gets a new secret of the same age", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const ada = await createMemberWithAllAccess(core, "ada");
  const bob = await createMemberWithAllAccess(core, "bob");
  expect(works(core, ada)).toEqual(EVERYTHING);
  const { accessCounts, passkeys, hasPassword } = previewSecuring(core, ada.caller, "ada");
  expect([accessCounts, hasPassword]).toEqual([{ ...ENDED, sessions: 2 }, true]);
  const kept = passkeys.filter(({ name }) => name === "phone").map(({ id }) => id);
  clock.pass(9 * MINUTE);
  const { ended, renewed } = secureAccount(core, ada.caller, "ada", { passkeys: kept, password: true });
  expect(ended).toEqual(ENDED);
  expect(works(core, ada)).toEqual([]);
  const now = withCaller(core, renewed as NonNullable<typeof renewed>);
  expect(listSessions(core, now.caller)).toHaveLength(1);
  expect(listPasskeys(core, now.caller).map(({ name }) => name)).toEqual(["phone"]);
  // Securing an account does not refresh the sign-in of a stolen session.
  clock.pass(MINUTE);
  expect(isFresh(core, now.caller)).toBe(false);
  expect(await outcomeOf(() => secureAccount(core, now.caller, "ada", ALL))).toBe("forbidden");
  expect(works(core, bob)).toEqual(EVERYTHING);
  expect(listTokens(core, now.caller, "ada").map(({ state }) => state)).toEqual(["revoked"]);
  await signIn(core, HOME, { username: "ada", password: PASSWORD });
  const log = listAudit(core, now.caller, { of: "mine" }, { limit: 5 }).nodes.map(({ words }) => words);
  expect(log).toContain(
    "Secured the account and ended 1 session, 1 token, 1 connected app, 2 webhook endpoints, and 2 links",
  );
  expect(log).toContain("Removed the passkey “stranger”");
  expect(log).toContain("Deleted the webhook endpoint https://hooks.example.com/own");
});

test("an admin and the operator secure any account, and may remove its password and all passkeys", async () => {
  using world = createTestWorld();
  const { core } = world;
  const root = await createSignedInMember(core, "root", { role: "admin" });
  const ada = await createMemberWithAllAccess(core, "ada");
  const bob = await createMemberWithAllAccess(core, "bob", { role: "admin" });
  const invite = tokenIn(makeInvite(core, bob.caller).url);
  const result = secureAccount(core, root.caller, "ada", ALL);
  expect(result).toEqual({ ended: { ...ENDED, sessions: 2 }, renewed: null });
  expect(works(core, ada)).toEqual([]);
  expect(listPasskeys(core, ada.caller)).toHaveLength(2);
  await signIn(core, HOME, { username: "ada", password: PASSWORD });

  secureAccount(core, OPERATOR, "Bob", { passkeys: [], password: false });
  expect(works(core, bob)).toEqual([]);
  expect(await outcomeOf(() => peekInvite(core, invite))).toBe("not_found");
  expect(listPasskeys(core, bob.caller)).toEqual([]);
  expect(await outcomeOf(() => signIn(core, HOME, { username: "bob", password: PASSWORD }))).toBe(
    "unauthorized",
  );
  const entries = listAudit(core, OPERATOR, { of: "all" }, { limit: 3 }).nodes;
  expect(entries.map(({ act, actor, subject }) => [act, actor, subject])).toEqual([
    ["account.secured", null, "bob"],
    ["password.removed", null, "bob"],
    ["passkey.removed", null, "bob"],
  ]);
});

test("refuses to secure an account for other builders, tokens and old sign-ins", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const ada = await createMemberWithAllAccess(core, "ada");
  const bob = await createSignedInMember(core, "bob");
  const root = await createSignedInMember(core, "root", { role: "admin" });
  const token = (caller: Person) => ({ ...caller.caller, means: "token" as const });
  for (const caller of [bob.caller, token(ada), token(root)]) {
    expect(await outcomeOf(() => secureAccount(core, caller, "ada", ALL))).toBe("forbidden");
    expect(await outcomeOf(() => previewSecuring(core, caller, "ada"))).toBe("forbidden");
  }
  expect(await outcomeOf(() => secureAccount(core, root.caller, "nobody", ALL))).toBe("not_found");
  clock.pass(10 * MINUTE);
  for (const caller of [ada.caller, root.caller])
    expect(await outcomeOf(() => secureAccount(core, caller, "ada", ALL))).toBe("forbidden");
  expect(works(core, ada)).toEqual(EVERYTHING);
});

test("a member cannot remove their last sign-in method", async () => {
  using world = createTestWorld();
  const { core } = world;
  const ada = await createMemberWithAllAccess(core, "ada");
  core.db.prepare("DELETE FROM passwords WHERE builder_id = ?").run(ada.builderId);
  const none = { passkeys: [], password: true };
  expect(await outcomeOf(() => secureAccount(core, ada.caller, "ada", none))).toBe("conflict");
  expect(works(core, ada)).toEqual(EVERYTHING);
  expect(listPasskeys(core, callerOf(core, ada.secret))).toHaveLength(2);
});

test("a suspension ends all access permanently, and endpoints stay off until their owner enables them", async () => {
  using world = createTestWorld();
  const { core } = world;
  const ada = await createMemberWithAllAccess(core, "ada");
  setSuspended(core, OPERATOR, "ada", true);
  setSuspended(core, OPERATOR, "ada", false);
  expect(works(core, ada)).toEqual([]);
  const again = withCaller(core, await signIn(core, HOME, { username: "ada", password: PASSWORD }));
  const [own] = listEndpoints(core, again.caller);
  expect(own?.disabled?.reason).toBe("The owner’s account was suspended.");
  changeEndpoint(core, again.caller, own?.id ?? "", { enabled: true });
  expect(works(core, ada)).toEqual(["an endpoint"]);
});

test("a suspension ends an app's grant and the endpoints that it created", async () => {
  using world = createTestWorld();
  const { core } = world;
  const ada = await createMemberWithAllAccess(core, "ada");
  const { grant = "" } =
    core.db
      .prepare<{ grant: string }>('SELECT id AS "grant" FROM grants WHERE builder_id = ?')
      .get(ada.builderId) ?? {};
  core.db
    .prepare("UPDATE webhook_endpoints SET grant_id = ? WHERE id = ?")
    .run(grant, ada.endpoints[1] ?? "");
  setSuspended(core, OPERATOR, "ada", true);
  setSuspended(core, OPERATOR, "ada", false);
  expect(listEndpoints(core, { ...ada.caller, workspaceId: ada.shared })).toEqual([]);
  expect(listEndpoints(core, ada.caller)).toHaveLength(1);
});

test("access that was ended stays ended after a later suspension is lifted", async () => {
  using world = createTestWorld();
  const { core } = world;
  const ada = await createMemberWithAllAccess(core, "ada");
  secureAccount(core, OPERATOR, "ada", ALL);
  setSuspended(core, OPERATOR, "ada", true);
  setSuspended(core, OPERATOR, "ada", false);
  expect(works(core, ada)).toEqual([]);
});

test("a suspension from before the upgrade ends all access as well", async () => {
  using world = createTestWorld();
  const { core } = world;
  const [ada, bob] = [
    await createMemberWithAllAccess(core, "ada"),
    await createMemberWithAllAccess(core, "bob"),
  ];
  core.db.prepare("UPDATE builders SET suspended_at = 1 WHERE id = ?").run(ada.builderId);
  const { sql = "" } = MIGRATIONS.find(({ name }) => name.endsWith("_suspended")) ?? {};
  core.db.transact(() => {
    for (const statement of sql.split(/;\n/).filter((text) => text.trim())) core.db.prepare(statement).run();
  });
  setSuspended(core, OPERATOR, "ada", false);
  expect(works(core, ada)).toEqual([]);
  expect(works(core, bob)).toEqual(EVERYTHING);
});
