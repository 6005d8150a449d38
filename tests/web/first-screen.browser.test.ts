import { afterAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { followTag } from "../../src/core/community/following/following.ts";
import { hideSteps } from "../../src/core/services/first-steps/first-steps.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { fillDemo } from "../../src/demo/demo.ts";
import { closeContexts, hasChromium, MOVED, newContext } from "../browser.ts";
import { createMemberToken } from "../support.ts";
import { openKeyboardUser } from "./keyboard.ts";
import { callerOf } from "./sample-site.ts";
import { createAccountOf, openSite, type Site, signedInAs, sessionCookie } from "./support.ts";

const DESK = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 740 };

// docs/contract.md#9.20.2
describe.skipIf(!hasChromium)("first screen", () => {
  afterAll(closeContexts);

  test("the first post and the first job are near the top of the page, for members and guests", async () => {
    await using site = await openDemo();
    const found: [string, boolean][] = [];
    const tabs = {
      ada: await open(site, { as: "ada", viewport: DESK }),
      stranger: await open(site, { as: undefined, viewport: DESK }),
    };
    for (const [path, what, most] of [
      ["/", ".post", { desk: 260, phone: 240 }],
      ["/following", ".post", { desk: 260, phone: 240 }],
      ["/tags/rust", ".post", { desk: 260, phone: 240 }],
      ["/jobs", ".rows > li", { desk: 420, phone: 420 }],
    ] as const)
      for (const as of path === "/following" ? (["ada"] as const) : (["ada", "stranger"] as const)) {
        const page = tabs[as];
        await page.goto(path);
        for (const [kind, viewport] of Object.entries({ desk: DESK, phone: PHONE })) {
          await page.setViewportSize(viewport);
          const top = (await page.locator(`main ${what}`).first().boundingBox())?.y ?? Infinity;
          found.push([`${path} ${kind} ${as}: ${top}`, top < most[kind as "desk" | "phone"]]);
        }
      }
    for (const page of Object.values(tabs)) await page.context().close();
    expect(found.filter(([, isHigh]) => !isHigh)).toEqual([]);
    expect(found).toHaveLength(14);
  }, 120_000);

  test("a page is four files and at most 40 kB on the wire, 50 kB with the member script, and a late font moves nothing", async () => {
    await using site = await openDemo();
    const [post, job, builder] = [
      "SELECT id FROM posts ORDER BY replies DESC",
      "SELECT id FROM jobs ORDER BY id DESC",
      "SELECT username AS id FROM builders b ORDER BY (SELECT count(*) FROM posts WHERE author_id = b.id) DESC",
    ].map((sql) => site.core.db.prepare<{ id: string }>(`${sql} LIMIT 1`).get()?.id);
    for (const path of ["/", `/posts/${post}`, `/jobs/${job}`, `/@${builder}`]) {
      const page = await open(site, { as: "ada", viewport: DESK });
      const sent = new Map<string, number>();
      const devtools = await page.context().newCDPSession(page);
      await devtools.send("Network.enable");
      const urls = new Map<string, string>();
      devtools.on("Network.responseReceived", ({ requestId, response, type }) => {
        if (type !== "Image" && type !== "EventSource") urls.set(requestId, response.url);
      });
      devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
        const url = urls.get(requestId);
        if (url !== undefined) sent.set(url, encodedDataLength);
      });
      // Delays the font until the rest of the page is painted.
      const isPainted = Promise.withResolvers<void>();
      await page.route("**/*.woff2*", async (route) => {
        await isPainted.promise;
        await route.continue();
      });
      await page.goto(path, { waitUntil: "domcontentloaded" });
      await page.evaluate(PAINTED);
      isPainted.resolve();
      await page.waitForLoadState("load");
      await page.evaluate("document.fonts.ready");
      expect(await page.evaluate("document.fonts.check('16px \"Young Serif\"')")).toBe(true);
      const moved = await page.evaluate(MOVED);
      expect({ path, moved }).toEqual({ path, moved: 0 });
      const bytes = [...sent.values()].reduce((sum, size) => sum + size, 0);
      const scriptBytes = [...sent].find(([url]) => url.includes("/assets/guildhall.js"))?.[1] ?? 0;
      expect({ path, files: [...sent.keys()].length }).toEqual({ path, files: 4 });
      expect({ path, isLight: bytes <= 50_000 && bytes - scriptBytes <= 40_000, bytes }).toEqual({
        path,
        isLight: true,
        bytes,
      });
      await page.context().close();
    }
  }, 120_000);

  test("the copy button of a prompt moves nothing when its script is late, and takes no space without scripts", async () => {
    await using site = await openDemo();
    const prompt = site.core.db.prepare<{ id: string }>("SELECT id FROM prompts LIMIT 1").get();
    const page = await open(site, { as: "ada", viewport: PHONE });
    const isPainted = Promise.withResolvers<void>();
    await page.route("**/*.js*", async (route) => {
      await isPainted.promise;
      await route.continue();
    });
    await page.goto(`/prompts/${prompt?.id}`, { waitUntil: "commit" });
    await page.evaluate(PAINTED);
    const copy = page.locator("button[data-copy]");
    expect(await copy.isVisible()).toBe(false);
    isPainted.resolve();
    await page.waitForLoadState("load");
    await copy.waitFor({ state: "visible" });
    expect(await page.evaluate(MOVED)).toBe(0);
    await page.context().close();

    const plain = await openKeyboardUser(site.core.origin, { width: 390, colorScheme: "light" });
    await plain.page.goto(`/prompts/${prompt?.id}`);
    expect(await plain.page.locator("button[data-copy]").boundingBox()).toBeNull();
    await plain.context.close();
  }, 60_000);

  test("the post form opens by keyboard without a script, keeps the typed text after a refusal, and posts", async () => {
    await using site = openSite();
    await createAccountOf(site, "ada");
    const ada = await openKeyboardUser(site.core.origin, { width: 390, colorScheme: "light" });
    const value = signedInAs(site, "ada").cookies.get(sessionCookie(site)) ?? "";
    await ada.context.addCookies([{ name: sessionCookie(site), value, url: site.core.origin }]);
    // A link to the text field opens the form.
    await ada.open("/#text");
    const text = ada.page.getByLabel("Your post");
    expect(await text.isVisible()).toBe(true);
    await ada.open("/?");
    expect(await text.isVisible()).toBe(false);
    await ada.tick("What are you building?");
    await ada.fill("Your post", "A loom");
    await ada.check("Guildhall");
    await ada.fill("Tags", "a, b, c, d, e, f");
    await ada.press("Post");
    // After a refusal the form is open and keeps all input.
    expect(await text.inputValue()).toBe("A loom");
    expect(await text.isVisible()).toBe(true);
    await ada.fill("Tags", "loom");
    await ada.press("Preview");
    expect(await ada.page.locator("#preview").isVisible()).toBe(true);
    await ada.press("Post");
    expect(await ada.visibleText()).toContain("A loom");
    expect(new URL(ada.page.url()).pathname).toMatch(/^\/posts\/post_/);
    await ada.context.close();
  }, 120_000);

  test("the filters of a job search are listed, and each can be removed by a click", async () => {
    await using site = await openDemo();
    const page = await open(site, { as: undefined, viewport: PHONE });
    await page.goto("/jobs?q=engineer&stack=rust&stack=typescript&remote=true");
    const chips = () => page.locator(".chip").allInnerTexts();
    expect(await chips()).toEqual(["engineer", "rust", "typescript", "remote"]);
    const arrived = page.waitForNavigation();
    await page.getByRole("link", { name: "Remove filter: rust" }).click();
    await arrived;
    expect(await chips()).toEqual(["engineer", "typescript", "remote"]);
    expect(new URL(page.url()).search).toBe("?q=engineer&stack=typescript&remote=true");
    // Collapsed fields are submitted too.
    const searched = page.waitForNavigation();
    await page.getByRole("button", { name: "Search" }).first().click();
    await searched;
    expect(await chips()).toEqual(["engineer", "typescript", "remote"]);
    await page.context().close();
  }, 120_000);
});

