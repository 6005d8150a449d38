import { SECOND } from "../core/clock.ts";
import { CoreError } from "../core/errors.ts";
import type { Claim, Outcome } from "../core/deliveries/deliveries.ts";
import { resolveTarget, type Target, type TargetRules } from "../core/webhooks/target.ts";
import { signatureHeaders } from "./signature.ts";

export interface AttemptRules {
  targets: TargetRules;
  /** From the look-up of the name to the status line of the answer. */
  timeoutMs: number;
  /** A PEM text trusted beside the system's own authorities. */
  ca?: string | undefined;
  userAgent: string;
}

/** Makes one POST and tells how it ended. Never throws. */
export type Attempt = (claim: Claim) => Promise<Outcome>;

const ANSWER_READ_MAX = 16 * 1024;
const ANSWER_KEPT_MAX = 1024;
/** A connection that answered this lately is used again; an older one may be dead without anyone having said so. */
const REUSE_WITHIN_MS = 5 * SECOND;
const ADDRESSES_MAX = 3;

export function createAttempt(rules: AttemptRules): Attempt {
  const answeredAt = new Map<string, number>();
  /** Endpoints whose certificate is of the operator's own authority. */
  const ownTrust = new Set<string>();

  return async function attempt(claim) {
    const from = performance.now();
    const signal = AbortSignal.timeout(rules.timeoutMs);
    const took = (): number => performance.now() - from;
    try {
      const target = await within(signal, resolveTarget(rules.targets, claim.url));
      const answer = await firstAnswer(target, (address) => {
        const isFresh = took() + from - (answeredAt.get(claim.endpointId) ?? -Infinity) < REUSE_WITHIN_MS;
        return send(claim, target, address, isFresh);
      });
      const durationMs = took();
      answeredAt.set(claim.endpointId, performance.now());
      return { status: answer.status, durationMs, error: refusalOf(answer), answer: await beginning(answer) };
    } catch (thrown) {
      answeredAt.delete(claim.endpointId);
      return { durationMs: took(), error: inWords(thrown, signal, rules.timeoutMs) };
    }

    function send(claim: Claim, target: Target, address: string, reuse: boolean): Promise<Response> {
      const { host, pathname, search } = target.url;
      const port = target.url.port || "443";
      const request = (keepalive: boolean, withOwnTrust: boolean): Promise<Response> =>
        fetch(`https://${address.includes(":") ? `[${address}]` : address}:${port}${pathname}${search}`, {
          method: "POST",
          headers: {
            host,
            "content-type": "application/json",
            "user-agent": rules.userAgent,
            accept: "*/*",
            "accept-encoding": "identity",
            ...signatureHeaders({ ...claim, seconds: Math.floor(claim.startedAt / 1000) }),
          },
          body: claim.body,
          redirect: "manual",
          decompress: false,
          keepalive,
          signal,
          tls: {
            ...(target.isName ? { serverName: target.hostname } : {}),
            ...(withOwnTrust && rules.ca !== undefined ? { ca: rules.ca } : {}),
          },
        });
      const isOwn = ownTrust.has(claim.endpointId);
      return request(reuse, isOwn).catch(async (error: unknown) => {
        if (signal.aborted) throw error;
        // A connection kept from the last answer may have been closed since: once more, on a new one.
        if (reuse && isReset(error)) return request(false, isOwn);
        if (rules.ca === undefined || !isUntrusted(error)) throw error;
        // The operator's authorities are tried after the system's: giving all at once costs 100 µs a request.
        const answer = await request(false, !isOwn);
        if (isOwn) ownTrust.delete(claim.endpointId);
        else ownTrust.add(claim.endpointId);
        return answer;
      });
    }
  };
}

/** Tries the addresses in turn until one answers; the failure of the last one is told. */
async function firstAnswer(target: Target, send: (address: string) => Promise<Response>): Promise<Response> {
  let failure: unknown;
  for (const address of target.addresses.slice(0, ADDRESSES_MAX)) {
    try {
      return await send(address);
    } catch (error) {
      failure = error;
      if (!isUnreachable(error)) break;
    }
  }
  throw failure;
}

/** §6.2: any 2xx acknowledges, and nothing else does. */
function refusalOf({ status, headers }: Response): string | undefined {
  if (status >= 200 && status <= 299) return undefined;
  if (status >= 300 && status <= 399) {
    return `The receiver answered ${status}${headers.has("location") ? " with a redirect, which is not followed" : ""}.`;
  }
  return `The receiver answered ${status}.`;
}

/** The first KiB of the answer, as valid text. The status has decided already: what goes wrong here changes nothing. */
async function beginning(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = answer.body?.getReader();
  try {
    while (reader && length < ANSWER_READ_MAX) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value.subarray(0, ANSWER_KEPT_MAX));
      length += value.length;
    }
    await reader?.cancel();
  } catch {
    // The receiver cut its answer short.
  }
  const bytes = Buffer.concat(chunks).subarray(0, ANSWER_KEPT_MAX);
  return new TextDecoder().decode(bytes).replaceAll("\0", "\uFFFD");
}

async function within<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = (): void => reject(signal.reason);
  signal.addEventListener("abort", late, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", late);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function isReset(error: unknown): boolean {
  return ["ECONNRESET", "EPIPE", "ConnectionClosed"].includes(codeOf(error));
}

/** The certificate is of an authority that is not known here. Nothing of the request was sent. */
function isUntrusted(error: unknown): boolean {
  return /UNABLE_TO_(?:VERIFY|GET_ISSUER)|SELF_SIGNED|DEPTH_ZERO/.test(codeOf(error));
}

function isUnreachable(error: unknown): boolean {
  return ["ConnectionRefused", "ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "FailedToOpenSocket"].includes(
    codeOf(error),
  );
}

/** What went wrong, for the owner of the endpoint. */
function inWords(thrown: unknown, signal: AbortSignal, timeoutMs: number): string {
  if (thrown instanceof CoreError) return thrown.message;
  if (signal.aborted) return `No answer within ${timeoutMs / 1000} seconds.`;
  const code = codeOf(thrown);
  if (isUnreachable(thrown)) return "The connection was refused.";
  if (isReset(thrown)) return "The receiver closed the connection without an answer.";
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO|ISSUER/.test(code))
    return `The receiver's certificate was refused (${code}).`;
  return `The request failed (${code || "unknown"}).`;
}
