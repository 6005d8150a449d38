import { expect, test } from "bun:test";
import { join } from "node:path";
import pino from "pino";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { signIn } from "../../src/core/identity/accounts/accounts.ts";
import { continueDeletion, deleteAccount } from "../../src/core/services/deletion/deletion.ts";
import { recordLastSeen } from "../../src/core/identity/accounts/sessions.ts";
import { findClient } from "../../src/core/delegation/apps/apps.ts";
import { listAudit } from "../../src/core/identity/audit/audit.ts";
import { MINUTE } from "../../src/core/base/clock.ts";
import { openDatabase } from "../../src/core/base/db/open.ts";
import { createPost, getPost } from "../../src/core/community/feed/feed.ts";
import { likePost } from "../../src/core/community/feed/likes.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { getOrCreateCompany } from "../../src/core/community/jobs/companies.ts";
import { getJob } from "../../src/core/community/jobs/jobs.ts";
import { countUnread, listThreads, sendMessage } from "../../src/core/community/messages/messages.ts";
import { getPrompt } from "../../src/core/community/prompts/prompts.ts";
import { dropRemovedWorkspaces, listMembers } from "../../src/core/delegation/workspaces/workspaces.ts";
import { wrongBuilders } from "../ledger.ts";
import { startLoop } from "../../src/delivery/loop.ts";
import { demoToken, fillDemo } from "../../src/demo/demo.ts";
import { until } from "../delivery/receiver.ts";
import { createTestWorld } from "../support.ts";
import { signInOriginAt, HOME, outcomeOf, PASSWORD, createSignedInMember } from "./people.ts";
import {
  PAGE,
  deleteAccountOf,
  completeDeletion,
  createLinkedCommunity,
  dumpRows,
} from "./linked-community.ts";
import { continueBatches } from "../../src/core/services/batches/batches.ts";
import { accountState } from "../../src/core/identity/accounts/account-state.ts";

