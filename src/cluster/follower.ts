import { CoreError } from "../core/base/errors.ts";
import { visitorAddress } from "../http/address.ts";
import { BODY_MAX_BYTES } from "../http/body.ts";
import type { FollowerVerdict } from "../http/cluster-gate.ts";
import type { Handler } from "../http/preflight.ts";
import { readTarget, targetText, type Target } from "../http/target.ts";
import type { HttpRules } from "../http/transport.ts";
import type { Reader } from "./copies.ts";
import { ANSWER_WITHIN_MS } from "./forwarding.ts";
import { isLeaderOnly, isQuery, mayChange } from "./leader-only.ts";
import { type Leader, leaderAway } from "./leader.ts";
import { requiredVersion, versionCookie } from "./position.ts";
import { FORWARDED_HEADER } from "./signature.ts";
import { isAtLeast, type Version } from "./version.ts";

export interface FollowerParts {
  /** Returns undefined while there is no copy. */
  reader(): Reader | undefined;
  /** See `Copies.isComplete`. */
  isComplete(of: Reader): boolean;
  /** Answers requests about this node itself while there is no copy. */
  empty: Pick<Reader, "handler">;
  /** Waits until the copy has the version. Returns false after a timeout. */
  waitForVersion(version: Version): Promise<boolean>;
  isStalled(): boolean;
  /** Whether there was a leader at the last check. */
  isLed(): boolean;
  leader: Pick<Leader, "forward">;
  rules: Pick<HttpRules, "trustedProxies">;
  /** Stores a picture that the leader sent. */
  storePicture(path: string, bytes: Uint8Array): Promise<void>;
  /** Origin of the site. The name of the version cookie depends on it. */
  origin(): string;
}

/** Paths that each node answers about itself. */
const NODE_PATHS = /^\/(?:healthz|readyz|metrics|cluster(?:\/fence)?)$/;
const PICTURE = /^\/media\/[0-9a-f]{40}-\d{1,4}\.webp$/;
/**
 * Idle timeout in seconds of a connection with a forwarded request. Longer than the leader may take to
 * answer.
 */
const KEEP_SECONDS = ANSWER_WITHIN_MS / 1000 + 5;

/**
 * Answers reads from the copy and forwards all other requests to the leader (docs/contract.md#12.29). If a
 * request that looks like a read tries to write, the follower forwards that request too.
 */
