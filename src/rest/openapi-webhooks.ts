import type { TSchema } from "@sinclair/typebox";
import { ALL_EVENT_NAMES, type AnyEventType, CATALOGUE } from "../core/outbox/events/catalogue.ts";
import { EVENT_SCHEMAS, pascal } from "../core/outbox/events/schemas.ts";

type Json = Record<string, unknown>;

const ID = "evt_01kafzq8e5f2r8v0j3n6s1t4wx";

/**
 * What is sent to receivers, as the document's `webhooks`: one for each type of event. `plain` makes a schema
 * a component.
 */
export function webhookObjects(plain: (schema: TSchema) => unknown): Json {
  return Object.fromEntries(ALL_EVENT_NAMES.map((type) => [type, { post: requestOf(type, plain) }]));
}

function requestOf(type: AnyEventType, plain: (schema: TSchema) => unknown): Json {
  const { words, when, scope, example } = CATALOGUE[type];
  return {
    operationId: `on${pascal(type)}`,
    // Of its own: a generated client keeps a file for each tag, and these would take the place of the
    // operations' one.
    tags: ["Events"],
    summary: words,
    description: `Sent to each endpoint that subscribes to \`${type}\` and may hear of it, when ${when}. Subscribing takes the scope \`${scope}\`. At least once: drop an \`id\` that you know.`,
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: plain(EVENT_SCHEMAS[type]),
          example: { id: ID, type, created_at: "2026-11-20T09:30:00.000Z", data: example },
        },
      },
    },
    responses: {
      "2XX": {
        description: "Acknowledges it, where it comes within 10 seconds. The body is not read for anything.",
      },
      410: { description: "The receiver is gone for good: the endpoint is disabled." },
      default: { description: "Not acknowledged: it is sent again, seven times in all within 24 hours." },
    },
  };
}

const HEADERS = [
  header(
    "X-Service-Signature",
    "`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over the raw body, with the whole secret as the key. One `v1=` for each secret that is valid, the newest first, at most five. Compare in constant time; refuse a `t` older than five minutes.",
    String.raw`^t=\d+(?:,v1=[0-9a-f]{64}){1,5}$`,
  ),
  header("webhook-id", "The event's `id` (Standard Webhooks).", "^evt_"),
  header("webhook-timestamp", "Unix seconds of this attempt (Standard Webhooks).", String.raw`^\d+$`),
  header(
    "webhook-signature",
    "`v1,<base64>` for each secret, with a space between: HMAC-SHA256 over `id.timestamp.body`, with the decoded part behind `whsec_` as the key (Standard Webhooks).",
    String.raw`^v1,\S+(?: v1,\S+){0,4}$`,
  ),
];

function header(name: string, description: string, pattern: string): Json {
  return { name, in: "header", required: true, description, schema: { type: "string", pattern } };
}
