import { type Static, Type } from "@sinclair/typebox";
import { type Caller, requireBuilder, requireScope } from "../../identity/access/caller.ts";
import { SCOPE_NAMES } from "../../identity/access/scopes.ts";
import { Choice, type Filtered } from "../../base/check.ts";
import type { Core } from "../../base/core.ts";
import { refuse, refuseAt } from "../../base/errors.ts";
import { ALL_EVENT_NAMES, CATALOGUE, EventTypeView, isAnyEventType } from "../events/catalogue.ts";
import { recordTestEvent } from "../events/events.ts";
import { isId } from "../../base/ids.ts";
import { type Page, type PageRequest, pagesOf } from "../../base/page.ts";
import { Id, Enum, orNull, Timestamp } from "../../base/view.ts";
import { getEndpoint, listEndpoints, requireTypesOfGrant } from "../webhooks/webhooks.ts";
import { DELIVERY_STATES } from "./deliveries.ts";
import {
  findDelivery,
  isSubjectGone,
  selectAttempts,
  selectAttemptsById,
  selectDeliveries,
  selectDeliveriesById,
} from "./delivery-log-store.ts";
import type { LogReader } from "./delivery-reader.ts";
import { FAILURE_CODES, type FailureCode } from "./failures.ts";
import { beginRecovery, type Recovered, type RecoveryRange } from "./recovery.ts";
import type { Params } from "../../base/refusals/sentence.ts";
import { GIVEN_UP, GivenUpView } from "./cleanup.ts";
import { requeue } from "./recovery-store.ts";

/** The delivery of one event to one endpoint. `LogReader` defines who may read the delivery. */
export const DeliveryView = Type.Object(
  {
    id: Id("dlv_01kafzq8e5f2r8v0j3n6s1t4wx", "The identifier of the delivery."),
    eventId: Id("evt_01kafzq8e5f2r8v0j3n6s1t4wx", "The event that is delivered."),
    eventType: EventTypeView,
    endpointId: Id("whe_01kafzq8e5f2r8v0j3n6s1t4wx", "The endpoint that receives the delivery."),
    state: {
      ...Enum(DELIVERY_STATES, `The state of the delivery: ${DELIVERY_STATES.join(", ")}.`),
      examples: ["awaiting_retry"],
    },
    attempts: Type.Integer({ description: "The number of finished attempts.", examples: [1] }),
    nextAttemptAt: orNull(Timestamp(), {
      description: "The time of the next attempt. `null` if none is due.",
      examples: ["2026-11-20T09:30:30.000Z"],
    }),
    createdAt: Timestamp({ description: "The time of the event." }),
    settledAt: orNull(Timestamp(), {
      description: "The time at which the delivery was acknowledged or failed for good. `null` until then.",
      examples: [null],
    }),
    givenUp: orNull(GivenUpView, {
      description: `Why the delivery failed before all attempts were made, as a code (${Object.keys(GIVEN_UP).join(", ")}) and in words. \`null\` in all other cases.`,
      examples: [null],
    }),
  },
  { $id: "Delivery" },
);
export type Delivery = Static<typeof DeliveryView>;

/** One POST request to a receiver. */
export const AttemptView = Type.Object({
  id: Id("att_01kafzq8e5f2r8v0j3n6s1t4wx", "The identifier of the attempt."),
  startedAt: Timestamp({
    description: "The time at which the attempt started.",
    examples: ["2026-11-20T09:30:00.002Z"],
  }),
  durationMs: Type.Integer({ description: "The duration of the attempt, in milliseconds.", examples: [41] }),
  status: orNull(Type.Integer(), {
    description: "The status of the response. `null` if no response arrived.",
    examples: [503],
  }),
  error: orNull(Type.String(), {
    description: "The failure in words. `null` if the attempt was acknowledged.",
    examples: ["The receiver responded with status 503."],
  }),
  code: orNull(Type.String(), {
    description: `The failure as a code (${FAILURE_CODES.join(", ")}). \`null\` if the attempt was acknowledged, or was made by an earlier version that had no codes.`,
    examples: ["status"],
  }),
  answer: orNull(Type.String(), {
    description:
      "The first KiB of the response, as text. `null` after the content that was sent has been deleted, hidden, or edited.",
    examples: ["upstream is restarting"],
  }),
});

export interface AttemptRecord extends Static<typeof AttemptView> {
  deliveryId: string;
  code: FailureCode | null;
  /** Parameters of the error message. */
  params?: Params | undefined;
}

export const TestDraft = Type.Object({
  type: Type.Optional(
    Type.String({
      description: `The type of the event: ${ALL_EVENT_NAMES.join(", ")}. Default: \`webhook.test\`.`,
      examples: ["webhook.test"],
    }),
  ),
});

export const DeliveryFilter = Type.Object({
  state: Type.Optional(Choice(DELIVERY_STATES, "Return only deliveries in this state.")),
});
export type DeliveryFilter = Filtered<typeof DeliveryFilter>;

