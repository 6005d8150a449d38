import type { GraphQLFormattedError } from "graphql";
import { CoreError, type ErrorName } from "../core/errors.ts";
import { challenge, STATUS_OF } from "../http/answer.ts";
import type { Visit } from "../http/visit.ts";
import { type Accepted, accepted, type HttpRefusal, RESPONSE_TYPE } from "./request.ts";

/** What is said of our own failures. */
export const UNTOLD = "Something went wrong on our side; retry with backoff, and quote the request id.";
const MESSAGE_MAX = 500;
const LOCATIONS_MAX = 10;

/** Whatever was thrown at the door, in the form of GraphQL and with the status of REST. */
export function refuseVisit(visit: Visit, thrown: unknown): Response {
  const takes = accepted(visit.request.headers.get("accept"));
  if (!(thrown instanceof CoreError))
    return answer(visit, 500, takes, { errors: [present({}, "server_error", UNTOLD, visit)] });
  const { code, message, details, retryAfterSeconds, status, allow } = thrown as HttpRefusal;
  const { headers } = visit;
  if (code === "unauthorized") headers["www-authenticate"] = challenge(visit);
  if (retryAfterSeconds !== undefined) headers["retry-after"] = String(retryAfterSeconds);
  if (allow !== undefined) headers["allow"] = allow;
  return answer(visit, status ?? STATUS_OF[code], takes, {
    errors: [present({}, code, message, visit, details)],
  });
}

export function answer(visit: Visit, status: number, takes: Accepted, body: object): Response {
  visit.headers["content-type"] = `${takes.json ?? RESPONSE_TYPE}; charset=utf-8`;
  return new Response(JSON.stringify(body), { status, headers: visit.headers });
}

/** Where in the document, and where in the answer. */
interface Where {
  locations?: GraphQLFormattedError["locations"] | undefined;
  path?: GraphQLFormattedError["path"] | undefined;
}

/** One error of an answer: its name of §7 in `extensions.code`, and the request id to quote. */
export function present(
  { locations, path }: Where,
  code: ErrorName,
  message: string,
  { requestId }: Visit,
  details?: CoreError["details"],
): GraphQLFormattedError {
  return {
    message: message.length > MESSAGE_MAX ? `${message.slice(0, MESSAGE_MAX)}…` : message,
    ...(locations ? { locations: locations.slice(0, LOCATIONS_MAX) } : {}),
    ...(path ? { path } : {}),
    extensions: { code, ...(details && details.length > 0 ? { details } : {}), requestId },
  };
}
