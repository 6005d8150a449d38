import { GraphQLError, type GraphQLFormattedError } from "graphql";
import { CoreError, type ErrorName, refuse } from "../core/base/errors.ts";
import { challenge, STATUS_OF } from "../http/answer.ts";
import type { RequestContext } from "../http/context.ts";
import { type Accepted, accepted, type HttpRefusal, JSON_TYPE, RESPONSE_TYPE } from "./request.ts";

const MESSAGE_MAX = 500;
const LOCATIONS_MAX = 10;

/**
 * An error that becomes the whole response, with its own status. Yoga does not add this error to the `errors`
 * of a result.
 */
export class RequestRefusal extends GraphQLError {
  constructor(readonly thrown: unknown) {
    super("refused as a whole");
  }
}

/** Runs `work` and turns any error into a `RequestRefusal`. */
export function rejectRequest<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (thrown) {
    throw toRequestRefusal(thrown);
  }
}

export function toRequestRefusal(thrown: unknown): RequestRefusal {
  return thrown instanceof RequestRefusal ? thrown : new RequestRefusal(thrown);
}

/**
 * Returns the response for an error that the transport threw. The body has the form of a GraphQL response,
 * and the status is the same as in REST.
 */
export function refuseRequest(http: RequestContext, thrown: unknown): Response {
  const accepts = accepted(http.request.headers.get("accept"));
  if (!(thrown instanceof CoreError))
    return answer(http, 500, accepts, { errors: [presentRefusal({}, refuse("fault_of_ours"), http)] });
  const { error, message, retryAfterSeconds, status, allow, ofGraph } = thrown as HttpRefusal;
  if (ofGraph !== undefined)
    return answer(http, statusOfErrors(accepts), accepts, {
      errors: [formatError({}, ofGraph, message, http)],
    });
  const { headers } = http;
  if (error === "unauthorized") headers["www-authenticate"] = challenge(http);
  if (retryAfterSeconds !== undefined) headers["retry-after"] = String(retryAfterSeconds);
  if (allow !== undefined) headers["allow"] = allow;
  return answer(http, status ?? STATUS_OF[error], accepts, {
    errors: [presentRefusal({}, thrown, http)],
  });
}

/** Returns an error as the JSON of a result, to be sent on a stream. */
export function refusedJson(http: RequestContext, thrown: unknown): string {
  const refusal = thrown instanceof CoreError ? thrown : refuse("fault_of_ours");
  return JSON.stringify({ errors: [presentRefusal({}, refusal, http)] });
}

/**
 * Returns the status of a response without data. For the media type `application/graphql-response+json` the
 * status is 400. For the older `application/json` the status is always 200 (GraphQL over HTTP §6.4).
 */
export function statusOfErrors({ json }: Accepted): number {
  return json === JSON_TYPE ? 200 : 400;
}

export function answer(http: RequestContext, status: number, accepts: Accepted, body: object): Response {
  return answerText(http, status, accepts, JSON.stringify(body));
}

/** Same as `answer`, for serialized JSON. */
export function answerText(
  http: RequestContext,
  status: number,
  accepts: Accepted,
  json: string | Uint8Array<ArrayBuffer>,
): Response {
  http.headers["content-type"] = `${accepts.json ?? RESPONSE_TYPE}; charset=utf-8`;
  http.answerBytes = Buffer.byteLength(json);
  return new Response(json, { status, headers: http.headers });
}

/** Where an error occurred: locations in the document, and the path in the response. */
interface ErrorLocation {
  locations?: GraphQLFormattedError["locations"] | undefined;
  path?: GraphQLFormattedError["path"] | undefined;
}

/**
 * Formats a refusal of the core. `extensions.code` is the error name (docs/contract.md#V7), like `error` in
 * REST. `extensions.reason` is the detailed code, like `code` in REST.
 */
export function presentRefusal(
  where: ErrorLocation,
  { error, code: reason, params, message, details }: CoreError,
  http: RequestContext,
): GraphQLFormattedError {
  const more = { reason, ...(params ? { params } : {}), ...(details ? { details } : {}) };
  return formatError(where, error, message, http, more);
}

/** Formats one error. `extensions` contains the error name and the request id. */
export function formatError(
  { locations, path }: ErrorLocation,
  code: ErrorName | (string & {}),
  message: string,
  { requestId }: RequestContext,
  more: Record<string, unknown> = {},
): GraphQLFormattedError {
  return {
    message: message.length > MESSAGE_MAX ? `${message.slice(0, MESSAGE_MAX)}…` : message,
    ...(locations ? { locations: locations.slice(0, LOCATIONS_MAX) } : {}),
    ...(path ? { path } : {}),
    extensions: { code, ...more, requestId },
  };
}
