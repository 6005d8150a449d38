// docs/contract.md#12.31: writes on a node that may no longer lead.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { createLead, CHECK_VALID_MS, momentOf } from "../../src/core/base/db/lead.ts";
import { openDatabase } from "../../src/core/base/db/open.ts";
import { fakeClock, createTestWorld, createMember } from "../support.ts";

test("a check of the other nodes is valid for two seconds of any clock; then a write waits for a new check", async () => {
  using world = createTestWorld();
  const { db } = world.core;
  const { clock } = world;
  createMember(world.core, "ada");
  const change = () => db.prepare("UPDATE builders SET name = 'Eve'").run();
  let checks = 0;
  const lead = createLead(clock, async () => {
    checks++;
    lead.recordCheck(momentOf(clock));
  });
  lead.recordCheck(momentOf(clock));
  db.leadBy(lead);
  clock.pass(CHECK_VALID_MS);
  db.transact(change);
  await db.write(change);
  expect(checks).toBe(0);
  // Simulates a stopped process, where both clocks advance, and a suspended machine, where only the wall
  // clock advances.
  for (const rest of [() => clock.pass(CHECK_VALID_MS + 1), () => clock.step(CHECK_VALID_MS + 1)]) {
    rest();
    const { commits } = db.position();
    expect(() => db.transact(change)).toThrow("is checking whether it still leads");
    expect(db.position().commits).toBe(commits);
    await db.write(change);
    expect(db.position().commits).toBe(commits + 1);
  }
  expect(checks).toBe(2);
});

test("refuses writes queued before a suspension when the next check finds another leader", async () => {
  using world = createTestWorld();
  const { db } = world.core;
  createMember(world.core, "ada");
  const lead = createLead(world.clock, async () => lead.fence(4));
  lead.recordCheck(momentOf(world.clock));
  db.leadBy(lead);
  const { commits } = db.position();
  const queued = db.write(() => db.prepare("UPDATE builders SET name = 'Eve'").run());
  world.clock.pass(CHECK_VALID_MS + 1);
  await expect(queued).rejects.toMatchObject({ error: "unavailable", code: "lead_unsure" });
  const next = db.write(() => db.prepare("UPDATE builders SET name = 'Eve'").run());
  await expect(next).rejects.toMatchObject({ error: "unavailable", code: "fenced", retryAfterSeconds: 10 });
  expect(db.fencedBy()).toBe(4);
  expect(db.position().commits).toBe(commits);
});

test("fencing stops all threads at once with one last commit, and applies to later opens", () => {
  using world = createTestWorld();
  const { db } = world.core;
  const file = join(world.folder, "guildhall.db");
  createMember(world.core, "ada");
  const lead = createLead(world.clock, async () => {});
  db.leadBy(lead);
  const thread = openDatabase(file, { busyMs: 100, isDurable: false });
  thread.leadBy(createLead(fakeClock(), async () => {}, lead.shared));
  const change = () => thread.prepare("UPDATE builders SET name = 'Eve'").run();
  thread.transact(change);
  const { commits, epoch } = db.position();
  lead.fence(epoch + 1);
  expect(() => thread.transact(change)).toThrow("Another node now leads");
  expect(thread.fencedBy()).toBe(epoch + 1);
  db.fence(epoch + 1);
  db.fence(epoch + 2);
  expect(db.position()).toMatchObject({ commits: commits + 1, epoch, fencedBy: epoch + 1 });
  thread.close();
  const later = openDatabase(file, { busyMs: 100 });
  expect(() => later.transact(() => later.prepare("UPDATE builders SET name = 'Eve'").run())).toThrow();
  const own = createLead(world.clock, async () => {});
  later.leadBy(own);
  expect(own.fencedBy()).toBe(epoch + 1);
  later.close();
});

test("a process suspended inside a transaction stores nothing, and one suspended during the commit confirms nothing", () => {
  using world = createTestWorld();
  const { db } = world.core;
  createMember(world.core, "ada");
  const lead = createLead(world.clock, async () => {});
  lead.recordCheck(momentOf(world.clock));
  db.leadBy(lead);
  const { commits } = db.position();
  const rest = () => {
    db.prepare("UPDATE builders SET name = 'Eve'").run();
    world.clock.pass(CHECK_VALID_MS + 1);
  };
  expect(() => db.transact(rest)).toThrow("is checking whether it still leads");
  expect(db.position().commits).toBe(commits);
  lead.recordCheck(momentOf(world.clock));
  // The lead expires during the wait for the disk at the end of the commit, after the last check before the
  // commit.
  let requestCount = 0;
  const { require } = lead;
  lead.require = () => {
    if (++requestCount === 3) world.clock.pass(CHECK_VALID_MS + 1);
    require();
  };
  expect(() => db.transact(() => db.prepare("UPDATE builders SET name = 'Eve'").run())).toThrow(
    "is checking whether it still leads",
  );
  expect(db.position().commits).toBe(commits + 1);
});
