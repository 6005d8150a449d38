// Tests docs/contract.md#12.34.
import { expect, test } from "bun:test";
import { createScheduler, type Scheduler, SMALL_BODY_BYTES } from "../../src/http/scheduler.ts";
import { createMember, openTestServer } from "../support.ts";

const aTurn = (): Promise<void> => new Promise((done) => setImmediate(done));

/**
 * Resolves after the synchronous work of a request. At this moment a network would deliver the next request.
 */
const settled = async (): Promise<void> => {
  for (let i = 0; i < 5; i++) await Promise.resolve();
};

/** Fake clocks for wall time and CPU time. `work` advances both. `stall` advances only wall time. */
function paceOf(): { pace: Scheduler; work(ms: number): void; stall(ms: number): void } {
  let [now, used] = [1000, 10];
  return {
    pace: createScheduler(
      () => now,
      () => used,
    ),
    work: (ms) => void ([now, used] = [now + ms, used + ms]),
    stall: (ms) => void (now += ms),
  };
}

/** Simulates requests that take `ms` each. Records the order in which they are served. */
function requests(ms: number) {
  const { pace, work } = paceOf();
  const served: string[] = [];
  const addRequest = async (name: string, bytes = 100, takes = ms): Promise<void> => {
    void (async () => {
      await pace.admitRequest(name.slice(0, 1), bytes);
      work(takes);
      served.push(name);
    })();
    await settled();
  };
  return { addRequest, served, pace, work };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const LARGE = SMALL_BODY_BYTES + 1;

test("simultaneous requests start within the turn's time slice, and later ones wait behind them", async () => {
  const { addRequest, served } = requests(2);
  for (const i of numbers(10)) await addRequest(`a${i}`);
  expect(served).toHaveLength(4);
  await aTurn();
  expect(served).toHaveLength(8);
  await addRequest("a10");
  await addRequest("a11");
  expect(served).toHaveLength(8);
  await aTurn();
  await aTurn();
  expect(served).toEqual(numbers(12).map((i) => `a${i}`));
});

test("a single small request does not wait, and a large one waits for one turn", async () => {
  const { addRequest, served, pace } = requests(1);
  for (const i of numbers(3)) {
    await aTurn();
    await aTurn();
    expect(pace.admitRequest("a", 100)).toBeUndefined();
    await addRequest(`a${i}`, LARGE);
    expect(served).toHaveLength(i);
    await aTurn();
    expect(served).toHaveLength(i + 1);
  }
});

test("alternates between callers: a small request runs before the second large one of another caller", async () => {
  const { addRequest, served } = requests(6);
  for (const name of ["a1", "a2", "a3"]) await addRequest(name, LARGE);
  await addRequest("b1");
  await addRequest("c1", LARGE);
  await addRequest("b2");
  for (const _ of numbers(6)) await aTurn();
  expect(served).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
});

test("starts one request per turn if each exceeds the time slice, and an immediate start uses up its turn", async () => {
  const { addRequest, served } = requests(14);
  for (const i of numbers(4)) await addRequest(`a${i}`);
  expect(served).toHaveLength(1);
  await aTurn();
  expect(served).toHaveLength(1);
  for (const turn of numbers(3)) {
    await aTurn();
    expect(served).toHaveLength(2 + turn);
  }
});

test("does not count time in which the processor has other work", async () => {
  const { pace, work, stall } = paceOf();
  for (const _ of numbers(4)) {
    expect([pace.admitRequest("a", 100), pace.isSpent()]).toEqual([undefined, false]);
    work(1);
    stall(100);
  }
  work(1);
  expect([pace.admitRequest("a", 100), pace.isSpent()]).toEqual([undefined, true]);
  work(3);
  expect(pace.admitRequest("a", 100)).toBeInstanceOf(Promise);
});

test("greedy work does not delay short requests, and continues every second turn beside long ones", async () => {
  for (const [takes, inFour] of [
    [1, 32],
    [14, 4],
  ] as const) {
    const { addRequest, served, pace, work } = requests(takes);
    let [isOver, greedy] = [false, 0];
    void (async () => {
      for (; !isOver; greedy++) {
        await pace.yieldToEvents();
        work(5);
      }
    })();
    for (const i of numbers(50)) await addRequest(`a${i}`, LARGE);
    for (const _ of numbers(4)) await aTurn();
    isOver = true;
    expect([takes, served.length]).toEqual([takes, inFour]);
    expect([takes, greedy]).toEqual([takes, takes === 1 ? 4 : 2]);
  }
});

test("on every transport, a small request runs before another caller's second large one", async () => {
  await using server = openTestServer();
  const [ada, bo, cleo] = ["ada", "bo", "cleo"].map((name) => createMember(server.core, name).token);
  const send = (token: string | undefined, path: string, body: object): Promise<Response> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    return Promise.resolve(server.handle(new Request(`${server.url}${path}`, init), () => "127.0.0.1"));
  };
  const rest = (token: string | undefined, text: string, more = "") =>
    send(token, "/v1/feed", { text, more });
  const graph = (token: string | undefined, text: string, more = "") => {
    const query = "mutation($text: String!) { createPost(input: { text: $text }) { post { id } } }";
    return send(token, "/graphql", { query, variables: { text, more } });
  };
  const large = "x".repeat(200_000);

  const answers = await Promise.all([
    rest(ada, "large 1", large),
    graph(ada, "large 2", large),
    rest(ada, "large 3", large),
    rest(bo, "small by REST"),
    graph(cleo, "small by GraphQL"),
  ]);

  expect(answers.map(({ status }) => status)).toEqual([201, 200, 201, 201, 200]);
  const posts = server.core.db.prepare<{ text: string }>("SELECT text FROM posts ORDER BY id").all();
  const order = posts.map(({ text }) => text.slice(0, 5));
  expect(order.slice(0, 3).toSorted()).toEqual(["large", "small", "small"]);
});

test("thirty queries that pause five times each, without work between, finish in twelve turns", async () => {
  const { pace } = paceOf();
  let done = 0;
  const query = async (): Promise<void> => {
    await pace.admitRequest("a", 100);
    for (const _ of numbers(5)) await pace.yieldToEvents();
    done++;
  };
  for (const _ of numbers(30)) void query();
  for (const _ of numbers(12)) await aTurn();
  expect(done).toBe(30);
});

test("a quick task beside one that uses the whole time slice continues every second turn", async () => {
  const { pace, work } = paceOf();
  let [isOver, greedy, quick] = [false, 0, 0];
  void (async () => {
    for (; !isOver; greedy++) {
      await pace.yieldToEvents();
      work(5);
    }
  })();
  void (async () => {
    for (; !isOver; quick++) await pace.yieldToEvents();
  })();
  for (const _ of numbers(20)) await aTurn();
  isOver = true;
  expect(quick).toBeGreaterThanOrEqual(9);
  expect(greedy).toBeGreaterThanOrEqual(9);
});

test("of tasks that use a whole time slice one continues per turn, with network events between", async () => {
  const { pace, work } = paceOf();
  const gone: number[] = [];
  for (const i of numbers(5))
    void pace.yieldToEvents().then(() => {
      work(5);
      gone.push(i);
    });
  for (const turn of numbers(5)) {
    await aTurn();
    expect(gone).toEqual(numbers(turn + 1));
  }
});

test("the first task of a turn gets a whole time slice, and later ones wait once it is used up", async () => {
  const { pace, work } = paceOf();
  work(60_000);
  expect(pace.isSpent()).toBe(false);
  work(5);
  expect(pace.isSpent()).toBe(true);
  await aTurn();
  expect(pace.isSpent()).toBe(false);
});
