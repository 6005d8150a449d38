// docs/contract.md#12.33: the sender finds due messages at the same cost for any queue length.
import { expect, test } from "bun:test";
import { MINUTE, SECOND } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
import type { Mail } from "../../src/core/identity/mail/queue.ts";
import type { Push } from "../../src/core/outbox/push/queue.ts";
import { createMailOutage } from "../../src/delivery/mail-outage.ts";
import { mailSending } from "../../src/delivery/mail-sending.ts";
import { pushSending } from "../../src/delivery/push-sending.ts";
import type { QueueToSend } from "../../src/delivery/sender.ts";
import { type RecordedReads, recordReads } from "../recorded-reads.ts";
import { createTestWorld, createMember, signedInNow } from "../support.ts";

const mailing = () =>
  mailSending(
    "ordinary",
    createMailOutage(),
    async () => ({ kind: "sent" }),
    () => undefined,
  );
const pushing = () =>
  pushSending(
    async () => ({ kind: "taken" }),
    () => undefined,
  );

/** Queues an email to a mailbox. Returns its sequence number. */
function addMail(core: Core, mailbox: string, host: string, dueAt: number = core.clock.steady()): number {
  const mark = new Bun.CryptoHasher("sha256").update(mailbox).digest();
  return Number(
    core.db
      .prepare(
        `INSERT INTO mails (kind, address, message_id, created_at, due_at, ends_at, host, mark)
         VALUES ('digest', ?, ?, 0, ?, 9e15, ?, ?)`,
      )
      .run(`${mailbox}@${host}`, Bun.randomUUIDv7(), dueAt, host, mark).lastInsertRowid,
  );
}

function subscribe(core: Core, count: number, succeededAt: number | null = 1): void {
  const { builderId, credentialId } = signedInNow(core, createMember(core, "ada").caller);
  for (let n = 0; n < count; n++)
    core.db
      .prepare(
        `INSERT INTO push_subscriptions (id, builder_id, session_id, endpoint, p256dh, auth, created_at, succeeded_at)
         VALUES (?, ?, ?, ?, zeroblob(65), zeroblob(16), 1, ?)`,
      )
      .run(`psh_${n}`, builderId, credentialId, `https://push.example/${n}`, succeededAt);
}

const addPush = (core: Core, browser: number, urgent = 0): void =>
  void core.db
    .prepare(
      "INSERT INTO pushes (subscription_id, notification_id, created_at, due_at, urgent) VALUES (?, ?, 1, ?, ?)",
    )
    .run(`psh_${browser}`, Bun.randomUUIDv7(), core.clock.steady(), urgent);

/** Runs passes until the whole list is read and nothing more starts. */
function begin<Item extends { seq: number }, End>(
  core: Core,
  sending: QueueToSend<Item, End>,
  running: readonly Item[] = [],
): Item[] {
  const begun: Item[] = [];
  do begun.push(...sending.due(core, [...running, ...begun]));
  while (sending.isBehind());
  return begun;
}

function readsOf(core: Core, work: (core: Core) => void): RecordedReads {
  const { core: recording, reads } = recordReads(core);
  work(recording);
  return reads;
}

test("a pass reads a bounded number of rows by an index, for any number of due emails or pushes", () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const start = clock.steady();
  core.db.transact(() => {
    subscribe(core, 60);
    for (let n = 0; n < 3000; n++) {
      clock.pass(1);
      addMail(core, `box${n}`, `host${n % 7}.example`);
      addPush(core, n % 60);
    }
  });
  expect(clock.steady() - start).toBe(3000);
  for (const sending of [mailing(), pushing()] as QueueToSend<Mail | Push, never>[]) {
    const running: (Mail | Push)[] = [];
    let passes = 0;
    const pass = () => {
      passes++;
      return readsOf(core, (asking) => {
        running.push(...sending.due(asking, running));
        sending.nextDue(asking);
      });
    };
    const reading = pass();
    expect(reading.rows).toBeLessThan(300);
    while (sending.isBehind()) expect(pass().rows).toBeLessThan(300);
    expect(passes).toBe(13);

    // Items that fell due in the last second are read twice.
    clock.pass(2 * SECOND);
    do pass();
    while (sending.isBehind());
    running.splice(0, 1);
    expect(pass().rows).toBeLessThan(10);
    for (const sql of reading.statements) {
      const plan = core.db
        .prepare<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...Array.from({ length: sql.split("?").length - 1 }, () => "1"));
      expect(plan.filter(({ detail }) => !detail.startsWith("SEARCH")).map(({ detail }) => detail)).toEqual(
        // Sorts the few pushes of one browser, urgent ones first.
        sql.includes("q.urgent DESC") ? ["USE TEMP B-TREE FOR ORDER BY"] : [],
      );
    }
  }
});

