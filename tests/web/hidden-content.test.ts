// docs/contract.md#4.13: the page lists hidden content, reported or not, and can restore it.
import { expect, test } from "bun:test";
import { continueDeletion, deleteAccount } from "../../src/core/services/deletion/deletion.ts";
import { undoDeletion } from "../../src/core/services/deletion/pending.ts";
import { hide, restore } from "../moderate.ts";
import { createPost, getPost } from "../../src/core/community/feed/feed.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { getJob, publishJob } from "../../src/core/community/jobs/jobs.ts";
import { getPrompt, submitPrompt } from "../../src/core/community/prompts/prompts.ts";
import { refuse } from "../../src/core/base/errors.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { jobDraft } from "../spec/rows.ts";
import { signedInNow } from "../support.ts";
import { callerOf } from "./sample-site.ts";
import { decide } from "../../src/core/services/moderation/decisions.ts";
import {
  openSite,
  signUpMember,
  type ShownPage,
  type Site,
  visibleText,
  visit,
  type Visitor,
} from "./support.ts";

const PAGE_PATH = "/admin/content?state=hidden";

test("each kind of content hidden without a report is listed, newest first, and can be restored", async () => {
  await using site = openSite();
  const [ada, mo, bob] = await people(site);
  const author = callerOf(site, ada);
  const post = createPost(site.core, author, { text: "# Cheap followers" }).id;
  site.clock.pass(1);
  const job = publishJob(site.core, author, jobDraft({ title: "Storage Engineer" })).id;
  site.clock.pass(1);
  const prompt = submitPrompt(site.core, author, PROMPT).id;
  site.clock.pass(1);
  const items = { post, job, prompt, reply: replyTo(site.core, author, post, { text: "Buy now" }).id };
  for (const id of Object.values(items)) hide(site.core, callerOf(site, mo), id);
  const gone = createPost(site.core, author, { text: "Deleted" }).id;
  hide(site.core, OPERATOR, gone);
  deletePost(site.core, author, gone);

  const shownPage = await mo.open(PAGE_PATH);
  expect(restorable(shownPage)).toEqual(Object.values(items).reverse());
  expect(visibleText(shownPage.html)).toMatch(/Prompt: Review a diff .* Job: Storage Engineer /);
  expect(visibleText(shownPage.html)).toMatch(/Post: Cheap followers Hidden @ada · /);
  expect((await bob.open(PAGE_PATH)).status).toBe(404);

  const chosen = Object.values(items).map((id) => `&id=${id}`);
  const confirmation = await mo.open(`/admin/bulk?act=restore&of=content${chosen.join("")}`);
  await mo.submit(confirmation, "/admin/bulk", { id: Object.values(items) });
  expect(restorable(await mo.open(PAGE_PATH))).toEqual([]);
  for (const id of [items.post, items.reply]) expect(getPost(site.core, callerOf(site, bob), id).id).toBe(id);
  expect(getJob(site.core, callerOf(site, bob), items.job).id).toBe(items.job);
  expect(getPrompt(site.core, callerOf(site, bob), items.prompt).id).toBe(items.prompt);
});

test("the list of hidden content is paged", async () => {
  await using site = openSite();
  const [ada, mo] = await people(site);
  const hidden = Array.from(
    { length: 45 },
    (_, at) => createPost(site.core, callerOf(site, ada), { text: `Post ${at}` }).id,
  );
  for (const id of hidden) hide(site.core, OPERATOR, id);

  const found: string[] = [];
  for (let address: string | undefined = PAGE_PATH; address !== undefined;) {
    const page: ShownPage = await mo.open(address);
    found.push(...restorable(page));
    address = /href="(\/admin\/content\?[^"]*cursor=[^"]*)"/.exec(page.html)?.[1]?.replaceAll("&amp;", "&");
  }
  expect(found).toEqual(hidden.reverse());
});

