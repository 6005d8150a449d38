import { CoreError, type ErrorName, refuse } from "../core/base/errors.ts";
import type { Code } from "../core/base/refusals/refusals.ts";
import { etagWithoutCoding } from "./compression.ts";
import type { RequestContext } from "./context.ts";

/** HTTP status of each error name of the core (docs/contract.md#V7, docs/contract.md#1.2). */
export const STATUS_OF: Readonly<Record<ErrorName, number>> = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  precondition_failed: 412,
  unprocessable: 422,
  rate_limited: 429,
  server_error: 500,
  unavailable: 503,
};

const JSON_TYPE = "application/json; charset=utf-8";

/**
 * Default `Cache-Control` header. Responses depend on the caller, so caches must not store them. A few
 * responses replace this header.
 */
export const NO_STORE = "private, no-store";

/** Returns the entity tag of a representation. */
export function etagOf(text: string | Uint8Array): string {
  return `"${Bun.hash(text).toString(36)}"`;
}

/**
 * Returns a JSON response with the headers of the context. Returns 304 for a GET if the client already has
 * this version of the resource.
 */
export function json(
  context: RequestContext,
  status: number,
  body: unknown,
  extra?: Record<string, string>,
): Response {
  const text = JSON.stringify(body);
  // Changes the context's headers directly, because a context has only one response.
  const headers = Object.assign(context.headers, extra);
  if (status === 200 && context.method === "GET") {
    const etag = (headers["etag"] = etagOf(text));
    // The client may store the response, but must revalidate the stored response each time
    // (docs/contract.md#1.4).
    if (headers["cache-control"] === NO_STORE) headers["cache-control"] = "private, no-cache";
    const known = matchingEtag(context.request.headers.get("if-none-match"), etag);
    if (known !== undefined) {
      headers["etag"] = known;
      return new Response(null, { status: 304, headers });
    }
  }
  headers["content-type"] = JSON_TYPE;
  context.answerBytes = Buffer.byteLength(text);
  return new Response(text, { status, headers });
}

/**
 * Returns a response that streams server-sent events (HTML §9.2). The headers tell proxies not to buffer the
 * response. By default nginx buffers even the response headers (docs/adr/0021-no-broker.md).
 */
export function streamed(context: RequestContext, body: ReadableStream): Response {
  return new Response(body, {
    headers: {
      ...context.headers,
      "cache-control": NO_STORE,
      "content-type": "text/event-stream; charset=utf-8",
      "x-accel-buffering": "no",
    },
  });
}

export function noContent(context: RequestContext, extra?: Record<string, string>): Response {
  return new Response(null, { status: 204, headers: { ...context.headers, ...extra } });
}

/**
 * Returns the response for any thrown error (docs/contract.md#1.14). Only the message of a CoreError is
 * shown. Any other error becomes a server error without details, even if it has a `status` or `code`.
 */
export function refusal(context: RequestContext, thrown: unknown): Response {
  const refused = thrown instanceof CoreError ? thrown : refuse("fault_of_ours");
  const { error } = refused;
  const extra: Record<string, string> = {};
  const authenticate = challengeFor(context, refused);
  if (authenticate !== undefined) extra["www-authenticate"] = authenticate;
  const seconds = refused.retryAfterSeconds ?? (error === "server_error" ? FAULT_SECONDS : undefined);
  if (seconds !== undefined) extra["retry-after"] = String(seconds);
  return json(context, STATUS_OF[error], errorBody(refused, context.origin), extra);
}

/** `Retry-After` of a server error, in seconds. The client should increase its delay for further retries. */
const FAULT_SECONDS = 1;

/** Returns the error body of docs/contract.md#V7 with the additions of docs/contract.md#1.3. */
export function errorBody(refused: CoreError, origin: string): Record<string, unknown> {
  const { error, code, params, message, details } = refused;
  return {
    error,
    code,
    ...(params ? { params } : {}),
    message,
    ...(details ? { details } : {}),
    docs: `${origin}/docs/errors#${code}`,
  };
}

/** Returns the id of the section in the REST guide (/docs) that explains an error. */
export function guideSectionOf(error: ErrorName, code: Code): string {
  if (code === "scope_missing") return "scopes";
  if (code === "cursor_foreign") return "pagination";
  if (code.startsWith("idempotency_key_")) return "retries";
  return SECTION_OF[error] ?? "errors";
}

