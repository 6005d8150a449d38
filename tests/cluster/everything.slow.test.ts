// docs/contract.md#12.29: a follower answers every request as its leader does, and writes nothing.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { OPERATIONS } from "../../src/operations/index.ts";
import { addressOf } from "../../src/operations/operation.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { SCOPE_NAMES } from "../../src/core/identity/access/scopes.ts";
import { createToken } from "../../src/core/delegation/tokens/tokens.ts";
import { PAGES } from "../../src/web/pages/index.ts";
import { DOCUMENTS } from "../../src/web/documents/documents.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { addSampleContent } from "../web/sample-site.ts";
import { signedInAs } from "../web/support.ts";
import { BUILDER_SCOPES, createMemberToken, type TestServer } from "../support.ts";
import { type Followed, openFollower, openLeader } from "./nodes.ts";

interface Two {
  leader: TestServer & AsyncDisposable;
  follower: Followed & AsyncDisposable;
  /** Request headers of each caller, by name. */
  askers: Record<string, Record<string, string>>;
  pathOf(route: { path: string }): string;
}

let two: Two;

beforeAll(async () => {
  const leader = openLeader({ isLocal: true, env: { GUILDHALL_TRUSTED_PROXIES: "127.0.0.1" } });
  const { pathOf } = await addSampleContent(leader);
  const cookieOf = (username: string): Record<string, string> => ({
    cookie: [...signedInAs(leader, username).cookies].map(([name, value]) => `${name}=${value}`).join("; "),
  });
  const bearer = (username: string): Record<string, string> => {
    const scopes = username === "root" ? SCOPE_NAMES : BUILDER_SCOPES;
    const { token } = createToken(leader.core, OPERATOR, username, {
      name: "walk",
      scopes: [...scopes],
      tier: "enterprise",
    });
    return { authorization: `Bearer ${token}` };
  };
  const askers = {
    nobody: {},
    ada: bearer("ada"),
    root: bearer("root"),
    "ada signed in": cookieOf("ada"),
    "root signed in": cookieOf("root"),
  };
  leader.clock.step(Date.now() - leader.clock.now());
  const follower = openFollower(leader, {
    env: { GUILDHALL_ORIGIN: leader.core.origin, GUILDHALL_TRUSTED_PROXIES: "127.0.0.1" },
  });
  await follower.until(200);
  two = { leader, follower, askers, pathOf };
});

afterAll(async () => {
  await two.follower[Symbol.asyncDispose]();
  await two.leader[Symbol.asyncDispose]();
});

let requestCount = 0;

/**
 * Differences between both responses (status, type, text), and whether the follower wrote. Some reads mark
 * content as seen. Therefore the leader gets each request once before the comparison.
 */
async function compare(
  path: string,
  headers: Record<string, string>,
  init: RequestInit = {},
): Promise<string[]> {
  const { leader, follower } = two;
  await request(leader.url, path, headers, init);
  const theirs = await request(leader.url, path, headers, init);
  sync();
  const before = stamp();
  const own = await request(follower.url, path, headers, init);
  const at = theirs.findIndex((part, index) => part !== own[index]);
  return [
    ...(at < 0 ? [] : [`${path}: ${around(theirs[at] ?? "", own[at] ?? "")}`]),
    ...(Number(own[0]) < 500 ? [] : [`${path}: ${own[0]}`]),
    ...(stamp() === before ? [] : [`${path}: the copy was written`]),
  ];
}

async function request(
  url: string,
  path: string,
  headers: Record<string, string>,
  init: RequestInit,
): Promise<string[]> {
  const { clock } = two.leader;
  // Rate limits are per node and tested elsewhere. The leader's clock follows real time, as the follower's
  // does.
  clock.pass(1000);
  clock.step(Date.now() - clock.now());
  requestCount++;
  const address = `198.51.${requestCount >> 8}.${requestCount & 255}`;
  const answer = await fetch(`${url}${path}`, {
    redirect: "manual",
    ...init,
    headers: {
      accept: "text/html, application/json",
      ...headers,
      ...(init.headers as object),
      "x-forwarded-for": address,
    },
  });
  const type = answer.headers.get("content-type") ?? "";
  if (!type.startsWith("text/event-stream")) return [String(answer.status), type, alike(await answer.text())];
  await answer.body?.cancel();
  return [String(answer.status), type];
}

let moved = "";

function sync(): void {
  const { commits } = two.leader.core.db.position();
  if (moved !== String(commits)) two.follower.updateCopy();
  moved = String(commits);
}

