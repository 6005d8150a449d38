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

// Views of the specification must not gain fields (docs/contract.md#1.1).
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
  description: "The identifier of the endpoint.",
  example: "whe_01kafzq8e5f2r8v0j3n6s1t4wx",
};
const example = { events: ["post.created"] };

export const webhookOperations = area("Webhooks", {
  listWebhooks: all({
    route: "GET /webhooks",
    summary: "List webhook endpoints",
    description: "Returns all endpoints of the current workspace, newest first.",
    scope: "webhooks:read",
    view: ListedEndpoint,
    list: "WebhookEndpointList",
    example,
    responseDescription: "All endpoints",
    run: ({ core, caller }) => listEndpoints(core, caller),
  }),
  registerWebhook: write({
    route: "POST /webhooks",
    summary: "Register a webhook endpoint",
    description: "Returns the endpoint with its signing secret. The secret is shown only once.",
    restDescription:
      "Returns 409 if the workspace already has this URL. Returns 422 if the URL is not https or leads to a private network, or if an event type is unknown.",
    scope: "webhooks:write",
    effect: "creates",
    draft: EndpointDraft,
    view: RegisteredEndpoint,
    example,
    responseDescription: "The endpoint and its signing secret",
    prepare: async ({ core, caller, draft }) => ({ ...draft, url: await checkUrl(core, caller, draft.url) }),
    run: ({ core, caller, draft }) => registerEndpoint(core, caller, draft),
    locationOf: ({ id }) => `/webhooks/${id}`,
  }),
  getWebhook: read({
    route: "GET /webhooks/{id}",
    summary: "Retrieve a webhook endpoint",
    description: "Returns the endpoint with its owner and health.",
    scope: "webhooks:read",
    param,
    view: EndpointView,
    example,
    responseDescription: "The endpoint",
    run: ({ core, caller, id }) => getEndpoint(core, caller, id),
  }),
  changeWebhook: write({
    route: "PATCH /webhooks/{id}",
    summary: "Change, disable, or resume a webhook endpoint",
    description:
      "Changes the fields you send and keeps the others. The secret stays the same. If you change the `url`, you become the owner of the endpoint: `dm.received` and `job.matched` go only to the builder who set the `url`. An endpoint that answers 410, or acknowledges nothing for five days, is disabled automatically. `enabled: true` resumes it.",
    scope: "webhooks:write",
    effect: "changes",
    param,
    draft: EndpointChange,
    view: EndpointView,
    example,
    responseDescription: "The changed endpoint",
    refusals: [409, 422],
    prepare: async ({ core, caller, draft: { url, ...draft } }) => ({
      ...draft,
      ...(url === undefined ? {} : { url: await checkUrl(core, caller, url) }),
    }),
    run: ({ core, caller, id, draft }) => changeEndpoint(core, caller, id, draft),
  }),
  deleteWebhook: write({
    route: "DELETE /webhooks/{id}",
    summary: "Delete a webhook endpoint",
    description: "Deliveries that are still waiting are dropped.",
    scope: "webhooks:write",
    effect: "removes",
    param,
    responseDescription: "The endpoint is deleted",
    run: ({ core, caller, id }) => deleteEndpoint(core, caller, id),
  }),
  rotateWebhookSecret: write({
    route: "POST /webhooks/{id}/rotate-secret",
    summary: "Rotate the signing secret of an endpoint",
    description:
      "Returns a new secret, which is shown only once. The replaced secret keeps signing for 24 hours, so a lost response does no harm. Up to five secrets can sign at the same time.",
    restDescription:
      "Returns 409 if five secrets are already in use. The error says when the oldest secret expires.",
    scope: "webhooks:write",
    effect: "changes",
    param,
    view: RegisteredEndpoint,
    example,
    responseDescription: "The endpoint and its new signing secret",
    run: ({ core, caller, id }) => rotateSecret(core, caller, id),
  }),
});
