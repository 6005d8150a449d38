// docs/contract.md#12.40, 12.37 and 12.38: the pages of moderators, without scripts.
import { expect, test } from "bun:test";
import { createPost, findPost } from "../../src/core/community/feed/feed.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { hidePost } from "../../src/core/community/feed/removal.ts";
import { hold } from "../../src/core/community/holding/holding.ts";
import { changeRole } from "../../src/core/identity/accounts/administration.ts";
import { findInMemberList } from "../../src/core/identity/builders/member-list.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { decide } from "../../src/core/services/moderation/decisions.ts";
import { report } from "../../src/core/services/moderation/reports.ts";
import { undoDecision } from "../../src/core/services/moderation/undo.ts";
import { call } from "../spec/client.ts";
import { createMemberToken } from "../support.ts";
import { callerOf } from "./sample-site.ts";
import { openSite, signUpMember, type Site, visibleText } from "./support.ts";

async function people(site: Site) {
  const [ada, mo, bob] = await Promise.all([
    signUpMember(site, "ada"),
    signUpMember(site, "mo", { role: "moderator" }),
    signUpMember(site, "bob"),
  ]);
  const post = createPost(site.core, callerOf(site, bob), { text: "# Cheap followers" }).id;
  return { ada, mo, bob, post };
}

test("a moderator takes a case, adds a note, hides the post with a reason, and undoes it from the log", async () => {
  await using site = openSite();
  const { ada, mo, bob, post } = await people(site);
  report(site.core, callerOf(site, ada), { kind: "post", id: post }, { reason: "Spam <b>again</b>" });

  const list = await mo.open("/admin/cases");
  expect(visibleText(list.html)).toContain("Post: Cheap followers");
  const path = /href="(\/admin\/cases\/case_\w+)"/.exec(list.html)?.[1] ?? "";
  let page = await mo.submit(await mo.open(path), `${path}/take`);
  expect(visibleText(page.html)).toContain("You took this case");
  const may = await signUpMember(site, "may", { role: "moderator" });
  const others = await may.open(path);
  expect(visibleText(others.html)).toContain("Taken by @mo");
  const released = await may.submit(others, `${path}/release`);
  expect(visibleText((await may.submit(released, `${path}/take`)).html)).toContain("You took this case");
  page = await mo.submit(page, `${path}/notes`, { text: "The third time." });
  expect(visibleText(page.html)).toContain("The third time.");

  const refused = await mo.submit(page, `${path}/decide`, { act: "hide", reason: "" });
  expect(refused.status).toBe(422);
  expect(findPost(site.core, post)?.hiddenAt).toBeNull();
  page = await mo.submit(page, `${path}/decide`, { act: "hide", reason: "An advertisement." });
  expect(visibleText(page.html)).toContain("Decision made.");
  expect(findPost(site.core, post)?.hiddenAt).not.toBeNull();
  expect(visibleText((await mo.open("/admin/cases")).html)).not.toContain("Cheap followers");
  expect(visibleText((await mo.open("/admin/cases?state=closed")).html)).toContain("Cheap followers");

  const log = await mo.open("/admin/log?actor=mo&act=hide");
  expect(visibleText(log.html)).toContain("An advertisement.");
  const undo = log.forms.find(({ action }) => action.endsWith("/undo"))?.action ?? "";
  await mo.submit(log, undo);
  expect(findPost(site.core, post)?.hiddenAt).toBeNull();
  for (const address of [
    "/admin/cases",
    path,
    "/admin/log",
    "/admin/spam?username=ada",
    "/admin/bulk?act=warn",
  ])
    expect([address, (await bob.open(address)).status]).toEqual([address, 404]);
});

test("a moderator rejects a held post with a reason, and an undo puts it back into the queue", async () => {
  await using site = openSite();
  const { mo, bob, post } = await people(site);
  hidePost(site.core, post);
  const { builderId } = callerOf(site, bob);
  hold(
    site.core,
    { brake: "held_word", detail: "followers" },
    { subjectId: post, builderId, kind: "post", isNew: false },
  );
  let page = await mo.open(`/admin/cases/${post}`);
  expect(page.html).not.toContain('value="dismiss"');
  page = await mo.submit(page, /\/decide$/, { act: "hide", reason: "An advertisement." });
  expect(page.html).not.toContain('value="approve"');
  expect(visibleText((await bob.open("/settings/decisions")).html)).toContain("An advertisement.");
  expect(visibleText((await mo.open("/admin/cases")).html)).not.toContain("Cheap followers");
  await mo.submit(page, /\/undo$/);
  expect(visibleText((await mo.open("/admin/cases")).html)).toContain("Cheap followers");
  expect((await mo.open(`/admin/cases/${post}`)).html).toContain('value="approve"');
});

