import { type Static, Type } from "@sinclair/typebox";
import { DeliveryFilter, listDeliveriesOf } from "../../core/outbox/deliveries/delivery-log.ts";
import { Choice } from "../../core/base/check.ts";
import { fault, refuseFields } from "../../core/base/errors.ts";
import { ALL_EVENT_NAMES } from "../../core/outbox/events/catalogue.ts";
import {
  AppView,
  type Endpoint,
  EndpointChange,
  EndpointDraft,
  EndpointView,
  OwnerView,
  SecretView,
} from "../../core/outbox/webhooks/endpoint.ts";
import { listEndpoints } from "../../core/outbox/webhooks/webhooks.ts";
import { DisabledView, HEALTH_STATES, HealthView } from "../../core/outbox/webhooks/health.ts";
import { webhookOperations } from "../../operations/webhooks.ts";
import { type ConnectionArgs, batchedConnection } from "../connection.ts";
import { enumOf, fieldsOf, readFilter } from "../inputs.ts";
import { DELETED_PAYLOAD, mutationOf } from "../mutation.ts";
import { output, payloadOf } from "../outputs.ts";
import { queryOf } from "../query.ts";
import { DeliveryConnection, EndpointRef, node } from "./refs.ts";
import { EventTypeEnum, knownValues } from "./enums.ts";

output("DisabledWebhook", DisabledView, "When and why an endpoint was disabled.");
enumOf("WebhookHealthState", HEALTH_STATES, "The health of an endpoint.", {
  ok: "The last attempt was acknowledged, or there was none yet.",
  failing: "The last attempt failed.",
  disabled: "Nothing is sent to the endpoint.",
});
output(
  "WebhookHealth",
  HealthView,
  "The health of an endpoint, and the time since which it has failed or been disabled.",
);
output<NonNullable<Endpoint["owner"]["app"]>>("WebhookApp", AppView, "The app that registered an endpoint.", {
  out: ["id"],
  fields: (t) => ({ appId: t.id({ description: "The identifier of the app.", resolve: ({ id }) => id }) }),
});
output("WebhookOwner", OwnerView, "The owner of an endpoint.");

node(EndpointRef, {
  description: "A webhook endpoint of the current workspace.",
  kind: "whe",
  many: (core, caller, ids) => listEndpoints(core, caller).filter(({ id }) => ids.includes(id)),
  view: EndpointView,
  texts: { events: "Use `eventTypes`, which is an enum." },
  fields: (t) => ({
    eventTypes: t.field({
      type: [EventTypeEnum],
      description: "The event types that the endpoint subscribes to.",
      resolve: ({ events }) => knownValues(ALL_EVENT_NAMES, events),
    }),
    deliveries: t.field({
      type: DeliveryConnection,
      description: "The deliveries to the endpoint, newest first.",
      args: { ...t.arg.connectionArgs(), ...fieldsOf(t.arg, DeliveryFilter, "Deliveries") },
      resolve({ id }, args, { core, caller, batch }) {
        const filter = readFilter(DeliveryFilter, args);
        return batchedConnection(
          batch,
          `deliveries ${filter.state}`,
          id,
          args as ConnectionArgs,
          (ids, request) => listDeliveriesOf(core, caller, ids, filter, request),
        );
      },
    }),
  }),
});

queryOf("webhook", webhookOperations.getWebhook, EndpointRef);

const ENDPOINT = { webhook: { type: EndpointRef, description: "The endpoint." } };
const WITH_SECRET = {
  payload: {
    ...ENDPOINT,
    ...payloadOf(SecretView),
  },
  toPayload: ({ secret, ...webhook }: Endpoint & { secret: string }) => ({ webhook, secret }),
};

/**
 * The `eventTypes` input field, whose values are an enum. REST has only `events`, whose values are strings.
 */
const EventTypes = Type.Optional(
  Type.Array(Choice(ALL_EVENT_NAMES), {
    minItems: 1,
    maxItems: 20,
    description: "The event types to receive.",
  }),
);
const Events = { ...EndpointChange.properties.events, deprecated: "Use `eventTypes`, which is an enum." };
const Draft = Type.Object({ url: EndpointDraft.properties.url, event_types: EventTypes, events: Events });
const Change = Type.Object({ ...EndpointChange.properties, event_types: EventTypes, events: Events });

/** Merges the event types of `event_types` and `events`. Omits `events` if both are missing. */
function withTypes<Given extends { events?: string[]; event_types?: string[] }>(given: Given) {
  const { events, event_types, ...draft } = given;
  const types = [...new Set([...(event_types ?? []), ...(events ?? [])])];
  return { ...draft, ...(types.length > 0 ? { events: types } : {}) };
}

mutationOf(webhookOperations.registerWebhook, {
  ...WITH_SECRET,
  draft: Draft,
  toDraft(given: Static<typeof Draft>) {
    const { events, url } = withTypes(given);
    if (!events) throw refuseFields([fault("eventTypes", "missing")]);
    return { url, events };
  },
});
mutationOf(webhookOperations.changeWebhook, {
  payload: ENDPOINT,
  draft: Change,
  toDraft: (given: Static<typeof Change>) => withTypes(given),
});
mutationOf(webhookOperations.deleteWebhook, DELETED_PAYLOAD);
mutationOf(webhookOperations.rotateWebhookSecret, WITH_SECRET);
