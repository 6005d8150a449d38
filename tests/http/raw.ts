import { expect } from "bun:test";
import { connect, type Socket } from "node:net";
import type { Core } from "../../src/core/core.ts";
import { STATUS_OF } from "../../src/http/answer.ts";

/** Bytes over a socket of our own: every client library mends or refuses what these tests have to send. */

export interface RawAnswer {
  status: number;
  headers: Map<string, string>;
  body: string;
}

export interface Talk {
  /** All that came back, one letter a byte. */
  text: string;
  answers: RawAnswer[];
  closed: boolean;
}

export interface TalkRules {
  /** How long nothing more must come before the talk is over. */
  quietMs?: number;
  limitMs?: number;
}

/** Sends `sent` (text: one letter a byte) and gathers answers until the server closes or falls silent. */
export function talk(url: string, sent: string | Uint8Array, rules: TalkRules = {}): Promise<Talk> {
  const { quietMs = 200, limitMs = 3000 } = rules;
  return new Promise((resolve) => {
    const socket = open(url);
    let text = "";
    let quiet: ReturnType<typeof setTimeout> | undefined;
    const limit = setTimeout(() => finish(false), limitMs);
    const finish = (closed: boolean): void => {
      clearTimeout(quiet);
      clearTimeout(limit);
      socket.destroy();
      resolve({ text, answers: readAnswers(text), closed });
    };
    socket.on("data", (bytes: Buffer) => {
      text += bytes.toString("latin1");
      clearTimeout(quiet);
      quiet = setTimeout(() => finish(false), quietMs);
    });
    socket.on("close", () => finish(true));
    socket.write(typeof sent === "string" ? Buffer.from(sent, "latin1") : sent);
  });
}

/** A connection whose errors (a reset, say) are no errors of the test. */
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

/** A whole request that publishes a post. */
export function publish(token: string, text: string, headers: Record<string, string | number> = {}): string {
  const body = JSON.stringify({ text });
  return head("POST /v1/feed HTTP/1.1", { ...by(token), "Content-Length": body.length, ...headers }) + body;
}

export function by(token: string): Record<string, string> {
  return { Host: "guild.test", Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
}

/** The answers in a stream of bytes, as far as they are whole. */
export function readAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = text;
  for (;;) {
    const end = rest.indexOf("\r\n\r\n");
    const [first, ...lines] = rest.slice(0, Math.max(0, end)).split("\r\n");
    const status = /^HTTP\/1\.[01] (\d{3})/.exec(first ?? "")?.[1];
    if (status === undefined) return answers;
    const headers = new Map(lines.map(readLine));
    const length = Number(headers.get("content-length") ?? 0);
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

/** The requests that were run, as the log tells them. */
export function requestsIn(logged: readonly string[]): LoggedRequest[] {
  return logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "request");
}

/** What the log tells as broken: error level and above. */
export function errorsIn(logged: readonly string[]): string[] {
  return logged.filter((line) => JSON.parse(line).level >= 50);
}

/** How many rows each table holds. */
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

/** §7: a refusal has the name of its status, one sentence, perhaps details of fields, and nothing else. */
export function expectErrorBody(status: number, body: string): void {
  const value = JSON.parse(body) as Record<string, unknown>;
  const known = ["error", "message", "details"];
  expect(Object.keys(value).filter((key) => !known.includes(key))).toEqual([]);
  expect<unknown>(value["error"]).toBe(NAMES.get(status));
  expect(value["message"]).toBeString();
  expect(value["message"]).not.toBe("");
  if (value["details"] === undefined) return;
  for (const detail of value["details"] as unknown[]) {
    expect(detail).toEqual({ path: expect.any(String), message: expect.any(String) });
  }
}

/** The same for an answer, with the headers of every answer. Gives the body. */
export async function expectRefusal(answer: Response, status?: number): Promise<string> {
  const body = await answer.text();
  if (status !== undefined) expect(answer.status, body).toBe(status);
  expectErrorBody(answer.status, body);
  expectHeaders(answer.headers);
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  return body;
}

/** §8 and CONTRACT «Request id»: what every answer carries. */
export function expectHeaders(headers: { get(name: string): string | null | undefined }): void {
  expect(headers.get("x-request-id")).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  for (const name of ["limit", "remaining", "reset"]) {
    expect(headers.get(`x-ratelimit-${name}`), name).toMatch(/^\d+$/);
  }
}
