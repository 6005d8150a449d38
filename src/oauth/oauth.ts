import { readLiveToken } from "../core/delegation/tokens/app-tokens.ts";
import { SECOND } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { CoreError, type ErrorName, refuse, unauthorized } from "../core/base/errors.ts";
import type { Interactions } from "../core/delegation/grants/interaction.ts";
import { claimsOf } from "../core/delegation/oauth/subjects.ts";
import { json, refusal, STATUS_OF } from "../http/answer.ts";
import { readForm } from "../http/body.ts";
import type { Transport } from "../http/transport.ts";
import type { RequestContext } from "../http/context.ts";
import { verifiedTokenHandle, sessionKey } from "./adapter.ts";
import { callLibrary, type LibraryAnswer } from "./bridge.ts";
import { oauthCookieNames } from "../http/oauth-cookies.ts";
import { outgoingCookies, withSession } from "./cookies.ts";
import { documentsOf } from "./documents.ts";
import { createInteractions } from "./interactions.ts";
import { PATHS } from "./paths.ts";
import { createChargedCaller, type ChargedCaller, withPlaceholderSecret } from "./charged-caller.ts";
import { createPolling, POLL_INTERVAL_MS } from "./polling.ts";
import { createProviderSource } from "./provider.ts";
import { newLibraryCall, type LibraryCall } from "./library.ts";

export interface OAuthOptions {
  /**
   * Returns the member who is signed in with this request, and the time of the sign-in in ms since the Unix
   * epoch.
   */
  personOf(context: RequestContext): { builderId: string; signedInAt: number } | undefined;
  /** Returns an error page, for errors that cannot be sent to the app by a redirect. */
  problemPage(context: RequestContext, status: number, problem: { title: string; message: string }): Response;
  /**
   * Returns the response for an authorization request that was refused before a handler ran. The response is
   * a page for browsers and JSON for other clients.
   */
  refusePage(context: RequestContext, thrown: unknown): Response | Promise<Response>;
}

export interface OAuth {
  /**
   * These transports must precede the REST transport, because the prefix of the REST transport includes their
   * paths.
   */
  transports: Transport[];
  /** Operations for the pages `/oauth/consent/{uid}` and `/oauth/device`. */
  interactions: Interactions;
}

/**
 * Creates the OAuth server. It implements RFC 6749 with 7636, 7009, 7662, 8252, 8414, 8628, 8707, 9068, 9207,
 * 9700, 9728, and OpenID Connect Core.
 */
export function createOAuth(core: Core, options: OAuthOptions): OAuth {
  const cookies = oauthCookieNames(core.origin);
  const getProvider = createProviderSource(core, cookies);
  const payers = createChargedCaller(core);
  const endpointContext: EndpointContext = {
    core,
    options,
    cookies,
    getProvider,
    payers,
    isTooSoon: createPolling(core),
  };
  const oauth: Transport = {
    prefix: "/v1/oauth",
    transportName: "oauth",
    isCounted: true,
    identify: (context) => (endpointOf(context) ? payers.byHeader(context) : context.callerNow()),
    mayChange: (context) => CHANGING.has(context.path) || isAuthorize(context),
    isOpenToApps: ({ path }) => OPEN_TO_APPS.has(path),
    handle: (context) => route(endpointContext, context),
    refuse(context, thrown) {
      if (endpointOf(context)) return oauthRefusal(context, thrown);
      return (isAuthorize(context) ? options.refusePage : refusal)(context, thrown);
    },
  };
  const transports = [oauth, ...documentsOf(core)];
  return { transports, interactions: createInteractions(core, getProvider) };
}

interface EndpointContext {
  core: Core;
  options: OAuthOptions;
  cookies: ReturnType<typeof oauthCookieNames>;
  getProvider: ReturnType<typeof createProviderSource>;
  payers: ChargedCaller;
  isTooSoon: ReturnType<typeof createPolling>;
}

/** Endpoints that apps call directly, by path. */
const CLIENT_ENDPOINTS: Readonly<Record<string, LibraryCall["endpoint"]>> = {
  [PATHS.token]: "token",
  [PATHS.revoke]: "revoke",
  [PATHS.introspect]: "introspect",
  [PATHS.device]: "device",
};

/** Paths of requests that change data. Introspection is also a POST, but changes nothing. */
const CHANGING: ReadonlySet<string> = new Set([PATHS.token, PATHS.revoke, PATHS.device, PATHS.authorize]);

