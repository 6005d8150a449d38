import { expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import type { Claim } from "../../src/core/deliveries/deliveries.ts";
import { createAttempt } from "../../src/delivery/attempt.ts";
import { authority, type Reaction, receive } from "./receiver.ts";

const claim = (url: string, endpointId = "whe_1"): Claim => ({
  deliveryId: "dlv_1",
  eventId: "evt_1",
  endpointId,
  attempt: 1,
  firstAt: 0,
  startedAt: Date.now(),
  url,
  secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
  body: JSON.stringify({ id: "evt_1", text: "ä 🎉" }),
});

const rules = async (timeoutMs = 1000, addresses = ["127.0.0.1"]) => ({
  targets: { resolve: async () => addresses, allow: ["127.0.0.0/8", "::1"] },
  timeoutMs,
  ca: (await authority()).pem,
  userAgent: "Guildhall-Webhooks/0.0.0",
});

const answer = (status: number, headers = "", body = ""): string =>
  `HTTP/1.1 ${status} X\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;

test("any 2xx acknowledges, and nothing else does", async () => {
  const attempt = createAttempt(await rules());
  for (const status of [200, 201, 202, 204, 226, 299]) {
    await using receiver = await receive([status]);
    const outcome = await attempt(claim(`https://hooks.example.com:${receiver.port}/`));
    expect([status, outcome.status, outcome.error]).toEqual([status, status, undefined]);
  }
  for (const status of [300, 301, 302, 303, 307, 308, 400, 401, 404, 410, 418, 429, 500, 503, 599]) {
    await using receiver = await receive([answer(status, "Location: https://127.0.0.1:1/\r\n")]);
    const outcome = await attempt(claim(`https://hooks.example.com:${receiver.port}/`));
    expect([status, outcome.status]).toEqual([status, status]);
    expect(outcome.error).toContain(String(status));
    expect(receiver.received).toHaveLength(1);
  }
});

