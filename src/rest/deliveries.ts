import { Type } from "@sinclair/typebox";
import { Choice } from "../core/ground/check.ts";
import { ALL_EVENT_NAMES } from "../core/outbox/events/catalogue.ts";
import { FAILURE_CODES } from "../core/outbox/deliveries/failures.ts";
import { isoTime } from "../core/ground/clock.ts";
import { DELIVERY_STATES } from "../core/outbox/deliveries/deliveries.ts";
import {
  type AttemptRecord,
  type Delivery,
  getDelivery,
  listDeliveries,
  recoverDeliveries,
  retryDelivery,
  sendTest,
} from "../core/outbox/deliveries/delivery-log.ts";
import { COUNTED_MAX, RecoverDraft, wantedOf } from "../core/outbox/deliveries/recovery.ts";
import { GIVEN_UP } from "../core/outbox/deliveries/upkeep.ts";
import { operation } from "./operation.ts";
import { pageParameters, PageOf, pageRequest, presentPage } from "./page.ts";
import { EventType } from "./parts.ts";

const moment = Type.String({ format: "date-time" });
const momentOrNull = (description: string) => Type.Union([moment, Type.Null()], { description });

const fields = {
  id: Type.String(),
  event_id: Type.String(),
  event_type: EventType,
  endpoint_id: Type.String(),
  state: Type.Union(
    DELIVERY_STATES.map((name) => Type.Literal(name)),
    { description: DELIVERY_STATES.join(", ") },
  ),
  attempts: Type.Integer({ description: "How many attempts have ended." }),
  next_attempt_at: momentOrNull("When the next attempt is due; null where none is."),
  created_at: moment,
  settled_at: momentOrNull("When it was acknowledged or failed for good."),
  given_up: Type.Union([Type.Object({ code: Type.String(), reason: Type.String() }), Type.Null()], {
    description: `Why it failed without all of its attempts, as a code (${Object.keys(GIVEN_UP).join(", ")}) and in words; null for any other.`,
  }),
};
const DeliveryAnswer = Type.Object(fields, { $id: "Delivery" });
const DeliveryDetail = Type.Object(
  {
    ...fields,
    log: Type.Array(
      Type.Object({
        id: Type.String(),
        started_at: moment,
        duration_ms: Type.Integer(),
        status: Type.Union([Type.Integer(), Type.Null()], {
          description: "The answer's status; null where none came.",
        }),
        error: Type.Union([Type.String(), Type.Null()], { description: "What went wrong, in words." }),
        code: Type.Union([Type.String(), Type.Null()], {
          description: `The same as a code: ${FAILURE_CODES.join(", ")}. Null where it was acknowledged, and for attempts from before there were codes.`,
        }),
        answer: Type.Union([Type.String(), Type.Null()], {
          description: "The first KiB of the answer, as text.",
        }),
      }),
      { description: "The attempts, in order." },
    ),
  },
  { $id: "DeliveryDetail" },
);
const example = {
  id: "dlv_01kafzq8e5f2r8v0j3n6s1t4wx",
  event_id: "evt_01kafzq8e5f2r8v0j3n6s1t4wx",
  event_type: "post.created",
  endpoint_id: "whe_01kafzq8e5f2r8v0j3n6s1t4wx",
  state: "awaiting_retry",
  attempts: 1,
  next_attempt_at: "2026-11-20T09:30:30.000Z",
  created_at: "2026-11-20T09:30:00.000Z",
  settled_at: null,
  given_up: null,
};
const ofEndpoint = { name: "id", description: "The endpoint's identifier.", example: example.endpoint_id };
const ofDelivery = { name: "id", description: "The delivery's identifier.", example: example.id };

const TestDraft = Type.Object({
  type: Type.Optional(
    Type.String({
      description: `The type of the event: ${ALL_EVENT_NAMES.join(", ")}; \`webhook.test\` if left out.`,
      examples: ["webhook.test"],
    }),
  ),
});

