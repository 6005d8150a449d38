import { expect, test } from "bun:test";
import pino from "pino";
import { countOf } from "../../src/core/base/digest.ts";
import { startThread } from "../../src/delivery/thread.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { createTestWorld, createMember } from "../support.ts";
import type { MortalSetup } from "./crashing-thread.ts";
import { until } from "./receiver.ts";

const SCRIPT = new URL("./crashing-thread.ts", import.meta.url);
const [LIVES, WAKES] = [0, 1];

function begin(deaths: MortalSetup["deaths"], file?: string) {
  const shared = new SharedArrayBuffer(8);
  const counts = new Int32Array(shared);
  const logged: { msg: string; reason: string }[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const setup = (): MortalSetup => ({ counts: shared, deaths, ...(file && { file }) });
  const thread = startThread(SCRIPT, setup, log, { first: 50, most: 1000 });
  const count = (index: number) => () => Atomics.load(counts, index);
  return { thread, logged, counts, lives: count(LIVES), wakes: count(WAKES) };
}

test("logs and counts a delivery thread that dies, and starts it again", async () => {
  const { thread, logged, lives } = begin(["throw", "reject", "exit"]);
  for (let life = 1; life <= 3; life++) {
    await until(() => lives() === life && thread.health().running === 3);
    thread.wake();
    await until(() => logged.length === life);
    expect(logged[life - 1]?.msg).toBe("delivery thread exited");
    expect(thread.health()).toMatchObject({ running: 0, faults: 3 * life });
  }
  expect(logged[0]?.reason).toContain("the thread throws");
  expect(logged[1]?.reason).toContain("the thread rejects");
  await until(() => lives() === 4 && thread.health().running === 3);
  expect(thread.health().faults).toBe(11);
  // Counts of dead threads remain, because a counter never decreases.
  const { attempts, ended, attemptSeconds } = thread.health().tally;
  expect([attempts, ended]).toEqual([{ acknowledged: 20 }, { acknowledged: 20, failed: 0 }]);
  expect(countOf(attemptSeconds)).toBe(4);
  await thread.stop();
  expect(logged).toHaveLength(3);
});

test("a delivery thread that dies in a transaction rolls it back and releases the database", async () => {
  using world = createTestWorld();
  const { caller } = createMember(world.core, "ada");
  const { thread, logged, lives } = begin(["throw in a transaction"], `${world.folder}/guildhall.db`);
  await until(() => lives() === 1);
  thread.wake();
  await until(() => logged.length === 1);
  const post = await world.core.db.write(() => createPost(world.core, caller, { text: "after it" }));
  expect(post.text).toBe("after it");
  await thread.stop();
});

test("a stop does not wait for a dead delivery thread", async () => {
  const { thread, logged, lives } = begin(["throw"]);
  await until(() => lives() === 1);
  thread.wake();
  await until(() => logged.length === 1);
  await thread.stop();
  expect(lives()).toBe(1);
});

test("the thread receives one wake-up for many in a transaction, after the transaction", async () => {
  const { thread, counts, lives, wakes } = begin([]);
  await until(() => lives() === 1);
  thread.wake();
  await until(() => wakes() === 1);
  // The thread is awake and would receive a message at once, but gets none during the transaction.
  for (let i = 0; i < 100; i++) thread.wake();
  expect(Atomics.wait(counts, WAKES, 1, 200)).toBe("timed-out");
  await until(() => wakes() === 2);
  await thread.stop();
  expect(wakes()).toBe(2);
});
