import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportTo } from "../../src/transfer/export.ts";
import { importInto, dryRunImport, verifyExport } from "../../src/transfer/import.ts";
import { openExport } from "../../src/transfer/reader.ts";
import { createTestWorld, type TestWorld } from "../support.ts";
import { contentsOf, createSampleCommunity, silentLog } from "./sample-community.ts";

/* docs/threats.md#M11: exports that a stranger made or changed. */

let home = "";
let passedMs = 0;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "guildhall-hostile-"));
  using world = createTestWorld();
  const began = world.clock.now();
  await createSampleCommunity(world);
  await exportTo(world.core, join(home, "sound"), silentLog);
  passedMs = world.clock.now() - began;
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

type Line = Record<string, unknown>;

function copied(): string {
  const folder = mkdtempSync(join(home, "copy-"));
  cpSync(join(home, "sound"), folder, { recursive: true });
  return folder;
}

const pathOf = (folder: string, name: string): string => join(folder, `${name}.ndjson`);

function linesIn(folder: string, name: string): string[] {
  return readFileSync(pathOf(folder, name), "utf8").trimEnd().split("\n");
}

function changeManifest(
  folder: string,
  change: (manifest: Line & { files: Record<string, Line> }) => void,
): void {
  const path = join(folder, "manifest.json");
  const manifest = JSON.parse(readFileSync(path, "utf8"));
  change(manifest);
  writeFileSync(path, JSON.stringify(manifest));
}

/** Replaces a file of the export and updates the manifest. */
function put(
  folder: string,
  name: string,
  text: string | Buffer,
  rows = text.toString().split("\n").filter(Boolean).length,
): void {
  writeFileSync(pathOf(folder, name), text);
  changeManifest(folder, ({ files }) => void (files[name] = { rows }));
}

/** Changes the first line of a file, or the first line that `which` accepts. Returns its number. */
function changeLine(
  folder: string,
  name: string,
  change: (line: Line) => unknown,
  which: (line: Line) => boolean = () => true,
): number {
  const lines = linesIn(folder, name);
  const at = lines.findIndex((line) => which(JSON.parse(line)));
  const line = JSON.parse(lines[at] ?? "") as Line;
  const changed = change(line);
  lines[at] = typeof changed === "string" ? changed : JSON.stringify(changed ?? line);
  put(folder, name, `${lines.join("\n")}\n`);
  return at + 1;
}

function empty(): TestWorld & Disposable {
  const world = createTestWorld({ seed: 9 });
  world.clock.pass(passedMs);
  return world;
}

/** The refusal of an import. Other tests check what the import leaves behind. */
async function refusalOf(folder: string): Promise<string> {
  using world = empty();
  try {
    const from = openExport(folder);
    await verifyExport(from, () => {});
    await importInto(world.core, from, () => {});
  } catch (error) {
    if (error instanceof Error && error.name === "TransferRefused")
      return error.message.replaceAll(folder, "");
    throw error;
  }
  return "taken";
}

type Case = [says: RegExp, file: string, change: (line: Line) => unknown, which?: (line: Line) => boolean];