test("a domain with 1,500 mailboxes and a slow server delays no mail to other domains", () => {
  using world = createTestWorld();
  const { core } = world;
  core.db.transact(() => {
    for (let n = 0; n < 1500; n++) addMail(core, `box${n}`, "slow.example");
  });
  addMail(core, "eve", "other.example");

  const hosts = begin(core, mailing()).map(({ host }) => host);

  expect(hosts).toEqual(["slow.example", "slow.example", "slow.example", "other.example"]);
});

test("sends one email at a time to a mailbox, oldest first, and never a finished or dropped one", () => {
  using world = createTestWorld();
  const { core } = world;
  const sending = mailing();
  const [first, second, third] = [1, 2, 3].map(() => addMail(core, "ada", "home.example"));
  const dropped = addMail(core, "bob", "home.example");
  expect([...sending.due(core, [])].map(({ seq }) => seq)).toEqual([Number(first), dropped]);

  const other = mailing();
  const begun = other.due(core, [])[Symbol.iterator]();
  const mail = begun.next().value as Mail;
  core.db.prepare("DELETE FROM mails WHERE seq = ?").run(dropped);
  expect(begun.next().done).toBe(true);
  expect(begin(core, other, [mail])).toEqual([]);
  core.db.transact(() => other.settle(core, mail, { kind: "sent" }));
  const [two] = begin(core, other);
  expect([two?.seq, begin(core, other, [two as Mail])]).toEqual([Number(second), []]);
  core.db.transact(() => other.settle(core, two as Mail, { kind: "later" }));
  expect(begin(core, other).map(({ seq }) => seq)).toEqual([Number(third)]);
});

test("finds a deferred mail when it is due again", () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const sending = mailing();
  addMail(core, "ada", "home.example");
  const [mail] = begin(core, sending);
  core.db.transact(() => sending.settle(core, mail as Mail, { kind: "later" }));
  expect([begin(core, sending), sending.nextDue(core)]).toEqual([[], clock.steady() + MINUTE]);

  clock.pass(MINUTE);

  expect(begin(core, sending)).toMatchObject([{ seq: mail?.seq, attempts: 1 }]);
});

test("finds an email that was stored after later ones were read, while others wait for a slot", () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const sending = mailing();
  for (let n = 0; n < 10; n++) addMail(core, `box${n}`, "slow.example");
  const running = begin(core, sending);
  expect(running).toHaveLength(3);

  const late = addMail(core, "bob", "home.example", clock.steady() - SECOND / 2);
  const found = begin(core, sending, running);
  expect(found.map(({ seq }) => seq)).toEqual([late]);

  core.db.transact(() => sending.settle(core, found[0] as Mail, { kind: "sent" }));
  const later = addMail(core, "cy", "home.example", clock.steady() - 5 * SECOND);
  expect(begin(core, sending, running)).toEqual([]);
  clock.pass(15 * SECOND);
  expect(begin(core, sending, running).map(({ seq }) => seq)).toEqual([later]);
});

test("sends a browser's urgent push first, also when it was queued after the list was read", () => {
  using world = createTestWorld();
  const { core } = world;
  subscribe(core, 1);
  const sending = pushing();
  addPush(core, 0);
  addPush(core, 0);
  const [first] = begin(core, sending);
  begin(core, sending, [first as Push]);
  addPush(core, 0, 1);
  core.db.transact(() => sending.settle(core, first as Push, { kind: "taken" }));

  const [second] = begin(core, sending);

  const newest = core.db.prepare<{ seq: number }>("SELECT max(seq) AS seq FROM pushes").get();
  expect(second?.seq).toBe(newest?.seq);
});

test("sends last to those browsers of a member that failed last", () => {
  using world = createTestWorld();
  const { core } = world;
  subscribe(core, 3);
  core.db.prepare("UPDATE push_subscriptions SET failures = 1 WHERE id = 'psh_0'").run();
  core.db.prepare("UPDATE push_subscriptions SET succeeded_at = NULL WHERE id = 'psh_1'").run();
  for (let n = 0; n < 3; n++) addPush(core, n);

  const order = begin(core, pushing()).map(({ subscriptionId }) => subscriptionId);

  expect(order).toEqual(["psh_2", "psh_1", "psh_0"]);
});
