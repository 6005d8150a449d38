import type { Logger } from "pino";
import { loggedAddress } from "./address.ts";
import type { RequestContext } from "./context.ts";
import type { HttpRules } from "./transport.ts";

/** Tokens and signing secrets that somebody put where they do not belong: the log keeps only their prefix. */
const SECRET = /(guild_pat_|guild_secret_|guild_feed_|whsec_)[0-9A-Za-z+/=_-]+/gi;
/** Beside them in a client's name for itself: JWTs, and whatever else is long and tells nothing. */
const OPAQUE = /\b(eyJ|[\w-]{4})[\w-]{28,}(?:\.[\w-]+)*/g;
const AGENT_MAX = 200;

/** Whether a text that a client chose holds something that looks like a secret. */
export function looksSecret(text: string): boolean {
  return text.search(SECRET) >= 0;
}

/**
 * Reads are told at `debug`: at `info` the log shows what changed, what was refused and what broke. A 503 is
 * meant, and no fault. What the client wrote stands behind what we know, where nothing of it can be taken for
 * that (docs/threats.md#L13).
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

/** Cut before it is looked through: how long that takes must not be the client's to choose. */
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
    // A thrown thing that cannot even be read must not cost the answer.
    log.error({ requestId, traceparent, method, route }, "request failed, and the error cannot be logged");
  }
}
