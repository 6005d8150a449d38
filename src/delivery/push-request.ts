import { createECDH } from "node:crypto";
import { importJWK, SignJWT } from "jose";
import { encrypt } from "http_ece";
import { HOUR, SECOND } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import type { TargetRules } from "../core/base/core.ts";
import { openPushKeys } from "../core/outbox/push/push.ts";
import { type Push, PUSH_TTL_MS, type PushEnd } from "../core/outbox/push/queue.ts";
import { resolveTarget } from "../core/outbox/webhooks/target.ts";
import { firstAnswer, isUntrusted, NO_PROXY, withAbort } from "./outgoing-http.ts";

export interface PushRules {
  targets: TargetRules;
  timeoutMs: number;
  /** CA certificates in PEM, trusted in addition to the system's authorities. */
  ca?: string | undefined;
  userAgent: string;
}

/** Content of a push. The browser's service worker shows the content unchanged. */
export interface PushContent {
  title: string;
  body: string;
  /** Path on this site that a click opens. */
  path: string;
  /** A message replaces an earlier message with the same tag, at the push service and on the screen. */
  tag: string;
}

/**
 * Maximum size of an unencrypted push in bytes. Every push service must accept this size after encryption
 * (RFC 8030 §7.2).
 */
const PLAIN_MAX = 3000;
/** Token lifetime. RFC 8292 §2 allows at most 24 hours. All pushes to one service share a token. */
const TOKEN_LIVES_MS = 12 * HOUR;
const TOKEN_RENEWED_MS = HOUR;
const TOKENS_MAX = 500;

/** Makes one request to a push service and returns its result. Never throws. */
export type SendPush = (push: Push, content: PushContent) => Promise<PushEnd>;

export function createPushes(core: Core, rules: PushRules): SendPush {
  const tokens = new Map<string, { header: string; until: number }>();

  return async function send(push, content) {
    const signal = AbortSignal.timeout(rules.timeoutMs);
    try {
      const target = await withAbort(signal, resolveTarget(rules.targets, push.endpoint));
      const headers = {
        host: target.url.host,
        authorization: await authorization(target.url.origin),
        "content-type": "application/octet-stream",
        "content-encoding": "aes128gcm",
        ttl: String(Math.max(0, Math.ceil((push.createdAt + PUSH_TTL_MS - core.clock.steady()) / SECOND))),
        urgency: "normal",
        topic: topicOf(content.tag),
        "user-agent": rules.userAgent,
      };
      const body = new Uint8Array(sealed(push, content));
      const post = (address: string, withOwnTrust: boolean): Promise<Response> => {
        const { port, pathname, search } = target.url;
        const host = address.includes(":") ? `[${address}]` : address;
        return fetch(`https://${host}:${port || "443"}${pathname}${search}`, {
          method: "POST",
          headers,
          body,
          redirect: "manual",
          keepalive: false,
          signal,
          proxy: NO_PROXY,
          tls: {
            rejectUnauthorized: true,
            ...(target.isName ? { serverName: target.hostname } : {}),
            ...(withOwnTrust && rules.ca !== undefined ? { ca: rules.ca } : {}),
          },
        });
      };
      const answer = await firstAnswer(target, (address) =>
        post(address, false).catch((error: unknown) => {
          if (signal.aborted || rules.ca === undefined || !isUntrusted(error)) throw error;
          return post(address, true);
        }),
      );
      // Discards the response body, because nothing uses it.
      void answer.body?.cancel().catch(() => {});
      return endOf(answer, core.clock.now());
    } catch {
      return { kind: "later" };
    }
  };

  /** Returns the VAPID authorization header for one push service (RFC 8292 §2 and §3). */
  async function authorization(audience: string): Promise<string> {
    const now = core.clock.now();
    const known = tokens.get(audience);
    if (known && known.until - now > TOKEN_RENEWED_MS && known.until - now <= TOKEN_LIVES_MS)
      return known.header;
    const keys = openPushKeys(core);
    if (!keys) throw new Error("nobody can have subscribed without a key");
    const { publicKey, privateKey } = keys;
    const [x, y, d] = [publicKey.subarray(1, 33), publicKey.subarray(33), privateKey].map((part) =>
      part.toString("base64url"),
    );
    const until = now + TOKEN_LIVES_MS;
    const token = await new SignJWT({ sub: subjectOf(core.origin) })
      .setProtectedHeader({ alg: "ES256", typ: "JWT" })
      .setAudience(audience)
      .setExpirationTime(Math.floor(until / SECOND))
      .sign(await importJWK({ kty: "EC", crv: "P-256", x, y, d } as object, "ES256"));
    const header = `vapid t=${token}, k=${publicKey.toString("base64url")}`;
    if (tokens.size >= TOKENS_MAX) tokens.clear();
    tokens.set(audience, { header, until });
    return header;
  }
}

/** Returns the operator's contact for push services: an https or mailto URL (RFC 8292 §2.1). */
function subjectOf(origin: string): string {
  return origin.startsWith("https:") ? origin : "mailto:nobody@localhost";
}

function sealed({ p256dh, auth }: Push, content: PushContent): Buffer {
  const privateKey = createECDH("prime256v1");
  privateKey.generateKeys();
  return encrypt(payloadOf(content), {
    version: "aes128gcm",
    dh: p256dh.toString("base64url"),
    privateKey,
    authSecret: auth.toString("base64url"),
  });
}

/**
 * Serializes the content. If the JSON is too long, shortens the title and drops the body, but keeps the path.
 */
function payloadOf(content: PushContent): Buffer {
  const json = Buffer.from(JSON.stringify(content));
  if (json.length <= PLAIN_MAX) return json;
  return Buffer.from(JSON.stringify({ ...content, title: content.title.slice(0, 200), body: "" }));
}

/**
 * Returns at most 32 base64url characters (RFC 8030 §5.4). The hash hides the tag's meaning from the push
 * service.
 */
function topicOf(tag: string): string {
  return new Bun.CryptoHasher("sha256").update(tag).digest("base64url").slice(0, 32);
}

function endOf({ status, headers }: Response, now: number): PushEnd {
  if (status >= 200 && status <= 299) return { kind: "taken" };
  if (status === 404 || status === 410) return { kind: "gone" };
  if (status === 429 || status >= 500) return { kind: "later", afterMs: retryAfter(headers, now) };
  return { kind: "refused" };
}

/** Parses `Retry-After`: a number of seconds, or a date (RFC 9110 §10.2.3). Returns ms. */
function retryAfter(headers: Headers, now: number): number | undefined {
  const text = headers.get("retry-after") ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
