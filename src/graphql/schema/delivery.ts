import { Type } from "@sinclair/typebox";
import { Choice } from "../../core/base/check.ts";
import { descriptionOf } from "../../core/base/view.ts";
import { DELIVERY_STATES } from "../../core/outbox/deliveries/deliveries.ts";
import {
  getAttempts,
  attemptsOf,
  AttemptView,
  DeliveryView,
  getDeliveries,
} from "../../core/outbox/deliveries/delivery-log.ts";
import { RECOVER_STATES, RecoveryView } from "../../core/outbox/deliveries/recovery.ts";
import { GivenUpView } from "../../core/outbox/deliveries/cleanup.ts";
import { ALL_EVENT_NAMES } from "../../core/outbox/events/catalogue.ts";
import { deliveryOperations } from "../../operations/deliveries.ts";
import { enumOf } from "../inputs.ts";
import { mutationOf } from "../mutation.ts";
import { nodeOf } from "../nodes.ts";
import { output, payloadOf } from "../outputs.ts";
import { queryOf } from "../query.ts";
import { AttemptRef, DeliveryRef, EndpointRef, EventRef, node } from "./refs.ts";
import { EventTypeEnum, knownValues } from "./enums.ts";

enumOf("DeliveryState", DELIVERY_STATES, "The state of a delivery.", {
  attempting: "An attempt is in progress.",
  awaiting_retry: "The next attempt is due at `nextAttemptAt`.",
  acknowledged: "The receiver answered with a 2xx status.",
  failed: "All attempts have failed.",
});

output("GivenUp", GivenUpView, "The reason why a delivery failed before all attempts were made.");

node(DeliveryRef, {
  description: "The delivery of one event to one endpoint.",
  kind: "dlv",
  many: getDeliveries,
  view: DeliveryView,
  out: ["eventId", "endpointId"],
  texts: { eventType: "Use `kind`, which is an enum." },
  fields: (t) => ({
    kind: t.field({
      type: EventTypeEnum,
      nullable: true,
      description: "The type of the event. `null` for a type that this version no longer knows.",
      resolve: ({ eventType }) => knownValues(ALL_EVENT_NAMES, [eventType])[0] ?? null,
    }),
    event: t.field({
      type: EventRef,
      nullable: true,
      description: `${descriptionOf(DeliveryView.properties.eventId)} \`null\` if the event is private to another member of the workspace.`,
      resolve: ({ eventId }, _, context) => nodeOf(context, eventId) as never,
    }),
    endpoint: t.field({
      type: EndpointRef,
      nullable: true,
      description: descriptionOf(DeliveryView.properties.endpointId),
      resolve: ({ endpointId }, _, context) => nodeOf(context, endpointId) as never,
    }),
    log: t.field({
      type: [AttemptRef],
      description: "All attempts, oldest first.",
      resolve: async ({ id }, _, { core, caller, batch }) =>
        (await batch("attempts of", id, (ids) => attemptsOf(core, caller, ids))) ?? [],
    }),
  }),
});

node(AttemptRef, {
  description: "One attempt to deliver an event, by an HTTP POST.",
  kind: "att",
  many: getAttempts,
  view: AttemptView,
  fields: (t) => ({
    delivery: t.field({
      type: DeliveryRef,
      nullable: true,
      description: "The delivery that the attempt belongs to.",
      resolve: ({ deliveryId }, _, context) => nodeOf(context, deliveryId) as never,
    }),
  }),
});

queryOf("delivery", deliveryOperations.getDelivery, DeliveryRef);

const DELIVERY = { payload: { delivery: { type: DeliveryRef, description: "The delivery." } } };
const { testWebhook, retryDelivery, recoverWebhook } = deliveryOperations;

mutationOf(retryDelivery, DELIVERY);
mutationOf(testWebhook, {
  ...DELIVERY,
  draft: Type.Object({
    type: Type.Optional(Choice(ALL_EVENT_NAMES, "The type of the event. Default: `webhook.test`.")),
  }),
});
enumOf("RecoverState", RECOVER_STATES, "The state of the deliveries that are sent again.", {
  failed: "Deliveries that failed for good.",
  acknowledged: "Deliveries that were acknowledged, for a receiver that lost its data.",
  any: "Failed and acknowledged deliveries.",
});
mutationOf(recoverWebhook, {
  payload: payloadOf(RecoveryView),
  toPayload: ({ recovered, missed = 0 }) => ({ recovered, missed }),
});
