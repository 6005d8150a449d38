import type { Core } from "../core.ts";
import type { LogReader } from "./delivery-reader.ts";
import {
  countFailed,
  type Recovery,
  requeue,
  saveRecovery,
  selectFailed,
  selectRecovery,
} from "./recovery-store.ts";

/** So many are made due at once; each costs 10 µs. */
const RECOVERY_SLICE = 100;

/**
 * Makes everything due again that failed for this endpoint and was made after `afterId`, and returns how many a reader knows of. The
 * first of them are due at once; where they are many, `continueRecovery` does the rest. Call it in a transaction.
 */
export function beginRecovery(core: Core, reader: LogReader, endpointId: string, afterId: string): number {
  const running = selectRecovery(core, endpointId)?.afterId;
  const from = running !== undefined && running < afterId ? running : afterId;
  const count = countFailed(core, reader, endpointId, afterId);
  recoverSome(core, { endpointId, afterId: from });
  return count;
}

/** One slice more of a recovery. Returns whether one was under way. Call it in a transaction, again and again. */
export function continueRecovery(core: Core): boolean {
  const recovery = selectRecovery(core);
  if (recovery) recoverSome(core, recovery);
  return recovery !== undefined;
}

/** failed → awaiting_retry, the oldest first. */
function recoverSome(core: Core, { endpointId, afterId }: Recovery): void {
  const ids = selectFailed(core, endpointId, afterId, RECOVERY_SLICE);
  const now = core.clock.now();
  for (const id of ids) requeue(core, id, now);
  saveRecovery(core, endpointId, ids.length === RECOVERY_SLICE ? (ids.at(-1) ?? null) : null);
}
