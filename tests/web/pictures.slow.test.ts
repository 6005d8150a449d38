// docs/contract.md#4.21: pictures on pages without scripts.
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { inProcessEncoder } from "../media/gallery.ts";
import * as made from "../media/sample-images.ts";
import { dropUnusedMedia } from "../../src/core/community/media/media.ts";
import { DAY, MINUTE } from "../../src/core/base/clock.ts";
import { setPictureStorage } from "../../src/core/community/media/picture-storage.ts";
import { createPictureStorage } from "../../src/media/picture-storage.ts";
import { COLOURS, drawIdenticon, LIGHT_COLOURS } from "../../src/web/identicon.ts";
import {
  formsOf,
  openSite,
  signUpMember,
  sendForm,
  type ShownPage,
  type Site,
  type Visitor,
} from "./support.ts";

test("posts and replies show their picture in place, and a file that is not a picture shows an error beside its field", async () => {
  await using site = openSite();
  setPictureStorage(site.core, createPictureStorage(site.folder, inProcessEncoder()));
  const ada = await signUpMember(site, "ada");
  const feed = await ada.open("/");
  expect(feed.html).toContain('enctype="multipart/form-data"');
  const typed = { text: "Look", alt: 'A "queue"' };
  const posted = await sendForm(site, ada, feed, "/posts", typed, made.png(600, 200));
  expect(posted.status).toBe(303);
  const location = (posted.headers.get("location") ?? "").replace(/\?.*/, "");
  const post = await ada.open(location);
  const [, image = ""] = /<img ([^>]*)>/.exec(post.html) ?? [];
  const path = /src="([^"]*)"/.exec(image)?.[1] ?? "";
  expect(path).toMatch(/^\/media\/[0-9a-f]{40}-600\.webp$/);
  expect(image).toContain(`srcset="${path.replace("-600", "-160")} 160w, `);
  expect(image).toContain('width="600" height="200"');
  expect(image).toContain('loading="lazy"');
  expect(image).toContain('alt="A &#34;queue&#34;"');
  expect((await fetch(site.url + path)).status).toBe(200);
  const replied = await sendForm(site, ada, post, `${location}/replies`, { text: "And" }, made.png(300, 200));
  const reply = await ada.open((replied.headers.get("location") ?? "").replace(/\?.*/, ""));
  expect(reply.html.match(/<img /g)).toHaveLength(2);
  const bare = await sendForm(site, ada, feed, "/posts", { text: "Words alone" });
  expect(bare.status).toBe(303);
  const wrong = await sendForm(site, ada, feed, "/posts", { text: "Look" }, Buffer.from("GIF89a"));
  expect(wrong.status).toBe(422);
  expect(await wrong.text()).toContain("This image is incomplete or damaged");
  const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  expect((await sendForm(site, ada, feed, "/posts", typed, made.png(9, 9), foreign)).status).toBe(403);
  const old = { ...typed, form_token: "x".repeat(43) };
  expect((await sendForm(site, ada, feed, "/posts", old, made.png(9, 9))).status).toBe(403);
  expect(site.core.db.prepare("SELECT count(*) AS n FROM media").get()).toEqual({ n: 2 });
  expect(readdirSync(join(site.folder, "media", ".incoming"))).toEqual([]);
});

