import { Type } from "@sinclair/typebox";
import { Choice } from "../../core/base/check.ts";
import { wordsOf } from "../../core/base/view.ts";
import { DELIVERY_STATES } from "../../core/outbox/deliveries/deliveries.ts";
import {
  getAttempts,
  attemptsOf,
  AttemptView,
  DeliveryView,
  getDeliveries,
  getDelivery,
} from "../../core/outbox/deliveries/delivery-log.ts";
import { RECOVER_STATES } from "../../core/outbox/deliveries/recovery.ts";
import { GivenUpView } from "../../core/outbox/deliveries/cleanup.ts";
import { ALL_EVENT_NAMES } from "../../core/outbox/events/catalogue.ts";
import { getEvents } from "../../core/outbox/events/events.ts";
import { listEndpoints } from "../../core/outbox/webhooks/webhooks.ts";
import { deliveryOperations } from "../../operations/deliveries.ts";
import { byId } from "../batch.ts";
import { builder } from "../builder.ts";
import { enumOf } from "../inputs.ts";
import { mutationOf } from "../mutation.ts";
import { output } from "../outputs.ts";
import { AttemptRef, DeliveryRef, EndpointRef, EventRef, node } from "./refs.ts";
import { EventTypeEnum, known } from "./words.ts";

enumOf("DeliveryState", DELIVERY_STATES, "Where a delivery stands.", {
  attempting: "An attempt is under way.",
  awaiting_retry: "The next attempt is due at `nextAttemptAt`.",
  acknowledged: "The receiver has answered 2xx.",
  failed: "All attempts have failed.",
});

output("GivenUp", GivenUpView, "Why a delivery failed without all of its attempts.");

node(DeliveryRef, {
  description: "What became of one event on its way to one endpoint.",
  kind: "dlv",
  many: getDeliveries,
  view: DeliveryView,
  out: ["eventId", "endpointId"],
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
      description: `${wordsOf(DeliveryView.properties.eventId)} Null where it is private to another member of the workspace.`,
      resolve: ({ eventId }, _, { core, caller, batch }) =>
        batch("events", eventId, (ids) => byId(getEvents(core, caller, ids))),
    }),
    endpoint: t.field({
      type: EndpointRef,
      nullable: true,
      description: wordsOf(DeliveryView.properties.endpointId),
      resolve: ({ endpointId }, _, { core, caller, batch }) =>
        batch("endpoints", endpointId, () => byId(listEndpoints(core, caller))),
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
  kind: "att",
  many: getAttempts,
  view: AttemptView,
  fields: (t) => ({
    delivery: t.field({
      type: DeliveryRef,
      nullable: true,
      description: "The delivery that it was made for.",
      resolve: ({ deliveryId }, _, { core, caller, batch }) =>
        batch("deliveries", deliveryId, (ids) => byId(getDeliveries(core, caller, ids))),
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

const DELIVERY = { payload: { delivery: { type: DeliveryRef, description: "The delivery." } } };
const { testWebhook, retryDelivery, recoverWebhook } = deliveryOperations;

mutationOf(retryDelivery, DELIVERY);
mutationOf(testWebhook, {
  ...DELIVERY,
  draft: Type.Object({
    type: Type.Optional(Choice(ALL_EVENT_NAMES, "The type of the event; `webhook.test` if left out.")),
  }),
});
enumOf("RecoverState", RECOVER_STATES, "Which deliveries of a range are sent again.", {
  failed: "Those that failed for good.",
  acknowledged: "Those that were acknowledged, for a receiver that has lost what it had.",
  any: "Both.",
});
mutationOf(recoverWebhook, {
  payload: {
    recovered: { type: "Int", description: "How many deliveries are sent again, counted up to 5,000." },
    missed: { type: "Int", description: "How many events it had no delivery of; counted likewise." },
  },
  show: ({ recovered, missed = 0 }) => ({ recovered, missed }),
});
