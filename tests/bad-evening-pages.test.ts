// Follows the steps of “A bad evening” in docs/community.md on the pages, by the names in the guide.
import { expect, test } from "bun:test";
import { createPost } from "../src/core/community/feed/feed.ts";
import { findLock } from "../src/core/community/feed/locks.ts";
import { replyTo } from "../src/core/community/feed/replies.ts";
import { findBuilder } from "../src/core/identity/builders/builders.ts";
import { findRestriction, isLimited } from "../src/core/identity/standing/standing.ts";
import { continueRemovals } from "../src/core/services/moderation/removal.ts";
import { decide } from "../src/core/services/moderation/decisions.ts";
import { pageOf } from "./program/documents.ts";
import { signedInNow } from "./support.ts";
import { callerOf } from "./web/sample-site.ts";
import {
  createAccountOf,
  type Fields,
  openSite,
  type ShownPage,
  signedInAs,
  type Site,
  type Visitor,
  visibleText,
} from "./web/support.ts";

/** The names of pages and buttons in the numbered steps of a guide. */
async function namesIn(title: string): Promise<string[]> {
  const page = await pageOf("docs/community.md");
  const guide = page.slice(page.indexOf(`### ${title}\n`));
  const steps = guide.slice(0, guide.indexOf("```")).matchAll(/^(?:\d\.| {3}).*$/gm);
  return [...steps].flatMap(([step]) => [
    ...[...step.matchAll(/“([^”]+)”/g)].map(([, name = ""]) => name),
    ...[...step.matchAll(/`(\/[^`]+)`/g)].map(([, address = ""]) => address),
  ]);
}

/** Compares a name of the guide with a text of a page. In the guide, `…` is also any text. */
const isNamed = (name: string, text: string): boolean => {
  const pattern = name.replaceAll(/[.*+?()|[\]\\]/g, String.raw`\$&`).replaceAll("…", ".*");
  return new RegExp(`^${pattern}`).test(text);
};

/** A person of the guide who opens pages, and clicks and presses what the guide names. */
function createReader(visitor: Visitor, names: string[]) {
  const used = new Set<string>();
  let page: ShownPage;
  const use = (name: string) => {
    expect(names).toContain(name);
    used.add(name);
  };
  const reader = {
    text: () => visibleText(page.html),
    async open(address: string, named?: string) {
      if (named !== undefined) use(named);
      page = await visitor.open(address);
      expect([address, page.status]).toEqual([address, 200]);
    },
    /** Reads a heading or a label. */
    reads(...found: string[]) {
      for (const name of found) {
        use(name);
        expect(reader.text()).toContain(name);
      }
    },
    /** Follows the first link of this name, about `subject` if given, or sends the form of a button. */
    async click(name: string, fields: Fields = {}, subject = "") {
      use(name);
      for (const [, href = "", text = ""] of page.html.matchAll(
        /<a\b[^>]*?href="([^"]+)"[^>]*>([\s\S]*?)<\/a>/g,
      ))
        if (href.includes(subject) && isNamed(name, visibleText(text)))
          return reader.open(href.replaceAll("&amp;", "&"));
      const forms = page.html.split(/<form\b/).slice(1);
      const index = forms.findIndex((form) =>
        [...(form.split("</form>")[0] ?? "").matchAll(/<button\b[^>]*>([\s\S]*?)<\/button>/g)].some(
          ([, text = ""]) => isNamed(name, visibleText(text)),
        ),
      );
      const form = page.forms[index];
      if (!form) throw new Error(`${page.address} has no ${name}`);
      if (form.method !== "post") {
        const typed = Object.entries(fields).map(([field, value]) => [field, `${value}`]);
        const kept = form.fields.filter(([field]) => !(field in fields));
        return reader.open(`${form.action}?${new URLSearchParams([...kept, ...typed])}`);
      }
      page = await visitor.submit(page, form.action, fields);
      expect([name, page.status]).toEqual([name, 200]);
    },
    become(other: Visitor) {
      visitor = other;
    },
    /** All names of the guide were on a page. */
    finish: () => expect(names.filter((name) => !used.has(name))).toEqual([]),
  };
  return reader;
}

type Reader = ReturnType<typeof createReader>;

async function evening(title: string, as: string) {
  const site = openSite();
  const roles = { root: "admin", mo: "moderator", rogue: "moderator" } as const;
  for (const [name, role] of Object.entries(roles)) await createAccountOf(site, name, { role });
  for (const name of ["ada", "bob", "mallory", "eve"]) await createAccountOf(site, name);
  const names = await namesIn(title);
  return { site, core: site.core, reader: createReader(signedInAs(site, as), names) };
}

const member = (site: Site, name: string) => callerOf(site, signedInAs(site, name));
const idOf = ({ core }: Site, name: string): string => findBuilder(core, name)?.id ?? "";
const isHidden = ({ core }: Site, id: string): boolean =>
  core.db.prepare("SELECT 1 FROM posts WHERE id = ? AND hidden_at IS NOT NULL").get(id) !== undefined;

test("the steps of “Spam wave” lead to its pages and buttons", async () => {
  const { site, core, reader } = await evening("Spam wave", "mo");
  await using _site = site;
  const posts = ["mallory", "eve"].map(
    (name) => createPost(core, member(site, name), { text: `Buy https://spam.example/${name}` }).id,
  );
  await reader.open("/admin/cases", "/admin/cases");
  await reader.open(`/posts/${posts[0]}`);
  reader.reads("Moderate");
  await reader.click("Delete spammer…");
  await reader.click("Add everyone new who linked");
  await reader.click("Delete … spammers");
  while (core.db.transact(() => continueRemovals(core)));
  expect(posts.map((id) => isHidden(site, id))).toEqual([true, true]);
  expect(reader.text()).toContain("Undo all 2 removals");

  reader.become(signedInAs(site, "root"));
  await reader.open("/admin/community", "/admin/community");
  reader.reads("Joining", "Anyone an admin approves");
  reader.finish();
});

