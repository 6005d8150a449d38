// Tests docs/contract.md#12.21: a member's private feed.
import { expect, test } from "bun:test";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { followBuilder } from "../../src/core/community/following/following.ts";
import { changeProfile } from "../../src/core/community/profiles/profiles.ts";
import { secureAccount } from "../../src/core/delegation/securing/securing.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { notify } from "../../src/core/identity/notifications/notify.ts";
import { MINUTE } from "../../src/core/base/clock.ts";
import { callerOf } from "./sample-site.ts";
import { openSite, signUpMember, signIn, type Site, unescape, type Visitor, visit } from "./support.ts";

const PAGE_PATH = "/settings/feed";

async function newAddress(visitor: Visitor): Promise<string> {
  const created = await visitor.submit(await visitor.open(PAGE_PATH), PAGE_PATH);
  const [, path = "none"] = /(\/feeds\/guild_feed_[\w-]{32}\.atom)/.exec(unescape(created.html)) ?? [];
  return path;
}

const statusOf = async (site: Site, path: string) => (await visit(site).open(path)).status;

test("a private feed serves notifications and posts of followed members as Atom, only at its secret address", async () => {
  await using site = openSite({ env: { GUILDHALL_LOG_LEVEL: "trace" } });
  const { core } = site;
  const [ada, bob] = [await signUpMember(site, "ada"), await signUpMember(site, "bob")];
  const [adas, bobs] = [callerOf(site, ada), callerOf(site, bob)];
  const path = await newAddress(ada);
  changeProfile(core, bobs, { name: `Bob <b> & "Co"` });
  followBuilder(core, adas, "bob");
  createPost(core, bobs, { text: "# A ]]> title\n\n<script>alert(1)</script> \u0001\uFFFF 🐝" });
  const post = createPost(core, adas, { text: "hello" });
  const reply = replyTo(core, bobs, post.id, { text: "the words of a reply" });
  core.db.transact(() =>
    notify(core, {
      to: adas.builderId,
      kind: "sign_in",
      subject: { type: "session", id: "ses_1" },
      about: "Firefox",
    }),
  );
  const guest = visit(site);
  const page = await guest.open(path);
  expect(page.status).toBe(200);
  const { headers, html: xml } = page;
  expect(headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
  expect([headers.get("referrer-policy"), headers.get("x-robots-tag")]).toEqual(["no-referrer", "noindex"]);
  expect(headers.get("cache-control")).toBe("private, no-cache");
  expect(XMLValidator.validate(xml)).toBe(true);
  const { feed } = new XMLParser({ ignoreAttributes: false, htmlEntities: true }).parse(xml);
  expect(feed["@_xmlns"]).toBe("http://www.w3.org/2005/Atom");
  const entries = feed.entry.map((entry: Record<string, unknown>) => [entry["title"], entry["link"]]);
  const link = (to: string) => ({
    "@_rel": "alternate",
    "@_type": "text/html",
    "@_href": `${core.origin}${to}`,
  });
  expect(entries).toContainEqual([`Bob <b> & "Co" (@bob) replied to you`, link(`/posts/${reply.id}`)]);
  expect(entries.map(([title]: [string]) => title)).toContain(`Bob <b> & "Co": A ]]> title`);
  expect(entries.map(([title]: [string]) => title)).toContain("You earned a badge: First post");
  // The three entries include the badge for her first post. The notification about the sign-in is only on the
  // page.
  expect(entries).toHaveLength(3);
  expect(xml).not.toContain("the words of a reply");
  expect(xml).not.toContain("<script>");
  const [secret = ""] = /guild_feed_[\w-]+/.exec(path) ?? [];
  expect(xml).not.toContain(secret);
  const again = await guest.open(path, { headers: { "if-none-match": headers.get("etag") ?? "" } });
  expect([again.status, again.html]).toEqual([304, ""]);
  expect(site.logged.some((line) => line.includes("/feeds/guild_feed_…"))).toBe(true);
  expect(site.logged.filter((line) => line.includes(secret.slice(11)))).toEqual([]);
  expect(JSON.stringify(core.db.prepare("SELECT * FROM feed_addresses").all())).not.toContain(secret);
});

test("shows a feed's address only after a recent sign-in, and a new address, securing or suspension ends it", async () => {
  await using site = openSite();
  const { core, clock } = site;
  const ada = await signUpMember(site, "ada");
  const first = await newAddress(ada);
  expect(unescape((await ada.open(PAGE_PATH)).html)).toContain(first);
  clock.pass(11 * MINUTE);
  expect((await ada.open(PAGE_PATH)).html).not.toContain("guild_feed_");
  const again = visit(site);
  await signIn(again, "ada");
  const second = await newAddress(again);
  expect([await statusOf(site, first), await statusOf(site, second)]).toEqual([404, 200]);
  for (const wrong of [
    "/feeds/x.atom",
    `${second}x`,
    second.replace(".atom", ""),
    `${second.slice(0, -6)}A.atom`,
  ])
    expect([wrong, await statusOf(site, wrong)]).toEqual([wrong, 404]);
  setSuspended(core, OPERATOR, "ada", true);
  expect(await statusOf(site, second)).toBe(404);
  setSuspended(core, OPERATOR, "ada", false);
  expect(await statusOf(site, second)).toBe(404);
  const restored = visit(site);
  await signIn(restored, "ada");
  const third = await newAddress(restored);
  expect(await statusOf(site, third)).toBe(200);
  secureAccount(core, OPERATOR, "ada", { passkeys: "all", password: true });
  expect(await statusOf(site, third)).toBe(404);
});
