import { Type } from "@sinclair/typebox";
import { isoTime } from "../core/ground/clock.ts";
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
} from "../core/outbox/webhooks/webhooks.ts";
import { DISABLED_REASONS, HEALTH_STATES } from "../core/outbox/webhooks/health.ts";
import { operation } from "./operation.ts";
import { SubscribedType } from "./parts.ts";

const momentOrNull = (description: string) =>
  Type.Union([Type.String({ format: "date-time" }), Type.Null()], { description });

const fields = {
  id: Type.String(),
  url: Type.String({ format: "uri" }),
  events: Type.Array(SubscribedType, { description: "Subscribed event types." }),
  created_at: Type.String({ format: "date-time" }),
  disabled: Type.Union(
    [Type.Object({ at: Type.String({ format: "date-time" }), reason: Type.String() }), Type.Null()],
    {
      description: "Since when nothing is sent to it, and why; null where deliveries go out.",
    },
  ),
};
/** An item of the list: what the specification shows gains no field (docs/contract.md 1.1). */
const ListedEndpoint = Type.Object(fields, { $id: "WebhookEndpoint" });
const ownFields = {
  ...fields,
  owner: Type.Object(
    {
      username: Type.Union([Type.String(), Type.Null()], {
        description: "Who gave its `url`; null where they are gone.",
      }),
      app: Type.Union([Type.Object({ id: Type.String(), name: Type.String() }), Type.Null()], {
        description: "The app that did so in their name: the endpoint ends with what it was granted.",
      }),
    },
    { $id: "WebhookOwner", description: "Whose it is." },
  ),
  health: Type.Object(
    {
      state: Type.Union(
        HEALTH_STATES.map((state) => Type.Literal(state)),
        {
          description:
            "`ok`; `failing`: the last attempt failed; `disabled`: nothing is sent to it, until it is resumed.",
        },
      ),
      failing_since: momentOrNull("Since when nothing was acknowledged; null where the last attempt was."),
      disabled_at: momentOrNull("Since when nothing is sent to it."),
      code: Type.Union([Type.String(), Type.Null()], {
        description: `Why it is disabled: ${Object.keys(DISABLED_REASONS).join(", ")}. More may come.`,
      }),
      reason: Type.Union([Type.String(), Type.Null()], { description: "The same in words." }),
    },
    { $id: "WebhookHealth", description: "How it does." },
  ),
};
const EndpointAnswer = Type.Object(ownFields, { $id: "WebhookEndpointDetail" });
const RegisteredEndpoint = Type.Object(
  {
    ...ownFields,
    secret: Type.String({
      description: "The signing secret, shown only now: `whsec_` + base64 of 32 bytes.",
    }),
  },
  { $id: "RegisteredWebhookEndpoint" },
);
const EndpointList = Type.Object({ data: Type.Array(ListedEndpoint) }, { $id: "WebhookEndpointList" });

const example = {
  id: "whe_01kafzq8e5f2r8v0j3n6s1t4wx",
  url: "https://hooks.example.com/guildhall",
  events: ["post.created"],
  created_at: "2026-11-20T09:30:00.000Z",
  disabled: null,
};
const detail = {
  ...example,
  owner: { username: "ada", app: null },
  health: { state: "ok", failing_since: null, disabled_at: null, code: null, reason: null },
};
const param = { name: "id", description: "The endpoint's identifier.", example: example.id };