test("an edit keeps the pictures of a post, removes a ticked one, adds one, and changes nothing else", async () => {
  await using site = openSite();
  const { core, url } = site;
  setPictureStorage(core, createPictureStorage(site.folder, inProcessEncoder()));
  const ada = await signUpMember(site, "ada");
  const typed = { text: "Look", alt: "First", media: "https://video.example/1" };
  const posted = await sendForm(site, ada, await ada.open("/"), "/posts", typed, made.png(600, 200));
  const location = (posted.headers.get("location") ?? "").replace(/\?.*/, "");
  const edit = `${location}/edit`;
  const kept = () => core.db.prepare<{ media: string }>("SELECT media FROM posts").get()?.media ?? "";
  const alts = () =>
    JSON.parse(kept()).map((item: string | { alt: string }) => (typeof item === "string" ? item : item.alt));
  const tickOf = (html: string, alt: string) =>
    new RegExp(`alt="${alt}"[^>]*><input type="checkbox" name="drop" value="(med_[^"]+)"`).exec(html)?.[1] ??
    "";
  const first = await ada.open(edit);
  expect(first.html).toMatch(/src="\/media\/[0-9a-f]{40}-160\.webp" alt="First"/);
  expect(first.html).toContain(">https://video.example/1</textarea>");
  const before = kept();
  expect((await sendForm(site, ada, first, edit, { text: "Look!", drop: "" })).status).toBe(303);
  expect(kept()).toBe(before);
  // A preview or a refused form keeps the ticked checkboxes and removes no picture.
  const drop = tickOf(first.html, "First");
  const blank = await sendForm(site, ada, await ada.open(edit), edit, { text: "", drop });
  expect([blank.status, (await blank.text()).includes(`value="${drop}" checked`)]).toEqual([400, true]);
  expect(
    (
      await sendForm(
        site,
        ada,
        await ada.open(edit),
        edit,
        { text: "!", drop: "", alt: "Second" },
        made.png(300, 200),
      )
    ).status,
  ).toBe(303);
  expect(alts()).toEqual(["Second", "First", "https://video.example/1"]);
  const full = { text: "!", drop: "", media: "https://a.example\nhttps://b.example" };
  expect((await sendForm(site, ada, await ada.open(edit), edit, full, made.png(9, 9))).status).toBe(400);
  const gone = await sendForm(site, ada, await ada.open(edit), edit, { text: "!", drop, media: "" });
  expect([gone.status, alts()]).toEqual([303, ["Second"]]);
  expect(core.db.prepare("SELECT alt FROM media WHERE is_used = 1 ORDER BY id").all()).toEqual([
    { alt: "First" },
    { alt: "Second" },
  ]);
  expect(
    (await fetch(`${url}${/src="([^"]*)" alt="Second"/.exec((await ada.open(edit)).html)?.[1]}`)).status,
  ).toBe(200);
});

