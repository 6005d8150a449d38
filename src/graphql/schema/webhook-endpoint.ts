import { listDeliveriesOf, recoverDeliveries, sendTest } from "../../core/outbox/deliveries/delivery-log.ts";
import { RECOVER_STATES, RecoverDraft, wantedOf } from "../../core/outbox/deliveries/recovery.ts";
import { Choice } from "../../core/ground/check.ts";
import { fault, refuseFields } from "../../core/ground/errors.ts";
import { ALL_EVENT_NAMES } from "../../core/outbox/events/catalogue.ts";
import {
  changeEndpoint,
  checkUrl,
  deleteEndpoint,
  type Endpoint,
  EndpointChange,
  EndpointDraft,
  getEndpoint,
  registerEndpoint,
  rotateSecret,
} from "../../core/outbox/webhooks/webhooks.ts";
import { DISABLED_REASONS, type Health, HEALTH_STATES } from "../../core/outbox/webhooks/health.ts";
import { Type } from "@sinclair/typebox";
import { builder } from "../builder.ts";
import { pageOf } from "../connection.ts";
import { enumOf } from "../inputs.ts";
import { mutation } from "../mutation.ts";
import { DELIVERY, DeliveryState } from "./delivery.ts";
import { DeliveryConnection, EndpointRef, node } from "./refs.ts";
import { EventTypeEnum, known } from "./words.ts";

enumOf("RecoverState", RECOVER_STATES, "Which deliveries of a range are sent again.", {
  failed: "Those that failed for good.",
  acknowledged: "Those that were acknowledged, for a receiver that has lost what it had.",
  any: "Both.",
});

const Disabled = builder.objectRef<NonNullable<Endpoint["disabled"]>>("DisabledWebhook").implement({
  description: "Since when nothing is sent to an endpoint, and why.",
  fields: (t) => ({
    at: t.field({ type: "DateTime", description: "Since when.", resolve: ({ at }) => at }),
    reason: t.exposeString("reason", { description: "Why, in words." }),
  }),
});

const HealthState = enumOf("WebhookHealthState", HEALTH_STATES, "How an endpoint does.", {
  ok: "Its last attempt was acknowledged, or none was made yet.",
  failing: "Its last attempt failed.",
  disabled: "Nothing is sent to it.",
});

const EndpointHealth = builder.objectRef<Health>("WebhookHealth").implement({
  description: "How an endpoint does, and since when.",
  fields: (t) => ({
    state: t.field({ type: HealthState, description: "How it does.", resolve: ({ state }) => state }),
    failingSince: t.field({
      type: "DateTime",
      nullable: true,
      description: "Since when nothing was acknowledged; null where the last attempt was.",
      resolve: ({ failingSince }) => failingSince,
    }),
    disabledAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "Since when nothing is sent to it.",
      resolve: ({ disabled }) => disabled?.at ?? null,
    }),
    code: t.string({
      nullable: true,
      description: `Why it is disabled: ${Object.keys(DISABLED_REASONS).join(", ")}. More may come.`,
      resolve: ({ disabled }) => disabled?.code ?? null,
    }),
    reason: t.string({
      nullable: true,
      description: "The same in words.",
      resolve: ({ disabled }) => disabled?.reason ?? null,
    }),
  }),
});

type Owner = Endpoint["owner"];

const EndpointApp = builder.objectRef<NonNullable<Owner["app"]>>("WebhookApp").implement({
  description: "The app that registered an endpoint.",
  fields: (t) => ({
    appId: t.id({ description: "The app.", resolve: ({ id }) => id }),
    name: t.exposeString("name", { description: "What it is called." }),
  }),
});

const EndpointOwner = builder.objectRef<Owner>("WebhookOwner").implement({
  description: "Whose an endpoint is.",
  fields: (t) => ({
    username: t.exposeString("username", {
      nullable: true,
      description: "Who gave its `url`; null where they are gone.",
    }),
    app: t.field({
      type: EndpointApp,
      nullable: true,
      description: "The app that did so in their name: the endpoint ends with what it was granted.",
      resolve: ({ app }) => app,
    }),
  }),
});

node(EndpointRef, {
  description: "A receiver of webhooks in the current workspace.",
  fields: (t) => ({
    url: t.exposeString("url", { description: "Where deliveries go." }),
    events: t.stringList({
      description: "The event types it gets.",
      deprecationReason: "Use `eventTypes`, which is of an enum.",
      resolve: ({ events }) => events,
    }),
    eventTypes: t.field({
      type: [EventTypeEnum],
      description: "The event types it gets.",
      resolve: ({ events }) => known(ALL_EVENT_NAMES, events),
    }),
    createdAt: t.field({
      type: "DateTime",
      description: "When it was registered.",
      resolve: ({ createdAt }) => createdAt,
    }),
    disabled: t.field({
      type: Disabled,
      nullable: true,
      description: "Since when nothing is sent to it, and why; null where deliveries go out.",
      resolve: ({ disabled }) => disabled,
    }),
    owner: t.field({ type: EndpointOwner, description: "Whose it is.", resolve: ({ owner }) => owner }),
    health: t.field({ type: EndpointHealth, description: "How it does.", resolve: (endpoint) => endpoint }),
    deliveries: t.field({
      type: DeliveryConnection,
      description: "What was sent to it, newest first.",
      args: {
        ...t.arg.connectionArgs(),
        state: t.arg({ type: DeliveryState, required: false, description: "Only deliveries in this state." }),
      },
      resolve: ({ id }, { state, ...args }, { core, caller, batch }) =>
        pageOf(batch, `deliveries ${state}`, id, args, (ids, request) =>
          listDeliveriesOf(core, caller, ids, { state: state ?? undefined }, request),
        ),
    }),
  }),
});

