// Tests docs/contract.md#12.27 and docs/threats.md#M08 for every route.
import { expect, test } from "bun:test";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { changeRole, createBuilder } from "../../src/core/identity/accounts/administration.ts";
import type { PageRoute } from "../../src/web/request/route.ts";
import {
  ADDRESSES,
  ANSWERS,
  CONTRACT_PAGE,
  ROLES,
  type Role,
  withAccessTable,
} from "../../scripts/access-table.ts";
import { MINUTE } from "../../src/core/base/clock.ts";
import {
  BUILDER_SCOPES,
  SCOPE_NAMES,
  type Scope,
  scopesOfRole,
} from "../../src/core/identity/access/scopes.ts";
import type { Role as StaffRole } from "../../src/core/identity/access/roles.ts";
import { findBuilder } from "../../src/core/identity/builders/builders.ts";
import { decide } from "../../src/core/services/moderation/decisions.ts";
import { appealOperations } from "../../src/operations/appeals.ts";
import { caseOperations } from "../../src/operations/cases.ts";
import { communityOperations } from "../../src/operations/community.ts";
import { decisionOperations } from "../../src/operations/decisions.ts";
import { moderationOperations } from "../../src/operations/moderation.ts";
import { isDrill } from "../drill.ts";
import { fillCommunity } from "../graphql/fixture-community.ts";
import { requestGraph, requestRest } from "../graphql/parity.ts";
import { parityRows } from "../graphql/parity-rows.ts";
import { connect } from "../oauth/app-client.ts";
import { createSignedInMember, makeApp, openBrowser } from "../oauth/browser.ts";
import { type Route, ROUTES } from "../routes.ts";
import { createMemberToken, openTestServer, type TestServer } from "../support.ts";
import { type SampleContent, addSampleContent } from "./sample-site.ts";
import { openSite, signedInAs, type ShownPage, type Site, tokenOf, type Visitor, visit } from "./support.ts";

test("the access table of the contract matches the program", async () => {
  const page = await Bun.file(CONTRACT_PAGE).text();
  const rows = (text: string): string[] =>
    text.split("\n").map((line) => line.replaceAll(/\s*\|\s*|\s*-{3,}\s*/g, "|"));
  expect(rows(page)).toEqual(rows(withAccessTable(page)));
  expect(page).toContain("`/admin/maintenance`");
});

/** Creates a site with one object of each type, and a person of each role. */
async function openSiteWithRoles(): Promise<Site & SampleContent> {
  const site = openSite({ signup: "open" });
  const furnished = await addSampleContent(site);
  for (const role of ["member", "moderator", "admin", "owner"] as const)
    createBuilder(site.core, OPERATOR, { username: `a-${role}`, name: role, role });
  return Object.assign(site, furnished);
}

const visitorOf = (site: Site, role: Role): Visitor =>
  role === "stranger" ? visit(site) : signedInAs(site, `a-${role}`);

/** Returns a page's content without request-specific parts. */
const bare = ({ status, html }: ShownPage): string =>
  `${status} ${(/<main[\s\S]*<\/main>/.exec(html)?.[0] ?? html).replaceAll(/<code>[0-9a-f-]{36}<\/code>/g, "")}`;

/** Returns the response as the table names it, such as "no such page". */
function answerOf(page: ShownPage, nothing: ShownPage): string {
  if (bare(page) === bare(nothing)) return "no such page";
  const isForm = page.status === 200 && page.forms.some(({ action }) => action === "/sign-in");
  return isForm ? "sign-in" : "yes";
}

/** Whether the page itself is a sign-in form. */
const isSignIn = ({ path }: PageRoute): boolean => path.startsWith("/sign-in");

