// Tests docs/contract.md#12.27 and docs/threats.md#M08 for every route.
import { expect, test } from "bun:test";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { createBuilder } from "../../src/core/identity/accounts/administration.ts";
import type { PageRoute } from "../../src/web/request/route.ts";
import {
  ADDRESSES,
  ANSWERS,
  CONTRACT_PAGE,
  ROLES,
  type Role,
  withAccessTable,
} from "../../scripts/access-table.ts";
import { isDrill } from "../drill.ts";
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
