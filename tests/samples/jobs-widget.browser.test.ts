// The sample docs/samples/jobs-widget in a real browser, on another site's page.
import { afterAll, describe, expect, test } from "bun:test";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { closeContexts, hasChromium } from "../browser.ts";
import { publishJobs } from "../spec/rows.ts";
import { openSite } from "../web/support.ts";
import { openTab } from "../web/browser-tabs.ts";
import { sample, serve } from "./served.ts";

describe.skipIf(!hasChromium)("in a real browser", () => {
  afterAll(closeContexts);

  test("the jobs widget lists the newest jobs as links, and leaves the page unchanged if only members see jobs", async () => {
    await using site = openSite();
    const { core } = site;
    publishJobs(site, ...[1, 2, 3, 4].map((n) => ({ title: `<b>Engineer ${n}</b>` })));
    const lines = { "https://guild.example": core.origin };
    using served = serve(() => ({
      "/index.html": sample("jobs-widget/index.html", lines),
      "/jobs.js": sample("jobs-widget/jobs.js"),
    }));
    const { page, complaints } = await openTab(site);
    const jobs = page.locator("ul li");
    await page.goto(`${served.origin}/`);
    await jobs.nth(2).waitFor();

    expect(await page.locator("ul a").allTextContents()).toEqual(
      [4, 3, 2].map((n) => `<b>Engineer ${n}</b> · Tidewater Systems`),
    );
    expect(await page.locator("ul p").first().textContent()).toBe(
      "Tidewater Systems · Berlin, Germany · rust, postgres",
    );
    expect(await page.locator("ul a").first().getAttribute("href")).toStartWith(`${core.origin}/jobs/job_`);
    expect(complaints).toEqual([]);

    changeCommunitySettings(core, OPERATOR, { reading: "members" });
    const { page: fresh } = await openTab(site);
    const warned = fresh.waitForEvent("console", (message) => message.type() === "warning");
    await fresh.goto(`${served.origin}/`);
    expect((await warned).text()).toContain(`No jobs from ${core.origin}:`);
    expect(await fresh.locator("ul li").allTextContents()).toEqual(["See the jobs board"]);
  });
});
