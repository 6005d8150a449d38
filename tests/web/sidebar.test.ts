import { expect, test } from "bun:test";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { followTag } from "../../src/core/community/following/following.ts";
import { getCalendar, changeTimeZone } from "../../src/core/community/xp/streaks.ts";
import { putCommunitySettings } from "../../src/core/identity/community-settings/community-settings.ts";
import { DAY } from "../../src/core/base/clock.ts";
import { createMember, openTestServer } from "../support.ts";
import { createAccountOf, attributesOf, openSite, signedInAs, visit } from "./support.ts";

test("the calendar ends with today in the member's time zone, and keeps the position of past streaks", async () => {
  await using server = openTestServer();
  const { core, clock } = server;
  const { caller } = createMember(core, "ada");
  const shown = () =>
    getCalendar(core, caller, 10)
      .days.map((was) => (was ? "x" : "."))
      .join("");
  expect(shown()).toBe("..........");
  for (const isActive of "xx.x.xxx") {
    if (isActive === "x") core.db.transact(() => createPost(core, caller, { text: "one more day" }));
    clock.pass(DAY);
  }
  // The current day has no activity yet. A day without activity breaks the streak only after the day has
  // ended.
  expect(shown()).toBe(".xx.x.xxx.");
  expect(getCalendar(core, caller, 10).streakDays).toBe(3);
  core.db.transact(() => createPost(core, caller, { text: "today" }));
  expect(shown()).toBe(".xx.x.xxxx");
  // Asks for more days than the account is old.
  expect(getCalendar(core, caller, 400).days.filter(Boolean)).toHaveLength(7);
  // A member in another time zone has another date after their day ends.
  core.db.transact(() => changeTimeZone(core, caller.builderId ?? "", "Pacific/Kiritimati"));
  clock.pass(2 * DAY);
  expect(getCalendar(core, caller, 3).today).toBe(Math.floor((clock.now() + 14 * 3_600_000) / DAY));
  expect(() => getCalendar(core, { ...caller, scopes: new Set() } as never, 3)).toThrow();
});

// docs/contract.md#9.20.3
test("the calendar is five whole weeks on any weekday, and shows future days without counting them", async () => {
  await using site = openSite();
  await createAccountOf(site, "ada");
  const ada = signedInAs(site, "ada");
  for (let day = 0; day < 7; day++) {
    const { html } = await ada.open("/following");
    const cells = async (kind: string) =>
      (await attributesOf(html, `.calendar .${kind}`, "d")).flatMap((d) => [
        ...d.matchAll(/M(\d+) (\d+)h9/g),
      ]);
    const drawn = [...(await cells("on")), ...(await cells("off")), ...(await cells("ahead"))];
    const locations = drawn.map(([, x, y]) => `${x} ${y}`);
    expect([new Set(locations).size, locations.length]).toEqual([35, 35]);
    const weekday = (new Date(site.clock.now()).getUTCDay() + 6) % 7;
    expect(await cells("ahead")).toHaveLength(6 - weekday);
    const [said = ""] = await attributesOf(html, ".calendar", "aria-label");
    expect(said).toContain(`of the last ${29 + weekday} days`);
    site.clock.pass(DAY);
  }
});

// docs/contract.md#9.20.3
test("the sidebar of the feed shows members their streak, open items and tags, and guests how to join", async () => {
  await using site = openSite();
  const { core } = site;
  await createAccountOf(site, "ada");
  const bob = createMember(core, "bob").caller;
  const ada = signedInAs(site, "ada");
  const sidebarOf = async (path: string, visitor = ada) =>
    /<aside class="sidebar">([^]*?)<\/aside>/.exec((await visitor.open(path)).html)?.[1] ?? "";
  const words = (html: string) => html.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");

  core.db.transact(() => followTag(core, createMember(core, "carol").caller, "rust"));
  await ada.submit(await ada.open("/tags/looms"), "/tags/looms/follow");
  core.db.transact(() => createPost(core, bob, { text: "hello @ada" }));
  for (const path of ["/", "/following", "/tags/looms"]) {
    const sidebar = words(await sidebarOf(path));
    expect([path, sidebar]).toEqual([path, expect.stringContaining("No streak at the moment")]);
    expect(sidebar).toContain("1 unread notification");
    expect(sidebar).toContain("#looms");
    expect(sidebar).not.toContain("#rust");
  }
  expect(await sidebarOf("/")).toMatch(/aria-label="You were active on 0 of the last (?:29|3[0-5]) days\."/);
  expect(await sidebarOf("/jobs")).toBe("");

  const guest = visit(site);
  for (const [joining, way] of [
    ["open", "Anyone can join."],
    ["approval", "An admin approves new members."],
    ["invite", "This community is invite-only."],
    ["closed", "This community is not accepting new members"],
  ] as const) {
    core.db.transact(() => putCommunitySettings(core, { joining, name: "Loomers", line: "We <weave>." }));
    const sidebar = words(await sidebarOf("/", guest));
    expect(sidebar).toContain("Loomers We &lt;weave&gt;.");
    expect(sidebar).toContain(way);
  }
});
