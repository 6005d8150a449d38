import { expect, spyOn, test } from "bun:test";
import { join } from "node:path";
import { run } from "../../src/cli/program.ts";
import {
  continueDeletion,
  deleteAccount,
  deleteOwnAccount,
  eraseDueAccounts,
} from "../../src/core/services/deletion/deletion.ts";
import { hide, restore, restoreBuilder, suspendBuilder } from "../moderate.ts";
import {
  dismissReport,
  forgetOldCopies,
  getReports,
  reopenReport,
  report,
} from "../../src/core/services/moderation/reports.ts";
import type { SubjectKind } from "../../src/core/services/moderation/subjects.ts";
import { partsOf } from "../../src/core/services/transfer/exporting.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { likePost } from "../../src/core/community/feed/likes.ts";
import { deletePost, dropRemovedPosts } from "../../src/core/community/feed/removal.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { editPost } from "../../src/core/community/feed/revisions.ts";
import { changeJob, publishJob } from "../../src/core/community/jobs/jobs.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { changeProfile } from "../../src/core/community/profiles/profiles.ts";
import { submitPrompt } from "../../src/core/community/prompts/prompts.ts";
import { deletePrompt } from "../../src/core/community/prompts/removal.ts";
import { revisePrompt } from "../../src/core/community/prompts/versions.ts";
import { DAY } from "../../src/core/base/clock.ts";
import { type BuilderCaller, type Caller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import { SCOPE_NAMES } from "../../src/core/identity/access/scopes.ts";
import { changeRole } from "../../src/core/identity/accounts/administration.ts";
import { listAudit } from "../../src/core/identity/audit/audit.ts";
import { exportTo } from "../../src/transfer/export.ts";
import { importInto } from "../../src/transfer/import.ts";
import { openExport } from "../../src/transfer/reader.ts";
import { PASSWORD, createSignedInMember, refusalOf as refusalBy } from "../core/people.ts";
import { graph } from "../graphql/ask.ts";
import { openSite, signedInAs, type Site, visibleText } from "../web/support.ts";
import { createMemberToken, KEY, createTestWorld, signedInNow, type TestWorld } from "../support.ts";
import { call } from "./client.ts";
import { jobDraft, rows } from "./rows.ts";

const reason = { reason: "An advertisement." };
const quiet = { version: "0.0.0-test", progress: () => {} };
/** A word that occurs in everything that ada writes and nowhere else. */
const MARK = /zebra/i;

/** Reported content, and the parts of it that moderators can still read. */
interface Reported {
  kind: SubjectKind;
  id: string;
  report: string;
  title: string;
  text: string;
}

/**
 * Creates ada, who writes one object of each type, bo, who reports all of them, cy, who reads, and warden,
 * the admin.
 */
async function settle(world: TestWorld) {
  const { core } = world;
  const ada = await createSignedInMember(core, "ada");
  const [bo, cy] = [await createSignedInMember(core, "bo"), await createSignedInMember(core, "cy")];
  await createSignedInMember(core, "warden", { role: "admin" });
  const warden = createMemberToken(core, "warden", SCOPE_NAMES);
  changeProfile(core, ada.caller, { name: "Ada Zebra", bio: "Zebras, cheap." });
  const root = createPost(core, cy.caller, { text: "Of cy" });
  const post = createPost(core, ada.caller, { text: "# Zebra *followers*\n\nCheap." });
  const reply = replyTo(core, ada.caller, root.id, { text: "Zebra reply" });
  const job = publishJob(
    core,
    ada.caller,
    jobDraft({ title: "Zebra keeper", description: "Keep **zebras**." }),
  );
  const prompt = submitPrompt(core, ada.caller, {
    title: "Zebra prompt",
    body: "You sell zebras.",
    model: "sonnet",
    category: "review",
  });
  const message = sendMessage(core, ada.caller, { to: "bo", text: "Zebra message" });
  const said = [
    ["post", post.id, "Zebra followers", "# Zebra *followers*\n\nCheap."],
    ["post", reply.id, "Zebra reply", "Zebra reply"],
    ["job", job.id, "Zebra keeper", `Keep **zebras**.\n\n${jobDraft({}).apply_url}`],
    ["prompt", prompt.id, "Zebra prompt", "You sell zebras."],
    ["builder", ada.builderId, "ada", "Ada Zebra\n\nZebras, cheap."],
    ["message", message.id, "Message of @ada", "Zebra message"],
  ] as const;
  const reports = said.map(([kind, id, title, text]): Reported => {
    const created = report(core, bo.caller, { kind, id }, reason);
    return { kind, id, report: created.id, title, text };
  });
  return { ada, bo, cy, warden, root, ids: { post: post.id, reply: reply.id, prompt: prompt.id }, reports };
}

const remove = (world: TestWorld, caller: BuilderCaller) =>
  deleteOwnAccount(world.core, caller, { username: caller.username, proof: { password: PASSWORD } });
const finish = ({ core }: TestWorld) => {
  while (core.db.transact(() => continueDeletion(core)));
};
const copies = ({ core }: TestWorld): unknown[] => rows(core, "SELECT * FROM report_copies");
const outcomes = ({ core }: TestWorld): unknown[] =>
  rows(core, "SELECT outcome FROM reports ORDER BY id").map(({ outcome }) => outcome);
const audit = ({ core }: TestWorld): string =>
  JSON.stringify(listAudit(core, OPERATOR, { of: "all" }, { limit: 100 }).nodes);

/** Runs a command of the operator and returns its output. */
async function tool({ folder }: TestWorld, ...words: string[]): Promise<string> {
  let message = "";
  const spy = spyOn(process.stdout, "write").mockImplementation((text) => {
    message += String(text);
    return true;
  });
  try {
    const env = {
      GUILDHALL_KEY: KEY,
      GUILDHALL_DATA: folder,
    };
    expect(
      await run(["bun", "guildhall", ...words], { variables: env, settings: join(folder, "none.toml") }),
    ).toBe(0);
  } finally {
    spy.mockRestore();
  }
  return message;
}

const OF_MODERATORS = "subjectTitle subjectText subjectOwner { username } settled { outcome }";

/** Checks a deleted object in every view that shows it to a moderator. */
async function expectCopy(site: Site, warden: string, { kind, id, report: reportId, title, text }: Reported) {
  const subject = { type: kind, id, title, text, owner: "ada", hidden: false };
  const listed = (await call(site, warden, "GET /reports?state=open&limit=100")).body.data;
  const found = listed.find((each: { id: string }) => each.id === reportId);
  expect(found).toMatchObject({ subject, as_reported: null, settled: null });

  const shown = {
    subjectTitle: title,
    subjectText: text,
    subjectOwner: { username: "ada" },
    settled: null,
    subject: null,
  };
  const { body } = await graph(
    site,
    warden,
    `query($id: ID!) {
       node(id: $id) { ... on Report { id subject { __typename } ${OF_MODERATORS} } }
       reports(first: 50, state: open) { nodes { id subject { __typename } ${OF_MODERATORS} } }
     }`,
    { variables: { id: reportId } },
  );
  expect(body.errors).toBeUndefined();
  expect(body.data.node).toEqual({ id: reportId, ...shown });
  expect(body.data.reports.nodes).toContainEqual({ id: reportId, ...shown });

  const page = await signedInAs(site, "warden").open(`/admin/cases/${id}`);
  for (const content of [...(kind === "message" ? [] : [title]), "@ada", "Deleted", ...plain(text)])
    expect([kind, visibleText(page.html)]).toEqual([kind, expect.stringContaining(content)]);
  expect(page.html).not.toContain(`href="/${kind}s/${id}"`);
  expect(page.html.includes('name="act" value="hide"')).toBe(kind !== "builder" && kind !== "message");
  expect(page.html).toContain('name="act" value="dismiss"');

  const printed = await tool(site, "case", "show", id, "--json");
  expect(JSON.parse(printed)).toMatchObject({ subject: { ...subject, isDeleted: true } });
  const line = (await tool(site, "case", "list", "--state", "open"))
    .split("\n")
    .find((each) => each.split("\t")[5] === id);
  expect(line?.split("\t").slice(4, 7)).toEqual([kind, id, "ada"]);
}

/** Splits a text into words without Markdown syntax. */
const plain = (text: string): string[] => text.match(/[\w., ]{4,}/g)?.map((each) => each.trim()) ?? [];

/** Checks what other members can see of a deleted object through their report. */
async function expectHidden(site: Site, caller: Caller, reportId: string) {
  const { core } = site;
  const own = getReports(core, caller, [reportId]);
  expect(own.every(({ subject }) => subject.title === null && subject.owner === null)).toBe(true);
  expect(own.every(({ subject }) => subject.text === undefined)).toBe(true);
  const { token } = createMemberToken(core, caller.username ?? "");
  const { body } = await graph(
    site,
    token,
    `query($id: ID!) { node(id: $id) { ... on Report { id subject { __typename } } } }`,
    { variables: { id: reportId } },
  );
  expect(body.data.node?.subject ?? null).toBeNull();
  const response = await graph(
    site,
    token,
    `query($id: ID!) { node(id: $id) { ... on Report { ${OF_MODERATORS} } } reports(first: 5) { nodes { ${OF_MODERATORS} } } }`,
    { variables: { id: reportId } },
  );
  expect(response.text).not.toMatch(MARK);
  expect((await call(site, token, "GET /reports")).status).toBe(403);
}

test("deleted content stays readable only to moderators, with its report", async () => {
  await using site = openSite();
  const { core } = site;
  const { ada, bo, cy, warden, ids, reports } = await settle(site);
  deletePost(core, ada.caller, ids.post);
  deletePost(core, ada.caller, ids.reply);
  deletePrompt(core, ada.caller, ids.prompt);
  const deleted = reports.filter(({ id }) => Object.values(ids).includes(id));
  expect(deleted).toHaveLength(3);
  for (const each of deleted) {
    await expectCopy(site, warden.token, each);
    for (const caller of [ada, bo, cy]) await expectHidden(site, caller.caller, each.report);
  }
});

test("a reported reply keeps its copy when the post above it is deleted, even in several batches", async () => {
  await using site = openSite();
  const { core } = site;
  const { cy, warden, root, reports } = await settle(site);
  core.db.transact(() => {
    for (let i = 0; i < 250; i++) replyTo(core, cy.caller, root.id, { text: `${i}` });
  });
  deletePost(core, cy.caller, root.id);
  await dropRemovedPosts(core);
  const reply = reports.find(({ text }) => text === "Zebra reply") as Reported;
  expect(rows(core, "SELECT 1 FROM posts WHERE id = ?", reply.id)).toEqual([]);
  await expectCopy(site, warden.token, reply);
});

test.each(["themself", "an admin"])(
  "after an account deletion by %s all its reported content stays with the reports, from the first moment on",
  async (by) => {
    await using site = openSite();
    const { core } = site;
    const { ada, bo, warden, reports } = await settle(site);
    for (let i = 0; i < 150; i++)
      likePost(core, bo.caller, createPost(core, ada.caller, { text: `${i}` }).id);
    if (by === "themself") await remove(site, ada.caller);
    else deleteAccount(core, signedInNow(core, warden.caller), "ada", "ada");
    const inBetween = async () => {
      const listed = (await call(site, warden.token, "GET /reports?state=open&limit=100")).body.data;
      expect(listed.map(({ subject }: any) => subject.owner)).toEqual(reports.map(() => "ada"));
    };
    await inBetween();
    for (let slices = 0; slices < 3; slices++) {
      core.db.transact(() => continueDeletion(core));
      await inBetween();
    }
    // An admin's deletion hides the account at once and erases it after seven days.
    site.clock.pass(7 * DAY);
    await eraseDueAccounts(core);
    finish(site);
    for (const each of reports) await expectCopy(site, warden.token, each);
    await expectHidden(site, bo.caller, reports[0]?.report ?? "");
    // Only the copies and the reports still contain her texts.
    const left = rows(
      core,
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
      .map(({ name }) => name)
      .filter((name) => rows(core, `SELECT * FROM "${name}"`).some((row) => MARK.test(JSON.stringify(row))));
    expect(left).toEqual(["report_copies"]);
    await remove(site, bo.caller);
    finish(site);
    expect([rows(core, "SELECT 1 FROM reports"), copies(site)]).toEqual([[], []]);
  },
);

test("hiding and restoring settle and reopen reports about deleted content, without a notification or an audit entry that names the author", async () => {
  await using site = openSite();
  const { core } = site;
  const { ada, cy, warden, ids, reports } = await settle(site);
  report(core, cy.caller, { kind: "post", id: ids.post }, reason);
  deletePost(core, ada.caller, ids.post);
  deletePrompt(core, ada.caller, ids.prompt);
  const before = audit(site);
  const notified = () =>
    rows(core, "SELECT count(*) AS n FROM notifications WHERE builder_id = ?", ada.builderId);
  const [told] = notified();
  const of = (id: string) =>
    rows(core, "SELECT outcome FROM reports WHERE subject_id = ?", id).map((row) => row.outcome);

  for (const { kind, id, title } of reports.filter((each) => [ids.post, ids.prompt].includes(each.id))) {
    for (const [method, outcome] of [
      ["PUT", "upheld"],
      ["PUT", "upheld"],
      ["DELETE", null],
      ["DELETE", null],
      ["PUT", "upheld"],
    ] as const) {
      const answer = await call(site, warden.token, `${method} /moderation/${id}/hidden`);
      expect(answer.body).toMatchObject({ type: kind, id, title, owner: "ada", hidden: false });
      expect(new Set(of(id))).toEqual(new Set([outcome]));
    }
    const { body } = await graph(
      site,
      warden.token,
      `mutation($id: ID!) { restoreThing(input: { id: $id }) { subject { __typename } errors { message } } }`,
      { variables: { id } },
    );
    expect(body).toEqual({ data: { restoreThing: { subject: null, errors: [] } } });
    expect(new Set(of(id))).toEqual(new Set([null]));
  }
  expect(notified()).toEqual([told]);

  const admin = signedInAs(site, "warden");
  const decide = /^\/admin\/cases\/case_\w+\/decide$/;
  const page = await admin.open(`/admin/cases/${ids.post}`);
  const upheld = await admin.submit(page, decide, { act: "hide", reason: "Spam." });
  expect(visibleText(upheld.html)).toContain("Decision made.");
  expect(of(ids.post)).toEqual(["upheld", "upheld"]);
  await admin.submit(upheld, decide, { act: "restore" });
  expect(of(ids.post)).toEqual([null, null]);
  await tool(site, "case", "decide", ids.post, "hide", "--reason", "Spam.");
  expect(of(ids.post)).toEqual(["upheld", "upheld"]);
  restore(core, OPERATOR, ids.post);
  for (const each of reports.filter(({ id }) => [ids.post, ids.prompt].includes(id))) {
    dismissReport(core, OPERATOR, each.report);
    reopenReport(core, OPERATOR, each.report);
    await tool(site, "case", "decide", each.id, "dismiss");
  }
  expect([...of(ids.post), ...of(ids.prompt)]).toEqual(["dismissed", "dismissed", "dismissed"]);

  expect(before).not.toMatch(MARK);
  expect(audit(site)).not.toMatch(MARK);
  expect(audit(site)).toContain("Upheld the reports about a deleted post");
  expect(audit(site).match(/Upheld the reports about a deleted prompt/g)).toHaveLength(2);
  expect(JSON.stringify(listAudit(core, ada.caller, { of: "mine" }, { limit: 100 }).nodes)).not.toContain(
    "report",
  );
  const own = createPost(core, cy.caller, { text: "Unreported" });
  deletePost(core, cy.caller, own.id);
  expect((await call(site, warden.token, `PUT /moderation/${own.id}/hidden`)).status).toBe(404);
});

test("a moderator cannot decide about content that they deleted; a deleted builder or message can only be dismissed", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada, ids, reports } = await settle(world);
  changeRole(core, OPERATOR, "ada", "moderator");
  const mo = signedInNow(core, ada.caller);
  deletePost(core, mo, ids.post);
  const [post] = reports;
  for (const action of [
    () => hide(core, mo, ids.post),
    () => restore(core, mo, ids.post),
    () => dismissReport(core, mo, post?.report ?? ""),
  ])
    expect((await refusalBy(action)).code).toBe("own_cause");
  hide(core, OPERATOR, ids.post);
  expect((await refusalBy(() => restore(core, mo, ids.post))).code).toBe("own_cause");
  deleteAccount(core, OPERATOR, "ada", "ada");
  finish(world);
  for (const { kind, id, report: reportId } of reports.filter(({ kind }) => /builder|message/.test(kind))) {
    expect([kind, (await refusalBy(() => hide(core, OPERATOR, id))).code]).toEqual([kind, "subject_unknown"]);
    expect(dismissReport(core, OPERATOR, reportId).settled?.outcome).toBe("dismissed");
  }
});

