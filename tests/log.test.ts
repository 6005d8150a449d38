// docs/contract.md#12.15: repeated errors in the log.
import { expect, test } from "bun:test";
import { createSteps } from "../src/delivery/steps.ts";
import { createLog, createLogOutput, type LogLevel } from "../src/app/log.ts";

/** A log whose seconds the test advances. */
function bufferedLog(level: LogLevel = "info") {
  const lines: Record<string, unknown>[] = [];
  let due: (() => void)[] = [];
  const log = createLog(level, {
    to: { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
    schedule: (_ms, work) => void due.push(work),
  });
  const passSecond = (): void => {
    const now = due;
    due = [];
    for (const work of now) work();
  };
  return { log, lines, passSecond, resting: () => due.length };
}

const messagesOf = (lines: readonly Record<string, unknown>[]) =>
  lines.map(({ msg, repeated = 0 }) => `${String(msg)} +${Number(repeated)}`);

test("logs a repeated error at once, then once a second with the number of suppressed lines", () => {
  const { log, lines, passSecond, resting } = bufferedLog();
  const fail = (n: number) =>
    log.error({ err: new Error("disk full"), requestId: `r${n}` }, "request failed");
  for (let n = 0; n < 500; n++) fail(n);
  expect(messagesOf(lines)).toEqual(["request failed +0"]);
  passSecond();
  expect(messagesOf(lines)).toEqual(["request failed +0", "request failed +498"]);
  expect(lines.map(({ requestId }) => requestId)).toEqual(["r0", "r499"]);
  fail(500);
  passSecond();
  expect(lines.slice(2)).toMatchObject([{ requestId: "r500", err: { message: "disk full" } }]);
  passSecond();
  expect(resting()).toBe(0);
  fail(501);
  expect(lines.slice(3)).toMatchObject([{ requestId: "r501" }]);
  for (const line of lines.slice(2)) expect(line).not.toHaveProperty("repeated");
});

test("counts errors by error, chore, status and level, and all steps of deliveries together", () => {
  const { log, lines } = bufferedLog();
  const steps = createSteps(log);
  for (let n = 0; n < 3; n++) {
    log.error({ err: new Error("disk full") }, "request failed");
    log.error({ err: new Error("disk gone") }, "request failed");
    log.error({ err: Object.assign(new Error("disk gone"), { code: "EIO" }) }, "request failed");
    log.error({ status: 500, path: `/${n}` }, "request");
    log.warn({ status: 503, path: `/${n}` }, "request");
    log.error({ err: new Error("disk full"), chore: "expire jobs" }, "chore failed");
    log.error({ err: new Error("disk full"), chore: "forget links" }, "chore failed");
    for (const step of ["claim", "settle", "steady", "look"]) steps.report(step, new Error("disk full"));
    steps.report("claim", new Error("disk gone"));
    log.error("words alone");
  }
  expect(lines).toHaveLength(10);
});

test("limits distinct errors to twenty lines a second and one summary, and never limits other lines", () => {
  const { log, lines, passSecond } = bufferedLog();
  for (let n = 0; n < 300; n++) log.error({ err: new Error(`no ${n}`) }, "request failed");
  expect(lines).toHaveLength(21);
  passSecond();
  expect(lines).toHaveLength(22);
  expect(lines.at(-1)).toMatchObject({ err: { message: "no 299" }, repeated: 278 });
  for (let n = 0; n < 300; n++) log.info({ status: 201 }, "request");
  expect(lines).toHaveLength(322);
});

test("survives an error that cannot be serialized, both at once and a second later", () => {
  const { log, lines, passSecond } = bufferedLog();
  const hostile = Object.defineProperty(new Error("inside"), "message", {
    get() {
      throw new Error("inside");
    },
  });
  for (const err of [hostile, hostile, Object.create(null), Symbol("x"), 10n, () => "x"]) {
    try {
      log.error({ err }, "request failed");
    } catch {
      // Logs this message as src/http/request-log.ts does.
      log.error("the error cannot be logged");
    }
  }
  passSecond();
  expect(lines.length).toBeGreaterThan(0);
});

test("does not count lines below the log level", () => {
  const { log, lines, resting } = bufferedLog("silent");
  log.error("nothing");
  expect([lines.length, resting()]).toEqual([0, 0]);
});

/** A log output that accepts a number of bytes and then throws an error code. */
function pausedOutput() {
  let written = "";
  let fault: string | undefined;
  let room = Infinity;
  const due: (() => void)[] = [];
  const out = createLogOutput(
    (_ms, work) => void due.push(work),
    (bytes) => {
      if (fault !== undefined && room <= 0) throw Object.assign(new Error(fault), { code: fault });
      const taken = Buffer.from(bytes).subarray(0, Math.min(bytes.length, room));
      room -= taken.length;
      written += taken.toString();
      return taken.length;
    },
  );
  return {
    say: (n: number, more = "") => out.write(`{"n":${n}${more}}\n`),
    /** Accepts this many more bytes, then throws. */
    fail: (code: string, bytes = 0) => ([fault, room] = [code, bytes]),
    heal: () => ([fault, room] = [undefined, Infinity]),
    again: () => due.splice(0).forEach((work) => work()),
    lines: () => written.split("\n").slice(0, -1),
  };
}

test("continues when the log cannot be written, and later reports how many lines were lost", () => {
  for (const code of ["ENOSPC", "EPIPE", "EIO"]) {
    const { say, fail, heal, lines } = pausedOutput();
    say(1);
    fail(code);
    for (let n = 2; n <= 4; n++) say(n);
    heal();
    say(5);
    say(6);
    expect(lines()).toEqual(['{"n":1}', '{"n":5,"lost":3}', '{"n":6}']);
    // A line that was cut off counts as lost.
    fail(code, 3);
    say(7);
    heal();
    say(8);
    expect(lines().slice(3)).toEqual(['{"n', '{"n":8,"lost":1}']);
  }
});

test("keeps every line for a slow reader, in order, up to a megabyte, and reports lines lost beyond that", () => {
  const { say, fail, heal, again, lines } = pausedOutput();
  fail("EAGAIN", 11);
  for (let n = 1; n <= 3; n++) say(n);
  again();
  expect(lines()).toEqual(['{"n":1}']);
  heal();
  again();
  say(4);
  expect(lines()).toEqual(['{"n":1}', '{"n":2}', '{"n":3}', '{"n":4}']);
  fail("EAGAIN");
  const many = 3000;
  for (let n = 1; n <= many; n++) say(n, `,"words":"${"x".repeat(490)}"`);
  heal();
  again();
  say(0);
  const { lost } = JSON.parse(lines().at(-1) ?? "") as { lost: number };
  expect(lost).toBeGreaterThan(900);
  expect(lines().length - 5 + lost).toBe(many);
});

test("drops only the truncated line itself, and keeps the lines that wait after it", () => {
  const { say, fail, heal, again, lines } = pausedOutput();
  fail("EAGAIN");
  for (let n = 1; n <= 3; n++) say(n);
  fail("ENOSPC", 3);
  again();
  heal();
  say(4);
  expect(lines()).toEqual(['{"n', '{"n":4,"lost":3}']);
});
