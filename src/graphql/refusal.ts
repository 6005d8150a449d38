import { GraphQLError, type GraphQLFormattedError } from "graphql";
import { CoreError, type ErrorName, refuse } from "../core/base/errors.ts";
import { challenge, STATUS_OF } from "../http/answer.ts";
import type { RequestContext } from "../http/context.ts";
import { type Accepted, accepted, type HttpRefusal, JSON_TYPE, RESPONSE_TYPE } from "./request.ts";

const MESSAGE_MAX = 500;
const LOCATIONS_MAX = 10;

/**
 * What was thrown on the way and is the whole answer, as it has a status of its own: so Yoga hands it on, and
 * makes no error of the graph of it.
 */
export class WholeRefusal extends GraphQLError {
  constructor(readonly thrown: unknown) {
    super("refused as a whole");
  }
}

/** Whatever `work` throws is the whole answer. */
export function refuseWhole<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (thrown) {
    throw toWholeRefusal(thrown);
  }
}

export function toWholeRefusal(thrown: unknown): WholeRefusal {
  return thrown instanceof WholeRefusal ? thrown : new WholeRefusal(thrown);
}

/** Whatever was thrown at the transport, in the form of GraphQL and with the status of REST. */
export function refuseRequest(http: RequestContext, thrown: unknown): Response {
  const takes = accepted(http.request.headers.get("accept"));
  if (!(thrown instanceof CoreError))
    return answer(http, 500, takes, { errors: [presentRefusal({}, refuse("fault_of_ours"), http)] });
  const { error, message, retryAfterSeconds, status, allow, ofGraph } = thrown as HttpRefusal;
  if (ofGraph !== undefined)
    return answer(http, statusOfErrors(takes), takes, { errors: [present({}, ofGraph, message, http)] });
  const { headers } = http;
  if (error === "unauthorized") headers["www-authenticate"] = challenge(http);
  if (retryAfterSeconds !== undefined) headers["retry-after"] = String(retryAfterSeconds);
  if (allow !== undefined) headers["allow"] = allow;
  return answer(http, status ?? STATUS_OF[error], takes, {
    errors: [presentRefusal({}, thrown, http)],
  });
}

/** Whatever was thrown, told on a stream. */
export function refusedJson(http: RequestContext, thrown: unknown): string {
  const refusal = thrown instanceof CoreError ? thrown : refuse("fault_of_ours");
  return JSON.stringify({ errors: [presentRefusal({}, refusal, http)] });
}

/**
 * Without data nothing ran: the newer type tells it by its status too, the older one always says 200 (GraphQL
 * over HTTP §6.4).
 */
export function statusOfErrors({ json }: Accepted): number {
  return json === JSON_TYPE ? 200 : 400;
}

export function answer(http: RequestContext, status: number, takes: Accepted, body: object): Response {
  return answerText(http, status, takes, JSON.stringify(body));
}

/** The same for JSON that is already serialized. */
export function answerText(
  http: RequestContext,
  status: number,
  takes: Accepted,
  json: string | Uint8Array<ArrayBuffer>,
): Response {
  http.headers["content-type"] = `${takes.json ?? RESPONSE_TYPE}; charset=utf-8`;
  http.answerBytes = Buffer.byteLength(json);
  return new Response(json, { status, headers: http.headers });
}

/** The locations in the document and the path in the answer. */
interface Where {
  locations?: GraphQLFormattedError["locations"] | undefined;
  path?: GraphQLFormattedError["path"] | undefined;
}

/**
 * A refusal of the core: `extensions.code` is its name (docs/contract.md#V7), as in REST's `error`, and
 * `reason` the finer one, as in REST's `code`.
 */
export function presentRefusal(
  where: Where,
  { error, code: reason, params, message, details }: CoreError,
  http: RequestContext,
): GraphQLFormattedError {
  const more = { reason, ...(params ? { params } : {}), ...(details ? { details } : {}) };
  return present(where, error, message, http, more);
}

/** One error of an answer: its name in `extensions.code`, and the request id to quote. */
export function present(
  { locations, path }: Where,
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