test("suspending a builder also settles reports about their deleted messages", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { reports } = await settle(world);
  const message = reports.find(({ kind }) => kind === "message") as Reported;
  core.db.prepare("DELETE FROM threads").run();
  const outcome = () => rows(core, "SELECT outcome FROM reports WHERE id = ?", message.report)[0].outcome;
  suspendBuilder(core, OPERATOR, "ada");
  expect(outcome()).toBe("upheld");
  restoreBuilder(core, OPERATOR, "ada");
  expect(outcome()).toBeNull();
});

test("a copy is deleted 30 days after the decision; reopening the report keeps it", async () => {
  await using site = openSite();
  const { core, clock } = site;
  const { ada, warden, ids, reports } = await settle(site);
  const of = (id: string): Reported => reports.find((each) => each.id === id) as Reported;
  const [post, prompt, reply] = [of(ids.post), of(ids.prompt), of(ids.reply)];
  deletePost(core, ada.caller, ids.post);
  deletePrompt(core, ada.caller, ids.prompt);
  clock.pass(400 * DAY);
  await forgetOldCopies(core);
  expect(copies(site)).toHaveLength(reports.length);
  await expectCopy(site, warden.token, post);

  dismissReport(core, OPERATOR, post.report);
  hide(core, OPERATOR, ids.prompt);
  dismissReport(core, OPERATOR, reply.report);
  clock.pass(29 * DAY);
  reopenReport(core, OPERATOR, post.report);
  clock.pass(DAY - 1);
  await forgetOldCopies(core);
  expect(copies(site)).toHaveLength(reports.length);
  clock.pass(1);
  await forgetOldCopies(core);
  const left = rows(core, "SELECT report_id FROM report_copies").map(({ report_id }) => report_id);
  expect(left.sort()).toEqual(
    reports
      .map(({ report: id }) => id)
      .filter((id) => ![prompt.report, reply.report].includes(id))
      .sort(),
  );
  await expectCopy(site, warden.token, post);
  const settled = (await call(site, warden.token, "GET /reports?state=settled")).body.data;
  const shown = (id: string) => settled.find((each: any) => each.id === id).subject;
  expect(shown(prompt.report)).toEqual({
    type: "prompt",
    id: ids.prompt,
    title: null,
    owner: null,
    hidden: false,
  });
  expect(shown(reply.report)).toMatchObject({ title: "Zebra reply", owner: "ada" });

  // The copy of this report was deleted earlier. If the report is reopened and the content is deleted, the
  // server creates a new copy.
  reopenReport(core, OPERATOR, reply.report);
  deletePost(core, ada.caller, ids.reply);
  await expectCopy(site, warden.token, reply);
});

