// Tests docs/contract.md#12.25: every page uses the community's new name from the next request on.
import { join } from "node:path";
import { expect, test } from "bun:test";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { openDatabase } from "../../src/core/base/db/open.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { beginPasskey } from "../../src/core/identity/accounts/passkeys.ts";
import { renewFeedAddress } from "../../src/core/identity/feed-address/feed-address.ts";
import { pushContent } from "../../src/delivery/push-content.ts";
import { callerOf } from "./sample-site.ts";
import { openSite, signUpMember, type Site } from "./support.ts";

/** Changes settings on a separate connection, like a command in another process. */
function changeInSecondProcess(
  { core, folder }: Site,
  settings: Parameters<typeof changeCommunitySettings>[2],
): void {
  const beside = { ...core, db: openDatabase(join(folder, "guildhall.db"), { busyMs: 100 }) };
  changeCommunitySettings(beside, OPERATOR, settings);
  beside.db.close();
}

test("a changed community name appears on every page, in feeds, pushes, OAuth and passkeys from the next request on", async () => {
  await using site = openSite({ env: { GUILDHALL_NAME: "The Bees" } });
  const { core } = site;
  const ada = await signUpMember(site, "ada");
  const caller = callerOf(site, ada);
  const feed = new URL(renewFeedAddress(core, caller)).pathname;
  const textOf = async (path: string) =>
    (await fetch(site.url + path, { headers: { accept: "text/html" } })).text();
  const named = async () => ({
    page: /<title[^>]*>(.*?)<\/title>/.exec(await textOf("/jobs"))?.[1],
    missing: /<title[^>]*>(.*?)<\/title>/.exec(await textOf("/nothing"))?.[1],
    masthead: /class="brand-word"[^>]*>\s*(.*?)\s*</.exec(await textOf("/"))?.[1],
    reference: /class="brand"[^>]*>\s*(.*?)\s*</.exec(await textOf("/docs"))?.[1],
    graphiql: /<title>(.*?)<\/title>/.exec(await textOf("/graphql"))?.[1],
    feed: /<title>(.*?)<\/title>/.exec(await textOf(feed))?.[1],
    resource: (await (await fetch(`${site.url}/.well-known/oauth-protected-resource`)).json()).resource_name,
    passkey: (await beginPasskey(core, caller)).rp.name,
    push: pushContent(core, {
      notificationId: null,
      subscriptionId: "push_1",
      builderId: caller.builderId,
    } as Parameters<typeof pushContent>[1])?.title,
  });
  const calledAs = (name: string, written = name) => ({
    page: `Jobs · ${written}`,
    missing: `Not found · ${written}`,
    masthead: written,
    reference: written,
    graphiql: `GraphQL · ${written}`,
    feed: `${written}: @ada`,
    resource: name,
    passkey: name,
    push: name,
  });
  expect(await named()).toEqual(calledAs("The Bees"));
  changeInSecondProcess(site, { name: "Weavers & <b>Sons</b>" });
  expect(await named()).toEqual(calledAs("Weavers & <b>Sons</b>", "Weavers &amp; &lt;b&gt;Sons&lt;/b&gt;"));
  changeInSecondProcess(site, { name: null });
  expect(await named()).toEqual(calledAs("The Bees"));
});

test("an error page during a database failure uses the operator's name for the community", async () => {
  await using site = openSite({ env: { GUILDHALL_NAME: "The Bees" } });
  changeInSecondProcess(site, { name: "Weavers" });
  const { prepare } = site.core.db;
  site.core.db.prepare = () => {
    throw new Error("disk I/O error");
  };
  const page = await fetch(`${site.url}/jobs`, { headers: { accept: "text/html" } });
  site.core.db.prepare = prepare;
  expect(page.status).toBe(500);
  expect(await page.text()).toMatch(/<title[^>]*>.* · The Bees<\/title>/);
});
