import type { TSchema } from "@sinclair/typebox";
import { ALL_EVENT_NAMES, type AnyEventType, CATALOGUE } from "../core/outbox/events/catalogue.ts";
import { EVENT_SCHEMAS, pascal } from "../core/outbox/events/schemas.ts";

type Json = Record<string, unknown>;

const ID = "evt_01kafzq8e5f2r8v0j3n6s1t4wx";

/**
 * Returns the document's `webhooks`: one for each event type. `toComponent` turns a schema into a component.
 */
export function webhookObjects(toComponent: (schema: TSchema) => unknown): Json {
  return Object.fromEntries(ALL_EVENT_NAMES.map((type) => [type, { post: requestOf(type, toComponent) }]));
}

function requestOf(type: AnyEventType, toComponent: (schema: TSchema) => unknown): Json {
  const { label, when, scope, audience, example } = CATALOGUE[type];
  const access =
    audience === "endpoint"
      ? `Only the endpoint under test receives the event. Reading it requires the \`${scope}\` scope.`
      : audience === "staff"
        ? `Subscribed endpoints receive the event while their owner is a moderator, admin, or owner. Subscribing requires the \`${scope}\` scope.`
        : `Every subscribed endpoint that may read the event receives it. Subscribing requires the \`${scope}\` scope.`;
  return {
    operationId: `on${pascal(type)}`,
    // Webhooks have a separate tag. Generated clients write one file per tag, so webhooks with an operation's
    // tag would overwrite the file of that tag.
    tags: ["Events"],
    summary: label,
    description: `Sent when ${when}. ${access} Delivery is at least once: ignore an \`id\` that you have already handled.`,
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: toComponent(EVENT_SCHEMAS[type]),
          example: { id: ID, type, created_at: "2026-11-20T09:30:00.000Z", data: example },
        },
      },
    },
    responses: {
      "2XX": {
        description:
          "This response acknowledges the delivery if it arrives within 10 seconds. The response body is ignored.",
      },
      410: { description: "The receiver is gone. The endpoint is disabled." },
      default: {
        description:
          "The delivery is not acknowledged and is retried. There are up to seven attempts in total, within 24 hours.",
      },
    },
  };
}

const HEADERS = [
  header(
    "X-Service-Signature",
    "The signatures, as `t=<unix seconds>,v1=<hex>`. Each `v1` is the HMAC-SHA256 of the raw body. The key is the whole secret. There is one `v1=` for each valid secret, newest first, at most five. Compare in constant time, and refuse a `t` older than five minutes.",
    String.raw`^t=\d+(?:,v1=[0-9a-f]{64}){1,5}$`,
  ),
  header("webhook-id", "The `id` of the event (Standard Webhooks).", "^evt_"),
  header(
    "webhook-timestamp",
    "The time of this attempt in Unix seconds (Standard Webhooks).",
    String.raw`^\d+$`,
  ),
  header(
    "webhook-signature",
    "The signatures (Standard Webhooks): one `v1,<base64>` for each valid secret, separated by spaces. Each is the HMAC-SHA256 of `id.timestamp.body`. The key is the part of the secret after `whsec_`, decoded from base64.",
    String.raw`^v1,\S+(?: v1,\S+){0,4}$`,
  ),
];

function header(name: string, description: string, pattern: string): Json {
  return { name, in: "header", required: true, description, schema: { type: "string", pattern } };
}