/**
 * Endpoints that browser apps of other origins may call. The authorization endpoint is not listed, because
 * browsers navigate to it with the site's cookies.
 */
const OPEN_TO_APPS: ReadonlySet<string> = new Set([PATHS.token, PATHS.revoke, PATHS.userinfo]);

function endpointOf({ method, path }: RequestContext): LibraryCall["endpoint"] | undefined {
  return method === "POST" && Object.hasOwn(CLIENT_ENDPOINTS, path) ? CLIENT_ENDPOINTS[path] : undefined;
}

function isAuthorize({ method, path }: RequestContext): boolean {
  const isPath = path === PATHS.authorize || /^\/v1\/oauth\/authorize\/[A-Za-z0-9_-]{10,64}$/.test(path);
  return method === "GET" && isPath;
}

function route(endpointContext: EndpointContext, context: RequestContext): Response | Promise<Response> {
  const { method, path } = context;
  const endpoint = endpointOf(context);
  if (endpoint) return answerClient(endpointContext, found(context, path), endpoint);
  if (isAuthorize(context)) return answerBrowser(endpointContext, found(context, PATHS.authorize));
  if (method === "POST" && path === PATHS.authorize) return asGet(found(context, path));
  if (path === PATHS.userinfo && (method === "GET" || method === "POST"))
    return showUser(endpointContext.core, found(context, path));
  throw refuse("nothing_here_that_way");
}

/** Sets the route name. Call this function only for known paths. */
function found(context: RequestContext, route: string): RequestContext {
  context.route = route;
  return context;
}

/**
 * Redirects a POST to the same request as GET. OpenID Connect Core §3.1.2.1 allows a POST with a form, but a
 * cross-site POST does not contain the site's cookies.
 */
async function asGet(context: RequestContext): Promise<Response> {
  const form = await readForm(context);
  const headers = { ...context.headers, "cache-control": "no-store", location: `${PATHS.authorize}?${form}` };
  return new Response(null, { status: 303, headers });
}

/**
 * Handles token, revocation, introspection and device requests. The requests contain a form, and the response
 * is JSON.
 */
async function answerClient(
  endpointContext: EndpointContext,
  context: RequestContext,
  endpoint: LibraryCall["endpoint"],
): Promise<Response> {
  const { core, getProvider, payers } = endpointContext;
  try {
    const form = await readForm(context);
    const payer = payers.byForm(context, form);
    if (payer) context.chargeCaller(payer);
    const verifiedToken =
      endpoint === "revoke" || endpoint === "introspect" ? await present(core, form) : undefined;
    const authorization = context.request.headers.get("authorization");
    const isAboutToken = endpoint === "revoke" || endpoint === "introspect";
    if (isAboutToken && authorization === null && !form.has("client_id")) return noClient(context);
    const { answer, work } = await callLibrary(
      core,
      getProvider,
      () => ({ ...newLibraryCall(endpoint), verifiedToken }),
      {
        method: "POST",
        target: context.path,
        headers: {
          accept: "application/json",
          "content-type": "application/x-www-form-urlencoded",
          ...(authorization === null ? {} : { authorization: withPlaceholderSecret(authorization) }),
        },
        body: form.toString(),
      },
    );
    return clientAnswer(context, answer, work, (body) => {
      if (endpoint === "device" && answer.status === 200) body["interval"] = POLL_INTERVAL_MS / SECOND;
      if (
        body["error"] === "authorization_pending" &&
        endpointContext.isTooSoon(form.get("device_code") ?? "")
      )
        Object.assign(body, SLOW_DOWN);
    });
  } catch (thrown) {
    return context.refuse(thrown);
  }
}

/**
 * Returns the refusal of a revocation or introspection request without client authentication (RFC 7009 §2.1,
 * RFC 7662 §2.1).
 */
function noClient(context: RequestContext): Response {
  const said =
    "Client authentication is missing. Send the client id and secret of the app, or only `client_id` for a public app.";
  const body = { error: "invalid_client", error_description: said, message: said };
  return json(context, 401, body, { ...NOT_STORED, "www-authenticate": 'Basic realm="guildhall"' });
}

/**
 * Verifies the access token in a form, and replaces the token by a handle. The library accepts no JWT at the
 * revocation and introspection endpoints.
 */
