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
/** One that is silent for this part of the time an attempt has may be dead too: the request is made again beside it. */
const SILENT_PART = 1 / 4;
const ADDRESSES_MAX = 3;

export function createAttempt(rules: AttemptRules): Attempt {
  const silentMs = rules.timeoutMs * SILENT_PART;
  /** Only of endpoints that answer well within `silentMs`: a slow receiver is not asked twice for being slow. */
  const answeredAt = new Map<string, number>();
  /** Endpoints whose certificate is of the operator's own authority. */
  const ownTrust = new Set<string>();

  return async function attempt(claim) {
    if (claim.secrets.length === 0)
      return { durationMs: 0, error: "The signing secret can not be opened; rotate it." };
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
      if (durationMs < silentMs / 2) answeredAt.set(claim.endpointId, performance.now());
      else answeredAt.delete(claim.endpointId);
      return { status: answer.status, durationMs, error: refusalOf(answer), answer: await beginning(answer) };
    } catch (thrown) {
      answeredAt.delete(claim.endpointId);
      return { durationMs: took(), error: inWords(thrown, signal, rules.timeoutMs, claim.url) };
    }

    function send(claim: Claim, target: Target, address: string, reuse: boolean): Promise<Response> {
      const { host, pathname, search } = target.url;
      const port = target.url.port || "443";
      const request = (keepalive: boolean, withOwnTrust: boolean, until = signal): Promise<Response> =>
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
          signal: until,
          proxy: NO_PROXY,
          tls: {
            // Or NODE_TLS_REJECT_UNAUTHORIZED in the environment would decide.
            rejectUnauthorized: true,
            ...(target.isName ? { serverName: target.hostname } : {}),
            ...(withOwnTrust && rules.ca !== undefined ? { ca: rules.ca } : {}),
          },
        });
      const isOwn = ownTrust.has(claim.endpointId);
      const first = reuse
        ? keptOrNew((keepalive, until) => request(keepalive, isOwn, until), signal, silentMs)
        : request(false, isOwn);
      return first.catch(async (error: unknown) => {
        if (signal.aborted) throw error;
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

/** The environment's proxies are not for deliveries. Of all values only this one, which the types do not know, says so. */
const NO_PROXY = false as unknown as string;

/**
 * On a connection kept from the last answer, which may have died since. Where it turns out closed the request is made once
 * more on a new one; where it is silent for `silentMs` too, and the first answer of the two counts.
 */
async function keptOrNew(
  request: (keepalive: boolean, until: AbortSignal) => Promise<Response>,
  signal: AbortSignal,
  silentMs: number,
): Promise<Response> {
  const endKept = new AbortController();
  const kept = request(true, AbortSignal.any([signal, endKept.signal]));
  const silence = Promise.withResolvers<undefined>();
  const timer = setTimeout(silence.resolve, silentMs);
  try {
    const answer = await Promise.race([kept, silence.promise]);
    if (answer) return answer;
  } catch (error) {
    if (signal.aborted || !isReset(error)) throw error;
    return await request(false, signal);
  } finally {
    clearTimeout(timer);
  }
  const endNew = new AbortController();
  const anew = request(false, AbortSignal.any([signal, endNew.signal]));
  return Promise.any([
    kept.then((answer) => (endNew.abort(), answer)),
    anew.then((answer) => (endKept.abort(), answer)),
  ]).catch(() => anew);
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

function isRefused(error: unknown): boolean {
  return ["ConnectionRefused", "ECONNREFUSED"].includes(codeOf(error));
}

function isUnreachable(error: unknown): boolean {
  return isRefused(error) || ["EHOSTUNREACH", "ENETUNREACH", "FailedToOpenSocket"].includes(codeOf(error));
}

/** What is wrong with a certificate; the first that fits. */
const CERTIFICATE_FAULTS: readonly [code: RegExp, words: string][] = [
  [/EXPIRED/, "it has expired"],
  [/NOT_YET_VALID/, "it is not valid yet"],
  [/ALTNAME/, "it is for another name"],
  [/DEPTH_ZERO/, "it is self-signed"],
  [
    /UNABLE_TO|ISSUER|SELF_SIGNED/,
    "no authority that is trusted here vouches for it, or the chain is not complete",
  ],
  [/CERT|SSL|TLS/, "it can not be verified"],
];

/** What went wrong, for the owner of the endpoint. */
function inWords(thrown: unknown, signal: AbortSignal, timeoutMs: number, url: string): string {
  if (thrown instanceof CoreError) return thrown.message;
  if (signal.aborted) return `No answer within ${timeoutMs / 1000} seconds.`;
  const code = codeOf(thrown);
  const { hostname, port } = new URL(url);
  const where = `${hostname}, port ${port || "443"}`;
  if (isRefused(thrown))
    return `The connection was refused: nothing listens at ${where}, or a firewall rejects it.`;
  if (isUnreachable(thrown)) return `There is no way to ${where} (${code}).`;
  if (isReset(thrown)) return "The receiver closed the connection without an answer.";
  if (code === "EPROTO") return `The TLS handshake failed; ${where} may not speak TLS.`;
  if (/^Malformed_HTTP|^Invalid|^Unsupported|^Unrequested/.test(code))
    return `The receiver's answer is not valid HTTP (${code}).`;
  if (code === "ResponseHeadersTooLarge") return "The headers of the receiver's answer are too large.";
  const fault = CERTIFICATE_FAULTS.find(([pattern]) => pattern.test(code));
  if (fault) return `The receiver's certificate was refused: ${fault[1]} (${code}).`;
  return `The request failed (${code || "unknown"}).`;
}