const SECTION_OF: Readonly<Partial<Record<ErrorName, string>>> = {
  unauthorized: "authentication",
  precondition_failed: "conditional-requests",
  rate_limited: "rate-limits",
};

/**
 * Returns the `WWW-Authenticate` header of a refusal. The header requests other credentials (401) or more
 * scopes (403, RFC 6750 §3.1). Returns `undefined` for other refusals.
 */
function challengeFor(context: RequestContext, { error, code, params }: CoreError): string | undefined {
  if (error === "unauthorized") return challenge(context);
  const scope = code === "scope_missing" ? params?.["scope"] : undefined;
  return typeof scope === "string"
    ? bearer(context, `, error="insufficient_scope", scope="${scope}"`)
    : undefined;
}

/**
 * Returns the `WWW-Authenticate` header of a 401. The header contains an error code only if the client sent
 * credentials (RFC 6750 §3). The header links to the resource metadata, which lists the authorization server
 * (RFC 9728 §5.1).
 */
export function challenge(context: RequestContext): string {
  return bearer(context, context.hasCredentials ? ', error="invalid_token"' : "");
}

function bearer({ origin }: RequestContext, error: string): string {
  return `Bearer realm="guildhall"${error}, resource_metadata="${origin}/.well-known/oauth-protected-resource"`;
}

/**
 * Returns the first tag of the header that matches, by weak comparison and without the content coding (RFC
 * 9110 §13.1.2). Returns the client's tag and not ours, because a cache finds its entry by the client's tag.
 * Returns `etag` for `*`, and `undefined` without a match.
 */
export function matchingEtag(ifNoneMatch: string | null, etag: string): string | undefined {
  if (ifNoneMatch === null) return undefined;
  for (const sent of ifNoneMatch.split(",")) {
    const tag = sent.trim();
    if (tag === "*") return etag;
    const strong = tag.startsWith("W/") ? tag.slice(2) : tag;
    if (etagWithoutCoding(strong) === etag) return strong;
  }
  return undefined;
}

/**
 * Whether a tag of the header matches, by strong comparison (RFC 9110 §13.1.1). Pass `undefined` if the
 * resource has no entity tag.
 */
export function matchesEtag(ifMatch: string, etag: string | undefined): boolean {
  if (etag === undefined) return false;
  return ifMatch.split(",").some((sent) => sent.trim() === "*" || etagWithoutCoding(sent.trim()) === etag);
}

/** Settings of a page's content security policy, and further headers. */
export interface PagePolicy {
  /** Whether the page may run the site's own scripts. These scripts may also connect to the site. */
  scripts?: boolean;
  /**
   * Allowed form targets, including targets of redirects: `'self'`, and the app's URL on the consent page.
   */
  formAction?: readonly string[];
  /** Further response headers, such as cookies or `Cache-Control`. */
  headers?: readonly (readonly [string, string])[];
}

/**
 * Returns an HTML page. The page loads nothing from other origins, runs no foreign scripts and cannot be
 * framed.
 */
export function html(
  context: RequestContext,
  status: number,
  page: string,
  policy: PagePolicy = {},
): Response {
  const headers = new Headers({
    ...context.headers,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": contentPolicy(policy),
    "referrer-policy": "strict-origin-when-cross-origin",
    "x-frame-options": "DENY",
    "cache-control": "no-cache",
  });
  for (const [name, value] of policy.headers ?? []) {
    // Each cookie needs its own header line (RFC 6265 §3). For other headers, the new value replaces the old
    // one.
    if (name === "set-cookie") headers.append(name, value);
    else headers.set(name, value);
  }
  context.answerBytes = Buffer.byteLength(page);
  return new Response(page, { status, headers });
}

function contentPolicy({ scripts = false, formAction = [] }: PagePolicy): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    // Some tools fetch robots.txt from within the page, and need this directive. A page without scripts makes
    // no other connections.
    "connect-src 'self'",
    ...(scripts ? ["script-src 'self'"] : []),
    `form-action ${formAction.length > 0 ? formAction.join(" ") : "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
