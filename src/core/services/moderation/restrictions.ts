import type { Core } from "../../base/core.ts";
import { record } from "../../identity/audit/audit.ts";
import { deleteRestriction, endedRestrictions } from "../../identity/standing/standing.ts";
import { liftSuspension } from "./decisions-store.ts";

/** Restrictions that are lifted per transaction. */
const BATCH = 100;

/**
 * Lifts the limits and suspensions whose end has passed. A member of a lifted suspension signs in with the
 * password. Runs periodically.
 */
export async function endRestrictions(core: Core): Promise<void> {
  while ((await core.db.write(() => endSome(core))) === BATCH);
}

function endSome(core: Core): number {
  const ended = endedRestrictions(core, BATCH);
  for (const { builderId, kind } of ended) {
    deleteRestriction(core, builderId, kind);
    if (kind === "suspended") liftSuspension(core, builderId);
    const act = kind === "suspended" ? "builder.restored" : "builder.unlimited";
    record(core, { act, actor: null, subject: builderId, address: null });
  }
  return ended.length;
}
