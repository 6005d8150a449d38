import { Type } from "@sinclair/typebox";
import { Choice } from "../core/check.ts";
import { isoTime } from "../core/clock.ts";
import { DELIVERY_STATES } from "../core/deliveries/deliveries.ts";
import {
  type AttemptRecord,
  type Delivery,
  getDelivery,
  listDeliveries,
  recoverDeliveries,
  retryDelivery,
  sendTest,
} from "../core/deliveries/delivery-log.ts";
import { listEvents } from "../core/events/events.ts";
import { Moment, parseMoment } from "../core/moment.ts";
import { operation } from "./operation.ts";
import { pageParameters, PageOf, pageRequest, presentPage } from "./page.ts";

const moment = Type.String({ format: "date-time" });
const momentOrNull = (description: string) => Type.Union([moment, Type.Null()], { description });

const fields = {
  id: Type.String(),
  event_id: Type.String(),
  event_type: Type.String(),
  endpoint_id: Type.String(),
  state: Type.Union(
    DELIVERY_STATES.map((name) => Type.Literal(name)),
    { description: DELIVERY_STATES.join(", ") },
  ),
  attempts: Type.Integer({ description: "How many attempts have ended." }),
  next_attempt_at: momentOrNull("When the next attempt is due; null where none is."),
  created_at: moment,
  settled_at: momentOrNull("When it was acknowledged or failed for good."),
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
        answer: Type.Union([Type.String(), Type.Null()], {
          description: "The first KiB of the answer, as text.",
        }),
      }),
      { description: "The attempts, in order." },
    ),
  },
  { $id: "DeliveryDetail" },
);
const EventEnvelope = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    created_at: moment,
    data: Type.Record(Type.String(), Type.Unknown(), { description: "The payload of its type." }),
  },
  { $id: "Event" },
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
};
const ofEndpoint = { name: "id", description: "The endpoint's identifier.", example: example.endpoint_id };
const ofDelivery = { name: "id", description: "The delivery's identifier.", example: example.id };

export const deliveryOperations = [
  operation({
    id: "testWebhook",
    method: "POST",
    path: "/webhooks/{id}/test",
    group: "Deliveries",
    summary: "Send a test event to a webhook endpoint",
    description: "A `webhook.test` event, whatever the endpoint subscribes to. The answer is its delivery.",
    scope: "webhooks:write",
    param: ofEndpoint,
    answer: {
      status: 201,
      description: "The delivery",
      schema: DeliveryAnswer,
      example: { ...example, event_type: "webhook.test" },
    },
    refusals: [404, 409, 422],
    handle: ({ core, caller, id, commit }) =>
      commit(() => {
        const delivery = sendTest(core, caller, id);
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
    summary: "Attempt a delivery again now",
    description: "For one that failed or waits; the whole schedule stands before it again.",
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
    summary: "Attempt everything again that failed since a moment",
    scope: "webhooks:write",
    param: ofEndpoint,
    body: Type.Object({ since: Moment({ examples: ["2026-11-20T00:00:00Z"] }) }),
    answer: {
      status: 200,
      description: "How many deliveries are due again",
      schema: Type.Object({ recovered: Type.Integer() }, { $id: "Recovery" }),
      example: { recovered: 12 },
    },
    refusals: [400, 404, 409, 422],
    handle: ({ core, caller, id, body, commit }) =>
      commit(() => ({
        status: 200,
        body: { recovered: recoverDeliveries(core, caller, id, parseMoment(body.since) ?? 0) },
      })),
  }),
  operation({
    id: "listEvents",
    method: "GET",
    path: "/events",
    group: "Deliveries",
    summary: "Pull events instead of receiving them, oldest first",
    description:
      "All that your workspace may see of the days that the operator keeps events for, 30 by default: for a receiver behind a firewall, or after an outage. At the end, go on later with `since` set to the last `created_at` you have, and drop ids that you know.",
    scope: "webhooks:read",
    query: Type.Object({
      ...pageParameters,
      since: Type.Optional(
        Moment({ description: "Only events fired after this moment.", examples: ["2026-11-20T09:30:00Z"] }),
      ),
    }),
    answer: {
      status: 200,
      description: "One page of events, each as it is delivered",
      schema: PageOf("EventPage", EventEnvelope),
      example: {
        data: [
          {
            id: example.event_id,
            type: "post.created",
            created_at: example.created_at,
            data: {
              post: {
                id: "post_01kafzq8e5f2r8v0j3n6s1t4wx",
                author_id: "builder_01kafzq8e5f2r8v0j3n6s1t4wx",
                title: "Shipped",
                url: "https://guild.example/posts/post_01kafzq8e5f2r8v0j3n6s1t4wx",
              },
            },
          },
        ],
        next: null,
      },
    },
    refusals: [400],
    handle: ({ core, caller, query }) =>
      presentPage(
        listEvents(
          core,
          caller,
          { since: query.since === undefined ? undefined : parseMoment(query.since) },
          pageRequest(query),
        ),
        (event) => JSON.parse(event.body),
      ),
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
  };
}

function presentAttempt(attempt: AttemptRecord) {
  return {
    id: attempt.id,
    started_at: isoTime(attempt.startedAt),
    duration_ms: attempt.durationMs,
    status: attempt.status,
    error: attempt.error,
    answer: attempt.answer,
  };
}
