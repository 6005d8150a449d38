import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { createPost } from "../../src/core/community/feed/feed.ts";
import type { Core } from "../../src/core/base/core.ts";
import { seededBytes } from "../../src/demo/seeded-bytes.ts";
import { until } from "../delivery/receiver.ts";
import { sized } from "../drill.ts";
import { createMember, openTestServer } from "../support.ts";
import {
  by,
  countOf,
  errorsIn,
  expectErrorBody,
  head,
  open,
  postRequestText,
  readAnswers,
  exchange,
} from "./raw.ts";

const SECOND = 1000;
/** Interval between two bytes of a slow client, and the time after which the server disconnects it. */
const BEAT_MS = sized(150, SECOND);
const CUT_SECONDS = sized(20, 60);
const FEED = "GET /v1/feed HTTP/1.1";
const POST = "POST /v1/feed HTTP/1.1";

test("closes slow and silent clients within 60 s, accepts an honest slow upload, and stays fast for others", async () => {
  // The suite runs seven times faster. `bun run drill clients` uses the real limit.
  await using server = openTestServer({ idleSeconds: sized<number | undefined>(8, undefined) });
  const { token } = createMember(server.core, "ada");
  const started = head(FEED, by(token)).slice(0, -2);
  const slow: [name: string, first: string, drop: string][] = [
    ["a letter of the request line each second", "G", "E"],
    ["a letter of a header each second", `${started}X-A: `, "a"],
    ["a header each second", started, "X-A: b\r\n"],
    ["half the headers, then nothing", started, ""],
    ["a letter of a body each second", head(POST, { ...by(token), "Content-Length": 200 }), " "],
    [
      "a chunk of a letter each second",
      head(POST, { ...by(token), "Transfer-Encoding": "chunked" }),
      "1\r\n \r\n",
    ],
    ["half a body, then nothing", `${head(POST, { ...by(token), "Content-Length": 200 })}{`, ""],
  ];
  const silent = Array.from({ length: 500 }, (): [string, string, string] => ["nothing at all", "", ""]);
  const text = "o".repeat(1000);
  const body = JSON.stringify({ text, ignored: "x".repeat(19 * 1024) });

  const all = { over: false };
  const cuts = Promise.all(
    [...slow, ...silent].map(([, first, drop]) => secondsUntilCut(server.url, first, drop)),
  );
  const honest = upload(server.url, head(POST, { ...by(token), "Content-Length": body.length }), body);
  const usual = medianAnswer(() => server.request(token, "/feed"), all);
  const [seconds, answer] = await Promise.all([cuts, honest]);
  all.over = true;

  for (const [i, [name]] of [...slow, ...silent].entries())
    expect(seconds[i], name).toBeLessThan(CUT_SECONDS);
  expect(answer.status).toBe(201);
  expect(JSON.parse(answer.body).text).toBe(text);
  expect(await usual).toBeLessThan(SECOND);
  expect(countOf(server.core, "posts")).toBe(1);
  expect(errorsIn(server.logged)).toEqual([]);
}, 120_000);

test("rejects an over-long body with 400 before reading all of it, by its length and in endless chunks", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const KIB = 1024;
  const piece = " ".repeat(16 * KIB);
  const chunk = `${piece.length.toString(16)}\r\n${piece}\r\n`;
  const chunked = head(POST, { ...by(token), "Transfer-Encoding": "chunked" });
  const ofLength = (length: number): string => head(POST, { ...by(token), "Content-Length": length });
  const uploads = [ofLength(3_000_000), ofLength(300_000_000), chunked, chunked.replace("guild.test", "x")];
  for (const [i, first] of uploads.entries()) {
    const { answer, sent } = await floodUntilAnswered(server.url, first, i < 2 ? piece : chunk);
    expect(answer.status).toBe(400);
    expectErrorBody(400, answer.body);
    expect(answer.body).toContain("256 KiB");
    expect(answer.headers.get("x-request-id")).toBeString();
    expect(sent).toBeLessThan(768 * KIB);
  }
  const fits = JSON.stringify({ text: "fits", ignored: "x".repeat(255 * KIB) });
  expect((await exchange(server.url, ofLength(fits.length) + fits)).answers[0]?.status).toBe(201);
  const [one] = (await exchange(server.url, ofLength(fits.length + 2 * KIB) + fits + " ".repeat(2 * KIB)))
    .answers;
  expect(one?.status).toBe(400);
  expect(countOf(server.core, "posts")).toBe(1);
});

