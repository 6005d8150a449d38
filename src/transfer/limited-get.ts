import { CoreError } from "../core/base/errors.ts";
import { SECOND } from "../core/base/clock.ts";
import type { TargetRules } from "../core/base/core.ts";
import { resolveTarget, type Target } from "../core/outbox/webhooks/target.ts";
import type { Get } from "./forem-api.ts";
import { TransferRefused, reason } from "./transfer-refused.ts";

/**
 * Limits for requests to a third party's server, at an operator's request. The requests are sent slowly, and
 * their size, time and repetitions are limited. The requests never reach internal networks, even after
 * redirects (docs/threats.md#M11). As with deliveries, a request connects only to the IP address that was
 * checked.
 */

export interface FetchLimits {
  targets: TargetRules;
  /** PEM text of CAs that are trusted in addition to the system's. */
  ca: string | undefined;
  userAgent: string;
  perSecond: number;
  /** Waits for this many milliseconds. Tests replace this function. */
  wait?(ms: number): Promise<void>;
  /** Called with a message when the server makes the import wait. */
  onDelay(message: string): void;
}

const ANSWER_MAX = 16 * 2 ** 20;
const TIMEOUT_MS = 30 * SECOND;
const REDIRECTS_MAX = 3;
const TRIES = 5;
/** Longest wait, in seconds. If the server asks for a longer wait, the operator has to continue later. */
const WAIT_MAX_S = 600;

/**
 * Returns a function that requests paths of `origin`, an https URL with only a host. A refused address gets
 * the same message as a webhook's address.
 */
export function createLimitedGet(origin: string, manners: FetchLimits): Get {
  const { host } = new URL(origin);
  const { wait = Bun.sleep } = manners;
  const retryHint = "Run the command again later to continue.";
  return async (path) => {
    for (let tried = 1; ; tried++) {
      await wait(SECOND / manners.perSecond);
      const answer = await ask(new URL(path, origin).href, manners);
      if (answer.is === "json") return answer.value;
      if (answer.is === "gone") return undefined;
      if (answer.is === "closed")
        throw new TransferRefused(`${host} refuses ${path.split("?")[0]}: ${answer.why}.`);
      if (tried === TRIES || (answer.seconds ?? 0) > WAIT_MAX_S)
        throw new TransferRefused(`${host} does not answer: ${answer.why}. ${retryHint}`);
      const seconds = answer.seconds ?? 4 ** (tried - 1);
      if (seconds > 5) manners.onDelay(`${host} asks to wait ${seconds} s: ${answer.why}.`);
      await wait(seconds * SECOND);
    }
  };
}

type Answer =
  | { is: "json"; value: unknown }
  | { is: "gone" }
  | { is: "closed"; why: string }
  | { is: "later"; why: string; seconds?: number };

async function ask(from: string, manners: FetchLimits): Promise<Answer> {
  let url = from;
  for (let hops = 0; ; hops++) {
    let response: Response;
    try {
      response = await dial(await resolveTarget(manners.targets, url), manners);
    } catch (error) {
      if (error instanceof CoreError && error.code !== "host_silent")
        return { is: "closed", why: error.message };
      return { is: "later", why: reason(error) };
    }
    const { status, headers } = response;
    const location = headers.get("location");
    if (status >= 300 && status <= 399 && location !== null) {
      await response.body?.cancel();
      if (hops === REDIRECTS_MAX) return { is: "closed", why: "endless redirects" };
      const next = URL.parse(location, url);
      if (next === null) return { is: "closed", why: "a redirect without a URL" };
      url = next.href;
      continue;
    }
    if (status === 200) return read(response);
    await response.body?.cancel();
    if (status === 404 || status === 410) return { is: "gone" };
    const why = `status ${status}`;
    if (status !== 429 && status < 500) return { is: "closed", why };
    const seconds = secondsOf(headers.get("retry-after"));
    return { is: "later", why, ...(seconds === undefined ? {} : { seconds }) };
  }
}

/** Ignores the environment's proxies, as deliveries do. */
const NO_PROXY = false as unknown as string;

async function dial({ url, hostname, isName, addresses }: Target, manners: FetchLimits): Promise<Response> {
  const request = (address: string, withCa: boolean): Promise<Response> =>
    fetch(
      `https://${address.includes(":") ? `[${address}]` : address}:${url.port || "443"}${url.pathname}${url.search}`,
      {
        headers: {
          host: url.host,
          "user-agent": manners.userAgent,
          accept: "application/vnd.forem.api-v1+json, application/json",
        },
        redirect: "manual",
        signal: AbortSignal.timeout(TIMEOUT_MS),
        proxy: NO_PROXY,
        tls: {
          rejectUnauthorized: true,
          ...(isName ? { serverName: hostname } : {}),
          ...(withCa && manners.ca !== undefined ? { ca: manners.ca } : {}),
        },
      },
    );
  let failure: unknown;
  for (const address of addresses.slice(0, 3)) {
    for (const withCa of manners.ca === undefined ? [false] : [true, false]) {
      try {
        return await request(address, withCa);
      } catch (error) {
        failure = error;
      }
    }
  }
  throw failure;
}

async function read(response: Response): Promise<Answer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of response.body ?? []) {
      length += chunk.length;
      if (length > ANSWER_MAX) {
        await response.body?.cancel().catch(() => {});
        return { is: "closed", why: `an answer larger than ${ANSWER_MAX / 2 ** 20} MiB` };
      }
      chunks.push(chunk);
    }
  } catch (error) {
    return { is: "later", why: reason(error) };
  }
  try {
    return { is: "json", value: JSON.parse(Buffer.concat(chunks).toString("utf8")) };
  } catch {
    return { is: "closed", why: "an answer that is not valid JSON" };
  }
}

/**
 * Parses whole seconds, at least one (RFC 9110 §10.2.3). Returns undefined for a date, so the caller chooses
 * the delay.
 */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Math.max(1, Number(header));
  return undefined;
}
