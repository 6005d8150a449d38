import { type Caller, requireBuilder } from "../access/caller.ts";
import type { Core } from "../core.ts";
import { conflict, notFound } from "../errors.ts";
import { recordTestEvent } from "../events/events.ts";
import { isId, lastIdAt } from "../ids.ts";
import { type Page, type PageRequest, pagesOf } from "../page.ts";
import { getEndpoint, listEndpoints } from "../webhooks/webhooks.ts";
import type { DeliveryState } from "./deliveries.ts";
import {
  findDelivery,
  selectAttempts,
  selectAttemptsById,
  selectDeliveries,
  selectDeliveriesById,
} from "./delivery-log-store.ts";
import type { LogReader } from "./delivery-reader.ts";
import { beginRecovery } from "./recovery.ts";
import { requeue } from "./recovery-store.ts";

/** What became of one event on its way to one endpoint; who may read it: `LogReader`. Times in ms since the epoch. */
export interface Delivery {
  id: string;
  eventId: string;
  eventType: string;
  endpointId: string;
  state: DeliveryState;
  /** How many attempts have ended. */
  attempts: number;
  /** When the next attempt is due; null where none is, or its endpoint is disabled. */
  dueAt: number | null;
  createdAt: number;
  settledAt: number | null;
}

export interface AttemptRecord {
  id: string;
  deliveryId: string;
  startedAt: number;
  durationMs: number;
  /** The status of the answer; null where none came. */
  status: number | null;
  /** What went wrong, in words; null for an acknowledged attempt. */
  error: string | null;
  /** The beginning of the answer, as text. */
  answer: string | null;
}

export interface DeliveryFilter {
  state?: DeliveryState | undefined;
}

/** The deliveries of an endpoint, newest first. Needs `webhooks:read`. Throws not_found. */
export function listDeliveries(
  core: Core,
  caller: Caller,
  endpointId: string,
  filter: DeliveryFilter,
  request: PageRequest,
): Page<Delivery> {
  getEndpoint(core, caller, endpointId);
  const reader = requireBuilder(caller, "webhooks:read");
  return deliveriesOf(core, reader, [endpointId], filter, request).get(endpointId) as Page<Delivery>;
}

/** The same for many endpoints at once; those of other workspaces are left out. */
export function listDeliveriesOf(
  core: Core,
  caller: Caller,
  endpointIds: readonly string[],
  filter: DeliveryFilter,
  request: PageRequest,
): ReadonlyMap<string, Page<Delivery>> {
  const own = new Set(listEndpoints(core, caller).map(({ id }) => id));
  return deliveriesOf(
    core,
    requireBuilder(caller, "webhooks:read"),
    endpointIds.filter((id) => own.has(id)),
    filter,
    request,
  );
}

function deliveriesOf(
  core: Core,
  reader: LogReader,
  ids: readonly string[],
  filter: DeliveryFilter,
  request: PageRequest,
) {
  return pagesOf<Delivery, string>(ids, request, {
    scopeOf: (endpointId) => ({ list: "deliveries", filters: { endpointId, ...filter } }),
    isKey: (parts): parts is [string] => parts.length === 1 && isId("dlv", parts[0]),
    select: (walks) => selectDeliveries(core, reader, walks, filter.state, request),
    keyOf: ({ id }) => id,
  });
}

/** Many deliveries at once, by their ids; those to other workspaces are left out. Needs `webhooks:read`. */
export function getDeliveries(core: Core, caller: Caller, ids: readonly string[]): Delivery[] {
  return selectDeliveriesById(core, requireBuilder(caller, "webhooks:read"), ids);
}

/** Many attempts at once, by their ids. Otherwise the same. */
export function getAttempts(core: Core, caller: Caller, ids: readonly string[]): AttemptRecord[] {
  return selectAttemptsById(core, requireBuilder(caller, "webhooks:read"), ids);
}

/** The attempts on many deliveries, each in order. Otherwise the same. */
export function attemptsOf(
  core: Core,
  caller: Caller,
  deliveryIds: readonly string[],
): ReadonlyMap<string, readonly AttemptRecord[]> {
  const own = getDeliveries(core, caller, deliveryIds).map(({ id }) => id);
  const logs = selectAttempts(core, own);
  return new Map(own.map((id) => [id, logs.get(id) ?? []]));
}

/** One delivery with its attempts in order. Needs `webhooks:read`. Throws not_found. */
export function getDelivery(core: Core, caller: Caller, id: string): Delivery & { log: AttemptRecord[] } {
  const delivery = findDelivery(core, requireBuilder(caller, "webhooks:read"), id);
  if (!delivery) throw unknownDelivery();
  return { ...delivery, log: selectAttempts(core, [id]).get(id) ?? [] };
}

/**
 * Sends a `webhook.test` event to one endpoint, whatever it subscribes to, and returns its delivery. Needs
 * `webhooks:write`. Throws not_found; conflict where the endpoint is disabled.
 */
export function sendTest(core: Core, caller: Caller, endpointId: string): Delivery {
  const reader = requireBuilder(caller, "webhooks:write");
  return core.db.transact(() => {
    refuseDisabled(core, caller, endpointId);
    const delivery = findDelivery(core, reader, recordTestEvent(core, reader.workspaceId, endpointId));
    if (!delivery) throw new Error("a delivery that was just made is not there");
    return delivery;
  });
}

/**
 * Makes a failed or waiting delivery due now, with the whole schedule before it again. Needs `webhooks:write`. Throws
 * not_found; conflict where it is acknowledged or running, or its endpoint is disabled.
 */
export function retryDelivery(core: Core, caller: Caller, id: string): Delivery {
  const reader = requireBuilder(caller, "webhooks:write");
  return core.db.transact(() => {
    const delivery = findDelivery(core, reader, id);
    if (!delivery) throw unknownDelivery();
    if (delivery.state === "acknowledged")
      throw conflict("This delivery is acknowledged; there is nothing to retry.");
    if (delivery.state === "attempting") throw conflict("This delivery is being attempted right now.");
    refuseDisabled(core, caller, delivery.endpointId);
    requeue(core, id, core.clock.now());
    core.wake();
    return findDelivery(core, reader, id) ?? delivery;
  });
}

/**
 * Makes everything due now that failed for this endpoint and was fired after `since` (ms since the epoch), and returns how
 * many of them the caller may read: what is private to whoever added the endpoint goes to their own address again, uncounted. Needs `webhooks:write`. Throws not_found; conflict where the endpoint is disabled.
 */
export function recoverDeliveries(core: Core, caller: Caller, endpointId: string, since: number): number {
  const reader = requireBuilder(caller, "webhooks:write");
  return core.db.transact(() => {
    refuseDisabled(core, caller, endpointId);
    core.wake();
    return beginRecovery(core, reader, endpointId, lastIdAt("dlv", since));
  });
}

function refuseDisabled(core: Core, caller: Caller, endpointId: string): void {
  if (getEndpoint(core, caller, endpointId, "webhooks:write").disabled) {
    throw conflict("This endpoint is disabled; enable it first with PATCH `enabled`: true.");
  }
}

function unknownDelivery() {
  return notFound("There is no delivery with that id in this workspace.");
}