test("of two moderators who decide at once, by page and API, the second reads who decided", async () => {
  await using site = openSite();
  const { mo, post } = await people(site);
  const eve = await signUpMember(site, "eve", { role: "moderator" });
  const path = `/admin/cases/${post}`;
  const [mine, hers] = [await mo.open(path), await eve.open(path)];
  await mo.submit(mine, `${path}/decide`, { act: "hide", reason: "An advertisement." });
  const late = await eve.submit(hers, `${path}/decide`, { act: "lock", reason: "Too loud." });
  expect(late.status).toBe(409);
  for (const words of ["An advertisement.", "@mo, decided this case"])
    expect(visibleText(late.html)).toContain(words);

  const { token } = createMemberToken(site.core, "eve", ["moderation"]);
  const byApi = (act: "hide" | "restore", expected_version: number) =>
    call(site, token, `POST /moderation/${post}/decisions`, {
      body: { act, reason: "Off topic", expected_version },
    });
  const { body: refused, status } = await byApi("restore", 0);
  expect([status, refused.code, refused.params.username]).toEqual([409, "case_decided", "mo"]);
  const again = await mo.open(path);
  expect((await byApi("restore", 1)).status).toBe(201);
  const lost = await mo.submit(again, /\/decide$/, { act: "lock", reason: "Too loud." });
  expect([lost.status, visibleText(lost.html).includes("@eve, decided this case")]).toEqual([409, true]);
});

test("a reported message is on the page of its case, and acts apply to its author, by page and API", async () => {
  await using site = openSite();
  const { core } = site;
  const { ada, mo, bob } = await people(site);
  const { id } = sendMessage(core, callerOf(site, bob), { to: "ada", text: "Give me your password" });
  const path = `/admin/cases/${id}`;
  expect((await mo.open(path)).html).not.toContain("Give me your password");
  const { token } = createMemberToken(core, "mo", ["moderation"]);
  expect((await call(site, token, `GET /cases/${id}`)).text).not.toContain("Give me your password");
  report(core, callerOf(site, ada), { kind: "message", id }, { reason: "Phishing" });

  const page = await mo.open(path);
  for (const words of ["Give me your password", "Phishing", "@ada", "Direct message: @bob"])
    expect(visibleText(page.html)).toContain(words);
  const acts = [...page.html.matchAll(/name="act" value="(\w+)"/g)].map(([, act]) => act);
  expect(acts).toEqual(["warn", "limit", "suspend", "dismiss"]);
  expect(page.html).toContain("/admin/spam?username=bob");
  expect((await mo.submit(page, /\/decide$/, { act: "warn", reason: "Ask nobody." })).status).toBe(200);
  // A message cannot be hidden from the member who received it, nor its thread locked.
  const byApi = (act: string) =>
    call(site, token, `POST /moderation/${id}/decisions`, { body: { act, reason: "Ask nobody." } });
  for (const act of ["hide", "restore", "lock", "unlock", "approve"]) {
    const { status, body } = await byApi(act);
    expect([act, status, body.code]).toEqual([act, 422, "act_unfit"]);
  }
  for (const act of ["limit", "unlimit", "suspend", "unsuspend"])
    expect([act, (await byApi(act)).status]).toEqual([act, 201]);
  expect((await call(site, token, `GET /cases/${id}`)).body).toMatchObject({
    ...{ text: "Give me your password", subject: { type: "message", owner: "bob" } },
  });
  // The author does not learn which message was reported.
  const own = await call(site, createMemberToken(core, "bob").token, "GET /profiles/me/decisions");
  expect(own.body.data[0]).toMatchObject({ subject: null });
});

test("selected members are removed as spammers after a preview, and restored by one undo", async () => {
  await using site = openSite();
  const { mo, post } = await people(site);
  const wave = ["spam1", "spam2", "spam3"];
  for (const name of wave) {
    const member = await signUpMember(site, name);
    createPost(site.core, callerOf(site, member), { text: "Buy at https://cheap.example/now" });
  }
  const preview = await mo.open("/admin/spam?all=1&username=spam&newSince=day");
  const text = visibleText(preview.html);
  expect(text).toContain("3 accounts");
  expect(text).toContain("cheap.example");
  const done = await mo.submit(preview, "/admin/spam", { reason: "Spam." });
  expect(visibleText(done.html)).toContain("3 spammers deleted");
  for (const name of wave) expect(findInMemberList(site.core, OPERATOR, name).suspendedAt).not.toBeNull();
  // A refusal stops no other undo.
  changeRole(site.core, OPERATOR, "spam2", "moderator");
  const partly = await mo.submit(done, "/admin/spam/undo");
  expect([partly.status, visibleText(partly.html).includes("1 spammer deleted")]).toEqual([403, true]);
  const suspended = () =>
    wave.filter((name) => findInMemberList(site.core, OPERATOR, name).suspendedAt !== null);
  expect(suspended()).toEqual(["spam2"]);
  changeRole(site.core, OPERATOR, "spam2", "member");
  await mo.submit(partly, "/admin/spam/undo");
  expect(suspended()).toEqual([]);
  expect(findPost(site.core, post)?.hiddenAt).toBeNull();
});