test("a deleted account leaves only its reserved name, an entry for admins and other members' content", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada, bob, root, ids, shared } = await createLinkedCommunity(core);
  const allOf = <Row>(sql: string): Row[] => core.db.prepare(sql).all() as Row[];
  const directory = "SELECT rowid FROM directory_search WHERE directory_search MATCH 'zebra'";
  expect(allOf(directory)).toHaveLength(1);
  await deleteAccountOf(core, ada.caller);
  completeDeletion(core);
  while (core.db.transact(() => continueBatches(core)));
  await dropRemovedWorkspaces(core);
  const found = dumpRows(core).filter(
    (row) => /zebra/i.test(row) || row.includes(ada.builderId) || row.includes(ada.caller.workspaceId),
  );
  const kinds = [...new Set(found.map((row) => row.split(" ")[0] ?? ""))];
  expect(kinds.sort()).toEqual([
    "audit_entries",
    "companies",
    "events",
    "report_copies",
    "reports",
    "xp_entries",
  ]);
  // Events that were sent keep their content until the retention ends.
  const events = allOf<{ who: string | null }>("SELECT DISTINCT builder_id AS who FROM events");
  expect(events.map(({ who }) => who).sort()).toEqual([bob.builderId, null]);
  // Only two entries mention ada: the notice to admins about the deletion, and bob's grant in bob's own log.
  const audit = allOf<{ act: string; actor: string | null; subject: string | null; detail: string }>(
    "SELECT act, actor_id AS actor, subject_id AS subject, detail FROM audit_entries",
  );
  expect(audit.filter(({ actor, subject }) => [actor, subject].includes(ada.builderId))).toEqual([]);
  const tellers = audit.filter(({ detail }) => /zebra/i.test(detail) || detail.includes(ada.builderId));
  expect(tellers.map(({ act, actor, subject }) => [act, actor, subject]).sort()).toEqual([
    ["account.deleted", null, null],
    ["grant.made", bob.builderId, bob.builderId],
  ]);
  const ledger = allOf<{ who: string }>("SELECT DISTINCT builder_id AS who FROM xp_entries");
  expect(ledger.map(({ who }) => who)).not.toContain(ada.builderId);
  // Bob's report of ada's post stays open with the copy of the post. Ada's report of bob's post is deleted.
  expect(allOf("SELECT reporter_id AS who, outcome FROM reports")).toEqual([
    { who: bob.builderId, outcome: null },
  ]);
  expect(allOf("SELECT title, text, owner_id AS who, username FROM report_copies")).toEqual([
    { title: "", text: "zebra", who: ada.builderId, username: "ada" },
  ]);
  const company =
    "SELECT slug, name, made_by AS maker, workspace_id AS place FROM companies WHERE slug = 'zebra'";
  expect(allOf(company)).toEqual([{ slug: "zebra", name: "zebra", maker: null, place: null }]);
  const mallory = { ...bob.caller, workspaceId: ids.tools };
  expect(await outcomeOf(() => getOrCreateCompany(core, mallory, { name: "Zebra", slug: "zebra" }))).toBe(
    "forbidden",
  );
  // Words of a search index do not show in a dump of rows, so check the index itself.
  expect(allOf(directory)).toEqual([]);
  expect(
    allOf(`SELECT s.rowid, j.id FROM job_search s LEFT JOIN jobs j ON j.seq = s.rowid
      WHERE job_search MATCH 'weave OR weaver' AND j.id IS NULL`),
  ).toEqual([]);
  const entry = listAudit(core, root.caller, { of: "all" }, PAGE).nodes.find(
    ({ act }) => act === "account.deleted",
  );
  expect(entry).toMatchObject({ words: "Deleted the account “ada”", actor: null, subject: null });

  expect(core.db.prepare("SELECT * FROM former_usernames").get()).toMatchObject({ username: "ada" });
  expect(getPost(core, bob.caller, ids.bobs).metrics).toEqual({ likes: 0, replies: 0 });
  expect(getPrompt(core, bob.caller, ids.prompt)).toMatchObject({ score: 1, ratings: 1 });
  expect(core.db.prepare("SELECT rating_sum, rating_count FROM prompt_versions").get()).toEqual({
    rating_sum: 0,
    rating_count: 0,
  });
  expect(listThreads(core, bob.caller, {}, PAGE).nodes).toEqual([]);
  expect(countUnread(core, bob.caller)).toBe(0);
  expect(await outcomeOf(() => getJob(core, bob.caller, ids.own))).toBe("not_found");
  expect(getJob(core, bob.caller, shared)).toMatchObject({ publishedBy: null, state: "open" });
  expect(findClient(core, ids.kept)?.name).toBe("Loom");
  expect(listMembers(core, bob.caller, ids.tools).map(({ username }) => username)).toEqual(["bob"]);
  const rules = core.db.prepare<{ rule: string; points: number }>(
    "SELECT rule, sum(points) AS points FROM xp_entries WHERE builder_id = ? GROUP BY rule",
  );
  const points = Object.fromEntries(rules.all(bob.builderId).map((row) => [row.rule, row.points]));
  expect(points).toMatchObject({ "like.received": 0, "rating.received": 0, "reply.published": 4 });
  expect(wrongBuilders(core)).toEqual([]);
  expect(core.db.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
});