const CASES: readonly Case[] = [
  [/builders\.ndjson:1 is not valid JSON/, "builders", () => `{"id": "builder_`],
  [/must be a JSON object/, "builders", () => `["builder"]`],
  [
    /has the unknown field "__proto__"/,
    "builders",
    (line) => JSON.stringify(line).replace("{", `{"__proto__":{"admin":true},`),
  ],
  [/has the unknown field "password"/, "builders", (line) => ({ ...line, password: "x" })],
  [
    /`username` must be 1 to 32 lowercase letters/,
    "builders",
    (line) => ({ ...line, username: "../../etc" }),
  ],
  [/`name` must be a single line without invisible/, "builders", (line) => ({ ...line, name: "Ada\u202e" })],
  [/`name` must not contain invalid characters/, "builders", (line) => ({ ...line, name: "A\u0000" })],
  [
    /`name` must not contain invalid characters/,
    "builders",
    (line) => JSON.stringify({ ...line, name: "X" }).replace(`"X"`, `"\\ud800"`),
  ],
  [/`xp` must be a whole number/, "builders", (line) => ({ ...line, xp: "many" })],
  [/`xp` must be a whole number/, "builders", (line) => ({ ...line, xp: 1e300 })],
  [/breaks a rule of its table: xp/, "builders", (line) => ({ ...line, xp: -1 })],
  [/`role` must be one of/, "builders", (line) => ({ ...line, role: "king" })],
  [/`messages_from` must be one of/, "builders", (line) => ({ ...line, messages_from: "anyone" })],
  [/`created_at` must be/, "builders", (line) => ({ ...line, created_at: "yesterday" })],
  [
    /`created_at` must be a timestamp in UTC/,
    "builders",
    (line) => ({ ...line, created_at: "2026-02-30T00:00:00.000Z" }),
  ],
  [/`created_at` is in the future/, "posts", (line) => ({ ...line, created_at: "2031-01-01T00:00:00.000Z" })],
  [/`id` is from the future/, "posts", (line) => ({ ...line, id: "post_7zzzzzzzzzzzzzzzzzzzzzzzzz" })],
  [
    /breaks a rule of its table/,
    "posts",
    (line) => ({ ...line, id: String(line["id"]).replace("post", "job") }),
  ],
  [
    /refers to something that is not in the export/,
    "posts",
    (line) => ({ ...line, author_id: "builder_01jjwyk87ae00a646a6n2pss72" }),
  ],
  [/`tags` must have at most 5/, "posts", (line) => ({ ...line, tags: ["a", "b", "c", "d", "e", "f"] })],
  [
    /appears twice/,
    "posts",
    (line) => ({ ...line, tags: ["rust", "rust"], parent_id: null, hidden_at: null, removed_at: null }),
    (line) => line["parent_id"] === null,
  ],
  [
    /`media\.0` has the wrong type or format/,
    "posts",
    (line) => ({ ...line, media: ["javascript:alert(1)"] }),
  ],
  [
    /`text` must have at most 2000 characters|`text` must have at most 2,000/,
    "posts",
    (line) => ({ ...line, text: "x".repeat(2001) }),
  ],
  [/`url` must be an `https/, "projects", (line) => ({ ...line, url: "javascript:alert(1)" })],
  [/`apply_url` must be an `https/, "jobs", (line) => ({ ...line, apply_url: "data:text/html,x" })],
  [/`seq` must be a whole number/, "jobs", (line) => ({ ...line, seq: 2 ** 53 })],
  [
    /breaks a rule of its table: (?:salary|length)/,
    "jobs",
    (line) => ({ ...line, salary_max: 0, salary_min: 1 }),
  ],
  [/`rule` must be one of/, "xp_entries", (line) => ({ ...line, rule: "bribe" })],
  [/`day` must be a whole number/, "xp_entries", (line) => ({ ...line, day: 1e12 })],
  [/`zone` is not a known time zone/, "time_zones", (line) => ({ ...line, zone: "Moon/Crater" })],
  [/`redirect_uris`: /, "apps", (line) => ({ ...line, redirect_uris: ["javascript:alert(1)"] })],
  [/`scopes` must be/, "apps", (line) => ({ ...line, scopes: "feed:read root" })],
  [
    /`disabled_at` must hold the time since which the endpoint is disabled/,
    "webhook_endpoints",
    (line) => ({ ...line, disabled_at: null, disabled_reason: null }),
  ],
  [/`disabled_reason` must be one of/, "webhook_endpoints", (line) => ({ ...line, disabled_reason: "me" })],
  [/`url` must be an https/, "webhook_endpoints", (line) => ({ ...line, url: "http://169.254.169.254/" })],
  [/`body` must be the event itself/, "events", (line) => ({ ...line, body: `{"id":"x"}` })],
  [/`last_id` and `pruned_id` must be ids of events/, "event_log", (line) => ({ ...line, last_id: "evt_~" })],
  [
    /`last_at` must be the time of `last_id`/,
    "event_log",
    (line) => ({ ...line, last_at: "2020-01-01T00:00:00.000Z" }),
  ],
  [
    /event_log|is newer than the end of the log/,
    "event_log",
    (line) => ({ ...line, last_id: "", pruned_id: "" }),
  ],
  [
    /adds a third person to a conversation of two/,
    "thread_members",
    (line) => ({ ...line, builder_id: "builder_01jjwyk87ae00a646a6n2pss72" }),
  ],
  [
    /has a sender who is not in the conversation/,
    "messages",
    (line) => ({ ...line, sender_id: "builder_01jjwyk87ae00a646a6n2pss72" }),
  ],
  [/has no personal workspace/, "workspace_members", (line) => ({ ...line, role: "member" })],
  [
    /`detail\.\w+` has the wrong type or format|`detail` must/,
    "audit_entries",
    (line) => ({ ...line, detail: { a: { b: {} } } }),
  ],
  [/`after_endpoint` must not be empty/, "fan_outs", (line) => ({ ...line, after_endpoint: "" })],
  [/`params` must be a JSON object/, "attempts", (line) => ({ ...line, params: "[" })],
];

