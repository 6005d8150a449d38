import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";
import { type Caller, requireScope } from "../core/identity/access/caller.ts";
import type { Scope } from "../core/identity/access/scopes.ts";
import { check } from "../core/ground/check.ts";
import type { Core } from "../core/ground/core.ts";
import { CoreError, refuse, unauthorized } from "../core/ground/errors.ts";
import {
  answerBefore,
  IdempotencyKey,
  type IdempotentRequest,
  once,
  whileHeld,
} from "../core/ground/idempotency/idempotency.ts";
import { etagOf, isMatched, jsonText, noContent, streamed } from "../http/answer.ts";
import { readJson } from "../http/body.ts";
import { commitAs } from "../http/commit.ts";
import type { Listeners, Listening } from "../http/listeners.ts";
import type { Visit } from "../http/visit.ts";
import { parseQuery, refuseUnknown } from "./query.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What a handler answers; `body` is left out for 204. */
export interface Answer {
  status: 200 | 201 | 204;
  body?: unknown;
  /** Of a page: the cursor of the one behind it, for the `Link` header; null for the last. */
  next?: string | null;
  headers?: Record<string, string>;
  /** Instead of a body: server-sent events (HTML §9.2), for as long as somebody listens. */
  stream?: ReadableStream<string>;
}

/** What a handler is given: who asks, what for, and how to store an effect. */
export interface Ask<Query, Body> {
  core: Core;
  caller: Caller;
  query: Query;
  body: Body;
  /** The parameter in the path; empty where there is none. */
  id: string;
  /**
   * Runs a write in a transaction of its own, once for each Idempotency-Key, as whoever asks is known in it. Resolves when it
   * is on disk. Throws unauthorized where their credentials work no more.
   */
  commit(write: (caller: Caller) => Answer): Promise<Answer>;
  /** For an operation that waits for what comes, in a page or as a stream. */
  live: Live;
}

export interface Live {
  /** Whether the client asks for a stream of events rather than for JSON. */
  isStream: boolean;
  /** Whether it may be waited for something to tell. */
  mayWait: boolean;
  /** Where a stream that broke off goes on (`Last-Event-ID`). */
  lastEventId: string | undefined;
  /** Opens an ear, which is closed when the client goes away. Throws conflict where too many are open. */
  listen(): Listening;
  /** Who asks, by now. Throws unauthorized where their credentials work no more. */
  callerNow(): Promise<Caller>;
  /** Lets the connection be silent for so long. */
  keepOpen(seconds: number): void;
}

/** One operation of the contract: everything the router, the document and the tests need to know of it. */
export interface Operation {
  id: string;
  method: Method;
  /** Below /v1, as OpenAPI writes it: `/jobs/{id}`. */
  path: string;
  group: string;
  summary: string;
  description?: string;
  scope: Scope;
  /** What the parameter in the path names. */
  param?: { name: string; description: string; example: string };
  query?: TObject;
  body?: TObject;
  /** Whether no body at all says the same as an empty object. */
  isBodyOptional?: boolean;
  answer: { status: Answer["status"]; description: string; schema?: TSchema; example?: unknown };
  /** The refusals of its own, beside 400, 401, 403, 429 and 500, which any operation can give, and 412, which those that change a thing can. */
  refusals: readonly (400 | 404 | 409 | 422)[];
  handle(ask: Ask<never, never>): Answer | Promise<Answer>;
}

type Typed<Query extends TObject, Body extends TObject> = Omit<Operation, "query" | "body" | "handle"> & {
  query?: Query;
  body?: Body;
  handle(ask: Ask<Static<Query>, Static<Body>>): Answer | Promise<Answer>;
};

/** Gives a handler the types of its own schemas. */
export function operation<Query extends TObject, Body extends TObject>(typed: Typed<Query, Body>): Operation {
  return typed as unknown as Operation;
}

/** An operation, and the one that reads what it changes: a GET of the same path, where there is one. */
export interface Route {
  op: Operation;
  reading: Operation | undefined;
}

