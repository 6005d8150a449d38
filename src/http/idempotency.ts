import { Type } from "@sinclair/typebox";
import { check } from "../core/base/check.ts";
import type { Core } from "../core/base/core.ts";
import {
  storedAnswer,
  IdempotencyKey,
  type IdempotentRequest,
  runOnce,
} from "../core/base/idempotency/idempotency.ts";
import type { Caller } from "../core/identity/access/caller.ts";
import type { RequestContext } from "./context.ts";

/*
 * The header `Idempotency-Key` of a POST, by whatever transport (docs/contract.md#2.16): an answer is kept as
 * JSON, and given again.
 */

/** An object around the header, so that a refusal names it. */
const KeyHeader = Type.Object({ "Idempotency-Key": IdempotencyKey });

/**
 * The request by its key; undefined without one. `route` is what was asked for, `body` what was sent. Throws
 * bad_request for a key that is too long, or empty.
 */
export function keyedRequest(
  context: RequestContext,
  caller: Caller,
  route: string,
  body: string,
): IdempotentRequest | undefined {
  const sent = context.method === "POST" ? context.request.headers.get("idempotency-key") : null;
  const { builderId, workspaceId } = caller;
  if (sent === null || builderId === null || workspaceId === null) return undefined;
  const { "Idempotency-Key": key } = check(KeyHeader, { "Idempotency-Key": sent });
  return { builderId, workspaceId, route, key, body };
}

/**
 * What the request was answered before; undefined where it is new. Throws unprocessable where its key came
 * with another body.
 */
export function earlierAnswer<Answer>(
  core: Core,
  context: RequestContext,
  request: IdempotentRequest,
): Answer | undefined {
  const answer = storedAnswer(core, request);
  return answer === undefined ? undefined : again(context, answer);
}

/** Runs a write once for its request, and gives what is kept of it. Call it in a transaction. */
export function answerOnce<Answer>(
  core: Core,
  context: RequestContext,
  request: IdempotentRequest,
  write: () => Answer,
): Answer {
  const { answer, replayed } = runOnce(core, request, () => JSON.stringify(write()));
  return replayed ? again(context, answer) : JSON.parse(answer);
}

function again<Answer>(context: RequestContext, answer: string): Answer {
  context.headers["Idempotency-Replayed"] = "true";
  return JSON.parse(answer);
}
