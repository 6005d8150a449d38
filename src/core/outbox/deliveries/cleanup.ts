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
  passDeliveries,
  type WalkedRow,
  passEvents,
  selectWaitedFor,
} from "./cleanup-store.ts";

/** Why a delivery failed without all of its attempts, as a code and in words. */
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

/** What waits for an endpoint that is off is kept for so long, and so much of it (docs/contract.md#6.5). */
export const BACKLOG_MS = 3 * DAY;
export const BACKLOG_MAX = 1000;
/** So many deliveries are given up, or rows deleted, in one transaction: a few ms. */
const SLICE = 100;
const ENDPOINTS_AT_ONCE = 8;

/**
 * What time does to deliveries: those that wait for an endpoint that is off are bounded, those settled and
 * the events fired more than `keepMs` ago go, and so do secrets that sign no more. Each walk goes over its
 * rows once and in slices, however many of them stay; between two slices is a `pause`, for whoever else works
 * on this thread or wants the database. Called now and then.
 */
export async function cleanUpDeliveries(
  core: Core,
  keepMs: number,
  pause: () => Promise<void>,
): Promise<void> {
  await boundBacklogs(core, pause);
  const before = core.clock.now() - keepMs;
  await walk(core, pause, "dlv", before, passDeliveries, deleteDeliveries);
  await walk(core, pause, "evt", before, passEvents, deleteEvents);
  while ((await core.db.write(() => forgetEndedSecrets(core, SLICE))) === SLICE) await pause();
}

async function boundBacklogs(core: Core, pause: () => Promise<void>): Promise<void> {
  for (let after = ""; ;) {
    const endpoints = selectWaitedFor(core, after, ENDPOINTS_AT_ONCE);
    for (const { id, offSince } of endpoints) {
      while (offSince !== null && (await core.db.write(() => giveUpSome(core, id))) > 0) await pause();
    }
    const last = endpoints.at(-1);
    if (last === undefined || endpoints.length < ENDPOINTS_AT_ONCE) return;
    after = last.id;
    await pause();
  }
}

/** awaiting_retry → failed, one slice of what is too old or too much. How many. */
function giveUpSome(core: Core, endpointId: string): number {
  const now = core.clock.now();
  // Asked again inside: it may have been switched on meanwhile.
  const offSince = findOffSince(core, endpointId);
  if (offSince === null) return 0;
  if (now - offSince >= BACKLOG_MS) return giveUpOldest(core, endpointId, "endpoint_off", now, SLICE);
  const excess = countWaitingFor(core, endpointId, BACKLOG_MAX + SLICE) - BACKLOG_MAX;
  return excess > 0 ? giveUpOldest(core, endpointId, "backlog_full", now, excess) : 0;
}

async function walk(
  core: Core,
  pause: () => Promise<void>,
  kind: IdKind,
  before: number,
  pass: (core: Core, after: string, before: string, limit: number) => WalkedRow[],
  remove: (core: Core, ids: readonly string[]) => void,
): Promise<void> {
  const end = lastIdAt(kind, before);
  for (let after = ""; ;) {
    const passed = pass(core, after, end, SLICE);
    const free = passed.filter(({ isFree }) => isFree === 1).map(({ id }) => id);
    if (free.length > 0) await core.db.write(() => remove(core, free));
    const last = passed.at(-1);
    if (last === undefined || passed.length < SLICE) return;
    after = last.id;
    await pause();
  }
}