export const webhookOperations = [
  operation({
    id: "listWebhooks",
    method: "GET",
    path: "/webhooks",
    group: "Webhooks",
    summary: "List the webhook endpoints of the current workspace",
    scope: "webhooks:read",
    answer: {
      status: 200,
      description: "All endpoints, newest first",
      schema: EndpointList,
      example: { data: [example] },
    },
    refusals: [],
    handle: ({ core, caller }) => ({
      status: 200,
      body: { data: listEndpoints(core, caller).map(presentEndpoint) },
    }),
  }),
  operation({
    id: "registerWebhook",
    method: "POST",
    path: "/webhooks",
    group: "Webhooks",
    summary: "Register a webhook endpoint",
    description:
      "The answer holds the signing secret, which is shown only this once. 409 where the workspace has this address already, 422 where the address is not https, is inside a private network, or an event type is unknown.",
    scope: "webhooks:write",
    body: EndpointDraft,
    answer: {
      status: 201,
      description: "The endpoint and its secret; `Location` names it",
      schema: RegisteredEndpoint,
      example: { ...detail, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=" },
    },
    refusals: [400, 409, 422],
    handle: async ({ core, caller, body, commit }) => {
      const url = await checkUrl(core, caller, body.url);
      return commit(() => {
        const { secret, ...endpoint } = registerEndpoint(core, caller, { url, events: body.events });
        return {
          status: 201,
          body: { ...presentDetail(endpoint), secret },
          headers: { location: `/v1/webhooks/${endpoint.id}` },
        };
      });
    },
  }),
  operation({
    id: "getWebhook",
    method: "GET",
    path: "/webhooks/{id}",
    group: "Webhooks",
    summary: "Retrieve a webhook endpoint",
    scope: "webhooks:read",
    param,
    answer: { status: 200, description: "The endpoint", schema: EndpointAnswer, example: detail },
    refusals: [404],
    handle: ({ core, caller, id }) => ({ status: 200, body: presentDetail(getEndpoint(core, caller, id)) }),
  }),
  operation({
    id: "changeWebhook",
    method: "PATCH",
    path: "/webhooks/{id}",
    group: "Webhooks",
    summary: "Change a webhook endpoint, or switch it off and on",
    description:
      "A field left out stays as it is. The secret stays the same. Whoever changes the `url` takes the endpoint over: private events, `dm.received` and `job.matched`, go to who gave the `url` alone. An endpoint that answered 410, or acknowledged nothing for five days, is disabled by itself; `enabled`: true resumes it.",
    scope: "webhooks:write",
    param,
    body: EndpointChange,
    answer: {
      status: 200,
      description: "The endpoint as it is now",
      schema: EndpointAnswer,
      example: detail,
    },
    refusals: [400, 404, 409, 422],
    handle: async ({ core, caller, id, body, commit }) => {
      const url = body.url === undefined ? undefined : await checkUrl(core, caller, body.url);
      return commit(() => ({
        status: 200,
        body: presentDetail(changeEndpoint(core, caller, id, { ...body, url })),
      }));
    },
  }),
  operation({
    id: "deleteWebhook",
    method: "DELETE",
    path: "/webhooks/{id}",
    group: "Webhooks",
    summary: "Delete a webhook endpoint",
    description: "What still waits to be delivered to it is dropped.",
    scope: "webhooks:write",
    param,
    answer: { status: 204, description: "It is gone" },
    refusals: [404],
    handle: ({ core, caller, id, commit }) =>
      commit(() => {
        deleteEndpoint(core, caller, id);
        return { status: 204 };
      }),
  }),
  operation({
    id: "rotateWebhookSecret",
    method: "POST",
    path: "/webhooks/{id}/rotate-secret",
    group: "Webhooks",
    summary: "Give a webhook endpoint a new signing secret",
    description:
      "The answer holds it, shown only this once. Each one from before goes on signing for 24 hours from when it was replaced, so that an answer that was lost loses nothing. 409 where five sign already: the message says when the oldest of them ends.",
    scope: "webhooks:write",
    param,
    answer: {
      status: 200,
      description: "The endpoint and its new secret",
      schema: RegisteredEndpoint,
      example: { ...detail, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=" },
    },
    refusals: [404, 409, 422],
    handle: ({ core, caller, id, commit }) =>
      commit(() => {
        const { secret, ...endpoint } = rotateSecret(core, caller, id);
        return { status: 200, body: { ...presentDetail(endpoint), secret } };
      }),
  }),
];

/** For the operations that are our own. */
function presentDetail(endpoint: Endpoint) {
  const { state, failingSince, disabled, owner } = endpoint;
  return {
    ...presentEndpoint(endpoint),
    owner: { username: owner.username, app: owner.app && { id: owner.app.id, name: owner.app.name } },
    health: {
      state,
      failing_since: failingSince === null ? null : isoTime(failingSince),
      disabled_at: disabled && isoTime(disabled.at),
      code: disabled?.code ?? null,
      reason: disabled?.reason ?? null,
    },
  };
}

function presentEndpoint(endpoint: Endpoint) {
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: endpoint.events,
    created_at: isoTime(endpoint.createdAt),
    disabled: endpoint.disabled && { at: isoTime(endpoint.disabled.at), reason: endpoint.disabled.reason },
  };
}
