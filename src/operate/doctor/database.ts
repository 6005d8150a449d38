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

/** Pause between two batches, in ms. A server's write that waits for the lock retries every 5 ms. */
const PAUSE_MS = 10;

/**
 * Checks of the database's contents (docs/contract.md#12.12). Damage is checked first, because nothing can be
 * concluded from damaged rows. Counts are checked before full text, because fixing tags also updates their
 * index.
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

/** Skips the check if the database did not open. `openFolder` has reported why. */
function onDatabase(check: (data: DataContext, context: CheckContext) => CheckResult): Check {
  return (context) => {
    const { db, now, progress } = context;
    if (!db) return undefined;
    const { steady } = machineClock(steadyBase({ db }, now()));
    return check({ db, clock: { now, steady }, pause: () => Bun.sleep(PAUSE_MS), progress }, context);
  };
}
