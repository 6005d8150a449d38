import type { Target } from "../core/outbox/webhooks/target.ts";

/*
 * Helpers for all requests to URLs that members entered. These requests connect only to checked addresses,
 * never to a host name (docs/adr/0025-addresses-of-deliveries.md).
 */

const ANSWER_READ_MAX = 16 * 1024;
const BODY_START_MAX = 1024;
const ADDRESSES_MAX = 3;

/**
 * Option of `fetch` that ignores the proxies of the environment, for deliveries. Only `false` does this, but
 * Bun's types do not allow `false`.
 */
export const NO_PROXY = false as unknown as string;

/**
 * Sends a request to the first reachable address of a target. Tries at most `ADDRESSES_MAX` addresses. Throws
 * the error of the last address tried.
 */
export async function firstAnswer(
  target: Target,
  send: (address: string) => Promise<Response>,
): Promise<Response> {
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

/**
 * Returns the first KiB of the body as valid text. Ignores errors, because the status alone decides the
 * outcome.
 */
export async function bodyStart(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = answer.body?.getReader();
  try {
    while (reader && length < ANSWER_READ_MAX) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value.subarray(0, BODY_START_MAX));
      length += value.length;
    }
    await reader?.cancel();
  } catch {
    // The receiver aborted the response, so use what arrived.
  }
  const bytes = Buffer.concat(chunks).subarray(0, BODY_START_MAX);
  return new TextDecoder().decode(bytes).replaceAll("\0", "\uFFFD");
}

export async function withAbort<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = (): void => reject(signal.reason);
  signal.addEventListener("abort", late, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", late);
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

export function isReset(error: unknown): boolean {
  return ["ECONNRESET", "EPIPE", "ConnectionClosed"].includes(codeOf(error));
}

/**
 * Whether the certificate is signed by an unknown authority. In this case no part of the request was sent.
 */
export function isUntrusted(error: unknown): boolean {
  return /UNABLE_TO_(?:VERIFY|GET_ISSUER)|SELF_SIGNED|DEPTH_ZERO/.test(codeOf(error));
}

export function isRefused(error: unknown): boolean {
  return ["ConnectionRefused", "ECONNREFUSED"].includes(codeOf(error));
}

export function isUnreachable(error: unknown): boolean {
  return isRefused(error) || ["EHOSTUNREACH", "ENETUNREACH", "FailedToOpenSocket"].includes(codeOf(error));
}
