// Tests docs/contract.md#9.14: the stream and the script.
import { expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { LISTENERS_MAX } from "../../src/http/listeners.ts";
import { createMember } from "../support.ts";
import { createAccountOf, openSite, signedInAs, type Site, visit } from "./support.ts";

interface Told {
  id: string;
  posts: number;
  talks: string[];
  isCut: boolean;
  unread: { messages: number; notifications: number };
}

/** Opens the stream of a browser and returns its events in order, then undefined. */
async function listen(site: Site, username: string, after = "", headers: Record<string, string> = {}) {
  const cookies = [...signedInAs(site, username).cookies].map(([name, value]) => `${name}=${value}`);
  const answer = await fetch(`${site.url}/live${after}`, {
    headers: { ...headers, cookie: cookies.join("; ") },
  });
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  let text = "";
  return {
    answer,
    async next(): Promise<Told | undefined> {
      for (;;) {
        const found = /id: (\S*)\ndata: (.*)\n\n/.exec(text);
        if (found) {
          text = text.slice(found.index + found[0].length);
          return { id: found[1], ...JSON.parse(found[2] ?? "") };
        }
        const { done, value } = await reader.read();
        if (done) return undefined;
        text += Buffer.from(value).toString();
      }
    },
    close: () => reader.cancel(),
  };
}

test("a stream sends ids and counts without text, and resumes after the last event received", async () => {
  await using site = openSite();
  await createAccountOf(site, "ada");
  const bo = createMember(site.core, "bo").caller;
  const ada = await listen(site, "ada");
  expect(ada.answer.headers.get("content-type")).toContain("text/event-stream");
  expect(await ada.next()).toMatchObject({ posts: 0, talks: [], unread: { messages: 0, notifications: 0 } });

  const post = createPost(site.core, bo, { text: "a secret loom" });
  expect(await ada.next()).toMatchObject({ posts: 1, talks: [] });
  replyTo(site.core, bo, post.id, { text: "and a wheel" });
  expect(await ada.next()).toMatchObject({ posts: 0, talks: [post.id] });
  const { threadId } = sendMessage(site.core, bo, { to: "ada", text: "hello" });
  const last = await ada.next();
  expect(last).toMatchObject({ posts: 0, talks: [threadId], unread: { messages: 1, notifications: 1 } });
  await ada.close();

  // After an absence, new content is counted and deleted content is not. With an invalid position, the stream
  // starts from now.
  const gone = createPost(site.core, bo, { text: "gone" });
  deletePost(site.core, bo, gone.id);
  createPost(site.core, bo, { text: "stays" });
  replyTo(site.core, bo, post.id, { text: "more" });
  const back = await listen(site, "ada", `?after=${last?.id}`);
  const received = await back.next();
  expect(received).toMatchObject({ posts: 1, talks: [post.id], unread: { messages: 1 } });
  expect(JSON.stringify(received)).not.toMatch(/loom|hello|stays/);
  await back.close();
  for (const after of ["x", "..", "evt_1.post_2.msg_3", "a.b.c.d"]) {
    const odd = await listen(site, "ada", `?after=${after}`);
    expect([after, await odd.next()]).toEqual([after, expect.objectContaining({ posts: 0, talks: [] })]);
    await odd.close();
  }
});

test("a reconnect repeats nothing; after a long absence the stream reports many changes in bounded work", async () => {
  await using site = openSite();
  await createAccountOf(site, "ada");
  const bo = createMember(site.core, "bo").caller;
  const post = createPost(site.core, bo, { text: "a loom" });
  const began = await listen(site, "ada");
  const { id: start = "" } = (await began.next()) ?? {};
  for (let i = 0; i < 3; i++) createPost(site.core, bo, { text: "more" });
  let received = 0;
  let lastId = "";
  while (received < 3) {
    const result = await began.next();
    received += result?.posts ?? 0;
    lastId = result?.id ?? "";
  }
  await began.close();
  // A browser reconnects with the original URL.
  const again = await listen(site, "ada", `?after=${start}`, { "last-event-id": lastId });
  expect(await again.next()).toMatchObject({ posts: 0, talks: [], isCut: false });
  await again.close();

  const long = await listen(site, "ada", `?after=${start}`);
  expect(await long.next()).toMatchObject({ posts: 3, isCut: false });
  await long.close();
  site.core.db
    .prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
       INSERT INTO posts (id, author_id, parent_id, text, created_at)
       SELECT printf('post_%026d', i), author_id, id, 'x', 0 FROM posts CROSS JOIN n WHERE id = ?`,
    )
    .run(post.id);
  const back = await listen(site, "ada", `?after=${start}`);
  expect(await back.next()).toMatchObject({ talks: [post.id], isCut: true });
  replyTo(site.core, bo, post.id, { text: "now" });
  expect(await back.next()).toMatchObject({ talks: [post.id], isCut: false });
  await back.close();
});

test("a stream omits a member's own posts and other members' messages", async () => {
  await using site = openSite();
  await createAccountOf(site, "ada");
  const [bo, cy] = [createMember(site.core, "bo").caller, createMember(site.core, "cy").caller];
  const ada = await listen(site, "ada");
  await ada.next();
  createPost(site.core, { ...bo, builderId: seatOf(site, "ada"), username: "ada" }, { text: "mine" });
  sendMessage(site.core, bo, { to: "cy", text: "between us" });
  createPost(site.core, cy, { text: "theirs" });
  expect(await ada.next()).toMatchObject({ posts: 1, talks: [] });
  await ada.close();
});

const seatOf = (site: Site, username: string): string =>
  site.core.db.prepare<{ id: string }>("SELECT id FROM builders WHERE username = ?").get(username)?.id ?? "";

test("a stream needs a session and ends with it; a sixth stream of a member is refused", async () => {
  await using site = openSite();
  await createAccountOf(site, "ada");
  const stranger = await fetch(`${site.url}/live`);
  expect(stranger.status).toBe(401);
  const open = [];
  for (let i = 0; i < LISTENERS_MAX.each; i++) open.push(await listen(site, "ada"));
  expect((await listen(site, "ada")).answer.status).toBe(409);
  for (const stream of open) await stream.next();
  setSuspended(site.core, OPERATOR, "ada", true);
  expect(await Promise.all(open.map((stream) => stream.next()))).toEqual(open.map(() => undefined));
});

test("the script is on pages of signed-in members only, and all scripts are smaller than 12 kB compressed", async () => {
  await using site = openSite();
  await createAccountOf(site, "ada");
  const named = (html: string) => /<script src="(\/assets\/guildhall[^"]*)"/.exec(html)?.[1];
  const mine = await signedInAs(site, "ada").open("/");
  expect((await visit(site).open("/")).html).not.toContain("<script");
  expect(mine.headers.get("content-security-policy")).toContain("script-src 'self'");
  const script = await (await fetch(site.url + named(mine.html))).text();
  expect(script).toContain("new EventSource(");
  const all = [script];
  for (const name of [
    "/assets/passkeys.js",
    "/assets/push.js",
    "/assets/offline.js",
    "/assets/setup.js",
    "/push-worker.js",
  ])
    all.push(await (await fetch(site.url + name)).text());
  const sizes = all.map((text) => gzipSync(text).length);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(12_000);
});
