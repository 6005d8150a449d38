import { MINUTE } from "../../src/core/base/clock.ts";
import { expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { ALL_EVENT_NAMES } from "../../src/core/outbox/events/catalogue.ts";
import { type Scope, scopesOfRole } from "../../src/core/identity/access/scopes.ts";
import { type Route, ROUTES } from "../routes.ts";
import { fieldPaths, type FieldPath } from "../graphql/paths.ts";
import { isDrill } from "../drill.ts";
import { nextUnlessSilent, listen } from "../graphql/stream.ts";
import { createMemberToken, type TestServer, openTestServer, snapshot } from "../support.ts";
import { type EventFixture, createAllEvents } from "./sample-events.ts";

/*
 * docs/contract.md#5.1: a token reads an event only with the scope of the event's type, whatever way it
 * reads. The ways are derived automatically: all REST operations, all GraphQL field paths and all
 * subscriptions.
 */

/** A way to read events. `ask` returns the complete response as text. */
interface Way {
  name: string;
  ask(server: TestServer, token: string, fixture: EventFixture): Promise<string>;
}

const ALONE: readonly Scope[][] = scopesOfRole("moderator").map((scope) => [scope]);
/** Each scope together with the webhook scopes. */
const BESIDE: readonly Scope[][] = scopesOfRole("moderator").map((scope) => [
  ...new Set<Scope>(["webhooks:read", "webhooks:write", scope]),
]);

/** Scopes that read endpoints but no events. */
const BARE: Scope[] = ["webhooks:read", "webhooks:write"];
/** Timeout for all ways with all tokens, in ms. */
const LONG_MS = 600_000;
/** The suite tests each way with one of every 16 tokens. */
const SHARE = 16;

/** Returns the events in a response that this token must not read. */
function leaks(answer: string, scopes: readonly Scope[], { heard }: EventFixture): string[] {
  return heard
    .filter(({ scope }) => !scopes.includes(scope))
    .flatMap(({ type, marks }) =>
      marks.filter((mark) => answer.includes(mark)).map((mark) => `${type}: ${mark}`),
    );
}

/**
 * Tests each way with several tokens, and fails if a response contains an event that its token must not read.
 * Ways that write get a community of their own. The suite tests each way with the `BARE` token and a sample
 * of `tokens`. It tests the ways in `isComplete` with all tokens of `BESIDE`. `bun run drill readers` tests
 * all ways with all tokens. Returns each pair of a way and an event type that the way returned.
 */
async function walk(
  ways: readonly Way[],
  {
    tokens,
    isWrite,
    isComplete: complete,
  }: { tokens: readonly Scope[][]; isWrite: boolean; isComplete: readonly string[] },
): Promise<Set<string>> {
  const seen = new Set<string>();
  const found: string[] = [];
  await using first = openTestServer();
  const fixture = createAllEvents(first);
  const was = snapshot(first);
  let shared: TestServer & AsyncDisposable = first;
  for (const [turn, way] of ways.entries()) {
    if (isWrite && turn > 0) {
      if (shared !== first) await shared[Symbol.asyncDispose]();
      shared = openTestServer({ from: was });
    }
    const isWhole = complete.includes(way.name);
    for (const [at, scopes] of [BARE, ...tokens].entries()) {
      const isSampled =
        scopes === BARE || (isWhole && BESIDE.includes(scopes)) || at % SHARE === turn % SHARE;
      if (!isDrill && !isSampled) continue;
      const answer = await way.ask(shared, createMemberToken(shared.core, "ada", scopes).token, fixture);
      // Refills the account's limit, because a rate-limited response would show nothing.
      expect([way.name, answer.includes("rate_limited")]).toEqual([way.name, false]);
      shared.clock.pass(2 * MINUTE);
      for (const leak of leaks(answer, scopes, fixture)) found.push(`${way.name} [${scopes}] ${leak}`);
      for (const { type, marks } of fixture.heard)
        if (marks.some((mark) => answer.includes(mark))) seen.add(`${way.name} ${type}`);
    }
  }
  if (shared !== first) await shared[Symbol.asyncDispose]();
  expect(found.slice(0, 20)).toEqual([]);
  return seen;
}

const addresses = ({ path, param }: Route, { endpointId, heard }: EventFixture): string[] =>
  param
    ? [
        endpointId,
        ...heard.flatMap(({ eventId, deliveryId, attemptId }) => [deliveryId, eventId, attemptId]),
      ].map((id) => path.replace(/\{\w+\}/, id))
    : [path];

/** Returns a body from the schema's examples. `since` precedes all events, and `id` is the endpoint's id. */
function bodyOf({ body }: Route, { endpointId }: EventFixture): unknown {
  if (!body) return undefined;
  const created: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(body.properties)) {
    if (name === "since") created[name] = "2026-01-01T00:00:00Z";
    else if (name === "id") created[name] = endpointId;
    else if (schema["examples"]) created[name] = schema["examples"][0];
    else if (body.required?.includes(name)) created[name] = Value.Create(schema);
  }
  return created;
}

