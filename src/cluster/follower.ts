import { CoreError } from "../core/base/errors.ts";
import { visitorAddress } from "../http/address.ts";
import { BODY_MAX_BYTES } from "../http/body.ts";
import type { Handler } from "../http/preflight.ts";
import { readTarget, wholeTarget, type Target } from "../http/target.ts";
import type { HttpRules } from "../http/transport.ts";
import type { Reader } from "./copies.ts";
import { isLeaderOnly, isQuery, mayChange } from "./leader-only.ts";
import { type Leader, leaderAway } from "./leader.ts";
import { askedVersion, versionCookie } from "./position.ts";
import { FORWARDED_HEADER } from "./signature.ts";
import { isAtLeast, type Version } from "./version.ts";
import { ANSWER_WITHIN_MS } from "./forwarding.ts";

/** What a follower refuses itself: told by the gate of whichever node answers, in the contract's body or as a page. */
export interface Refusals {
  add(request: Request, error: CoreError): void;
  /** See `GateOptions.against`. */
  of(request: Request): CoreError | undefined;
}

export function createRefusals(): Refusals {
  const refused = new WeakMap<Request, CoreError>();
  return { add: (request, error) => void refused.set(request, error), of: (request) => refused.get(request) };
}

export interface FollowerParts {
  /** Undefined while there is no copy. */
  reader(): Reader | undefined;
  /** See `Copies.isWhole`. */
  isWhole(of: Reader): boolean;
  /** What answers then: of nothing but itself. */
  empty: Pick<Reader, "handler">;
  reached(asked: Version): Promise<boolean>;
  isStalled(): boolean;
  /** Whether somebody led as of the last look. */
  isLed(): boolean;
  leader: Pick<Leader, "handOn">;
  refusals: Refusals;
  /** Answers that turned out to be the leader's: see `GateOptions`. */
  unanswered: WeakSet<Response>;
  rules: Pick<HttpRules, "trustedProxies">;
  /** Keeps a picture that the leader had, by its path. */
  keep(path: string, bytes: Uint8Array): Promise<void>;
  /** Of the site, for its cookies. */
  origin(): string;
}

/** What every node says of itself. */
const OF_THE_NODE = /^\/(?:healthz|readyz|metrics|cluster(?:\/fence)?)$/;
const PICTURE = /^\/media\/[0-9a-f]{40}-\d{1,4}\.webp$/;
/** Longer than the leader may be silent. */
const KEEP_SECONDS = ANSWER_WITHIN_MS / 1000 + 5;

/**
 * Answers what only reads from the copy, and hands everything else on to the leader, whole (docs/contract.md#12.29). What
 * turns out to write while it is answered is handed on then.
 */