test("every page answers a guest, a member, a moderator, an admin and an owner as the table says", async () => {
  await using site = await openSiteWithRoles();
  const wrong: unknown[] = [];
  for (const reading of ["everybody", "members"] as const) {
    // Without an imprint, and without a contact, there is no such page.
    changeCommunitySettings(site.core, OPERATOR, { reading, imprint: "Ada, 1 Main Street" });
    for (const [turn, who] of ROLES.entries()) {
      const visitor = visitorOf(site, who);
      const nothing = await visitor.open("/no-such-page");
      for (const [page, route] of ADDRESSES.filter(({ method }) => method === "GET").entries()) {
        // The `reading` setting affects only guests. For other visitors, the suite opens each page under only
        // one value.
        const isOtherSetting = (turn + page) % 2 === (reading === "everybody" ? 0 : 1);
        if (isSignIn(route) || (who !== "stranger" && isOtherSetting && !isDrill)) continue;
        const said = ANSWERS[route.access][who];
        const expected = said === "if everybody reads" ? (reading === "everybody" ? "yes" : "sign-in") : said;
        const answer = answerOf(await visitor.open(site.pathOf(route)), nothing);
        if (answer !== expected) wrong.push([reading, who, route.path, answer]);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test("every form answers each role as the table says, and changes nothing for a role without access", async () => {
  const wrong: unknown[] = [];
  for (const role of ROLES) {
    await using site = await openSiteWithRoles();
    // Each role has its own site, because some forms change other accounts.
    let [visitor, form_token] = await begin(site, role);
    const nothing = await visitor.open("/no-such-page");
    let state = stateOf(site);
    for (const route of ADDRESSES.filter(({ method }) => method === "POST")) {
      if (isSignIn(route) || route.acceptsForeignPosts) continue;
      const text: string = ANSWERS[route.access][role].replace("if everybody reads", "yes");
      const isRefused = text !== "yes";
      const answer = answerOf(await visitor.post(site.pathOf(route), { form_token }), nothing);
      // Some forms, such as sign-out, end the session.
      if (!isRefused) [visitor, form_token] = await begin(site, role);
      if (answer !== text) wrong.push([role, route.path, answer]);
      const before = state;
      state = stateOf(site);
      if (isRefused && state !== before) wrong.push([role, route.path, "something was done"]);
    }
  }
  expect(wrong).toEqual([]);
});

/** A caller of the API. Without `scopes`, the caller has no valid token. */
interface ApiCaller {
  role: StaffRole;
  scopes?: readonly Scope[];
  token?: string | undefined;
  headers?: Record<string, string>;
}

/** Callers of each role with each kind of credential. */
async function callersOf(server: TestServer & AsyncDisposable): Promise<Readonly<Record<string, ApiCaller>>> {
  const { core } = server;
  const callers: Record<string, ApiCaller> = { guest: { role: "member" } };
  for (const role of ["member", "moderator", "admin", "owner"] as const) {
    const username = `a-${role}`;
    createBuilder(core, OPERATOR, { username, name: role, role });
    for (const scopes of [BUILDER_SCOPES, ["moderation"], ["admin"]] as const)
      if (scopes.every((scope) => scopesOfRole(role).includes(scope)))
        callers[`${role}, token: ${scopes.at(-1)}`] = {
          role,
          scopes,
          ...createMemberToken(core, username, scopes),
        };
    const { cookies } = signedInAs(server, username);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    // No cookie is a credential of the API, however recent the sign-in is.
    callers[`${role}, cookie`] = { role, headers: { cookie } };
  }
  const person = createSignedInMember(server, "an-app-user");
  changeRole(core, OPERATOR, "an-app-user", "owner");
  const app = makeApp(server, person, { scopes: [...BUILDER_SCOPES] });
  const { access } = await connect(server, openBrowser(server, person), app, BUILDER_SCOPES.join(" "));
  callers["owner, token of an app"] = { role: "owner", scopes: BUILDER_SCOPES, token: access };
  for (const username of ["limited", "suspended", "former"])
    createBuilder(core, OPERATOR, { username, name: username, role: "moderator" });
  const tokenFor = (username: string) => createMemberToken(core, username, [...BUILDER_SCOPES, "moderation"]);
  callers["a former moderator, token: moderation"] = {
    role: "member",
    scopes: SCOPE_NAMES,
    ...tokenFor("former"),
  };
  callers["a suspended moderator, token: moderation"] = {
    role: "moderator",
    token: tokenFor("suspended").token,
  };
  callers["a limited member, token: moderation"] = {
    role: "member",
    scopes: SCOPE_NAMES,
    ...tokenFor("limited"),
  };
  for (const username of ["limited", "former"]) changeRole(core, OPERATOR, username, "member");
  for (const [username, act] of [
    ["limited", "limit"],
    ["suspended", "suspend"],
  ] as const)
    decide(core, OPERATOR, findBuilder(core, username)?.id ?? "", { act, reason: "Spam." });
  return callers;
}

/** The refusal that a caller gets for lack of rights, from the scopes of the operation alone. */
function refusalFor(op: Route, { role, scopes }: ApiCaller): "unauthorized" | "forbidden" | undefined {
  if (scopes === undefined) return "unauthorized";
  const live = scopes.filter((scope) => scopesOfRole(role).includes(scope));
  const wanted = [op.scope, ...(op.orScopes ?? [])];
  return live.some((scope) => wanted.includes(scope)) ? undefined : "forbidden";
}

test("each operation of moderators answers each role and credential as its scope says, by REST and GraphQL", async () => {
  await using server = openTestServer();
  const rows = parityRows(await fillCommunity(server));
  const callers = await callersOf(server);
  const desk = { ...caseOperations, ...decisionOperations, ...appealOperations, ...communityOperations };
  const ops = ROUTES.filter(({ id }) => Object.hasOwn(desk, id) || Object.hasOwn(moderationOperations, id));
  const wrong: unknown[] = [];
  for (const op of ops) {
    const row = rows[op.id];
    if (!row) throw new Error(`${op.id} has no row in tests/graphql/parity-rows.ts`);
    server.clock.pass(MINUTE);
    // The rights come before the subject, so an unknown one changes nothing.
    const param = row.param?.replace(/_[0-9a-z]{26}$/, "_01kafzq8e5f2r8v0j3n6s1t4wx");
    for (const [name, caller] of Object.entries(callers)) {
      const request = { param, body: row.body, headers: caller.headers ?? {} };
      const rest = (await requestRest(server, caller.token, op, request)).body;
      const [error] = (await requestGraph(server, caller.token, op, row, request)).body.errors ?? [];
      const expected = refusalFor(op, caller);
      const isRefused = rest.code === "scope_missing" || rest.error === "unauthorized";
      const answers = [isRefused ? rest.error : undefined, isRefused ? error?.extensions.code : undefined];
      if (answers[0] !== expected || answers[1] !== expected) wrong.push([op.id, name, expected, ...answers]);
      if (isRefused && rest.message !== error?.message)
        wrong.push([op.id, name, rest.message, error?.message]);
    }
  }
  expect(ops.length).toBeGreaterThan(35);
  expect(wrong).toEqual([]);
});

async function begin(site: Site, role: Role): Promise<[Visitor, string]> {
  const visitor = visitorOf(site, role);
  return [visitor, tokenOf(await visitor.open(role === "stranger" ? "/sign-in" : "/settings/workspaces"))];
}

/** Returns everything that an operation can change: the audit log and the texts of members. */
function stateOf({ core }: Site): string {
  const tables = [
    "audit_entries",
    "posts",
    "post_revisions",
    "reports",
    "charter",
    "notifications",
    "builders",
  ];
  return JSON.stringify(tables.map((table) => core.db.prepare(`SELECT * FROM ${table}`).all()));
}
