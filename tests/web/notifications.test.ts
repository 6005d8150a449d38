// Tests docs/contract.md#4.15 on pages.
import { expect, test } from "bun:test";
import { report } from "../../src/core/services/moderation/reports.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { likePost } from "../../src/core/community/feed/likes.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { createJobFilter } from "../../src/core/community/jobs/job-filters.ts";
import { publishJob } from "../../src/core/community/jobs/jobs.ts";
import { SCOPE_NAMES } from "../../src/core/identity/access/scopes.ts";
import { notifyOfMember } from "../../src/core/identity/accounts/administration.ts";
import { graph } from "../graphql/ask.ts";
import { jobDraft } from "../spec/rows.ts";
import { createMemberToken, createMember } from "../support.ts";
import { callerOf } from "./sample-site.ts";
import { createAccountOf, openSite, signedInAs, type Visitor, visibleText } from "./support.ts";
import { pathOf } from "./site-with-members.ts";

/** Returns the counts in a page's frame: the bell and the menu entries. */
async function counts(visitor: Visitor, path = "/builders"): Promise<Record<string, string>> {
  const { html } = await visitor.open(path);
  const places = [
    ...html.matchAll(
      /href="\/(\w+)"(?:(?!<\/a>).)*<span class="count"(?! data-unread="\w+" hidden)[^>]*><span>([\d+]+)/gs,
    ),
  ];
  return Object.fromEntries(places.map(([, place = "", count = ""]) => [place, count]));
}

/** Returns the sentences of a list, newest first. */
async function sentences(visitor: Visitor, path = "/notifications"): Promise<string[]> {
  const { html } = await visitor.open(path);
  return [...html.matchAll(/<p class="row-title"[^>]*>(.*?)<\/p>/gs)].map(([, said = ""]) =>
    visibleText(said).trim().replaceAll(/\s+/g, " "),
  );
}

test("the bell counts on every page, and notifications are sentences that link to their subject and become read", async () => {
  await using site = openSite();
  const { core } = site;
  await createAccountOf(site, "ada", { role: "admin" });
  const ada = signedInAs(site, "ada");
  const caller = callerOf(site, ada);
  const [bo, cy, dee] = ["bo", "cy", "dee"].map((name) => createMember(core, name).caller);
  if (!bo || !cy || !dee) throw new Error("a member is missing");
  const hostile = "<b>Shipped</b> & gone";
  const post = createPost(core, caller, { text: hostile });
  createJobFilter(core, caller, { name: "rust", stack: ["rust"] });
  for (const liker of [bo, cy, dee]) likePost(core, liker, post.id);
  const reply = replyTo(core, bo, post.id, { text: "Does it keep the order?" });
  publishJob(core, bo, jobDraft({ title: "Rust engineer" }));
  report(core, cy, { kind: "post", id: post.id }, { reason: "No" });

  expect(await counts(ada)).toEqual({ jobs: "1", admin: "1", notifications: "5" });
  expect(await sentences(ada)).toEqual([
    "Unread: 1 open case",
    "Unread: Rust engineer matches one of your job filters",
    "Unread: Bo replied: Does it keep the order?",
    "Unread: Dee and 2 others like Shipped & gone",
    "Unread: You earned a badge: First post",
  ]);
  expect((await ada.open("/notifications")).html).not.toContain("<b>Shipped");

  // Opening the page of matches marks all matches as read. Other notifications are marked one by one.
  await ada.open("/jobs/matches");
  expect(await counts(ada)).toEqual({ admin: "1", notifications: "4" });
  const list = await ada.open("/notifications?kind=reply");
  const [, there = ""] = /href="(\/notifications\/ntf_\w+)"/.exec(list.html) ?? [];
  expect((await ada.open(there)).headers.get("location")).toBe(`/posts/${reply.id}`);
  expect(await sentences(ada, "/notifications/unread")).toEqual([
    "Unread: 1 open case",
    "Unread: Dee and 2 others like Shipped & gone",
    "Unread: You earned a badge: First post",
  ]);
  const guest = signedInAs(site, "bo");
  const [, likes = ""] =
    /href="(\/notifications\/ntf_\w+)"/.exec((await ada.open("/notifications?kind=like")).html) ?? [];
  expect((await guest.open(likes)).headers.get("location")).toBe("/notifications");

  const all = await ada.open("/notifications");
  const read = await ada.submit(all, "/notifications/read");
  expect(pathOf(read)).toBe("/notifications");
  expect(await counts(ada)).toEqual({ admin: "1" });
  expect(visibleText((await ada.open("/notifications/unread")).html)).toContain("You have read everything");
});