export function createFollower(parts: FollowerParts): Handler {
  const { leader, refusals, rules } = parts;
  const keeping = new Set<string>();
  let cookie: { origin: string; of: ReturnType<typeof versionCookie> } | undefined;

  return function handle(request, peer, keepOpen = () => {}) {
    const reader = parts.reader();
    const target = readTarget(request);
    // CONNECT asks for a tunnel, which no node is: there is nothing of it to hand on.
    if (!target || OF_THE_NODE.test(target.path) || request.method === "CONNECT")
      return (reader ?? parts.empty).handler(request, peer, keepOpen);
    const asking: Asking = { request, target, peer, keepOpen };
    // What another node has handed on is done by whoever leads, and handed on no further.
    if (request.headers.has(FORWARDED_HEADER)) return refuse(asking, leaderAway());
    if (!reader || isLeaderOnly(request, target)) return elsewhere(asking);
    return answer(reader, asking);
  };

  async function answer(reader: Reader, asking: Asking): Promise<Response> {
    const { request, target, peer, keepOpen } = asking;
    if (isQuery(request.method, target)) {
      if (!(await holdQuery(asking))) return elsewhere(asking);
    }
    const isNeeded = await isAhead(reader, request);
    // Without a leader nobody is kept waiting for one: a page that is a little older is better than none.
    if (isNeeded === "told" || (parts.isLed() && (isNeeded || parts.isStalled()))) {
      try {
        return await handOn(asking);
      } catch (error) {
        // A program has said that it wants nothing older.
        if (isNeeded === "told") return refuse(asking, error);
      }
    }
    const local = await reader.handler(asking.held ?? request, peer, keepOpen);
    if (parts.unanswered.has(local) || !parts.isWhole(reader)) return elsewhere(asking);
    return local.status === 404 && PICTURE.test(target.path) ? fetchPicture(asking, local) : local;
  }

  /** The files of pictures lie beside the database, and nothing moves them: whoever asks first has one fetched. */
  async function fetchPicture(asking: Asking, otherwise: Response): Promise<Response> {
    const found = await handOn(asking).catch(() => undefined);
    if (!found) return otherwise;
    if (found.status !== 200 || asking.request.method !== "GET") return found;
    const whole = await found.arrayBuffer().catch(() => undefined);
    // The leader went away in the middle of it.
    if (!whole) return otherwise;
    const bytes = new Uint8Array(whole);
    const { path } = asking.target;
    if (!keeping.has(path)) {
      keeping.add(path);
      // With a disk that is full it is fetched again.
      await parts.keep(path, bytes).catch(() => undefined);
      keeping.delete(path);
    }
    return new Response(bytes, { headers: found.headers });
  }

  /** Whether the client has seen what is not here; `told`, where it is a program that says so. */
  async function isAhead(reader: Reader, { headers }: Request): Promise<"told" | "kept" | undefined> {
    const asked = askedVersion(headers, cookieNow());
    if (!asked) return undefined;
    const { version, isTold } = asked;
    const isHere = version && (isReached(reader, version) || (await parts.reached(version)));
    return isHere ? undefined : isTold ? "told" : "kept";
  }

  function isReached(reader: Reader, version: Version): boolean {
    try {
      return isAtLeast(reader.place(), version);
    } catch {
      return false;
    }
  }

  async function elsewhere(asking: Asking): Promise<Response> {
    try {
      return await handOn(asking);
    } catch (error) {
      return refuse(asking, error);
    }
  }

  async function handOn({ request, target, peer, keepOpen, bytes }: Asking): Promise<Response> {
    keepOpen(KEEP_SECONDS);
    const forwardedFor = request.headers.get("x-forwarded-for");
    const address = visitorAddress(peer(), forwardedFor, rules.trustedProxies);
    // Who has left has none any more, and what is signed without one is the node's own.
    if (address === "") throw leaderAway();
    return leader.handOn(request, { target: wholeTarget(target), address, ...(bytes && { bytes }) });
  }

  async function refuse({ request, peer, keepOpen }: Asking, error: unknown): Promise<Response> {
    // Its body may be read by now, and nobody reads it again.
    const bare = new Request(request.url, { method: request.method, headers: request.headers });
    refusals.add(bare, error instanceof CoreError ? error : leaderAway());
    return (parts.reader() ?? parts.empty).handler(bare, peer, keepOpen);
  }

  function cookieNow() {
    const origin = parts.origin();
    if (cookie?.origin !== origin) cookie = { origin, of: versionCookie(origin) };
    return cookie.of;
  }
}

/** A request, and what was read of it. */
interface Asking {
  request: Request;
  target: Target;
  peer: () => string;
  keepOpen: (seconds: number) => void;
  /** The body, where it was looked at. */
  bytes?: Uint8Array;
  /** The same request with that body. */
  held?: Request;
}

/** Reads a query, where it is short enough to be one; false where it is the leader's. */
async function holdQuery(asking: Asking): Promise<boolean> {
  const { request } = asking;
  const { headers, method, url, signal } = request;
  if (!(Number(headers.get("content-length") ?? Infinity) <= BODY_MAX_BYTES)) return false;
  const bytes = new Uint8Array(await request.arrayBuffer());
  asking.bytes = bytes;
  if (mayChange(headers, bytes)) return false;
  asking.held = new Request(url, { method, headers, body: bytes, signal });
  return true;
}
