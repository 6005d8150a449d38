import { afterAll, describe, expect, test } from "bun:test";
import type { Caller } from "../../src/core/identity/access/caller.ts";
import { DAY } from "../../src/core/base/clock.ts";
import { publishJob } from "../../src/core/community/jobs/jobs.ts";
import { closeContexts, hasChromium, newContext } from "../browser.ts";
import { createMember } from "../support.ts";
import { attributesOf, openSite, type Site, visit, visibleText } from "./support.ts";

// docs/contract.md#9.20.5
test("a job lists at most three other jobs of its company, and nothing when none exist", async () => {
  await using site = openSite();
  const { caller } = createMember(site.core, "ada");
  const alone = publish(site, caller, "Weaver");
  const page = await visit(site).open(`/jobs/${alone}`);
  expect(visibleText(page.html)).not.toContain("More jobs at");
  publish(site, caller, "Old", "tidewater");
  site.clock.pass(61 * DAY);
  const all = ["Fisher", "Baker", "Smith", "Mason", "Joiner"].map((title) =>
    publish(site, caller, title, "tidewater"),
  );
  const shownPage = await visit(site).open(`/jobs/${all[3]}`);
  expect(visibleText(shownPage.html)).toContain("More jobs at Tidewater");
  expect(await attributesOf(shownPage.html, ".others a[href^='/jobs/job_']", "href")).toEqual(
    [all[4], all[2], all[1]].map((id) => `/jobs/${id}`),
  );
});

// docs/contract.md#9.20.5
describe.skipIf(!hasChromium)("job page", () => {
  afterAll(closeContexts);

  for (const [kind, width, height] of [
    ["a desk", 1280, 800],
    ["a tablet", 768, 1024],
    ["a phone", 390, 740],
    ["the smallest phone", 320, 500],
  ] as const)
    test(`on ${kind} exactly one apply button is always in view, and never covers the end of the text`, async () => {
      await using site = openSite();
      const { caller } = createMember(site.core, "ada");
      const id = publish(site, caller, "Weaver", "tidewater");
      const context = await newContext({ baseURL: site.core.origin, viewport: { width, height } });
      const page = await context.newPage();
      await page.goto(`/jobs/${id}`);
      const seen = page.locator(".job a.button.primary:visible");
      expect(await seen.count()).toBe(1);
      const end = (await page.evaluate("document.scrollingElement.scrollHeight")) as number;
      expect(end).toBeGreaterThan(2 * height);
      const last = page.locator(".prose > :last-child");
      for (const y of [0, end / 2, end]) {
        await page.evaluate(`scrollTo(0, ${y})`);
        const box = await seen.boundingBox();
        const text = await last.boundingBox();
        // The button is on the screen. At the end of the page the footer may have moved the button up.
        expect([y, box !== null && box.y >= 0 && box.y < height && box.height >= 24]).toEqual([y, true]);
        // On narrow screens the button is below the end of the text and does not cover it.
        if (y === end && width < 960) expect(text && text.y + text.height <= (box?.y ?? 0)).toBe(true);
      }
      await context.close();
    }, 60_000);

  test("in print a job shows its application address and omits the controls of the page", async () => {
    await using site = openSite();
    const { caller } = createMember(site.core, "ada");
    publish(site, caller, "Baker", "tidewater");
    const id = publish(site, caller, "Weaver", "tidewater");
    const page = await (await newContext({ baseURL: site.core.origin })).newPage();
    await page.goto(`/jobs/${id}`);
    const address = page.getByText("https://jobs.example.com/weaver", { exact: true });
    expect([await address.isVisible(), await page.locator(".others").isVisible()]).toEqual([false, true]);
    await page.emulateMedia({ media: "print" });
    expect([await address.isVisible(), await page.locator(".others").isVisible()]).toEqual([true, false]);
    expect(await page.evaluate("getComputedStyle(document.querySelector('.sheet')).position")).toBe("static");
    await page.close();
  }, 60_000);
});

function publish({ core }: Site, caller: Caller, title: string, slug = "loom"): string {
  return publishJob(core, caller, {
    title,
    company: { name: slug === "loom" ? "Loom" : "Tidewater", slug },
    location: "Bremen",
    remote: true,
    seniority: "senior",
    stack: ["rust", "postgres"],
    salary: { min: 50_000, max: 70_000, currency: "EUR" },
    description: "You weave, day by day, and somebody reads what you wove. "
      .repeat(8)
      .concat("\n\n")
      .repeat(9),
    apply_url: `https://jobs.example.com/${title.toLowerCase()}`,
  }).id;
}