const restWay = (op: Route, accept: string): Way => ({
  name: `${op.method} ${op.path} ${accept}`,
  async ask(server, token, fixture) {
    const texts: string[] = [];
    for (const path of addresses(op, fixture)) {
      const body = bodyOf(op, fixture);
      const leaving = new AbortController();
      const answer = await fetch(`${server.url}/v1${path}${op.method === "GET" ? "?limit=100" : ""}`, {
        method: op.method,
        headers: {
          authorization: `Bearer ${token}`,
          accept,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: leaving.signal,
      });
      texts.push(await (isStream(answer) ? firstOf(answer) : answer.text()));
      leaving.abort();
    }
    return texts.join("\n");
  },
});

const isStream = (answer: Response): boolean =>
  answer.headers.get("content-type")?.startsWith("text/event-stream") ?? false;

/** Returns what a stream sends until it is silent. */
async function firstOf(answer: Response): Promise<string> {
  const reader = answer.body?.getReader();
  let text = "";
  for (;;) {
    const read = await nextUnlessSilent(reader?.read());
    if (!read || read.done) return text;
    text += Buffer.from(read.value).toString();
  }
}

test(
  "every REST operation that reads returns an event only to tokens with the scope of its type",
  async () => {
    const reads = ROUTES.filter(({ method }) => method === "GET");
    const ways = reads.flatMap((op) =>
      ["application/json", ...(op.path === "/events" ? ["text/event-stream"] : [])].map((accept) =>
        restWay(op, accept),
      ),
    );
    const whole = ["GET /events application/json", "GET /webhooks/{id}/deliveries application/json"];
    const seen = await walk(ways, { tokens: [...ALONE, ...BESIDE], isWrite: false, isComplete: whole });
    // Proves that the walk finds events: the pull and the log return every type.
    for (const way of whole)
      expect([...seen].filter((line) => line.startsWith(`${way} `))).toHaveLength(ALL_EVENT_NAMES.length);
  },
  LONG_MS,
);

test(
  "every REST operation that writes returns an event only to tokens with the scope of its type",
  async () => {
    const writes = ROUTES.filter(
      ({ method, path }) => method !== "GET" && /^\/(webhooks|deliveries|events)/.test(path),
    );
    const seen = await walk(
      writes.map((op) => restWay(op, "application/json")),
      { tokens: BESIDE, isWrite: true, isComplete: ["POST /deliveries/{id}/retry application/json"] },
    );
    expect([...seen].filter((line) => line.startsWith("POST /deliveries/{id}/retry"))).toHaveLength(
      ALL_EVENT_NAMES.length,
    );
  },
  LONG_MS,
);

/**
 * Requests all ids with one document. If that document exceeds the cost limit, splits the ids over several.
 */
async function requestIds(
  server: TestServer,
  token: string,
  path: FieldPath,
  ids: readonly string[],
): Promise<string> {
  const answer = await fetch(`${server.url}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ query: path.document(...ids) }),
  });
  const text = await answer.text();
  if (ids.length <= 1) return text;
  if (text.includes('"operation_too_dear"')) {
    const middle = Math.ceil(ids.length / 2);
    path.idsOfDocument = middle;
    const halves = [ids.slice(0, middle), ids.slice(middle)];
    return (await Promise.all(halves.map((half) => requestIds(server, token, path, half)))).join("\n");
  }
  // If the whole document is refused, the test proves nothing.
  if (!JSON.parse(text).data) throw new Error(`${path.name} is refused: ${text}`);
  return text;
}

const graphWay = (path: FieldPath): Way => ({
  name: path.name,
  async ask(server, token, { endpointId, workspaceId, heard }) {
    const ids = [
      endpointId,
      workspaceId,
      ...heard.flatMap(({ eventId, deliveryId, attemptId }) => [eventId, deliveryId, attemptId]),
    ];
    const all = path.takesId ? ids : [""];
    const answers: Promise<string>[] = [];
    for (let at = 0; at < all.length; at += path.idsOfDocument)
      answers.push(requestIds(server, token, path, all.slice(at, at + path.idsOfDocument)));
    return (await Promise.all(answers)).join("\n");
  },
});

test(
  "every graph path to an event, a delivery or an attempt needs the scope of its type",
  async () => {
    const paths = fieldPaths("query", 6, ["Event", "Delivery", "Attempt"]);
    expect(paths.length).toBeGreaterThan(10);
    const whole = [
      "node(Event)",
      "node(WebhookEndpoint).deliveries.edges.node",
      "node(Delivery).event",
      "node(Attempt)",
    ];
    const seen = await walk(paths.map(graphWay), {
      tokens: [...ALONE, ...BESIDE],
      isWrite: false,
      isComplete: whole,
    });
    for (const way of whole)
      expect([way, [...seen].filter((line) => line.startsWith(`${way} `)).length]).toEqual([
        way,
        ALL_EVENT_NAMES.length,
      ]);
  },
  LONG_MS,
);

test(
  "every mutation that returns an event, a delivery or an attempt needs the scope of its type",
  async () => {
    const paths = fieldPaths("mutation", 2, ["Event", "Delivery", "Attempt"]);
    const seen = await walk(paths.map(graphWay), {
      tokens: BESIDE,
      isWrite: true,
      isComplete: ["retryDelivery.delivery"],
    });
    expect([...seen].filter((line) => line.startsWith("retryDelivery")).length).toBeGreaterThanOrEqual(9);
  },
  LONG_MS,
);

test(
  "every subscription sends an event only to tokens with the scope of its type",
  async () => {
    const paths = fieldPaths("subscription", 3, ["Event", "Delivery", "Attempt"]);
    const ways = paths.map((path): Way => ({
      name: path.name,
      async ask(server, token, { heard }) {
        const [{ attemptId, eventId } = { attemptId: "", eventId: "" }] = heard;
        let text = "";
        for (const after of [attemptId, eventId]) {
          const earliest = `${after.slice(0, 4)}00000000000000000000000000`;
          await using stream = await listen(server, token, path.document(""), {
            headers: { "last-event-id": earliest },
          });
          if (stream.status !== 200 || !stream.headers.get("content-type")?.includes("event-stream"))
            continue;
          for (;;) {
            const received = await nextUnlessSilent(stream.next());
            if (!received) break;
            text += JSON.stringify(received.data);
          }
        }
        return text;
      },
    }));
    const tokens = [...ALONE, ...BESIDE];
    const seen = await walk(ways, { tokens, isWrite: false, isComplete: ["deliverySettled"] });
    expect([...seen].filter((line) => line.startsWith("deliverySettled")).length).toBeGreaterThanOrEqual(9);
  },
  LONG_MS,
);
