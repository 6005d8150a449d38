import { expect, test } from "bun:test";
import { join } from "node:path";
import { continueBatches } from "../../src/core/services/batches/batches.ts";
import { importLines } from "../../src/core/services/transfer/importing.ts";
import { FORMS } from "../../src/core/services/transfer/exporting.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { editPost } from "../../src/core/community/feed/revisions.ts";
import { getEvents, listEvents } from "../../src/core/outbox/events/events.ts";
import { DAY, isoTime } from "../../src/core/base/clock.ts";
import { getSetting } from "../../src/core/base/db/settings.ts";
import { exportTo } from "../../src/transfer/export.ts";
import { importInto } from "../../src/transfer/import.ts";
import { openExport } from "../../src/transfer/reader.ts";
import { sized } from "../drill.ts";
import { createTestWorld, createMember } from "../support.ts";
import { contentsOf, filesOf, createSampleCommunity, silentLog } from "./sample-community.ts";

const SEEDS = sized([7], [1, 2, 3, 4, 5, 6, 7, 8]);

test("docs/contract.md#12.6: export and import preserve every table, and a second export is byte-identical", async () => {
  for (const seed of SEEDS) {
    using source = createTestWorld({ seed });
    await createSampleCommunity(source, seed);
    const folder = join(source.folder, "out");
    const { exported_at } = await exportTo(source.core, folder, silentLog);
    const before = contentsOf(source.core);
    using target = createTestWorld({ seed: seed + 100 });
    target.clock.pass(source.clock.now() - target.clock.now());
    await importInto(target.core, openExport(folder), () => {});
    const after = contentsOf(target.core);
    // Only endpoints differ: they are disabled.
    const off = (before["webhook_endpoints"] as { disabled_at: number | null }[]).map((row) =>
      row.disabled_at === null
        ? { ...row, disabled_at: Date.parse(exported_at), disabled_reason: "moved" }
        : row,
    );
    for (const [table, rows] of Object.entries({ ...before, webhook_endpoints: off }))
      expect([table, after[table]]).toEqual([table, rows]);
    const again = join(target.folder, "out");
    await exportTo(target.core, again, silentLog);
    expect(filesOf(again)).toEqual(filesOf(folder));
    expect(target.core.db.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
  }
});

test("ids, log positions and the steady time continue after those of the import", async () => {
  using source = createTestWorld();
  const { bob } = await createSampleCommunity(source);
  const folder = join(source.folder, "out");
  await exportTo(source.core, folder, silentLog);
  using target = createTestWorld({ seed: 2 });
  const { core, clock } = target;
  clock.pass(source.clock.now() - clock.now());
  await importInto(core, openExport(folder), () => {});
  const ids = (table: string): string[] =>
    core.db
      .prepare<{ id: string }>(`SELECT id FROM ${table}`)
      .all()
      .map(({ id }) => id);
  const [posts, events] = [ids("posts"), ids("events")];
  clock.pass(1);
  const created = createPost(core, bob.caller, { text: "The first one here" });
  expect(posts.every((id) => id < created.id)).toBe(true);
  // New events get later ids, even if this machine's clock is a day behind.
  clock.step(-DAY);
  createPost(core, bob.caller, { text: "The second one" });
  const fired = ids("events").filter((id) => !events.includes(id));
  expect(fired).toHaveLength(2);
  expect(fired.every((id) => events.every((other) => other < id))).toBe(true);
  expect(JSON.parse(getSetting(core, "steady-time") ?? "")).toEqual({
    steady: source.clock.steady(),
    wall: source.clock.now(),
  });
  // Deliveries remain pending, because their endpoints are disabled.
  while (core.db.transact(() => continueBatches(core)));
  expect(core.db.prepare("SELECT 1 FROM webhook_endpoints WHERE disabled_at IS NULL").all()).toEqual([]);
});

test("imports no credentials, and gives each endpoint and confidential app a new secret that nobody has seen", async () => {
  using source = createTestWorld();
  await createSampleCommunity(source);
  const folder = join(source.folder, "out");
  await exportTo(source.core, folder, silentLog);
  using target = createTestWorld({ seed: 2 });
  const { core, clock } = target;
  clock.pass(source.clock.now() - clock.now());
  await importInto(core, openExport(folder), () => {});
  for (const table of [
    "passwords",
    "passkeys",
    "sessions",
    "links",
    "tokens",
    "oauth_records",
    "signing_keys",
    "idempotency_keys",
  ])
    expect([table, core.db.prepare(`SELECT * FROM ${table}`).all()]).toEqual([table, []]);
  const hashes = ({ db }: typeof core) =>
    db
      .prepare<{ id: string; hash: string }>(
        "SELECT id, hex(secret_hash) AS hash FROM apps WHERE kind = 'confidential' ORDER BY id",
      )
      .all();
  expect(hashes(core).length).toBeGreaterThan(0);
  for (const [i, { id, hash }] of hashes(core).entries()) {
    expect(hashes(source.core)[i]?.id).toBe(id);
    expect(hashes(source.core)[i]?.hash).not.toBe(hash);
  }
  const sealed = core.db
    .prepare<{ id: string; sealed: Buffer }>("SELECT endpoint_id AS id, sealed FROM webhook_secrets")
    .all();
  expect(sealed).toHaveLength(core.db.prepare("SELECT 1 FROM webhook_endpoints").all().length);
  for (const { id, sealed: bytes } of sealed) {
    expect(core.secrets.open("webhook-secret", id, bytes)).toStartWith("whsec_");
    const old = source.core.db
      .prepare<{ sealed: Buffer }>("SELECT sealed FROM webhook_secrets WHERE endpoint_id = ?")
      .get(id);
    if (old)
      expect(source.core.secrets.open("webhook-secret", id, old.sealed)).not.toBe(
        core.secrets.open("webhook-secret", id, bytes),
      );
  }
});

test("an import of an export from before events named their subjects drops the texts of its event log", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = createMember(core, "ada");
  const { id } = createPost(core, caller, { text: "First title" });
  const [event] = (await listEvents(core, caller, {}, { limit: 1 })).nodes;
  editPost(core, caller, id, { text: "Second title" });
  const form = FORMS.find(({ name }) => name === "events");
  if (!form) throw new Error("events are exported");
  const line = {
    id: event?.id,
    type: event?.type,
    body: event?.body,
    created_at: isoTime(event?.createdAt ?? 0),
  };
  core.db.prepare("DELETE FROM events WHERE id = ?").run(event?.id);
  const refused: string[] = [];
  const take = (body: unknown) =>
    importLines(
      core,
      form,
      [{ number: 1, text: JSON.stringify({ ...line, body }) }],
      { export: "", file: "", lines: 0, bytes: 0, isDone: false, from: "", exportedAt: 0 },
      (_, why) => refused.push(why),
    );

  take(JSON.stringify({ ...JSON.parse(event?.body ?? ""), data: {} }));
  expect(refused).toEqual(["`body` must be a valid payload for the event's `type`"]);
  take(event?.body);

  expect(event?.body).toContain("First title");
  expect(JSON.stringify(core.db.prepare("SELECT * FROM events").all())).not.toContain("First title");
  expect(getEvents(core, caller, [event?.id ?? ""])[0]?.data).toMatchObject({
    post: { title: "Second title" },
  });
});