test("docs/contract.md#12.6: an invalid line refuses the import, and the message names the file and line", async () => {
  for (const [says, file, change, which] of CASES) {
    const folder = copied();
    changeLine(folder, file, change, which);
    const text = await refusalOf(folder);
    expect([file, text]).toEqual([file, expect.stringMatching(says)]);
    expect(text.length).toBeLessThan(500);
    rmSync(folder, { recursive: true });
  }
});

test("imports markup in texts as plain text", async () => {
  const folder = copied();
  const text = "<script>alert(1)</script><img src=x onerror=alert(1)>";
  changeLine(folder, "posts", (line) => ({ ...line, text }));
  changeLine(folder, "builders", (line) => ({ ...line, name: "<b>Ada</b>" }));
  using world = empty();
  await importInto(world.core, openExport(folder), () => {});
  expect(world.core.db.prepare("SELECT 1 FROM posts WHERE text = ?").all(text)).toHaveLength(1);
});

test("refuses a duplicate row, a truncated file, and a line more than the manifest says", async () => {
  let folder = copied();
  const lines = linesIn(folder, "likes");
  put(folder, "likes", `${[...lines, lines[0]].join("\n")}\n`);
  expect(await refusalOf(folder)).toMatch(/likes\.ndjson:\d+ appears twice/);
  folder = copied();
  writeFileSync(pathOf(folder, "posts"), readFileSync(pathOf(folder, "posts")).subarray(0, -20));
  expect(await refusalOf(folder)).toMatch(
    /posts\.ndjson was changed after the export.*remove the file's bytes and sha256/,
  );
  folder = copied();
  put(folder, "posts", linesIn(folder, "posts").slice(0, -1).join("\n"), linesIn(folder, "posts").length);
  expect(await refusalOf(folder)).toMatch(/posts\.ndjson has \d+ rows, but the manifest says \d+/);
  folder = copied();
  changeManifest(folder, ({ files }) => void delete files["thread_members"]);
  expect(await refusalOf(folder)).toMatch(/manifest\.json does not list thread_members\.ndjson/);
  folder = copied();
  changeManifest(folder, (manifest) => void (manifest.files = {}));
  expect(await refusalOf(folder)).toMatch(/manifest\.json does not list \w+\.ndjson/);
  changeManifest(folder, (manifest) => void (manifest.schema = 20));
  for (const name of readdirSync(folder)) if (name.endsWith(".ndjson")) rmSync(join(folder, name));
  expect(await refusalOf(folder)).toMatch(/manifest\.json does not list builders\.ndjson/);
});

