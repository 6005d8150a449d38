import { record } from "../audit/audit.ts";
import type { Core } from "../../base/core.ts";
import { accountState, type Failure } from "./account-state.ts";
import { findStanding } from "../builders/builders.ts";

/** More than that wait for nobody: they are a flood, and its beginning tells enough. */
const WAITING_MAX = 1000;

/**
 * Keeps a refused sign-in for the audit log, ten an hour of an account. Writes nothing: it must take no time.
 */
export function noteFailure(core: Core, failure: Omit<Failure, "at">): void {
  const { failures, guard } = core.memory(accountState);
  if (failures.length < WAITING_MAX && guard.isWorthNoting(failure.builderId))
    failures.push({ ...failure, at: core.clock.now() });
}

/** A write that also records the refused sign-ins so far; where it fails, they wait for the next one. */
export async function writeWithFailures<Result>(core: Core, change: () => Result): Promise<Result> {
  const { failures } = core.memory(accountState);
  const taken = failures.splice(0);
  try {
    return await core.db.write(() => {
      for (const { builderId, means, address, at } of taken) {
        // Deleted since.
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
