import { SECOND } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { refuseFor } from "../core/base/errors.ts";
import { FORWARDED_HEADER, signForward } from "./signature.ts";
import { isAtLeast, LEADS_HEADER, readVersion, type Version, VERSION_HEADER } from "./version.ts";
import {
  createForwarder,
  type ForwardedRequest,
  forwardedHeaders,
  Unanswered,
  type Forwarder,
} from "./forwarding.ts";

/**
 * The fields of a core that a node needs to sign requests. The signing key belongs to the community, so a
 * follower takes these fields from the core of its current copy.
 */
export type Identity = Pick<Core, "secrets" | "clock" | "random">;

export type ForwardOutcome = "answered" | "away" | "left";

/** The community's leader, as this node knows it. */
export interface Leader {
  /**
   * Forwards the whole request and returns the response, streamed. `bytes` is the body, if it was already
   * read. Throws unavailable (`leader_away`) if there is no leader or no response.
   */
  forward(request: Request, from: { target: string; address: string; bytes?: Uint8Array }): Promise<Response>;
  /** Sends JSON on behalf of this node, not of a client. Resolves to whether the leader accepted the JSON. */
  send(target: string, text: string): Promise<boolean>;
  /** Finds the leader and its version. Resolves to whether there is a leader. */
  check(): Promise<boolean>;
  /** URL of the leader; undefined while none answers. */
  address(): string | undefined;
  version(): Version | undefined;
  epoch(): number;
  /**
   * How far this machine's clock is ahead of the leader's, in ms. Negative if it is behind. Precise to one
   * second.
   */
  clockMs(): number | undefined;
  close(): void;
}

/** `Retry-After` in ms. After this time a client finds the leader or its successor. */
const RETRY_MS = 5 * SECOND;
/** A body up to this size is read before it is forwarded, so that a failed attempt can be repeated. */
const RESENDABLE_BYTES = 64 * 1024;
const OWN_HEADERS = { "content-type": "application/json" };
const VERSION_REQUEST = { method: "HEAD", target: "/healthz", headers: {}, body: null } as const;

/** Statuses of a node that does not lead or does not trust this node's signature. */
const NOT_PROCESSED: ReadonlySet<number> = new Set([403, 503]);

export interface LeaderOptions {
  identity: () => Identity;
  onEvent(event: LeaderEvent, address: string): void;
  count(outcome: ForwardOutcome): void;
}

export type LeaderEvent = "leads" | "away" | "refuses_us";

