import { expect, test } from "bun:test";
import pino from "pino";
import { readConfig } from "../../src/config/config.ts";
import { createMetrics } from "../../src/http/metrics.ts";
import type { Transport } from "../../src/http/transport.ts";
import { createHandler } from "../../src/http/preflight.ts";
import { restTransport } from "../../src/rest/app.ts";
import { createTestWorld, createMember, openTestServer } from "../support.ts";
import { expectRefusal } from "./raw.ts";

/**
 * Values that a bug or a library may throw. Their `status` and `code` must be ignored (docs/threats.md#B11).
 */
function oddValues(): unknown[] {
  const circular: Record<string, unknown> = { status: 404 };
  circular["self"] = circular;
  const hostile = Object.defineProperty(new Error("inside"), "message", {
    get() {
      throw new Error("inside");
    },
  });
  const lookalike = {
    name: "CoreError",
    code: "not_found",
    message: "inside",
    details: [{ path: "inside", message: "x" }],
  };
  return [
    null,
    undefined,
    0,
    "inside",
    "",
    Symbol("inside"),
    10n,
    Number.NaN,
    () => "inside",
    [],
    {},
    { status: 204 },
    { status: 200, body: "inside" },
    circular,
    hostile,
    lookalike,
    new Response("inside", { status: 201 }),
    new Error("inside", { cause: circular }),
    Object.assign(new Error("inside"), { status: 404, statusCode: 302, code: "NOT_FOUND" }),
    new AggregateError([null], "inside"),
    new DOMException("inside", "AbortError"),
    Object.create(null),
  ];
}

test("any exception, at once or later, is a 500 that reveals nothing internal", async () => {
  using world = createTestWorld();
  const log = pino({ level: "silent" });
  let thrown: unknown;
  const transports: Transport[] = [
    {
      prefix: "/now",
      transportName: "ops",
      isCounted: true,
      handle: () => {
        throw thrown;
      },
    },
    { prefix: "/later", transportName: "ops", isCounted: true, handle: () => Promise.reject(thrown) },
  ];
  const loud = pino({ level: "debug" }, { write() {} });
  for (const logger of [log, loud]) {
    const handle = createHandler(world.core, transports, readConfig({}), logger, createMetrics());
    for (thrown of oddValues()) {
      for (const path of ["/now", "/later"]) {
        const answer = await handle(new Request(`http://guild.test${path}`), () => "203.0.113.1");
        expect(await expectRefusal(answer, 500)).not.toContain("inside");
        world.clock.pass(1000);
      }
    }
  }
});

test("a core call that throws is a 500 of the contract, on reads and on writes", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  await server.request(token, "/profiles/me");
  const { db, makeId } = server.core;
  for (const thrown of oddValues()) {
    const fail = (): never => {
      throw thrown;
    };
    Object.assign(server.core, { db: { ...db, prepare: fail }, makeId: fail });
    for (const path of ["/feed", "/jobs/job_1", "/webhooks"])
      await expectRefusal(await server.request(token, path), 500);
    const written = await server.request(token, "/feed", { method: "POST", body: { text: "a" } });
    expect(await expectRefusal(written, 500)).not.toContain("inside");
    Object.assign(server.core, { db, makeId });
  }
  expect((await server.request(token, "/feed", { method: "POST", body: { text: "a" } })).status).toBe(201);
});

test("a refused request costs less than a tenth of a served read", async () => {
  using world = createTestWorld();
  const { token } = createMember(world.core, "ada");
  const log = pino({ level: "info" }, { write() {} });
  const handle = createHandler(
    world.core,
    [restTransport(world.core, "0")],
    readConfig({}),
    log,
    createMetrics(),
  );
  const ask = (authorization?: string) =>
    handle(
      new Request("http://guild.test/v1/feed?limit=100", authorization ? { headers: { authorization } } : {}),
      () => "203.0.113.1",
    );
  for (let i = 0; i < 100; i++) {
    const body = JSON.stringify({
      text: "A post of ordinary length, such as people write. ".repeat(8),
      tags: ["rust", "go"],
    });
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    await handle(
      new Request("http://guild.test/v1/feed", { method: "POST", headers, body }),
      () => "203.0.113.1",
    );
  }
  while ((await ask()).status !== 429);
  // Measures CPU time, because the machine may be busy.
  const cost = async (status: number, authorization?: string): Promise<number> => {
    Bun.gc(true);
    const before = process.cpuUsage();
    for (let i = 0; i < 100; i++) expect((await ask(authorization)).status).toBe(status);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const rounds: number[] = [];
  // The first rounds include JIT compilation.
  while (rounds.length < 40 && !(Math.min(...rounds) < 0.1))
    rounds.push((await cost(429)) / (await cost(200, `Bearer ${token}`)));
  expect(Math.min(...rounds)).toBeLessThan(0.1);
});
