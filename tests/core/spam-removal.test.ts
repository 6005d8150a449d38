// Removing spammers: content, notifications, deliveries, holds and undo (docs/contract.md#12.38).
import { expect, test } from "bun:test";
import { join } from "node:path";
import { DAY } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
import { openDatabase } from "../../src/core/base/db/open.ts";
import { type BuilderCaller, OPERATOR, VISITOR } from "../../src/core/identity/access/caller.ts";
import { createPost, getPost, listFeed } from "../../src/core/community/feed/feed.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { followBuilder } from "../../src/core/community/following/following.ts";
import { publishJob } from "../../src/core/community/jobs/jobs.ts";
import { countUnread, listThreads, sendMessage } from "../../src/core/community/messages/messages.ts";
import { getPrompt, submitPrompt } from "../../src/core/community/prompts/prompts.ts";
import { forgetEndedHosts, heldHostOf } from "../../src/core/identity/held-hosts/held-hosts.ts";
import { claimDue } from "../../src/core/outbox/deliveries/deliveries.ts";
import type { CheckedUrl } from "../../src/core/outbox/webhooks/target.ts";
import { registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import { continueBatches } from "../../src/core/services/batches/batches.ts";
import { deleteAccount } from "../../src/core/services/deletion/deletion.ts";
import { undoDeletion } from "../../src/core/services/deletion/pending.ts";
import { hide, restore } from "../moderate.ts";
import { decide } from "../../src/core/services/moderation/decisions.ts";
import { undoDecision } from "../../src/core/services/moderation/undo.ts";
import { beginRemoval, continueRemovals, undoRemoval } from "../../src/core/services/moderation/removal.ts";
import { listReports, report } from "../../src/core/services/moderation/reports.ts";
import { wrongBuilders } from "../ledger.ts";
import { jobDraft } from "../spec/rows.ts";
import { createMember, createTestWorld, limitOf } from "../support.ts";
import { completeDeletion } from "./linked-community.ts";
import { createSignedInMember } from "./people.ts";

let decisions = 0;

/** Removes a member as the decision does, without the member's standing. Returns the id of the decision. */
function remove(core: Core, { builderId }: BuilderCaller, hosts: readonly string[] = []): string {
  const decisionId = `dec_${builderId.slice(8)}${decisions++}`;
  core.db.transact(() => {
    core.db
      .prepare(
        `INSERT INTO decisions (id, act, subject_id, builder_id, created_at)
         VALUES (?, 'remove_spammer', ?, ?, 1)`,
      )
      .run(decisionId, builderId, builderId);
    beginRemoval(core, { builderId, username: "mallory", decisionId, hosts }, ["203.0.113.0/24"]);
  });
  return decisionId;
}

const finish = (core: Core): void => {
  while (core.db.transact(() => continueBatches(core)));
};
const eventTypes = (core: Core): string[] =>
  core.db
    .prepare<{ type: string }>("SELECT type FROM events ORDER BY id")
    .all()
    .map(({ type }) => type);

/** A member whose caller is a builder. */
const member = (core: Core, username: string) => createMember(core, username).caller as BuilderCaller;

function spamCommunity(core: Core) {
  const [mallory, ada] = [member(core, "mallory"), member(core, "ada")];
  const own = createPost(core, ada, { text: "Hello" });
  const ids = {
    own: own.id,
    post: createPost(core, mallory, { text: "Buy https://spam.example/1", tags: ["rust"] }).id,
    reply: replyTo(core, mallory, own.id, { text: "Buy @ada" }).id,
    prompt: submitPrompt(core, mallory, { title: "Spam", body: "Buy", model: "m", category: "c" }).id,
    job: publishJob(core, mallory, jobDraft({ title: "Spam" })).id,
  };
  sendMessage(core, mallory, { to: "ada", text: "Buy" });
  followBuilder(core, mallory, "ada");
  return { mallory, ada, ids };
}

test("a removal hides everything, withdraws notifications, and fires one event", () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada, mallory, ids } = spamCommunity(core);
  const noted = () =>
    core.db.prepare("SELECT 1 FROM notification_facts WHERE actor_id = ?").all(mallory.builderId);
  expect(noted().length).toBeGreaterThan(2);
  const before = eventTypes(core).length;

  remove(core, mallory);
  finish(core);

  expect(listFeed(core, VISITOR, {}, { limit: 10 }).nodes.map(({ id }) => id)).toEqual([ids.own]);
  expect(getPost(core, ada, ids.own).metrics.replies).toBe(0);
  expect(() => getPrompt(core, ada, ids.prompt)).toThrow();
  expect(listThreads(core, ada, {}, { limit: 10 }).nodes).toEqual([]);
  expect(countUnread(core, ada)).toBe(0);
  expect(noted()).toEqual([]);
  expect(eventTypes(core).slice(before)).toEqual(["builder.removed"]);
  expect(wrongBuilders(core)).toEqual([]);
});

