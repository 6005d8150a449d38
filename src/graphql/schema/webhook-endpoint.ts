import { DELIVERY_STATES } from "../../core/deliveries/deliveries.ts";
import {
  attemptsOf,
  getDeliveries,
  getDelivery,
  listDeliveriesOf,
  recoverDeliveries,
  retryDelivery,
  sendTest,
} from "../../core/deliveries/delivery-log.ts";
import { getEvents, listEvents, type StoredEvent } from "../../core/events/events.ts";
import { Moment, parseMoment } from "../../core/moment.ts";
import {
  changeEndpoint,
  checkUrl,
  deleteEndpoint,
  type Endpoint,
  EndpointChange,
  EndpointDraft,
  getEndpoint,
  listEndpoints,
  registerEndpoint,
  rotateSecret,
} from "../../core/webhooks/webhooks.ts";
import { Type } from "@sinclair/typebox";
import { byId } from "../batch.ts";
import { builder } from "../builder.ts";
import { type ConnectionArgs, pageOf, pageRequest, toConnection } from "../connection.ts";
import { enumOf } from "../inputs.ts";
import { mutation } from "../mutation.ts";
import {
  AttemptRef,
  DeliveryConnection,
  DeliveryRef,
  EndpointRef,
  EventConnection,
  EventRef,
  node,
  WorkspaceRef,
} from "./refs.ts";

const DeliveryState = enumOf("DeliveryState", DELIVERY_STATES, "Where a delivery stands.", {
  attempting: "An attempt is under way.",
  awaiting_retry: "The next attempt is due at `nextAttemptAt`.",
  acknowledged: "The receiver has answered 2xx.",
  failed: "All attempts have failed.",
});

const Disabled = builder.objectRef<NonNullable<Endpoint["disabled"]>>("DisabledWebhook").implement({
  description: "Since when nothing is sent to an endpoint, and why.",
  fields: (t) => ({
    at: t.field({ type: "DateTime", description: "Since when.", resolve: ({ at }) => at }),
    reason: t.exposeString("reason", { description: "Why, in words." }),
  }),
});

node(EndpointRef, {
  description: "A receiver of webhooks in the current workspace.",
  fields: (t) => ({
    url: t.exposeString("url", { description: "Where deliveries go." }),
    events: t.stringList({ description: "The event types it gets.", resolve: ({ events }) => events }),
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

node(EventRef, {
  description: "Something that happened, as it is delivered.",
  fields: (t) => ({
    type: t.string({ description: "Such as `post.created`.", resolve: (event) => envelope(event).type }),
    createdAt: t.field({
      type: "DateTime",
      description: "When it happened.",
      resolve: (event) => parseMoment(envelope(event).created_at) ?? 0,
    }),
    data: t.field({
      type: "JSON",
      description: "The payload of its type, exactly as webhooks get it.",
      resolve: (event) => envelope(event).data,
    }),
  }),
});

function envelope({ body }: StoredEvent): { type: string; created_at: string; data: unknown } {
  return JSON.parse(body);
}

node(DeliveryRef, {
  description: "What became of one event on its way to one endpoint.",
  fields: (t) => ({
    eventType: t.exposeString("eventType", { description: "Such as `post.created`." }),
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
    answer: t.exposeString("answer", {
      nullable: true,
      description: "The first KiB of the answer, as text.",
    }),
  }),
});

node(WorkspaceRef, {
  description:
    "Where tokens, apps and webhooks belong: one person's own, or shared by several. A token is of exactly one.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "What it is called." }),
    isPersonal: t.exposeBoolean("isPersonal", {
      description: "Whether it is the one that its builder has for ever and alone.",
    }),
    members: t.exposeInt("members", { description: "How many people are in it." }),
    createdAt: t.field({
      type: "DateTime",
      description: "When it was made.",
      resolve: ({ createdAt }) => createdAt,
    }),
    webhooks: t.field({
      type: [EndpointRef],
      nullable: true,
      description: "All endpoints, newest first; 50 at most. Needs `webhooks:read`.",
      resolve: (_workspace, _, { core, caller }) => listEndpoints(core, caller),
    }),
    events: t.field({
      type: EventConnection,
      nullable: true,
      description:
        "All that this workspace may see of the days that the operator keeps events for, oldest first: the pull twin of the webhooks. Needs `webhooks:read`.",
      args: {
        ...t.arg.connectionArgs(),
        since: t.arg({
          type: "DateTime",
          required: false,
          description: "Only events fired after this moment.",
        }),
      },
      resolve: (_workspace, { since, ...args }, { core, caller }) =>
        toConnection(
          listEvents(
            core,
            caller,
            { since: since == null ? undefined : parseMoment(since) },
            pageRequest(args as ConnectionArgs),
          ),
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
  delivery: t.field({
    type: DeliveryRef,
    nullable: true,
    description:
      "One delivery of the current workspace. Needs `webhooks:read`. Refused as `not_found` elsewhere.",
    args: { id: t.arg.id({ required: true, description: "Its identifier." }) },
    resolve: (_root, { id }, { core, caller }) => getDelivery(core, caller, id),
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

mutation("registerWebhook", {
  description: "Registers a receiver; the answer holds its signing secret. Needs `webhooks:write`.",
  once: "webhooks:write",
  draft: EndpointDraft,
  payload: WITH_SECRET,
  async run({ core, caller, draft, commit }) {
    const url = await checkUrl(core, caller, draft.url);
    return commit(() => withSecret(registerEndpoint(core, caller, { url, events: draft.events })));
  },
});

mutation("changeWebhook", {
  description: "Changes the address, the event types, or whether it is on. Needs `webhooks:write`.",
  names: named,
  draft: EndpointChange,
  payload: ENDPOINT,
  async run({ core, caller, named: { id }, draft, commit }) {
    const url = draft.url === undefined ? undefined : await checkUrl(core, caller, draft.url);
    return commit(() => ({ webhook: changeEndpoint(core, caller, id, { ...draft, url }) }));
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
    "Gives an endpoint a new signing secret; for 24 hours the old one signs too. Needs `webhooks:write`.",
  once: "webhooks:write",
  names: named,
  payload: WITH_SECRET,
  run: ({ core, caller, named: { id }, commit }) => commit(() => withSecret(rotateSecret(core, caller, id))),
});

const DELIVERY = { delivery: { type: DeliveryRef, description: "The delivery." } };

mutation("testWebhook", {
  description:
    "Sends a `webhook.test` event to an endpoint, whatever it subscribes to. Needs `webhooks:write`.",
  once: "webhooks:write",
  names: named,
  payload: DELIVERY,
  run: ({ core, caller, named: { id }, commit }) => commit(() => ({ delivery: sendTest(core, caller, id) })),
});

mutation("retryDelivery", {
  description: "Attempts a delivery again now that failed or waits. Needs `webhooks:write`.",
  once: "webhooks:write",
  names: { id: "The delivery." },
  payload: DELIVERY,
  run: ({ core, caller, named: { id }, commit }) =>
    commit(() => ({ delivery: retryDelivery(core, caller, id) })),
});

mutation("recoverWebhook", {
  description:
    "Attempts everything again that failed for an endpoint since a moment. Needs `webhooks:write`.",
  once: "webhooks:write",
  names: named,
  draft: Type.Object({ since: Moment({ description: "Only what was fired after it." }) }),
  payload: { recovered: { type: "Int", description: "How many deliveries are due again." } },
  run: ({ core, caller, named: { id }, draft, commit }) =>
    commit(() => ({ recovered: recoverDeliveries(core, caller, id, parseMoment(draft.since) ?? 0) })),
});
