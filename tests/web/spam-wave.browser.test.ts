// A moderator clears 100 accounts with 500 posts and 1,000 links (docs/contract.md#12.38).
import { afterAll, describe, expect, test } from "bun:test";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { continueBatches } from "../../src/core/services/batches/batches.ts";
import { closeContexts, hasChromium } from "../browser.ts";
import { createMember } from "../support.ts";
import { closeAll, DESK, openKeyboardUser } from "./keyboard.ts";
import { createAccountOf, openSite, sessionCookie, signedInAs, type Site, visit } from "./support.ts";

const SPAMMERS = 100;
const POSTS_EACH = 5;
const MOST_CLICKS = 6;
const SPAM = "Cheap pills";

describe.skipIf(!hasChromium)("a wave of spam", () => {
  afterAll(closeContexts);

  test("a moderator clears 100 accounts with at most 6 clicks, and undoes it", async () => {
    await using site = openSite();
    const { core } = site;
    await createAccountOf(site, "mo", { role: "moderator" });
    const { caller: ada, token } = createMember(core, "ada");
    createPost(core, ada, { text: "My loom is on https://loom.example" });
    flood(site);
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

/** Adds 100 accounts with five posts each, and two links in each post. */
function flood({ core, clock }: Site): void {
  for (let i = 0; i < SPAMMERS; i++) {
    const { caller } = createMember(core, `spammer-${i}`);
    core.db.prepare("UPDATE builders SET bio = ? WHERE username = ?").run(SPAM, `spammer-${i}`);
    core.db.transact(() => {
      for (let n = 0; n < POSTS_EACH; n++)
        createPost(core, caller, {
          text: `${SPAM} ${i}-${n}: https://pills.example/${i}-${n} and https://shop.pills.example/${i}-${n}`,
          tags: ["pills"],
        });
    });
    clock.pass(1000);
  }
}

function finish({ core }: Site): void {
  while (continueBatches(core));
}

const PAGES = ["/", "/feed.atom", "/feed.json", "/tags/pills", "/@spammer-99", "/search?q=pills"];
const LISTS = ["/v1/feed?limit=50", "/v1/search?q=pills", "/v1/profiles/spammer-99"];
const PLACES = [...PAGES, ...LISTS];

/** Returns the pages, feeds and lists that show anything of the wave. */
async function placesWith(site: Site, token: string): Promise<string[]> {
  const visitor = visit(site);
  const places: string[] = [];
  for (const path of PAGES) {
    const { html } = await visitor.open(path);
    if (html.includes(SPAM)) places.push(path);
  }
  for (const path of LISTS) {
    const answer = await fetch(site.url + path, { headers: { authorization: `Bearer ${token}` } });
    const text = await answer.text();
    if (text.includes(SPAM)) places.push(path);
  }
  return places;
}
