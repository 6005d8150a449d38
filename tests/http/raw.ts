import { expect } from "bun:test";
import { connect, type Socket } from "node:net";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import type { Core } from "../../src/core/base/core.ts";
import { publishJob } from "../../src/core/community/jobs/jobs.ts";
import { insertPrompt } from "../../src/core/community/prompts/prompts-store.ts";
import { STATUS_OF } from "../../src/http/answer.ts";
import { type TestServer, createMember } from "../support.ts";

/**
 * Helpers that send raw bytes over a socket. HTTP client libraries fix or reject the invalid requests of
 * these tests.
 */

export interface RawAnswer {
  status: number;
  headers: Map<string, string>;
  body: string;
}

export interface Exchange {
  /** All received bytes, one character per byte. */
  text: string;
  answers: RawAnswer[];
  closed: boolean;
}

export interface ExchangeOptions {
  /** The exchange ends after this many ms without data. */
  quietMs?: number;
  limitMs?: number;
  /** The exchange ends after this many complete responses. */
  answers?: number;
}

const STEP_MS = 20;

/**
 * Sends `sent` (text: one character per byte). Collects responses until the server closes the connection or
 * stays silent.
 */
export function exchange(
  url: string,
  sent: string | Uint8Array,
  rules: ExchangeOptions = {},
): Promise<Exchange> {
  const { quietMs = 200, limitMs = 20_000, answers: wanted = Number.POSITIVE_INFINITY } = rules;
  return new Promise((resolve) => {
    const socket = open(url);
    let text = "";
    let silentMs = 0;
    // Counts silence in steps. The loop reads the socket between steps, so a stalled machine does not count
    // as silence.
    const quiet = setInterval(() => {
      if (text !== "" && (silentMs += STEP_MS) >= quietMs) finish(false);
    }, STEP_MS);
    const limit = setTimeout(() => finish(false), limitMs);
    const finish = (closed: boolean): void => {
      clearInterval(quiet);
      clearTimeout(limit);
      socket.destroy();
      resolve({ text, answers: readAnswers(text), closed });
    };
    socket.on("data", (bytes: Buffer) => {
      text += bytes.toString("latin1");
      silentMs = 0;
      if (readAnswers(text).length >= wanted) finish(false);
    });
    socket.on("close", () => finish(true));
    socket.write(typeof sent === "string" ? Buffer.from(sent, "latin1") : sent);
  });
}

/** Opens a connection and ignores socket errors such as a reset. */
export function open(url: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  return socket;
}