test("a member replaces their identicon with a picture and back, and identicons are stable and have enough contrast", async () => {
  await using site = openSite();
  const { core, folder, url } = site;
  setPictureStorage(core, createPictureStorage(folder, inProcessEncoder()));
  const ada = await signUpMember(site, "ada");
  const settings = await ada.open("/settings/profile");
  const own = drawIdenticon("ada");
  expect(own).toBe(drawIdenticon("ada"));
  expect(own).not.toBe(drawIdenticon("bob"));
  expect(settings.html).toContain(own);
  const shown = await sendForm(site, ada, settings, "/settings/profile/avatar", {}, made.png(600, 600));
  expect(shown.headers.get("location")).toContain("notice=saved");
  const after = await ada.open("/settings/profile");
  expect(after.html).not.toContain(own);
  const [, path = ""] = /<img class="avatar[^"]*" src="([^"]*)" alt=""/.exec(after.html) ?? [];
  expect(path).toMatch(/-480\.webp$/);
  expect((await fetch(url + path)).status).toBe(200);
  const second = await sendForm(site, ada, after, "/settings/profile/avatar", {}, made.png(300, 300));
  expect(second.status).toBe(303);
  expect((await fetch(url + path)).status).toBe(404);
  expect(core.db.prepare("SELECT is_avatar FROM media").all()).toEqual([{ is_avatar: 1 }]);
  await ada.submit(await ada.open("/settings/profile"), "/settings/profile/avatar/remove");
  expect((await ada.open("/settings/profile")).html).toContain(own);
  expect(core.db.prepare("SELECT 1 FROM media").all()).toEqual([]);
  const file = await fetch(`${url}/crests/ada.svg`);
  expect([
    file.status,
    file.headers.get("content-type"),
    file.headers.get("content-security-policy"),
  ]).toEqual([200, "image/svg+xml", "default-src 'none'; sandbox"]);
  expect(await file.text()).toContain(own);
  expect((await fetch(`${url}/crests/%3Cscript%3E.svg`)).status).toBe(404);
  const light = (colour: string): number => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const pairs = COLOURS.flatMap((colour) =>
    LIGHT_COLOURS.map((bright) => (light(bright) + 0.05) / (light(colour) + 0.05)),
  );
  expect(Math.min(...pairs)).toBeGreaterThan(4);
});

/** Returns helpers for a form with a picture, as a browser sends it. */
function writing(site: Site, visitor: Visitor, action: string) {
  async function send(page: ShownPage, typed: Record<string, string>, file?: Uint8Array): Promise<ShownPage> {
    const answer = await sendForm(site, visitor, page, action, typed, file);
    const html = await answer.text();
    return {
      status: answer.status,
      address: action,
      headers: answer.headers,
      html,
      location: answer.headers.get("location"),
      forms: await formsOf(html),
    };
  }
  return {
    send,
    fieldsOf: (page: ShownPage) =>
      Object.fromEntries(page.forms.find((form) => form.action === action)?.fields ?? []),
    /** Returns the pictures of the resulting post by their descriptions. */
    async shown({ location }: ShownPage): Promise<string[]> {
      // The URL of a reply is an anchor on the conversation page.
      const id = /(?:#|\/posts\/)(post_[0-9a-z]+)$/.exec(location?.split("?notice")[0] ?? "")?.[1] ?? "";
      const { html } = await visitor.open(location ?? "");
      const [post = ""] = html.split(`id="${id}"`).slice(1);
      return [...(post.split("</article>")[0] ?? "").matchAll(/<img src="[^"]*"[^>]* alt="([^"]*)"/g)].map(
        ([, alt = ""]) => alt,
      );
    },
  };
}

/** Returns the pictures in the preview with descriptions and paths. */
function previewOf({ html }: ShownPage): { alt: string; path: string }[] | undefined {
  const preview = /<section class="preview"[^]*?<\/section>/.exec(html)?.[0];
  const images = preview?.matchAll(/<img src="([^"]*)"[^>]* alt="([^"]*)"/g);
  return images && [...images].map(([, path = "", alt = ""]) => ({ alt, path }));
}

const FORMS: readonly [name: string, page: (post: string) => string, action: (post: string) => string][] = [
  ["post", () => "/", () => "/posts"],
  ["reply", (post) => post, (post) => `${post}/replies`],
  ["edit", (post) => `${post}/edit`, (post) => `${post}/edit`],
];

test.each(FORMS)(
  "docs/contract.md#4.21: a picture chosen in the form of one %s is in its preview, survives its faults, and is posted",
  async (_name, page, action) => {
    await using site = openSite();
    setPictureStorage(site.core, createPictureStorage(site.folder, inProcessEncoder()));
    const [ada, bob] = [await signUpMember(site, "ada"), await signUpMember(site, "bob")];
    const first = await sendForm(site, ada, await ada.open("/"), "/posts", { text: "A post" });
    const post = (first.headers.get("location") ?? "").replace(/\?.*/, "");
    const form = writing(site, ada, action(post));
    const blank = await ada.open(page(post));
    const count = () => site.core.db.prepare("SELECT count(*) AS n FROM posts").get();
    const before = count();

    // After a preview, only the uploader can open the picture.
    const typed = { text: "Look", alt: "A cat" };
    const seen = await form.send(blank, { ...typed, preview: "1" }, made.png(600, 200));
    expect([seen.status, count()]).toEqual([200, before]);
    expect(previewOf(seen)).toEqual([{ alt: "A cat", path: expect.stringMatching(/^\/media\//) as never }]);
    const path = previewOf(seen)?.[0]?.path ?? "";
    expect((await ada.open(path)).status).toBe(200);
    expect((await bob.open(path)).status).toBe(404);
    const { picture = "" } = form.fieldsOf(seen);
    expect(picture).toMatch(/^med_/);
    expect(form.fieldsOf(seen)).toMatchObject({ text: "Look", alt: "", [`alt.${picture}`]: "A cat" });

    // A refused form keeps the picture. Its description can change until the form is sent.
    const long = await form.send(seen, { text: "a".repeat(2001), [`alt.${picture}`]: "A black cat" });
    expect(long.status).toBe(400);
    expect(form.fieldsOf(long)["picture"]).toBe(picture);
    const broken = await form.send(long, { text: "Look" }, Buffer.from("GIF89a"));
    expect([broken.status, form.fieldsOf(broken)["picture"]]).toEqual([422, picture]);
    expect(broken.html).toContain('value="A black cat"');
    const sent = await form.send(broken, { text: "Look" });
    expect([sent.status, await form.shown(sent)]).toEqual([303, ["A black cat"]]);
    expect((await bob.open(path)).status).toBe(200);
  },
);

test("a refused form keeps its pictures, another file adds one, a tick removes one, and five are refused", async () => {
  await using site = openSite();
  setPictureStorage(site.core, createPictureStorage(site.folder, inProcessEncoder()));
  const [ada, bob] = [await signUpMember(site, "ada"), await signUpMember(site, "bob")];
  const form = writing(site, ada, "/posts");
  const blank = await ada.open("/");

  const wrong = await form.send(blank, { text: "", alt: "A cat" }, made.png(600, 200));
  expect(wrong.status).toBe(400);
  const first = form.fieldsOf(wrong)["picture"] ?? "";
  expect(first).toMatch(/^med_/);
  const [unsent = "none"] = /\/media\/[0-9a-f]{40}/.exec(wrong.html) ?? [];
  const other = await form.send(wrong, { text: "!", alt: "A dog", preview: "1" }, made.png(300, 300));
  expect(previewOf(other)?.map(({ alt }) => alt)).toEqual(["A cat", "A dog"]);
  const one = await form.send(other, { drop: first, preview: "1" });
  expect([one.status, previewOf(one)?.map(({ alt }) => alt)]).toEqual([200, ["A dog"]]);
  expect(await form.shown(await form.send(one, {}))).toEqual(["A dog"]);

  // The page script sends the form for a preview, and gets the list of its pictures.
  let full = blank;
  for (const size of [10, 20, 30, 40])
    full = await form.send(full, { text: "!", preview: "1" }, made.png(size, size));
  expect(previewOf(full)).toHaveLength(4);
  const headers = { "guildhall-fragment": "1" };
  const listed = await sendForm(site, ada, full, "/posts", { preview: "1" }, undefined, headers);
  expect([listed.status, (await listed.text()).match(/name="picture"/g)?.length]).toEqual([200, 4]);
  const fifth = await sendForm(site, ada, full, "/posts", { preview: "1" }, made.png(9, 9), headers);
  expect([fifth.status, await fifth.text()]).toEqual([
    400,
    '<p class="fault" role="alert" dir="auto">Add at most 4 items.</p>',
  ]);
  expect(await form.shown(await form.send(full, {}))).toHaveLength(4);

  // A member cannot use another member's picture. The form drops deleted pictures.
  const theirs = await sendForm(site, bob, await bob.open("/"), "/posts", { text: "!", picture: first });
  expect([theirs.status, (await theirs.text()).includes(unsent)]).toEqual([422, false]);
  const late = await form.send(blank, { text: "!", preview: "1" }, made.png(40, 40));
  site.clock.pass(DAY + MINUTE);
  await dropUnusedMedia(site.core);
  const gone = await form.send(late, {});
  expect([gone.status, form.fieldsOf(gone)["picture"]]).toEqual([422, undefined]);
  expect((await form.send(gone, {})).status).toBe(303);
});