test("what a receiver can do wrong ends the attempt in time and is told in words", async () => {
  const attempt = createAttempt(await rules(700));
  const wrongs: [name: string, reaction: Reaction, error: RegExp][] = [
    ["says nothing", () => {}, /No answer within 0\.7 seconds/],
    [
      "stops in the middle of its head",
      (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Le"),
      /No answer within/,
    ],
    [
      "drips its head",
      (socket) => drip(socket, "HTTP/1.1 200 OK\r\nX-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
      /No answer within/,
    ],
    ["closes", (socket) => socket.end(), /closed the connection/],
    ["resets", (socket) => socket.destroy(), /closed the connection/],
    ["speaks nonsense", "SSH-2.0-OpenSSH_9.2\r\n\r\n", /failed|closed/],
    [
      "answers 500 and stalls",
      (socket) => socket.write("HTTP/1.1 500 X\r\nContent-Length: 10\r\n\r\nab"),
      /500/,
    ],
  ];
  await Promise.all(
    wrongs.map(async ([name, reaction, error]) => {
      await using receiver = await receive([reaction]);
      const from = performance.now();
      const outcome = await attempt(claim(`https://hooks.example.com:${receiver.port}/`, name));
      expect([name, performance.now() - from < 1700]).toEqual([name, true]);
      expect(`${name}: ${outcome.error}`).toMatch(error);
    }),
  );
});

test("a 2xx counts, whatever becomes of the body: endless, a gzip bomb, cut short, stalled", async () => {
  const attempt = createAttempt(await rules(700));
  const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
  const bodies: [name: string, reaction: Reaction][] = [
    ["endless", (socket) => flood(socket)],
    [
      "bomb",
      (socket) =>
        void (socket.write(
          `HTTP/1.1 200 X\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`,
        ),
        socket.write(bomb)),
    ],
    ["cut short", (socket) => socket.end("HTTP/1.1 200 X\r\nContent-Length: 100\r\n\r\nab")],
    ["stalled", (socket) => socket.write("HTTP/1.1 200 X\r\nContent-Length: 100\r\n\r\nab")],
  ];
  const before = process.memoryUsage.rss();
  for (const [name, reaction] of bodies) {
    await using receiver = await receive([reaction]);
    const outcome = await attempt(claim(`https://hooks.example.com:${receiver.port}/`, name));
    expect([name, outcome.status, outcome.error]).toEqual([name, 200, undefined]);
    expect((outcome.answer ?? "").length).toBeLessThanOrEqual(1024);
  }
  expect(process.memoryUsage.rss() - before).toBeLessThan(60 * 1024 * 1024);
});

test("the first KiB of the answer is kept as valid text", async () => {
  await using receiver = await receive([
    answer(500, "", "x".repeat(3000)),
    (socket) => socket.end(Buffer.from("HTTP/1.1 500 X\r\nContent-Length: 4\r\n\r\na\xff\x00b", "latin1")),
  ]);
  const attempt = createAttempt(await rules());
  expect((await attempt(claim(`https://hooks.example.com:${receiver.port}/`))).answer).toBe("x".repeat(1024));
  expect((await attempt(claim(`https://hooks.example.com:${receiver.port}/`))).answer).toBe("a\uFFFD\uFFFDb");
});

test("a certificate that is wrong in any way ends the attempt before the body is sent", async () => {
  const ca = await authority();
  const { createAuthority } = await import("./authority.ts");
  const certificates = {
    "another name": await ca.issue(["other.example.com"]),
    expired: await ca.issue(["hooks.example.com"], { expired: true }),
    "another authority": await (await createAuthority()).issue(["hooks.example.com"]),
  };
  const attempt = createAttempt(await rules());
  for (const [name, certificate] of Object.entries(certificates)) {
    await using receiver = await receive([200], certificate);
    const outcome = await attempt(claim(`https://hooks.example.com:${receiver.port}/`));
    expect(`${name}: ${outcome.error}`).toContain("certificate was refused");
    expect(receiver.received).toHaveLength(0);
  }
});

test("two names on one address share no connection: each certificate is asked for its own name", async () => {
  await using receiver = await receive([200]);
  const attempt = createAttempt(await rules());
  expect((await attempt(claim(`https://hooks.example.com:${receiver.port}/`))).error).toBeUndefined();
  expect((await attempt(claim(`https://other.example.com:${receiver.port}/`))).error).toContain(
    "certificate",
  );
  expect((await attempt(claim(`https://hooks.example.com:${receiver.port}/`))).error).toBeUndefined();
  expect(receiver.received).toHaveLength(2);
});

test("a kept connection that died meanwhile costs no attempt", async () => {
  for (const die of ["end", "destroy"] as const) {
    await using receiver = await receive([
      (socket) => {
        socket.write("HTTP/1.1 200 X\r\nContent-Length: 0\r\n\r\n");
        setTimeout(() => socket[die](), 5);
      },
      200,
    ]);
    const attempt = createAttempt(await rules());
    expect((await attempt(claim(`https://hooks.example.com:${receiver.port}/`))).error).toBeUndefined();
    await Bun.sleep(40);
    expect((await attempt(claim(`https://hooks.example.com:${receiver.port}/`))).error).toBeUndefined();
  }
});

test("the address that was checked is the address that is dialled: never a refused one, also when a name changes its meaning", async () => {
  await using receiver = await receive([200]);
  const answers = [
    ["93.184.215.14"],
    ["127.0.0.1"],
    ["10.0.0.1", "127.0.0.1"],
    ["::ffff:127.0.0.1"],
    ["169.254.169.254"],
    [],
  ];
  const attempt = createAttempt({
    ...(await rules()),
    targets: { resolve: async () => answers.shift() ?? [], allow: [] },
  });
  answers.shift();
  for (let i = 0; i < 4; i++) {
    const outcome = await attempt(claim(`https://hooks.example.com:${receiver.port}/`));
    expect(outcome.error).toContain("GUILDHALL_WEBHOOK_ALLOW");
  }
  expect((await attempt(claim(`https://hooks.example.com:${receiver.port}/`))).error).toContain(
    "does not resolve",
  );
  expect(receiver.received).toHaveLength(0);
});

test("a name that takes too long to look up ends the attempt in time", async () => {
  const attempt = createAttempt({
    ...(await rules(300)),
    targets: { resolve: () => new Promise(() => {}), allow: [] },
  });
  const outcome = await attempt(claim("https://hooks.example.com/"));
  expect(outcome.error).toContain("No answer within 0.3 seconds");
});

test("of several addresses the next is tried when one is not reached", async () => {
  await using receiver = await receive([200]);
  const attempt = createAttempt(await rules(2000, ["127.0.0.2", "127.0.0.1"]));
  expect((await attempt(claim(`https://hooks.example.com:${receiver.port}/`))).error).toBeUndefined();
});

test("the receiver learns what the contract says and nothing more", async () => {
  await using receiver = await receive([200]);
  await createAttempt(await rules())(claim(`https://hooks.example.com:${receiver.port}/path?query=1`));
  const [request] = receiver.received;
  expect(request?.head.split("\r\n")[0]).toBe("POST /path?query=1 HTTP/1.1");
  expect(Object.keys(request?.headers ?? {}).sort()).toEqual([
    "accept",
    "accept-encoding",
    "content-length",
    "content-type",
    "host",
    "user-agent",
    "webhook-id",
    "webhook-signature",
    "webhook-timestamp",
    "x-service-signature",
  ]);
  expect(request?.headers).toMatchObject({
    host: `hooks.example.com:${receiver.port}`,
    "content-type": "application/json",
    "user-agent": "Guildhall-Webhooks/0.0.0",
  });
});

function drip(socket: { write(text: string): unknown; destroyed: boolean }, text: string): void {
  let sent = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || sent >= text.length) clearInterval(timer);
    else socket.write(text[sent++] ?? "");
  }, 50);
}

function flood(socket: {
  write(text: string | Buffer): boolean;
  destroyed: boolean;
  once(event: "drain", go: () => void): unknown;
}): void {
  socket.write("HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n");
  const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
  const pour = (): void => {
    while (!socket.destroyed && socket.write(chunk));
    if (!socket.destroyed) socket.once("drain", pour);
  };
  pour();
}
