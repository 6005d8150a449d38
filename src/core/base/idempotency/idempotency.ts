import { createHash } from "node:crypto";
import { Text } from "../check.ts";
import { DAY, SECOND } from "../clock.ts";
import type { Core } from "../core.ts";
import { refuse, refuseFor } from "../errors.ts";
import { deleteKeysBefore, findKey, storeAnswer } from "./idempotency-store.ts";

/** Identifies a request that is safe to retry: one key for one intended effect. */
export interface IdempotentRequest {
  builderId: string;
  /**
   * Workspace of the request. The workspace is part of the key, because tokens of two workspaces may use the
   * same key text.
   */
  workspaceId: string;
  /** Method and path. A request with the same key on another route is a different request. */
  route: string;
  key: string;
  /** The request body exactly as sent. */
  body: string;
}

export const IdempotencyKey = Text({
  max: 255,
  description:
    "A key that makes a retry safe. For 24 hours, the same key with the same body returns the first response again.",
  examples: ["5f1d7a1e-launch-post"],
});

/** Lifetime of a key (docs/contract.md#2.16). */
export const ANSWERS_RETENTION_MS = DAY;

/**
 * Runs `effect` once per key and stores its response in the same transaction. A repeated request gets the
 * stored response. A refused effect stores nothing and leaves the key free. Throws unprocessable when the key
 * was used with another body. Call it inside a transaction.
 */
export function runOnce(
  core: Core,
  request: IdempotentRequest,
  effect: () => string,
): { answer: string; replayed: boolean } {
  const earlier = storedAnswer(core, request);
  if (earlier !== undefined) return { answer: earlier, replayed: true };
  const answer = effect();
  storeAnswer(core, request, {
    fingerprint: fingerprintOf(request),
    answer: core.secrets.seal("idempotent-answer", answerOwner(request), answer),
    createdAt: core.clock.now(),
  });
  return { answer, replayed: false };
}

/**
 * Returns the stored response to this request from the last 24 hours, if any. Throws unprocessable when the
 * key was used with another body.
 */
export function storedAnswer(core: Core, request: IdempotentRequest): string | undefined {
  const earlier = findKey(core, request);
  if (!earlier || earlier.createdAt <= core.clock.now() - ANSWERS_RETENTION_MS) return undefined;
  if (!earlier.fingerprint.equals(fingerprintOf(request))) {
    throw refuse("idempotency_key_reused");
  }
  return core.secrets.open("idempotent-answer", answerOwner(request), earlier.answer);
}

function fingerprintOf({ body }: IdempotentRequest): Buffer {
  return createHash("sha256").update(body).digest();
}

/** Returns the associated data for sealing the response. It binds the sealed response to its request. */
export function answerOwner({
  builderId,
  workspaceId,
  route,
  key,
}: Pick<IdempotentRequest, "builderId" | "workspaceId" | "route" | "key">): string {
  return `${builderId} ${workspaceId} ${route} ${key}`;
}

/** Returns the keys of requests without a response yet; see `withKeyLock`. */
function keysInUse(): Set<string> {
  return new Set();
}

/** Runs `work` while no other request holds the same key. Throws conflict when another request holds it. */
export async function withKeyLock<Result>(
  core: Core,
  request: IdempotentRequest,
  work: () => Promise<Result>,
): Promise<Result> {
  const held = core.memory(keysInUse);
  const name = answerOwner(request);
  if (held.has(name)) {
    throw refuseFor("idempotency_key_in_flight", SECOND);
  }
  held.add(name);
  try {
    return await work();
  } finally {
    held.delete(name);
  }
}

/** Deletes expired keys in batches. Called periodically. */
export async function forgetOldKeys(core: Core): Promise<void> {
  const before = core.clock.now() - ANSWERS_RETENTION_MS;
  while ((await core.db.write(() => deleteKeysBefore(core, before, 500))) > 0);
}