export function head(line: string, headers: Record<string, string | number>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line}\r\n${lines.join("")}\r\n`;
}

/** Returns a complete request that creates a post. */
export function postRequestText(
  token: string,
  text: string,
  headers: Record<string, string | number> = {},
): string {
  const body = JSON.stringify({ text });
  return head("POST /v1/feed HTTP/1.1", { ...by(token), "Content-Length": body.length, ...headers }) + body;
}

export function by(token: string): Record<string, string> {
  return { Host: "guild.test", Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
}

/** Parses the complete responses in a text. Responses to HEAD have a length but no body. */
export function readAnswers(text: string, isHead = false): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = text;
  for (;;) {
    const end = rest.indexOf("\r\n\r\n");
    const [first, ...lines] = rest.slice(0, Math.max(0, end)).split("\r\n");
    const status = /^HTTP\/1\.[01] (\d{3})/.exec(first ?? "")?.[1];
    if (status === undefined) return answers;
    const headers = new Map(lines.map(readLine));
    const length = Number(headers.get("content-length") ?? 0);
    if (!isHead && rest.length < end + 4 + length) return answers;
    answers.push({ status: Number(status), headers, body: rest.slice(end + 4, end + 4 + length) });
    rest = rest.slice(end + 4 + length);
  }
}

function readLine(line: string): [string, string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

export interface LoggedRequest {
  level: number;
  requestId: string;
  method: string;
  path: string;
  status: number;
}

export function requestsIn(logged: readonly string[]): LoggedRequest[] {
  return logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "request");
}

/** Returns the log lines of level error and above. */
export function errorsIn(logged: readonly string[]): string[] {
  return logged.filter((line) => JSON.parse(line).level >= 50);
}

export function rowCounts(core: Core): Record<string, number> {
  const tables = core.db
    .prepare<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all();
  return Object.fromEntries(tables.map(({ name }) => [name, countOf(core, name)]));
}

export function countOf(core: Core, table: string): number {
  const row = core.db.prepare<{ count: number }>(`SELECT count(*) AS count FROM "${table}"`).get();
  return row?.count ?? 0;
}

const NAMES = new Map(Object.entries(STATUS_OF).map(([name, status]) => [status, name]));

/**
 * docs/contract.md#1.14: a refusal has the name of its status, one sentence and optional field details, and
 * nothing else.
 */
export function expectErrorBody(status: number, body: string): void {
  const value = JSON.parse(body) as Record<string, unknown>;
  const known = ["error", "code", "params", "message", "details", "docs"];
  expect(Object.keys(value).filter((key) => !known.includes(key))).toEqual([]);
  expect<unknown>(value["error"]).toBe(NAMES.get(status));
  expect(value["code"]).toMatch(/^[a-z]+(?:_[a-z0-9]+)*$/);
  expect(value["message"]).toBeString();
  expect(value["message"]).not.toBe("");
  if (value["details"] === undefined) return;
  for (const detail of value["details"] as unknown[]) {
    const { params, ...others } = detail as Record<string, unknown>;
    expect(others).toEqual({
      path: expect.any(String),
      code: expect.any(String),
      message: expect.any(String),
    });
    if (params !== undefined) expect(params).toBeObject();
  }
}

/** Checks a refusal's body and headers. Returns the body. */
export async function expectRefusal(answer: Response, status?: number): Promise<string> {
  const body = await answer.text();
  if (status !== undefined) expect(answer.status, body).toBe(status);
  expectErrorBody(answer.status, body);
  expectHeaders(answer.headers);
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  return body;
}

/** docs/contract.md#3.3 and docs/contract.md#1.13: headers of every response. */
export function expectHeaders(headers: { get(name: string): string | null | undefined }): void {
  expect(headers.get("x-request-id")).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  for (const name of ["limit", "remaining", "reset"]) {
    expect(headers.get(`x-ratelimit-${name}`), name).toMatch(/^\d+$/);
  }
}

const CHUNKED = "Transfer-Encoding: chunked";
const END = "0\r\n\r\n";

/** Ambiguous framings, each a violation of RFC 9112. N is the length of the rest of the message. */
export const BROKEN_FRAMINGS: readonly (readonly [name: string, headers: string, body?: string])[] = [
  ["a length and chunks", `Content-Length: N\r\n${CHUNKED}`, END],
  ["chunks and a length", `${CHUNKED}\r\nContent-Length: 4`, END],
  ["two lengths, the first 0", "Content-Length: 0\r\nContent-Length: N"],
  ["two lengths, the last 0", "Content-Length: N\r\nContent-Length: 0"],
  ["a list of lengths", "Content-Length: 0, N"],
  ["a signed length", "Content-Length: +0"],
  ["a negative length", "Content-Length: -1"],
  ["a hexadecimal length", "Content-Length: 0x0"],
  ["an empty length", "Content-Length:"],
  ["a length beyond 64 bits", "Content-Length: 18446744073709551616"],
  ["a space before the colon of a length", "Content-Length : N"],
  ["a space before the colon of an encoding", "Transfer-Encoding : chunked", END],
  ["an unknown encoding", "Transfer-Encoding: xchunked", END],
  ["an encoding after chunked", "Transfer-Encoding: chunked, identity", END],
  ["an encoding before chunked", "Transfer-Encoding: gzip, chunked", END],
  ["chunked and another", `${CHUNKED}\r\nTransfer-Encoding: cow`, END],
  ["a vertical tab before chunked", "Transfer-Encoding: \x0bchunked", END],
  ["a NUL in an encoding", "Transfer-Encoding: chunk\0ed", END],
  ["a NUL in a header's name", "Content-\0Length: N"],
  ["a folded encoding", "Transfer-Encoding:\r\n chunked", END],
  ["a folded length", "Content-Length:\r\n N"],
  ["a bare line feed in the headers", `X-A: b\n${CHUNKED}`, END],
  ["a bare carriage return in the headers", `X-A: b\r${CHUNKED}`, END],
  ["a header without a colon", "Content-Length"],
  ["a chunk size with 0x", CHUNKED, "0x0\r\n\r\n"],
  ["a negative chunk size", CHUNKED, "-1\r\n\r\n"],
  ["a signed chunk size", CHUNKED, "+0\r\n\r\n"],
  ["a blank before the chunk size", CHUNKED, " 0\r\n\r\n"],
  ["an empty chunk size", CHUNKED, "\r\n\r\n"],
  ["a chunk size beyond 64 bits", CHUNKED, "10000000000000000\r\n\r\n"],
  ["a chunk size ended by a line feed", CHUNKED, "0\n\n"],
  ["a line feed in a chunk's extension", CHUNKED, "0;a\nb\r\n\r\n"],
  ["a chunk longer than it says", CHUNKED, "1\r\nXYY0\r\n\r\n"],
];

/** Correct framings of the same messages. */
export const VALID_FRAMINGS: typeof BROKEN_FRAMINGS = [
  ["a length of 0", "Content-Length: 0"],
  ["no chunks", CHUNKED, END],
];

/** Splits a text at `~` and at line breaks. */
export const table = (text: string): string[] => text.split(/\s*[~\n]\s*/).filter((value) => value !== "");

/** After JSONTestSuite: texts that a parser must reject, as a value and as a whole body. */
export const BROKEN_VALUES = [
  ...table(String.raw`
    [1 true] ~ [,1] ~ [1,,2] ~ [1,] ~ ["",] ~ [,] ~ [-] ~ [ ~ [1 ~ ["a ~ ] ~ [x ~ [*] ~ [1}
    ++1 ~ +1 ~ +Inf ~ -01 ~ -1.0. ~ -2. ~ -NaN ~ .-1 ~ .2e-3 ~ 0.1.2 ~ 0.3e+ ~ 0.e1 ~ 0e ~ 1.0e ~ 1 000 ~ 1eE2 ~ 2.e3
    Inf ~ NaN ~ Infinity ~ -Infinity ~ 0x1 ~ 012 ~ 1_000 ~ --1 ~ 1. ~ - 1 ~ 0b1 ~ 1a ~ 1n ~ -
    {"a":"b",} ~ {"a" "b"} ~ {:1} ~ {"a":} ~ {a:1} ~ {'a':1} ~ {"a":1,,} ~ {1:1} ~ {"a":1 "b":2} ~ {null:1} ~ {"a"}
    {"a"::1} ~ {"x", null} ~ {"a":1}# ~ {"a":1/*c*/} ~ {"a":1}//c ~ {,} ~ {"a":1}} ~ {[1]:1} ~ {"a":1;}
    'a' ~ "\x41" ~ "\u00" ~ "\u00G0" ~ "\uD834\u" ~ "\a" ~ "\u{41}" ~ "a\ ~ "a ~ \u0061 ~ a ~ "a"b"
    True ~ nul ~ tru ~ nulll ~ undefined ~ TRUE ~ truefalse ~ <null> ~ function(){}`),
  ...[
    "１",
    "“a”",
    '"\t"',
    '"\n"',
    '"\0"',
    '"\x1f"',
    '"\\\n"',
    "\f1",
    "\v1",
    "\u00a01",
    "\ufeff1",
    "\u20281",
    "1\0",
  ],
];
export const BROKEN_BODIES = table(String.raw`
  { ~ {"text":"a" ~ {"text":"a"}} ~ {"text":"a"}{"text":"b"} ~ {"text":"a"},{} ~ "text":"a" ~ {"text":"a"}x ~ {"text ~ {]
  {"text":"a"}]`).concat("", " ", "\0", '\ufeff{"text":"a"}', '{"text":"a"}\0', '{"text":"a"}\x1a', "\ufeff");

/** Texts that a parser must accept. */
export const VALID_VALUES = [
  ...table(String.raw`
    [] ~ [ ] ~ [1,2] ~ [[[[]]]] ~ [null,1,"1",{}] ~ -0 ~ 0e+1 ~ 0e1 ~ 1E22 ~ 1E-2 ~ 1E+2 ~ 123.456e78 ~ 1e400 ~ -1 ~ 0.1
    -123123123123123123123123123123 ~ "" ~ "\u0060\u012a\u12AB" ~ "\uD801\udc37" ~ "\"\\\/\b\f\n\r\t" ~ "\\u0000" ~ "\\"
    {} ~ {"a":1} ~ {"a":1,"a":2} ~ {"":0} ~ {"a":{"b":[{}]}} ~ null ~ true ~ false ~ "[{" ~ "\\\"["`),
  ...['"😀"', '"１"', " \t\n\r 1 \r\n", '"\u2028\u2029"', '"\x7f"', '"\ufeff"'],
];

/** Creates one object of each type. */
export async function createSamples(server: TestServer) {
  const { token, caller } = createMember(server.core, "ada");
  const make = async (path: string, body: unknown): Promise<string> =>
    ((await (await server.request(token, path, { method: "POST", body })).json()) as { id: string }).id;
  insertPrompt(server.core, promptBy(server.core, caller.builderId ?? ""));
  return {
    token,
    post: await make("/feed", { text: "hello", tags: ["rust"] }),
    hook: await make("/webhooks", { url: "https://hooks.example.com/a", events: ["dm.received"] }),
    job: publishJob(server.core, OPERATOR, JOB).id,
  };
}

const JOB = {
  title: "Senior Rust Engineer",
  company: { name: "Tidewater", slug: "tidewater" },
  location: "Berlin, Germany",
  city: "berlin",
  remote: false,
  seniority: "senior" as const,
  stack: ["rust"],
  salary: { min: 1, max: 2, currency: "EUR" },
  description: "Own the storage engine.",
  apply_url: "https://tidewater.example.com/1",
};

function promptBy(core: Core, authorId: string) {
  const createdAt = core.clock.now();
  const words = { title: "Review", body: "Read it all.", model: "claude-sonnet", category: "code-review" };
  return {
    ...words,
    id: core.makeId("prompt", createdAt),
    authorId,
    score: 4,
    ratingCount: 1,
    ratingSum: 4,
    rank: 3.2,
    createdAt,
  };
}
