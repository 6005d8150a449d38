import { CoreError, type ErrorName } from "../core/errors.ts";
import type { Visit } from "./visit.ts";

/** §7, «Status» and «Name»: the one place where a refusal of the core becomes a status. */
export const STATUS_OF: Readonly<Record<ErrorName, number>> = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  unprocessable: 422,
  rate_limited: 429,
  server_error: 500,
};

const JSON_TYPE = "application/json; charset=utf-8";

/** A JSON answer with everything the preflight asks for. A read that the client already has becomes 304. */
export function json(visit: Visit, status: number, body: unknown, extra?: Record<string, string>): Response {
  return jsonText(visit, status, JSON.stringify(body), extra);
}

/** The same for a body that is text already. */
export function jsonText(
  visit: Visit,
  status: number,
  text: string,
  extra?: Record<string, string>,
): Response {
  // A visit has one answer, so its headers are filled in where they are.
  const headers = Object.assign(visit.headers, extra);
  if (status === 200 && visit.method === "GET") {
    headers["etag"] = `"${Bun.hash(text).toString(36)}"`;
    if (matches(visit.request.headers.get("if-none-match"), headers["etag"])) {
      return new Response(null, { status: 304, headers });
    }
  }
  headers["content-type"] = JSON_TYPE;
  return new Response(text, { status, headers });
}

export function noContent(visit: Visit, extra?: Record<string, string>): Response {
  return new Response(null, { status: 204, headers: { ...visit.headers, ...extra } });
}

/**
 * The error body of §7. Only a CoreError is trusted to say what went wrong; whatever else was thrown, with whatever
 * `status` or `code` it carries, is a server error that says nothing of its insides.
 */
export function refusal(visit: Visit, thrown: unknown): Response {
  const error =
    thrown instanceof CoreError
      ? thrown
      : new CoreError(
          "server_error",
          "Something went wrong on our side; retry with backoff, and quote the request id.",
        );
  const body: Record<string, unknown> = { error: error.code, message: error.message };
  if (error.details && error.details.length > 0) body["details"] = error.details;
  const extra: Record<string, string> = {};
  if (error.code === "unauthorized") extra["www-authenticate"] = challenge(visit);
  if (error.retryAfterSeconds !== undefined) extra["retry-after"] = String(error.retryAfterSeconds);
  return jsonText(visit, STATUS_OF[error.code], JSON.stringify(body), extra);
}

/** RFC 6750 §3: the error code only where credentials were sent. RFC 9728 §5.1: where a client learns who gives tokens out. */
export function challenge({ hasCredentials, origin }: Visit): string {
  const error = hasCredentials ? ', error="invalid_token"' : "";
  return `Bearer realm="guildhall"${error}, resource_metadata="${origin}/.well-known/oauth-protected-resource"`;
}

/** RFC 9110 §13.1.2: any of the listed tags, compared weakly, or a star. */
export function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.split(",").some((tag) => {
    const trimmed = tag.trim();
    return trimmed === "*" || trimmed === etag || trimmed === `W/${etag}`;
  });
}

/** What a page may do beyond showing itself. */
export interface PagePolicy {
  /** Whether it may run the site's own scripts, and talk to the site from them. */
  scripts?: boolean;
  /** Where its forms may end up, redirects included: `'self'`, and an app's address on the consent page. */
  formAction?: readonly string[];
  /** Other headers, such as cookies and the cache's. */
  headers?: readonly (readonly [string, string])[];
}

/** A page for people: it loads nothing from elsewhere, runs no foreign script and stands in no frame. */
export function html(visit: Visit, status: number, page: string, policy: PagePolicy = {}): Response {
  const headers = new Headers({
    ...visit.headers,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": contentPolicy(policy),
    "referrer-policy": "strict-origin-when-cross-origin",
    "x-frame-options": "DENY",
    "cache-control": "no-cache",
  });
  for (const [name, value] of policy.headers ?? []) {
    // A cookie has a line of its own (RFC 6265 §3); anything else replaces.
    if (name === "set-cookie") headers.append(name, value);
    else headers.set(name, value);
  }
  return new Response(page, { status, headers });
}

function contentPolicy({ scripts = false, formAction = [] }: PagePolicy): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    ...(scripts ? ["script-src 'self'", "connect-src 'self'"] : []),
    `form-action ${formAction.length > 0 ? formAction.join(" ") : "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
