// docs/contract.md#12.40: one case for each subject.
import { expect, test } from "bun:test";
import { DAY } from "../../src/core/base/clock.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { hidePost } from "../../src/core/community/feed/removal.ts";
import { hold } from "../../src/core/community/holding/holding.ts";
import { versionOf } from "../../src/core/community/reports/cases.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { listAudit, listModerationLog } from "../../src/core/identity/audit/audit.ts";
import { deleteAccount, eraseDueAccounts } from "../../src/core/services/deletion/deletion.ts";
import { appeal, listAppeals } from "../../src/core/services/moderation/appeals.ts";
import {
  addCaseNote,
  getCase,
  listCases,
  releaseCase,
  takeCase,
} from "../../src/core/services/moderation/cases.ts";
import { decide } from "../../src/core/services/moderation/decisions.ts";
import { dismissReport, report } from "../../src/core/services/moderation/reports.ts";
import { listNotifications } from "../../src/core/services/notifications/notifications.ts";
import { createTestWorld, signedInNow } from "../support.ts";
import { completeDeletion } from "./linked-community.ts";
import { createSignedInMember, outcomeOf, refusalOf } from "./people.ts";

test("reports about one thing are one case, a decision closes it, and a new report opens it again", async () => {
  using world = createTestWorld();
  const { core } = world;
  const [{ caller: ada }, { caller: bo }, { caller: cy }, { caller: mo }, { caller: mia }] =
    await Promise.all([
      createSignedInMember(core, "ada"),
      createSignedInMember(core, "bo"),
      createSignedInMember(core, "cy"),
      createSignedInMember(core, "mo", { role: "moderator" }),
      createSignedInMember(core, "mia", { role: "moderator" }),
    ]);
  const post = createPost(core, ada, { text: "Cheap followers" });
  expect(getCase(core, mo, post.id)).toMatchObject({ id: null, state: "closed", version: 0 });
  expect(await outcomeOf(() => getCase(core, bo, post.id))).toBe("forbidden");
  const first = report(core, bo, { kind: "post", id: post.id }, { reason: "Spam" });
  report(core, cy, { kind: "post", id: post.id }, { reason: "Again" });
  const { nodes } = listCases(core, mo, {}, { limit: 10 });
  expect(nodes).toHaveLength(1);
  expect(nodes[0]).toMatchObject({ reportCount: 2, reason: "Again", takenBy: null, cause: "report" });

  takeCase(core, mo, post.id);
  expect((await refusalOf(() => takeCase(core, mia, post.id))).code).toBe("case_taken");
  addCaseNote(core, mia, post.id, { text: "Seen before" });
  const found = getCase(core, mia, nodes[0]?.id ?? "");
  expect(found).toMatchObject({
    takenBy: "mo",
    text: "Cheap followers",
    notes: [{ author: "mia", text: "Seen before" }],
    history: { username: "ada", cases: 1, reports: 2, decisions: [] },
  });
  expect(found.reports.map(({ reporter }) => reporter)).toEqual(["cy", "bo"]);
  expect(listCases(core, mo, { taken: "mine" }, { limit: 10 }).nodes).toHaveLength(1);
  expect(listCases(core, mia, { taken: "free" }, { limit: 10 }).nodes).toHaveLength(0);
  expect(listCases(core, mia, { member: "ada" }, { limit: 10 }).nodes).toHaveLength(1);
  expect(listCases(core, mia, { cause: "brake" }, { limit: 10 }).nodes).toHaveLength(0);
  releaseCase(core, mia, post.id);

  dismissReport(core, mo, first.id);
  expect(listCases(core, mo, {}, { limit: 10 }).nodes).toEqual([]);
  expect(listCases(core, mo, { state: "closed" }, { limit: 10 }).nodes).toHaveLength(1);
  expect((await refusalOf(() => takeCase(core, mo, post.id))).code).toBe("case_closed");
  expect(versionOf(core, post.id)).toBe(1);
  report(core, mia, { kind: "post", id: post.id }, { reason: "Still" });
  expect(getCase(core, mo, post.id)).toMatchObject({ state: "open", version: 1, reportCount: 3 });
});