test("edited content is shown as it was reported, also after its deletion", async () => {
  await using site = openSite();
  const { core } = site;
  const { ada, bo, warden, ids, reports } = await settle(site);
  const of = (kind: SubjectKind): Reported => reports.find((each) => each.kind === kind) as Reported;
  const subjects = async () => {
    const { data } = (await call(site, warden.token, "GET /reports?limit=100")).body;
    return new Map<string, any>(data.map((each: any) => [each.id, each]));
  };
  for (const { report: id, kind } of reports)
    expect([kind, (await subjects()).get(id).subject.text]).toEqual([
      kind,
      kind === "message" ? "Zebra message" : undefined,
    ]);
  editPost(core, ada.caller, ids.post, { text: "Harmless" });
  changeJob(core, ada.caller, of("job").id, { description: "Harmless." });
  revisePrompt(core, ada.caller, ids.prompt, { title: "Harmless", body: "Harmless.", note: "Nothing." });
  changeProfile(core, ada.caller, { name: "Ada", bio: "Harmless." });
  const edited = await subjects();
  expect(edited.get(of("post").report)).toMatchObject({
    subject: { title: "Harmless" },
    as_reported: { text: "# Zebra *followers*\n\nCheap." },
  });
  expect(edited.get(of("post").report).subject.text).toBeUndefined();
  expect(edited.get(of("job").report).subject).toMatchObject({
    title: "Zebra keeper",
    text: `Keep **zebras**.\n\n${jobDraft({}).apply_url}`,
  });
  expect(edited.get(of("prompt").report).subject).toMatchObject({
    title: "Harmless",
    text: "Zebra prompt\n\nYou sell zebras.",
  });
  expect(edited.get(of("builder").report).subject).toMatchObject({
    title: "ada",
    text: "Ada Zebra\n\nZebras, cheap.",
  });
  for (const [kind, text] of [
    ["job", "Keep **zebras**"],
    ["prompt", "You sell zebras"],
    ["builder", "Zebras, cheap"],
  ] as const) {
    const { html } = await signedInAs(site, "warden").open(`/admin/cases/${of(kind).id}`);
    expect(visibleText(html)).toContain(text);
  }

  // A new report copies the current text. The earlier copy is kept.
  report(core, bo.caller, { kind: "prompt", id: ids.prompt }, { reason: "Still." });
  expect((await subjects()).get(of("prompt").report).subject.text).toBe("Zebra prompt\n\nYou sell zebras.");

  await remove(site, ada.caller);
  finish(site);
  for (const each of reports)
    await expectCopy(
      site,
      warden.token,
      each.kind === "prompt" ? { ...each, text: `${each.text}\n\n---\n\nHarmless\n\nHarmless.` } : each,
    );
});

