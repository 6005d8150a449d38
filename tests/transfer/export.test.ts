import { expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { dismissReport, report } from "../../src/core/services/moderation/reports.ts";
import { appeal, decideAppeal } from "../../src/core/services/moderation/appeals.ts";
import { reportAsStranger } from "../../src/core/services/moderation/stranger-reports.ts";
import { addCaseNote } from "../../src/core/services/moderation/cases.ts";
import { decide } from "../../src/core/services/moderation/decisions.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { NOT_EXPORTED } from "../../src/core/services/transfer/exporting.ts";
import { openDatabase } from "../../src/core/base/db/open.ts";
import { exportTo } from "../../src/transfer/export.ts";
import { createSignedInMember } from "../core/people.ts";
import { createLinkedCommunity } from "../core/linked-community.ts";
import { createTestWorld, type TestWorld } from "../support.ts";

const quiet = { version: "0.0.0-test", progress: () => {} };

function linesIn(folder: string, name: string): Record<string, unknown>[] {
  const text = readFileSync(join(folder, `${name}.ndjson`), "utf8");
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
}

const textOf = (folder: string): string =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");

const into = ({ folder }: TestWorld, name = "out"): string => join(folder, name);

test("docs/contract.md#12.6: an export holds each row of one snapshot once, in owner-only files with their schemas", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { bob } = await createLinkedCommunity(core);
  // Another connection writes during the export, as a server does.
  const other = { ...core, db: openDatabase(join(world.folder, "guildhall.db"), { busyMs: 100 }) };
  let isWritten = false;
  const progress = (): void => {
    if (!isWritten) createPost(other, bob.caller, { text: "Too late for this one" });
    isWritten = true;
  };
  const manifest = await exportTo(core, into(world), { ...quiet, progress });
  other.db.close();
  expect(isWritten).toBe(true);
  expect(textOf(into(world))).not.toContain("Too late for this one");
  for (const [name, { rows, bytes }] of Object.entries(manifest.files)) {
    expect([name, linesIn(into(world), name).length]).toEqual([name, rows]);
    expect(statSync(join(into(world), `${name}.ndjson`))).toMatchObject({ size: bytes });
    expect(JSON.parse(readFileSync(join(into(world), `${name}.schema.json`), "utf8")).title).toBe(name);
  }
  for (const name of readdirSync(into(world)))
    expect([name, statSync(join(into(world), name)).mode & 0o777]).toEqual([name, 0o600]);
  expect(JSON.parse(readFileSync(join(into(world), "manifest.json"), "utf8"))).toEqual(manifest);
});

test("an export omits all credentials, says why, and switches endpoints off", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { token } = await createLinkedCommunity(core);
  const manifest = await exportTo(core, into(world), quiet);
  const text = textOf(into(world));
  for (const table of ["passwords", "tokens", "sessions", "links", "signing_keys", "webhook_secrets"]) {
    expect(Object.keys(manifest.files)).not.toContain(table);
    expect(manifest.left_behind[table]).toBe(NOT_EXPORTED[table] ?? "");
  }
  for (const secret of ["$argon2id", "whsec_", token, token.slice(-20)]) expect(text).not.toContain(secret);
  const [endpoint] = linesIn(into(world), "webhook_endpoints");
  expect(endpoint).toMatchObject({ disabled_at: manifest.exported_at, disabled_reason: "moved" });
  expect(endpoint).not.toHaveProperty("token_id");
});

