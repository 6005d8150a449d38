import type { Target } from "../core/outbox/webhooks/target.ts";

/*
 * What every request to an address that a member gave has in common: only checked addresses are dialled,
 * never the name (docs/adr/0025-addresses-of-deliveries.md).
 */

const ANSWER_READ_MAX = 16 * 1024;
const ANSWER_KEPT_MAX = 1024;
const ADDRESSES_MAX = 3;

/**
 * The environment's proxies are not for deliveries. Of all values only this one, which the types do not know,
 * says so.
 */
export const NO_PROXY = false as unknown as string;

/** Tries the addresses one after another until one answers; the failure of the last one is told. */
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
 * The first KiB of the answer, as valid text. The status has decided already: what goes wrong here changes
 * nothing.
 */
export async function bodyStart(answer: Response): Promise<string> {
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

/** The certificate is of an authority that is not known here. Nothing of the request was sent. */
export function isUntrusted(error: unknown): boolean {
  return /UNABLE_TO_(?:VERIFY|GET_ISSUER)|SELF_SIGNED|DEPTH_ZERO/.test(codeOf(error));
}

export function isRefused(error: unknown): boolean {
  return ["ConnectionRefused", "ECONNREFUSED"].includes(codeOf(error));
}

export function isUnreachable(error: unknown): boolean {
  return isRefused(error) || ["EHOSTUNREACH", "ENETUNREACH", "FailedToOpenSocket"].includes(codeOf(error));
}