const PAINTED = `new Promise((done) => {
  new PerformanceObserver((list) => list.getEntriesByName('first-contentful-paint').length > 0 && done())
    .observe({ type: 'paint', buffered: true });
})`;

/** Creates the demo community with ada, who follows a member, and posts of each kind. */
async function openDemo(): Promise<Site> {
  const site = openSite();
  await fillDemo(site.core, { builders: 20, posts: 60, jobs: 30, prompts: 5 }, 1, () => {});
  await createAccountOf(site, "ada");
  const { core } = site;
  hideSteps(core, callerOf(site, signedInAs(site, "ada")));
  const [one, other] = core.db
    .prepare<{ username: string }>(
      "SELECT username FROM builders WHERE username <> 'ada' ORDER BY id LIMIT 2",
    )
    .all();
  const report = (username: string, text: string, tags: string[]) =>
    createPost(core, createMemberToken(core, username).caller, { text, tags });
  report(one?.username ?? "", "Coffee is a dependency.", ["rust"]);
  report(other?.username ?? "", "# Loom 1.0\n\nIt weaves **patterns** out of plain text.", [
    "rust",
    "release",
  ]);
  core.db.transact(() => {
    const { caller } = createMemberToken(core, "ada");
    followTag(core, caller, "rust");
  });
  return site;
}

async function open(
  site: Site,
  { as, viewport }: { as: string | undefined; viewport: { width: number; height: number } },
): Promise<Page> {
  const context = await newContext({ baseURL: site.core.origin, viewport });
  if (as !== undefined) {
    const value = signedInAs(site, as).cookies.get(sessionCookie(site)) ?? "";
    await context.addCookies([{ name: sessionCookie(site), value, url: site.core.origin }]);
  }
  return context.newPage();
}