test("docs/contract.md#12.40: own data holds the decisions about the builder, without moderators, reporters and cases", async () => {
  using world = createTestWorld({ policy: { signup: "open", mailFrom: "guild@guild.test" } });
  const { core } = world;
  const [ada, bo, cy, mo, may] = await Promise.all([
    createSignedInMember(core, "ada"),
    createSignedInMember(core, "bo"),
    createSignedInMember(core, "cy"),
    createSignedInMember(core, "mo", { role: "moderator" }),
    createSignedInMember(core, "may", { role: "moderator" }),
  ]);
  const post = createPost(core, ada.caller, { text: "Cheap followers" });
  reportAsStranger(core, "198.51.100.7", {
    ...{ subjectId: post.id, reason: "My photo", mail: "eve@home.example", language: "en" },
  });
  const reported = { kind: "post", id: post.id } as const;
  dismissReport(core, mo.caller, report(core, cy.caller, reported, { reason: "Spam" }).id);
  addCaseNote(core, mo.caller, post.id, { text: "Only for us" });
  const { id } = decide(core, mo.caller, post.id, { act: "hide", reason: "Off topic" });
  const message = sendMessage(core, ada.caller, { to: "bo", text: "Buy now" });
  report(core, bo.caller, { kind: "message", id: message.id }, { reason: "Spam" });
  decide(core, mo.caller, message.id, { act: "warn", reason: "No spam" });
  appeal(core, ada.caller, id, { text: "A quotation" });
  decideAppeal(core, may.caller, id, { outcome: "denied", answer: "It was not" });

  const builder = { id: ada.caller.builderId, username: "ada" };
  const { files } = await exportTo(core, into(world), { ...quiet, builder });
  const decisions = linesIn(into(world), "decisions");
  expect(decisions.map(({ act, reason, subject_id }) => [act, reason, subject_id])).toEqual([
    ["hide", "Off topic", post.id],
    ["warn", "No spam", builder.id],
  ]);
  expect(decisions[0]).toMatchObject({ id, moderator_id: null, undone_by: null, undo: {} });
  expect(Object.keys(files)).not.toContain("cases");
  expect(linesIn(into(world), "appeals")).toMatchObject([
    { text: "A quotation", answer: "It was not", decided_by: null },
  ]);
  const text = textOf(into(world));
  for (const { caller } of [cy, mo, may]) expect(text).not.toContain(caller.builderId);
  for (const other of ["Only for us", "My photo", "eve@home.example", "198.51.100.7"])
    expect(text).not.toContain(other);
  // The message would tell who reported it.
  expect(JSON.stringify(linesIn(into(world), "audit_entries"))).not.toContain(message.id);
});

test("an export of one builder holds their own rows, and both sides of their conversations", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { ada, bob, root } = await createLinkedCommunity(core);
  const cy = await createSignedInMember(core, "cy");
  sendMessage(core, cy.caller, { to: "bob", text: "Between the two of us" });
  const builder = { id: ada.builderId, username: "ada" };
  const manifest = await exportTo(core, into(world), { ...quiet, builder });
  expect(manifest).toMatchObject({ of: "builder", builder });
  const of = (name: string) => linesIn(into(world), name);
  expect(of("builders").map(({ username }) => username)).toEqual(["ada"]);
  expect(of("messages").map(({ sender_id, text }) => [sender_id, text])).toEqual([
    [ada.builderId, "zebra"],
    [bob.builderId, "To ada"],
  ]);
  expect(
    of("people")
      .map(({ username }) => username)
      .sort(),
  ).toEqual(["ada", "bob", "root"]);
  expect(of("blocks").map(({ blocked_id }) => blocked_id)).toEqual([root.builderId]);
  expect(of("posts").every(({ author_id }) => author_id === ada.builderId)).toBe(true);
  expect(new Set(of("xp_entries").map(({ giver_id }) => giver_id))).toEqual(new Set([""]));
  expect(of("reports")).toHaveLength(1);
  expect(of("workspaces").map(({ name }) => name)).toContain("Tools");
  expect(of("thread_members").map(({ builder_id }) => builder_id)).toEqual([ada.builderId]);
  const text = textOf(into(world));
  for (const foreign of ["Between the two of us", "Bob's own", "No zebras.", "Review"])
    expect([foreign, text.includes(foreign)]).toEqual([foreign, false]);
});

test("refuses a folder that is not empty, and restarts an interrupted export", async () => {
  using world = createTestWorld();
  const { core } = world;
  await createSignedInMember(core, "ada");
  const { files } = await exportTo(core, into(world), quiet);
  const refusal = (name: string): Promise<unknown> =>
    exportTo(core, into(world, name), quiet).catch((error: Error) => error.message);
  expect(await refusal("out")).toMatch(/already holds an export\. Name another folder/);
  expect(await refusal(".")).toMatch(/is not empty/);
  const fail = (): void => {
    throw new Error("cut");
  };
  await expect(exportTo(core, into(world, "cut"), { ...quiet, progress: fail })).rejects.toThrow("cut");
  expect(readdirSync(into(world, "cut"))).not.toContain("manifest.json");
  expect((await exportTo(core, into(world, "cut"), quiet)).files).toEqual(files);
  // Only files that an export writes are ever removed.
  writeFileSync(join(into(world, "cut"), "export.unfinished"), "");
  writeFileSync(join(into(world, "cut"), "mine.txt"), "mine");
  expect(await refusal("cut")).toMatch(/already holds an export/);
  expect(readFileSync(join(into(world, "cut"), "mine.txt"), "utf8")).toBe("mine");
});