/** Parse → core call → present. Never throws: what went wrong becomes the visit's refusal. */
export function perform(
  core: Core,
  { op, reading }: Route,
  visit: Visit,
  params: Params,
  listeners: Listeners,
): Response | Promise<Response> {
  try {
    const response =
      op.method === "GET"
        ? performRead(core, op, visit, params, listeners)
        : performWrite(core, { op, reading }, visit, params, listeners);
    return response instanceof Promise ? response.catch(visit.refuse) : response;
  } catch (thrown) {
    return visit.refuse(thrown);
  }
}

function performRead(
  core: Core,
  op: Operation,
  visit: Visit,
  params: Params,
  listeners: Listeners,
): Response | Promise<Response> {
  const answer = op.handle({
    ...basics(core, op, visit, params, listeners),
    body: {} as never,
    commit: refuseCommit,
  });
  return answer instanceof Promise ? answer.then((given) => present(visit, given)) : present(visit, answer);
}

async function performWrite(
  core: Core,
  { op, reading }: Route,
  visit: Visit,
  params: Params,
  listeners: Listeners,
): Promise<Response> {
  const ask = basics(core, op, visit, params, listeners);
  const { text, value } =
    op.body && !(op.isBodyOptional && isBare(visit.request))
      ? await readJson(visit.request)
      : { text: "", value: {} };
  const body = (op.body ? check(op.body, value) : {}) as never;
  const keyed = keyedRequest(op, visit, ask.caller, text);
  const guard = guarded(op, reading, ask, visit);
  if (!keyed) {
    const commit = (write: (caller: Caller) => Answer) =>
      commitAs(core, visit, (caller) => guard(caller, () => write(caller)));
    return present(visit, await op.handle({ ...ask, body, commit }));
  }
  // A repetition runs nothing of the operation: not what looks a name up, and not what asks for the scope.
  ask.caller = await stillAllowed(visit);
  requireScope(ask.caller, op.scope);
  return whileHeld(core, keyed, async () => {
    const earlier = answerBefore(core, keyed);
    if (earlier !== undefined) return present(visit, replay(earlier));
    const commit = (write: (caller: Caller) => Answer) =>
      commitAs(core, visit, (caller) => {
        const { answer, replayed } = once(core, keyed, () => JSON.stringify(write(caller)));
        return replayed ? replay(answer) : (JSON.parse(answer) as Answer);
      });
    return present(visit, await op.handle({ ...ask, body, commit }));
  });
}

/** RFC 9112 §6.3: a request without either header has no body. */
function isBare({ headers }: Request): boolean {
  return (headers.get("content-length") ?? "0") === "0" && !headers.has("transfer-encoding");
}

type Params = Readonly<Record<string, string>>;
type Basics = Omit<Ask<never, never>, "body" | "commit">;

/** Credentials come first: a stranger learns nothing of what a query or body must look like. */
function basics(core: Core, op: Operation, visit: Visit, params: Params, listeners: Listeners): Basics {
  if (!visit.caller) throw unauthorized();
  return {
    core,
    caller: visit.caller,
    query: readQuery(op, visit) as never,
    id: op.param ? (params[op.param.name] ?? "") : "",
    live: liveOf(visit, listeners),
  };
}

function liveOf(visit: Visit, listeners: Listeners): Live {
  const { headers, signal } = visit.request;
  return {
    isStream: visit.method === "GET" && !visit.isHead && prefersStream(headers.get("accept")),
    mayWait: !visit.isHead,
    lastEventId: headers.get("last-event-id") ?? undefined,
    listen() {
      const ear = listeners.open(visit, () => {});
      signal.addEventListener("abort", ear.close, { once: true });
      return ear;
    },
    callerNow: () => stillAllowed(visit),
    keepOpen: visit.keepOpen,
  };
}

/** RFC 9110 §12.5.1: only where it is named, and no less than JSON. */
function prefersStream(accept: string | null): boolean {
  if (accept === null || !accept.includes("text/event-stream")) return false;
  const weights = new Map(
    accept.split(",").map((range) => {
      const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
      const q = parameters.find((parameter) => parameter.startsWith("q="));
      return [type, q === undefined ? 1 : Number(q.slice(2)) || 0];
    }),
  );
  const stream = weights.get("text/event-stream") ?? 0;
  return stream > 0 && stream >= (weights.get("application/json") ?? 0);
}