test("a member sets a channel for each kind, and cannot set kinds that the page does not offer", async () => {
  await using site = openSite();
  await createAccountOf(site, "ada");
  const ada = signedInAs(site, "ada");
  const page = await ada.open("/settings/notifications");
  expect(page.html).not.toContain('name="report_waiting"');
  const chosen = (html: string, kind: string) =>
    new RegExp(`name="${kind}" value="(\\w+)" checked`).exec(html)?.[1];
  expect(["like", "reply", "job_match"].map((kind) => chosen(page.html, kind))).toEqual([
    "here",
    "push",
    "push",
  ]);
  const saved = await ada.submit(page, "/settings/notifications", { like: "off", reply: "here" });
  expect(visibleText(saved.html)).toContain("Changes saved.");
  expect(["like", "reply", "job_match"].map((kind) => chosen(saved.html, kind))).toEqual([
    "off",
    "here",
    "push",
  ]);
  // The form does not change a kind that uses a channel which the page does not offer.
  const rows = site.core.db.prepare("SELECT kind, reach FROM notification_settings ORDER BY kind").all();
  expect(rows).toEqual([
    { kind: "like", reach: "off" },
    { kind: "reply", reach: "here" },
  ]);
  // A preset sets all kinds. docs/contract.md#9.45.3
  expect(visibleText(page.html)).toContain("Your settings equal “About me”.");
  expect(visibleText(saved.html)).toContain("Your settings are custom");
  const quiet = await ada.submit(page, "/settings/notifications", { preset: "quiet" });
  expect(visibleText(quiet.html)).toContain("Your settings equal “Quiet”.");
  expect(["like", "reply", "sign_in"].map((kind) => chosen(quiet.html, kind))).toEqual([
    "here",
    "here",
    "push",
  ]);
});

test("joining members are one notification for an admin until read, on pages, REST and GraphQL", async () => {
  await using site = openSite();
  const { core } = site;
  await createAccountOf(site, "root", { role: "admin" });
  const { token } = createMemberToken(core, "root", SCOPE_NAMES);
  const root = signedInAs(site, "root");
  let joined = 0;
  const join = (count: number): void => {
    for (const last = joined + count; joined < last;) {
      const { builderId, username } = createMember(core, `new${++joined}`).caller;
      core.db.transact(() => notifyOfMember(core, { id: builderId ?? "", username }));
    }
  };
  join(12);

  expect(await sentences(root)).toEqual(["Unread: New12 and 11 others joined"]);
  const rest = await (await site.request(token, "/notifications?kind=member_joined")).json();
  expect(rest.data).toMatchObject([
    { count: 12, subject: { type: "members", url: `${core.origin}/admin/builders` } },
  ]);
  expect(rest.data[0].actors.map(({ username }: { username: string }) => username)).toContain("new12");
  const query =
    "{ viewer { notifications(first: 5, kind: member_joined) { nodes { count subjectType actors { username } } } } }";
  const { body } = await graph(site, token, query);
  expect(body.data.viewer.notifications.nodes).toMatchObject([{ count: 12, subjectType: "members" }]);

  // After this notification is read, the next new members start another group.
  const [, to = ""] =
    /href="(\/notifications\/ntf_\w+)"/.exec((await root.open("/notifications")).html) ?? [];
  expect(pathOf(await root.follow(await root.open(to)))).toBe("/admin/builders");
  join(1);
  expect(await sentences(root)).toEqual(["Unread: New13 joined", "New12 and 11 others joined"]);
});
