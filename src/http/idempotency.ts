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
 * The `Idempotency-Key` header of a POST, for all transports (docs/contract.md#2.16). The response is stored
 * as JSON. A retry gets the stored response.
 */

/** Schema of the header. An object, so that refusals contain the name of the header. */
const KeyHeader = Type.Object({ "Idempotency-Key": IdempotencyKey });

/**
 * Returns the request with its key. Returns `undefined` without a key. `route` identifies the operation, and
 * `body` is the raw body. Throws bad_request if the key is empty or too long.
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
 * Returns the stored response of an earlier request with the same key. Returns `undefined` for a new key.
 * Throws unprocessable if the key was used with another body.
 */
export function findStoredAnswer<Answer>(
  core: Core,
  context: RequestContext,
  request: IdempotentRequest,
): Answer | undefined {
  const answer = storedAnswer(core, request);
  return answer === undefined ? undefined : replay(context, answer);
}

/** Runs a write once per key and returns the stored response. Call this function in a transaction. */
export function answerOnce<Answer>(
  core: Core,
  context: RequestContext,
  request: IdempotentRequest,
  write: () => Answer,
): Answer {
  const { answer, replayed } = runOnce(core, request, () => JSON.stringify(write()));
  return replayed ? replay(context, answer) : JSON.parse(answer);
}

function replay<Answer>(context: RequestContext, answer: string): Answer {
  context.headers["Idempotency-Replayed"] = "true";
  return JSON.parse(answer);
}
