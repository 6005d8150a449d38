// Tests docs/contract.md#12.25: the page on which admins describe the community.
import { expect, test } from "bun:test";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { HOUR } from "../../src/core/base/clock.ts";
import { communitySettingsOf } from "../../src/core/identity/community-settings/community-settings.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { callerOf } from "./sample-site.ts";
import { attributesOf, openSite, signUpMember, tokenOf, visit, visibleText } from "./support.ts";

const HERE = "/admin/community";

test("admins change the community settings by section; an empty field uses the operator's value, and unchanged fields stay unset", async () => {
  await using site = openSite({ env: { GUILDHALL_NAME: "The Bees" } });
  const { core } = site;
  const root = await signUpMember(site, "root", { role: "admin" });
  const post = createPost(core, callerOf(site, root), { text: "Read this first" });
  const save = async (section: string, typed: Record<string, string>) =>
    root.submit(await root.open(HERE), `${HERE}/${section}`, typed);
  const saved = await save("name", { line: "Wax and wane", contact: "https://bees.example" });
  expect(visibleText(saved.html)).toContain("Changes saved.");
  // The form contained the operator's name, so the community has not set its own name.
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
  });
  const page = await root.open(HERE);
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
    root.submit(await root.open(HERE), `${HERE}/${section}`, typed);
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
    const shown = await refused(section, typed);
    expect([section, shown.status >= 400, /class="fault(?:-box)?"/.test(shown.html)]).toEqual([
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
  const look = await root.submit(await root.open(HERE), `${HERE}/look`, { accent: "#0b6e5f", preview: "1" });
  expect(await attributesOf(look.html, "#accent-preview text", "fill")).toContain("#0b6e5f");
  expect(visibleText(look.html)).toMatch(/Light mode: contrast of at least \d\.\d:1 #0b6e5f/);
  const text = await root.submit(await root.open(HERE), `${HERE}/texts`, {
    rules: "Be **kind**",
    preview: "1",
  });
  expect(text.html).toContain("Be <strong>kind</strong>");
  expect(communitySettingsOf(site.core)).toMatchObject({ accent: "", rules: "" });
});

test("the page needs an admin with a recent sign-in; members get 404", async () => {
  await using site = openSite();
  const [root, ada] = [await signUpMember(site, "root", { role: "admin" }), await signUpMember(site, "ada")];
  expect((await ada.open(HERE)).status).toBe(404);
  expect((await visit(site).open(HERE)).forms[0]?.action).toBe("/sign-in");
  const page = await root.open(HERE);
  site.clock.pass(HOUR);
  const shown = await root.submit(page, `${HERE}/name`, { name: "Stolen" });
  expect(visibleText(shown.html)).toContain("Confirm it’s you");
  expect(communitySettingsOf(site.core).name).toBe("Guildhall");
});

test("a stale or incomplete form changes only the fields that it sent", async () => {
  await using site = openSite();
  const { core } = site;
  const root = await signUpMember(site, "root", { role: "owner" });
  const stood = await root.open(HERE);
  changeCommunitySettings(core, OPERATOR, { reading: "members", line: "Wax and wane" });
  await root.submit(stood, `${HERE}/doors`, { joining: "approval" });
  await root.submit(stood, `${HERE}/name`, { name: "Weavers" });
  expect(communitySettingsOf(core)).toMatchObject({
    reading: "members",
    joining: "approval",
    line: "Wax and wane",
    name: "Weavers",
  });
  await root.post(`${HERE}/doors`, { form_token: tokenOf(stood), joining: "open" });
  expect(communitySettingsOf(core)).toMatchObject({ reading: "members", joining: "open" });
  // The same when the form is sent again after a refusal: the changed language is kept.
  const place = await root.open(HERE);
  changeCommunitySettings(core, OPERATOR, { language: "de" });
  const again = await root.submit(place, `${HERE}/place`, { zone: "nowhere" });
  await root.submit(again, `${HERE}/place`, { zone: "Europe/Berlin" });
  expect(communitySettingsOf(core)).toMatchObject({ language: "de", zone: "Europe/Berlin" });
});