/** Unknown parameters are ignored, unless the client asks for strict handling (RFC 7240 §4.4). */
function readQuery({ query = NO_QUERY }: Operation, visit: Visit): unknown {
  const prefer = visit.request.headers.get("prefer");
  if (prefer !== null && STRICT.test(prefer)) {
    visit.headers["preference-applied"] = "handling=strict";
    refuseUnknown(query, visit.query);
  }
  return parseQuery(query, visit.query);
}

const NO_QUERY = Type.Object({});
const STRICT = /(?:^|,)[ \t]*handling[ \t]*=[ \t]*(?:strict|"strict")[ \t]*(?:$|[,;])/i;

/** An object around the header, so that a refusal names it. */
const KeyHeader = Type.Object({ "Idempotency-Key": IdempotencyKey });

function keyedRequest(
  op: Operation,
  visit: Visit,
  caller: Caller,
  body: string,
): IdempotentRequest | undefined {
  const sentKey = op.method === "POST" ? visit.request.headers.get("idempotency-key") : null;
  const { builderId, workspaceId } = caller;
  if (sentKey === null || builderId === null || workspaceId === null) return undefined;
  const { "Idempotency-Key": key } = check(KeyHeader, { "Idempotency-Key": sentKey });
  return { builderId, workspaceId, route: `POST ${visit.path}`, key, body };
}

/** Whoever asks, as they are known at this moment. Throws unauthorized where their credentials work no more. */
async function stillAllowed(visit: Visit): Promise<Caller> {
  const caller = await visit.callerNow();
  if (!caller) throw unauthorized();
  return caller;
}

/**
 * RFC 9110 §13.1.1: with `If-Match` an effect stays only where the thing is still as the client has read it.
 * Asked inside the transaction, so that of two writers one passes, and after the effect, so that whatever
 * else is refused comes first (RFC 9110 §13.2.1). What cannot be read has no state to match.
 */
function guarded(
  op: Operation,
  reading: Operation | undefined,
  ask: Basics,
  { request, query }: Visit,
): (caller: Caller, effect: () => Answer) => Answer {
  const ifMatch = op.method === "POST" ? null : request.headers.get("if-match");
  if (ifMatch === null) return (_caller, effect) => effect();
  return (caller, effect) => {
    const before =
      reading &&
      tagOf(reading, { ...ask, caller, query: parseQuery(reading.query ?? NO_QUERY, query) as never });
    const answer = effect();
    if (!isMatched(ifMatch, before)) throw refuse("changed_meanwhile");
    return answer;
  };
}

/** The tag of what is read; undefined where there is nothing. */
function tagOf(reading: Operation, ask: Basics): string | undefined {
  try {
    const answer = reading.handle({ ...ask, body: {} as never, commit: refuseCommit });
    if (answer instanceof Promise) throw new Error(`${reading.id} cannot be read inside a transaction`);
    return etagOf(JSON.stringify(answer.body));
  } catch (thrown) {
    if (thrown instanceof CoreError && thrown.error === "not_found") return undefined;
    throw thrown;
  }
}

function replay(answer: string): Answer {
  const given = JSON.parse(answer) as Answer;
  return { ...given, headers: { ...given.headers, "idempotency-replayed": "true" } };
}

function refuseCommit(): never {
  throw new Error("an operation that reads must not write");
}

function present(visit: Visit, answer: Answer): Response {
  if (answer.stream) return streamed(visit, answer.stream);
  if (answer.status === 204) return noContent(visit, answer.headers);
  if (answer.next) visit.headers["link"] = `<${nextOf(visit, answer.next)}>; rel="next"`;
  return jsonText(visit, answer.status, JSON.stringify(answer.body), answer.headers);
}

/** RFC 8288: the same address with the cursor of the page behind it; what a header may not hold is encoded. */
function nextOf({ path, query }: Visit, cursor: string): string {
  const kept = query.split("&").filter((pair) => pair !== "" && !/^cursor(?:=|$)/.test(pair));
  return `${path}?${[...kept, `cursor=${cursor}`].join("&")}`.replaceAll(/[^!#-;=?-~]/g, encodeURIComponent);
}