test("waiting deliveries with the content of a removed account are not sent", () => {
  using world = createTestWorld();
  const { core } = world;
  const ada = member(core, "ada");
  registerEndpoint(core, ada, {
    url: "https://hooks.example.com/in" as CheckedUrl,
    events: ["post.created", "dm.received", "builder.removed"],
  });
  const mallory = member(core, "mallory");
  createPost(core, mallory, { text: "Buy" });
  sendMessage(core, mallory, { to: "ada", text: "Buy" });
  const kept = createPost(core, ada, { text: "Hello" });

  remove(core, mallory);
  finish(core);

  const { claims } = core.db.transact(() => claimDue(core, 1000, "", limitOf(1000)));
  const sent = claims.map(({ body }) => JSON.parse(body));
  expect(sent.map(({ type }) => type).sort()).toEqual(["builder.removed", "post.created"]);
  expect(sent.find(({ type }) => type === "post.created").data.post.id).toBe(kept.id);
  expect(sent.find(({ type }) => type === "builder.removed").data).toEqual({
    builder: { id: mallory.builderId, username: "mallory" },
  });
});

test("an undo restores content, XP, conversations and holds, but not later decisions", () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada, mallory, ids } = spamCommunity(core);
  const other = createPost(core, mallory, { text: "Also spam" });
  const back = createPost(core, mallory, { text: "Not spam" });
  const xp = () => core.db.prepare("SELECT sum(points) AS n FROM xp_entries").get();
  const earned = xp();
  const decision = remove(core, mallory, ["spam.example"]);
  finish(core);
  expect(xp()).not.toEqual(earned);
  expect(heldHostOf(core, ["shop.spam.example"]) !== undefined).toBe(true);
  hide(core, OPERATOR, other.id);
  restore(core, OPERATOR, back.id);
  hide(core, OPERATOR, back.id);

  const isUndone = core.db.transact(() => undoRemoval(core, { id: decision, builderId: mallory.builderId }));
  finish(core);

  expect(isUndone).toBe(true);
  expect(heldHostOf(core, ["spam.example"]) !== undefined).toBe(false);
  expect(core.db.prepare("SELECT 1 FROM held_networks").all()).toEqual([]);
  const shown = listFeed(core, VISITOR, {}, { limit: 10 }).nodes.map(({ id }) => id);
  expect(shown.sort()).toEqual([ids.own, ids.post].sort());
  expect(getPost(core, ada, ids.own).metrics.replies).toBe(1);
  expect(getPrompt(core, ada, ids.prompt).title).toBe("Spam");
  expect(listThreads(core, ada, {}, { limit: 10 }).nodes).toHaveLength(1);
  expect(
    core.db.prepare("SELECT 1 FROM spam_removals UNION ALL SELECT 1 FROM hidden_by_removal").all(),
  ).toEqual([]);
  expect(wrongBuilders(core)).toEqual([]);
});

