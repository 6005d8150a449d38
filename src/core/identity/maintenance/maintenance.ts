import { type Clock, MINUTE } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { getSetting } from "../../base/db/settings.ts";
import { refuseFor } from "../../base/errors.ts";
import type { Caller } from "../access/caller.ts";

/** Maintenance mode: no changes for a while (docs/contract.md#12.17.1). Times in ms since the epoch. */
export interface Maintenance {
  since: number;
  /** Planned end; null when an admin or the operator ends it. */
  until: number | null;
  /** Message for members and clients, one or two sentences. */
  message: string;
}

/** `Retry-After` of a maintenance without a planned end. */
const RETRY_MS = 5 * MINUTE;

/**
 * Returns the current maintenance; undefined without one. Maintenance is stored in the database. So a command
 * can start it while the server runs, and it continues after a restart. A call costs some microseconds.
 */
export function maintenanceOf(
  core: Pick<Core, "db"> & { clock: Pick<Clock, "now"> },
): Maintenance | undefined {
  const text = getSetting(core, "maintenance");
  if (text === undefined) return undefined;
  const stored = JSON.parse(text) as Maintenance;
  return stored.until !== null && stored.until <= core.clock.now() ? undefined : stored;
}

/**
 * Throws unavailable in maintenance mode, except for callers with the scope `admin`. `caller` is undefined
 * for a guest.
 */
export function refuseInMaintenance(core: Core, caller: Pick<Caller, "scopes"> | undefined): void {
  const maintenance = maintenanceOf(core);
  if (!maintenance || caller?.scopes.has("admin")) return;
  const { until, message } = maintenance;
  throw refuseFor("maintenance", until === null ? RETRY_MS : until - core.clock.now(), { message });
}
