// Tests docs/contract.md#12.23 and docs/threats.md#D10 for what a token with `admin` may manage.
import { signInOriginAt } from "../core/people.ts";
import { expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { changeRole, createBuilder } from "../../src/core/identity/accounts/administration.ts";
import { makeRecovery } from "../../src/core/identity/accounts/passwords.ts";
import { listInvites } from "../../src/core/identity/accounts/invites.ts";
import { apply } from "../../src/core/identity/applications/applications.ts";
import { listAudit } from "../../src/core/identity/audit/audit.ts";
import { findBuilder } from "../../src/core/identity/builders/builders.ts";
import { communitySettingsOf } from "../../src/core/identity/community-settings/community-settings.ts";
import {
  changeCommunitySettings,
  setLogo,
} from "../../src/core/services/community-settings/community-settings.ts";
import { backupHealth } from "../../src/core/services/backups/backups.ts";
import { createMember, createMemberToken, openTestServer } from "../support.ts";

function openDesk() {
  const server = openTestServer();
  const { core } = server;
  for (const role of ["owner", "admin", "moderator"] as const)
    createBuilder(core, OPERATOR, { username: `a-${role}`, name: role, role });
  createMember(core, "bo");
  return server;
}

const MANAGED = [
  ["GET", "/invitations"],
  ["GET", "/invitations/lnk_01kafzq8e5f2r8v0j3n6s1t4wx"],
  ["POST", "/invitations", { label: "Fair" }],
  ["DELETE", "/invitations/lnk_01kafzq8e5f2r8v0j3n6s1t4wx"],
  ["GET", "/applications"],
  ["PUT", "/applications/apl_01kafzq8e5f2r8v0j3n6s1t4wx/approved", {}],
  ["PUT", "/applications/apl_01kafzq8e5f2r8v0j3n6s1t4wx/declined", {}],
  ["PUT", "/profiles/bo/role", { role: "moderator" }],
  ["GET", "/community/settings"],
  ["PATCH", "/community/settings", { line: "We keep bees." }],
] as const;

test("only tokens with `admin` of an admin manage invitations, join requests, roles and settings", async () => {
  await using server = openDesk();
  const { core } = server;
  const ask = async (token: string) => {
    const statuses: number[] = [];
    for (const [method, path, body] of MANAGED)
      statuses.push((await server.request(token, path, { method, ...(body ? { body } : {}) })).status);
    return statuses;
  };
  const { token } = createMemberToken(core, "a-admin", ["admin"]);
  const others = [
    createMemberToken(core, "a-admin", ["moderation", "feed:read", "profile:write"]).token,
    createMemberToken(core, "a-moderator", ["moderation"]).token,
    createMemberToken(core, "bo", ["profile:write"]).token,
  ];
  for (const other of others) expect(await ask(other)).toEqual(MANAGED.map(() => 403));
  expect(listInvites(core, OPERATOR)).toEqual([]);
  expect(await ask(token)).toEqual([200, 404, 201, 404, 200, 404, 404, 200, 200, 200]);
  expect(communitySettingsOf(core).line).toBe("We keep bees.");
  changeRole(core, OPERATOR, "a-admin", "moderator");
  expect(await ask(token)).toEqual(MANAGED.map(() => 403));
});

test("a token with `admin` reads all settings, changes the sent ones, and resets them with null", async () => {
  await using server = openDesk();
  const { token } = createMemberToken(server.core, "a-admin", ["admin"]);
  const ask = async (method: string, body?: object, headers?: Record<string, string>) => {
    const answer = await server.request(token, "/community/settings", {
      method,
      ...(body ? { body } : {}),
      ...(headers ? { headers } : {}),
    });
    return { status: answer.status, etag: answer.headers.get("etag") ?? "", body: await answer.json() };
  };
  const { etag, body } = await ask("GET");
  expect(body).toMatchObject({ name: "Guildhall", equal_texts: 3, hold_newcomer_links: true });
  const changed = { ...body, equal_texts: 9, hold_newcomer_links: false, name: "Bees" };
  expect((await ask("PATCH", { ...changed, unknown: 1 }, { "if-match": etag })).body).toEqual(changed);
  expect((await ask("PATCH", { name: "Wasps" }, { "if-match": etag })).status).toBe(412);
  const reset = Object.fromEntries(Object.keys(body).map((name) => [name, null]));
  expect((await ask("PATCH", reset)).body).toEqual(body);
  expect((await ask("PATCH", { equal_texts: "9" })).body.message).toContain("must be a whole number");
});

test("a token with `admin` gives only the roles member and moderator, and changes no admin or owner", async () => {
  await using server = openDesk();
  const { core } = server;
  createBuilder(core, OPERATOR, { username: "second", name: "Second", role: "admin" });
  for (const username of ["a-owner", "a-admin"]) {
    const { token, caller } = createMemberToken(core, username, ["admin"]);
    const give = async (to: string, role: string) =>
      (await server.request(token, `/profiles/${to}/role`, { method: "PUT", body: { role } })).status;
    expect(await give("bo", "moderator")).toBe(200);
    expect(await give("bo", "moderator")).toBe(409);
    expect(await give("bo", "member")).toBe(200);
    for (const role of ["admin", "owner"] as const) {
      expect(await give("bo", role)).toBe(400);
      expect(() => changeRole(core, caller, "bo", role)).toThrow("Only a signed-in member can do this");
    }
    for (const staff of ["a-owner", "a-admin", "second"]) expect(await give(staff, "member")).toBe(403);
    expect(findBuilder(core, "second")?.role).toBe("admin");
  }
});

test("a token with `admin` answers join requests, and the audit log has each act", async () => {
  await using server = openDesk();
  const { core } = server;
  changeCommunitySettings(core, OPERATOR, { joining: "approval" });
  for (const username of ["nia", "nell"])
    await apply(core, signInOriginAt("198.51.100.7"), {
      username,
      password: "a long and good password",
      why: "Bees.",
      language: "en",
    });
  const { token } = createMemberToken(core, "a-admin", ["admin"]);
  const { data } = await (await server.request(token, "/applications")).json();
  expect(JSON.stringify(data)).not.toContain("198.51");
  const [first, second] = data as { id: string; username: string }[];
  const answer = (id: string | undefined, what: string) =>
    server.request(token, `/applications/${id}/${what}`, { method: "PUT", body: { word: "Hello." } });
  expect((await answer(first?.id, "approved")).status).toBe(204);
  expect((await answer(second?.id, "declined")).status).toBe(204);
  expect((await answer(second?.id, "approved")).status).toBe(404);
  expect([findBuilder(core, "nia")?.role, findBuilder(core, "nell")]).toEqual(["member", undefined]);
  const acts = listAudit(core, OPERATOR, { of: "all" }, { limit: 10 }).nodes.map(({ act }) => act);
  expect(acts).toEqual(expect.arrayContaining(["application.approved", "application.declined"]));
});

test("everything else of an admin needs a session", async () => {
  await using server = openDesk();
  const { core } = server;
  const { caller } = createMemberToken(core, "a-owner", ["admin"]);
  expect(() => setLogo(core, caller, null)).toThrow("Only a signed-in member can do this");
  expect(() => makeRecovery(core, caller, "bo")).toThrow("Only a signed-in member can do this");
  expect(() => backupHealth(core, caller)).toThrow("Only a signed-in member can do this");
  expect(() => listAudit(core, caller, { of: "all" }, { limit: 10 })).toThrow(
    "Only a signed-in member can do this",
  );
});
