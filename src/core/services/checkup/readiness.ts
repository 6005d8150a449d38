import { type Caller, requireAdmin } from "../../identity/access/caller.ts";
import type { Core } from "../../base/core.ts";

/** Why a server may not be ready (docs/contract.md#12.13), as text for people. */
export const READINESS_FAILURES = {
  fenced: "another node leads this community",
  write: "writes fail",
  delivery: "deliveries are not being sent",
  disk: "the disk is full",
  schema: "the database has another schema version",
  database: "the database is damaged",
  copy: "there is no copy of the database to read from",
  stalled: "the copy of the database is not updated",
} as const;

export type ReadinessFailure = keyof typeof READINESS_FAILURES;

/** Registers the server's readiness check for `currentFailures`. */
export function registerReadiness(core: Core, check: () => Promise<readonly ReadinessFailure[]>): void {
  core.memory(registeredCheck).check = check;
}

/**
 * Returns why the server is not ready now; an empty list if the server is ready. Returns undefined if no
 * server runs. Only for admins.
 */
export async function currentFailures(
  core: Core,
  caller: Caller,
): Promise<readonly ReadinessFailure[] | undefined> {
  requireAdmin(caller);
  return await core.memory(registeredCheck).check?.();
}

function registeredCheck(): { check?: () => Promise<readonly ReadinessFailure[]> } {
  return {};
}
