import { type CoreError, fault, refuse, refuseFields, refuseFor } from "../core/base/errors.ts";
import { PAGE_LIMIT } from "../core/base/page.ts";
import { errorBody, STATUS_OF } from "../http/answer.ts";

type Json = Record<string, unknown>;

/** What answers of the document share: their headers, the body of an error, and each refusal. */

const PARAMS: Json = {
  type: "object",
  description: "What the sentence of `code` is told, by name: each a string, a number or a list of strings.",
  // Not said as a schema: in Java a choice with a list in it does not compile.
  additionalProperties: true,
};

export const ERROR: Json = {
  type: "object",
  required: ["error", "code", "message", "docs"],
  properties: {
    error: {
      type: "string",
      enum: Object.keys(STATUS_OF),
      description: "The name of the error: part of the contract.",
    },
    code: {
      type: "string",
      description: "The finer name of what is refused, as stable as `error`; new ones may come.",
    },
    params: PARAMS,
    message: {
      type: "string",
      description: "One sentence for a person that says what to change, made from `code` and `params`.",
    },
    docs: {
      type: "string",
      format: "uri",
      description: "The page that explains `code` and says what to do about it.",
    },
    details: {
      type: "array",
      description: "The fields that failed. Never repeats a value that was sent.",
      items: {
        type: "object",
        required: ["path", "code", "message"],
        properties: {
          path: { type: "string" },
          code: { type: "string" },
          params: PARAMS,
          message: { type: "string" },
        },
      },
    },
  },
};

/** docs/contract.md#V7, in the words of the table, each with one of its refusals. */
const REFUSALS: Readonly<Record<string, { description: string; example: CoreError }>> = {
  400: {
    description: "Malformed request or failed validation",
    example: refuseFields([fault("limit", "not_whole", { min: PAGE_LIMIT.min, max: PAGE_LIMIT.max })]),
  },
  401: {
    description: "Missing, expired or invalid credentials",
    example: refuse("credentials_invalid"),
  },
  403: {
    description: "Authenticated but not allowed",
    example: refuse("scope_missing", { scope: "feed:write" }),
  },
  404: { description: "The resource does not exist", example: refuse("endpoint_unknown") },
  409: { description: "State conflict, for example a duplicate", example: refuse("endpoint_twice") },
  412: {
    description: "The thing is no longer as the ETag in If-Match names it",
    example: refuse("changed_meanwhile"),
  },
  422: { description: "Well-formed, but its meaning is refused", example: refuse("url_not_https") },
  429: {
    description: "Rate limit exceeded; wait as Retry-After says",
    example: refuseFor("too_many_requests", 1),
  },
  500: { description: "Unexpected error; safe to retry with backoff", example: refuse("fault_of_ours") },
};

export const HEADERS: Json = {
  "X-Request-Id": {
    description: "Names this request in the log. An id that you send is kept.",
    schema: { type: "string" },
  },
  "X-RateLimit-Limit": {
    description: "Requests that a rested caller may send at once.",
    schema: { type: "integer" },
  },
  "X-RateLimit-Remaining": { description: "Whole requests left now.", schema: { type: "integer" } },
  "X-RateLimit-Reset": {
    description: "When all of them are back: Unix time in seconds.",
    schema: { type: "integer" },
  },
  "Retry-After": {
    description:
      "Seconds to wait. After 429 the next request succeeds; on 409 it stands where the same key is still in flight.",
    schema: { type: "integer", minimum: 1 },
  },
  ETag: {
    description: "Send it back in If-None-Match: 304 where nothing changed.",
    schema: { type: "string" },
  },
  Location: {
    description: "The address of what was made, relative to the host.",
    schema: { type: "string", format: "uri-reference" },
  },
  Link: {
    description: 'Of a list: the next page, with `rel="next"`; left out on the last (RFC 8288).',
    schema: { type: "string" },
  },
  "WWW-Authenticate": {
    description: "What the credentials lack; on 403 the scope, where one is missing (RFC 6750).",
    schema: { type: "string" },
  },
  "Idempotency-Replayed": {
    description: "`true` where this is the first answer again.",
    schema: { type: "string", enum: ["true"] },
  },
};

const EVERY_ANSWER = ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];

/** What a refusal carries beside what every answer does. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  401: ["WWW-Authenticate"],
  403: ["WWW-Authenticate"],
  409: ["Retry-After"],
  429: ["Retry-After"],
  500: ["Retry-After"],
};

/** The answers that operations have in common, by their names among the components. */
export function sharedAnswers(origin: string): Json {
  const refused = Object.entries(REFUSALS).map(([status, { description, example }]) => [
    `Refused${status}`,
    {
      description,
      headers: headerRefs(BESIDE[status] ?? []),
      content: {
        "application/json": {
          schema: { $ref: "#/components/schemas/Error" },
          example: errorBody(example, origin),
        },
      },
    },
  ]);
  const unchanged = {
    description: "Nothing changed since the ETag that was sent",
    headers: headerRefs(["ETag"]),
  };
  return { Unchanged: unchanged, ...Object.fromEntries(refused) };
}

/** References to the headers that every answer carries, and to these. */
export function headerRefs(more: readonly string[]): Json {
  return Object.fromEntries(
    [...EVERY_ANSWER, ...more].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}
