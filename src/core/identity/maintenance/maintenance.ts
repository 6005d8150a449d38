import { type Clock, MINUTE } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { getSetting } from "../../base/db/settings.ts";
import { refuseFor } from "../../base/errors.ts";
import type { Caller } from "../access/caller.ts";

/** That nothing changes for a while (docs/contract.md#12.17.1). Times in ms since the epoch. */
export interface Maintenance {
  since: number;
  /** When it ends by itself; null where somebody ends it. */
  until: number | null;
  /** A sentence or two for whoever is told of it. */
  message: string;
}

/** For how long a client waits where nobody has said when it ends. */
const RETRY_MS = 5 * MINUTE;

/**
 * Undefined where everything goes its way. It stands in the database, so that a command beside the server
 * says it, and a restart changes nothing: asked whenever it matters, in some microseconds.
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
 * Lets whoever runs the community change things, and everybody where there is no maintenance. Throws
 * unavailable for all others; `caller` is undefined for a stranger.
 */
export function refuseInMaintenance(core: Core, caller: Pick<Caller, "scopes"> | undefined): void {
  const maintenance = maintenanceOf(core);
  if (!maintenance || caller?.scopes.has("admin")) return;
  const { until, message } = maintenance;
  throw refuseFor("maintenance", until === null ? RETRY_MS : until - core.clock.now(), { message });
}
