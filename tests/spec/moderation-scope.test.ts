// Tests docs/contract.md#12.23 and docs/threats.md#D10 for tokens with `moderation`.
import { expect, test } from "bun:test";
import { createPost, getPost } from "../../src/core/community/feed/feed.ts";
import { hidePost } from "../../src/core/community/feed/removal.ts";
import { hideJob } from "../../src/core/community/jobs/board.ts";
import { getJob, publishJob } from "../../src/core/community/jobs/jobs.ts";
import { getPrompt, submitPrompt } from "../../src/core/community/prompts/prompts.ts";
import { hidePrompt } from "../../src/core/community/prompts/removal.ts";
import { authenticate, createToken, listTokens } from "../../src/core/delegation/tokens/tokens.ts";
import { GRANT_SCOPES } from "../../src/core/delegation/oauth/subjects.ts";
import { type Caller, isModerator, OPERATOR } from "../../src/core/identity/access/caller.ts";
import { BUILDER_SCOPES, SCOPE_NAMES, type Scope } from "../../src/core/identity/access/scopes.ts";
import { changeRole, createBuilder } from "../../src/core/identity/accounts/administration.ts";
import { makeInvite } from "../../src/core/identity/accounts/invites.ts";
import { listApplications } from "../../src/core/identity/applications/applications.ts";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import type { Core } from "../../src/core/base/core.ts";
import type { Role } from "../../src/core/identity/access/roles.ts";
import { TOKEN_ACTS_AN_HOUR } from "../../src/core/services/moderation/act-limit.ts";
import { decide } from "../../src/core/services/moderation/decisions.ts";
import { listReports, report } from "../../src/core/services/moderation/reports.ts";
import { openApiDocument } from "../../src/rest/openapi.ts";
import { resourceMetadata, serverMetadata } from "../../src/oauth/metadata.ts";
import { ROUTES } from "../routes.ts";
import { jobDraft } from "./rows.ts";
import { createMember, createMemberToken, createTestWorld, openTestServer, signedInNow } from "../support.ts";

const ROLES = ["member", "moderator", "admin", "owner"] as const satisfies readonly Role[];
const draft = (...scopes: Scope[]) => ({ name: "desk", scopes, tier: "personal" as const });

function addStaff(core: Core, role: Role): Caller {
  createBuilder(core, OPERATOR, { username: `a-${role}`, name: role, role });
  return createMemberToken(core, `a-${role}`).caller;
}

test("only a moderator or above creates a token with `moderation`, after a recent sign-in", () => {
  using world = createTestWorld();
  const { core, clock } = world;
  for (const role of ROLES) {
    const caller = addStaff(core, role);
    const create = (by: Caller) => () => createToken(core, by, `a-${role}`, draft("feed:read", "moderation"));
    const person = signedInNow(core, caller);
    if (role === "member") {
      expect(create(person)).toThrow("a-member is not a moderator, so their tokens cannot have the scope");
      expect(create(OPERATOR)).toThrow("a-member is not a moderator");
      continue;
    }
    create(person)();
    create(OPERATOR)();
    clock.pass(3_600_000);
    expect(create(person)).toThrow("Confirm your identity");
  }
});

test("a token with `moderation` moderates only while its owner is a moderator", async () => {
  await using server = openTestServer();
  const { core } = server;
  addStaff(core, "owner");
  addStaff(core, "moderator");
  const { token } = createMemberToken(core, "a-moderator", ["moderation", "feed:read"]);
  const status = async () => (await server.request(token, "/reports")).status;
  expect(await status()).toBe(200);
  changeRole(core, OPERATOR, "a-moderator", "member");
  expect(await status()).toBe(403);
  expect([...(authenticate(core, token, () => true)?.scopes ?? [])]).toEqual(["feed:read"]);
  changeRole(core, OPERATOR, "a-moderator", "moderator");
  expect(await status()).toBe(200);
});

test("`admin` includes `moderation`, and the token list shows the use of the scope that the token has", () => {
  using world = createTestWorld();
  const { core } = world;
  const person = signedInNow(core, addStaff(core, "admin"));
  const page = { limit: 10, backwards: false };
  for (const [scopes, used] of [
    [["admin", "feed:read"], "admin"],
    [["moderation", "feed:read"], "moderation"],
    [["moderation", "admin"], "moderation"],
  ] as const) {
    const { caller } = createMemberToken(core, "a-admin", scopes);
    expect(isModerator(caller)).toBe(true);
    listReports(core, caller, {}, page);
    const unused = scopes.filter((scope) => scope !== used);
    expect(listTokens(core, person, "a-admin")[0]?.unusedScopes).toEqual(unused);
  }
  for (const scope of SCOPE_NAMES.filter((name) => name !== "admin" && name !== "moderation"))
    expect(isModerator(createMemberToken(core, "a-admin", [scope]).caller)).toBe(false);
});

