// docs/threats.md#F05: a display name that is confusable with staff's is marked wherever pages show it.
import { expect, test } from "bun:test";
import { changeRole } from "../../src/core/identity/accounts/administration.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { followBuilder } from "../../src/core/community/following/following.ts";
import { publishJob } from "../../src/core/community/jobs/jobs.ts";
import { block } from "../../src/core/community/messages/blocks.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { changeProfile } from "../../src/core/community/profiles/profiles.ts";
import { LANGUAGES } from "../../src/core/base/locales.ts";
import { messagesOf } from "../../src/locale/messages.ts";
import { jobDraft } from "../spec/rows.ts";
import { createMemberToken } from "../support.ts";
import { openSite, signUpMember, type Visitor, visibleText } from "./support.ts";

const MARK = "Not staff";

/**
 * Creates klaus, an admin named “Klaus Meyer”, zed, a member with the same name in Cyrillic letters, and ada,
 * a reader.
 */
async function community() {
  const site = openSite({ signup: "open" });
  const { core } = site;
  const ada = await signUpMember(site, "ada");
  await signUpMember(site, "klaus", { role: "admin" });
  await signUpMember(site, "zed");
  const [reader, klaus, zed] = ["ada", "klaus", "zed"].map((name) => createMemberToken(core, name).caller);
  if (!reader || !klaus || !zed) throw new Error("a member is missing");
  const paths = core.db.transact(() => {
    changeProfile(core, klaus, { name: "Klaus Meyer" });
    changeProfile(core, zed, { name: "Кlаus  Меуеr" });
    const post = createPost(core, reader, { text: "A question?" });
    replyTo(core, zed, post.id, { text: "An answer." });
    const own = createPost(core, zed, { text: "A post." });
    const job = publishJob(core, zed, jobDraft());
    const { threadId } = sendMessage(core, zed, { to: "ada", text: "Your password, please." });
    followBuilder(core, reader, "zed");
    return [
      "/",
      `/posts/${post.id}`,
      `/posts/${own.id}`,
      "/@zed",
      "/builders",
      "/settings/following",
      "/notifications",
      `/jobs/${job.id}`,
      "/messages/requests",
      `/messages/${threadId}`,
    ];
  });
  return { site, ada, reader, paths };
}

async function marksOn(visitor: Visitor, path: string): Promise<number> {
  const page = await visitor.follow(await visitor.open(path));
  expect([path, page.status]).toEqual([path, 200]);
  return visibleText(page.html).split(MARK).length - 1;
}

test("a display name similar to a staff member's is marked on each page, and other names are not", async () => {
  const { site, ada, reader, paths } = await community();
  await using _ = site;

  for (const path of paths) expect([path, (await marksOn(ada, path)) > 0]).toEqual([path, true]);
  for (const path of ["/@klaus", "/@ada"]) expect([path, await marksOn(ada, path)]).toEqual([path, 0]);
  site.core.db.transact(() => block(site.core, reader, "zed"));
  expect(await marksOn(ada, "/messages/blocked")).toBe(1);
  for (const feed of ["/feed.atom", "/feed.json", "/@zed/feed.atom"])
    expect([feed, (await ada.open(feed)).html.includes("(@zed)")]).toEqual([feed, true]);
});

test("the mark follows changed roles and names at once, and is translated into each language", async () => {
  const { site, ada } = await community();
  await using _ = site;
  const { core } = site;
  changeRole(core, OPERATOR, "zed", "moderator");
  expect(await marksOn(ada, "/@zed")).toBe(0);
  changeRole(core, OPERATOR, "zed", "member");
  expect(await marksOn(ada, "/@zed")).toBeGreaterThan(0);
  changeProfile(core, createMemberToken(core, "klaus").caller, { name: "Klaus M." });
  expect(await marksOn(ada, "/@zed")).toBe(0);
  expect(new Set(LANGUAGES.map((language) => messagesOf(language).adminMembers.notStaff)).size).toBe(
    LANGUAGES.length,
  );
});

test("pages share one query for the names of staff, however many names they show", async () => {
  const { site, ada, reader } = await community();
  await using _ = site;
  const { core } = site;
  core.db.transact(() => {
    for (let i = 0; i < 15; i++) createPost(core, reader, { text: `post ${i}` });
  });
  const requests: string[] = [];
  const { prepare } = core.db;
  Object.assign(core.db, {
    prepare: (sql: string) => {
      requests.push(sql);
      return prepare(sql);
    },
  });

  await ada.open("/");
  await ada.open("/");

  expect(
    requests.filter((sql) => sql.includes("role <> 'member' AND suspended_at IS NULL AND id >")),
  ).toHaveLength(1);
});
