import { afterAll, describe, expect, test } from "bun:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { BADGES, TIERS } from "../../src/core/community/xp/rules.ts";
import { PAGES } from "../../src/web/pages/index.ts";
import { closeContexts, hasChromium, newContext } from "../browser.ts";
import { addSampleContent } from "./sample-site.ts";
import { faultsOf, TOO_WIDE } from "./keyboard.ts";
import { openSite, type Site, signedInAs, sessionCookie } from "./support.ts";

/** A title that fills a phone screen, with a word that cannot be wrapped. */
const LONG = `${"Tidewater ".repeat(4)}Donaudampfschifffahrtsgesellschaft`;

/** The pages with badges. All other pages are checked in every-variant.browser.test.ts. */
const PAGES_WITH_BADGES = ["/", "/@:username"];

// docs/contract.md#9.20
describe.skipIf(!hasChromium)("display modes", () => {
  afterAll(closeContexts);

  for (const [title, options] of [
    ["with forced colours in dark mode,", { forcedColors: "active", colorScheme: "dark" }],
    ["with forced colours in light mode,", { forcedColors: "active", colorScheme: "light" }],
    // A 1280 px screen at 200% zoom.
    ["at double zoom", { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2, colorScheme: "dark" }],
    ["on the smallest phone", { viewport: { width: 320, height: 568 }, colorScheme: "light" }],
  ] as const)
    test(`${title} the pages are accessible and fit the screen`, async () => {
      await using site = openSite();
      const { pathOf, caller } = await addSampleContent(site, LONG);
      honour(site, caller.builderId);
      const page = await open(site, options);
      const faults: string[] = [];
      const routes = PAGES.filter(({ method, path }) => method === "GET" && PAGES_WITH_BADGES.includes(path));
      expect(routes.map(({ path }) => path).sort()).toEqual(PAGES_WITH_BADGES.toSorted());
      for (const route of routes) {
        await page.goto(pathOf(route));
        const found = [...((await page.evaluate(TOO_WIDE)) as string[]), ...(await faultsOf(page))];
        faults.push(...found.map((fault) => `${route.path}: ${fault}`));
      }
      expect(faults).toEqual([]);
      await page.context().close();
    }, 120_000);

  test("in print a post and a job show only their text, in black on white", async () => {
    await using site = openSite();
    const { pathOf } = await addSampleContent(site, LONG);
    const page = await open(site, { colorScheme: "dark" });
    await page.emulateMedia({ media: "print" });
    for (const path of ["/posts/:id", "/jobs/:id"]) {
      const route = PAGES.find((pageRoute) => pageRoute.method === "GET" && pageRoute.path === path);
      await page.goto(pathOf(route ?? expect.unreachable()));
      expect([path, await page.locator(".prose").first().isVisible()]).toEqual([path, true]);
      const shown = await page.locator("header.masthead, footer, button, textarea, .button").all();
      expect(shown.length).toBeGreaterThan(3);
      for (const locator of shown)
        expect([path, await locator.innerHTML(), await locator.isVisible()]).toEqual([
          path,
          expect.anything(),
          false,
        ]);
      const colours =
        "(() => { const s = getComputedStyle(document.body); return [s.color, s.backgroundColor]; })()";
      expect(await page.evaluate(colours)).toEqual(["rgb(0, 0, 0)", "rgb(255, 255, 255)"]);
    }
    await page.context().close();
  }, 120_000);
});

/** Awards every badge, two manual badges and the highest level. */
function honour({ core }: Site, builderId: string): void {
  const badges = [
    ...TIERS.map(({ badge }) => badge),
    ...BADGES.map(({ badge }) => badge),
    "shipped-it",
    LONG,
  ];
  core.db.transact(() => {
    for (const badge of badges.filter((name) => name !== ""))
      core.db
        .prepare("INSERT OR IGNORE INTO builder_badges (builder_id, badge, earned_at) VALUES (?, ?, ?)")
        .run(builderId, badge, core.clock.now());
    core.db.prepare("UPDATE builders SET xp = 1234567 WHERE id = ?").run(builderId);
  });
}

async function open(site: Site, options: BrowserContextOptions): Promise<Page> {
  const context = await newContext({ baseURL: site.core.origin, ...options });
  const value = signedInAs(site, "ada").cookies.get(sessionCookie(site)) ?? "";
  await context.addCookies([{ name: sessionCookie(site), value, url: site.core.origin }]);
  return context.newPage();
}