test("content hidden by an account deletion is not listed: only an undo restores it", async () => {
  await using site = openSite();
  const [ada, mo, bob] = await people(site);
  const root = await signUpMember(site, "root", { role: "admin" });
  const html = createPost(site.core, callerOf(site, ada), { text: "Hidden by hand" }).id;
  hide(site.core, OPERATOR, html);
  for (const text of ["One", "Two"]) createPost(site.core, callerOf(site, bob), { text });
  submitPrompt(site.core, callerOf(site, bob), PROMPT);
  deleteAccount(site.core, signedInNow(site.core, callerOf(site, root)), "bob", "bob");

  expect(restorable(await mo.open(PAGE_PATH))).toEqual([html]);
});

test("content hidden by moderators before its author's deletion can be restored only after an undo", async () => {
  await using site = openSite();
  const [ada, mo, bob] = await people(site);
  const root = await signUpMember(site, "root", { role: "admin" });
  const post = createPost(site.core, callerOf(site, ada), { text: "Hello" }).id;
  const author = callerOf(site, bob);
  const hidden = [
    replyTo(site.core, author, post, { text: "Buy now" }).id,
    publishJob(site.core, author, jobDraft({ title: "Storage Engineer" })).id,
    submitPrompt(site.core, author, PROMPT).id,
  ];
  for (const id of hidden) hide(site.core, OPERATOR, id);
  deleteAccount(site.core, signedInNow(site.core, callerOf(site, root)), "bob", "bob");

  expect(restorable(await mo.open(PAGE_PATH))).toEqual([]);
  for (const id of hidden) expect(() => restore(site.core, OPERATOR, id)).toThrow(refuse("subject_unknown"));

  undoDeletion(site.core, OPERATOR, "bob");
  while (site.core.db.transact(() => continueDeletion(site.core)));
  expect(new Set(restorable(await mo.open(PAGE_PATH)))).toEqual(new Set(hidden));
  for (const id of hidden) expect(restore(site.core, OPERATOR, id).hidden).toBe(false);
});

const PROMPT = { title: "Review a diff", body: "Be kind.", model: "claude-sonnet", category: "code-review" };

async function people(site: Site) {
  return Promise.all([
    signUpMember(site, "ada"),
    signUpMember(site, "mo", { role: "moderator" }),
    signUpMember(site, "bob"),
  ]);
}

/** Returns the ids of the objects that the page can restore, in page order. */
function restorable({ html }: ShownPage): string[] {
  return [...html.matchAll(/name="id" value="(\w+)"/g)].map(([, id = ""]) => id);
}

test("a locked conversation shows a sentence in place of the form, except to moderators", async () => {
  await using site = openSite();
  const [ada, mo, bob] = await people(site);
  const { id } = createPost(site.core, callerOf(site, ada), { text: "Tabs or spaces" });
  decide(site.core, OPERATOR, id, { act: "lock", reason: "An argument" });

  const formsOf = async (visitor: Visitor) => (await visitor.open(`/posts/${id}`)).forms.map((f) => f.action);
  expect(await formsOf(mo)).toContain(`/posts/${id}/replies`);
  expect(await formsOf(bob)).not.toContain(`/posts/${id}/replies`);
  for (const visitor of [bob, visit(site)])
    expect(visibleText((await visitor.open(`/posts/${id}`)).html)).toContain("locked this conversation");
});

test("a held reply leads its author to its own page, which says that it waits", async () => {
  await using site = openSite();
  const [ada, , bob] = await people(site);
  const { id } = createPost(site.core, callerOf(site, ada), { text: "Tabs or spaces" });
  const member = callerOf(site, bob).builderId;
  decide(site.core, OPERATOR, member, { act: "limit", reason: "Quarrels" });

  const sent = await bob.submit(await bob.open(`/posts/${id}`), `/posts/${id}/replies`, { text: "Both" });
  expect(visibleText(sent.html)).toMatch(/A moderator checks the content.*Waits for approval.*Both/s);
});
