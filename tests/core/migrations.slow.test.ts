import { expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { MIGRATIONS } from "../../src/core/base/db/migrations.ts";
import { upgradeDatabase } from "../../src/core/base/db/open.ts";
import { sized } from "../drill.ts";
import { createTestWorld } from "../support.ts";
import { oldDatabase } from "./old-database.ts";

const shape = (file: string): unknown => {
  const sqlite = new Database(file, { readonly: true });
  const found = [
    sqlite.pragma("user_version", { simple: true }),
    sqlite.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").all(),
    sqlite.prepare("SELECT name FROM migrations ORDER BY name").all(),
  ];
  sqlite.close();
  return found;
};

function lastTable(): string {
  const tables = MIGRATIONS.flatMap(({ sql }) => [...sql.matchAll(/^CREATE TABLE (\w+)/gm)]);
  return tables.at(-1)?.[1] ?? "";
}

/** An update from one version includes all later migrations, so the suite tests every tenth version. */
const STEP = sized(10, 1);
const VERSIONS = MIGRATIONS.map((_, index) => index + 1)
  .slice(0, -1)
  .filter((version, index, all) => index % STEP === 0 || version === all.length);

test("an update interrupted in its last steps, from any version, keeps the old state, and the next start completes it", () => {
  using world = createTestWorld();
  const newest = shape(join(world.folder, "guildhall.db"));
  const table = lastTable();
  const old = join(world.folder, "old.db");
  for (const [index, version] of VERSIONS.entries()) {
    oldDatabase(old, version, VERSIONS[index - 1]);
    const file = join(world.folder, `${version}.db`);
    copyFileSync(old, file);
    const isCreated = MIGRATIONS.slice(0, version).some(({ sql }) => sql.includes(`CREATE TABLE ${table} `));
    if (!isCreated) {
      const obstacle = new Database(file);
      obstacle.exec(`CREATE TABLE ${table} (in_the_way TEXT) STRICT`);
      obstacle.close();
      const before = shape(file);
      expect(() => upgradeDatabase(file)).toThrow(`table ${table} already exists`);
      expect(shape(file)).toEqual(before);
      const cleared = new Database(file);
      cleared.exec(`DROP TABLE ${table}`);
      cleared.close();
    }
    upgradeDatabase(file);
    expect([version, shape(file)]).toEqual([version, newest]);
  }
});

test("the admin who set up a database without roles becomes its owner, else the admin who joined first", () => {
  // docs/contract.md#12.23
  using world = createTestWorld();
  const before = MIGRATIONS.findIndex(({ name }) => name.startsWith("0050_"));
  const rolesAfter = (name: string, change: string): unknown => {
    const file = join(world.folder, `${name}.db`);
    oldDatabase(file, before);
    const old = new Database(file);
    const add = old.prepare(
      "INSERT INTO builders (id, username, name, is_admin, created_at, suspended_at, removed_at) VALUES (?, ?, ?, ?, 1, ?, ?)",
    );
    for (const [username, isAdmin, suspendedAt, removedAt] of [
      ["ada", 1, null, null],
      ["bob", 0, null, null],
      ["cleo", 1, null, null],
      ["dee", 0, 5, 7],
    ] as const)
      add.run(`builder_${username}`, username, username, isAdmin, suspendedAt, removedAt);
    old
      .prepare(
        "INSERT INTO audit_entries (id, subject_id, act, created_at) VALUES (?, ?, 'account.set-up', 1)",
      )
      .run("aud_1", "builder_cleo");
    old.exec(change);
    old.close();
    upgradeDatabase(file);
    const now = new Database(file, { readonly: true });
    const rows = now.prepare("SELECT username, role, removed_at FROM builders ORDER BY id").raw().all();
    now.close();
    return rows;
  };
  const rows = (ada: string, cleo: string) => [
    ["ada", ada, null],
    ["bob", "member", null],
    ["cleo", cleo, null],
    ["dee", "member", 7],
  ];
  expect(rolesAfter("set-up", "")).toEqual(rows("admin", "owner"));
  for (const [name, change, cleo] of [
    ["suspended", "UPDATE builders SET suspended_at = 3 WHERE username = 'cleo'", "admin"],
    ["no-admin", "UPDATE builders SET is_admin = 0 WHERE username = 'cleo'", "member"],
    ["unknown", "DELETE FROM audit_entries", "admin"],
  ] as const)
    expect([name, rolesAfter(name, change)]).toEqual([name, rows("owner", cleo)]);
  expect(rolesAfter("nobody", "UPDATE builders SET is_admin = 0")).toEqual(rows("member", "member"));
});

test("push and mail continue at the position of their former shared cursor", () => {
  using world = createTestWorld();
  const file = join(world.folder, "old.db");
  oldDatabase(
    file,
    MIGRATIONS.findIndex(({ name }) => name.startsWith("0061_")),
  );
  const old = new Database(file);
  old.exec("UPDATE settings SET value = '7' WHERE name = 'reach-place'");
  old.close();

  upgradeDatabase(file);

  const now = new Database(file, { readonly: true });
  const places = now
    .prepare("SELECT name, value FROM settings WHERE name LIKE '%-place' ORDER BY name")
    .raw();
  expect(places.all()).toEqual([
    ["mail-place", "7"],
    ["push-place", "7"],
  ]);
  now.close();
});

test("old events get the ids of their subjects, and lose their stored texts", () => {
  // docs/contract.md#5.8
  using world = createTestWorld();
  const file = join(world.folder, "old.db");
  oldDatabase(
    file,
    MIGRATIONS.findIndex(({ name }) => name.startsWith("0071_")),
  );
  const old = new Database(file);
  for (const name of ["ada", "bob"])
    old.exec(
      `INSERT INTO builders (id, username, name, created_at) VALUES ('builder_${name}', '${name}', '${name}', 1)`,
    );
  old.exec("INSERT INTO workspaces (id, name, created_at) VALUES ('ws_1', 'Tools', 1)");
  old.exec("INSERT INTO threads VALUES ('thr_1', 'builder_ada', 'builder_bob', 'builder_ada', 1)");
  const message = old.prepare(
    "INSERT INTO messages (id, thread_id, sender_id, text, created_at) VALUES (?, 'thr_1', ?, 'Words', ?)",
  );
  message.run("msg_1", "builder_ada", 1);
  message.run("msg_2", "builder_ada", 2);
  message.run("msg_3", "builder_bob", 2);
  message.run("msg_4", "builder_ada", 4);
  const add = old.prepare(
    "INSERT INTO events (id, type, body, workspace_id, created_at) VALUES (?, ?, ?, ?, 3)",
  );
  const post = {
    post: { id: "post_1", author_id: "builder_ada", title: "Words", url: "https://a.example/1" },
  };
  const job = { job: { id: "job_1", title: "Words", company: { name: "Words", slug: "words" }, url: "u" } };
  const sent = { thread_id: "thr_1", from_id: "builder_ada", preview: "Words" };
  const lost = { thread_id: "thr_2", from_id: "builder_ada", preview: "Words" };
  for (const [id, type, data, workspaceId] of [
    ["evt_1", "post.created", post, null],
    ["evt_2", "post.updated", post, null],
    ["evt_3", "post.deleted", { post: { id: "post_1" } }, null],
    ["evt_4", "job.published", job, null],
    ["evt_5", "dm.received", sent, null],
    ["evt_6", "dm.received", lost, null],
    ["evt_7", "post.created", post, "ws_1"],
  ] as const)
    add.run(id, type, JSON.stringify({ id, type, data }), workspaceId);
  old.close();

  upgradeDatabase(file);

  const now = new Database(file, { readonly: true });
  const rows = now.prepare("SELECT subject_id, body ->> '$.data' FROM events ORDER BY id").raw().all();
  now.close();
  const { title: _, ...unnamed } = post.post;
  expect(rows.map(([subject, data]: any) => [subject, JSON.parse(data)])).toEqual([
    ["post_1", { post: unnamed }],
    ["post_1", { post: unnamed }],
    [null, { post: { id: "post_1" } }],
    ["job_1", { job: { id: "job_1", url: "u" } }],
    ["msg_2", { thread_id: "thr_1", from_id: "builder_ada" }],
    ["thr_2", { thread_id: "thr_2", from_id: "builder_ada" }],
    // A test delivery has made-up content.
    [null, post],
  ]);
});

test("open reports get a copy of their subject as it was reported; decided reports get none", () => {
  // docs/contract.md#4.13
  using world = createTestWorld();
  const file = join(world.folder, "old.db");
  oldDatabase(
    file,
    MIGRATIONS.findIndex(({ name }) => name.startsWith("0072_")),
  );
  const old = new Database(file);
  const add = (table: string, row: Record<string, string | number | null>): void => {
    const names = Object.keys(row);
    old
      .prepare(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`)
      .run(...Object.values(row));
  };
  const ada = { id: "builder_ada", username: "ada", name: "Ada", bio: "Words of ada", created_at: 1 };
  add("builders", ada);
  add("builders", { ...ada, id: "builder_bob", username: "bob", bio: "" });
  const post = { author_id: "builder_ada", created_at: 1 };
  add("posts", { ...post, id: "post_1", text: "Now", revision_id: "rev_b", edited_at: 3 });
  add("posts", { ...post, id: "post_2", text: "# Unedited" });
  add("posts", { ...post, id: "post_3", text: "Deleted", hidden_at: 2, removed_at: 2 });
  const revision = { post_id: "post_1", tags: "[]", media: "[]", at: 1 };
  add("post_revisions", { ...revision, number: 0, id: "rev_1", text: "First" });
  add("post_revisions", { ...revision, number: 1, id: "rev_a", text: "Second" });
  add("companies", { id: "company_1", slug: "loom", name: "Loom", made_by: "builder_ada", created_at: 1 });
  add("jobs", {
    id: "job_1",
    company_id: "company_1",
    title: "Weaver",
    description: "You weave.",
    location: "Berlin",
    remote: 0,
    seniority: "senior",
    stack: "[]",
    salary_min: 1,
    salary_max: 2,
    currency: "EUR",
    apply_url: "https://jobs.example.com/1",
    posted_at: 1,
  });
  add("prompts", {
    id: "prompt_1",
    author_id: "builder_bob",
    title: "Review",
    body: "Read it.",
    model: "sonnet",
    category: "review",
    created_at: 1,
  });
  add("threads", {
    id: "thr_1",
    low_id: "builder_ada",
    high_id: "builder_bob",
    started_by: "builder_ada",
    created_at: 1,
  });
  add("messages", { id: "msg_1", thread_id: "thr_1", sender_id: "builder_ada", text: "Hi", created_at: 1 });
  for (const [id, subject, change] of [
    ["rpt_1", "post_1", {}],
    ["rpt_2", "post_1", { reporter_id: "builder_ada", revision_id: "rev_a" }],
    ["rpt_3", "post_2", {}],
    ["rpt_4", "post_3", {}],
    ["rpt_5", "builder_ada", {}],
    ["rpt_6", "msg_1", {}],
    ["rpt_7", "job_1", {}],
    ["rpt_8", "prompt_1", {}],
    ["rpt_9", "builder_bob", { settled_at: 2, outcome: "dismissed" }],
  ] as const)
    add("reports", {
      id,
      subject_id: subject,
      reporter_id: "builder_bob",
      reason: "?",
      created_at: 1,
      ...change,
    });
  old.close();

  upgradeDatabase(file);

  const now = new Database(file, { readonly: true });
  const rows = now
    .prepare("SELECT report_id, title, text, owner_id, username FROM report_copies ORDER BY report_id")
    .raw()
    .all();
  now.close();
  expect(rows).toEqual([
    ["rpt_1", "", "First", "builder_ada", "ada"],
    ["rpt_2", "", "Second", "builder_ada", "ada"],
    ["rpt_3", "", "# Unedited", "builder_ada", "ada"],
    ["rpt_5", "ada", "Ada\n\nWords of ada", "builder_ada", "ada"],
    ["rpt_6", "", "Hi", "builder_ada", "ada"],
    ["rpt_7", "Weaver", "You weave.\n\nhttps://jobs.example.com/1", null, null],
    ["rpt_8", "Review", "Read it.", "builder_bob", "bob"],
  ]);
});

test("deletes receivers' responses from before jobs recorded their title changes, and no others", () => {
  // docs/contract.md#5.8
  using world = createTestWorld();
  const file = join(world.folder, "old.db");
  oldDatabase(
    file,
    MIGRATIONS.findIndex(({ name }) => name.startsWith("0075_")),
  );
  const old = new Database(file);
  old.exec("INSERT INTO workspaces (id, name, created_at) VALUES ('ws_1', 'Tools', 1)");
  old.exec(
    `INSERT INTO webhook_endpoints (id, workspace_id, url, created_at) VALUES ('whe_1', 'ws_1', 'https://a.example', 1)`,
  );
  for (const [n, type] of ["job.published", "post.created"].entries()) {
    old
      .prepare("INSERT INTO events (id, type, body, created_at, subject_id) VALUES (?, ?, '{}', 1, 'x')")
      .run(`evt_${n}`, type);
    old
      .prepare(
        "INSERT INTO deliveries (id, event_id, endpoint_id, state, created_at) VALUES (?, ?, 'whe_1', 'attempting', 1)",
      )
      .run(`dlv_${n}`, `evt_${n}`);
    old
      .prepare(
        "INSERT INTO attempts (id, delivery_id, started_at, duration_ms, answer) VALUES (?, ?, 1, 1, 'Words')",
      )
      .run(`att_${n}`, `dlv_${n}`);
  }
  old.close();

  upgradeDatabase(file);

  const now = new Database(file, { readonly: true });
  const answers = now.prepare("SELECT answer FROM attempts ORDER BY id").pluck().all();
  now.close();
  expect(answers).toEqual([null, "Words"]);
});

test("reports get one case for each subject; hidden content and suspended members get a closed case", () => {
  // docs/contract.md#12.40
  using world = createTestWorld();
  const file = join(world.folder, "old.db");
  oldDatabase(
    file,
    MIGRATIONS.findIndex(({ name }) => name.startsWith("0082_")),
  );
  const old = new Database(file);
  old.exec(`
    INSERT INTO builders (id, username, name, created_at, suspended_at) VALUES
      ('builder_ada', 'ada', 'Ada', 1, NULL), ('builder_bob', 'bob', 'Bob', 1, 8);
    INSERT INTO posts (id, author_id, text, created_at, hidden_at) VALUES
      ('post_1', 'builder_ada', 'a', 1, 5), ('post_2', 'builder_ada', 'b', 1, 6), ('post_3', 'builder_bob', 'c', 1, 7);
    INSERT INTO hidden_by_deletion (subject_id, builder_id, kind) VALUES ('post_3', 'builder_bob', 'post');
    INSERT INTO reports (id, subject_id, reporter_id, reason, created_at, settled_at, outcome) VALUES
      ('rpt_a', 'post_1', 'builder_ada', '?', 2, 5, 'upheld'), ('rpt_b', 'post_1', 'builder_bob', '?', 3, 4, 'upheld'),
      ('rpt_c', 'builder_ada', 'builder_bob', '?', 4, 5, 'dismissed'), ('rpt_d', 'builder_ada', 'builder_ada', '?', 9, NULL, NULL);
    INSERT INTO notifications (id, builder_id, kind, subject_type, subject_id, about, group_id, noted, created_at)
      VALUES ('ntf_1', 'builder_ada', 'report_waiting', 'reports', 'reports', '', 'ntf_1', 2, 9);
    INSERT INTO notification_facts (group_id, fact, place) VALUES ('ntf_1', 'rpt_c', 1), ('ntf_1', 'rpt_d', 1)`);
  old.close();

  upgradeDatabase(file);

  const now = new Database(file, { readonly: true });
  const rows = now
    .prepare("SELECT id, subject_id, cause, opened_at, closed_at FROM cases ORDER BY id")
    .raw()
    .all();
  const facts = now.prepare("SELECT fact FROM notification_facts").pluck().all();
  now.close();
  expect(rows).toEqual([
    ["case_2", "post_2", "act", 6, 6],
    ["case_a", "post_1", "report", 2, 5],
    ["case_bob", "builder_bob", "act", 8, 8],
    ["case_c", "builder_ada", "report", 9, null],
  ]);
  expect(facts).toEqual(["case_c"]);
});
