import { Type } from "@sinclair/typebox";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { type IdKind, lastIdAt } from "../../base/ids.ts";
import { forgetEndedSecrets } from "../webhooks/secrets.ts";
import {
  countWaitingFor,
  deleteDeliveries,
  deleteEvents,
  findOffSince,
  giveUpOldest,
  scanDeliveries,
  type ScannedRow,
  scanEvents,
  selectEndpointsWithBacklog,
} from "./cleanup-store.ts";

/** Reasons for which a delivery fails before its last attempt: each code with its message. */
export const GIVEN_UP = {
  endpoint_off: "The endpoint was disabled for three days. Enable it, then retry this delivery.",
  subject_gone: "The content was deleted or hidden before it could be delivered.",
  backlog_full:
    "The endpoint was disabled, and 1,000 newer deliveries were waiting. Enable it, then retry this delivery.",
} as const;
export type GivenUp = keyof typeof GIVEN_UP;

export const GivenUpView = Type.Object({
  code: Type.Unsafe<GivenUp>(
    Type.String({ description: `The reason as a code: ${Object.keys(GIVEN_UP).join(", ")}.` }),
  ),
  reason: Type.String({ description: "The reason in words." }),
});

/** Default time to keep settled deliveries and events. */
export const DELIVERIES_RETENTION_MS = 30 * DAY;

/**
 * Limits for deliveries to a disabled endpoint (docs/contract.md#6.5): the time since the endpoint was
 * disabled, and the number of waiting deliveries.
 */
export const BACKLOG_MS = 3 * DAY;
export const BACKLOG_MAX = 1000;
/** Number of deliveries given up, or number of rows deleted, per transaction. A batch takes a few ms. */
const BATCH = 100;
const ENDPOINTS_AT_ONCE = 8;

/**
 * Cleans up deliveries. A periodic task calls this function.
 * - Gives up deliveries that exceed the backlog of a disabled endpoint.
 * - Deletes settled deliveries and events older than `keepMs`.
 * - Deletes expired signing secrets.
 *
 * Each scan reads its rows once, in batches. `pause` runs between two batches, so that other work can use the
 * thread and the database.
 */
export async function cleanUpDeliveries(
  core: Core,
  keepMs: number,
  pause: () => Promise<void>,
): Promise<void> {
  await boundBacklogs(core, pause);
  const before = core.clock.now() - keepMs;
  await walk(core, pause, "dlv", before, scanDeliveries, deleteDeliveries);
  await walk(core, pause, "evt", before, scanEvents, deleteEvents);
  while ((await core.db.write(() => forgetEndedSecrets(core, BATCH))) === BATCH) await pause();
}

async function boundBacklogs(core: Core, pause: () => Promise<void>): Promise<void> {
  for (let after = ""; ;) {
    const endpoints = selectEndpointsWithBacklog(core, after, ENDPOINTS_AT_ONCE);
    for (const { id, offSince } of endpoints) {
      while (offSince !== null && (await core.db.write(() => giveUpSome(core, id))) > 0) await pause();
    }
    const last = endpoints.at(-1);
    if (last === undefined || endpoints.length < ENDPOINTS_AT_ONCE) return;
    after = last.id;
    await pause();
  }
}

/**
 * Gives up one batch of deliveries, if the endpoint has been disabled for too long or has too many waiting
 * deliveries. Returns the number of changed rows.
 */
function giveUpSome(core: Core, endpointId: string): number {
  const now = core.clock.now();
  // Reads `offSince` again inside the transaction, because the endpoint may have been enabled since the first
  // read.
  const offSince = findOffSince(core, endpointId);
  if (offSince === null) return 0;
  if (now - offSince >= BACKLOG_MS) return giveUpOldest(core, endpointId, "endpoint_off", now, BATCH);
  const excess = countWaitingFor(core, endpointId, BACKLOG_MAX + BATCH) - BACKLOG_MAX;
  return excess > 0 ? giveUpOldest(core, endpointId, "backlog_full", now, excess) : 0;
}

async function walk(
  core: Core,
  pause: () => Promise<void>,
  kind: IdKind,
  before: number,
  scan: (core: Core, after: string, before: string, limit: number) => ScannedRow[],
  remove: (core: Core, ids: readonly string[]) => void,
): Promise<void> {
  const end = lastIdAt(kind, before);
  for (let after = ""; ;) {
    const scanned = scan(core, after, end, BATCH);
    const deletable = scanned.filter(({ isDeletable }) => isDeletable === 1).map(({ id }) => id);
    if (deletable.length > 0) await core.db.write(() => remove(core, deletable));
    const last = scanned.at(-1);
    if (last === undefined || scanned.length < BATCH) return;
    after = last.id;
    await pause();
  }
}
