import { type CoreError, fault, refuse, refuseFields, refuseFor } from "../core/base/errors.ts";
import { PAGE_LIMIT } from "../core/base/page.ts";
import { errorBody, STATUS_OF } from "../http/answer.ts";

type Json = Record<string, unknown>;

/** Parts that responses of the document share: headers, the error body and each refusal. */

const PARAMS: Json = {
  type: "object",
  description: "The values in `message`, by name. Each is a string, a number, or a list of strings.",
  // The values have no schema, because Java clients with a union that contains a list do not compile.
  additionalProperties: true,
};

export const ERROR: Json = {
  type: "object",
  required: ["error", "code", "message", "docs"],
  properties: {
    error: {
      type: "string",
      enum: Object.keys(STATUS_OF),
      description: "The type of the error. It does not change, so programs can rely on it.",
    },
    code: {
      type: "string",
      description: "The exact reason. Codes do not change, but new codes may be added.",
    },
    params: PARAMS,
    message: {
      type: "string",
      description: "A sentence for people that says what to change. Its wording may change.",
    },
    docs: {
      type: "string",
      format: "uri",
      description: "The page that explains `code` and says what to do.",
    },
    details: {
      type: "array",
      description: "The fields that failed validation. Never repeats a value that you sent.",
      items: {
        type: "object",
        required: ["path", "code", "message"],
        properties: {
          path: { type: "string", description: "The field, such as `company.slug`." },
          code: { type: "string", description: "The exact reason for this field." },
          params: PARAMS,
          message: {
            type: "string",
            description: "A sentence about the problem, without the name of the field.",
          },
        },
      },
    },
  },
};

/** The error statuses with their descriptions in docs/contract.md#V7, each with an example. */
const REFUSALS: Readonly<Record<string, { description: string; example: CoreError }>> = {
  400: {
    description: "Malformed request or failed validation",
    example: refuseFields([fault("limit", "not_whole", { min: PAGE_LIMIT.min, max: PAGE_LIMIT.max })]),
  },
  401: {
    description: "Missing, expired, or invalid credentials",
    example: refuse("credentials_invalid"),
  },
  403: {
    description: "The credentials are valid, but do not allow this request",
    example: refuse("scope_missing", { scope: "feed:write" }),
  },
  404: { description: "The resource does not exist", example: refuse("endpoint_unknown") },
  409: {
    description: "The current state does not allow this request. Example: a duplicate",
    example: refuse("endpoint_twice"),
  },
  412: {
    description: "The resource has changed since the ETag in If-Match",
    example: refuse("changed_meanwhile"),
  },
  422: {
    description: "The request is well-formed, but cannot be carried out",
    example: refuse("url_not_https"),
  },
  429: {
    description: "Rate limit exceeded. Wait for the number of seconds in Retry-After",
    example: refuseFor("too_many_requests", 1),
  },
  500: { description: "Server error. Safe to retry with backoff", example: refuse("fault_of_ours") },
};

export const HEADERS: Json = {
  "X-Request-Id": {
    description: "The id of this request in the server log. If you send an id, the server uses it.",
    schema: { type: "string" },
  },
  "X-RateLimit-Limit": {
    description: "The size of a full bucket: how many requests you can send at once.",
    schema: { type: "integer" },
  },
  "X-RateLimit-Remaining": {
    description: "How many requests you can send now.",
    schema: { type: "integer" },
  },
  "X-RateLimit-Reset": {
    description: "The time at which the bucket is full again, in Unix seconds.",
    schema: { type: "integer" },
  },
  "Retry-After": {
    description:
      "The number of seconds to wait before you retry. After a 429, a retry after this time succeeds. On 409, the header is sent only while another request with the same idempotency key is in progress.",
    schema: { type: "integer", minimum: 1 },
  },
  ETag: {
    description:
      "The version of this response. Send this value in If-None-Match to get 304 if nothing has changed.",
    schema: { type: "string" },
  },
  Location: {
    description: "The URL of the new resource, relative to the host.",
    schema: { type: "string", format: "uri-reference" },
  },
  Link: {
    description: 'In lists, the URL of the next page with `rel="next"` (RFC 8288). Absent on the last page.',
    schema: { type: "string" },
  },
  "WWW-Authenticate": {
    description: "The problem with the credentials. On 403, the missing scope (RFC 6750).",
    schema: { type: "string" },
  },
  "Idempotency-Replayed": {
    description: "`true` if this is the stored response of an earlier request with the same key.",
    schema: { type: "string", enum: ["true"] },
  },
};

const EVERY_ANSWER = ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];

/** Headers that a refusal has in addition to those of every response. */
const EXTRA_HEADERS: Readonly<Record<string, readonly string[]>> = {
  401: ["WWW-Authenticate"],
  403: ["WWW-Authenticate"],
  409: ["Retry-After"],
  429: ["Retry-After"],
  500: ["Retry-After"],
};

/** Returns the shared responses by component name. */
export function sharedAnswers(origin: string): Json {
  const refused = Object.entries(REFUSALS).map(([status, { description, example }]) => [
    `Refused${status}`,
    {
      description,
      headers: headerRefs(EXTRA_HEADERS[status] ?? []),
      content: {
        "application/json": {
          schema: { $ref: "#/components/schemas/Error" },
          example: errorBody(example, origin),
        },
      },
    },
  ]);
  const unchanged = {
    description: "The resource has not changed since the ETag you sent",
    headers: headerRefs(["ETag"]),
  };
  return { Unchanged: unchanged, ...Object.fromEntries(refused) };
}

/** Returns references to the headers of every response and to `more`. */
export function headerRefs(more: readonly string[]): Json {
  return Object.fromEntries(
    [...EVERY_ANSWER, ...more].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}
