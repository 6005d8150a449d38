// docs/contract.md#V6.2, docs/contract.md#6.12, docs/contract.md#6.18 and docs/contract.md#6.20: receivers of
// webhooks.
import { beforeAll, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { type AddressInfo, createServer } from "node:net";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import type { Claim, Outcome } from "../../src/core/outbox/deliveries/deliveries.ts";
import { type Attempt, createAttempt } from "../../src/delivery/attempt.ts";
import {
  authority,
  claimTo,
  type ScriptedResponse,
  type Receiver,
  openReceiver,
  until,
  errorTextOf,
} from "./receiver.ts";
import { startScript, type Script, SCRIPTS, type ScriptedReceiver, TIMEOUT_MS } from "./receiver-scripts.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const OLD_SECRET = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
/** Upper limit of unread data in the buffers of two machines. */
const ON_THE_WAY_BYTES = 16 * 1024 * 1024;
const OK = "HTTP/1.1 200 X\r\nContent-Length: 0\r\n\r\n";

const claimOf = (port: number, change: Partial<Claim> & { name?: string; path?: string } = {}): Claim => {
  const { name = "hooks.example.com", path = "/", ...rest } = change;
  return claimTo(`https://${name}:${port}${path}`, { secrets: [SECRET], ...rest });
};

const makeAttempt = async (timeoutMs: number): Promise<Attempt> =>
  createAttempt({
    targets: { resolve: async () => ["127.0.0.1"], allow: ["127.0.0.0/8"] },
    timeoutMs,
    ca: (await authority()).pem,
    userAgent: "Guildhall-Webhooks/0.0.0",
  });

/**
 * Sends two requests. The first connection to an endpoint is closed. The second connection is kept for the
 * next request.
 */
async function warmUp(attempt: Attempt, claim: Claim, receiver: Receiver): Promise<number> {
  for (let i = 0; i < 2; i++) expect(errorTextOf(await attempt(claim))).toBeUndefined();
  return receiver.received.at(-1)?.connection ?? 0;
}

describe("a receiver that", () => {
  interface Played {
    outcome: Outcome;
    lastedMs: number;
    stage: ScriptedReceiver;
    isFreed: boolean;
  }
  const played = new Map<Script, Played>();
  let normal: Outcome;
  let grownBytes = 0;

  beforeAll(async () => {
    const attempt = await makeAttempt(TIMEOUT_MS);
    await using healthy = await openReceiver();
    const stages = await Promise.all(SCRIPTS.map(startScript));
    Bun.gc(true);
    const before = process.memoryUsage.rss();
    await Promise.all(
      SCRIPTS.map(async (script, at) => {
        const stage = stages[at] as ScriptedReceiver;
        // Starts the scripts 4 ms apart. A hundred simultaneous handshakes would use up the time limit of the
        // last scripts.
        await Bun.sleep(4 * at);
        const from = performance.now();
        const outcome = await attempt(claimOf(stage.port, { endpointId: `whe_${at}` }));
        const lastedMs = performance.now() - from;
        const isFreed = await until(() => stage.open() === 0).then(
          () => true,
          () => false,
        );
        played.set(script, { outcome, lastedMs, stage, isFreed });
      }),
    );
    normal = await attempt(claimOf(healthy.port, { endpointId: "whe_normal" }));
    Bun.gc(true);
    grownBytes = process.memoryUsage.rss() - before;
    for (const stage of stages) await stage[Symbol.asyncDispose]();
  }, 240_000);

  test.each(SCRIPTS.map((script) => [script.name, script] as const))("%s", (_, script) => {
    const { outcome, lastedMs, stage, isFreed } = played.get(script) as Played;
    const { status } = outcome;
    const error = errorTextOf(outcome) ?? "";
    if ("error" in script.outcome) {
      expect(error).toMatch(script.outcome.error);
      expect([status, outcome.answer]).toEqual([undefined, undefined]);
    } else if ("acknowledged" in script.outcome) {
      expect([status, errorTextOf(outcome)]).toEqual([script.outcome.acknowledged, undefined]);
    } else {
      expect(status).toBe(script.outcome.refused);
      expect(error).toStartWith(`The receiver responded with status ${status}`);
    }
    if (typeof script.answer === "string") expect(outcome.answer).toBe(script.answer);
    else if (script.answer) expect(outcome.answer).toMatch(script.answer);
    expect((outcome.answer ?? "").length).toBeLessThanOrEqual(1024);
    expect((outcome.answer ?? "").isWellFormed()).toBe(true);
    // One time limit covers both the status line and the body.
    expect(lastedMs).toBeLessThan(2 * TIMEOUT_MS);
    expect(isFreed).toBe(true);
    // The attempt reads at most 16 KiB. The buffers hold the rest.
    expect(stage.sent()).toBeLessThan(ON_THE_WAY_BYTES);
    // One request, or none if the receiver's certificate is invalid.
    expect(stage.requests()).toBe(script.on === "tls" && !script.certificate ? 1 : 0);
  });

  test("misbehaves does not slow down the next delivery: after more than a hundred, memory has not grown", () => {
    expect(SCRIPTS.length).toBeGreaterThan(100);
    expect(new Set(SCRIPTS.map(({ name }) => name)).size).toBe(SCRIPTS.length);
    expect(normal).toMatchObject({ status: 204, failure: undefined });
    expect(normal.durationMs).toBeLessThan(TIMEOUT_MS / 2);
    expect(grownBytes).toBeLessThan(64 * 1024 * 1024);
  });
});

test("of all statuses with three digits, only 200 to 299 acknowledge", async () => {
  await using receiver = await openReceiver([
    (socket, { head }) => socket.end(`HTTP/1.1 ${/\/(\d+) /.exec(head)?.[1]} X\r\nContent-Length: 0\r\n\r\n`),
  ]);
  const attempt = await makeAttempt(10_000);
  const statuses = Array.from({ length: 1000 }, (_, at) => String(at).padStart(3, "0"))
    // A 1xx response is not final.
    .filter((status) => !status.startsWith("1"));
  const acknowledged: string[] = [];
  const silent: string[] = [];
  for (let at = 0; at < statuses.length; at += 50) {
    await Promise.all(
      statuses.slice(at, at + 50).map(async (status) => {
        const outcome = await attempt(claimOf(receiver.port, { endpointId: status, path: `/${status}` }));
        if (errorTextOf(outcome) === undefined) acknowledged.push(status);
        else if (!errorTextOf(outcome)?.includes(String(Number(status)))) silent.push(status);
      }),
    );
  }
  expect(receiver.received).toHaveLength(900);
  expect(acknowledged.sort()).toEqual(Array.from({ length: 100 }, (_, at) => String(200 + at)));
  expect(silent).toEqual([]);
});

describe("a kept connection", () => {
  const TIME_MS = 8_000;

  test("is used again by the next event", async () => {
    await using receiver = await openReceiver([200]);
    const attempt = await makeAttempt(TIME_MS);
    const kept = await warmUp(attempt, claimOf(receiver.port), receiver);
    await attempt(claimOf(receiver.port));
    expect(receiver.received.map(({ connection }) => connection === kept)).toEqual([false, true, true]);
  });

  const deaths: [name: string, die: ScriptedResponse, isAsked: boolean][] = [
    ["is closed at the next request", (socket) => void socket.end(), true],
    ["is reset at the next request", (socket) => socket.resetAndDestroy(), true],
    [
      "is closed while nothing happens",
      (socket) => (socket.write(OK), void setTimeout(() => socket.end(), 5)),
      false,
    ],
    [
      "is reset while nothing happens",
      (socket) => (socket.write(OK), void setTimeout(() => socket.resetAndDestroy(), 5)),
      false,
    ],
  ];
  test.concurrent.each(deaths)(
    "that %s costs the event no attempt and no timeout",
    async (_, die, isAsked) => {
      await using receiver = await openReceiver(isAsked ? [200, 200, die, 200] : [200, die, 200]);
      const attempt = await makeAttempt(TIME_MS);
      const kept = await warmUp(attempt, claimOf(receiver.port), receiver);
      if (!isAsked) await until(() => receiver.open() === 0);
      const outcome = await attempt(claimOf(receiver.port));
      expect(outcome).toMatchObject({ status: 200, failure: undefined });
      expect(outcome.durationMs).toBeLessThan(TIME_MS / 2);
      const last = receiver.received.slice(2).map(({ connection }) => connection === kept);
      expect(last).toEqual(isAsked ? [true, false] : [false]);
      // The dead connection is closed, and the next event is delivered once.
      await until(() => receiver.open() === (isAsked ? 0 : 1));
      expect(errorTextOf(await attempt(claimOf(receiver.port)))).toBeUndefined();
      expect(receiver.received).toHaveLength(isAsked ? 5 : 4);
    },
  );

  test.concurrent("that is slow once still counts, and the event is sent once", async () => {
    await using receiver = await openReceiver([
      200,
      200,
      // This response is too slow to count as quick.
      (socket) => void setTimeout(() => socket.write(OK), TIME_MS / 4),
    ]);
    const attempt = await makeAttempt(TIME_MS);
    await warmUp(attempt, claimOf(receiver.port), receiver);
    const outcome = await attempt(claimOf(receiver.port));
    expect(outcome).toMatchObject({ status: 200, failure: undefined });
    expect(outcome.durationMs).toBeGreaterThan(0.24 * TIME_MS);
    expect(receiver.received).toHaveLength(3);
  });

  test.concurrent(
    "that is silent uses up the time of its attempt, is closed, and nothing is sent twice",
    async () => {
      await using receiver = await openReceiver([200, 200, () => {}, 200]);
      const attempt = await makeAttempt(2000);
      const kept = await warmUp(attempt, claimOf(receiver.port), receiver);
      expect(errorTextOf(await attempt(claimOf(receiver.port)))).toContain(
        "The receiver did not respond within 2 seconds",
      );
      expect(receiver.received).toHaveLength(3);
      await until(() => receiver.open() === 0);
      // The next attempt of the schedule opens a new connection.
      expect(errorTextOf(await attempt(claimOf(receiver.port)))).toBeUndefined();
      expect(receiver.received.map(({ connection }) => connection === kept)).toEqual([
        false,
        true,
        true,
        false,
      ]);
    },
  );

  test.concurrent("is kept for a receiver that is always slow, which gets every event once", async () => {
    await using receiver = await openReceiver([(socket) => void setTimeout(() => socket.write(OK), 600)]);
    const attempt = await makeAttempt(2000);
    for (let i = 0; i < 3; i++) expect(errorTextOf(await attempt(claimOf(receiver.port)))).toBeUndefined();
    expect(receiver.received).toHaveLength(3);
  });
});

test.concurrent(
  "the end of the headers decides: an attempt in time acknowledges even if the body is late",
  async () => {
    const attempt = await makeAttempt(2000);
    const later = (ms: number, text: string): ScriptedResponse => {
      return (socket) => void setTimeout(() => socket.write(text), ms);
    };
    const receivers: [name: string, reaction: ScriptedResponse, isAcknowledged: boolean][] = [
      ["all after half of the time", later(1000, OK), true],
      [
        "head after half of the time, body never",
        later(1000, "HTTP/1.1 200 X\r\nContent-Length: 9\r\n\r\n"),
        true,
      ],
      ["all after 150 % of the time", later(3000, OK), false],
      [
        "status line at once, the rest of the head after 150 % of the time",
        (socket) => {
          socket.write("HTTP/1.1 200 X\r\n");
          setTimeout(() => socket.write("Content-Length: 0\r\n\r\n"), 7000);
        },
        false,
      ],
    ];
    await Promise.all(
      receivers.map(async ([name, reaction, isAcknowledged]) => {
        await using receiver = await openReceiver([reaction]);
        const outcome = await attempt(claimOf(receiver.port, { endpointId: name }));
        expect([name, errorTextOf(outcome)]).toEqual([
          name,
          isAcknowledged ? undefined : "The receiver did not respond within 2 seconds.",
        ]);
        // The duration ends with the response headers. Timers may fire slightly early.
        if (isAcknowledged) expect(outcome.durationMs).toBeWithin(950, 2000);
        else expect(outcome.durationMs).toBeGreaterThan(1950);
      }),
    );
  },
);

/** A port that must not be contacted, with a count of its connections. */
async function trap(): Promise<{ port: number; visits(): number } & AsyncDisposable> {
  let visits = 0;
  const server = createServer((socket) => {
    visits++;
    socket.on("error", () => {});
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    visits: () => visits,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function withEnvironment(set: Record<string, string>, work: () => Promise<void>): Promise<void> {
  const before = Object.keys(set).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, set);
  try {
    await work();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

test("no answer leads elsewhere: neither redirects nor Refresh, Alt-Svc, Link or Content-Location, even for the next event", async () => {
  await using elsewhere = await trap();
  const there = `https://127.0.0.1:${elsewhere.port}/`;
  const leads = [
    `Location: ${there}`,
    `Refresh: 0; url=${there}`,
    `Alt-Svc: h2="127.0.0.1:${elsewhere.port}"; ma=86400, h3=":${elsewhere.port}", http/1.1=":${elsewhere.port}"`,
    `Link: <${there}>; rel=alternate`,
    `Content-Location: ${there}`,
  ].join("\r\n");
  const statuses = [200, 201, 300, 301, 302, 303, 304, 305, 307, 308, 401, 421, 503];
  const lead = (status: number): string => `HTTP/1.1 ${status} X\r\n${leads}\r\nContent-Length: 0\r\n\r\n`;
  await using receiver = await openReceiver([
    (socket, { head }) => socket.write(lead(Number(/\/(\d+) /.exec(head)?.[1]))),
  ]);
  const attempt = await makeAttempt(10_000);
  for (const status of statuses) {
    for (let i = 0; i < 3; i++) {
      const outcome = await attempt(claimOf(receiver.port, { endpointId: `${status}`, path: `/${status}` }));
      expect(outcome.status).toBe(status);
    }
  }
  expect(receiver.received).toHaveLength(3 * statuses.length);
  expect(elsewhere.visits()).toBe(0);
});

test("no environment variable makes a bad certificate valid", async () => {
  const { createAuthority } = await import("./authority.ts");
  const stranger = await (await createAuthority("CN=Somebody else")).issue(["hooks.example.com"]);
  await using receiver = await openReceiver([200], stranger);
  const attempt = await makeAttempt(10_000);
  await withEnvironment({ NODE_TLS_REJECT_UNAUTHORIZED: "0" }, async () => {
    // A plain `fetch` accepts the bad certificate with this variable.
    const careless = await fetch(`https://127.0.0.1:${receiver.port}/`, { method: "POST", body: "x" });
    expect(careless.status).toBe(200);
    const outcome = await attempt(claimOf(receiver.port));
    expect(errorTextOf(outcome)).toContain("The receiver's certificate comes from an untrusted authority");
  });
  expect(receiver.received).toHaveLength(1);
});

test("ignores the proxies of the environment", async () => {
  await using proxy = await trap();
  await using receiver = await openReceiver([200]);
  const attempt = await makeAttempt(10_000);
  const names = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];
  const address = `http://127.0.0.1:${proxy.port}`;
  await withEnvironment(Object.fromEntries(names.map((name) => [name, address])), async () => {
    await expect(fetch(`https://127.0.0.1:${receiver.port}/`)).rejects.toThrow();
    expect(proxy.visits()).toBe(1);
    for (let i = 0; i < 3; i++) expect((await attempt(claimOf(receiver.port))).status).toBe(200);
  });
  expect(proxy.visits()).toBe(1);
  expect(receiver.received).toHaveLength(3);
});

describe("two endpoints on one address", () => {
  test("do not share a TLS identity: a kept connection does not bypass the other name's certificate", async () => {
    await using receiver = await openReceiver([200]);
    const attempt = await makeAttempt(10_000);
    const mine = claimOf(receiver.port);
    const other = claimOf(receiver.port, { name: "other.example.com", endpointId: "whe_2" });
    await warmUp(attempt, mine, receiver);
    for (let i = 0; i < 3; i++) {
      expect(errorTextOf(await attempt(other))).toContain("was issued for another host name");
      expect(errorTextOf(await attempt(mine))).toBeUndefined();
    }
    // The attempt also fails if the endpoint's own URL changes to a name that the certificate does not cover.
    expect(errorTextOf(await attempt({ ...other, endpointId: mine.endpointId }))).toContain(
      "for another host name",
    );
    expect(receiver.received.every(({ serverName }) => serverName === "hooks.example.com")).toBe(true);
    expect(receiver.received).toHaveLength(5);
  });

  test("do not share a connection, even with a certificate that covers both names", async () => {
    const names = ["one.example.com", "two.example.com"];
    await using receiver = await openReceiver([200], await (await authority()).issue(names));
    const attempt = await makeAttempt(10_000);
    for (let i = 0; i < 8; i++) {
      const name = names[i % 2] ?? "";
      expect(errorTextOf(await attempt(claimOf(receiver.port, { name, endpointId: name })))).toBeUndefined();
    }
    const seen = new Map<number, Set<string>>();
    for (const { connection, serverName, headers } of receiver.received) {
      expect(headers["host"]).toBe(`${serverName}:${receiver.port}`);
      seen.set(connection, (seen.get(connection) ?? new Set()).add(String(serverName)));
    }
    expect([...seen.values()].every((set) => set.size === 1)).toBe(true);
    // The receiver saw fewer than eight connections. Some were reused, so the two names could have shared a
    // connection.
    expect(seen.size).toBeLessThan(8);
  });

  test("do not share a response: extra bytes are not read as the next response", async () => {
    const twice: ScriptedResponse = (socket, { headers }) => {
      const body = headers["webhook-id"] ?? "";
      socket.write(`HTTP/1.1 500 X\r\nContent-Length: ${body.length}\r\n\r\n${body}${OK}`);
    };
    const later: ScriptedResponse = (socket, { headers }) => {
      const body = headers["webhook-id"] ?? "";
      socket.write(`HTTP/1.1 500 X\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      setTimeout(() => socket.write(OK), 3);
    };
    for (const reaction of [twice, later]) {
      await using receiver = await openReceiver([reaction]);
      const attempt = await makeAttempt(10_000);
      for (let i = 0; i < 9; i++) {
        const endpointId = `whe_${i % 3}`;
        const outcome = await attempt(claimOf(receiver.port, { endpointId, eventId: `evt_${i}` }));
        expect(outcome).toMatchObject({ status: 500, answer: `evt_${i}` });
        // Extra data after a response closes the connection. It is never taken for the next response.
        if (reaction === later) await until(() => receiver.open() === 0);
      }
    }
  });

  test("do not share cookies, and neither receives its own", async () => {
    await using receiver = await openReceiver([
      (socket) =>
        socket.write(
          "HTTP/1.1 200 X\r\nSet-Cookie: a=1; Path=/; Max-Age=9999\r\nSet-Cookie: b=2; Secure\r\nContent-Length: 0\r\n\r\n",
        ),
    ]);
    const attempt = await makeAttempt(10_000);
    for (let i = 0; i < 6; i++) await attempt(claimOf(receiver.port, { endpointId: `whe_${i % 2}` }));
    expect(receiver.received).toHaveLength(6);
    expect(receiver.received.filter(({ headers }) => "cookie" in headers)).toEqual([]);
  });
});

test("sends exactly these bytes", async () => {
  await using receiver = await openReceiver([200]);
  const attempt = await makeAttempt(10_000);
  const body = '{"id":"evt_1","text":"ä 🎉"}';
  const startedAt = Date.parse("2026-11-20T12:00:00.987Z");
  const claim = claimOf(receiver.port, {
    path: "/a%20b/ä?q=1&r=%2F#part",
    body,
    startedAt,
    secrets: [SECRET, OLD_SECRET],
  });
  for (let i = 0; i < 3; i++) await attempt(claim);
  // Both signatures were computed with Python's hmac.
  const golden = (...connection: string[]): string =>
    [
      "POST /a%20b/%C3%A4?q=1&r=%2F HTTP/1.1",
      "Accept: */*",
      "Accept-Encoding: identity",
      "Content-Type: application/json",
      `Host: hooks.example.com:${receiver.port}`,
      "User-Agent: Guildhall-Webhooks/0.0.0",
      "webhook-id: evt_1",
      "webhook-signature: v1,T50hOH6hPm2PbX97ItqXbRAeTT9ohwPvXCx/4buuS2E= v1,T/9ObsFDlsS3RBq0Fp/HwNFdL38B5Z1AQATsBtAEe7Q=",
      "webhook-timestamp: 1795176000",
      "x-service-signature: t=1795176000,v1=af48a7b815dd72d41da01351c9f3dea65fad1efd109aa8c458cb776e4256040c,v1=e1b5f84c7d990df42a63ef958962e4b2b4322688e9a20ee9bd895cefccfd1b55",
      ...connection,
      "Content-Length: 31",
      "",
      body,
    ].join("\r\n");
  const [first, ...kept] = receiver.received.map(({ bytes }) => bytes.toString());
  expect(first).toBe(golden());
  for (const request of kept) expect(request).toBe(golden("Connection: keep-alive"));
});

test("a thousand bodies arrive byte for byte, and verify by hand and by a library with either rotation secret", async () => {
  await using receiver = await openReceiver([200]);
  const attempt = await makeAttempt(10_000);
  const bodies = fc.sample(
    fc.oneof(
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc.string({ unit: "grapheme", maxLength: 300 }),
      fc.string({ unit: "binary", maxLength: 300 }).filter((text) => text.isWellFormed()),
    ),
    { numRuns: 1000, seed: 7 },
  );
  const from = Math.floor(Date.now() / 1000);
  for (let at = 0; at < bodies.length; at += 20) {
    await Promise.all(
      bodies.slice(at, at + 20).map(async (body, index) => {
        const claim = claimOf(receiver.port, {
          endpointId: `whe_${index}`,
          eventId: `evt_${at + index}`,
          body,
          secrets: [SECRET, OLD_SECRET],
        });
        expect(errorTextOf(await attempt(claim))).toBeUndefined();
      }),
    );
  }
  const to = Math.ceil(Date.now() / 1000);
  const arrived = new Map(receiver.received.map((request) => [request.headers["webhook-id"], request]));
  expect([receiver.received.length, arrived.size]).toEqual([1000, 1000]);
  for (const [at, body] of bodies.entries()) {
    const { bytes, headers = {} } = arrived.get(`evt_${at}`) ?? {};
    const raw = bytes?.subarray(bytes.indexOf("\r\n\r\n") + 4) ?? Buffer.alloc(0);
    expect(raw.equals(Buffer.from(body))).toBe(true);
    const seconds = Number(headers["webhook-timestamp"]);
    expect(seconds).toBeWithin(from, to + 1);
    const byHand = [SECRET, OLD_SECRET].map(
      (secret) => `v1=${createHmac("sha256", Buffer.from(secret, "utf8")).update(raw).digest("hex")}`,
    );
    expect(headers["x-service-signature"]).toBe(`t=${seconds},${byHand.join(",")}`);
    for (const secret of [SECRET, OLD_SECRET]) {
      new Webhook(secret).verify(raw.toString(), headers, { jsonParse: false });
    }
  }
});

test("a later attempt sends the same event and bytes with a new time and signature", async () => {
  await using receiver = await openReceiver([503, 200]);
  const attempt = await makeAttempt(10_000);
  const now = Date.now();
  await attempt(claimOf(receiver.port, { attempt: 1, startedAt: now - 30_000 }));
  await attempt(claimOf(receiver.port, { attempt: 2, startedAt: now }));
  const [first, second] = receiver.received;
  expect(second?.body).toBe(first?.body ?? "");
  expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"] ?? "");
  expect(Number(second?.headers["webhook-timestamp"]) - Number(first?.headers["webhook-timestamp"])).toBe(30);
  expect(second?.headers["x-service-signature"]).not.toBe(first?.headers["x-service-signature"] ?? "");
  for (const { body, headers } of receiver.received) new Webhook(SECRET).verify(body, headers);
});