test("a held host holds for 30 days, and then the hourly work deletes the hold", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const mallory = member(core, "mallory");
  remove(core, mallory, ["spam.example"]);
  finish(core);
  const rows = () => core.db.prepare("SELECT host FROM held_hosts").all();
  const ada = member(core, "ada");
  const isHeld = (path: string): boolean =>
    createPost(core, ada, { text: `https://spam.example/${path}` }).hiddenAt !== null;

  clock.pass(30 * DAY - 1);
  await forgetEndedHosts(core);
  expect([isHeld("a"), rows()]).toEqual([true, [{ host: "spam.example" }]]);
  clock.pass(1);
  expect([isHeld("b"), rows()]).toEqual([false, [{ host: "spam.example" }]]);
  await forgetEndedHosts(core);
  expect(rows()).toEqual([]);
});

test("a removal can be undone for seven days, and its content stays hidden afterwards", () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const { mallory, ids } = spamCommunity(core);
  const decision = remove(core, mallory);
  finish(core);
  clock.step(-9 * DAY);
  clock.pass(7 * DAY);
  const undo = () =>
    core.db.transact(() => undoRemoval(core, { id: decision, builderId: mallory.builderId }));
  expect(undo()).toBe(false);
  finish(core);
  expect(core.db.prepare("SELECT 1 FROM hidden_by_removal").all()).toEqual([]);
  expect(undo()).toBe(false);
  expect(listFeed(core, VISITOR, {}, { limit: 10 }).nodes.map(({ id }) => id)).toEqual([ids.own]);
  restore(core, OPERATOR, ids.post);
  expect(listFeed(core, VISITOR, {}, { limit: 10 }).nodes).toHaveLength(2);
});

test("reports about removed content are settled, and open again after an undo", () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada, mallory, ids } = spamCommunity(core);
  report(core, ada, { kind: "post", id: ids.post }, { reason: "Spam" });
  const open = () => listReports(core, OPERATOR, { state: "open" } as never, { limit: 10 }).nodes.length;
  expect(open()).toBe(1);
  const decision = remove(core, mallory);
  finish(core);
  expect(open()).toBe(0);
  core.db.transact(() => undoRemoval(core, { id: decision, builderId: mallory.builderId }));
  finish(core);
  expect(open()).toBe(1);
});

test("content that waits for approval waits no longer, and waits again after an undo", () => {
  using world = createTestWorld();
  const { core } = world;
  const { mallory } = spamCommunity(core);
  const held = createPost(core, mallory, { text: "Held" });
  hide(core, OPERATOR, held.id);
  core.db
    .prepare(
      `INSERT INTO held (subject_id, builder_id, kind, brake, is_new, held_at) VALUES (?, ?, 'post', 'x', 1, 1)`,
    )
    .run(held.id, mallory.builderId);
  const waiting = () => core.db.prepare("SELECT 1 FROM held WHERE dismissed_at IS NULL").all().length;
  const decision = remove(core, mallory);
  finish(core);
  expect(waiting()).toBe(0);
  core.db.transact(() => undoRemoval(core, { id: decision, builderId: mallory.builderId }));
  finish(core);
  expect(waiting()).toBe(1);
  expect(() => getPost(core, VISITOR, held.id)).toThrow();
});

test("a removal continues after a restart, in bounded batches, beside a second removal", () => {
  using world = createTestWorld();
  const { core } = world;
  const members = ["mallory", "eve"].map((name) => member(core, name));
  core.db.transact(() => {
    for (const each of members)
      for (let i = 0; i < 250; i++) createPost(core, each, { text: `Buy ${i}`, tags: ["rust"] });
  });
  const left = () => core.db.prepare("SELECT 1 FROM posts WHERE hidden_at IS NULL").all().length;
  for (const each of members) remove(core, each);
  let batches = 0;
  for (let goesOn = true; goesOn; batches++) {
    const before = left();
    const again = openDatabase(join(world.folder, "guildhall.db"), { busyMs: 100 });
    goesOn = again.transact(() => continueRemovals({ ...core, db: again }));
    again.close();
    expect(before - left()).toBeLessThanOrEqual(100);
  }
  expect(left()).toBe(0);
  expect(batches).toBeGreaterThan(4);
});