test("the log is filtered by actor, member, act and day, and moderators see no sign-in and no address", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller: mo } = await createSignedInMember(core, "mo", { role: "moderator" });
  const { caller: bo } = await createSignedInMember(core, "bo");
  const post = createPost(core, bo, { text: "Hello" });
  const { id } = report(core, mo, { kind: "post", id: post.id }, { reason: "?" });
  dismissReport(core, mo, id);
  const log = listModerationLog(core, mo, {}, { limit: 10 }).nodes;
  expect(log.map(({ act, actor, address }) => [act, actor, address])).toEqual([
    ["reports.dismissed", "mo", null],
  ]);
  const day = new Date(core.clock.now()).toISOString().slice(0, 10);
  const acts = (filter: object) =>
    listAudit(core, OPERATOR, { of: "all", ...filter }, { limit: 100 }).nodes.map(({ act }) => act);
  expect(acts({ actor: "mo", act: "reports.dismissed", day })).toEqual(["reports.dismissed"]);
  expect(acts({ act: "session.opened" })).toEqual(["session.opened", "session.opened"]);
  expect(acts({ actor: "bo", act: "reports.dismissed" })).toEqual([]);
  expect(acts({ subject: "bo" })).toContain("session.opened");
  expect(acts({ day: "2001-01-01" })).toEqual([]);
  expect(await outcomeOf(() => listModerationLog(core, bo, {}, { limit: 10 }))).toBe("forbidden");
});

test("nothing of a deleted account is approved, and its erasure leaves only cases with reports", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const { caller: mo } = await createSignedInMember(core, "mo", { role: "moderator" });
  const { caller: bo } = await createSignedInMember(core, "bo");
  const { caller: root } = await createSignedInMember(core, "root", { role: "owner" });
  const ids = ["held", "reported", "noted"].map((text) => createPost(core, bo, { text }).id);
  const [held, reported, noted] = ids as [string, string, string];
  for (const id of [held, reported]) {
    core.db.transact(() => hidePost(core, id));
    const content = { subjectId: id, builderId: bo.builderId, kind: "post", isNew: false } as const;
    hold(core, { brake: "held_word", detail: "x" }, content);
  }
  report(core, mo, { kind: "post", id: reported }, { reason: "Rude" });
  addCaseNote(core, mo, noted, { text: "Watch this." });
  const warned = decide(core, mo, bo.builderId, { act: "warn", reason: "Rude" });
  appeal(core, bo, warned.id, { text: "Please" });

  deleteAccount(core, signedInNow(core, root), "bo", "bo");
  for (const act of ["approve", "restore"] as const)
    expect(await outcomeOf(() => decide(core, mo, held, { act }))).toBe("not_found");
  expect(listAppeals(core, mo, {}, { limit: 5 }).nodes).toMatchObject([{ builder: null }]);
  clock.pass(8 * DAY);
  await eraseDueAccounts(core);
  completeDeletion(core);

  expect(listCases(core, mo, {}, { limit: 5 }).nodes).toMatchObject([
    { subject: { id: reported, owner: "bo", isDeleted: true }, held: null, cause: "brake" },
  ]);
  expect(listAppeals(core, mo, {}, { limit: 5 }).nodes).toEqual([]);
  const notified = listNotifications(core, mo, {}, { limit: 5 }).nodes.map(({ kind }) => kind);
  expect(notified).not.toContain("appeal_waiting");
  expect(notified).toContain("report_waiting");
  for (const table of ["held", "decisions", "appeals", "case_notes"])
    expect([table, core.db.prepare(`SELECT * FROM ${table}`).all()]).toEqual([table, []]);
  decide(core, mo, reported, { act: "dismiss" });
  expect(listCases(core, mo, {}, { limit: 5 }).nodes).toEqual([]);
});