function stamp(): string {
  const { mtimeMs, size, ino } = statSync(join(two.follower.folder, "guildhall.db"));
  return `${mtimeMs} ${size} ${ino}`;
}

async function forwardedCount(work: () => Promise<void>): Promise<boolean> {
  const before = await forwarded();
  await work();
  return (await forwarded()) > before;
}

async function forwarded(): Promise<number> {
  const page = await (await fetch(`${two.follower.url}/metrics`)).text();
  return Number(/guildhall_handed_on_total\{outcome="answered"\} (\d+)/.exec(page)?.[1] ?? 0);
}

/** Removes parts that differ between two responses of the same server, such as form tokens. */
function alike(text: string): string {
  return (
    text
      .replace(/name="form_token" value="[^"]*"/g, "")
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "")
      .replace(/"(?:challenge|nonce)":"[^"]*"/g, "")
      // Removes the waiting times of mail and push. Each node measures them by its own monotonic clock.
      .replace(/(<\/th><td>\d+<\/td><td>)<time [^>]*>[^<]*<\/time>/g, "$1")
      // Removes the other nodes from the privacy page. Each node knows only those of its own settings.
      .replace(/<li><code>guildhall-version<\/code>[^]*?<\/li>\s*/g, "")
      .replace(/<li>Other servers of the community[^]*?<\/li>\s*/g, "")
  );
}

function around(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return `…${a.slice(Math.max(0, at - 60), at + 60)}… and not …${b.slice(Math.max(0, at - 60), at + 60)}…`;
}

const faults = (): string[] => two.follower.logged.filter((line) => line.includes('"level":50'));

test("a follower shows every page as the leader does, to guests, members and admins", async () => {
  const differing: string[] = [];
  const elsewhere = new Set<string>();
  const routes = [...PAGES, ...DOCUMENTS].filter(({ method }) => method === "GET");
  for (const username of ["nobody", "ada signed in", "root signed in"])
    for (const route of routes) {
      const path = two.pathOf(route);
      const isForwarded = await forwardedCount(
        async () => void differing.push(...(await compare(path, two.askers[username] ?? {}))),
      );
      if (isForwarded) elsewhere.add(route.path);
    }
  expect(routes.length).toBeGreaterThan(80);
  expect(differing).toEqual([]);
  expect(faults()).toEqual([]);
  const others = [...elsewhere].filter((path) => !path.startsWith("/admin")).sort();
  expect(others).toEqual(["/join", "/recover", "/recover/mail", "/setup", "/sign-in"]);
}, 60_000);

test("a follower forwards a page view to the leader only if the view marks unread content as read", async () => {
  const { leader, follower, askers } = two;
  const bob = createMemberToken(leader.core, "bob").caller;
  const { threadId } = sendMessage(leader.core, bob, { to: "ada", text: "Unread so far" });
  sync();
  const before = leader.core.db.position().commits;
  const look = () => request(follower.url, `/messages/${threadId}`, askers["ada signed in"] ?? {}, {});
  expect(await forwardedCount(async () => expect((await look())[2]).toContain("Unread so far"))).toBe(true);
  expect(leader.core.db.position().commits).toBeGreaterThan(before);
  sync();
  expect(await forwardedCount(async () => expect((await look())[2]).toContain("Unread so far"))).toBe(false);
});

test("every read operation returns the same at a follower and at the leader, to every caller", async () => {
  const differing: string[] = [];
  const reads = OPERATIONS.map((op) => ({ ...op, ...addressOf(op) })).filter(
    ({ method }) => method === "GET",
  );
  for (const username of ["nobody", "ada", "root"])
    for (const { path } of reads)
      differing.push(
        ...(await compare(`/v1${path.replace(/\{\w+\}/, "nothing")}`, two.askers[username] ?? {})),
      );
  expect(reads.length).toBeGreaterThan(25);
  expect(differing).toEqual([]);
  expect(faults()).toEqual([]);
}, 60_000);

test("a follower answers GraphQL queries, and forwards documents that may be mutations to the leader", async () => {
  const ask = (query: string) =>
    compare("/graphql", two.askers["ada"] ?? {}, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query }),
    });
  expect(
    await ask(
      "{ viewer { builder { username } } feed(first: 3) { edges { node { text author { username } } } } }",
    ),
  ).toEqual([]);
  expect(await ask("query mutation { viewer { builder { username } } }")).toEqual([]);
  expect(await ask("{ nothing }")).toEqual([]);
  expect(faults()).toEqual([]);
});