test("a thousand clients that disconnect at any point leave no partial write, error or memory behind", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const dice = seededBytes(9);
  const random = (below: number): number => new DataView(dice.bytes(4).buffer).getUint32(0) % below;
  const chunked = `${head(POST, { ...by(token), "Transfer-Encoding": "chunked" })}10\r\n{"text": "chunks\r\n5\r\n abc"\r\n1\r\n}\r\n0\r\n\r\n`;
  const requests = [head(FEED, by(token)), postRequestText(token, "aborted\n\n".repeat(90)), chunked];
  const leave = async (): Promise<void> => {
    const request = requests[random(requests.length)] ?? "";
    const socket = open(server.url);
    // A third of the clients send a complete request and disconnect before, during or after the response.
    const sent = random(3) === 0 ? request : request.slice(0, random(request.length));
    const staysMs = random(6);
    await new Promise((resolve) => socket.once("connect", resolve));
    socket.write(sent);
    await Bun.sleep(staysMs);
    socket.destroy();
  };
  const round = async (): Promise<void> => {
    await Promise.all(Array.from({ length: 50 }, leave));
  };
  for (let i = 0; i < 4; i++) await round();
  await settled(server.core);
  const before = footprint();
  for (let i = 0; i < 20; i++) await round();
  await settled(server.core);
  await until(() => footprint().files - before.files < 10);

  expect(footprint().mib - before.mib).toBeLessThan(20);
  expect(errorsIn(server.logged)).toEqual([]);
  const posts = countOf(server.core, "posts");
  expect(posts).toBeGreaterThan(50);
  expect(countOf(server.core, "events")).toBe(posts);
  const broken = server.core.db.prepare("SELECT id FROM posts WHERE text NOT IN (?, 'chunks abc')");
  expect(broken.all("aborted\n\n".repeat(90))).toEqual([]);
  expect((await server.request(token, "/feed")).status).toBe(200);
});

test("a hundred clients that do not read a long response delay nobody and use bounded memory", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  for (let i = 0; i < 100; i++) createPost(server.core, caller, { text: "🦀".repeat(2000) });
  const path = "/feed?limit=100";
  const bytes = Buffer.byteLength(await (await server.request(token, path)).text());
  expect(bytes).toBeGreaterThan(800_000);
  const before = footprint();
  const readers = Array.from({ length: 100 }, () => {
    const socket = open(server.url);
    socket.write(head("GET /v1/feed?limit=100 HTTP/1.1", by(token)));
    return socket;
  });
  // Each client reads one byte. The rest of the response waits in the server and in network buffers.
  await Promise.all(
    readers.map(
      (socket) => new Promise<void>((resolve) => socket.once("data", () => (socket.pause(), resolve()))),
    ),
  );
  const all = { over: false };
  const usual = medianAnswer(() => server.request(token, "/feed?limit=1"), all);
  await Bun.sleep(2 * SECOND);
  all.over = true;
  expect(await usual).toBeLessThan(SECOND);
  Bun.gc(true);
  expect((footprint().mib - before.mib) * 1024 * 1024).toBeLessThan(2 * 100 * bytes);
  for (const socket of readers) socket.destroy();
  await until(() => footprint().files - before.files < 10);
  expect(errorsIn(server.logged)).toEqual([]);
});

/**
 * Sends `drop` once per beat, or nothing, until the server closes the connection. Returns the number of
 * seconds until then.
 */
function secondsUntilCut(url: string, first: string, drop: string): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const socket = open(url);
    socket.write(first);
    const dropping = setInterval(() => socket.write(drop), drop === "" ? 60 * SECOND : BEAT_MS);
    socket.resume();
    socket.on("close", () => {
      clearInterval(dropping);
      resolve((performance.now() - startedAt) / SECOND);
    });
  });
}

/** Uploads 1 KiB per beat. */
async function upload(url: string, first: string, body: string) {
  const socket = open(url);
  let text = "";
  const answered = new Promise((resolve) => {
    socket.on("data", (bytes: Buffer) => resolve((text += bytes.toString("latin1"))));
    socket.on("close", resolve);
  });
  socket.write(first);
  for (let at = 0; at < body.length; at += 1024) {
    await Bun.sleep(BEAT_MS);
    socket.write(body.slice(at, at + 1024));
  }
  await answered;
  socket.destroy();
  return readAnswers(text)[0] ?? { status: 0, headers: new Map<string, string>(), body: text };
}

/**
 * Returns the median response time, in ms, while the slow clients are active. A systematic delay affects the
 * median, a single pause of the machine does not.
 */
async function medianAnswer(ask: () => Promise<Response>, all: { over: boolean }): Promise<number> {
  const took: number[] = [];
  while (!all.over) {
    const startedAt = performance.now();
    const answer = await ask();
    expect(answer.status).toBe(200);
    await answer.text();
    took.push(performance.now() - startedAt);
    await Bun.sleep(100);
  }
  return took.toSorted((a, b) => a - b)[Math.floor(took.length / 2)] ?? Number.NaN;
}

/** Sends pieces until a response arrives. Returns the number of bytes sent. */
async function floodUntilAnswered(url: string, first: string, piece: string) {
  const socket = open(url);
  let text = "";
  socket.on("data", (bytes: Buffer) => (text += bytes.toString("latin1")));
  socket.write(first);
  let sent = 0;
  for (let i = 0; i < 400 && readAnswers(text).length === 0; i++) {
    socket.write(piece);
    sent += piece.length;
    await Bun.sleep(3);
  }
  socket.destroy();
  const [answer] = readAnswers(text);
  if (!answer) throw new Error(`no answer to ${sent} bytes`);
  return { answer, sent };
}

/** Waits until no write is active and garbage is collected. */
async function settled(core: Core): Promise<void> {
  await Bun.sleep(300);
  await core.db.write(() => {});
  Bun.gc(true);
}

function footprint(): { mib: number; files: number } {
  return { mib: process.memoryUsage.rss() / 1024 ** 2, files: readdirSync("/dev/fd").length };
}
