import { expect, test } from "bun:test";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { BADGES, TIERS } from "../../src/core/community/xp/rules.ts";
import { getRunOf } from "../../src/core/community/xp/streaks.ts";
import { LANGUAGES } from "../../src/core/base/locales.ts";
import { nameOfBadge, notificationText } from "../../src/locale/notification-text.ts";
import { messagesOf } from "../../src/locale/messages.ts";
import { DAY } from "../../src/core/base/clock.ts";
import { sortBadges, badgeIcon } from "../../src/web/badge-icons.ts";
import { createMember } from "../support.ts";
import {
  createAccountOf,
  attributesOf,
  openSite,
  signedInAs,
  type Site,
  visit,
  visibleText,
} from "./support.ts";

const EARNED = [...TIERS.map(({ badge }) => badge).filter(Boolean), ...BADGES.map(({ badge }) => badge)];

// docs/contract.md#9.20.4
test("every badge has its own icon, the same everywhere; rare badges come first", () => {
  const all = [...EARNED, "shipped-it", "ten-thousand"];
  expect(sortBadges(all).toSorted()).toEqual(all.toSorted());
  expect(sortBadges(all.toReversed()).filter((badge) => EARNED.includes(badge))).toEqual(sortBadges(EARNED));
  const wax = sortBadges(all).map((badge) => badgeIcon(badge).isRare);
  expect(wax).toEqual([...wax].sort((a, b) => Number(b) - Number(a)));
  expect(sortBadges(all).slice(0, 6)).toEqual([
    "grandmaster",
    "streak-365",
    "master",
    "streak-100",
    "shipped-it",
    "ten-thousand",
  ]);
  expect(new Set(all.map((badge) => badgeIcon(badge).drawing)).size).toBe(all.length);
  for (const badge of ["__proto__", "constructor", ""])
    expect(badgeIcon(badge).drawing).toMatch(/<path class="mark" d="M[\d.a-zA-Z -]+z"\/>/);
  expect(badgeIcon("<script>").drawing).not.toContain("script");
});

// docs/contract.md#9.20.4
test("a profile shows the level as text and drawing, and each badge icon with its name and reason", async () => {
  await using site = openSite();
  await createAccountOf(site, "ada");
  honour(site, "ada", 6_000, ["first-post", "apprentice", "journeyman", "artisan", "master", "shipped-it"]);
  const page = await visit(site).open("/@ada");
  expect(visibleText(page.html)).toContain("Master Level 5: 6,000 XP to level 6");
  expect(await attributesOf(page.html, ".gable .on", "d")).toHaveLength(6);
  expect(await attributesOf(page.html, ".gable .off", "d")).toHaveLength(1);
  expect(await attributesOf(page.html, ".gable", "aria-valuenow")).toEqual(["1000"]);
  expect(await attributesOf(page.html, ".badge-icons > li", "title")).toEqual([
    "Reached level 5",
    "Awarded by the community",
    "Reached level 4",
    "Reached level 3",
    "Reached level 2",
    "Published a first post",
  ]);
  expect(visibleText(page.html)).toContain("Master : Reached level 5 Shipped it : Awarded by the community");
  honour(site, "ada", 12_000, ["grandmaster"]);
  const highest = await visit(site).open("/@ada");
  expect(visibleText(highest.html)).toContain("Grandmaster Level 6: the highest level");
  expect(await attributesOf(highest.html, ".gable .off", "d")).toEqual([]);
});

test("a badge notification names the badge in each language; a custom slug is shown as words", () => {
  const item = { kind: "badge", actors: [], count: 1, subjectId: "builder_1" } as const;
  for (const language of LANGUAGES) {
    const messages = messagesOf(language);
    const textOf = (about: string): string => notificationText(messages, { ...item, about });
    for (const badge of EARNED) {
      const name = nameOfBadge(messages, badge ?? "");
      expect(textOf(badge)).toEndWith(`: ${name}`);
    }
    expect(textOf("early-bird")).toEndWith(": Early bird");
    expect(textOf("Keeper of the *Loom*")).toEndWith(": Keeper of the *Loom*");
    // The badge was stored by a version that did not record the reason.
    expect(textOf("")).not.toContain(":");
  }
});

// docs/contract.md#9.20.4
test("a profile shows other members only the days of the current streak, and its owner all days", async () => {
  await using site = openSite();
  const { core, clock } = site;
  await createAccountOf(site, "ada");
  const { caller } = createMember(core, "bob");
  const eve = createMember(core, "eve").caller;
  const run = () => getRunOf(core, eve, caller.builderId ?? "", 8);
  const shown = () =>
    run()
      .days.map((was) => (was ? "x" : "."))
      .join("");
  expect(shown()).toBe("........");
  for (const isActive of "xx.xx") {
    if (isActive === "x") core.db.transact(() => createPost(core, caller, { text: "one more day" }));
    clock.pass(DAY);
  }
  expect([shown(), run().streakDays]).toEqual([".....xx.", 2]);
  const ada = signedInAs(site, "ada");
  expect(await attributesOf((await ada.open("/@bob")).html, ".calendar", "aria-hidden")).toEqual(["true"]);
  expect(await attributesOf((await signedInAs(site, "bob").open("/@bob")).html, ".calendar", "role")).toEqual(
    ["img"],
  );
  clock.pass(2 * DAY);
  expect([shown(), run().streakDays]).toEqual(["........", 0]);
  expect(await attributesOf((await ada.open("/@bob")).html, ".calendar", "aria-hidden")).toEqual([]);
});

function honour({ core }: Site, username: string, xp: number, badges: readonly string[]): void {
  core.db.transact(() => {
    core.db.prepare("UPDATE builders SET xp = ? WHERE username = ?").run(xp, username);
    for (const badge of badges)
      core.db
        .prepare(
          "INSERT INTO builder_badges (builder_id, badge, earned_at) SELECT id, ?, ? FROM builders WHERE username = ?",
        )
        .run(badge, core.clock.now(), username);
  });
}
