import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { deleteAccount } from "../../src/core/services/deletion/deletion.ts";
import { hide } from "../moderate.ts";
import { continueBatches } from "../../src/core/services/batches/batches.ts";
import { FORMS, NOT_EXPORTED } from "../../src/core/services/transfer/exporting.ts";
import { editPost } from "../../src/core/community/feed/revisions.ts";
import { bookmarkPost } from "../../src/core/community/feed/bookmarks.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { followBuilder, followTag } from "../../src/core/community/following/following.ts";
import { storeVisit } from "../../src/core/community/feed/visits.ts";
import { registerApp } from "../../src/core/delegation/apps/apps.ts";
import type { Core } from "../../src/core/base/core.ts";
import { media } from "../../src/core/base/db/schema-media.ts";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { renameAccount } from "../../src/core/identity/accounts/rename.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { appeals, held } from "../../src/core/base/db/schema-moderation.ts";
import { addCaseNote } from "../../src/core/services/moderation/cases.ts";
import { decide } from "../../src/core/services/moderation/decisions.ts";
import { fillDemo } from "../../src/demo/demo.ts";
import { createMember, type TestWorld } from "../support.ts";
import { completeDeletion, createLinkedCommunity } from "../core/linked-community.ts";
import { createSignedInMember } from "../core/people.ts";

export const silentLog = { version: "0.0.0-test", progress: () => {} };

const MEDIA_ID = "med_01kafzq8e5f2r8v0j3n6s1t4wx";

/**
 * Fills a world with a demo and the rows of `createLinkedCommunity`. Every exported table gets at least one
 * row.
 */
export async function createSampleCommunity(
  { core, clock }: TestWorld,
  seed = 7,
): Promise<Awaited<ReturnType<typeof createLinkedCommunity>>> {
  await fillDemo(core, { builders: 12, posts: 60, jobs: 15, prompts: 10 }, seed, () => {});
  const community = await createLinkedCommunity(core);
  while (core.db.transact(() => continueBatches(core)));
  const { ada, bob, ids } = community;
  clock.pass(5000);
  await createSignedInMember(core, "cy");
  deleteAccount(core, OPERATOR, "cy", "cy");
  completeDeletion(core);
  // An account that is being deleted.
  await createSignedInMember(core, "dee");
  const { caller: dee } = await createSignedInMember(core, "dora");
  const { id: soonGone } = createPost(core, dee, { text: "Soon gone", tags: ["rust"] });
  for (const caller of [dee, bob.caller]) followBuilder(core, caller, "ada");
  followTag(core, bob.caller, "rust");
  storeVisit(core, bob.caller);
  for (const id of [soonGone, ids.bobs]) bookmarkPost(core, bob.caller, id);
  deleteAccount(core, OPERATOR, "dora", "dora");
  const picture = { hash: "0123456789".repeat(4), width: 640, height: 480, bytes: 4096, alt: "A picture" };
  const { builderId } = bob;
  core.db.insert(media, { ...picture, builderId, id: MEDIA_ID, createdAt: clock.now() });
  createPost(core, bob.caller, { text: "Look", media: [MEDIA_ID] });
  editPost(core, bob.caller, ids.bobs, { text: "In other words, @ada" });
  changeCommunitySettings(core, OPERATOR, {
    name: "The Weavers",
    zone: "Europe/Berlin",
    newcomerPost: ids.bobs,
  });
  // A former username, which stays reserved for bob.
  renameAccount(core, OPERATOR, "bob", "bobby");
  renameAccount(core, OPERATOR, "bobby", "bob");
  hide(core, OPERATOR, ids.bobs);
  moderate(core, ids.bobs);
  const redirectUris = ["https://app.example.com/back", "com.example.app:/back"];
  const draft = { kind: "confidential" as const, redirectUris, scopes: ["feed:read"], name: "Kept" };
  registerApp(core, ada.caller, ada.caller.workspaceId, draft);
  // Unfinished work, as after a sudden stop.
  const { db } = core;
  const item = (sql: string): string => db.prepare<{ id: string }>(sql).get()?.id ?? "";
  const delivery = item("SELECT id FROM deliveries");
  const endpoint = item("SELECT endpoint_id AS id FROM deliveries");
  const event = item("SELECT id FROM events ORDER BY id DESC");
  const job = item("SELECT id FROM jobs ORDER BY seq DESC");
  const run = (sql: string, ...bound: unknown[]): void => void db.prepare(sql).run(...bound);
  run(
    "UPDATE deliveries SET state = 'attempting', attempts = 1, first_at = ? WHERE id = ?",
    clock.steady(),
    delivery,
  );
  run(
    `INSERT INTO attempts (id, delivery_id, started_at, duration_ms, status, answer, code, params)
     VALUES (?, ?, ?, 12, 500, '<b>no</b>', 'status', '{"status":500}')`,
    ...[core.makeId("att", clock.now()), delivery, clock.now()],
  );
  run("INSERT INTO fan_outs VALUES (?, 'whe_', 'whe_~')", event);
  run(
    "INSERT INTO recoveries (endpoint_id, what, after_id, before_id, turn) VALUES (?, 'failed', '', 'dlv_~', 3)",
    endpoint,
  );
  run("INSERT OR REPLACE INTO job_matchings VALUES (?, '')", job);
  run(
    "INSERT OR IGNORE INTO job_matches VALUES (?, ?, NULL, 0.123456789012345, '{\"words\":0.5}', ?)",
    ...[bob.builderId, job, clock.now()],
  );
  run(
    "INSERT INTO arrivals VALUES ('forem.example', 'person', 'AAAAAAAAAAAAAAAAAAAAAA', ?, 'bob', NULL, ?)",
    ...[bob.builderId, clock.now()],
  );
  run("INSERT INTO invited VALUES (?, ?, 'The meetup')", bob.builderId, ada.builderId);
  run("INSERT OR IGNORE INTO notification_settings VALUES (?, 'like', 'off')", bob.builderId);
  run(
    "INSERT OR IGNORE INTO mail_addresses (builder_id, address) VALUES (?, 'bob@mail.example')",
    bob.builderId,
  );
  const bare = FORMS.map(({ name }) => name).filter(
    (name) => db.prepare(`SELECT 1 FROM ${name}`).get() === undefined,
  );
  if (bare.length > 0) throw new Error(`nothing is in ${bare.join(", ")}`);
  return community;
}