test("deletes an old account in small batches, and a kill between two batches loses nothing", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada, bob } = await createLinkedCommunity(core);
  const { db } = core;
  db.transact(() => {
    for (let i = 0; i < 300; i++) {
      const post = createPost(core, bob.caller, { text: `Post ${i}` });
      likePost(core, ada.caller, post.id);
      sendMessage(core, bob.caller, { to: "ada", text: `Message ${i}` });
      replyTo(core, ada.caller, post.id, { text: `Reply ${i}` });
    }
    for (let i = 0; i < 1000; i++) createPost(core, ada.caller, { text: `Mine ${i}` });
  });
  await deleteAccountOf(core, ada.caller);
  let slices = 0;
  for (let goesOn = true; goesOn; slices++) {
    // Continues the deletion as after a restart, when only the database file records the progress.
    const again = openDatabase(join(world.folder, "guildhall.db"), { busyMs: 100 });
    goesOn = again.transact(() => continueDeletion({ ...core, db: again }));
    again.close();
  }
  expect(slices).toBeGreaterThan(20);
  expect(db.prepare("SELECT 1 FROM builders WHERE id = ?").get(ada.builderId)).toBeUndefined();
  expect(
    dumpRows(core).filter((row) => /Mine \d|Reply \d|Message \d/.test(row) && !/^events/.test(row)),
  ).toEqual([]);
  expect(wrongBuilders(core)).toEqual([]);
});

test("one batch covers a few hundred rows, even if each post has many dependent rows", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada } = await createLinkedCommunity(core);
  const { db } = core;
  const post = createPost(core, ada.caller, { text: "Famous" });
  // Each post has its own commit, as in real use.
  for (let i = 0; i < 600; i++)
    db.transact(() => createPost(core, ada.caller, { text: `Mine ${i}`, tags: ["rust", "shipped"] }));
  db.transact(() => {
    const insert = db.prepare(
      "INSERT INTO likes (post_id, builder_id, liked_at) SELECT ?, id, 1 FROM builders WHERE id <> ?",
    );
    insert.run(post.id, ada.builderId);
  });
  await deleteAccountOf(core, ada.caller);
  const total = () => db.prepare<{ n: number }>("SELECT total_changes() AS n").get()?.n ?? 0;
  let most = 0;
  for (let goesOn = true; goesOn;) {
    const before = total();
    goesOn = db.transact(() => continueDeletion(core));
    most = Math.max(most, total() - before);
  }
  // A post has several rows: the post, its tags and its search index entries. The index also merges now and
  // then.
  expect(most).toBeGreaterThan(100);
  expect(most).toBeLessThan(1000);
});

test("every table that refers to builders is emptied in batches, or holds few rows of each", () => {
  using world = createTestWorld();
  const { db } = world.core;
  const tables = db.prepare<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const refers = tables.flatMap(({ name }) =>
    (db.prepare(`PRAGMA foreign_key_list("${name}")`).all() as { table: string; from: string }[])
      .filter(({ table }) => table === "builders")
      .map(({ from }) => `${name}.${from}`),
  );
  // Columns with few rows per builder. Any other column needs a step in `STEPS` or `LARGE_TABLES` of
  // core/services/deletion, and an entry in `inBatches`.
  const ofFewRows = [
    "appeal_sessions.builder_id",
    "restrictions.builder_id",
    "applications.builder_id",
    "apps.created_by",
    "builder_badges.builder_id",
    "active_builders.builder_id",
    "directory.builder_id",
    "feed_visits.builder_id",
    "feed_addresses.builder_id",
    "former_usernames.builder_id",
    "mail_marks.builder_id",
    // A member has at most thirty of these links per day, and each is kept for three days.
    "not_me_links.builder_id",
    "invited.builder_id",
    "invited.invited_by",
    "job_filters.builder_id",
    "links.builder_id",
    "links.created_by",
    "mail_addresses.builder_id",
    "notification_settings.builder_id",
    "passkeys.builder_id",
    "passwords.builder_id",
    "pending_deletions.builder_id",
    "pending_deletions.deleted_by",
    "push_subscriptions.builder_id",
    "profile_details.builder_id",
    "projects.builder_id",
    "quota_spans.builder_id",
    "sessions.builder_id",
    "sign_ups.builder_id",
    "spam_removals.builder_id",
    "streaks.builder_id",
    "time_zones.builder_id",
    "webhook_endpoints.created_by",
    "workspace_members.builder_id",
    "workspaces.owner_id",
  ];
  const inBatches = [
    "appeals.decided_by",
    "case_notes.author_id",
    "cases.builder_id",
    "cases.taken_by",
    "decisions.builder_id",
    "decisions.moderator_id",
    "decisions.undone_by",
    "held.builder_id",
    "newcomer_texts.builder_id",
    "audit_entries.actor_id",
    "audit_entries.subject_id",
    "blocks.blocked_id",
    "blocks.builder_id",
    "bookmarks.builder_id",
    "companies.made_by",
    "events.builder_id",
    "followed_tags.builder_id",
    "follows.followed_id",
    "follows.follower_id",
    "grants.builder_id",
    "hidden_by_deletion.builder_id",
    "hidden_by_removal.builder_id",
    "idempotency_keys.builder_id",
    "job_matches.builder_id",
    "jobs.published_by",
    "likes.builder_id",
    "mails.builder_id",
    "media.builder_id",
    "mentions.builder_id",
    "notification_facts.actor_id",
    "notifications.builder_id",
    "post_tags.author_id",
    "posts.author_id",
    "prompt_ratings.builder_id",
    "prompts.author_id",
    "reports.reporter_id",
    "reports.settled_by",
    "threads.high_id",
    "threads.low_id",
    "tokens.builder_id",
    "xp_days.builder_id",
    "xp_entries.builder_id",
  ];
  expect(refers.sort()).toEqual([...ofFewRows, ...inBatches].sort());
});

