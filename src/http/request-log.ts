import type { Logger } from "pino";
import { loggedAddress } from "./address.ts";
import type { RequestContext } from "./context.ts";
import type { HttpRules } from "./transport.ts";

/**
 * Matches tokens and signing secrets that a client sent in the path or the user agent. The log contains only
 * their prefix.
 */
const SECRET = /(guild_pat_|guild_secret_|guild_feed_|whsec_)[0-9A-Za-z+/=_-]+/gi;
/** Matches JWTs and other long opaque strings in a `User-Agent` header. */
const OPAQUE = /\b(eyJ|[\w-]{4})[\w-]{28,}(?:\.[\w-]+)*/g;
const AGENT_MAX = 200;

/** Whether a text from a client contains a token or signing secret of this server. */
export function containsSecret(text: string): boolean {
  return text.search(SECRET) >= 0;
}

/**
 * Logs a request. Reads are logged at `debug`, so `info` shows writes, refusals and server errors. A 503 is
 * logged as a warning, because the server sends it on purpose. Text from the client is last in a line, so
 * that it cannot be mistaken for our own text (docs/threats.md#L13).
 */
export function logRequest(
  log: Logger,
  rules: HttpRules,
  context: RequestContext,
  status: number,
  ms: number,
): void {
  const level = levelOf(context, status);
  if (!log.isLevelEnabled(level)) return;
  log[level](
    {
      requestId: context.requestId,
      traceparent: context.traceparent,
      status,
      failed: context.failedBy,
      address: addressOf(context, rules),
      method: context.method,
      route: context.route,
      ms: Math.round(ms * 1000) / 1000,
      bytes: context.answerBytes,
      tier: context.caller?.tier ?? "anonymous",
      builder: context.caller?.username,
      path: context.path.replace(SECRET, "$1…"),
      agent: agentOf(context),
    },
    "request",
  );
}

function addressOf(
  { peer, request }: RequestContext,
  { logAddress, trustedProxies }: HttpRules,
): string | undefined {
  return loggedAddress(logAddress, peer(), request.headers.get("x-forwarded-for"), trustedProxies);
}

/**
 * Returns the user agent without secrets. Cuts the header before matching, so that a long header cannot make
 * matching slow.
 */
function agentOf({ request }: RequestContext): string | undefined {
  const sent = request.headers.get("user-agent");
  if (sent === null || sent === "") return undefined;
  const text = sent
    .slice(0, 4 * AGENT_MAX)
    .replace(SECRET, "$1…")
    .replace(OPAQUE, "$1…")
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ");
  return text.length > AGENT_MAX ? `${text.slice(0, AGENT_MAX)}…` : text;
}

function levelOf({ isRead }: RequestContext, status: number): "error" | "warn" | "info" | "debug" {
  if (status >= 500) return status === 503 ? "warn" : "error";
  return status >= 400 || !isRead ? "info" : "debug";
}

export function logFailure(log: Logger, context: RequestContext, thrown: unknown): void {
  const { requestId, traceparent, method, route } = context;
  try {
    log.error({ requestId, traceparent, method, route, err: thrown }, "request failed");
  } catch {
    // The response is sent even if reading the properties of the error throws.
    log.error({ requestId, traceparent, method, route }, "request failed, and the error cannot be logged");
  }
}
