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
import type { FixableFinding } from "../../core/services/checkup/checkup.ts";
import type { DataContext } from "../../core/services/checkup/context.ts";
import { machineClock } from "../../core/base/clock.ts";
import { steadyBase } from "../../core/outbox/deliveries/monotonic-time.ts";
import { nameOfServer } from "../../delivery/mail-server.ts";
import type { Check, CheckContext } from "./context.ts";

/** A server whose write waits for the lock tries again every five milliseconds. */
const PAUSE_MS = 10;

/**
 * The checks of what is in the database (docs/contract.md#12.12). Damage comes first: what is damaged follows from
 * nothing. Counts come before full text: to fix tags indexes them, too.
 */
export const DATABASE_CHECKS: readonly Check[] = [
  of("quick_check", (context, { isSampled }) => checkPages(context, isSampled)),
  of("foreign_keys", (context, { isSampled }) => checkReferences(context, isSampled)),
  of("counts", checkCounts),
  of("full_text", (context, { isSampled }) => checkFullText(context, isSampled)),
  of("xp", checkXp),
  of("event_log", checkEventLog),
  of("deliveries", (context, { isServed }) => checkDeliveries(context, isServed)),
  of("outgoing", (context, { isServed, config: { smtpUrl } }) =>
    checkOutgoing(context, isServed, smtpUrl === undefined ? undefined : nameOfServer(smtpUrl)),
  ),
  of("endpoints", checkEndpoints),
  of("unfinished_work", (context, { isServed }) => checkUnfinishedWork(context, isServed)),
];

/** Where the database does not open, `openFolder` has said why. */
function of(
  name: string,
  run: (
    data: DataContext,
    context: CheckContext,
  ) => readonly FixableFinding[] | Promise<readonly FixableFinding[]>,
): Check {
  return {
    name,
    async run(context) {
      const { db, now, progress } = context;
      if (!db) return [];
      const { steady } = machineClock(steadyBase({ db }, now()));
      const pause = (): Promise<void> => Bun.sleep(PAUSE_MS);
      return await run({ db, clock: { now, steady }, pause, progress }, context);
    },
  };
}