test("content is filtered, selected and hidden together, and its authors are previewed as spammers", async () => {
  await using site = openSite();
  const { ada, mo, bob, post } = await people(site);
  const other = createPost(site.core, callerOf(site, ada), { text: "Good morning" }).id;
  const list = await mo.open("/admin/content?author=bob&kind=post");
  expect(visibleText(list.html)).toContain("Post: Cheap followers");
  expect(visibleText(list.html)).not.toContain("Good morning");
  expect((await bob.open("/admin/content")).status).toBe(404);
  const bulk = await mo.open("/admin/bulk?of=content&all=1&author=bob&act=hide");
  await mo.submit(bulk, "/admin/bulk", { act: "hide", reason: "An advertisement." });
  expect(findPost(site.core, post)?.hiddenAt).not.toBeNull();
  expect(findPost(site.core, other)?.hiddenAt).toBeNull();
  const spam = visibleText((await mo.open("/admin/spam?of=content&all=1&author=bob")).html);
  expect(spam).toContain("@bob");
  expect(spam).not.toContain("@ada");
});

test("a filter that names no member shows the form again, with the error beside the field", async () => {
  await using site = openSite();
  const root = await signUpMember(site, "root", { role: "admin" });
  for (const [path, action, field] of [
    ["/admin/content?author=nobody", "/admin/content", "author"],
    ["/admin/content?network=nobody", "/admin/content", "network"],
    ["/admin/builders?inviter=nobody", "/admin/builders", "inviter"],
    ["/admin/bulk?act=warn&all=1&inviter=nobody", "/admin/builders", "inviter"],
    ["/admin/bulk?act=hide&of=content&all=1&author=nobody", "/admin/content", "author"],
    ["/admin/spam?of=content&all=1&author=nobody", "/admin/content", "author"],
    ["/admin/spam?username=nobody", "/admin/builders", "username"],
    ["/admin/log/undo?moderator=nobody&since=2026-11-20T09:30", "/admin/log/undo", "moderator"],
  ] as const) {
    const { status, forms, html } = await root.open(path);
    const hasError = html.includes(`id="${field}-error">There is no member with this username.`);
    expect([path, status, forms.some((form) => form.action === action), hasError]).toEqual([
      path,
      422,
      true,
      true,
    ]);
  }
});

test("selected members are warned together, and refused members are named", async () => {
  await using site = openSite();
  const { mo } = await people(site);
  const root = await signUpMember(site, "root", { role: "admin" });
  const ids = ["ada", "bob", "root"].map((name) => findInMemberList(site.core, OPERATOR, name).id);
  const query = new URLSearchParams([["act", "warn"], ...ids.map((id) => ["id", id])]);
  const page = await mo.submit(await mo.open(`/admin/bulk?${query}`), "/admin/bulk", {
    act: "warn",
    reason: "Please stay polite.",
  });
  expect(visibleText(page.html)).toContain("@root");
  expect(visibleText((await root.open("/admin/log?actor=mo")).html)).toContain("@ada");
});

test("an admin undoes everything that a moderator decided since a moment", async () => {
  await using site = openSite();
  const { mo, post } = await people(site);
  const root = await signUpMember(site, "root", { role: "admin" });
  const start = new Date(site.clock.now() - 60_000).toISOString().slice(0, 16);
  await mo.submit(await mo.open(`/admin/cases/${post}`), `/admin/cases/${post}/decide`, {
    act: "hide",
    reason: "I do not like it.",
  });
  const preview = await root.open(`/admin/log/undo?moderator=mo&since=${start}`);
  expect(visibleText(preview.html)).toContain("Cheap followers");
  for (const since of ["", "&since=", "&since=yesterday"]) {
    const refused = await root.open(`/admin/log/undo?moderator=mo${since}`);
    expect([refused.status, visibleText(refused.html)]).toEqual([
      400,
      expect.stringContaining("Enter a date and a time"),
    ]);
    expect(refused.html).toContain('value="mo"');
  }
  const sent = await root.submit(preview, "/admin/log/undo", { since: "yesterday" });
  expect([sent.status, visibleText(sent.html)]).toEqual([
    400,
    expect.stringContaining("Enter a date and a time"),
  ]);
  await root.submit(preview, "/admin/log/undo");
  expect(findPost(site.core, post)?.hiddenAt).toBeNull();
  // The preview shows what the moderator undid, too.
  const { id } = decide(site.core, OPERATOR, post, { act: "hide", reason: "Spam." });
  undoDecision(site.core, callerOf(site, mo), id);
  const lifted = await root.open(`/admin/log/undo?moderator=@mo&since=${start}`);
  expect(visibleText(lifted.html)).toContain("Undo 1 decision");
  await root.submit(lifted, "/admin/log/undo");
  expect(findPost(site.core, post)?.hiddenAt).not.toBeNull();
  expect((await mo.open("/admin/log/undo?moderator=root")).status).toBe(404);
});