test("a deletion wins over an undo, and a removal over the undo of a deletion", async () => {
  using world = createTestWorld();
  const { core } = world;
  const root = await createSignedInMember(core, "root", { role: "owner" });
  const { mallory, ids } = spamCommunity(core);
  createPost(core, mallory, { text: "One more" });
  const decision = remove(core, mallory);
  deleteAccount(core, root.caller, "mallory", "mallory");
  core.db.transact(() => undoRemoval(core, { id: decision, builderId: mallory.builderId }));
  finish(core);
  const shown = () => listFeed(core, VISITOR, {}, { limit: 10 }).nodes.map(({ id }) => id);
  expect(shown()).toEqual([ids.own]);
  undoDeletion(core, root.caller, "mallory");
  completeDeletion(core);
  finish(core);
  expect(shown()).toHaveLength(3);

  remove(core, mallory);
  deleteAccount(core, root.caller, "mallory", "mallory");
  completeDeletion(core);
  finish(core);
  undoDeletion(core, root.caller, "mallory");
  completeDeletion(core);
  finish(core);
  expect(shown()).toEqual([ids.own]);
});

test("a conversation of two removed members is shown when both removals are undone", () => {
  using world = createTestWorld();
  const { core } = world;
  const { mallory, ada } = spamCommunity(core);
  const decisions = [mallory, ada].map((each) => {
    const id = remove(core, each);
    finish(core);
    return { id, builderId: each.builderId };
  });
  const members = () => core.db.prepare("SELECT 1 FROM thread_members").all().length;
  const undo = (at: number) => {
    core.db.transact(() => undoRemoval(core, decisions[at] as { id: string; builderId: string }));
    finish(core);
  };
  undo(0);
  expect(members()).toBe(0);
  undo(1);
  expect(members()).toBe(2);
});

test("restored content stays restored while a removal still hides", () => {
  using world = createTestWorld();
  const { core } = world;
  const { mallory, ids } = spamCommunity(core);
  core.db.transact(() => {
    for (let i = 0; i < 200; i++) createPost(core, mallory, { text: `Spam ${i}` });
  });
  decide(core, OPERATOR, mallory.builderId, { act: "remove_spammer", reason: "Spam" });
  core.db.transact(() => continueRemovals(core));
  const isHidden = () =>
    core.db.prepare("SELECT 1 FROM posts WHERE id = ? AND hidden_at IS NOT NULL").get(ids.post) !== undefined;
  expect(isHidden()).toBe(true);
  restore(core, OPERATOR, ids.post);
  finish(core);
  expect(isHidden()).toBe(false);
  const visible = core.db.prepare("SELECT id FROM posts WHERE author_id = ? AND hidden_at IS NULL");
  expect(visible.all(mallory.builderId)).toEqual([{ id: ids.post }]);
});

test("an undo while the account waits to be erased lifts the suspension for the time after", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { mallory } = spamCommunity(core);
  const root = await createSignedInMember(core, "root", { role: "owner" });
  const decision = decide(core, OPERATOR, mallory.builderId, { act: "remove_spammer", reason: "Spam" });
  finish(core);
  deleteAccount(core, root.caller, "mallory", "mallory");
  const standing = () =>
    core.db
      .prepare(
        "SELECT removed_at IS NOT NULL AS removed, suspended_at IS NOT NULL AS suspended FROM builders WHERE id = ?",
      )
      .get(mallory.builderId);
  undoDecision(core, OPERATOR, decision.id);
  // The deletion still ends every access.
  expect(standing()).toEqual({ removed: 1, suspended: 1 });
  undoDeletion(core, root.caller, "mallory");
  expect(standing()).toEqual({ removed: 0, suspended: 0 });
});
