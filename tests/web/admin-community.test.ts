// Tests docs/contract.md#12.25: the page on which admins describe the community.
import { expect, test } from "bun:test";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { HOUR } from "../../src/core/base/clock.ts";
import { communitySettingsOf } from "../../src/core/identity/community-settings/community-settings.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { heldAmong } from "../../src/core/community/holding/holding.ts";
import { signUp } from "../../src/core/identity/accounts/accounts.ts";
import { command } from "../command.ts";
import { call } from "../spec/client.ts";
import { createMemberToken } from "../support.ts";
import { callerOf } from "./sample-site.ts";
import { PASSWORD, attributesOf, openSite, signUpMember, tokenOf, visit, visibleText } from "./support.ts";

const PAGE_PATH = "/admin/community";

test("admins change the community settings by section; an empty field uses the operator's value, and unchanged fields stay unset", async () => {
  await using site = openSite({ env: { GUILDHALL_NAME: "The Bees" } });
  const { core } = site;
  const root = await signUpMember(site, "root", { role: "admin" });
  const post = createPost(core, callerOf(site, root), { text: "Read this first" });
  const save = async (section: string, typed: Record<string, string>) =>
    root.submit(await root.open(PAGE_PATH), `${PAGE_PATH}/${section}`, typed);
  const saved = await save("name", { line: "Wax and wane", contact: "https://bees.example" });
  expect(visibleText(saved.html)).toContain("Changes saved.");
  // The form showed the operator's name. The save leaves that name unchanged, so it sets no name of the
  // community.
  expect(core.db.prepare("SELECT name, line FROM charter").get()).toEqual({
    name: null,
    line: "Wax and wane",
  });
  await save("name", { name: "Weavers" });
  await save("look", { accent: "#1F4E8C" });
  await save("texts", { welcome: "Come *in*", rules: "1. Be kind" });
  await save("doors", { reading: "members", joining: "approval", front: "about" });
  await save("place", { language: "de", zone: "europe/berlin" });
  await save("newcomers", { newcomerDays: "7", newcomerPost: `${core.origin}/posts/${post.id}` });
  await save("legal", {
    privacy: "Nothing",
    imprint: "Ada",
    links: "Chat https://chat.example\nWiki https://wiki.example",
  });
  expect(communitySettingsOf(core)).toEqual({
    name: "Weavers",
    line: "Wax and wane",
    contact: "https://bees.example",
    accent: "#1f4e8c",
    welcome: "Come *in*",
    rules: "1. Be kind",
    reading: "members",
    joining: "approval",
    front: "about",
    language: "de",
    zone: "Europe/Berlin",
    newcomerDays: 7,
    newcomerPost: post.id,
    privacy: "Nothing",
    terms: "",
    imprint: "Ada",
    links: "Chat https://chat.example\nWiki https://wiki.example",
    holdNewcomerLinks: true,
    reportsToHide: 3,
    heldWords: "",
    heldLinkHosts: "",
    equalTexts: 3,
    networkSignUps: 40,
    hourlySignUps: 60,
  });
  const page = await root.open(PAGE_PATH);
  expect(await attributesOf(page.html, "input[name=accent]", "value")).toEqual(["#1f4e8c"]);
  await save("name", { name: "", line: "" });
  expect(communitySettingsOf(core)).toMatchObject({
    name: "The Bees",
    line: "",
    contact: "https://bees.example",
  });
});