test("refused sign-ins that were not yet stored lock out nobody after the account's deletion", async () => {
  using world = createTestWorld();
  const { core } = world;
  const [ada] = [await createSignedInMember(core, "ada"), await createSignedInMember(core, "bob")];
  const guess = () =>
    signIn(core, signInOriginAt("203.0.113.99"), { username: "ada", password: "a wrong one" });
  expect(await outcomeOf(guess)).toBe("unauthorized");
  await deleteAccountOf(core, ada.caller);
  completeDeletion(core);
  expect(core.memory(accountState).failures).toHaveLength(1);
  expect(await outcomeOf(() => signIn(core, HOME, { username: "bob", password: PASSWORD }))).toBe("done");
  await recordLastSeen(core);
  expect(core.memory(accountState).failures).toEqual([]);
});

test("a demo starts without the token of a builder who deleted their account", async () => {
  using world = createTestWorld();
  const { core } = world;
  await fillDemo(core, { builders: 3, posts: 10, jobs: 2, prompts: 2 }, 7, () => {});
  const username = demoToken(core)?.username ?? "";
  deleteAccount(core, OPERATOR, username, username);
  expect(demoToken(core)).toBeUndefined();
  completeDeletion(core);
  expect(demoToken(core)).toBeUndefined();
});

test("the loop of a running server completes a deletion", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada } = await createLinkedCommunity(core);
  const log = pino({ level: "silent" });
  const loop = startLoop(core, async () => ({ status: 204, durationMs: 1 }), [0], log);
  core.onWake(loop.wake);
  await deleteAccountOf(core, ada.caller);
  const left = () => core.db.prepare("SELECT 1 FROM builders WHERE id = ?").get(ada.builderId);
  await until(() => left() === undefined);
  await loop.stop();
  expect(loop.health().faults).toBe(0);
});

test("completes a deletion while the author's posts are being removed and the clock is set back", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const { ada, bob, ids } = await createLinkedCommunity(core);
  const post = createPost(core, ada.caller, { text: "Soon gone" });
  for (let i = 0; i < 250; i++) replyTo(core, bob.caller, post.id, { text: `Reply ${i}` });
  deletePost(core, ada.caller, post.id);
  clock.step(-24 * 60 * MINUTE);
  await deleteAccountOf(core, ada.caller);
  completeDeletion(core);
  expect(core.db.prepare("SELECT * FROM posts WHERE removed_at IS NOT NULL").all()).toEqual([]);
  expect(getPost(core, bob.caller, ids.bobs).metrics).toEqual({ likes: 0, replies: 0 });
});