builder.queryFields((t) => ({
  webhook: t.field({
    type: EndpointRef,
    nullable: true,
    description:
      "One endpoint of the current workspace. Needs `webhooks:read`. Refused as `not_found` elsewhere.",
    args: { id: t.arg.id({ required: true, description: "Its identifier." }) },
    resolve: (_root, { id }, { core, caller }) => getEndpoint(core, caller, id),
  }),
}));

const ENDPOINT = { webhook: { type: EndpointRef, description: "The endpoint as it is now." } };
const WITH_SECRET = {
  ...ENDPOINT,
  secret: {
    type: "String",
    description: "The signing secret, shown only now: `whsec_` + base64 of 32 bytes.",
  },
};
const named = { id: "The endpoint." };

function withSecret({ secret, ...webhook }: Endpoint & { secret: string }) {
  return { webhook, secret };
}

/** The types as an enum, beside the texts that REST takes. */
const EventTypes = Type.Optional(
  Type.Array(Choice(ALL_EVENT_NAMES), { minItems: 1, maxItems: 20, description: "Event types to receive." }),
);
const Events = { ...EndpointChange.properties.events, deprecated: "Use `eventTypes`, which is of an enum." };
const Draft = Type.Object({ url: EndpointDraft.properties.url, event_types: EventTypes, events: Events });
const Change = Type.Object({ ...EndpointChange.properties, event_types: EventTypes, events: Events });

/** Undefined where neither is given. */
function typesOf({
  events,
  event_types,
}: {
  events?: string[];
  event_types?: string[];
}): string[] | undefined {
  return events || event_types ? [...new Set([...(event_types ?? []), ...(events ?? [])])] : undefined;
}

mutation("registerWebhook", {
  description: "Registers a receiver; the answer holds its signing secret. Needs `webhooks:write`.",
  once: "webhooks:write",
  draft: Draft,
  payload: WITH_SECRET,
  async run({ core, caller, draft, commit }) {
    const events = typesOf(draft);
    if (!events) throw refuseFields([fault("eventTypes", "missing")]);
    const url = await checkUrl(core, caller, draft.url);
    return commit(() => withSecret(registerEndpoint(core, caller, { url, events })));
  },
});

mutation("changeWebhook", {
  description: "Changes the address, the event types, or whether it is on. Needs `webhooks:write`.",
  names: named,
  draft: Change,
  payload: ENDPOINT,
  async run({ core, caller, named: { id }, draft, commit }) {
    const url = draft.url === undefined ? undefined : await checkUrl(core, caller, draft.url);
    const change = { url, enabled: draft.enabled, events: typesOf(draft) };
    return commit(() => ({ webhook: changeEndpoint(core, caller, id, change) }));
  },
});

mutation("deleteWebhook", {
  description:
    "Deletes an endpoint; what still waits to be delivered to it is dropped. Needs `webhooks:write`.",
  names: named,
  payload: { deletedId: { type: "ID", description: "What is gone." } },
  run: ({ core, caller, named: { id }, commit }) =>
    commit(() => {
      deleteEndpoint(core, caller, id);
      return { deletedId: id };
    }),
});

mutation("rotateWebhookSecret", {
  description:
    "Gives an endpoint a new signing secret; each one from before signs too for 24 hours from when it was replaced, five in all at most. Needs `webhooks:write`.",
  once: "webhooks:write",
  names: named,
  payload: WITH_SECRET,
  run: ({ core, caller, named: { id }, commit }) => commit(() => withSecret(rotateSecret(core, caller, id))),
});

mutation("testWebhook", {
  description:
    "Sends a test event to an endpoint, whatever it subscribes to: `webhook.test`, or made up of the type that is asked for, each identifier in it ending in 26 zeros. Needs `webhooks:write`, and the scope of the type.",
  once: "webhooks:write",
  names: named,
  draft: Type.Object({
    type: Type.Optional(Choice(ALL_EVENT_NAMES, "The type of the event; `webhook.test` if left out.")),
  }),
  payload: DELIVERY,
  run: ({ core, caller, named: { id }, draft, commit }) =>
    commit(() => ({ delivery: sendTest(core, caller, id, draft.type) })),
});

mutation("recoverWebhook", {
  description:
    "Sends a range again: what failed for an endpoint since a moment, or what was acknowledged, or what fired while it was off. Needs `webhooks:write`.",
  once: "webhooks:write",
  names: named,
  draft: RecoverDraft,
  payload: {
    recovered: { type: "Int", description: "How many deliveries are sent again, counted up to 5,000." },
    missed: { type: "Int", description: "How many events it had no delivery of; counted likewise." },
  },
  run: ({ core, caller, named: { id }, draft, commit }) =>
    commit(() => ({ ...recoverDeliveries(core, caller, id, wantedOf(draft)) })),
});
