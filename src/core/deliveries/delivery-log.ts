import { type Caller, requireBuilder } from "../access/caller.ts";
import type { Core } from "../core.ts";
import { conflict, notFound } from "../errors.ts";
import { recordTestEvent } from "../events/events.ts";
import { isId, lastIdAt } from "../ids.ts";
import { cursorKey, type Page, pageOf, type PageRequest } from "../page.ts";
import { getEndpoint } from "../webhooks/webhooks.ts";
import type { DeliveryState } from "./deliveries.ts";
import {
  findDelivery,
  requeue,
  requeueFailed,
  selectAttempts,
  selectDeliveries,
} from "./delivery-log-store.ts";

/** What became of one event on its way to one endpoint. Times in ms since the epoch. */
export interface Delivery {
  id: string;
  eventId: string;
  eventType: string;
  endpointId: string;
  state: DeliveryState;
  /** How many attempts have ended. */
  attempts: number;
  /** When the next attempt is due; null where none is. */
  dueAt: number | null;
  createdAt: number;
  settledAt: number | null;
}

export interface AttemptRecord {
  id: string;
  startedAt: number;
  durationMs: number;
  /** The status of the answer; null where none came. */
  status: number | null;
  /** What went wrong, in words; null for an acknowledged attempt. */
  error: string | null;
  /** The beginning of the answer, as text. */
  answer: string | null;
}

/** The deliveries of an endpoint, newest first. Needs `webhooks:read`. Throws not_found. */
export function listDeliveries(
  core: Core,
  caller: Caller,
  endpointId: string,
  filter: { state?: DeliveryState | undefined },
  request: PageRequest,
): Page<Delivery> {
  getEndpoint(core, caller, endpointId);
  const scope = { list: "deliveries", filters: { endpointId, ...filter } };
  const key = cursorKey(
    request,
    scope,
    (parts): parts is [string] => parts.length === 1 && isId("dlv", parts[0]),
  );
  const rows = selectDeliveries(core, endpointId, filter.state, key?.[0] ?? "dlv_~", request.limit + 1);
  return pageOf(rows, request, scope, (delivery) => [delivery.id]);
}

/** One delivery with its attempts in order. Needs `webhooks:read`. Throws not_found. */
export function getDelivery(core: Core, caller: Caller, id: string): Delivery & { log: AttemptRecord[] } {
  const { workspaceId } = requireBuilder(caller, "webhooks:read");
  const delivery = findDelivery(core, workspaceId, id);
  if (!delivery) throw unknownDelivery();
  return { ...delivery, log: selectAttempts(core, id) };
}

/**
 * Sends a `webhook.test` event to one endpoint, whatever it subscribes to, and returns its delivery. Needs
 * `webhooks:write`. Throws not_found; conflict where the endpoint is disabled.
 */
export function sendTest(core: Core, caller: Caller, endpointId: string): Delivery {
  const { workspaceId } = requireBuilder(caller, "webhooks:write");
  return core.db.transact(() => {
    refuseDisabled(core, caller, endpointId);
    const delivery = findDelivery(core, workspaceId, recordTestEvent(core, workspaceId, endpointId));
    if (!delivery) throw new Error("a delivery that was just made is not there");
    return delivery;
  });
}

/**
 * Makes a failed or waiting delivery due now, with the whole schedule before it again. Needs `webhooks:write`. Throws
 * not_found; conflict where it is acknowledged or running, or its endpoint is disabled.
 */
export function retryDelivery(core: Core, caller: Caller, id: string): Delivery {
  const { workspaceId } = requireBuilder(caller, "webhooks:write");
  return core.db.transact(() => {
    const delivery = findDelivery(core, workspaceId, id);
    if (!delivery) throw unknownDelivery();
    if (delivery.state === "acknowledged")
      throw conflict("This delivery is acknowledged; there is nothing to retry.");
    if (delivery.state === "attempting") throw conflict("This delivery is being attempted right now.");
    refuseDisabled(core, caller, delivery.endpointId);
    requeue(core, id, core.clock.now());
    core.wake();
    return findDelivery(core, workspaceId, id) ?? delivery;
  });
}

/**
 * Makes everything due now that failed for this endpoint and was fired after `since` (ms since the epoch), and returns how
 * many that were. Needs `webhooks:write`. Throws not_found; conflict where the endpoint is disabled.
 */
export function recoverDeliveries(core: Core, caller: Caller, endpointId: string, since: number): number {
  requireBuilder(caller, "webhooks:write");
  return core.db.transact(() => {
    refuseDisabled(core, caller, endpointId);
    core.wake();
    return requeueFailed(core, endpointId, lastIdAt("dlv", since), core.clock.now());
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