export function createLeader(
  addresses: readonly string[],
  { identity, onEvent, count }: LeaderOptions,
): Leader {
  const wires = new Map<string, Forwarder>(addresses.map((address) => [address, createForwarder(address)]));
  let current: string | undefined;
  let known: Version | undefined;
  let epoch = 0;
  let clockMs: number | undefined;
  /**
   * Events already reported since the leader last changed. Checks run every second, and most of them find the
   * same event.
   */
  const reported = new Set<string>();
  let currentSearch: Promise<string | undefined> | undefined;

  return {
    forward,
    send,
    check: async () => (await find()) !== undefined,
    address: () => current,
    version: () => known,
    epoch: () => epoch,
    clockMs: () => clockMs,
    close: () => wires.forEach((wire) => wire.close()),
  };

  async function forward(
    request: Request,
    { target, address, bytes }: { target: string; address: string; bytes?: Uint8Array },
  ): Promise<Response> {
    const body = bytes ?? (await bodyOf(request));
    const parcel = {
      method: request.method,
      target,
      headers: headersOf(request),
      body,
      signal: request.signal,
    };
    const isResendable = body === null || body instanceof Uint8Array;
    try {
      for (let isRetry = false; ; isRetry = true) {
        const at = current ?? (await find());
        if (at === undefined) throw leaderAway();
        const tried = await attempt(at, parcel, address, isResendable);
        if (tried instanceof Response) {
          count("answered");
          return tried;
        }
        if (isRetry || !tried.mayRepeat) throw leaderAway();
        // The node at this address did not process the request, so the request may be sent to the current
        // leader.
        current = undefined;
      }
    } catch (error) {
      count(request.signal.aborted ? "left" : "away");
      throw error;
    }
  }

  async function send(target: string, text: string): Promise<boolean> {
    const at = current ?? (await find());
    if (at === undefined) return false;
    const parcel = { method: "POST", target, headers: OWN_HEADERS, body: Buffer.from(text) };
    try {
      return (await wireOf(at).send(sign(parcel, ""))).ok;
    } catch {
      return false;
    }
  }

  /**
   * Returns the node's response. If the node did not process the request, returns whether the request may be
   * sent to another node.
   */
  async function attempt(
    at: string,
    parcel: ForwardedRequest,
    address: string,
    isResendable: boolean,
  ): Promise<Response | { mayRepeat: boolean }> {
    const signed = sign(parcel, address);
    const send = () => wireOf(at).send(signed);
    let isSentAgain = false;
    try {
      const answer = await send().catch((error: unknown) => {
        // The kept-alive connection was closed, so the request is sent again. If the leader did receive the
        // first request, the repeated signature prevents a second execution.
        if (!isResendable || !(error instanceof Unanswered) || error.stage !== "stale") throw error;
        isSentAgain = true;
        return send();
      });
      // A response with a status outside `NOT_PROCESSED` is final. The node may have given up the lead
      // meanwhile, but it processed the request.
      const isFromNode = answer.headers.has(VERSION_HEADER);
      if (readAnswer(at, answer) !== undefined || (isFromNode && !NOT_PROCESSED.has(answer.status)))
        return answer;
      await answer.body?.cancel();
      // If the request was sent twice, a refusal may mean that the node already processed the first request.
      // The request is then not sent to another node.
      return { mayRepeat: isResendable && isFromNode && !isSentAgain };
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      if (error.stage !== "left") forget(at);
      return { mayRepeat: error.stage === "unsent" };
    }
  }

  function sign(parcel: ForwardedRequest, address: string): ForwardedRequest {
    const { method, target } = parcel;
    const header = signForward(identity(), { method, target, address, epoch });
    return { ...parcel, headers: { ...parcel.headers, [FORWARDED_HEADER]: header } };
  }

  /**
   * Finds the leader. Asks all nodes if the last known leader no longer says that it leads. The node with the
   * latest epoch is the leader.
   */
  function find(): Promise<string | undefined> {
    currentSearch ??= search().finally(() => {
      currentSearch = undefined;
    });
    return currentSearch;
  }

  async function search(): Promise<string | undefined> {
    if (current !== undefined && (await epochOf(current)) !== undefined) return current;
    const epochs = await Promise.all(
      addresses.map(async (address) => ({ address, epoch: await epochOf(address) })),
    );
    const leading = epochs.filter(
      (each): each is { address: string; epoch: number } => each.epoch !== undefined,
    );
    const [first] = leading.sort((one, other) => other.epoch - one.epoch);
    current = first?.address;
    reportChange(current === undefined ? "away" : "leads", current ?? addresses.join(" "));
    return current;
  }

  /** Returns the epoch in which the node leads. Undefined if the node does not lead or does not answer. */
  async function epochOf(address: string): Promise<number | undefined> {
    const { clock } = identity();
    const sentAt = clock.now();
    try {
      const answer = await wireOf(address).send(sign(VERSION_REQUEST, ""));
      const leads = readAnswer(address, answer);
      // A leader whose clock differs too much refuses this node's signature with 403 and does not say that it
      // leads. The 403 also shows the clock of that leader.
      if (leads !== undefined || answer.status === 403)
        clockMs = aheadOf(answer.headers.get("date"), sentAt, clock.now()) ?? clockMs;
      return leads;
    } catch {
      return undefined;
    }
  }

  /**
   * Reads from a response whether the node leads, and the version of its database. Returns the epoch in which
   * the node leads.
   */
  function readAnswer(address: string, { status, headers }: Response): number | undefined {
    const leads = Number(headers.get(LEADS_HEADER) ?? 0);
    if (!(leads > 0)) {
      if (status === 403) reportChange("refuses_us", address);
      return undefined;
    }
    headers.delete(LEADS_HEADER);
    epoch = Math.max(epoch, leads);
    const version = readVersion(headers.get(VERSION_HEADER) ?? "");
    if (version && (!known || isAtLeast(version, known))) known = version;
    return leads;
  }

  function forget(address: string): void {
    if (current === address) current = undefined;
  }

  /** Reports each event once. */
  function reportChange(event: LeaderEvent, address: string): void {
    const isLed = [...reported].some((event) => event.startsWith("leads"));
    if (reported.has(`${event} ${address}`)) return;
    if (isLed || event === "leads") reported.clear();
    reported.add(`${event} ${address}`);
    onEvent(event, address);
  }

  function wireOf(address: string): Forwarder {
    const wire = wires.get(address);
    if (!wire) throw new Error(`${address} is not a node of this community`);
    return wire;
  }
}

/**
 * Returns 0 if the leader's time is between `sentAt` and `late`, the times of the request and of the
 * response. A `Date` header is truncated to the second.
 */
function aheadOf(date: string | null, sentAt: number, late: number): number | undefined {
  const leaderTime = Date.parse(date ?? "");
  if (Number.isNaN(leaderTime)) return undefined;
  return Math.max(0, sentAt - SECOND - leaderTime) || Math.min(0, late - leaderTime);
}

export function leaderAway() {
  return refuseFor("leader_away", RETRY_MS);
}

async function bodyOf(request: Request): Promise<ForwardedRequest["body"]> {
  const length = Number(request.headers.get("content-length") ?? Infinity);
  if (!request.body || length === 0) return null;
  return length <= RESENDABLE_BYTES ? new Uint8Array(await request.arrayBuffer()) : request.body;
}

/**
 * Returns the client's headers without hop-by-hop headers and without headers about the client's address. The
 * signature contains that address.
 */
function headersOf({ headers }: Request): Record<string, string> {
  const kept = forwardedHeaders(headers);
  for (const name of ["host", "expect", "x-forwarded-for", "forwarded", FORWARDED_HEADER, LEADS_HEADER])
    kept.delete(name);
  const via = kept.get("via");
  kept.set("via", via === null ? "1.1 guildhall" : `${via}, 1.1 guildhall`);
  return Object.fromEntries(kept);
}
