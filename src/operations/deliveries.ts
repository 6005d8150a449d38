import { Type } from "@sinclair/typebox";
import {
  AttemptView,
  DeliveryFilter,
  DeliveryView,
  getDelivery,
  listDeliveries,
  recoverDeliveries,
  retryDelivery,
  sendTest,
  TestDraft,
} from "../core/outbox/deliveries/delivery-log.ts";
import {
  COUNTED_MAX,
  RecoverDraft,
  RecoveryView,
  recoveryRangeOf,
} from "../core/outbox/deliveries/recovery.ts";
import { mergeViews } from "../core/base/view.ts";
import { area, list, read, write } from "./operation.ts";

const DeliveryDetail = mergeViews(
  "DeliveryDetail",
  DeliveryView,
  Type.Object({ log: Type.Array(AttemptView, { description: "The attempts, in order." }) }),
);

const ofEndpoint = {
  name: "id",
  description: "The endpoint's identifier.",
  example: "whe_01kafzq8e5f2r8v0j3n6s1t4wx",
};
const ofDelivery = {
  name: "id",
  description: "The delivery's identifier.",
  example: "dlv_01kafzq8e5f2r8v0j3n6s1t4wx",
};

export const deliveryOperations = area("Deliveries", {
  testWebhook: write({
    at: "POST /webhooks/{id}/test",
    summary: "Send a test event to a webhook endpoint",
    description:
      "A `webhook.test` event, or one of the `type` that you ask for, whatever the endpoint subscribes to: signed and sent as any other, with a payload of its schema about nothing that exists. Each identifier in it ends in 26 zeros, so that a receiver can tell. Such a test takes the scope that events of its type are read with. The answer is its delivery.",
    scope: "webhooks:write",
    effect: "makes",
    param: ofEndpoint,
    draft: TestDraft,
    isDraftOptional: true,
    view: DeliveryView,
    example: { event_type: "webhook.test" },
    gives: "The delivery",
    run: ({ core, caller, id, draft }) => sendTest(core, caller, id, draft.type),
    place: ({ id }) => `/deliveries/${id}`,
  }),
  listDeliveries: list({
    at: "GET /webhooks/{id}/deliveries",
    summary: "List the deliveries of a webhook endpoint, newest first",
    scope: "webhooks:read",
    param: ofEndpoint,
    filter: DeliveryFilter,
    view: DeliveryView,
    page: "DeliveryPage",
    gives: "One page of deliveries",
    run: ({ core, caller, id, filter, page }) => listDeliveries(core, caller, id, filter, page),
  }),
  getDelivery: read({
    at: "GET /deliveries/{id}",
    summary: "Retrieve a delivery with its attempts",
    scope: "webhooks:read",
    param: ofDelivery,
    view: DeliveryDetail,
    gives: "The delivery",
    run: ({ core, caller, id }) => getDelivery(core, caller, id),
  }),
  retryDelivery: write({
    at: "POST /deliveries/{id}/retry",
    summary: "Send a delivery again now",
    description: "Whether it failed, waits or was acknowledged; the whole schedule stands before it again.",
    restDescription: "409 while it is being attempted.",
    scope: "webhooks:write",
    effect: "changes",
    param: ofDelivery,
    view: DeliveryView,
    example: { attempts: 7 },
    gives: "The delivery, due now",
    run: ({ core, caller, id }) => retryDelivery(core, caller, id),
  }),
  recoverWebhook: write({
    at: "POST /webhooks/{id}/recover",
    summary: "Send a range again: what failed, what was acknowledged, what was missed",
    description:
      "By default all that failed since a moment. `state` takes what was acknowledged (too), for a receiver that lost what it had; `missed` makes deliveries for what fired while the endpoint was off or did not subscribe, of the types that it subscribes to now and since it was registered. The oldest first, by and by; each missed event gets one delivery, however often one asks.",
    restDescription: "409 where the endpoint is disabled, or six ranges of it are under way.",
    scope: "webhooks:write",
    effect: "changes",
    param: ofEndpoint,
    draft: RecoverDraft,
    view: RecoveryView,
    gives: `How many deliveries of it you may read, each counted up to ${COUNTED_MAX.toLocaleString("en")}`,
    run({ core, caller, id, draft }) {
      const { recovered, missed } = recoverDeliveries(core, caller, id, recoveryRangeOf(draft));
      return { recovered, ...(draft.missed ? { missed } : {}) };
    },
  }),
});
