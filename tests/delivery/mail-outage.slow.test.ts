// docs/contract.md#12.33: the mail server is unavailable.
import { expect, test } from "bun:test";
import pino from "pino";
import { SECOND } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
import type { Mail, MailEnd } from "../../src/core/identity/mail/queue.ts";
import { createMailOutage } from "../../src/delivery/mail-outage.ts";
import { mailSending, startMailSenders } from "../../src/delivery/mail-sending.ts";
import { rows } from "../spec/rows.ts";
import { createTestWorld } from "../support.ts";
import { until } from "./receiver.ts";

const TEXT = { language: "en", subject: "Hello", paragraphs: [] } as never;

function addMail(core: Core, name: string, urgent: 0 | 1): void {
  const now = core.clock.steady();
  core.db
    .prepare(
      `INSERT INTO mails (kind, address, message_id, created_at, due_at, ends_at, urgent)
       VALUES ('digest', ?, ?, ?, ?, 9e15, ?)`,
    )
    .run(`${name}@${name}.example`, Bun.randomUUIDv7(), now, now, urgent);
}

/** The urgent and the ordinary mail lane with one mail server, whose response the test sets. */
function openLanes(core: Core) {
  const server = { answer: { kind: "sent" } as MailEnd, asked: [] as string[] };
  const outage = createMailOutage();
  let ended = 0;
  outage.onEnd(() => ended++);
  const openLane = (name: "urgent" | "ordinary") => {
    const lane = mailSending(
      name,
      outage,
      async ({ to }) => {
        server.asked.push(to.split("@")[0] ?? "");
        return server.answer;
      },
      () => TEXT,
    );
    return () =>
      [...lane.due(core, [])].map(async (mail: Mail) => lane.settle(core, mail, await lane.send(core, mail)));
  };
  return { server, urgent: openLane("urgent"), ordinary: openLane("ordinary"), ends: () => ended };
}

test("during an outage, tries one email of both lanes at a time, an urgent one first", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const { server, urgent, ordinary, ends } = openLanes(core);
  addMail(core, "digest1", 0);
  addMail(core, "digest2", 0);
  server.answer = { kind: "unreachable" };
  await Promise.all(ordinary());
  expect(server.asked).toEqual(["digest1", "digest2"]);

  addMail(core, "recovery1", 1);
  addMail(core, "recovery2", 1);
  expect([...urgent(), ...ordinary()]).toEqual([]);

  clock.pass(5 * SECOND);
  // The urgent email is next, even if the ordinary lane runs first.
  expect(ordinary()).toEqual([]);
  const attempts = urgent();
  expect(server.asked.slice(2)).toEqual(["recovery1"]);
  expect([...urgent(), ...ordinary()]).toEqual([]);
  await Promise.all(attempts);

  clock.pass(5 * SECOND);
  server.answer = { kind: "sent" };
  expect(ends()).toBe(0);
  await Promise.all(urgent());
  expect(ends()).toBe(1);
  await Promise.all([...urgent(), ...ordinary()]);
  expect(server.asked.slice(3)).toEqual(["recovery2", "recovery1", "digest1", "digest2"]);
});

test("without urgent mail, tries an ordinary one, and its success ends the pause of urgent mail", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const { server, urgent, ordinary, ends } = openLanes(core);
  addMail(core, "digest1", 0);
  server.answer = { kind: "unreachable" };
  await Promise.all(ordinary());
  clock.pass(5 * SECOND);
  server.answer = { kind: "sent" };
  const attempts = ordinary();
  addMail(core, "recovery1", 1);
  expect(urgent()).toEqual([]);
  await Promise.all(attempts);
  expect(ends()).toBe(1);
  await Promise.all(urgent());
  expect(server.asked).toEqual(["digest1", "digest1", "recovery1"]);
});

test("tries later emails even after an attempt throws", async () => {
  using world = createTestWorld();
  const outage = createMailOutage();
  await outage.run(world.core, async () => ({ kind: "unreachable" }));
  world.clock.pass(5 * SECOND);
  const attempt = outage.run(world.core, () => Promise.reject(new Error("no such host")));
  expect(outage.mayTry(world.core, true)).toBe(false);
  await expect(attempt).rejects.toThrow("no such host");
  expect(outage.mayTry(world.core, true)).toBe(true);
});

test("attempts from before the outage do not lengthen its first pause, and a hanging one delays nobody", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const outage = createMailOutage();
  const unreachable = async (): Promise<MailEnd> => ({ kind: "unreachable" });
  const hanging = Promise.withResolvers<MailEnd>();
  const slow = outage.run(core, () => hanging.promise);
  await Promise.all([1, 2, 3].map(() => outage.run(core, unreachable)));
  clock.pass(SECOND);
  expect(outage.mayTry(core, true)).toBe(true);
  await outage.run(core, unreachable);
  clock.pass(SECOND);
  expect(outage.mayTry(core, true)).toBe(false);
  hanging.resolve({ kind: "unreachable" });
  await slow;
  clock.pass(SECOND);
  expect(outage.mayTry(core, true)).toBe(true);
});

test.concurrent.each([
  ["ordinary", "urgent"],
  ["urgent", "ordinary"],
] as const)(
  "during an outage that an %s mail met, a lane sleeps until the next try for its %s mail",
  async (first, second) => {
    using world = createTestWorld();
    const { core, clock } = world;
    let answer: MailEnd = { kind: "unreachable" };
    let requestCount = 0;
    const send = async (): Promise<MailEnd> => {
      requestCount++;
      return answer;
    };
    const lanes = startMailSenders(
      core,
      () => send,
      () => TEXT,
      pino({ level: "silent" }),
    );
    core.onWake(() => lanes.forEach((lane) => lane.wake()));
    const queue = (name: string, lane: "urgent" | "ordinary"): void => {
      addMail(core, name, lane === "urgent" ? 1 : 0);
      core.wake();
    };
    queue("first", first);
    await until(() => requestCount === 1 && lanes.every((lane) => lane.health().running === 0));
    core.db.prepare("DELETE FROM mails").run();
    queue("second", second);
    await new Promise(setImmediate);
    answer = { kind: "sent" };
    // The mail lanes continue without a wake-up.
    clock.pass(5 * SECOND);
    await until(() => rows(core, "SELECT 1 FROM mails").length === 0, 20_000);
    expect(requestCount).toBe(2);
    await Promise.all(lanes.map((lane) => lane.stop()));
  },
  60_000,
);