/** Returns the deliveries of an endpoint, newest first. Needs `webhooks:read`. Throws not_found. */
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

/**
 * Returns the deliveries of many endpoints at once. Leaves out endpoints of other workspaces. Needs
 * `webhooks:read`.
 */
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

/** Returns deliveries by id. Leaves out deliveries of other workspaces. Needs `webhooks:read`. */
export function getDeliveries(core: Core, caller: Caller, ids: readonly string[]): Delivery[] {
  return selectDeliveriesById(core, requireBuilder(caller, "webhooks:read"), ids);
}

/** Returns attempts by id. Leaves out attempts of other workspaces. Needs `webhooks:read`. */
export function getAttempts(core: Core, caller: Caller, ids: readonly string[]): AttemptRecord[] {
  return selectAttemptsById(core, requireBuilder(caller, "webhooks:read"), ids);
}

/**
 * Returns the attempts of many deliveries, oldest first. Leaves out deliveries of other workspaces. Needs
 * `webhooks:read`.
 */
export function attemptsOf(
  core: Core,
  caller: Caller,
  deliveryIds: readonly string[],
): ReadonlyMap<string, readonly AttemptRecord[]> {
  const own = getDeliveries(core, caller, deliveryIds).map(({ id }) => id);
  const logs = selectAttempts(core, own);
  return new Map(own.map((id) => [id, logs.get(id) ?? []]));
}

/** Returns one delivery with its attempts, oldest first. Needs `webhooks:read`. Throws not_found. */
export function getDelivery(core: Core, caller: Caller, id: string): Delivery & { log: AttemptRecord[] } {
  const delivery = findDelivery(core, requireBuilder(caller, "webhooks:read"), id);
  if (!delivery) throw unknownDelivery();
  return { ...delivery, log: selectAttempts(core, [id]).get(id) ?? [] };
}

/**
 * Sends a test event to one endpoint and returns the delivery. The endpoint need not be subscribed to the
 * type. Needs `webhooks:write`. A type other than `webhook.test` also needs the scope of that event type.
 * Throws forbidden, not_found, unprocessable for an unknown type, and conflict if the endpoint is disabled.
 */
export function sendTest(
  core: Core,
  caller: Caller,
  endpointId: string,
  type: string = "webhook.test",
): Delivery {
  const reader = requireBuilder(caller, "webhooks:write");
  if (!isAnyEventType(type)) throw refuseAt("type", "event_type_unknown", { types: ALL_EVENT_NAMES });
  if (type !== "webhook.test") requireScope(caller, CATALOGUE[type].scope);
  return core.db.transact(() => {
    refuseDisabled(core, caller, endpointId);
    requireTypesOfGrant(core, endpointId, [type]);
    const id = recordTestEvent(core, reader.workspaceId, endpointId, type);
    // Returns the test delivery even if the caller lacks the scope of the event type, because test data
    // reveals nothing.
    const delivery = findDelivery(core, { ...reader, scopes: new Set(SCOPE_NAMES) }, id);
    if (!delivery) throw new Error("a delivery that was just made is not there");
    return delivery;
  });
}

/**
 * Sends a delivery again. The delivery may be in any state except attempting. The delivery becomes due at
 * once, with all attempts of the schedule. Needs `webhooks:write`. Throws not_found. Throws conflict if an
 * attempt is running, the endpoint is disabled or the subject is gone.
 */
export function retryDelivery(core: Core, caller: Caller, id: string): Delivery {
  const reader = requireBuilder(caller, "webhooks:write");
  return core.db.transact(() => {
    const delivery = findDelivery(core, reader, id);
    if (!delivery) throw unknownDelivery();
    if (delivery.state === "attempting") throw refuse("delivery_attempting");
    refuseDisabled(core, caller, delivery.endpointId);
    if (isSubjectGone(core, id)) throw refuse("delivery_subject_gone");
    requeue(core, id, core.clock.steady());
    core.wake();
    return findDelivery(core, reader, id) ?? delivery;
  });
}

/**
 * Starts to resend the deliveries of an endpoint in the range `wanted`. By default, the failed deliveries are
 * resent. Returns how many of these deliveries the caller may read. Deliveries that only the endpoint's
 * creator may read are resent but not counted. Needs `webhooks:write`. Throws not_found. Throws conflict if
 * the endpoint is disabled or too many recoveries are running.
 */
export function recoverDeliveries(
  core: Core,
  caller: Caller,
  endpointId: string,
  wanted: RecoveryRange,
): Recovered {
  const reader = requireBuilder(caller, "webhooks:write");
  return core.db.transact(() => {
    refuseDisabled(core, caller, endpointId);
    core.wake();
    return beginRecovery(core, reader, endpointId, wanted);
  });
}

function refuseDisabled(core: Core, caller: Caller, endpointId: string): void {
  if (getEndpoint(core, caller, endpointId, "webhooks:write").disabled) {
    throw refuse("endpoint_disabled");
  }
}

function unknownDelivery() {
  return refuse("delivery_unknown");
}
