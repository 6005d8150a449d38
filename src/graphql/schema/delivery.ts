import { FAILURE_CODES } from "../../core/outbox/deliveries/failures.ts";
import { DELIVERY_STATES } from "../../core/outbox/deliveries/deliveries.ts";
import {
  attemptsOf,
  type Delivery,
  getDeliveries,
  getDelivery,
  retryDelivery,
} from "../../core/outbox/deliveries/delivery-log.ts";
import { GIVEN_UP } from "../../core/outbox/deliveries/upkeep.ts";
import { ALL_EVENT_NAMES } from "../../core/outbox/events/catalogue.ts";
import { getEvents } from "../../core/outbox/events/events.ts";
import { listEndpoints } from "../../core/outbox/webhooks/webhooks.ts";
import { byId } from "../batch.ts";
import { builder } from "../builder.ts";
import { enumOf } from "../inputs.ts";
import { mutation } from "../mutation.ts";
import { AttemptRef, DeliveryRef, EndpointRef, EventRef, node } from "./refs.ts";
import { EventTypeEnum, known } from "./words.ts";

export const DeliveryState = enumOf("DeliveryState", DELIVERY_STATES, "Where a delivery stands.", {
  attempting: "An attempt is under way.",
  awaiting_retry: "The next attempt is due at `nextAttemptAt`.",
  acknowledged: "The receiver has answered 2xx.",
  failed: "All attempts have failed.",
});

const GivenUp = builder.objectRef<NonNullable<Delivery["givenUp"]>>("GivenUp").implement({
  description: "Why a delivery failed without all of its attempts.",
  fields: (t) => ({
    code: t.exposeString("code", { description: `For programs: ${Object.keys(GIVEN_UP).join(", ")}.` }),
    reason: t.exposeString("reason", { description: "The same in words." }),
  }),
});

node(DeliveryRef, {
  description: "What became of one event on its way to one endpoint.",
  fields: (t) => ({
    eventType: t.exposeString("eventType", {
      description: "Such as `post.created`.",
      deprecationReason: "Use `kind`, which is an enum.",
    }),
    kind: t.field({
      type: EventTypeEnum,
      nullable: true,
      description: "What it tells of; null for a type that this program no longer knows.",
      resolve: ({ eventType }) => known(ALL_EVENT_NAMES, [eventType])[0] ?? null,
    }),
    event: t.field({
      type: EventRef,
      nullable: true,
      description: "What it tells; null where it is private to another member of the workspace.",
      resolve: ({ eventId }, _, { core, caller, batch }) =>
        batch("events", eventId, (ids) => byId(getEvents(core, caller, ids))),
    }),
    endpoint: t.field({
      type: EndpointRef,
      nullable: true,
      description: "Where it goes.",
      resolve: ({ endpointId }, _, { core, caller, batch }) =>
        batch("endpoints", endpointId, () => byId(listEndpoints(core, caller))),
    }),
    state: t.field({ type: DeliveryState, description: "Where it stands.", resolve: ({ state }) => state }),
    attempts: t.exposeInt("attempts", { description: "How many attempts have ended." }),
    nextAttemptAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "When the next attempt is due; null where none is.",
      resolve: ({ state, dueAt }) => (state === "awaiting_retry" ? dueAt : null),
    }),
    createdAt: t.field({
      type: "DateTime",
      description: "When the event happened.",
      resolve: ({ createdAt }) => createdAt,
    }),
    settledAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "When it was acknowledged or failed for good.",
      resolve: ({ settledAt }) => settledAt,
    }),
    givenUp: t.field({
      type: GivenUp,
      nullable: true,
      description: "Why it failed without all of its attempts; null for any other.",
      resolve: ({ givenUp }) => givenUp,
    }),
    log: t.field({
      type: [AttemptRef],
      description: "The attempts, in order.",
      resolve: async ({ id }, _, { core, caller, batch }) =>
        (await batch("attempts of", id, (ids) => attemptsOf(core, caller, ids))) ?? [],
    }),
  }),
});

node(AttemptRef, {
  description: "One POST to a receiver.",
  fields: (t) => ({
    delivery: t.field({
      type: DeliveryRef,
      nullable: true,
      description: "The delivery that it was made for.",
      resolve: ({ deliveryId }, _, { core, caller, batch }) =>
        batch("deliveries", deliveryId, (ids) => byId(getDeliveries(core, caller, ids))),
    }),
    startedAt: t.field({
      type: "DateTime",
      description: "When it began.",
      resolve: ({ startedAt }) => startedAt,
    }),
    durationMs: t.exposeInt("durationMs", { description: "How long it took, in milliseconds." }),
    status: t.exposeInt("status", {
      nullable: true,
      description: "The answer's status; null where none came.",
    }),
    error: t.exposeString("error", { nullable: true, description: "What went wrong, in words." }),
    code: t.exposeString("code", {
      nullable: true,
      description: `The same as a code: ${FAILURE_CODES.join(", ")}. Null where it was acknowledged, and for attempts from before there were codes.`,
    }),
    answer: t.exposeString("answer", {
      nullable: true,
      description: "The first KiB of the answer, as text.",
    }),
  }),
});

builder.queryField("delivery", (t) =>
  t.field({
    type: DeliveryRef,
    nullable: true,
    description:
      "One delivery of the current workspace. Needs `webhooks:read`. Refused as `not_found` elsewhere.",
    args: { id: t.arg.id({ required: true, description: "Its identifier." }) },
    resolve: (_root, { id }, { core, caller }) => getDelivery(core, caller, id),
  }),
);

/** What a mutation of a delivery gives back. */
export const DELIVERY = { delivery: { type: DeliveryRef, description: "The delivery." } };

mutation("retryDelivery", {
  description:
    "Sends a delivery again now, whether it failed, waits or was acknowledged. Needs `webhooks:write`.",
  once: "webhooks:write",
  names: { id: "The delivery." },
  payload: DELIVERY,
  run: ({ core, caller, named: { id }, commit }) =>
    commit(() => ({ delivery: retryDelivery(core, caller, id) })),
});
