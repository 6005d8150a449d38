import { noContent } from "./answer.ts";
import type { RequestContext } from "./context.ts";

const EXPOSED_HEADERS =
  "X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, ETag, Link, Location, Idempotency-Replayed, Guildhall-Version, Last-Event-ID, Preference-Applied, WWW-Authenticate";
const ALLOWED_HEADERS =
  "Authorization, Content-Type, Guildhall-Version, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, Traceparent, X-GraphQL-Event-Stream-Token, X-Request-Id";

/**
 * Adds CORS headers if the origin of the request is in `origins` or belongs to an app. Pages of this origin
 * may then read the response. Never allows the browser to send cookies. Returns whether the origin is
 * allowed. Omit `isApps` if apps must not read the response.
 */
export function allowOrigin(
  { request, headers }: RequestContext,
  origins: readonly string[],
  isApps?: (origin: string) => boolean,
): boolean {
  if (origins.length === 0 && !isApps) return false;
  headers["vary"] = "accept-encoding, origin";
  const origin = request.headers.get("origin");
  if (origin === null || !(origins.includes(origin) || isApps?.(origin))) return false;
  headers["access-control-allow-origin"] = origin;
  headers["access-control-expose-headers"] = EXPOSED_HEADERS;
  return true;
}

/**
 * Whether the request is a CORS preflight. A preflight needs no credentials and costs no rate limit token.
 */
export function isCorsPreflight({ method, headers }: Request): boolean {
  return method === "OPTIONS" && headers.has("access-control-request-method");
}

export function answerPreflight(context: RequestContext): Response {
  return noContent(context, {
    "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
    "access-control-allow-headers": ALLOWED_HEADERS,
    "access-control-max-age": "7200",
  });
}