test("invalid settings come back with the typed values and advice: a faint colour comes with a valid one near it", async () => {
  await using site = openSite();
  const root = await signUpMember(site, "root", { role: "admin" });
  const refused = async (section: string, typed: Record<string, string>) =>
    root.submit(await root.open(PAGE_PATH), `${PAGE_PATH}/${section}`, typed);
  const faint = await refused("look", { accent: "#ffd700" });
  expect(faint.status).toBe(422);
  const [, near = ""] = /a darker colour, such as (#[0-9a-f]{6})/.exec(visibleText(faint.html)) ?? [];
  expect(await attributesOf(faint.html, "input[name=accent]", "value")).toEqual(["#ffd700"]);
  expect(communitySettingsOf(site.core).accent).toBe("");
  await refused("look", { accent: near });
  expect(communitySettingsOf(site.core).accent).toBe(near);
  for (const [section, typed] of [
    ["look", { accent: "red" }],
    ["name", { contact: "javascript:alert(1)" }],
    ["name", { name: "x".repeat(41) }],
    ["place", { zone: "Mars/Phobos" }],
    ["newcomers", { newcomerDays: "many" }],
    ["newcomers", { newcomerPost: "post_nothing" }],
  ] as const) {
    const page = await refused(section, typed);
    expect([section, page.status >= 400, /class="fault(?:-box)?"/.test(page.html)]).toEqual([
      section,
      true,
      true,
    ]);
  }
  expect(communitySettingsOf(site.core)).toMatchObject({
    name: "Guildhall",
    contact: "",
    zone: "UTC",
    newcomerDays: 3,
  });
});

test("a preview shows a colour or a text and saves nothing", async () => {
  await using site = openSite();
  const root = await signUpMember(site, "root", { role: "admin" });
  const page = await root.submit(await root.open(PAGE_PATH), `${PAGE_PATH}/look`, {
    accent: "#0b6e5f",
    preview: "1",
  });
  expect(await attributesOf(page.html, "#accent-preview text", "fill")).toContain("#0b6e5f");
  expect(visibleText(page.html)).toMatch(/Light mode: contrast of at least \d\.\d:1 #0b6e5f/);
  const text = await root.submit(await root.open(PAGE_PATH), `${PAGE_PATH}/texts`, {
    rules: "Be **kind**",
    preview: "1",
  });
  expect(text.html).toContain("Be <strong>kind</strong>");
  expect(communitySettingsOf(site.core)).toMatchObject({ accent: "", rules: "" });
});

test("the page needs an admin with a recent sign-in; members get 404", async () => {
  await using site = openSite();
  const [root, ada] = [await signUpMember(site, "root", { role: "admin" }), await signUpMember(site, "ada")];
  expect((await ada.open(PAGE_PATH)).status).toBe(404);
  expect((await visit(site).open(PAGE_PATH)).forms[0]?.action).toBe("/sign-in");
  const page = await root.open(PAGE_PATH);
  site.clock.pass(HOUR);
  const shownPage = await root.submit(page, `${PAGE_PATH}/name`, { name: "Stolen" });
  expect(visibleText(shownPage.html)).toContain("Confirm it’s you");
  expect(communitySettingsOf(site.core).name).toBe("Guildhall");
});

test("a stale or incomplete form changes only the fields that it sent", async () => {
  await using site = openSite();
  const { core } = site;
  const root = await signUpMember(site, "root", { role: "owner" });
  const stood = await root.open(PAGE_PATH);
  changeCommunitySettings(core, OPERATOR, { reading: "members", line: "Wax and wane" });
  await root.submit(stood, `${PAGE_PATH}/doors`, { joining: "approval" });
  await root.submit(stood, `${PAGE_PATH}/name`, { name: "Weavers" });
  expect(communitySettingsOf(core)).toMatchObject({
    reading: "members",
    joining: "approval",
    line: "Wax and wane",
    name: "Weavers",
  });
  await root.post(`${PAGE_PATH}/doors`, { form_token: tokenOf(stood), joining: "open" });
  expect(communitySettingsOf(core)).toMatchObject({ reading: "members", joining: "open" });
  // The language changes between a refused form and its second try. The second try keeps the new language.
  const page = await root.open(PAGE_PATH);
  changeCommunitySettings(core, OPERATOR, { language: "de" });
  const again = await root.submit(page, `${PAGE_PATH}/place`, { zone: "nowhere" });
  await root.submit(again, `${PAGE_PATH}/place`, { zone: "Europe/Berlin" });
  expect(communitySettingsOf(core)).toMatchObject({ language: "de", zone: "Europe/Berlin" });
});

test("page, command and API set the same brakes, which apply to the next post", async () => {
  await using site = openSite({ signup: "open" });
  const { core } = site;
  const root = await signUpMember(site, "root", { role: "admin" });
  const { token } = createMemberToken(core, "root", ["admin"]);
  const from = { address: "203.0.113.7", agent: "" };
  await signUp(core, from, { username: "nia", password: PASSWORD });
  const nia = createMemberToken(core, "nia", undefined, "personal").caller;
  const brakeOf = (text: string): string | undefined => {
    const { id } = createPost(core, nia, { text });
    return heldAmong(core, [id]).get(id)?.brake;
  };
  const ways: Record<string, (word: string, hosts: string, holds: boolean) => Promise<unknown>> = {
    page: async (heldWords, heldLinkHosts, holds) =>
      root.submit(await root.open(PAGE_PATH), `${PAGE_PATH}/brakes`, {
        ...{ heldWords, heldLinkHosts, holdNewcomerLinks: `${holds}`, reportsToHide: "4", equalTexts: "5" },
      }),
    command: (word, hosts, holds) =>
      command(site, [
        ...["community", "set", "--held-words", word, "--held-link-hosts", hosts],
        ...["--hold-newcomer-links", holds ? "yes" : "no", "--reports-to-hide", "4", "--equal-texts", "5"],
      ]),
    api: (held_words, held_link_hosts, holds) =>
      call(site, token, "PATCH /community/settings", {
        body: { held_words, held_link_hosts, hold_newcomer_links: holds, reports_to_hide: 4, equal_texts: 5 },
      }),
  };
  for (const [way, set] of Object.entries(ways)) {
    const [word, host] = [`${way}word`, `${way}.example`];
    await set(word, host, false);
    expect([way, communitySettingsOf(core)]).toMatchObject([
      way,
      { heldWords: word, heldLinkHosts: host, holdNewcomerLinks: false, reportsToHide: 4, equalTexts: 5 },
    ]);
    const brakes = [`A ${word}`, `https://a.${host}/`, "https://new.example/"].map(brakeOf);
    expect([way, brakes]).toEqual([way, ["held_word", "held_host", undefined]]);
    await set("", "", true);
    expect([way, [`A ${word}`, `https://a.${host}/`].map(brakeOf)]).toEqual([
      way,
      [undefined, "newcomer_links"],
    ]);
  }
});
