import type { Logger } from "pino";
import type { RequestContext } from "./context.ts";

/** Tokens and signing secrets that somebody put where they do not belong: the log keeps only their prefix. */
const SECRET = /(guild_pat_|guild_secret_|whsec_)[0-9A-Za-z+/=_-]+/gi;

/** Whether a text that a client chose holds something that looks like a secret. */
export function looksSecret(text: string): boolean {
  return text.search(SECRET) >= 0;
}

/**
 * Reads are told at `debug`: at `info` the log shows what changed, what was refused and what broke. A 503 is
 * meant, and no fault.
 */
export function logRequest(log: Logger, context: RequestContext, status: number, ms: number): void {
  const level = levelOf(context, status);
  if (!log.isLevelEnabled(level)) return;
  log[level](
    {
      requestId: context.requestId,
      method: context.method,
      path: context.path.replace(SECRET, "$1…"),
      route: context.route,
      status,
      ms: Math.round(ms * 1000) / 1000,
      builder: context.caller?.username,
    },
    "request",
  );
}

function levelOf({ isRead }: RequestContext, status: number): "error" | "warn" | "info" | "debug" {
  if (status >= 500) return status === 503 ? "warn" : "error";
  return status >= 400 || !isRead ? "info" : "debug";
}

export function logFailure(log: Logger, requestId: string, thrown: unknown): void {
  try {
    log.error({ requestId, err: thrown }, "request failed");
  } catch {
    // A thrown thing that cannot even be read must not cost the answer.
    log.error({ requestId }, "request failed with an error that cannot be told");
  }
}
