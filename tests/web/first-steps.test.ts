// docs/contract.md#9.18
import { expect, test } from "bun:test";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { type FirstStep, firstSteps } from "../../src/core/services/first-steps/first-steps.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { changeProfile } from "../../src/core/community/profiles/profiles.ts";
import { DAY } from "../../src/core/base/clock.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { makeInvite } from "../../src/core/identity/accounts/invites.ts";
import { createMember } from "../support.ts";
import { callerOf } from "./sample-site.ts";
import { openSite, signUpMember, type ShownPage, visibleText } from "./support.ts";

/** Returns the first steps on a page, and whether each is done. */
function shownIn({ html }: ShownPage): [string, boolean][] {
  const [card = ""] = /<section class="first-steps".*?<\/section>/s.exec(html) ?? [];
  return [...card.matchAll(/<li.*?<\/li>/gs)].map(([item]) => [
    visibleText(/<(?:a|button).*?<\/(?:a|button)>/s.exec(item)?.[0] ?? ""),
    item.includes("(done)"),
  ]);
}

const done = (steps: FirstStep[] | undefined) => steps?.map(({ isDone }) => isDone);

test("a newcomer has three first steps, each ticked once it is done; the card disappears with the last", async () => {
  await using site = openSite();
  const { core } = site;
  const ada = createMember(core, "ada").caller;
  const { id } = createPost(core, ada, { text: "Welcome, all." });
  changeCommunitySettings(core, OPERATOR, { newcomerPost: id });
  const nia = await signUpMember(site, "nia");
  const caller = callerOf(site, nia);
  const [profile, welcome, hello] = ["Complete your profile", "Read how this community works", "Say hello"];
  const feed = await nia.open("/");
  expect(shownIn(feed)).toEqual([
    [profile, false],
    [welcome, false],
    [hello, false],
  ] as never);
  // The panel is above the form for a new post, and only there.
  const [above = "", below = ""] = feed.html.split('<details class="composer"');
  expect(visibleText(above)).toContain("First steps");
  expect(below).not.toContain("first-steps");

  const { id: text } = replyTo(core, caller, id, { text: "Hello!" });
  expect(shownIn(await nia.open("/"))[2]).toEqual([hello, true] as never);
  deletePost(core, caller, text);
  expect(shownIn(await nia.open("/"))[2]).toEqual([hello, false] as never);
  replyTo(core, caller, id, { text: "Hello again!" });
  const read = await nia.submit(feed, "/settings/first-steps/welcome");
  expect([read.address, read.status]).toEqual([`/posts/${id}`, 200]);
  expect(shownIn(await nia.open("/"))).toEqual([
    [profile, false],
    [welcome, true],
    [hello, true],
  ] as never);
  changeProfile(core, caller, { bio: "I weave." });
  expect(shownIn(await nia.open("/"))).toEqual([]);
  changeProfile(core, caller, { bio: "" });
  expect((await nia.open("/following")).html).not.toContain("first-steps");
  expect(await (await fetch(`${site.url}/`)).text()).not.toContain("first-steps");
});

test("dismissed first steps never return, and a month after joining none are shown", async () => {
  await using site = openSite();
  const { core, clock } = site;
  const nia = await signUpMember(site, "nia");
  const bo = await signUpMember(site, "bo");
  await nia.submit(await nia.open("/"), "/settings/first-steps/away");
  expect(shownIn(await nia.open("/"))).toEqual([]);
  expect(shownIn(await bo.open("/"))).toHaveLength(3);
  const caller = callerOf(site, bo);
  clock.pass(29 * DAY);
  expect(firstSteps(core, caller)).toHaveLength(3);
  clock.pass(DAY);
  const prepared: string[] = [];
  const db = new Proxy(core.db, {
    get: (own, name) => {
      prepared.push(String(name));
      return Reflect.get(own, name) as unknown;
    },
  });
  expect(firstSteps({ ...core, db }, caller)).toBeUndefined();
  expect(prepared).toEqual([]);
});

test("the owner has three other first steps: describe the community, invite a member, write the first post", async () => {
  await using site = openSite();
  const { core } = site;
  const root = await signUpMember(site, "root", { role: "owner" });
  const caller = callerOf(site, root);
  const steps = () => done(firstSteps(core, caller));
  expect(shownIn(await root.open("/"))).toEqual([
    ["Describe this community", false],
    ["Invite someone", false],
    ["Write the first post", false],
  ]);
  changeCommunitySettings(core, OPERATOR, { name: "The Weavers", rules: "Be kind." });
  expect(steps()).toEqual([false, false, false]);
  changeCommunitySettings(core, OPERATOR, { line: "We weave." });
  expect(steps()).toEqual([true, false, false]);
  const guest = async () => visibleText(await (await fetch(`${site.url}/`)).text());
  // The front page until the first post (docs/contract.md#9.40)
  const opening = [
    "Welcome to The Weavers",
    "We weave.",
    "Root runs this community",
    "Community rules Be kind.",
  ];
  for (const text of opening) {
    expect(await guest()).toContain(text);
    expect(visibleText((await root.open("/")).html)).toContain(text);
  }
  for (const [joining, way] of [
    ["open", "Create account"],
    ["approval", "Request to join"],
    ["invite", "This community is invite-only."],
    ["closed", "This community is not accepting new members"],
  ] as const) {
    changeCommunitySettings(core, OPERATOR, { joining });
    expect(await guest()).toContain(way);
  }
  changeCommunitySettings(core, OPERATOR, { reading: "members" });
  expect(await guest()).not.toMatch(/Root|Jobs|In this community/);
  changeCommunitySettings(core, OPERATOR, { reading: "everybody" });
  makeInvite(core, caller);
  expect(steps()).toEqual([true, true, false]);
  const { id } = createPost(core, createMember(core, "ada").caller, { text: "Of somebody else." });
  replyTo(core, caller, id, { text: "A reply is no post." });
  expect(steps()).toEqual([true, true, false]);
  expect(await guest()).not.toContain("In this community");
  createPost(core, caller, { text: "The first." });
  expect(steps()).toBeUndefined();
  expect(shownIn(await root.open("/"))).toEqual([]);
});

test("without a newcomer post the welcome step opens the rules, or else the About page", async () => {
  await using site = openSite();
  const nia = await signUpMember(site, "nia");
  const go = async () => {
    const { location } = await nia.post("/settings/first-steps/welcome", {
      form_token:
        (await nia.open("/")).forms
          .flatMap(({ fields }) => fields)
          .find(([name]) => name === "form_token")?.[1] ?? "",
    });
    return location;
  };
  expect(await go()).toBe("/about");
  changeCommunitySettings(site.core, OPERATOR, { rules: "Be kind." });
  expect(await go()).toBe("/about#rules");
});