test("refuses links, pipes and names that lead out of the folder, and ignores other files in the folder", async () => {
  let folder = copied();
  rmSync(pathOf(folder, "posts"));
  symlinkSync("/etc/passwd", pathOf(folder, "posts"));
  expect(await refusalOf(folder)).toMatch(/posts\.ndjson is not a regular file/);
  folder = copied();
  rmSync(join(folder, "manifest.json"));
  symlinkSync(join(home, "sound", "manifest.json"), join(folder, "manifest.json"));
  expect(await refusalOf(folder)).toMatch(/manifest\.json is not a regular file/);
  folder = copied();
  rmSync(pathOf(folder, "posts"));
  expect(Bun.spawnSync(["mkfifo", pathOf(folder, "posts")]).exitCode).toBe(0);
  expect(await refusalOf(folder)).toMatch(/posts\.ndjson is not a regular file/);
  for (const name of ["../../../etc/passwd", "passwords", "people"]) {
    folder = copied();
    changeManifest(folder, ({ files }) => void (files[name] = { rows: 1 }));
    expect(await refusalOf(folder)).toMatch(/names the file .*, which no export contains/);
  }
  folder = copied();
  writeFileSync(join(folder, "passwords.ndjson"), "{}\n");
  expect(await refusalOf(folder)).toBe("taken");
});

test("refuses an invalid, oversized, single-builder or newer manifest before reading any other file", async () => {
  const cases: [says: RegExp, change: (manifest: Line) => void][] = [
    [
      /was written by a newer Guildhall \(9\.0\.0\)/,
      (manifest) => Object.assign(manifest, { format: 2, program: "9.0.0" }),
    ],
    [/newer Guildhall/, (manifest) => Object.assign(manifest, { schema: 9999 })],
    [/is the export of one member/, (manifest) => Object.assign(manifest, { of: "builder" })],
    [/`guildhall` must be one of export/, (manifest) => Object.assign(manifest, { guildhall: "x" })],
    [/`sequences/, (manifest) => Object.assign(manifest, { sequences: { jobs: 2 ** 62 } })],
    [/too large for a manifest/, (manifest) => Object.assign(manifest, { origin: "x".repeat(300_000) })],
  ];
  for (const [says, change] of cases) {
    const folder = copied();
    changeManifest(folder, change);
    expect(await refusalOf(folder)).toMatch(says);
  }
  const folder = copied();
  writeFileSync(join(folder, "manifest.json"), "[".repeat(100_000));
  expect(await refusalOf(folder)).toMatch(/is not valid JSON|The body must be/);
  expect(await refusalOf(join(home, "nowhere"))).toMatch(/There is no export in/);
});

test("refuses an endless line, invalid UTF-8 and deep nesting in bounded memory", async () => {
  let folder = copied();
  put(folder, "posts", Buffer.alloc(100 * 1024 * 1024, "x"), 1);
  const before = process.memoryUsage.rss();
  expect(await refusalOf(folder)).toMatch(/posts\.ndjson:1 is longer than 4 MB/);
  expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024);
  folder = copied();
  put(
    folder,
    "posts",
    Buffer.concat([Buffer.from(`{"id":"`), Buffer.from([0xff, 0xfe]), Buffer.from(`"}\n`)]),
    1,
  );
  expect(await refusalOf(folder)).toMatch(/posts\.ndjson:1 is not UTF-8/);
  folder = copied();
  put(folder, "posts", `{"text":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}\n`, 1);
  expect(await refusalOf(folder)).toMatch(/posts\.ndjson:1 /);
});

test("a rehearsal reports all errors with files and lines, at most fifty", async () => {
  const folder = copied();
  const first = changeLine(
    folder,
    "builders",
    (line) => ({ ...line, bio: "x".repeat(501) }),
    (line) => line["username"] === "dee",
  );
  const second = changeLine(folder, "jobs", (line) => ({ ...line, currency: "euro" }));
  using world = empty();
  const { wrong, problemCount: wrongs } = await dryRunImport(world.core, openExport(folder), () => {});
  expect(wrong).toContainEqual(
    expect.stringMatching(new RegExp(`builders\\.ndjson:${first} \`bio\` must have at most 500`)),
  );
  expect(wrong).toContainEqual(
    expect.stringMatching(new RegExp(`jobs\\.ndjson:${second} \`currency\` must be`)),
  );
  expect(wrongs).toBe(wrong.length);
  put(
    folder,
    "posts",
    `${linesIn(folder, "posts")
      .map(() => "{}")
      .join("\n")}\n`,
  );
  using other = empty();
  const many = await dryRunImport(other.core, openExport(folder), () => {});
  expect(many.wrong).toHaveLength(50);
  expect(many.problemCount).toBeGreaterThan(60);
});

