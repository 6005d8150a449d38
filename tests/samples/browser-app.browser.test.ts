// The sample docs/samples/browser-app in a real browser, at another origin than the community.
import { afterAll, describe, expect, test } from "bun:test";
import { createPost, listFeed } from "../../src/core/community/feed/feed.ts";
import { suspendApp } from "../../src/core/delegation/apps/apps.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { closeContexts, hasChromium } from "../browser.ts";
import { createMember } from "../support.ts";
import { makeApp } from "../web/sample-apps.ts";
import { createAccountOf, openSite } from "../web/support.ts";
import { openTab } from "../web/browser-tabs.ts";
import { sample, serve } from "./served.ts";

describe.skipIf(!hasChromium)("in a real browser", () => {
  afterAll(closeContexts);

  test("the browser app signs a person in, reads the feed page by page, publishes, refreshes its token and signs out", async () => {
    await using site = openSite();
    await createAccountOf(site, "ada");
    const { caller } = createMember(site.core, "bo");
    for (let n = 1; n <= 12; n++) createPost(site.core, caller, { text: `<b>Post ${n}</b>`, tags: [] });
    const { app } = makeApp(site, "ada", {
      kind: "public",
      redirectUris: ["http://127.0.0.1/"],
      scopes: ["feed:read", "feed:write"],
    });
    const lines = { "https://guild.example": site.core.origin, "app_…": app.id };
    using served = serve(() => ({
      "/index.html": sample("browser-app/index.html"),
      "/app.js": sample("browser-app/app.js", lines),
    }));
    const { page, complaints } = await openTab(site, { as: "ada" });
    const posts = page.locator("#feed li");

    await page.goto(`${served.origin}/`);
    await page.getByRole("button", { name: "Sign in with Guildhall" }).click();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByText("Signed in as").waitFor();
    await posts.nth(9).waitFor();

    expect(await page.locator("#name").textContent()).toBe("Ada");
    expect(page.url()).toBe(`${served.origin}/`);
    expect(await posts.first().textContent()).toBe("Bo: <b>Post 12</b>");
    await page.getByRole("button", { name: "Older posts" }).click();
    await posts.nth(11).waitFor();

    site.clock.pass(2 * 3_600_000);
    await page.getByLabel("New post").fill("Hello from another origin");
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByText("Hello from another origin").waitFor();
    const [post] = listFeed(site.core, caller, {}, { limit: 1 }).nodes;
    expect([post?.author.username, post?.text]).toEqual(["ada", "Hello from another origin"]);

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in with Guildhall" }).waitFor();
    // The browser logs the 401 of the expired token. The sample then refreshes the token.
    expect(complaints.filter((text) => !text.includes("401"))).toEqual([]);
  });

  test("the browser app reports a refused consent, and reads nothing more once suspended", async () => {
    await using site = openSite();
    await createAccountOf(site, "ada");
    const { app } = makeApp(site, "ada", { kind: "public", redirectUris: ["http://127.0.0.1/"] });
    const lines = { "https://guild.example": site.core.origin, "app_…": app.id };
    using served = serve(() => ({
      "/index.html": sample("browser-app/index.html"),
      "/app.js": sample("browser-app/app.js", lines),
    }));
    const { page } = await openTab(site, { as: "ada" });
    await page.goto(`${served.origin}/`);
    await page.getByRole("button", { name: "Sign in with Guildhall" }).click();
    await page.getByRole("button", { name: "Deny" }).click();
    await page.locator("#message:not(:empty)").waitFor();
    expect(await page.locator("#message").textContent()).toBe("The user denied the request.");
    expect(await page.getByRole("button", { name: "Sign in with Guildhall" }).isVisible()).toBe(true);

    const read = `fetch("${site.core.origin}/v1/feed").then(({ status }) => status, ({ name }) => name)`;
    expect(await page.evaluate<unknown>(read)).toBe(401);
    suspendApp(site.core, OPERATOR, app.id, "spam");
    expect(await page.evaluate<unknown>(read)).toBe("TypeError");
  });
});
