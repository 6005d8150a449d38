// Tests docs/contract.md#12.25: the community's logo.
import { expect, test } from "bun:test";
import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { namedMedia, sweepMedia } from "../../src/core/community/media/media.ts";
import { pictureStorageOf, setPictureStorage } from "../../src/core/community/media/picture-storage.ts";
import { HOUR } from "../../src/core/base/clock.ts";
import { findLogo } from "../../src/core/identity/community-settings/community-settings.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { namedPictures } from "../../src/operate/backup/contents-store.ts";
import { createPictureStorage } from "../../src/media/picture-storage.ts";
import { inProcessEncoder } from "../media/gallery.ts";
import * as made from "../media/sample-images.ts";
import { attributesOf, openSite, signUpMember, sendForm, type Site, visit } from "./support.ts";

const PAGE_PATH = "/admin/community";

async function withLogo(): Promise<{ site: Site; root: Awaited<ReturnType<typeof signUpMember>> }> {
  const site = openSite();
  setPictureStorage(site.core, createPictureStorage(site.folder, inProcessEncoder()));
  const root = await signUpMember(site, "root", { role: "admin" });
  const sent = await sendForm(
    site,
    root,
    await root.open(PAGE_PATH),
    `${PAGE_PATH}/logo`,
    {},
    made.png(300, 100),
  );
  expect(sent.status).toBe(303);
  return { site, root };
}

const shownOn = async (site: Site, path: string) =>
  attributesOf((await visit(site).open(path)).html, "img.logo", "src");

test("a logo is re-encoded and shown to every visitor, even of a members-only community, until it is removed", async () => {
  const { site, root } = await withLogo();
  await using _ = site;
  const [src = ""] = await shownOn(site, "/jobs");
  expect(src).toMatch(/^\/media\/[0-9a-f]{40}-160\.webp$/);
  expect(await shownOn(site, "/about")).toEqual([src, src.replace("-160", "-300")]);
  const answer = await fetch(site.url + src);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/webp"]);
  changeCommunitySettings(site.core, OPERATOR, { reading: "members" });
  expect(await shownOn(site, "/sign-in")).toEqual([src]);
  expect((await fetch(site.url + src)).status).toBe(200);
  // The logo belongs to the community, so it remains visible when its uploader is suspended.
  setSuspended(site.core, OPERATOR, "root", true);
  expect((await fetch(site.url + src)).status).toBe(200);
  setSuspended(site.core, OPERATOR, "root", false);
  const again = await signUpMember(site, "warden", { role: "admin" });
  expect((await again.submit(await again.open(PAGE_PATH), `${PAGE_PATH}/logo/remove`)).address).toContain(
    "notice=saved",
  );
  expect(await shownOn(site, "/sign-in")).toEqual([]);
  expect((await fetch(site.url + src)).status).toBe(404);
  expect((await root.open(PAGE_PATH)).status).toBe(200);
});

test("backups and exports include the logo, and the sweep keeps it while it is in use", async () => {
  const { site } = await withLogo();
  await using _ = site;
  const { core, folder } = site;
  const logo = findLogo(core);
  if (!logo) throw new Error("there is no logo");
  const named = { hash: logo.hash, width: 300 };
  expect(namedMedia(core, undefined)).toMatchObject([named]);
  const copy = new Database(join(folder, "guildhall.db"), { readonly: true });
  expect(namedPictures(copy)).toEqual([named]);
  copy.close();
  const shelf = join(folder, "media", logo.hash.slice(0, 2));
  const old = (core.clock.now() - 2 * HOUR) / 1000;
  const sweep = async () => {
    for (const name of readdirSync(shelf)) utimesSync(join(shelf, name), old, old);
    await sweepMedia(core, pictureStorageOf(core));
    return readdirSync(shelf).length;
  };
  expect(await sweep()).toBeGreaterThan(0);
  core.db.prepare("UPDATE charter SET logo = NULL, logo_width = NULL, logo_height = NULL").run();
  expect(await sweep()).toBe(0);
});

test("a logo needs a valid picture, an admin and a recent sign-in", async () => {
  await using site = openSite();
  setPictureStorage(site.core, createPictureStorage(site.folder, inProcessEncoder()));
  const root = await signUpMember(site, "root", { role: "admin" });
  const ada = await signUpMember(site, "ada");
  const page = await root.open(PAGE_PATH);
  const send = (visitor: typeof root, file: Uint8Array) =>
    sendForm(site, visitor, page, `${PAGE_PATH}/logo`, {}, file);
  expect((await send(root, Buffer.from("<svg onload=alert(1)>"))).status).toBe(422);
  expect((await sendForm(site, root, page, `${PAGE_PATH}/logo`, {})).status).toBeGreaterThanOrEqual(400);
  expect([403, 404]).toContain((await send(ada, made.png(9, 9))).status);
  site.clock.pass(HOUR);
  expect(await (await send(root, made.png(9, 9))).text()).toContain("Confirm it’s you");
  expect(findLogo(site.core)).toBeUndefined();
});
