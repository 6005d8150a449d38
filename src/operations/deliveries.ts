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
  Type.Object({ log: Type.Array(AttemptView, { description: "All attempts, oldest first." }) }),
);

const ofEndpoint = {
  name: "id",
  description: "The identifier of the endpoint.",
  example: "whe_01kafzq8e5f2r8v0j3n6s1t4wx",
};
const ofDelivery = {
  name: "id",
  description: "The identifier of the delivery.",
  example: "dlv_01kafzq8e5f2r8v0j3n6s1t4wx",
};

export const deliveryOperations = area("Deliveries", {
  testWebhook: write({
    route: "POST /webhooks/{id}/test",
    summary: "Send a test event to an endpoint",
    description:
      "Sends `webhook.test`, or an event of the `type` you name, even if the endpoint does not subscribe to that type. The event is signed and sent like any other. The payload is example data: every identifier ends in 26 zeros. A test of another type also requires the scope for that type.",
    scope: "webhooks:write",
    effect: "creates",
    param: ofEndpoint,
    draft: TestDraft,
    isDraftOptional: true,
    view: DeliveryView,
    example: { event_type: "webhook.test" },
    responseDescription: "The delivery",
    run: ({ core, caller, id, draft }) => sendTest(core, caller, id, draft.type),
    locationOf: ({ id }) => `/deliveries/${id}`,
  }),
  listDeliveries: list({
    route: "GET /webhooks/{id}/deliveries",
    summary: "List the deliveries of an endpoint",
    description: "Returns deliveries, newest first.",
    scope: "webhooks:read",
    param: ofEndpoint,
    filter: DeliveryFilter,
    view: DeliveryView,
    page: "DeliveryPage",
    responseDescription: "One page of deliveries",
    run: ({ core, caller, id, filter, page }) => listDeliveries(core, caller, id, filter, page),
  }),
  getDelivery: read({
    route: "GET /deliveries/{id}",
    summary: "Retrieve a delivery with its attempts",
    description: "Returns the state of the delivery and a log of its attempts.",
    scope: "webhooks:read",
    param: ofDelivery,
    view: DeliveryDetail,
    responseDescription: "The delivery",
    run: ({ core, caller, id }) => getDelivery(core, caller, id),
  }),
  retryDelivery: write({
    route: "POST /deliveries/{id}/retry",
    summary: "Retry a delivery now",
    description:
      "Sends the delivery again, whether it failed, is waiting, or was acknowledged. The full retry schedule starts again.",
    restDescription: "Returns 409 while an attempt is in progress, or if the subject of the event is gone.",
    scope: "webhooks:write",
    effect: "changes",
    param: ofDelivery,
    view: DeliveryView,
    example: { attempts: 7 },
    responseDescription: "The delivery, which is due now",
    run: ({ core, caller, id }) => retryDelivery(core, caller, id),
  }),
  recoverWebhook: write({
    route: "POST /webhooks/{id}/recover",
    summary: "Resend a range of events to an endpoint",
    description:
      "By default, resends the deliveries that failed since a given time. Set `state` to resend acknowledged deliveries, for example after the receiver lost its data. Set `missed` to also deliver events that fired while the endpoint was disabled or not subscribed. Missed events are limited to the types that the endpoint subscribes to now, and to the time since it was registered. Each missed event gets one delivery, even if you repeat the request. Deliveries are sent gradually, oldest first.",
    restDescription: "Returns 409 if the endpoint is disabled, or if six ranges are already in progress.",
    scope: "webhooks:write",
    effect: "changes",
    param: ofEndpoint,
    draft: RecoverDraft,
    view: RecoveryView,
    responseDescription: `The number of deliveries that are sent. Only those you may read are counted, up to ${COUNTED_MAX.toLocaleString("en")} of each kind`,
    run({ core, caller, id, draft }) {
      const { recovered, missed } = recoverDeliveries(core, caller, id, recoveryRangeOf(draft));
      return { recovered, ...(draft.missed ? { missed } : {}) };
    },
  }),
});
