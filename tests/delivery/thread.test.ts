import { expect, test } from "bun:test";
import pino from "pino";
import { startThread } from "../../src/delivery/thread.ts";
import type { MortalSetup } from "./mortal-thread.ts";
import { until } from "./receiver.ts";

const SCRIPT = new URL("./mortal-thread.ts", import.meta.url);

function begin(deaths: MortalSetup["deaths"]) {
  const counts = new SharedArrayBuffer(8);
  const logged: { msg: string; reason: string }[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const thread = startThread<MortalSetup>(SCRIPT, { counts, deaths }, log);
  const count = (index: number) => () => Atomics.load(new Int32Array(counts), index);
  return { thread, logged, lives: count(0), wakes: count(1) };
}

test("a delivery thread that dies is told, counted as a fault, and begins again", async () => {
  const { thread, logged, lives } = begin(["throw", "reject", "exit"]);
  for (let life = 1; life <= 3; life++) {
    await until(() => lives() === life && thread.health().running === 3);
    thread.wake();
    await until(() => logged.length === life);
    expect(logged[life - 1]?.msg).toBe("the delivery thread died; it begins again");
    expect(thread.health()).toMatchObject({ running: 0, faults: 3 * life });
  }
  expect(logged[0]?.reason).toContain("the thread throws");
  expect(logged[1]?.reason).toContain("the thread rejects");
  await until(() => lives() === 4 && thread.health().running === 3);
  expect(thread.health().faults).toBe(11);
  await thread.stop();
  expect(logged).toHaveLength(3);
});

test("a stop does not wait for a delivery thread that is dead", async () => {
  const { thread, logged, lives } = begin(["throw"]);
  await until(() => lives() === 1);
  thread.wake();
  await until(() => logged.length === 1);
  await thread.stop();
  expect(lives()).toBe(1);
});

test("of many wakes in one transaction the thread hears one, after it", async () => {
  const { thread, lives, wakes } = begin([]);
  await until(() => lives() === 1);
  for (let i = 0; i < 100; i++) thread.wake();
  // As long as the transaction runs, nothing else on this thread does.
  Bun.sleepSync(50);
  expect(wakes()).toBe(0);
  await until(() => wakes() === 1);
  await thread.stop();
  expect(wakes()).toBe(1);
});