test("imports an export of an older version, with the defaults of a new row for missing columns", async () => {
  const folder = copied();
  const older = linesIn(folder, "builders").map((line) => {
    const {
      messages_from: _from,
      is_vouched: _vouched,
      device_epoch: _epoch,
      role: _role,
      ...rest
    } = JSON.parse(line) as Line;
    return JSON.stringify({ ...rest, newcomer_until: null, is_admin: rest["username"] === "ada" });
  });
  put(folder, "builders", `${older.join("\n")}\n`);
  const answered = linesIn(folder, "attempts").map((line) =>
    JSON.stringify({ ...(JSON.parse(line) as Line), answer: "<b>no</b>" }),
  );
  put(folder, "attempts", `${answered.join("\n")}\n`);
  const { id: job_id } = JSON.parse(linesIn(folder, "jobs")[0] ?? "") as Line;
  const place = { job_id, after_key: "w|rust", after_filter: "flt_01kafzq8e5f2r8v0j3n6s1t4wx" };
  put(folder, "job_matchings", `${JSON.stringify(place)}\n`);
  put(folder, "job_filter_anchors", "{}\n");
  const post = JSON.parse(linesIn(folder, "posts")[0] ?? "") as Line;
  const former = { kind: "hidden", subject_type: "post", subject_id: post["id"], about: "Off topic" };
  const [noted, ...others] = linesIn(folder, "notifications");
  const hidden: Line = { ...(JSON.parse(noted ?? "") as Line), ...former };
  put(folder, "notifications", `${[JSON.stringify(hidden), ...others].join("\n")}\n`);
  rmSync(pathOf(folder, "arrivals"));
  changeManifest(folder, (manifest) => {
    delete manifest.files["arrivals"];
    manifest.files["job_matchings"] = manifest.files["job_filter_anchors"] = { rows: 1 };
    Object.assign(manifest, { schema: 20, program: "0.1.0" });
  });
  using world = empty();
  await importInto(world.core, openExport(folder), () => {});
  const rows = world.core.db
    .prepare("SELECT DISTINCT messages_from, is_vouched, device_epoch FROM builders")
    .all();
  expect(rows).toEqual([{ messages_from: "everybody", is_vouched: 1, device_epoch: 0 }]);
  const admins = world.core.db.prepare("SELECT username, role FROM builders WHERE role <> 'member'").all();
  expect(admins).toEqual([{ username: "ada", role: "admin" }]);
  expect(world.core.db.prepare("SELECT DISTINCT answer FROM attempts").all()).toEqual([{ answer: null }]);
  const imported = world.core.db.prepare("SELECT kind, subject_type, about FROM notifications WHERE id = ?");
  expect(imported.get(hidden["id"])).toEqual({ kind: "decision", subject_type: "post", about: "Off topic" });
  const matchings = world.core.db.prepare("SELECT job_id, after_filter FROM job_matchings").all();
  expect(matchings).toEqual([{ job_id, after_filter: "" }]);
});

test("completes a valid import that was interrupted between any two batches, with the same result", async () => {
  const folder = join(home, "sound");
  using whole = empty();
  await importInto(whole.core, openExport(folder), () => {});
  using cut = empty();
  let left = 0;
  let tries = 0;
  for (let isDone = false; !isDone; tries++) {
    left = 1 + (tries % 7);
    await importInto(cut.core, openExport(folder), () => {
      if (left-- === 0) throw new Error("cut");
    }).then(
      () => void (isDone = true),
      (error: Error) => expect(error.message).toBe("cut"),
    );
  }
  expect(tries).toBeGreaterThan(5);
  expect(contentsOf(cut.core)).toEqual(contentsOf(whole.core));
});
