import { expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { hide } from "../moderate.ts";
import { listReports } from "../../src/core/services/moderation/reports.ts";
import { openTestServer } from "../support.ts";
import { callerOf } from "./sample-site.ts";
import { attributesOf, contentsOf, visibleText } from "./support.ts";
import {
  postWithoutForm,
  JOB,
  openSiteWithMembers,
  pathOf,
  postWithText,
  PROMPT,
  publishPost,
} from "./site-with-members.ts";

test("a post with tags and media is on the feed, on its tag pages and on its own page", async () => {
  await using site = await openSiteWithMembers();
  const { ada, guest } = site;
  const shownPage = await ada.submit(await ada.open("/"), "/posts", {
    text: "# Shipped\r\n\r\nThe **queue** is out.",
    tags: "Rust, #shipped",
    media: "https://images.example.com/a.png\r\nhttps://images.example.com/b.mp4",
  });
  expect(visibleText(shownPage.html)).toContain("Post published.");
  for (const path of ["/", "/?tag=rust", "/?tag=shipped", pathOf(shownPage)]) {
    const page = await guest.open(path);
    expect(`${path} ${page.status} ${visibleText(page.html).includes("The queue is out.")}`).toBe(
      `${path} 200 true`,
    );
    expect(await attributesOf(page.html, ".media a", "href")).toEqual([
      "https://images.example.com/a.png",
      "https://images.example.com/b.mp4",
    ]);
    expect(page.html).not.toContain("<img");
    const actions = page.forms.filter(({ method }) => method === "post").map(({ action }) => action);
    expect(actions).toEqual(["/language"]);
  }
});

test("a post that is too long comes back whole with its length, counted in characters as people see them", async () => {
  await using site = await openSiteWithMembers();
  const long = "🦀".repeat(2001);
  const page = await publishPost(site.ada, long);
  expect(page.status).toBe(400);
  expect(visibleText(page.html)).toContain("2,001 of 2,000 characters");
  expect(page.forms.flatMap(({ fields }) => fields)).toContainEqual(["text", long]);
  expect((await publishPost(site.ada, long.slice(2))).status).toBe(200);
});

test("a reply is listed under its post and has its own page, which links back to the conversation", async () => {
  await using site = await openSiteWithMembers();
  const { ada, bob, guest } = site;
  const post = await publishPost(ada, "A loom");
  const action = `${pathOf(post)}/replies`;
  const first = await bob.submit(await bob.open(pathOf(post)), action, { text: "Does it keep the order?" });
  expect(pathOf(first)).toBe(pathOf(post));
  const reply = postWithText(first, "Does it keep the order?");
  await ada.submit(await ada.open(pathOf(post)), action, { text: "It does." });
  // An answer to a reply is shown in the same conversation, below that reply.
  await bob.submit(await bob.open(reply), `${reply}/replies`, { text: "Neat." });

  const own = visibleText((await guest.open(reply)).html);
  const order = ["A loom", "3 replies", "Does it keep the order\\?", "Neat\\.", "It does\\."];
  expect(own).toMatch(new RegExp(order.join(".*")));
  expect(own).toContain("Sign in to reply.");
  const all = visibleText((await guest.open(pathOf(post))).html);
  for (const text of ["Does it keep the order?", "It does.", "Neat."]) expect(all).toContain(text);

  const empty = await bob.submit(await bob.open(pathOf(post)), action, { text: "  " });
  expect(empty.status).toBe(400);
  expect(await attributesOf(empty.html, "#text", "aria-invalid")).toEqual(["true"]);
});

test("a long conversation is paged, also from the page of a reply and after a refused reply", async () => {
  await using site = await openSiteWithMembers();
  const { ada, guest } = site;
  const post = pathOf(await publishPost(ada, "A loom"));
  let third = "";
  for (let i = 1; i <= 24; i++) {
    const reply = await ada.submit(await ada.open(post), `${post}/replies`, { text: `Reply number ${i}.` });
    if (i === 3) third = postWithText(reply, "Reply number 3.");
  }
  const refused = await ada.submit(await ada.open(post), `${post}/replies`, { text: " " });
  for (const page of [await guest.open(post), refused]) {
    const [more = ""] = await attributesOf(page.html, "a[rel=next]", "href");
    expect(visibleText(page.html)).not.toContain("Reply number 21.");
    expect(visibleText((await guest.open(more)).html)).toMatch(/Reply number 21\..*Reply number 24\./);
  }
  const after = await guest.open(third);
  const [more = ""] = await attributesOf(after.html, "a[rel=next]", "href");
  expect(visibleText(after.html)).toMatch(/Reply number 3\. .*Reply number 4\. .*Reply number 23\./);
  expect(visibleText((await guest.open(more)).html)).toMatch(/Reply number 3\. .*Reply number 24\./);
});

test("a like counts once however often the button is pressed, and returns to the same page", async () => {
  await using fixture = await openSiteWithMembers();
  const { site, ada, bob } = fixture;
  const post = pathOf(await publishPost(ada, "A loom"));
  const id = post.split("/").at(-1) ?? "";
  const feed = await bob.open("/?tag=&notice=posted");
  const form = feed.forms.find(({ action }) => action === `${post}/like`);
  const pressed = await bob.post(`${post}/like`, Object.fromEntries(form?.fields ?? []));
  expect(pressed.location).toBe(`/?tag=#${id}`);
  await bob.post(`${post}/like`, Object.fromEntries(form?.fields ?? []));
  const liked = await bob.open(post);
  expect(await attributesOf(liked.html, ".like", "aria-pressed")).toEqual(["true"]);
  expect(visibleText(liked.html)).toContain("Like · 1");
  const unliked = await bob.submit(liked, `${post}/unlike`);
  expect(await attributesOf(unliked.html, ".like", "aria-pressed")).toEqual(["false"]);
  expect(visibleText(unliked.html)).not.toContain("Like ·");
  for (const back of ["https://evil.example/", "//evil.example", "/\\evil.example"])
    expect((await postWithoutForm(bob, `${post}/like`, { back })).location).toBe("/");
  expect(site.logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
});

test("an author deletes their own post with its replies after a confirmation, and no other member's post", async () => {
  await using fixture = await openSiteWithMembers();
  const { site, ada, bob } = fixture;
  const post = pathOf(await publishPost(ada, "A loom"));
  const reply = pathOf(await bob.submit(await bob.open(post), `${post}/replies`, { text: "Neat." }));
  const before = contentsOf(site);
  for (const page of [await bob.open(`${post}/delete`), await postWithoutForm(bob, `${post}/delete`)]) {
    expect(page.status).toBe(403);
    expect(visibleText(page.html)).toContain("Only the author of this post");
  }
  expect(contentsOf(site)).toBe(before);
  const confirmation = await ada.open(`${post}/delete`);
  expect(visibleText(confirmation.html)).toContain("All replies to this post are deleted too.");
  expect(contentsOf(site)).toBe(before);
  expect(visibleText((await ada.submit(confirmation, `${post}/delete`)).html)).toContain("Post deleted.");
  for (const path of [post, reply]) expect((await bob.open(path)).status).toBe(404);
});

test("hidden content is marked for its author, on its page and profile, and missing for other members", async () => {
  await using fixture = await openSiteWithMembers();
  const { site, ada, bob } = fixture;
  const post = pathOf(await publishPost(ada, "A loom"));
  site.core.db.transact(() => hide(site.core, OPERATOR, post.split("/").at(-1) ?? ""));
  for (const path of [post, "/@ada"]) {
    const page = await ada.open(path);
    expect(visibleText(page.html)).toContain("Hidden by the moderators");
    expect(page.forms.filter(({ action }) => /like|replies/.test(action))).toEqual([]);
  }
  expect((await bob.open(post)).status).toBe(404);
  expect(visibleText((await bob.open("/@ada")).html)).not.toContain("A loom");
});

test("a message is unread until its thread is opened, can be answered, and is counted in the navigation of every page", async () => {
  await using site = await openSiteWithMembers();
  const { ada, bob } = site;
  const compose = await bob.open(
    (await attributesOf((await bob.open("/@ada")).html, ".member a.primary", "href"))[0] ?? "",
  );
  const sent = await bob.submit(compose, "/messages", { text: "Saw your **loom**: shall we talk?" });
  expect(visibleText(sent.html)).toContain("Message sent.");
  const thread = pathOf(sent);
  for (const path of ["/", "/jobs", "/settings/profile", "/messages"])
    expect(visibleText((await ada.open(path)).html)).toContain("Messages 1 unread");
  // A prefetch does not mark the messages as read.
  await ada.open(thread, { headers: { "sec-purpose": "prefetch;prerender" } });
  expect(visibleText((await ada.open("/messages/requests")).html)).toMatch(
    /Messages 1 unread .*Saw your loom: shall we talk\?/,
  );
  expect(visibleText((await bob.open("/messages")).html)).not.toMatch(/[1-9]\d* unread/);
  const read = await ada.open(thread);
  expect(visibleText(read.html)).not.toMatch(/[1-9]\d* unread/);
  expect((await ada.submit(read, thread, { text: "  " })).status).toBe(400);
  expect(visibleText((await ada.submit(read, thread, { text: "Gladly." })).html)).toMatch(
    /Saw your loom.*You · .*Gladly\./,
  );
  expect(visibleText((await bob.open("/messages")).html)).toContain("1 unread");
});

test("a long thread starts with its newest messages, and going back reaches the first", async () => {
  await using site = await openSiteWithMembers();
  const { ada, bob } = site;
  const form = await bob.open("/messages/new?to=ada");
  let thread = "";
  for (let i = 1; i <= 25; i++)
    thread = pathOf(await bob.submit(form, "/messages", { text: `Message number ${i}.` }));
  const newest = await ada.open(thread);
  expect(visibleText(newest.html)).toMatch(/Message number 6\. .*Message number 25\./);
  expect(visibleText(newest.html)).not.toContain("Message number 5.");
  const [earlier = ""] = await attributesOf(newest.html, "a[rel=next]", "href");
  expect(visibleText((await ada.open(earlier)).html)).toMatch(/Message number 1\. .*Message number 5\./);
});

test("a blocked sender learns only that messages are not accepted, until they are unblocked", async () => {
  await using site = await openSiteWithMembers();
  const { ada, bob } = site;
  const blocked = await ada.submit(await ada.open("/@bob"), "/@bob/block");
  expect(visibleText(blocked.html)).toContain("You blocked this member");
  const refused = await bob.submit(await bob.open("/messages/new?to=ada"), "/messages", { text: "Hello?" });
  expect(refused.status).toBe(403);
  expect(visibleText(refused.html)).toContain("does not accept messages from you");
  expect(refused.forms.at(-1)?.fields).toContainEqual(["text", "Hello?"]);
  expect(visibleText((await bob.open("/@ada")).html)).not.toMatch(/blocked (?:you|this)/);
  await ada.submit(await ada.open("/messages/blocked"), "/@bob/unblock");
  expect((await bob.submit(refused, "/messages")).status).toBe(200);
  for (const to of ["nobody", "bob"]) {
    const odd = await bob.submit(await bob.open("/messages/new"), "/messages", { to, text: "Hello?" });
    expect(`${to} ${odd.status}`).toBe(`${to} ${to === "nobody" ? 404 : 422}`);
    expect(odd.forms.at(-1)?.fields).toContainEqual(["to", to]);
  }
});

test("a post, a prompt, a job and a builder can be reported with a reason that only moderators see", async () => {
  await using fixture = await openSiteWithMembers();
  const { site, ada, bob } = fixture;
  const { builderId } = callerOf(site, ada);
  const items = [
    pathOf(await publishPost(ada, "A loom")),
    pathOf(await ada.submit(await ada.open("/prompts/new"), "/prompts", PROMPT)),
    pathOf(await ada.submit(await ada.open("/jobs/new"), "/jobs", JOB)),
    "/@ada",
  ];
  for (const path of items) {
    const id = path === "/@ada" ? builderId : path.split("/").at(-1);
    expect(await attributesOf((await bob.open(path)).html, "a[href^='/report/']", "href")).toEqual([
      `/report/${id}`,
    ]);
    const form = await bob.open(`/report/${id}`);
    expect((await bob.submit(form, `/report/${id}`, { reason: " " })).status).toBe(400);
    const done = await bob.submit(form, `/report/${id}`, { reason: `Wrong: ${path}` });
    expect(pathOf(done)).toBe(path);
    expect(visibleText(done.html)).toContain("Thank you for your report.");
    expect(visibleText((await ada.open(path)).html)).not.toContain("Wrong:");
  }
  const { nodes } = listReports(site.core, OPERATOR, { state: "open" }, { limit: 10 });
  expect(nodes.map(({ reason, subject }) => [reason, subject.type]).toReversed()).toEqual([
    [`Wrong: ${items[0]}`, "post"],
    [`Wrong: ${items[1]}`, "prompt"],
    [`Wrong: ${items[2]}`, "job"],
    ["Wrong: /@ada", "builder"],
  ]);
  for (const id of ["nothing", "ws_01kafzq8e5f2r8v0j3n6s1t4wx", "post_01kafzq8e5f2r8v0j3n6s1t4wx"])
    expect((await bob.open(`/report/${id}`)).status).toBe(404);
});

test("the name of the community is in the header and the title of every page, as text", async () => {
  await using server = openTestServer({ env: { GUILDHALL_NAME: "Bees & <b>Friends</b>" } });
  for (const [path, title] of [
    ["/", "Bees & <b>Friends</b>"],
    ["/jobs", "Jobs · Bees & <b>Friends</b>"],
  ] as const) {
    const html = await (await fetch(`${server.url}${path}`)).text();
    expect(html).toMatch(new RegExp(`<title[^>]*>${Bun.escapeHTML(title)}</title>`));
    expect(html).toMatch(
      new RegExp(`class="brand-word" dir="auto">\\s*${Bun.escapeHTML("Bees & <b>Friends</b>")}\\s*</span>`),
    );
  }
});
