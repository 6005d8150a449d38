// docs/contract.md#9.40, docs/threats.md#F12
import { afterAll, describe, expect, test } from "bun:test";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { closeContexts, hasChromium, newContext } from "../browser.ts";
import { callerOf } from "./sample-site.ts";
import { createAccountOf, openSite, sessionCookie, signedInAs } from "./support.ts";

describe.skipIf(!hasChromium)("offline", () => {
  afterAll(closeContexts);

  test("without a connection a member sees the community's offline page, and the browser keeps nothing else", async () => {
    await using site = openSite({ env: { GUILDHALL_NAME: "Tidewater" } });
    await createAccountOf(site, "ada");
    const ada = signedInAs(site, "ada");
    createPost(site.core, callerOf(site, ada), { text: "Only on pages of the network" });
    const context = await newContext({ baseURL: site.core.origin, serviceWorkers: "allow" });
    const value = ada.cookies.get(sessionCookie(site)) ?? "";
    await context.addCookies([{ name: sessionCookie(site), value, url: site.core.origin }]);
    const page = await context.newPage();
    const kept = async () =>
      (await page.evaluate(`(async () => {
        const found = [];
        for (const name of await caches.keys()) {
          const cache = await caches.open(name);
          for (const request of await cache.keys()) {
            const answer = await cache.match(request, { ignoreVary: true });
            found.push([new URL(request.url).pathname, await answer.text()]);
          }
        }
        return found.sort();
      })()`)) as [string, string][];
    const files = ["/assets/guildhall.css", "/assets/offline.js", "/assets/young-serif.woff2", "/offline"];

    await page.goto("/");
    await page.evaluate("navigator.serviceWorker.ready");
    await page.goto("/settings/account");
    await page.goto("/");
    expect(await page.innerText("main")).toContain("Only on pages");
    expect((await kept()).map(([path]) => path)).toEqual(files);

    await context.setOffline(true);
    await page.goto("/messages?box=all");
    expect(await page.innerText("h1")).toBe("Tidewater cannot be reached");
    expect(await page.evaluate("document.fonts.check('16px \"Young Serif\"')")).toBe(true);
    expect(await page.evaluate("getComputedStyle(document.querySelector('.masthead')).position")).toBe(
      "sticky",
    );
    expect(await page.locator("a.button").getAttribute("href")).toBe("");
    await context.setOffline(false);
    await page.waitForURL((url) => url.search === "?box=all");
    await page.waitForFunction("!document.querySelector('h1').textContent.includes('reached')");
    expect(await page.innerText("h1")).toBe("Messages");

    await page.locator(".me > button").click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForLoadState("load");
    const left = await kept();
    expect(left.map(([path]) => path)).toEqual(files);
    for (const [path, text] of left)
      expect([path, /ada|Only on pages|form_token/i.test(text)]).toEqual([path, false]);
    await context.setOffline(true);
    await page.goto("/");
    expect(await page.innerText("h1")).toBe("Tidewater cannot be reached");
    await page.context().close();
  }, 60_000);
});
