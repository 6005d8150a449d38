import { record } from "../audit/audit.ts";
import type { Core } from "../../base/core.ts";
import { accountState, type Failure } from "./account-state.ts";
import { findStanding } from "../builders/builders.ts";

/**
 * Maximum number of refused sign-ins kept in memory. Further refused sign-ins are dropped, because the
 * beginning of a flood is enough for the log.
 */
const WAITING_MAX = 1000;

/**
 * Keeps a refused sign-in in memory for the audit log, at most ten per hour and account. A write to the
 * database during the sign-in would take measurable time, so a later write stores the refused sign-in.
 */
export function noteFailure(core: Core, failure: Omit<Failure, "at">): void {
  const { failures, attemptLimits: guard } = core.memory(accountState);
  if (failures.length < WAITING_MAX && guard.shouldRecordRefusal(failure.builderId))
    failures.push({ ...failure, at: core.clock.now() });
}

/**
 * Runs a write that also records the pending refused sign-ins. If the write fails, the refused sign-ins wait
 * for the next write.
 */
export async function writeWithFailures<Result>(core: Core, change: () => Result): Promise<Result> {
  const { failures } = core.memory(accountState);
  const taken = failures.splice(0);
  try {
    return await core.db.write(() => {
      for (const { builderId, means, address, at } of taken) {
        // Skip an account that was deleted after the refused sign-in.
        if (!findStanding(core, builderId)) continue;
        record(core, {
          act: "session.refused",
          actor: null,
          subject: builderId,
          detail: { means },
          address,
          at,
        });
      }
      return change();
    });
  } catch (error) {
    failures.unshift(...taken);
    throw error;
  }
}