export function createFollower(parts: FollowerParts): Handler {
  const { leader, rules } = parts;
  const storing = new Set<string>();
  let cookie: { origin: string; of: ReturnType<typeof versionCookie> } | undefined;

  return function handle(request, peer, keepOpen = () => {}) {
    const reader = parts.reader();
    const target = readTarget(request);
    // This node refuses CONNECT itself: CONNECT requests a tunnel, which no node offers.
    if (!target || NODE_PATHS.test(target.path) || request.method === "CONNECT")
      return (reader ?? parts.empty).handler(request, peer, keepOpen);
    const incoming: Incoming = { request, target, peer, keepOpen };
    // Another node forwarded this request. Only a leader may answer it, because a second hop could cause a
    // loop.
    if (request.headers.has(FORWARDED_HEADER)) return refuse(incoming, leaderAway());
    if (!reader || isLeaderOnly(request, target)) return forwardOrRefuse(incoming);
    return answer(reader, incoming);
  };

  async function answer(reader: Reader, incoming: Incoming): Promise<Response> {
    const { request, target, peer, keepOpen } = incoming;
    if (isQuery(request.method, target) && !(await holdQuery(incoming))) return forwardOrRefuse(incoming);
    const missing = await missingVersion(reader, request);
    const isRequired = missing?.isRequired ?? false;
    // Without a leader, the follower still answers from its copy, because outdated data is better than none.
    if (isRequired || (parts.isLed() && (missing || parts.isStalled()))) {
      try {
        return await forward(incoming);
      } catch (error) {
        if (isRequired) return refuse(incoming, error);
      }
    }
    const verdict: FollowerVerdict = { mustForward: false };
    const local = await reader.handler(incoming.rebuilt ?? request, peer, keepOpen, verdict);
    if (verdict.mustForward || !parts.isComplete(reader)) return forwardOrRefuse(incoming);
    return local.status === 404 && PICTURE.test(target.path) ? fetchPicture(incoming, local) : local;
  }

  /**
   * Fetches a picture from the leader on its first request. Replication copies only the database, not the
   * picture files beside it.
   */
  async function fetchPicture(incoming: Incoming, otherwise: Response): Promise<Response> {
    const found = await forward(incoming).catch(() => undefined);
    if (!found) return otherwise;
    if (found.status !== 200 || incoming.request.method !== "GET") return found;
    const content = await found.arrayBuffer().catch(() => undefined);
    if (!content) return otherwise;
    const bytes = new Uint8Array(content);
    const { path } = incoming.target;
    if (!storing.has(path)) {
      storing.add(path);
      // If the disk is full, the next request fetches the picture again.
      await parts.storePicture(path, bytes).catch(() => undefined);
      storing.delete(path);
    }
    return new Response(bytes, { headers: found.headers });
  }

  /** Returns the version that the client has seen, if the copy does not have that version. */
  async function missingVersion(reader: Reader, { headers }: Request) {
    const asked = requiredVersion(headers, cookieNow());
    const version = asked?.version;
    const isHere = version && (isReached(reader, version) || (await parts.waitForVersion(version)));
    return isHere ? undefined : asked;
  }

  function isReached(reader: Reader, version: Version): boolean {
    try {
      return isAtLeast(reader.position(), version);
    } catch {
      return false;
    }
  }

  async function forwardOrRefuse(incoming: Incoming): Promise<Response> {
    try {
      return await forward(incoming);
    } catch (error) {
      return refuse(incoming, error);
    }
  }

  async function forward({ request, target, peer, keepOpen, bytes }: Incoming): Promise<Response> {
    keepOpen(KEEP_SECONDS);
    const forwardedFor = request.headers.get("x-forwarded-for");
    const address = visitorAddress(peer(), forwardedFor, rules.trustedProxies);
    // The client's IP address is empty if the client has disconnected. A request signed without an address
    // would count as this node's own request.
    if (address === "") throw leaderAway();
    return leader.forward(request, { target: targetText(target), address, ...(bytes && { bytes }) });
  }

  async function refuse({ request, peer, keepOpen }: Incoming, error: unknown): Promise<Response> {
    // The request for the refusal has no body. The original body may already be consumed, and a refusal does
    // not need it.
    const bodyless = new Request(request.url, { method: request.method, headers: request.headers });
    const refused = error instanceof CoreError ? error : leaderAway();
    return (parts.reader() ?? parts.empty).handler(bodyless, peer, keepOpen, { refused, mustForward: false });
  }

  function cookieNow() {
    const origin = parts.origin();
    if (cookie?.origin !== origin) cookie = { origin, of: versionCookie(origin) };
    return cookie.of;
  }
}

interface Incoming {
  request: Request;
  target: Target;
  peer: () => string;
  keepOpen: (seconds: number) => void;
  /** Body, after it was read. */
  bytes?: Uint8Array;
  /** The request, rebuilt with `bytes` as its body. */
  rebuilt?: Request;
}

/**
 * Reads the body of a GraphQL request. Returns false if only the leader can answer: the body is too long or
 * may contain a mutation.
 */
async function holdQuery(incoming: Incoming): Promise<boolean> {
  const { request } = incoming;
  const { headers, method, url, signal } = request;
  if (!(Number(headers.get("content-length") ?? Infinity) <= BODY_MAX_BYTES)) return false;
  const bytes = new Uint8Array(await request.arrayBuffer());
  incoming.bytes = bytes;
  if (mayChange(headers, bytes)) return false;
  incoming.rebuilt = new Request(url, { method, headers, body: bytes, signal });
  return true;
}