async function present(core: Core, form: URLSearchParams) {
  const [token, ...more] = form.getAll("token");
  if (token === undefined || more.length > 0 || !token.includes(".")) return undefined;
  const verified = await readLiveToken(core, token);
  form.set("token", verifiedTokenHandle(verified?.jti ?? "nothing"));
  return verified;
}

const SLOW_DOWN = {
  error: "slow_down",
  error_description: "The device asks too often. Wait five more seconds between requests from now on.",
};

function clientAnswer(
  context: RequestContext,
  { status, headers, text }: LibraryAnswer,
  work: LibraryCall,
  amend: (body: Record<string, unknown>) => void,
): Response | Promise<Response> {
  if (work.fault || status >= 500) return context.refuse(work.fault?.thrown);
  const body = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
  if (work.successor !== undefined && status === 200) body["refresh_token"] = work.successor;
  if (work.cause !== undefined) body["error_description"] = work.cause;
  amend(body);
  const challenge = headers.get("www-authenticate");
  if (challenge !== null) context.headers["www-authenticate"] = challenge;
  if (body["error"] === "invalid_client") context.denied("app");
  if (typeof body["error"] === "string") {
    body["error_description"] ??= sentenceOf(body["error"]);
    body["message"] = body["error_description"];
  } else if (status === 404) throw refuse("nothing_here_that_way");
  return json(context, status, body, NOT_STORED);
}

/**
 * Headers that RFC 6749 §5.1 requires for responses with tokens. Also sent with errors (docs/threats.md#E11).
 */
const NOT_STORED = { "cache-control": "no-store", pragma: "no-cache" };

/** OAuth's own names for some of our errors, by our name (RFC 6749 §4.1.2.1, §5.2). */
const OAUTH_NAMES: Readonly<Partial<Record<ErrorName, string>>> = {
  bad_request: "invalid_request",
  unavailable: "temporarily_unavailable",
};

/**
 * Formats an error by RFC 6749 §5.2. Adds the `message` that all our errors have. Server errors are logged,
 * and their details are not shown.
 */
function oauthRefusal(context: RequestContext, thrown: unknown): Response {
  const { error, code, message, retryAfterSeconds } =
    thrown instanceof CoreError ? thrown : refuse("fault_of_ours");
  const body = {
    error: OAUTH_NAMES[error] ?? error,
    error_description: message,
    message,
    code,
  };
  return json(context, STATUS_OF[error], body, {
    ...NOT_STORED,
    ...(retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }),
  });
}

/** Handles the authorization endpoint. Returns a redirect, or a page if no safe redirect exists. */
async function answerBrowser(endpointContext: EndpointContext, context: RequestContext): Promise<Response> {
  const { core, options, cookies, getProvider } = endpointContext;
  context.headers["cache-control"] = "no-store";
  const person = options.personOf(context);
  let answer: LibraryAnswer;
  let work = newLibraryCall("authorize", person);
  const begin = () => (work = newLibraryCall("authorize", person));
  try {
    ({ answer, work } = await callLibrary(core, getProvider, begin, {
      method: "GET",
      target: context.path + (context.query === "" ? "" : `?${onlyQueryMode(context.query)}`),
      headers: {
        accept: "text/html",
        cookie: withSession(
          context.request.headers.get("cookie"),
          cookies,
          person && sessionKey(person.builderId),
        ),
      },
    }));
  } catch (thrown) {
    context.report(thrown);
    return fault(endpointContext, context, work);
  }
  if (work.fault) context.report(work.fault.thrown);
  const to = answer.headers.get("location");
  if (to === null) {
    if (work.fault) return fault(endpointContext, context, work);
    const { error, error_description: description } = readError(answer.text);
    return problem(endpointContext, context, answer.status, error, work.cause ?? description);
  }
  if (!person && !to.startsWith(`${PATHS.consentPage}/`) && !isSilent(context.query)) {
    const said = answerIn(to);
    return problem(
      endpointContext,
      context,
      400,
      said.get("error") ?? "",
      work.cause ?? said.get("error_description") ?? undefined,
    );
  }
  const headers = new Headers({ ...context.headers, location: withCause(to, work) });
  for (const cookie of outgoingCookies(answer.headers.getSetCookie(), cookies, core.origin))
    headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}