test("reporting again keeps the first copy and adds the current text while the report is open", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada, bo, ids, reports } = await settle(world);
  const [post] = reports;
  const said = () => rows(core, "SELECT text, later FROM report_copies WHERE report_id = ?", post?.report)[0];
  const first = said().text;
  editPost(core, ada.caller, ids.post, { text: "Harmless" });
  report(core, bo.caller, { kind: "post", id: ids.post }, { reason: "They changed it." });
  expect(said()).toEqual({ text: first, later: "Harmless" });

  editPost(core, ada.caller, ids.post, { text: "Worse" });
  report(core, bo.caller, { kind: "post", id: ids.post }, reason);
  deletePost(core, ada.caller, ids.post);

  expect(getReports(core, OPERATOR, [post?.report ?? ""])[0]?.subject.text).toBe(`${first}\n\n---\n\nWorse`);
});

test("reporting again changes nothing once the report is decided", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada, bo, ids, reports } = await settle(world);
  const before = copies(world);
  dismissReport(core, OPERATOR, reports[0]?.report ?? "");
  editPost(core, ada.caller, ids.post, { text: "Third" });

  report(core, bo.caller, { kind: "post", id: ids.post }, reason);

  expect(copies(world)).toEqual(before);
});

test("the operator's export and import include the copies, and a member's own export does not", async () => {
  await using site = openSite({ seed: 2 });
  const { core } = site;
  using source = createTestWorld();
  const { ada, bo, ids, reports } = await settle(source);
  deletePost(source.core, ada.caller, ids.post);
  const [post] = reports as [Reported];
  for (const { builderId } of [ada, bo])
    for (const { name, lines } of partsOf(source.core, { at: source.clock.now(), builderId })) {
      expect(name).not.toBe("report_copies");
      for (const line of lines) expect(JSON.stringify(line)).not.toContain("Zebra *followers*");
    }
  const folder = join(source.folder, "out");
  await exportTo(source.core, folder, quiet);
  site.clock.pass(source.clock.now() - site.clock.now());
  await importInto(core, openExport(folder), () => {});
  expect(copies(site)).toEqual(copies(source));
  expect(outcomes(site)).toEqual(reports.map(() => null));
  const [moved] = getReports(core, OPERATOR, [post.report]);
  expect(moved?.subject).toMatchObject({ title: post.title, text: post.text, owner: "ada", isDeleted: true });
});

