import { EndpointChange, EndpointDraft, EndpointView, SecretView } from "../core/outbox/webhooks/endpoint.ts";
import {
  changeEndpoint,
  checkUrl,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  registerEndpoint,
  rotateSecret,
} from "../core/outbox/webhooks/webhooks.ts";
import { pickFields, mergeViews } from "../core/base/view.ts";
import { all, area, read, write } from "./operation.ts";

// What the specification shows gains no field (docs/contract.md#1.1).
const ListedEndpoint = pickFields("WebhookEndpoint", EndpointView, [
  "id",
  "url",
  "events",
  "createdAt",
  "disabled",
]);
const RegisteredEndpoint = mergeViews("RegisteredWebhookEndpoint", EndpointView, SecretView);

const param = {
  name: "id",
  description: "The endpoint's identifier.",
  example: "whe_01kafzq8e5f2r8v0j3n6s1t4wx",
};
const example = { events: ["post.created"] };

export const webhookOperations = area("Webhooks", {
  listWebhooks: all({
    at: "GET /webhooks",
    summary: "List the webhook endpoints of the current workspace",
    scope: "webhooks:read",
    view: ListedEndpoint,
    list: "WebhookEndpointList",
    example,
    gives: "All endpoints, newest first",
    run: ({ core, caller }) => listEndpoints(core, caller),
  }),
  registerWebhook: write({
    at: "POST /webhooks",
    summary: "Register a webhook endpoint",
    description: "The answer holds the signing secret, which is shown only this once.",
    restDescription:
      "409 where the workspace has this address already, 422 where the address is not https, is inside a private network, or an event type is unknown.",
    scope: "webhooks:write",
    effect: "makes",
    draft: EndpointDraft,
    view: RegisteredEndpoint,
    example,
    gives: "The endpoint and its secret; `Location` names it",
    prepare: async ({ core, caller, draft }) => ({ ...draft, url: await checkUrl(core, caller, draft.url) }),
    run: ({ core, caller, draft }) => registerEndpoint(core, caller, draft),
    place: ({ id }) => `/webhooks/${id}`,
  }),
  getWebhook: read({
    at: "GET /webhooks/{id}",
    summary: "Retrieve a webhook endpoint",
    scope: "webhooks:read",
    param,
    view: EndpointView,
    example,
    gives: "The endpoint",
    run: ({ core, caller, id }) => getEndpoint(core, caller, id),
  }),
  changeWebhook: write({
    at: "PATCH /webhooks/{id}",
    summary: "Change a webhook endpoint, or switch it off and on",
    description:
      "A field left out stays as it is. The secret stays the same. Whoever changes the `url` takes the endpoint over: private events, `dm.received` and `job.matched`, go to who gave the `url` alone. An endpoint that answered 410, or acknowledged nothing for five days, is disabled by itself; `enabled`: true resumes it.",
    scope: "webhooks:write",
    effect: "changes",
    param,
    draft: EndpointChange,
    view: EndpointView,
    example,
    gives: "The endpoint as it is now",
    refusals: [409, 422],
    prepare: async ({ core, caller, draft: { url, ...draft } }) => ({
      ...draft,
      ...(url === undefined ? {} : { url: await checkUrl(core, caller, url) }),
    }),
    run: ({ core, caller, id, draft }) => changeEndpoint(core, caller, id, draft),
  }),
  deleteWebhook: write({
    at: "DELETE /webhooks/{id}",
    summary: "Delete a webhook endpoint",
    description: "What still waits to be delivered to it is dropped.",
    scope: "webhooks:write",
    effect: "removes",
    param,
    gives: "It is gone",
    run: ({ core, caller, id }) => deleteEndpoint(core, caller, id),
  }),
  rotateWebhookSecret: write({
    at: "POST /webhooks/{id}/rotate-secret",
    summary: "Give a webhook endpoint a new signing secret",
    description:
      "The answer holds it, shown only this once. Each one from before goes on signing for 24 hours from when it was replaced, so that an answer that was lost loses nothing; five sign at most, and the refusal says when the oldest of them ends.",
    restDescription: "409 where five sign already.",
    scope: "webhooks:write",
    effect: "changes",
    param,
    view: RegisteredEndpoint,
    example,
    gives: "The endpoint and its new secret",
    run: ({ core, caller, id }) => rotateSecret(core, caller, id),
  }),
});
