import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";
import { type Caller, requireScope } from "../core/access/caller.ts";
import type { Scope } from "../core/access/scopes.ts";
import { writeAs } from "../core/accounts/sessions.ts";
import { check } from "../core/check.ts";
import type { Core } from "../core/core.ts";
import { unauthorized } from "../core/errors.ts";
import {
  answerBefore,
  IdempotencyKey,
  type IdempotentRequest,
  once,
  whileHeld,
} from "../core/idempotency/idempotency.ts";
import { jsonText, noContent } from "../http/answer.ts";
import { readJson } from "../http/body.ts";
import type { Visit } from "../http/visit.ts";
import { parseQuery } from "./query.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What a handler answers; `body` is left out for 204. */
export interface Answer {
  status: 200 | 201 | 204;
  body?: unknown;
  headers?: Record<string, string>;
}

/** What a handler is given: who asks, what for, and how to store an effect. */
export interface Ask<Query, Body> {
  core: Core;
  caller: Caller;
  query: Query;
  body: Body;
  /** The parameter in the path; empty where there is none. */
  id: string;
  /** Runs a write in a transaction of its own, once for each Idempotency-Key. Resolves when it is on disk. */
  commit(write: () => Answer): Promise<Answer>;
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
  answer: { status: Answer["status"]; description: string; schema?: TSchema; example?: unknown };
  /** The refusals of its own, beside 401, 403, 429 and 500, which any operation can give. */
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

/** Parse → core call → present. Never throws: what went wrong becomes the visit's refusal. */
export function perform(
  core: Core,
  op: Operation,
  visit: Visit,
  params: Params,
): Response | Promise<Response> {
  try {
    const response =
      op.method === "GET" ? performRead(core, op, visit, params) : performWrite(core, op, visit, params);
    return response instanceof Promise ? response.catch(visit.refuse) : response;
  } catch (thrown) {
    return visit.refuse(thrown);
  }
}

function performRead(core: Core, op: Operation, visit: Visit, params: Params): Response | Promise<Response> {
  const answer = op.handle({ ...basics(core, op, visit, params), body: {} as never, commit: refuseCommit });
  return answer instanceof Promise ? answer.then((given) => present(visit, given)) : present(visit, answer);
}

async function performWrite(core: Core, op: Operation, visit: Visit, params: Params): Promise<Response> {
  const ask = basics(core, op, visit, params);
  const { text, value } = op.body ? await readJson(visit.request) : { text: "", value: {} };
  // A body may have been held back for as long as it takes to lose every right.
  ask.caller = await stillAllowed(visit);
  const body = (op.body ? check(op.body, value) : {}) as never;
  const keyed = keyedRequest(op, visit, ask.caller, text);
  if (!keyed) return present(visit, await op.handle({ ...ask, body, commit: committer(core, visit) }));
  // A repetition runs nothing of the operation: not what looks a name up, and not what asks for the scope.
  requireScope(ask.caller, op.scope);
  return whileHeld(core, keyed, async () => {
    const earlier = answerBefore(core, keyed);
    if (earlier !== undefined) return present(visit, replay(earlier));
    return present(visit, await op.handle({ ...ask, body, commit: committer(core, visit, keyed) }));
  });
}

type Params = Readonly<Record<string, string>>;
type Basics = Omit<Ask<never, never>, "body" | "commit">;

/** Credentials come first: a stranger learns nothing of what a query or body must look like. */
function basics(core: Core, op: Operation, visit: Visit, params: Params): Basics {
  if (!visit.caller) throw unauthorized();
  return {
    core,
    caller: visit.caller,
    query: (op.query ? parseQuery(op.query, visit.query) : {}) as never,
    id: op.param ? (params[op.param.name] ?? "") : "",
  };
}

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

/** What stores an effect; what an operation waited for before, such as the address of a name, may have taken long. */
function committer(
  core: Core,
  visit: Visit,
  keyed?: IdempotentRequest,
): (write: () => Answer) => Promise<Answer> {
  return async (write) => {
    return writeAs(core, await stillAllowed(visit), () => {
      if (!keyed) return write();
      const { answer, replayed } = once(core, keyed, () => JSON.stringify(write()));
      return replayed ? replay(answer) : (JSON.parse(answer) as Answer);
    });
  };
}

function replay(answer: string): Answer {
  const given = JSON.parse(answer) as Answer;
  return { ...given, headers: { ...given.headers, "idempotency-replayed": "true" } };
}

function refuseCommit(): never {
  throw new Error("an operation that reads must not write");
}

function present(visit: Visit, answer: Answer): Response {
  if (answer.status === 204) return noContent(visit, answer.headers);
  return jsonText(visit, answer.status, JSON.stringify(answer.body), answer.headers);
}
