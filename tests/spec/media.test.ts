// docs/contract.md#4.21
import { expect, test } from "bun:test";
import { existsSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { deletePost, putBack, takeDown } from "../../src/core/community/feed/removal.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { editPost } from "../../src/core/community/feed/revisions.ts";
import { dropUnusedMedia, sweepMedia } from "../../src/core/community/media/media.ts";
import { shopOf } from "../../src/core/community/media/shop.ts";
import { DAY, HOUR, MINUTE } from "../../src/core/ground/clock.ts";
import { openSession } from "../../src/core/identity/accounts/sessions.ts";
import { cookieJar } from "../../src/web/request/cookies.ts";
import { graph } from "../graphql/ask.ts";
import { BUILDER_SCOPES, enrol, type House, moveIn } from "../support.ts";
import { openGallery, placeOf, send, sent, type SentMedia } from "../pictures/gallery.ts";
import * as made from "../pictures/made.ts";

const code = async (answer: Response) =>
  [answer.status, ((await answer.json()) as { code: string }).code] as const;

/** The files of a house's pictures, by their names. */
function files({ folder }: Pick<House, "folder">): string[] {
  const root = join(folder, "media");
  return readdirSync(root)
    .filter((name) => !name.startsWith("."))
    .flatMap((shelf) => readdirSync(join(root, shelf)))
    .sort();
}

test("a picture is sent with its words, is there in each size, and belongs to nobody else before it is shown", async () => {
  await using house = openGallery();
  const ada = moveIn(house.core, "ada").token;
  const first = await send(house, ada, made.png(700, 350), "A queue, all green");
  expect(first.status).toBe(201);
  const media = (await first.json()) as { id: string; url: string };
  expect(media).toEqual({
    id: expect.stringMatching(/^med_/),
    url: expect.stringMatching(/^https:\/\/guild\.test\/media\/[0-9a-f]{40}-700\.webp$/),
    width: 700,
    height: 350,
    alt: "A queue, all green",
  } as never);
  expect(files(house).map((name) => name.slice(40))).toEqual(["-160.webp", "-480.webp", "-700.webp"]);
  // Nothing shows it: an address alone opens nothing.
  expect((await fetch(placeOf(house, media))).status).toBe(404);
  expect(readdirSync(join(house.folder, "media", ".incoming"))).toEqual([]);
});

test("whoever may not send one is refused before it is read, and what is no picture in words", async () => {
  await using house = openGallery({ policy: { signup: "invite", quotaMedia: 2_000, mediaMax: 10_000 } });
  const picture = made.png(100, 100);
  expect(await code(await send(house, undefined, picture))).toEqual([401, "credentials_invalid"]);
  const ada = moveIn(house.core, "ada", undefined, "personal").token;
  const scopes = BUILDER_SCOPES.filter((name) => name !== "media:write");
  const reading = enrol(house.core, "ada", scopes).token;
  expect(await code(await send(house, reading, picture))).toEqual([403, "scope_missing"]);
  expect(await code(await send(house, ada, Buffer.from("hello")))).toEqual([422, "picture_unknown"]);
  expect(await code(await send(house, ada, Buffer.alloc(0)))).toEqual([400, "file_missing"]);
  expect(await code(await send(house, ada, picture, "a".repeat(501)))).toEqual([400, "text_too_long"]);
  const large = await send(house, ada, Buffer.alloc(17 * 1024 * 1024), "too large");
  expect(await code(large)).toEqual([400, "upload_too_long"]);
  const json = await house.ask(ada, "/media", { method: "POST", body: { alt: "a" } });
  expect(await code(json)).toEqual([400, "upload_not_sent_as_form"]);
  const raw = (body: string, type = "multipart/form-data; boundary=x") =>
    fetch(`${house.url}/v1/media`, {
      method: "POST",
      headers: { authorization: `Bearer ${ada}`, "content-type": type },
      body,
    });
  house.clock.pass(MINUTE);
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
  house.clock.pass(MINUTE);
  // Two of them are over two kilobytes; and five members over ten.
  for (let i = 0; i < 20 && (await send(house, ada, made.png(300, 300, i))).status === 201; i++);
  expect(await code(await send(house, ada, picture))).toEqual([409, "media_over_quota"]);
  const cleo = moveIn(house.core, "cleo").token;
  for (let i = 0; i < 40 && (await send(house, cleo, made.png(300, 300, 100 + i))).status === 201; i++);
  expect(await code(await send(house, cleo, picture))).toEqual([409, "media_full"]);
  expect(readdirSync(join(house.folder, "media", ".incoming"))).toEqual([]);
});

test("an Idempotency-Key has a picture drawn once, and another picture under it is refused", async () => {
  await using house = openGallery();
  const ada = moveIn(house.core, "ada").token;
  const key = { "idempotency-key": "holiday" };
  const first = await (await send(house, ada, made.png(200, 100), "a", key)).json();
  const again = await send(house, ada, made.png(200, 100), "a", key);
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(await again.json()).toEqual(first);
  expect(await code(await send(house, ada, made.png(200, 101), "a", key))).toEqual([
    422,
    "idempotency_key_reused",
  ]);
});

test("what nothing ever showed goes after a day, and files that no row names after an hour", async () => {
  await using house = openGallery();
  const { core, clock, folder } = house;
  const ada = moveIn(core, "ada").token;
  await sent(house, ada, made.png(200, 100));
  const kept = files(house);
  clock.pass(DAY - MINUTE);
  await dropUnusedMedia(core);
  await sweepMedia(core, shopOf(core));
  expect(files(house)).toEqual(kept);
  clock.pass(2 * MINUTE);
  await dropUnusedMedia(core);
  // A file that is new may be about to have its row.
  for (const [i, name] of kept.entries()) {
    const age = clock.now() - (i === 0 ? HOUR - MINUTE : HOUR + MINUTE);
    utimesSync(join(folder, "media", name.slice(0, 2), name), age / 1000, age / 1000);
  }
  await sweepMedia(core, shopOf(core));
  expect(files(house)).toEqual(kept.slice(0, 1));
  expect(existsSync(join(folder, "media"))).toBe(true);
});

const SHOWS = `query ($id: ID!) { post(id: $id) { media pictures { media url width height alt srcset } } }`;

async function shownIn(house: House, token: string, id: string) {
  const { body } = await graph(house, token, SHOWS, { variables: { id } });
  expect(body.errors).toBeUndefined();
  return body.data.post as { media: string[]; pictures: Record<string, unknown>[] };
}

const statusOf = async (house: House, media: SentMedia, headers: Record<string, string> = {}) =>
  (await fetch(placeOf(house, media), { headers })).status;

test("a post shows its author's pictures beside addresses elsewhere, and they are served for good and for nothing else", async () => {
  await using house = openGallery();
  const [ada, bo] = [moveIn(house.core, "ada"), moveIn(house.core, "bo")];
  const picture = await sent(house, ada.token, made.png(600, 300), "Green");
  const elsewhere = "https://images.example.com/a.png";
  const body = { text: "look", media: [elsewhere, picture.id] };
  expect(await code(await house.ask(bo.token, "/feed", { method: "POST", body }))).toEqual([
    422,
    "media_unknown",
  ]);
  const posted = await house.ask(ada.token, "/feed", { method: "POST", body });
  expect(posted.status).toBe(201);
  const { id } = (await posted.json()) as { id: string };
  const shown = await shownIn(house, bo.token, id);
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
  const served = await fetch(placeOf(house, { url: address(480) }));
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
  expect((await fetch(placeOf(house, { url: address(480) }), { headers: known })).status).toBe(304);
  for (const odd of ["-481.webp", "-480.png", "-480.webp/..", ".webp"])
    expect((await fetch(placeOf(house, { url: picture.url.replace("-600.webp", odd) }))).status).toBe(404);
});

test("nobody shows another one's picture beside their name; GraphQL has it by the builder, and a suspended one shows none", async () => {
  await using house = openGallery();
  const [ada, bo] = [moveIn(house.core, "ada"), moveIn(house.core, "bo")];
  const { id, url } = await sent(house, ada.token, made.png(600, 600));
  const put = (token: string, media: string) =>
    house.ask(token, "/profiles/me/avatar", { method: "PUT", body: { media } });
  expect(await code(await put(bo.token, id))).toEqual([422, "media_unknown"]);
  const avatar = url.replace("-600.", "-480.");
  const crest = "https://guild.test/crests/ada.svg";
  expect(await (await put(ada.token, id)).json()).toEqual({ avatar, crest });
  const query = `{ builders { nodes { username avatar crest } } }`;
  const nodes = async () => (await graph(house, bo.token, query)).body.data.builders.nodes as object[];
  expect(await nodes()).toContainEqual({ username: "ada", avatar, crest });
  expect(await statusOf(house, { url } as SentMedia)).toBe(200);
  house.core.db.prepare("UPDATE builders SET suspended_at = 1 WHERE username = 'ada'").run();
  expect(await statusOf(house, { url } as SentMedia)).toBe(404);
});

test("a picture goes with the last post that shows it, also once it was edited, and a hidden one shows it to few", async () => {
  await using house = openGallery();
  const { core } = house;
  const ada = moveIn(core, "ada");
  const picture = await sent(house, ada.token, made.png(200, 100));
  const post = (text: string) => createPost(core, ada.caller, { text, media: [picture.id] }).id;
  const [first, second] = [post("one"), post("two")];
  const reply = replyTo(core, ada.caller, first, { text: "three", media: [picture.id] }).id;
  deletePost(core, ada.caller, second);
  expect(await statusOf(house, picture)).toBe(200);
  // By its address it stays among what the post shows, and left out it stays in what the post has said.
  editPost(core, ada.caller, first, { text: "one!", media: [picture.url] });
  expect((await shownIn(house, ada.token, first)).pictures).toHaveLength(1);
  deletePost(core, ada.caller, reply);
  editPost(core, ada.caller, first, { media: [] });
  expect((await shownIn(house, ada.token, first)).pictures).toEqual([]);
  expect(await statusOf(house, picture)).toBe(200);
  core.db.transact(() => takeDown(core, first));
  expect(await statusOf(house, picture)).toBe(404);
  const { secret } = core.db.transact(() =>
    openSession(core, ada.caller.builderId ?? "", { address: "127.0.0.1", agent: "Firefox" }),
  );
  const cookie = { cookie: `${cookieJar(core.origin).session}=${secret}` };
  const own = await fetch(placeOf(house, picture), { headers: cookie });
  expect([own.status, own.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
  core.db.transact(() => putBack(core, first));
  expect(await statusOf(house, picture)).toBe(200);
  deletePost(core, ada.caller, first);
  expect(await statusOf(house, picture)).toBe(404);
  expect(core.db.prepare("SELECT id FROM media").all()).toEqual([]);
});

test("docs/contract.md#4.22: a picture of a post stands where its text names it, on its page and in the graph, and in no other post", async () => {
  await using house = openGallery();
  const { token, caller } = moveIn(house.core, "ada");
  const [one, two] = [
    await sent(house, token, made.png(200, 100), "One"),
    await sent(house, token, made.png(100, 200), "Two"),
  ];
  const text = `Look:\n\n![](${new URL(one.url).pathname}) ![elsewhere](https://e.example/a.png)`;
  const post = createPost(house.core, caller, { text, media: [one.id, two.id] });
  const other = createPost(house.core, caller, { text });
  const page = async (id: string) => (await fetch(`${house.url}/posts/${id}`)).text();
  const images = (html: string) =>
    [...html.matchAll(/<img src="([^"]*)"[^>]* alt="([^"]*)"/g)].map((found) => found.slice(1, 3));
  const path = (url: string) => new URL(url).pathname;
  // The one in the text, and the other one below.
  expect(images(await page(post.id))).toEqual([
    [path(one.url), "One"],
    [path(two.url), "Two"],
  ]);
  expect(images(await page(other.id))).toEqual([]);
  const ask = "query($id: ID!) { post(id: $id) { textHtml } }";
  const html = async (id: string) =>
    (await graph(house, token, ask, { variables: { id } })).body.data.post.textHtml as string;
  expect(images(await html(post.id))).toEqual([[one.url, "One"]]);
  expect(images(await html(other.id))).toEqual([]);
});