test("a token with `moderation` sees hidden content and reports, and has none of an admin's other rights", async () => {
  await using server = openTestServer();
  const { core } = server;
  const ada = createMember(core, "ada").caller;
  const bo = createMember(core, "bo").caller;
  addStaff(core, "admin");
  const { id } = createPost(core, ada, { text: "Buy now" });
  report(core, bo, { kind: "post", id }, { reason: "Spam" });
  core.db.transact(() => hidePost(core, id));
  const { token, caller } = createMemberToken(core, "a-admin", ["moderation", "feed:read"]);
  expect((await server.request(token, `/feed/${id}`)).status).toBe(200);
  expect((await (await server.request(token, "/reports")).json()).data).toHaveLength(1);
  const refusedAs = "This token lacks the scope `admin`.";
  expect(() => changeRole(core, caller, "ada", "moderator")).toThrow(refusedAs);
  expect(() => makeInvite(core, caller)).toThrow(refusedAs);
  expect(() => listApplications(core, caller, { limit: 1 })).toThrow(refusedAs);
  expect(() => changeCommunitySettings(core, caller, { name: "Mine" })).toThrow(refusedAs);
  expect(() => createBuilder(core, caller, { username: "eve", name: "Eve", role: "member" })).toThrow(
    refusedAs,
  );
  const other = createMemberToken(core, "a-admin", ["feed:read"]).token;
  expect((await server.request(other, `/feed/${id}`)).status).toBe(404);
  // The use of the scope is noted for each kind of content.
  const job = publishJob(core, ada, jobDraft()).id;
  const { id: prompt } = submitPrompt(core, ada, { title: "P", body: "p", model: "m", category: "c" });
  core.db.transact(() => (hideJob(core, job), hidePrompt(core, prompt)));
  for (const read of [
    (by: Caller) => getPost(core, by, id),
    (by: Caller) => getJob(core, by, job),
    (by: Caller) => getPrompt(core, by, prompt),
  ]) {
    const noted: string[] = [];
    read({
      ...caller,
      scopes: new Set(["moderation", ...BUILDER_SCOPES]),
      noteScope: (of) => noted.push(of),
    });
    expect(noted).toContain("moderation");
  }
});

test("no app, consent page or document of OAuth offers a scope of the staff", () => {
  using world = createTestWorld();
  const supported = [serverMetadata, resourceMetadata].flatMap(
    (metadata) => metadata(world.core)["scopes_supported"],
  );
  for (const scope of ["moderation", "admin"] as const) {
    expect(BUILDER_SCOPES).not.toContain(scope);
    expect(GRANT_SCOPES).not.toHaveProperty(scope);
    expect(supported).not.toContain(scope);
    const { securitySchemes } = openApiDocument(ROUTES, "https://guild.test", "0.0.0").components as {
      securitySchemes: { oauth2: { flows: { authorizationCode: { scopes: object } } } };
    };
    expect(securitySchemes.oauth2.flows.authorizationCode.scopes).not.toHaveProperty(scope);
  }
});

test("the tokens of a moderator decide at most 300 times an hour over REST, one by one and many at once", async () => {
  await using server = openTestServer();
  const { core, clock } = server;
  const { builderId } = createMember(core, "ada").caller;
  addStaff(core, "moderator");
  const first = createMemberToken(core, "a-moderator", ["moderation"]);
  const { token } = createMemberToken(core, "a-moderator", ["moderation"]);
  const body = { act: "warn", reason: "Mind the rules." } as const;
  for (let n = 0; n < TOKEN_ACTS_AN_HOUR; n++) decide(core, first.caller, builderId ?? "", body);
  const path = `/moderation/${builderId}/decisions`;
  const refused = await server.request(token, path, { method: "POST", body });
  expect([refused.status, (await refused.json()).code]).toEqual([429, "acts_too_many"]);
  const many = await server.request(token, "/decisions", {
    method: "POST",
    body: { ...body, ids: [builderId] },
  });
  expect((await many.json()).refused).toMatchObject([{ subject: builderId, code: "acts_too_many" }]);
  clock.pass(3_600_001);
  expect((await server.request(token, path, { method: "POST", body })).status).toBe(201);
});
