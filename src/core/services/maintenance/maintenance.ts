import { check, Text } from "../../base/check.ts";
import { Type } from "@sinclair/typebox";
import { DAY, MINUTE, isoTime } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { clearSetting, setSetting } from "../../base/db/settings.ts";
import { refuse } from "../../base/errors.ts";
import { type Caller, requireAdmin } from "../../identity/access/caller.ts";
import { requireFresh } from "../../identity/accounts/sessions.ts";
import { recordBy } from "../../identity/audit/audit.ts";
import { type Maintenance, maintenanceOf } from "../../identity/maintenance/maintenance.ts";

/** Default message that clients and pages show in maintenance mode. */
export const USUAL_MESSAGE = "This community is being maintained.";
const MIN_MS = MINUTE;
const MAX_MS = 30 * DAY;

const Draft = Type.Object({
  message: Text({ max: 300, visible: true, line: true, examples: ["We are moving to a larger machine."] }),
});

/**
 * Turns on maintenance mode, which applies from the next request on. Reads continue, writes are refused
 * except for admins, and deliveries wait. Maintenance mode ends automatically after `forMs`. If maintenance
 * mode is already on, its message and end time are replaced and its start time is kept. Allowed for admins
 * with a recent sign-in, and for the operator. Throws forbidden, bad_request. Throws unprocessable for a
 * duration out of range.
 */
export function beginMaintenance(
  core: Core,
  caller: Caller,
  { message = USUAL_MESSAGE, forMs }: { message?: string | undefined; forMs?: number | undefined } = {},
): Maintenance {
  requireAdmin(caller);
  requireFresh(core, caller);
  const draft = check(Draft, { message });
  if (forMs !== undefined && !(forMs >= MIN_MS && forMs <= MAX_MS)) throw refuse("maintenance_length");
  return core.db.transact(() => {
    const now = core.clock.now();
    const since = maintenanceOf(core)?.since ?? now;
    const until = forMs === undefined ? null : now + Math.round(forMs);
    const maintenance = {
      since,
      until,
      message: /[.!?…]$/.test(draft.message) ? draft.message : `${draft.message}.`,
    };
    setSetting(core, "maintenance", JSON.stringify(maintenance));
    recordBy(core, caller, "maintenance.begun", null, {
      end: until === null ? "until it is ended" : `until ${isoTime(until)}`,
    });
    core.wake();
    return maintenance;
  });
}

/**
 * Turns off maintenance mode and returns whether it was on. Deliveries that waited continue immediately.
 * Allowed for admins, even without a recent sign-in, and for the operator. Throws forbidden.
 */
export function endMaintenance(core: Core, caller: Caller): boolean {
  requireAdmin(caller);
  return core.db.transact(() => {
    if (!maintenanceOf(core)) return false;
    clearSetting(core, "maintenance");
    recordBy(core, caller, "maintenance.ended", null);
    core.wake();
    return true;
  });
}