test("reports imported from an earlier version get copies of the content as it was reported", async () => {
  using source = createTestWorld();
  const { ada, ids, reports } = await settle(source);
  editPost(source.core, ada.caller, ids.post, { text: "Harmless" });
  const before = copies(source);
  source.core.db.prepare("DELETE FROM report_copies").run();
  dismissReport(source.core, OPERATOR, reports[1]?.report ?? "");
  const folder = join(source.folder, "out");
  await exportTo(source.core, folder, quiet);
  using target = createTestWorld({ seed: 2 });
  target.clock.pass(source.clock.now() - target.clock.now());

  await importInto(target.core, openExport(folder), () => {});

  expect(copies(target)).toEqual(before.filter((_, i) => i !== 1));
});

test("every deletion page says in each language that reported content is kept for 30 days", async () => {
  await using site = openSite();
  const { core } = site;
  const { ids } = await settle(site);
  const said = { en: /reported.*30 days/, de: /gemeldet.*30 Tage/, es: /denuncia.*30 días/ };
  for (const [language, words] of Object.entries(said)) {
    core.db.prepare("UPDATE builders SET language = ? WHERE username = 'ada'").run(language);
    const browser = signedInAs(site, "ada");
    for (const path of [
      "/settings/account/delete",
      `/posts/${ids.post}/delete`,
      `/posts/${ids.reply}/delete`,
      `/prompts/${ids.prompt}/delete`,
    ]) {
      const page = await browser.open(path);
      expect([path, page.status]).toEqual([path, 200]);
      expect([path, visibleText(page.html)]).toEqual([path, expect.stringMatching(words)]);
    }
  }
});