test("the steps of “Flame war” lead to its pages and buttons", async () => {
  const { site, core, reader } = await evening("Flame war", "mo");
  await using _site = site;
  const first = createPost(core, member(site, "ada"), { text: "Which loom?" }).id;
  const insult = replyTo(core, member(site, "bob"), first, { text: "You cannot weave." }).id;
  const onPost = async (id: string, name: string, reason = "Insults") => {
    await reader.open(`/posts/${id}`);
    reader.reads("Moderate");
    await reader.click(name, {}, id);
    await reader.click("Decide", { reason });
  };
  await onPost(first, "Lock conversation…");
  expect(findLock(core, first)).toBeDefined();
  await onPost(insult, "Hide…");
  expect([isHidden(site, first), isHidden(site, insult)]).toEqual([false, true]);
  await onPost(insult, "Warn");
  await onPost(insult, "Limit");
  expect(isLimited(core, idOf(site, "bob"))).toBe(true);
  await onPost(first, "Unlock conversation…", "");
  expect(findLock(core, first)).toBeUndefined();
  reader.finish();
});

/** Follows the steps that a rogue moderator and a stolen account have in common. */
async function removeRole(reader: Reader, name: string) {
  await reader.open("/admin/builders", "/admin/builders");
  await reader.open(`/admin/builders/${name}`);
  reader.reads("Role", "Member");
  await reader.click("Change role", { role: "member" });
}

test("the steps of “Rogue moderator” lead to its pages and buttons", async () => {
  const { site, core, reader } = await evening("Rogue moderator", "root");
  await using _site = site;
  const post = createPost(core, member(site, "ada"), { text: "A loom" }).id;
  const rogue = signedInNow(core, { builderId: idOf(site, "rogue") });
  const since = new Date(site.clock.now()).toISOString().slice(0, 16);
  decide(core, rogue, post, { act: "hide", reason: "I do not like it" });
  decide(core, rogue, idOf(site, "eve"), { act: "suspend", reason: "I do not like you" });

  await removeRole(reader, "rogue");
  expect(findBuilder(core, "rogue")?.role).toBe("member");
  await reader.open("/admin/log", "/admin/log");
  await reader.open("/admin/log?actor=rogue");
  expect(reader.text()).toContain("I do not like you");
  reader.reads("Undo all decisions of a moderator");
  await reader.click("Preview", { moderator: "rogue", since });
  await reader.click("Undo … decisions");
  expect(isHidden(site, post)).toBe(false);
  expect(findRestriction(core, idOf(site, "eve"), "suspended")).toBeUndefined();
  reader.finish();
});

test("the steps of “Stolen moderator account” lead to its pages and buttons", async () => {
  const { site, core, reader } = await evening("Stolen moderator account", "root");
  await using _site = site;
  await removeRole(reader, "mo");
  reader.reads("Compromised account");
  await reader.click("Secure account");
  await reader.click("Secure account", { keep: [] });
  const sessions = "SELECT count(*) AS n FROM sessions WHERE builder_id = ?";
  expect(core.db.prepare(sessions).get(idOf(site, "mo"))).toEqual({ n: 0 });
  await reader.open("/admin/builders/mo");
  await reader.click("Create recovery link");
  expect(reader.text()).toMatch(/https?:\/\//);
  reader.finish();
});
