import { expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { AppDraft, APPS_MAX } from "../../src/core/delegation/apps/app.ts";
import {
  changeApp,
  getApp,
  isAppSecret,
  listAllApps,
  listApps,
  registerApp,
  removeApp,
  restoreApp,
  rotateAppSecret,
  setAppRate,
  suspendApp,
} from "../../src/core/delegation/apps/apps.ts";
import { check } from "../../src/core/base/check.ts";
import { createTestWorld, createMember, signedInNow } from "../support.ts";
import { changeRole } from "../../src/core/identity/accounts/administration.ts";

const DRAFT: AppDraft = {
  name: "Tidewater CI",
  kind: "confidential",
  redirectUris: ["https://app.example/cb"],
  scopes: ["feed:read"],
};

function household() {
  const world = createTestWorld();
  const { caller } = createMember(world.core, "ada");
  const ada = signedInNow(world.core, caller);
  return { ...world, ada, token: caller, workspaceId: ada.workspaceId ?? "" };
}

const GOOD = [
  "https://app.example",
  "https://app.example/",
  "https://app.example/cb?tenant=7",
  "https://app.example:8443/cb",
  "https://xn--bcher-kva.example/cb",
  "http://127.0.0.1/cb",
  "http://127.0.0.1:8080/cb",
  "http://[::1]:8080/cb",
  "http://localhost:3000/cb",
  "com.example.app:/cb",
  "com.example.app://cb",
];

const BAD = [
  "",
  "app.example/cb",
  "/cb",
  "http://app.example/cb",
  "http://127.0.0.2/cb",
  "http://10.0.0.1/cb",
  "http://localhost.evil.example/cb",
  "https://localhost/cb",
  "https://app.example/cb#part",
  "https://app.example/cb#",
  "https://user@app.example/cb",
  "https://user:word@app.example/cb",
  "https://APP.example/cb",
  "https://app.example:443/cb",
  "https://app.example/a/../cb",
  "https://app.example/c b",
  "https://bücher.example/cb",
  "https://app.example/cb\n",
  "https://app.example\\cb",
  "https://app.example/cb?code=1",
  "https://app.example/cb?state=1",
  "javascript:alert(1)",
  "data:text/html,x",
  "file:///etc/passwd",
  "about:blank",
  "myapp:/cb",
  "*",
  "https://*.example/cb#*",
  `https://app.example/${"a".repeat(2048)}`,
];

test("accepts only exact redirect addresses: https, http on the same machine, or a private scheme with a dot", () => {
  using fixture = household();
  const { core, ada, workspaceId } = fixture;
  for (const address of GOOD) {
    const { app } = registerApp(core, ada, workspaceId, { ...DRAFT, redirectUris: [address] });
    expect(app.redirectUris).toEqual([address]);
    removeApp(core, ada, app.id);
  }
  for (const address of BAD) {
    const register = () => registerApp(core, ada, workspaceId, { ...DRAFT, redirectUris: [address] });
    expect(register, address).toThrow(/redirect URL/);
  }
});

test("shows the secret of a confidential app once and stores its hash, and gives a public app none", () => {
  using fixture = household();
  const { core, ada, workspaceId } = fixture;
  const { app, secret } = registerApp(core, ada, workspaceId, DRAFT);
  expect(secret).toMatch(/^guild_secret_[A-Za-z0-9_-]{43}$/);
  expect(JSON.stringify(getApp(core, ada, app.id))).not.toContain("secret_");
  expect(isAppSecret(core, app.id, secret ?? "")).toBe(true);
  for (let length = 0; length <= 200; length++)
    expect(isAppSecret(core, app.id, "x".repeat(length))).toBe(false);
  const open = registerApp(core, ada, workspaceId, { ...DRAFT, kind: "public" });
  expect(open.secret).toBeNull();
  expect(isAppSecret(core, open.app.id, "")).toBe(false);
  expect(isAppSecret(core, "app_nobody", "")).toBe(false);
  expect(() => rotateAppSecret(core, ada, open.app.id)).toThrow("has no client secret");
});

test("rejects the admin scope, unknown scopes, and names with invisible letters", () => {
  using fixture = household();
  const { core, ada, workspaceId } = fixture;
  const register = (change: Partial<AppDraft>) => () =>
    registerApp(core, ada, workspaceId, { ...DRAFT, ...change });
  for (const scope of ["moderation", "admin"])
    expect(register({ scopes: ["feed:read", scope] })).toThrow(`Apps cannot ask for the scope \`${scope}\``);
  expect(register({ scopes: ["feed:all"] })).toThrow("There is no such scope");
  for (const name of ["Guild\u200bhall", "\u202eIC retawediT", "Tide\u2028water", "a\u00adb"])
    expect(() => check(AppDraft, { ...DRAFT, name })).toThrow("without invisible characters");
  for (let n = 0; n < APPS_MAX; n++) register({ name: `App ${n}` })();
  expect(register({})).toThrow("already has 25 apps");
});

test("an app belongs to a workspace, and only signed-in people manage it", () => {
  using fixture = household();
  const { core, ada, token, workspaceId } = fixture;
  const eve = signedInNow(core, createMember(core, "eve").caller);
  const { app } = registerApp(core, ada, workspaceId, DRAFT);
  for (const action of [
    () => registerApp(core, eve, workspaceId, DRAFT),
    () => listApps(core, eve, workspaceId),
    () => getApp(core, eve, app.id),
    () => changeApp(core, eve, app.id, { name: "Mine" }),
    () => rotateAppSecret(core, eve, app.id),
    () => removeApp(core, eve, app.id),
  ])
    expect(action).toThrow(/^You have no (?:app|workspace) with that id/);
  for (const action of [
    () => registerApp(core, token, workspaceId, DRAFT),
    () => listApps(core, token, workspaceId),
    () => rotateAppSecret(core, token, app.id),
  ])
    expect(action).toThrow("Only a signed-in member");
  for (const action of [
    () => suspendApp(core, ada, app.id, "spam"),
    () => setAppRate(core, ada, app.id, { sustained: 1, burst: 1 }),
    () => restoreApp(core, ada, app.id),
    () => listAllApps(core, ada, { limit: 10 }),
  ])
    expect(action).toThrow("admin");
  const { caller: root } = createMember(core, "root");
  changeRole(core, OPERATOR, "root", "admin");
  const admin = signedInNow(core, root);
  suspendApp(core, admin, app.id, "spam");
  expect(getApp(core, ada, app.id).suspended).toEqual({ at: core.clock.now(), reason: "spam" });
  expect(listAllApps(core, OPERATOR, { limit: 10 }).nodes.map(({ id }) => id)).toEqual([app.id]);
  expect(() => setAppRate(core, admin, app.id, { sustained: 1, burst: 11 })).toThrow("at most 10 ×");
  const entries = core.db.prepare<{ act: string }>("SELECT act FROM audit_entries ORDER BY id").all();
  expect(entries.map(({ act }) => act).filter((action) => action.startsWith("app."))).toEqual([
    "app.registered",
    "app.suspended",
  ]);
});