/** A case with a note, held content, and decisions with an appeal. */
function moderate(core: Core, hiddenId: string): void {
  addCaseNote(core, OPERATOR, hiddenId, { text: "Seen before" });
  const { caller: eve } = createMember(core, "eve");
  const { id } = createPost(core, eve, { text: "A quarrel" });
  decide(core, OPERATOR, id, { act: "lock", reason: "Too heated", rule: "" });
  const until = "2040-01-01T00:00:00.000Z";
  decide(core, OPERATOR, id, { act: "limit", reason: "A quarrel", until });
  const { id: decisionId } = decide(core, OPERATOR, id, { act: "hide", reason: "Off topic" });
  const now = core.clock.now();
  core.db.insert(appeals, { decisionId, text: "It was a quotation.", createdAt: now });
  core.db.insert(held, {
    ...{ subjectId: hiddenId, builderId: (eve as { builderId: string }).builderId, kind: "post" },
    ...{ brake: "held_word", detail: "casino", isNew: true, heldAt: now },
  });
}

const INDEXES = ["job_search", "post_search", "prompt_search", "directory_search"];

/** Every row that an import must restore and everything derived from them, by table. */
export function contentsOf({ db }: Core): Record<string, unknown> {
  const all = (sql: string): unknown[] => db.prepare(sql).all();
  const exported = FORMS.map(({ name, columns, key }) => {
    const rows = all(
      `SELECT ${columns.map((column) => `"${column.name}"`).join(", ")} FROM ${name} ORDER BY ${key.map((each) => `"${each}"`).join(", ")}`,
    );
    return [name, rows] as const;
  });
  const derived = ["post_tags", "xp_days"].map(
    (name) => [name, all(`SELECT * FROM ${name} ORDER BY 1, 2, 3`)] as const,
  );
  const indexed = INDEXES.map((name) => {
    db.prepare(
      `CREATE VIRTUAL TABLE IF NOT EXISTS temp.${name}_words USING fts5vocab (main, ${name}, instance)`,
    ).run();
    return [name, all(`SELECT * FROM temp.${name}_words ORDER BY term, doc, col, "offset"`)] as const;
  });
  for (const [name, rows] of [...derived, ...indexed]) {
    if (!(name in NOT_EXPORTED)) throw new Error(`${name} is in no list`);
    if (rows.length === 0) throw new Error(`nothing is in ${name}`);
  }
  return Object.fromEntries([
    ...exported,
    ...derived,
    ...indexed,
    ["sqlite_sequence", all("SELECT name, seq FROM sqlite_sequence ORDER BY name")],
  ]);
}

/** Files of an export except the manifest, which contains its own time. */
export function filesOf(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => name !== "manifest.json");
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}