export const deliveryOperations = [
  operation({
    id: "testWebhook",
    method: "POST",
    path: "/webhooks/{id}/test",
    group: "Deliveries",
    summary: "Send a test event to a webhook endpoint",
    description:
      "A `webhook.test` event, or one of the `type` that you ask for, whatever the endpoint subscribes to: signed and sent as any other, with a payload of its schema about nothing that exists. Each identifier in it ends in 26 zeros, so that a receiver can tell. Such a test takes the scope that events of its type are read with. The answer is its delivery.",
    scope: "webhooks:write",
    param: ofEndpoint,
    body: TestDraft,
    isBodyOptional: true,
    answer: {
      status: 201,
      description: "The delivery",
      schema: DeliveryAnswer,
      example: { ...example, event_type: "webhook.test" },
    },
    refusals: [400, 404, 409, 422],
    handle: ({ core, caller, id, body, commit }) =>
      commit(() => {
        const delivery = sendTest(core, caller, id, body.type);
        return {
          status: 201,
          body: presentDelivery(delivery),
          headers: { location: `/v1/deliveries/${delivery.id}` },
        };
      }),
  }),
  operation({
    id: "listDeliveries",
    method: "GET",
    path: "/webhooks/{id}/deliveries",
    group: "Deliveries",
    summary: "List the deliveries of a webhook endpoint, newest first",
    scope: "webhooks:read",
    param: ofEndpoint,
    query: Type.Object({
      ...pageParameters,
      state: Type.Optional(Choice(DELIVERY_STATES, "Only deliveries in this state.")),
    }),
    answer: {
      status: 200,
      description: "One page of deliveries",
      schema: PageOf("DeliveryPage", DeliveryAnswer),
      example: { data: [example], next: null },
    },
    refusals: [400, 404],
    handle: ({ core, caller, id, query }) =>
      presentPage(
        listDeliveries(core, caller, id, { state: query.state }, pageRequest(query)),
        presentDelivery,
      ),
  }),
  operation({
    id: "getDelivery",
    method: "GET",
    path: "/deliveries/{id}",
    group: "Deliveries",
    summary: "Retrieve a delivery with its attempts",
    scope: "webhooks:read",
    param: ofDelivery,
    answer: {
      status: 200,
      description: "The delivery",
      schema: DeliveryDetail,
      example: {
        ...example,
        log: [
          {
            id: "att_01kafzq8e5f2r8v0j3n6s1t4wx",
            started_at: "2026-11-20T09:30:00.002Z",
            duration_ms: 41,
            status: 503,
            error: "The receiver answered 503.",
            code: "status",
            answer: "upstream is restarting",
          },
        ],
      },
    },
    refusals: [404],
    handle: ({ core, caller, id }) => {
      const { log, ...delivery } = getDelivery(core, caller, id);
      return { status: 200, body: { ...presentDelivery(delivery), log: log.map(presentAttempt) } };
    },
  }),
  operation({
    id: "retryDelivery",
    method: "POST",
    path: "/deliveries/{id}/retry",
    group: "Deliveries",
    summary: "Send a delivery again now",
    description:
      "Whether it failed, waits or was acknowledged; the whole schedule stands before it again. 409 while it is being attempted.",
    scope: "webhooks:write",
    param: ofDelivery,
    answer: {
      status: 200,
      description: "The delivery, due now",
      schema: DeliveryAnswer,
      example: { ...example, attempts: 7 },
    },
    refusals: [404, 409, 422],
    handle: ({ core, caller, id, commit }) =>
      commit(() => ({ status: 200, body: presentDelivery(retryDelivery(core, caller, id)) })),
  }),
  operation({
    id: "recoverWebhook",
    method: "POST",
    path: "/webhooks/{id}/recover",
    group: "Deliveries",
    summary: "Send a range again: what failed, what was acknowledged, what was missed",
    description:
      "By default all that failed since a moment. `state` takes what was acknowledged (too), for a receiver that lost what it had; `missed` makes deliveries for what fired while the endpoint was off or did not subscribe, of the types that it subscribes to now and since it was registered. The oldest first, by and by; each missed event gets one delivery, however often one asks. 409 where the endpoint is disabled, or six ranges of it are under way.",
    scope: "webhooks:write",
    param: ofEndpoint,
    body: RecoverDraft,
    answer: {
      status: 200,
      description: `How many deliveries of it you may read, each counted up to ${COUNTED_MAX.toLocaleString("en")}`,
      schema: Type.Object(
        {
          recovered: Type.Integer({ description: "Deliveries that are sent again." }),
          missed: Type.Optional(
            Type.Integer({ description: "Events that it had no delivery of; where `missed` was asked for." }),
          ),
        },
        { $id: "Recovery" },
      ),
      example: { recovered: 12 },
    },
    refusals: [400, 404, 409, 422],
    handle: ({ core, caller, id, body, commit }) =>
      commit(() => {
        const { recovered, missed } = recoverDeliveries(core, caller, id, wantedOf(body));
        return { status: 200, body: { recovered, ...(body.missed ? { missed } : {}) } };
      }),
  }),
];

function presentDelivery(delivery: Delivery) {
  return {
    id: delivery.id,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    endpoint_id: delivery.endpointId,
    state: delivery.state,
    attempts: delivery.attempts,
    next_attempt_at:
      delivery.state === "awaiting_retry" && delivery.dueAt !== null ? isoTime(delivery.dueAt) : null,
    created_at: isoTime(delivery.createdAt),
    settled_at: delivery.settledAt === null ? null : isoTime(delivery.settledAt),
    given_up: delivery.givenUp,
  };
}

function presentAttempt(attempt: AttemptRecord) {
  return {
    id: attempt.id,
    started_at: isoTime(attempt.startedAt),
    duration_ms: attempt.durationMs,
    status: attempt.status,
    error: attempt.error,
    code: attempt.code,
    answer: attempt.answer,
  };
}
