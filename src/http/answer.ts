import { CoreError, type ErrorName, refuse } from "../core/base/errors.ts";
import type { Code } from "../core/base/refusals/refusals.ts";
import { etagWithoutCoding } from "./compression.ts";
import type { RequestContext } from "./context.ts";

/**
 * docs/contract.md#V7 and docs/contract.md#1.2: the one place where a refusal of the core becomes a status.
 */
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

/** Answers depend on the caller, so caches must not store them. The few others override this. */
export const NO_STORE = "private, no-store";

/** The tag of a thing in the state that this text shows. */
export function etagOf(text: string | Uint8Array): string {
  return `"${Bun.hash(text).toString(36)}"`;
}

/** A JSON answer with everything the preflight asks for. A read that the client already has becomes 304. */
export function json(
  context: RequestContext,
  status: number,
  body: unknown,
  extra?: Record<string, string>,
): Response {
  return jsonText(context, status, JSON.stringify(body), extra);
}

/** The same for a body that is already serialized. */
export function jsonText(
  context: RequestContext,
  status: number,
  text: string,
  extra?: Record<string, string>,
): Response {
  // A context has one answer, so its headers are filled in where they are.
  const headers = Object.assign(context.headers, extra);
  // Once: its tag, its length and the socket would each make bytes of it for themselves.
  const bytes = Buffer.from(text);
  if (status === 200 && context.method === "GET") {
    const etag = (headers["etag"] = etagOf(bytes));
    // docs/contract.md#1.4: it may be kept, and is asked about each time.
    if (headers["cache-control"] === NO_STORE) headers["cache-control"] = "private, no-cache";
    const known = matchingEtag(context.request.headers.get("if-none-match"), etag);
    if (known !== undefined) {
      headers["etag"] = known;
      return new Response(null, { status: 304, headers });
    }
  }
  headers["content-type"] = JSON_TYPE;
  context.answerBytes = bytes.length;
  return new Response(bytes, { status, headers });
}

/**
 * Server-sent events (HTML §9.2). A proxy must hand each on as it comes: nginx keeps even the head of an
 * answer back unless it is told (docs/adr/0021-no-broker.md).
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
 * The error body (docs/contract.md#1.14). Only a CoreError is trusted to say what went wrong; whatever else
 * was thrown, with whatever `status` or `code` it carries, is a server error that says nothing of its
 * insides.
 */
export function refusal(context: RequestContext, thrown: unknown): Response {
  const refused = thrown instanceof CoreError ? thrown : refuse("fault_of_ours");
  const { error } = refused;
  const extra: Record<string, string> = {};
  const authenticate = challengeFor(context, refused);
  if (authenticate !== undefined) extra["www-authenticate"] = authenticate;
  const seconds = refused.retryAfterSeconds ?? (error === "server_error" ? FAULT_SECONDS : undefined);
  if (seconds !== undefined) extra["retry-after"] = String(seconds);
  return jsonText(context, STATUS_OF[error], JSON.stringify(errorBody(refused, context.origin)), extra);
}

/** After a fault of ours the first retry may come so soon; the client's own backoff goes on from there. */
const FAULT_SECONDS = 1;

/** The body of docs/contract.md#V7, with what docs/contract.md#1.3 puts beside. */
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

/** The section of the REST guide that explains an error, by its id on the page /docs. */
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
 * What a refusal asks of the client's credentials: others (401), or ones that may more (403; RFC 6750 §3.1).
 */
function challengeFor(context: RequestContext, { error, code, params }: CoreError): string | undefined {
  if (error === "unauthorized") return challenge(context);
  const scope = code === "scope_missing" ? params?.["scope"] : undefined;
  return typeof scope === "string"
    ? bearer(context, `, error="insufficient_scope", scope="${scope}"`)
    : undefined;
}

/**
 * RFC 6750 §3: the error code only where credentials were sent. RFC 9728 §5.1: where a client learns who
 * gives tokens out.
 */
export function challenge(context: RequestContext): string {
  return bearer(context, context.hasCredentials ? ', error="invalid_token"' : "");
}

function bearer({ origin }: RequestContext, error: string): string {
  return `Bearer realm="guildhall"${error}, resource_metadata="${origin}/.well-known/oauth-protected-resource"`;
}

/**
 * RFC 9110 §13.1.2: which of the listed tags names this state, compared weakly and whatever the coding it
 * came in; the thing's own for a star; undefined for none. A cache finds what it holds by the tag that it
 * sent.
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
 * RFC 9110 §13.1.1: whether one of the listed tags is this state's, compared strongly; undefined stands for a
 * thing that has none.
 */
export function matchesEtag(ifMatch: string, etag: string | undefined): boolean {
  if (etag === undefined) return false;
  return ifMatch.split(",").some((sent) => sent.trim() === "*" || etagWithoutCoding(sent.trim()) === etag);
}

/** The content security policy of a page. */
export interface PagePolicy {
  /** Whether it may run the site's own scripts, and talk to the site from them. */
  scripts?: boolean;
  /** The targets of its forms, redirects included: `'self'`, and an app's URL on the consent page. */
  formAction?: readonly string[];
  /** Other headers, such as cookies and the cache's. */
  headers?: readonly (readonly [string, string])[];
}

/** A page for people: it loads nothing from elsewhere, runs no foreign script and stands in no frame. */
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
    // A cookie has a line of its own (RFC 6265 §3); anything else replaces.
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
    // What fetches robots.txt through the page asks for this, too; without a script nothing else can.
    "connect-src 'self'",
    ...(scripts ? ["script-src 'self'"] : []),
    `form-action ${formAction.length > 0 ? formAction.join(" ") : "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
