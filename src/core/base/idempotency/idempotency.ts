import { createHash } from "node:crypto";
import { Text } from "../check.ts";
import { DAY, SECOND } from "../clock.ts";
import type { Core } from "../core.ts";
import { refuse, refuseFor } from "../errors.ts";
import { deleteKeysBefore, findKey, storeAnswer } from "./idempotency-store.ts";

/** What a client sends to make a retry safe: one key for one intended effect. */
export interface IdempotentRequest {
  builderId: string;
  /** A token of another workspace acts elsewhere: its key is another key. */
  workspaceId: string;
  /** Method and path: the same key on another route is another request. */
  route: string;
  key: string;
  /** The body as it was sent. */
  body: string;
}

export const IdempotencyKey = Text({
  max: 255,
  description:
    "A key that makes a retry safe. For 24 hours, the same key with the same body returns the first response again.",
  examples: ["5f1d7a1e-launch-post"],
});

/** Kept for 24 hours (docs/contract.md#2.16). */
const KEPT_MS = DAY;

/**
 * Runs `effect` once for each key: its answer is stored in the effect's own transaction, so either both are
 * there or neither, and the same request later gets that answer again. A refused effect stores nothing; the
 * key stays free. Throws unprocessable where the key came with another body. Call it inside a transaction.
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
 * What this request was answered within the last 24 hours, if it was. Throws unprocessable where the key came
 * with another body.
 */
export function storedAnswer(core: Core, request: IdempotentRequest): string | undefined {
  const earlier = findKey(core, request);
  if (!earlier || earlier.createdAt <= core.clock.now() - KEPT_MS) return undefined;
  if (!earlier.fingerprint.equals(fingerprintOf(request))) {
    throw refuse("idempotency_key_reused");
  }
  return core.secrets.open("idempotent-answer", answerOwner(request), earlier.answer);
}

function fingerprintOf({ body }: IdempotentRequest): Buffer {
  return createHash("sha256").update(body).digest();
}

/** To what a sealed answer is bound. */
export function answerOwner({
  builderId,
  workspaceId,
  route,
  key,
}: Pick<IdempotentRequest, "builderId" | "workspaceId" | "route" | "key">): string {
  return `${builderId} ${workspaceId} ${route} ${key}`;
}

/** Requests that hold a key and are not answered yet; see `withKeyLock`. */
function inFlight(): Set<string> {
  return new Set();
}

/** Runs `work` while no other request holds the same key. Throws conflict where one does. */
export async function withKeyLock<Result>(
  core: Core,
  request: IdempotentRequest,
  work: () => Promise<Result>,
): Promise<Result> {
  const held = core.memory(inFlight);
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

/** Drops keys that are past their 24 hours, a slice at a time. Called now and then. */
export async function forgetOldKeys(core: Core): Promise<void> {
  const before = core.clock.now() - KEPT_MS;
  while ((await core.db.write(() => deleteKeysBefore(core, before, 500))) > 0);
}
