import { checkPages, checkReferences } from "../../core/services/checkup/integrity.ts";
import { checkCounts, checkEventLog } from "../../core/services/checkup/derived.ts";
import { checkFullText } from "../../core/services/checkup/full-text.ts";
import { checkXp } from "../../core/services/checkup/xp.ts";
import {
  checkDeliveries,
  checkEndpoints,
  checkUnfinishedWork,
} from "../../core/services/checkup/deliveries.ts";
import { checkOutgoing } from "../../core/services/checkup/outgoing.ts";
import type { CheckResult } from "../../core/services/checkup/checkup.ts";
import type { DataContext } from "../../core/services/checkup/context.ts";
import { machineClock } from "../../core/base/clock.ts";
import { steadyBase } from "../../core/outbox/deliveries/monotonic-time.ts";
import { nameOfServer } from "../../delivery/mail-server.ts";
import type { Check, CheckContext } from "./context.ts";

/** A server whose write waits for the lock tries again every five milliseconds. */
const PAUSE_MS = 10;

/**
 * The checks of what is in the database (docs/contract.md#12.12). Damage comes first: what is damaged follows
 * from nothing. Counts come before full text: to fix tags indexes them, too.
 */
export const DATABASE_CHECKS: Readonly<Record<string, Check>> = {
  quick_check: onDatabase((data, { isSampled }) => checkPages(data, isSampled)),
  foreign_keys: onDatabase((data, { isSampled }) => checkReferences(data, isSampled)),
  counts: onDatabase(checkCounts),
  full_text: onDatabase((data, { isSampled }) => checkFullText(data, isSampled)),
  xp: onDatabase(checkXp),
  event_log: onDatabase(checkEventLog),
  deliveries: onDatabase((data, { isServed }) => checkDeliveries(data, isServed)),
  outgoing: onDatabase((data, { isServed, config: { smtpUrl } }) =>
    checkOutgoing(data, isServed, smtpUrl === undefined ? undefined : nameOfServer(smtpUrl)),
  ),
  endpoints: onDatabase(checkEndpoints),
  unfinished_work: onDatabase((data, { isServed }) => checkUnfinishedWork(data, isServed)),
};

/** Where the database does not open, `openFolder` has said why. */
function onDatabase(check: (data: DataContext, context: CheckContext) => CheckResult): Check {
  return (context) => {
    const { db, now, progress } = context;
    if (!db) return undefined;
    const { steady } = machineClock(steadyBase({ db }, now()));
    return check({ db, clock: { now, steady }, pause: () => Bun.sleep(PAUSE_MS), progress }, context);
  };
}
