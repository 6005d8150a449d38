import { expect, test } from "bun:test";
import fc from "fast-check";
import { type BuilderCaller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import { DAY, HOUR, MINUTE } from "../../src/core/base/clock.ts";
import { media } from "../../src/core/base/db/schema-media.ts";
import { bookmarkPost, unbookmarkPost } from "../../src/core/community/feed/bookmarks.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { likePost, unlikePost } from "../../src/core/community/feed/likes.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { editPost } from "../../src/core/community/feed/revisions.ts";
import { followBuilder } from "../../src/core/community/following/following.ts";
import { removeAvatar, setAvatar } from "../../src/core/community/media/avatars.ts";
import { block, unblock } from "../../src/core/community/messages/blocks.ts";
import { changeProfile } from "../../src/core/community/profiles/profiles.ts";
import { changeTimeZone } from "../../src/core/community/xp/streaks.ts";
import { changeRole } from "../../src/core/identity/accounts/administration.ts";
import { renameAccount } from "../../src/core/identity/accounts/rename.ts";
import { chooseLanguage } from "../../src/core/identity/builders/language.ts";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { hide, restore, restoreBuilder, suspendBuilder } from "../moderate.ts";
import { seededBytes } from "../../src/demo/seeded-bytes.ts";
import { createKeptHtml } from "../../src/web/parts/kept-html.ts";
import { keptCards } from "../../src/web/pages/feed/post-card.tsx";
import { sized } from "../drill.ts";
import { signedInNow } from "../support.ts";
import { createAccountOf, openSite, sessionCookie, signedInAs, type Site } from "./support.ts";

const NAMES = ["ada", "bo", "cy"] as const;
const LANGUAGES = ["en", "de", "es"] as const;
const ZONES = ["Europe/Berlin", "America/Lima", "UTC"] as const;
const TEXTS = [
  "A short remark",
  "Is this a question?",
  'Ask @bo and @ada about `"quotes"` & <b>tags</b>',
  "# A title\n\nA story with a [link](https://example.com/) and a note.[^1]\n\n[^1]: The note.",
];

/** A community of three members with an administrator among them, and everything that the changes need. */
interface Stage {
  site: Site;
  posts: string[];
  /** The most liked reply of the first post, by bo. */
  best: string;
  /** Stores a picture of the author, because deletions remove pictures that are no longer used. */
  picture(): string;
  /** The caller of a member, who may have a new name or role. */
  caller(name: (typeof NAMES)[number]): BuilderCaller;
  /** The current username of a member. */
  username(name: (typeof NAMES)[number]): string;
}

/** Random numbers that a change draws its details from. */
type Draw = <Value>(values: readonly Value[]) => Value;

/** Changes that may change a card. */
const CHANGES: Readonly<Record<string, (stage: Stage, draw: Draw) => void | Promise<void>>> = {
  edits: ({ site, posts, caller }, draw) =>
    void editPost(site.core, caller("ada"), draw(posts), {
      text: draw(TEXTS),
      tags: draw([[], ["rust"], ["launch", "rust"]]),
    }),
  "changes links to media": ({ site, posts, caller }, draw) =>
    void editPost(site.core, caller("ada"), draw(posts), {
      media: draw([[], ["https://example.com/a.png"], ["https://example.com/b.png"]]),
    }),
  "attaches a picture": ({ site, posts, caller, picture }, draw) =>
    void editPost(site.core, caller("ada"), draw(posts), { media: [picture()] }),
  posts: ({ site, posts, caller }, draw) =>
    void posts.push(createPost(site.core, caller("ada"), { text: draw(TEXTS), tags: ["rust"] }).id),
  replies: ({ site, posts, caller }, draw) =>
    void replyTo(site.core, caller(draw(NAMES)), draw(posts), { text: draw(TEXTS) }),
  likes: ({ site, posts, caller }, draw) => {
    for (const id of posts) likePost(site.core, caller(draw(NAMES)), id);
  },
  "likes for another member": async ({ site, posts, caller }, draw) => {
    const id = draw(posts);
    for (const name of NAMES) unlikePost(site.core, caller(name), id);
    likePost(site.core, caller("ada"), id);
    await comparePages(site);
    // The count stays the same.
    unlikePost(site.core, caller("ada"), id);
    likePost(site.core, caller("bo"), id);
  },
  unlikes: ({ site, posts, caller }, draw) => void unlikePost(site.core, caller("bo"), draw(posts)),
  bookmarks: ({ site, posts, caller }, draw) => void bookmarkPost(site.core, caller("bo"), draw(posts)),
  "removes bookmarks": ({ site, posts, caller }) => {
    for (const id of posts) unbookmarkPost(site.core, caller("bo"), id);
  },
  "hides the opened post": async ({ site, caller }) => {
    const id = openedPost(site);
    hide(site.core, caller("cy"), id);
    await comparePages(site);
    restore(site.core, caller("cy"), id);
  },
  "edits the quoted reply": ({ site, best, caller }, draw) =>
    void editPost(site.core, caller("bo"), best, { text: draw(TEXTS) }),
  "hides the quoted reply": async ({ site, best, caller }) => {
    hide(site.core, caller("cy"), best);
    await comparePages(site);
    restore(site.core, caller("cy"), best);
  },
  "blocks the quoted author": ({ site, caller, username }) =>
    void block(site.core, caller("cy"), username("bo")),
  deletes: ({ site, posts, caller }) => deletePost(site.core, caller("ada"), posts.pop() ?? ""),
  "renames the author twice": async ({ site, username }) => {
    renameAccount(site.core, OPERATOR, username("ada"), "adele");
    await comparePages(site);
    renameAccount(site.core, OPERATOR, "adele", "adina");
  },
  "renames a mentioned member twice": async ({ site, username }) => {
    renameAccount(site.core, OPERATOR, username("bo"), "boris");
    await comparePages(site);
    renameAccount(site.core, OPERATOR, "boris", "bodo");
  },
  "changes the display name twice": async ({ site, caller }) => {
    changeProfile(site.core, caller("ada"), { name: "Ada Once" });
    await comparePages(site);
    changeProfile(site.core, caller("ada"), { name: "Ada Also" });
  },
  "changes the display name": ({ site, caller }, draw) =>
    void changeProfile(site.core, caller("ada"), { name: draw(["Ada", 'A "d" <a>', "Сy", "Bo"]) }),
  "changes the role of a member with the same name": async ({ site, caller, username }) => {
    changeProfile(site.core, caller("ada"), { name: "Bo" });
    await comparePages(site);
    const role = caller("bo").role === "member" ? "moderator" : "member";
    changeRole(site.core, caller("cy"), username("bo"), role);
  },
  "makes the author staff while a moderator reads": async ({ site, caller, username }) => {
    const was = caller("bo").role ?? "member";
    // A role that a member already has is refused.
    if (was === "member") changeRole(site.core, caller("cy"), username("bo"), "moderator");
    await comparePages(site);
    changeRole(site.core, caller("cy"), username("ada"), "moderator");
    await comparePages(site);
    changeRole(site.core, caller("cy"), username("ada"), "member");
    if (was === "member") changeRole(site.core, caller("cy"), username("bo"), was);
  },
  "shows a picture": ({ site, caller, picture }) =>
    void setAvatar(site.core, caller("ada"), { media: picture() }),
  "removes the picture": ({ site, caller }) => void removeAvatar(site.core, caller("ada")),
  blocks: ({ site, caller, username }) => void block(site.core, caller("bo"), username("ada")),
  unblocks: ({ site, caller, username }) => void unblock(site.core, caller("bo"), username("ada")),
  suspends: async ({ site, caller, username }) => {
    const name = username("ada");
    suspendBuilder(site.core, caller("cy"), name);
    await comparePages(site);
    restoreBuilder(site.core, caller("cy"), name);
  },
  "reads German": ({ site, caller }) => readIn(site, caller, "de"),
  "reads Spanish": ({ site, caller }) => readIn(site, caller, "es"),
  "chooses a language": ({ site, caller }, draw) =>
    chooseLanguage(site.core, caller(draw(NAMES)), { language: draw(LANGUAGES) }),
  "chooses a zone": ({ site, caller }, draw) =>
    site.core.db.transact(() => changeTimeZone(site.core, caller(draw(NAMES)).builderId, draw(ZONES))),
  "changes the settings": ({ site, caller }, draw) =>
    void changeCommunitySettings(site.core, caller("cy"), {
      language: draw(LANGUAGES),
      zone: draw(ZONES),
      name: draw(["Guild", "Hall"]),
      reading: draw(["everybody", "members"]),
    }),
};

function readIn({ core }: Site, caller: Stage["caller"], language: (typeof LANGUAGES)[number]): void {
  for (const name of NAMES) chooseLanguage(core, caller(name), { language });
}

/** The post whose page each reader opens. */
function openedPost({ core }: Site): string {
  const sql = "SELECT id FROM posts WHERE parent_id IS NULL ORDER BY replies DESC, id";
  return core.db.prepare<{ id: string }>(sql).get()?.id ?? "";
}

test("a page of kept cards equals a page without them, for each reader and after every change", () => {
  const steps = fc.tuple(
    fc.shuffledSubarray(Object.keys(CHANGES), { minLength: Object.keys(CHANGES).length }),
    fc.infiniteStream(fc.nat()),
    fc.infiniteStream(fc.constantFrom(0, 1000, MINUTE, HOUR, DAY)),
  );
  return fc.assert(
    fc.asyncProperty(steps, async ([names, numbers, waits]) => {
      const draw: Draw = (values) => values[numbers.next().value % values.length] as never;
      await using site = openSite();
      const stage = await openStage(site);
      await openPages(site);
      for (const name of names) {
        await CHANGES[name]?.(stage, draw);
        site.clock.pass(waits.next().value);
        await comparePages(site);
      }
    }),
    { numRuns: sized(1, 300) },
  );
}, 60_000);

async function openStage(site: Site): Promise<Stage> {
  const { core } = site;
  const ids = new Map<string, string>();
  for (const name of NAMES)
    ids.set(name, await createAccountOf(site, name, { role: name === "cy" ? "owner" : "member" }));
  const caller: Stage["caller"] = (name) => signedInNow(core, { builderId: ids.get(name) ?? null });
  const picture = () => {
    const id = core.makeId("med", core.clock.now());
    core.db.transact(() =>
      core.db.insert(media, {
        id,
        builderId: ids.get("ada") ?? "",
        hash: "9f2c4e1a7b3d5f60819283a4b5c6d7e8f9012345",
        width: 1920,
        height: 1080,
        alt: "",
        bytes: 1000,
        createdAt: core.clock.now(),
      }),
    );
    return id;
  };
  const posts = TEXTS.map((text) => createPost(core, caller("ada"), { text, tags: ["rust"] }).id);
  const replies: string[] = [];
  // The last reply is too deep to be indented, so it names the reply above.
  for (let above = posts[0] ?? "", i = 0; i < 4; i++)
    replies.push((above = replyTo(core, caller(i % 2 === 0 ? "ada" : "bo"), above, { text: "A reply" }).id));
  const [, best = ""] = replies;
  likePost(core, caller("cy"), best);
  followBuilder(core, caller("bo"), "ada");
  for (const name of NAMES) sessionsOf(site).push(`${sessionCookie(site)}=${sessionOf(site, name)}`);
  return { site, posts, best, picture, caller, username: (name) => caller(name).username };
}

/** Compares the pages with pages without cards. */
async function comparePages(site: Site): Promise<void> {
  const pages = await openPages(site);
  expect(pages).toEqual(await withoutCards(site, () => openPages(site)));
}

/** Runs `open` while the site keeps no cards. */
async function withoutCards<Result>(site: Site, open: () => Promise<Result>): Promise<Result> {
  const kept = site.core.memory(keptCards);
  const before = { ...kept };
  Object.assign(kept, createKeptHtml(seededBytes(2), 0));
  const result = await open();
  Object.assign(kept, before);
  return result;
}

function sessionOf(site: Site, name: string): string {
  return signedInAs(site, name).cookies.get(sessionCookie(site)) ?? "";
}

/** The cookies of the readers of a site, with a guest first. */
const sessions = new WeakMap<Site, string[]>();

function sessionsOf(site: Site): string[] {
  const known = sessions.get(site) ?? [""];
  sessions.set(site, known);
  return known;
}

const PATHS = ["/", '/tags/rust?x="', "/following", "/bookmarks"];

/** Opens pages as each reader at the same moment. Leaves out what differs between two requests. */
async function openPages(site: Site): Promise<string[]> {
  const author = site.core.db.prepare<{ username: string }>("SELECT username FROM builders LIMIT 1").get();
  const opened: string[] = [];
  for (const [reader, cookie] of sessionsOf(site).entries()) {
    for (const path of [...PATHS, `/@${author?.username}`, `/posts/${openedPost(site)}`]) {
      const headers = { accept: "text/html", host: new URL(site.core.origin).host, cookie };
      const answer = await site.handle(new Request(site.core.origin + path, { headers }), () => PEERS.next());
      const html = await answer.text();
      const tokens = new Set(html.match(/(?<=name="form_token" value=")[^"]*/g));
      expect(tokens.size).toBeLessThan(2);
      opened.push([reader, path, answer.status, html.replaceAll(VARYING, "")].join(" "));
    }
  }
  return opened;
}

/** Form tokens and request ids. */
const VARYING = /(?<=name="form_token" value=")[^"]*|(?<=<code>)[\w-]{36}(?=<\/code>)/g;

/** A new address for each request, so that no rate limit applies to guests. */
const PEERS = {
  count: 0,
  next: () => `10.0.${(PEERS.count++ >> 8) & 255}.${PEERS.count & 255}`,
};

test("kept HTML is filled in with each page's values, escaped", () => {
  const kept = createKeptHtml(seededBytes(1), 10_000);
  const { formToken, back, ago } = kept.placeholders;
  let count = 0;
  const render = () => `${count++}<a href="${back}" id="${formToken}">${ago}</a>`;
  const values = { formToken: "t", back: '/?a="b', ago: "<now>" };
  expect(kept.htmlOf("a", render, values)).toBe('0<a href="/?a=&#34;b" id="t">&lt;now&gt;</a>');
  expect(kept.htmlOf("a", render, { ...values, ago: "later" })).toContain(
    '0<a href="/?a=&#34;b" id="t">later',
  );
  expect(kept.htmlOf("b", render, values)).toStartWith("1<a");
});

test("kept HTML stays within its bytes, and drops what was used least recently", () => {
  const kept = createKeptHtml(seededBytes(1), 10_000);
  const made: string[] = [];
  const values = { formToken: "", back: "", ago: "" };
  const open = (key: string) => kept.htmlOf(key, () => (made.push(key), "x".repeat(1000)), values);
  for (const key of ["a", "b", "c", "a", "d", "a", "b"]) open(key);
  expect(made).toEqual(["a", "b", "c", "d", "b"]);
  expect(kept.bytes()).toBeLessThan(10_000);
  expect(kept.htmlOf("large", () => "y".repeat(20_000), values)).toHaveLength(20_000);
  expect(kept.bytes()).toBe(0);
});
