// A moderator clears 100 accounts with 500 posts and 1,000 links (docs/contract.md#12.38).
import { afterAll, describe, expect, test } from "bun:test";
import { closeContexts, hasChromium } from "../browser.ts";
import { finish, flood, PLACES, placesWith, SPAMMERS } from "../spam/wave.ts";
import { closeAll, DESK, openKeyboardUser } from "./keyboard.ts";
import { createAccountOf, openSite, sessionCookie, signedInAs } from "./support.ts";

const MOST_CLICKS = 6;

describe.skipIf(!hasChromium)("a wave of spam", () => {
  afterAll(closeContexts);

  test("a moderator clears 100 accounts with at most 6 clicks, and undoes it", async () => {
    await using site = openSite();
    const { core } = site;
    await createAccountOf(site, "mo", { role: "moderator" });
    const token = flood(site);
    expect(await placesWith(site, token)).toEqual(PLACES);

    const mo = await openKeyboardUser(core.origin, DESK);
    const name = sessionCookie(site);
    const value = signedInAs(site, "mo").cookies.get(name) ?? "";
    await mo.context.addCookies([{ name, value, url: core.origin }]);
    await mo.page.goto("/");
    const began = performance.now();
    let clicks = 0;
    const click = async (role: "link" | "button" | "text", label: RegExp) => {
      clicks++;
      const { page } = mo;
      const found =
        role === "text" ? page.locator("summary", { hasText: label }) : page.getByRole(role, { name: label });
      await found.first().click();
      await page.waitForLoadState();
    };
    await click("text", /^Moderate$/);
    await click("link", /^Delete spammer/);
    await click("link", /^Add everyone new who linked pills\.example/);
    expect(await mo.visibleText()).toContain(`${SPAMMERS} accounts`);
    expect(await mo.visibleText()).not.toContain("@ada");
    await click("button", new RegExp(`^Delete ${SPAMMERS} spammers`));
    expect(await mo.visibleText()).toContain(`${SPAMMERS} spammers deleted`);
    expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
    const clicked = performance.now() - began;
    finish(site);
    const cleared = performance.now() - began;
    console.log(
      `cleared ${SPAMMERS} accounts with ${clicks} clicks: pages ${Math.round(clicked)} ms, all content ${Math.round(cleared)} ms`,
    );

    expect(await placesWith(site, token)).toEqual([]);
    expect(core.db.prepare("SELECT host FROM held_hosts").all()).not.toContainEqual({ host: "loom.example" });

    site.clock.pass(60_000);
    await click("button", new RegExp(`^Undo all ${SPAMMERS} removals`));
    finish(site);
    expect(await placesWith(site, token)).toEqual(PLACES);
    expect(core.db.prepare("SELECT count(*) AS n FROM held_hosts").get()).toEqual({ n: 0 });
    await closeAll(mo);
  }, 120_000);
});
