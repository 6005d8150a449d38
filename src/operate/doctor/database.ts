import { lookAtDamage, lookAtReferences } from "../../core/services/checkup/integrity.ts";
import { lookAtCounts } from "../../core/services/checkup/derived.ts";
import { lookAtIndexes } from "../../core/services/checkup/full-text.ts";
import { lookAtLedgers } from "../../core/services/checkup/xp.ts";
import {
  lookAtDeliveries,
  lookAtEndpoints,
  lookAtLog,
  lookAtUnfinished,
} from "../../core/services/checkup/deliveries.ts";
import { lookAtOutgoing } from "../../core/services/checkup/outgoing.ts";
import type { Finding } from "../../core/services/checkup/checkup.ts";
import type { Slices } from "../../core/services/checkup/context.ts";
import { machineClock } from "../../core/base/clock.ts";
import { steadyBase } from "../../core/outbox/deliveries/steady.ts";
import { nameOfServer } from "../../delivery/mail-server.ts";
import type { Look, Patient } from "./context.ts";

/** A server whose write waits for the lock tries again every five milliseconds. */
const PAUSE_MS = 10;

/**
 * The looks at what is in the database (docs/contract.md#12.12). Damage is looked for first: what is damaged
 * follows from nothing. Counts before full text: tags that are put right are indexed by that.
 */
export const DATABASE_LOOKS: readonly Look[] = [
  of("quick_check", (slices, { isSampled }) => lookAtDamage(slices, isSampled)),
  of("foreign_keys", (slices, { isSampled }) => lookAtReferences(slices, isSampled)),
  of("counts", lookAtCounts),
  of("full_text", (slices, { isSampled }) => lookAtIndexes(slices, isSampled)),
  of("xp", lookAtLedgers),
  of("event_log", lookAtLog),
  of("deliveries", (slices, { isServed }) => lookAtDeliveries(slices, isServed)),
  of("outgoing", (slices, { isServed, config: { smtpUrl } }) =>
    lookAtOutgoing(slices, isServed, smtpUrl === undefined ? undefined : nameOfServer(smtpUrl)),
  ),
  of("endpoints", lookAtEndpoints),
  of("unfinished_work", (slices, { isServed }) => lookAtUnfinished(slices, isServed)),
];

/** A database that does not open was told of on the way in. */
function of(
  name: string,
  look: (slices: Slices, patient: Patient) => readonly Finding[] | Promise<readonly Finding[]>,
): Look {
  return {
    name,
    async at(patient) {
      const { db, now, progress } = patient;
      if (!db) return [];
      const { steady } = machineClock(steadyBase({ db }, now()));
      const pause = (): Promise<void> => Bun.sleep(PAUSE_MS);
      return await look({ db, clock: { now, steady }, pause, progress }, patient);
    },
  };
}