/**
 * Reports a server error. If the redirect URI is verified, redirects to the app, so that the app can retry
 * (RFC 6749 §4.1.2.1). Otherwise shows a page. A guest also gets a page, unless the request has
 * `prompt=none`.
 */
function fault(
  endpointContext: EndpointContext,
  context: RequestContext,
  { person, returnTo }: LibraryCall,
): Response {
  if (!returnTo || (!person && !isSilent(context.query)))
    return problem(endpointContext, context, 500, "server_error", undefined);
  const to = new URL(returnTo.redirectUri);
  to.searchParams.set("error", "server_error");
  to.searchParams.set("error_description", FAULT);
  if (returnTo.state !== undefined) to.searchParams.set("state", returnTo.state);
  to.searchParams.set("iss", endpointContext.core.origin);
  return new Response(null, { status: 303, headers: { ...context.headers, location: to.href } });
}

const FAULT = "Something went wrong on our side. Try again in a moment.";

/**
 * Whether the app requests that no page is shown (`prompt=none`). Guests are redirected only in this case.
 * Anyone may register an app, so a link to this site must not redirect guests to a foreign site (RFC 9700
 * §4.11.2).
 */
function isSilent(query: string): boolean {
  return new URLSearchParams(query).get("prompt") === "none";
}

/** Returns the parameters of a redirect to an app, from its query string or its fragment. */
function answerIn(to: string): URLSearchParams {
  const { searchParams, hash } = new URL(to);
  return searchParams.has("error") ? searchParams : new URLSearchParams(hash.slice(1));
}

/** Replaces the library's error description by ours. Leaves all other parts of the redirect URI unchanged. */
function withCause(to: string, { cause }: LibraryCall): string {
  if (cause === undefined) return to;
  return to
    .replace(/([?&#])error_description=[^&#]*&?/, "$1")
    .replace(/([?&#]error=[^&#]*)/, `$1&error_description=${encodeURIComponent(cause)}`);
}

/**
 * Replaces response modes other than `query`, so that the library refuses them. The other modes need pages
 * that submit themselves, which this server does not have.
 */
function onlyQueryMode(query: string): string {
  const params = new URLSearchParams(query);
  const modes = params.getAll("response_mode");
  if (modes.length === 0 || (modes.length === 1 && modes[0] === "query")) return query;
  params.set("response_mode", "unsupported");
  return params.toString();
}

function problem(
  { options }: EndpointContext,
  context: RequestContext,
  status: number,
  error: string,
  description: string | undefined,
): Response {
  const known = Object.values(STATUS_OF).includes(status) ? status : 400;
  return options.problemPage(context, known, {
    title: known === 500 ? "Something went wrong" : "This app cannot be authorized",
    message: known === 500 ? FAULT : problemOf(error, description),
  });
}

function readError(text: string): { error: string; error_description?: string } {
  try {
    const body = JSON.parse(text) as { error?: unknown; error_description?: unknown };
    return {
      error: typeof body.error === "string" ? body.error : "invalid_request",
      ...(typeof body.error_description === "string" ? { error_description: body.error_description } : {}),
    };
  } catch {
    return { error: "invalid_request" };
  }
}

/**
 * Returns the text of an error page. A user cannot fix the error, but can show the text to the app's
 * developers.
 */
function problemOf(error: string, description: string | undefined): string {
  const detail = description === undefined ? error : `${error}: ${description.replace(/\.$/, "")}`;
  return `The app sent you here with a request that this site does not accept (${detail}). Go back to the app and try again, or tell its developers.`;
}

function sentenceOf(error: string): string {
  return `The request was refused (${error}).`;
}

/**
 * Returns the userinfo claims: claims about the member to whom an access token with the `openid` scope
 * belongs (OpenID Connect Core §5.3).
 */
async function showUser(core: Core, context: RequestContext): Promise<Response> {
  const { caller } = context;
  const token = context.request.headers.get("authorization")?.split(" ")[1] ?? "";
  const verified = caller?.means === "app" ? await readLiveToken(core, token) : undefined;
  if (!caller?.builderId || !verified) throw unauthorized();
  const scopes = new Set(verified.scopes);
  const claims = scopes.has("openid") ? claimsOf(core, caller.builderId, scopes) : undefined;
  if (!claims) throw refuse("scope_missing", { scope: "openid" });
  return json(context, 200, claims);
}
