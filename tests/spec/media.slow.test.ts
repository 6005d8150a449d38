// docs/contract.md#4.21
import { expect, test } from "bun:test";
import { existsSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { deletePost, unhidePost, hidePost } from "../../src/core/community/feed/removal.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { editPost } from "../../src/core/community/feed/revisions.ts";
import { dropUnusedMedia, sweepMedia } from "../../src/core/community/media/media.ts";
import { pictureStorageOf } from "../../src/core/community/media/picture-storage.ts";
import { DAY, HOUR, MINUTE } from "../../src/core/base/clock.ts";
import { suspendBuilder } from "../moderate.ts";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { createBuilder } from "../../src/core/identity/accounts/administration.ts";
import { openSession } from "../../src/core/identity/accounts/sessions.ts";
import { makeToken } from "../../src/core/delegation/tokens/token-format.ts";
import { createToken, revokeToken } from "../../src/core/delegation/tokens/tokens.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import type { Scope } from "../../src/core/identity/access/scopes.ts";
import { cookieJar } from "../../src/web/request/cookies.ts";
import { graph } from "../graphql/ask.ts";
import { BUILDER_SCOPES, createMemberToken, type TestServer, createMember } from "../support.ts";
import { openGallery, urlOf, send, sent, type SentMedia } from "../media/gallery.ts";
import * as made from "../media/sample-images.ts";

const code = async (answer: Response) =>
  [answer.status, ((await answer.json()) as { code: string }).code] as const;

function files({ folder }: Pick<TestServer, "folder">): string[] {
  const root = join(folder, "media");
  return readdirSync(root)
    .filter((name) => !name.startsWith("."))
    .flatMap((shelf) => readdirSync(join(root, shelf)))
    .sort();
}

test("an uploaded picture has its description and all sizes, and only its sender can open it until content shows it", async () => {
  await using server = openGallery();
  const ada = createMember(server.core, "ada").token;
  const first = await send(server, ada, made.png(700, 350), "A queue, all green");
  expect(first.status).toBe(201);
  const media = (await first.json()) as { id: string; url: string };
  expect(media).toEqual({
    id: expect.stringMatching(/^med_/),
    url: expect.stringMatching(/^https:\/\/guild\.test\/media\/[0-9a-f]{40}-700\.webp$/),
    width: 700,
    height: 350,
    alt: "A queue, all green",
  } as never);
  expect(files(server).map((name) => name.slice(40))).toEqual(["-160.webp", "-480.webp", "-700.webp"]);
  expect((await fetch(urlOf(server, media))).status).toBe(404);
  expect(readdirSync(join(server.folder, "media", ".incoming"))).toEqual([]);
});

test("an upload without permission is refused before the body is read, and a file that is not a picture is refused with a message", async () => {
  await using server = openGallery({ policy: { signup: "invite", quotaMedia: 2_000, mediaMax: 10_000 } });
  const picture = made.png(100, 100);
  expect(await code(await send(server, undefined, picture))).toEqual([401, "credentials_invalid"]);
  const ada = createMember(server.core, "ada", undefined, "personal").token;
  const scopes = BUILDER_SCOPES.filter((name) => name !== "media:write");
  const reading = createMemberToken(server.core, "ada", scopes).token;
  expect(await code(await send(server, reading, picture))).toEqual([403, "scope_missing"]);
  expect(await code(await send(server, ada, Buffer.from("hello")))).toEqual([422, "picture_unknown"]);
  expect(await code(await send(server, ada, Buffer.alloc(0)))).toEqual([400, "file_missing"]);
  expect(await code(await send(server, ada, picture, "a".repeat(501)))).toEqual([400, "text_too_long"]);
  const large = await send(server, ada, Buffer.alloc(17 * 1024 * 1024), "too large");
  expect(await code(large)).toEqual([400, "upload_too_long"]);
  const json = await server.request(ada, "/media", { method: "POST", body: { alt: "a" } });
  expect(await code(json)).toEqual([400, "upload_not_sent_as_form"]);
  const raw = (body: string, type = "multipart/form-data; boundary=x") =>
    fetch(`${server.url}/v1/media`, {
      method: "POST",
      headers: { authorization: `Bearer ${ada}`, "content-type": type },
      body,
    });
  server.clock.pass(MINUTE);
  const part = (name: string, more = "") =>
    `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\nabc\r\n`;
  const file = '; filename="a.png"';
  expect(await code(await raw("", "multipart/form-data"))).toEqual([400, "upload_not_sent_as_form"]);
  expect(await code(await raw(part("file", file)))).toEqual([400, "body_broken_off"]);
  expect(await code(await raw(`${part("file", file)}${part("file", file)}--x--\r\n`))).toEqual([
    400,
    "upload_malformed",
  ]);
  expect(await code(await raw(`${part("other", file)}--x--\r\n`))).toEqual([400, "upload_malformed"]);
  const notText = `--x\r\nContent-Disposition: form-data; name="alt"\r\n\r\n`;
  const bytes = Buffer.concat([
    Buffer.from(notText),
    Buffer.from([0xff, 0xfe]),
    Buffer.from("\r\n--x--\r\n"),
  ]);
  expect(await code(await raw(bytes as never))).toEqual([400, "body_not_utf8"]);
  server.clock.pass(MINUTE);
  // Two pictures exceed 2 KB, the pictures of five members exceed 10 KB.
  for (let i = 0; i < 20 && (await send(server, ada, made.png(300, 300, i))).status === 201; i++);
  expect(await code(await send(server, ada, picture))).toEqual([409, "media_over_quota"]);
  const cleo = createMember(server.core, "cleo").token;
  for (let i = 0; i < 40 && (await send(server, cleo, made.png(300, 300, 100 + i))).status === 201; i++);
  expect(await code(await send(server, cleo, picture))).toEqual([409, "media_full"]);
  expect(readdirSync(join(server.folder, "media", ".incoming"))).toEqual([]);
});

test("an Idempotency-Key encodes a picture once, and refuses a different picture", async () => {
  await using server = openGallery();
  const ada = createMember(server.core, "ada").token;
  const key = { "idempotency-key": "holiday" };
  const first = await (await send(server, ada, made.png(200, 100), "a", key)).json();
  const again = await send(server, ada, made.png(200, 100), "a", key);
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(await again.json()).toEqual(first);
  expect(await code(await send(server, ada, made.png(200, 101), "a", key))).toEqual([
    422,
    "idempotency_key_reused",
  ]);
});

test("unused pictures are deleted after a day, and files without a row after an hour", async () => {
  await using server = openGallery();
  const { core, clock, folder } = server;
  const ada = createMember(core, "ada").token;
  await sent(server, ada, made.png(200, 100));
  const kept = files(server);
  clock.pass(DAY - MINUTE);
  await dropUnusedMedia(core);
  await sweepMedia(core, pictureStorageOf(core));
  expect(files(server)).toEqual(kept);
  clock.pass(2 * MINUTE);
  await dropUnusedMedia(core);
  // Files younger than an hour are kept, because a new file may not have its row yet.
  for (const [i, name] of kept.entries()) {
    const age = clock.now() - (i === 0 ? HOUR - MINUTE : HOUR + MINUTE);
    utimesSync(join(folder, "media", name.slice(0, 2), name), age / 1000, age / 1000);
  }
  await sweepMedia(core, pictureStorageOf(core));
  expect(files(server)).toEqual(kept.slice(0, 1));
  expect(existsSync(join(folder, "media"))).toBe(true);
});

const SHOWS = `query ($id: ID!) { post(id: $id) { media pictures { media url width height alt srcset } } }`;

async function shownIn(server: TestServer, token: string, id: string) {
  const { body } = await graph(server, token, SHOWS, { variables: { id } });
  expect(body.errors).toBeUndefined();
  return body.data.post as { media: string[]; pictures: Record<string, unknown>[] };
}

const statusOf = async (server: TestServer, media: SentMedia, headers: Record<string, string> = {}) =>
  (await fetch(urlOf(server, media), { headers })).status;

test("a post shows its author's pictures beside external links, and pictures are served as immutable, inert files", async () => {
  await using server = openGallery();
  const [ada, bo] = [createMember(server.core, "ada"), createMember(server.core, "bo")];
  const picture = await sent(server, ada.token, made.png(600, 300), "Green");
  const elsewhere = "https://images.example.com/a.png";
  const body = { text: "look", media: [elsewhere, picture.id] };
  expect(await code(await server.request(bo.token, "/feed", { method: "POST", body }))).toEqual([
    422,
    "media_unknown",
  ]);
  const posted = await server.request(ada.token, "/feed", { method: "POST", body });
  expect(posted.status).toBe(201);
  const { id } = (await posted.json()) as { id: string };
  const shown = await shownIn(server, bo.token, id);
  const address = (width: number) => picture.url.replace("-600.", `-${width}.`);
  expect(shown).toEqual({
    media: [elsewhere, picture.url],
    pictures: [
      {
        media: picture.id,
        url: picture.url,
        width: 600,
        height: 300,
        alt: "Green",
        srcset: `${address(160)} 160w, ${address(480)} 480w, ${address(600)} 600w`,
      },
    ],
  });
  const served = await fetch(urlOf(server, { url: address(480) }));
  expect(served.status).toBe(200);
  expect(Object.fromEntries(served.headers)).toMatchObject({
    "content-type": "image/webp",
    "cache-control": "public, max-age=31536000, immutable",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "cross-origin",
    "x-content-type-options": "nosniff",
  });
  const bytes = await served.bytes();
  expect((await new Bun.Image(bytes).metadata()).width).toBe(480);
  const known = { "if-none-match": served.headers.get("etag") ?? "" };
  expect((await fetch(urlOf(server, { url: address(480) }), { headers: known })).status).toBe(304);
  for (const odd of ["-481.webp", "-480.png", "-480.webp/..", ".webp"])
    expect((await fetch(urlOf(server, { url: picture.url.replace("-600.webp", odd) }))).status).toBe(404);
});

test("only the sender can use a picture as avatar; GraphQL returns the avatar, and a suspended builder's is not served", async () => {
  await using server = openGallery();
  const [ada, bo] = [createMember(server.core, "ada"), createMember(server.core, "bo")];
  const { id, url } = await sent(server, ada.token, made.png(600, 600));
  const put = (token: string, media: string) =>
    server.request(token, "/profiles/me/avatar", { method: "PUT", body: { media } });
  expect(await code(await put(bo.token, id))).toEqual([422, "media_unknown"]);
  const avatar = url.replace("-600.", "-480.");
  const identicon = "https://guild.test/crests/ada.svg";
  expect(await (await put(ada.token, id)).json()).toEqual({ avatar, crest: identicon });
  const query = `{ builders { nodes { username avatar crest } } }`;
  const nodes = async () => (await graph(server, bo.token, query)).body.data.builders.nodes as object[];
  expect(await nodes()).toContainEqual({ username: "ada", avatar, crest: identicon });
  expect(await statusOf(server, { url } as SentMedia)).toBe(200);
  server.core.db.prepare("UPDATE builders SET suspended_at = 1 WHERE username = 'ada'").run();
  expect(await statusOf(server, { url } as SentMedia)).toBe(404);
});

test("a picture is deleted with the last post or revision that shows it; a hidden post's picture is private", async () => {
  await using server = openGallery();
  const { core } = server;
  const ada = createMember(core, "ada");
  const picture = await sent(server, ada.token, made.png(200, 100));
  const post = (text: string) => createPost(core, ada.caller, { text, media: [picture.id] }).id;
  const [first, second] = [post("one"), post("two")];
  const reply = replyTo(core, ada.caller, first, { text: "three", media: [picture.id] }).id;
  deletePost(core, ada.caller, second);
  expect(await statusOf(server, picture)).toBe(200);
  // If an edit names the picture by URL, the post keeps the picture. If an edit omits the picture, the edit
  // history keeps it.
  editPost(core, ada.caller, first, { text: "one!", media: [picture.url] });
  expect((await shownIn(server, ada.token, first)).pictures).toHaveLength(1);
  deletePost(core, ada.caller, reply);
  editPost(core, ada.caller, first, { media: [] });
  expect((await shownIn(server, ada.token, first)).pictures).toEqual([]);
  expect(await statusOf(server, picture)).toBe(200);
  core.db.transact(() => hidePost(core, first));
  expect(await statusOf(server, picture)).toBe(404);
  const { secret } = core.db.transact(() =>
    openSession(core, ada.caller.builderId ?? "", { address: "127.0.0.1", agent: "Firefox" }),
  );
  const cookie = { cookie: `${cookieJar(core.origin).session}=${secret}` };
  const own = await fetch(urlOf(server, picture), { headers: cookie });
  expect([own.status, own.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
  core.db.transact(() => unhidePost(core, first));
  expect(await statusOf(server, picture)).toBe(200);
  deletePost(core, ada.caller, first);
  expect(await statusOf(server, picture)).toBe(404);
  expect(core.db.prepare("SELECT id FROM media").all()).toEqual([]);
});

test("docs/contract.md#4.22: a post shows its pictures where its text names them, on its page and in the graph, and shows no other post's", async () => {
  await using server = openGallery();
  const { token, caller } = createMember(server.core, "ada");
  const [one, two] = [
    await sent(server, token, made.png(200, 100), "One"),
    await sent(server, token, made.png(100, 200), "Two"),
  ];
  const text = `Look:\n\n![](${new URL(one.url).pathname}) ![elsewhere](https://e.example/a.png)`;
  const post = createPost(server.core, caller, { text, media: [one.id, two.id] });
  const other = createPost(server.core, caller, { text });
  const page = async (id: string) => (await fetch(`${server.url}/posts/${id}`)).text();
  const images = (html: string) =>
    [...html.matchAll(/<img src="([^"]*)"[^>]* alt="([^"]*)"/g)].map((found) => found.slice(1, 3));
  const path = (url: string) => new URL(url).pathname;
  // Only the picture that the text does not show is listed below the text.
  expect(images(await page(post.id))).toEqual([
    [path(one.url), "One"],
    [path(two.url), "Two"],
  ]);
  expect(images(await page(other.id))).toEqual([]);
  const ask = "query($id: ID!) { post(id: $id) { textHtml } }";
  const html = async (id: string) =>
    (await graph(server, token, ask, { variables: { id } })).body.data.post.textHtml as string;
  expect(images(await html(post.id))).toEqual([[one.url, "One"]]);
  expect(images(await html(other.id))).toEqual([]);
});

/** Returns the headers of all kinds of callers who request pictures. */
function callers({ core }: TestServer) {
  const ada = createMember(core, "ada");
  const without = BUILDER_SCOPES.filter((scope) => scope !== "feed:read");
  const session = ({ caller }: { caller: { builderId: string | null } }) => {
    const { secret } = core.db.transact(() =>
      openSession(core, caller.builderId ?? "", { address: "127.0.0.1", agent: "Firefox" }),
    );
    return { cookie: `${cookieJar(core.origin).session}=${secret}` };
  };
  const bearer = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` });
  const bo = createMember(core, "bo");
  createBuilder(core, OPERATOR, { username: "cleo", name: "Cleo", role: "admin" });
  const cleo = createMemberToken(core, "cleo", [...BUILDER_SCOPES, "admin"]);
  const revoked = createMemberToken(core, "ada");
  const headers: Record<string, Record<string, string>> = {
    stranger: {},
    "sender's session": session(ada),
    "sender's token": bearer(ada),
    "sender's token without feed:read": bearer(createMemberToken(core, "ada", without)),
    "sender's revoked token": bearer(revoked),
    "other's session": session(bo),
    "other's token": bearer(bo),
    "other's token without feed:read": bearer(createMemberToken(core, "bo", without)),
    "admin's session": session(cleo),
    "admin's token": bearer(cleo),
    "no token": { authorization: "Basic YTpi" },
  };
  revokeToken(core, OPERATOR, revoked.caller.credentialId ?? "");
  return { ada, headers };
}

/**
 * Returns status and cache headers per caller. The two widths, GET, HEAD and conditional requests must all
 * agree.
 */
async function answersOf(
  server: TestServer,
  { url }: SentMedia,
  headers: Record<string, Record<string, string>>,
) {
  const answers: Record<string, string> = {};
  for (const [who, own] of Object.entries(headers)) {
    const reported = new Set<string>();
    for (const width of [160, 600]) {
      const path = urlOf(server, { url: url.replace("-600.", `-${width}.`) });
      const known = { ...own, "if-none-match": `"${/([0-9a-f]{40}-\d+)/.exec(path)?.[1]}"` };
      for (const init of [
        { headers: own },
        { headers: own, method: "HEAD" },
        { headers: { ...own, range: "bytes=0-9" } },
        { headers: known },
      ]) {
        const answer = await fetch(path, init);
        const isProvided = [200, 206, 304].includes(answer.status);
        const type = isProvided ? undefined : answer.headers.get("etag");
        reported.add(
          [isProvided ? "given" : answer.status, answer.headers.get("cache-control"), type].join(" "),
        );
        if (init.headers === known && isProvided) expect(answer.status).toBe(304);
        if (init.method === "HEAD") expect(await answer.text()).toBe("");
      }
    }
    answers[who] = [...reported].join(" or ");
  }
  return answers;
}

const NOT_HERE = "404 private, no-store ";

test("over every route a token with `feed:read` opens the same pictures as its owner's session; other tokens open only what guests see", async () => {
  await using server = openGallery();
  const { core } = server;
  const { ada, headers } = callers(server);
  const picture = await sent(server, ada.token, made.png(600, 300), "Green");
  const all = (answer: string) =>
    Object.fromEntries(Object.keys(headers).map((username) => [username, answer]));
  const some = (answer: string, otherwise: string, ...usernames: string[]) => ({
    ...all(otherwise),
    ...Object.fromEntries(usernames.map((each) => [each, answer])),
  });
  const own = ["sender's session", "sender's token"];
  const members = [...own, "other's session", "other's token", "admin's session", "admin's token"];
  const requestAll = () => answersOf(server, picture, headers);

  // If no content shows the picture yet, only the uploader can see the picture.
  expect(await requestAll()).toEqual(some("given private, no-store ", NOT_HERE, ...own));
  changeCommunitySettings(core, OPERATOR, { reading: "members" });
  expect(await requestAll()).toEqual(some("given private, no-store ", NOT_HERE, ...own));

  const { id } = createPost(core, ada.caller, { text: "look", media: [picture.id] });
  expect(await requestAll()).toEqual(some("given private, no-cache ", NOT_HERE, ...members));
  changeCommunitySettings(core, OPERATOR, { reading: null });
  expect(await requestAll()).toEqual(all("given public, max-age=31536000, immutable "));

  core.db.transact(() => hidePost(core, id));
  const moderators = ["admin's session", "admin's token"];
  expect(await requestAll()).toEqual(some("given private, no-store ", NOT_HERE, ...own, ...moderators));

  // A suspended uploader has no sessions and no tokens.
  core.db.transact(() => unhidePost(core, id));
  changeCommunitySettings(core, OPERATOR, { reading: "members" });
  suspendBuilder(core, OPERATOR, "ada");
  expect((await requestAll())["sender's token"]).toBe(NOT_HERE);
  deletePost(core, ada.caller, id);
  expect(await requestAll()).toEqual(all(NOT_HERE));
});

test("pictures cost no requests; invalid tokens on picture requests use up only the guesses of their address", async () => {
  await using server = openGallery({ env: { GUILDHALL_TRUSTED_PROXIES: "127.0.0.1" } });
  const ada = createMember(server.core, "ada");
  const picture = await sent(server, ada.token, made.png(100, 100));
  const requestFrom = async (token: string, from: string) => {
    const own = { authorization: `Bearer ${token}`, "x-forwarded-for": from };
    return (await fetch(urlOf(server, picture), { headers: own })).status;
  };
  const remaining = async () =>
    Number((await server.request(ada.token, "/profiles/me")).headers.get("x-ratelimit-remaining"));

  const before = await remaining();
  for (let i = 0; i < 5; i++) expect(await requestFrom(ada.token, "203.0.113.1")).toBe(200);
  expect(await remaining()).toBe(before - 1);

  // Invalid tokens from one network address cause no more database lookups than the rate limit of that
  // address allows.
  for (let i = 0; i < 200; i++)
    expect(await requestFrom(makeToken(server.core.random), "203.0.113.1")).toBe(404);
  const scopes: Scope[] = ["feed:read"];
  const { token: fresh } = createToken(server.core, OPERATOR, "ada", {
    name: "Fresh",
    scopes,
    tier: "personal",
  });
  expect(await requestFrom(fresh, "203.0.113.1")).toBe(404);
  expect(await requestFrom(fresh, "203.0.113.2")).toBe(200);
});

test("a description of invisible characters counts as empty", async () => {
  await using server = openGallery();
  const { token } = createMember(server.core, "ada");
  for (const blank of [" ", "\u200b", "\u2800\u3164", " \u00ad\n", "\u202e\u2066\u2069", "\u{e0001}"])
    expect([blank, (await sent(server, token, made.png(10, 10), blank)).alt]).toEqual([blank, ""]);
  for (const seen of ["\u200ba", "👩\u200d🚀", " a "])
    expect((await sent(server, token, made.png(10, 10), seen)).alt).toBe(seen);
});
