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

/** Whom a node signs as: the key is the community's, as the database names it by now. */
export type Identity = Pick<Core, "secrets" | "clock" | "random">;

/** How a request that was handed on came out. */
export type ForwardOutcome = "answered" | "away" | "left";

/** Who leads the community, as this node knows it. */
export interface Leader {
  /**
   * Hands a request on whole and gives back the answer, streamed. `bytes`: its body, where it was read
   * already. Throws unavailable, `leader_away`, where nobody leads or the answer does not come.
   */
  forward(request: Request, from: { target: string; address: string; bytes?: Uint8Array }): Promise<Response>;
  /** Sends a JSON of this node's own. Whether the leader has taken it. */
  send(target: string, text: string): Promise<boolean>;
  /** Asks who leads, and how far they are. Whether anybody does. */
  look(): Promise<boolean>;
  /** Where it answered last; undefined while nobody does. */
  address(): string | undefined;
  /** The latest version that it said it has. */
  version(): Version | undefined;
  /** The highest epoch that was heard of. */
  epoch(): number;
  /**
   * How far this machine's clock is ahead of the leader's, in whole seconds' precision; behind is negative.
   */
  clockMs(): number | undefined;
  close(): void;
}

/** A client that comes back by then finds the leader, or the one after it. */
const RETRY_MS = 5 * SECOND;
/** A body that is no longer is read first: then it can be sent again. */
const HELD_BYTES = 64 * 1024;
const OWN_HEADERS = { "content-type": "application/json" };
const ASKED = { method: "HEAD", target: "/healthz", headers: {}, body: null } as const;

/** How a node that does not lead, or does not believe us, answers. */
const NOT_DONE: ReadonlySet<number> = new Set([403, 503]);

export interface LeaderOptions {
  identity: () => Identity;
  tell(what: LeaderNews, address: string): void;
  count(outcome: ForwardOutcome): void;
}

export type LeaderNews = "leads" | "away" | "refuses_us";

export function createLeader(addresses: readonly string[], { identity, tell, count }: LeaderOptions): Leader {
  const wires = new Map<string, Forwarder>(addresses.map((address) => [address, createForwarder(address)]));
  let current: string | undefined;
  let known: Version | undefined;
  let epoch = 0;
  let clockMs: number | undefined;
  /** Since the one that leads last changed: a look each second finds the same. */
  const told = new Set<string>();
  let looking: Promise<string | undefined> | undefined;

  return {
    forward,
    send,
    look: async () => (await find()) !== undefined,
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
    const isWhole = body === null || body instanceof Uint8Array;
    try {
      for (let isAgain = false; ; isAgain = true) {
        const at = current ?? (await find());
        if (at === undefined) throw leaderAway();
        const tried = await attempt(at, parcel, address, isWhole);
        if (tried instanceof Response) {
          count("answered");
          return tried;
        }
        if (isAgain || !tried.mayRepeat) throw leaderAway();
        // Nothing was done there: whoever leads by now does it.
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

  /** The answer of whoever leads; or whether another one may be asked, as nothing was done. */
  async function attempt(
    at: string,
    parcel: ForwardedRequest,
    address: string,
    isWhole: boolean,
  ): Promise<Response | { mayRepeat: boolean }> {
    const signed = sign(parcel, address);
    const send = () => wireOf(at).send(signed);
    let isSentAgain = false;
    try {
      const answer = await send().catch((error: unknown) => {
        // A connection that was kept has been closed meanwhile. Whatever arrived of it counts once, by its
        // signature.
        if (!isWhole || !(error instanceof Unanswered) || error.stage !== "stale") throw error;
        isSentAgain = true;
        return send();
      });
      // One that was given up for another leader meanwhile has done what it says that it did.
      const isOurs = answer.headers.has(VERSION_HEADER);
      if (noteOf(at, answer) !== undefined || (isOurs && !NOT_DONE.has(answer.status))) return answer;
      await answer.body?.cancel();
      // Refused as one that came before: then that one was done.
      return { mayRepeat: isWhole && isOurs && !isSentAgain };
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

  /** All are asked where the one that led does not say so any more; the latest epoch leads. */
  function find(): Promise<string | undefined> {
    looking ??= search().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  async function search(): Promise<string | undefined> {
    if (current !== undefined && (await asks(current)) !== undefined) return current;
    const epochs = await Promise.all(
      addresses.map(async (address) => ({ address, epoch: await asks(address) })),
    );
    const leading = epochs.filter(
      (each): each is { address: string; epoch: number } => each.epoch !== undefined,
    );
    const [first] = leading.sort((one, other) => other.epoch - one.epoch);
    current = first?.address;
    say(current === undefined ? "away" : "leads", current ?? addresses.join(" "));
    return current;
  }

  /** By which epoch it leads; undefined where it does not, or does not answer. */
  async function asks(address: string): Promise<number | undefined> {
    const { clock } = identity();
    const asked = clock.now();
    try {
      const answer = await wireOf(address).send(sign(ASKED, ""));
      const leads = noteOf(address, answer);
      // A leader whose clock is too far away refuses what is signed here, and does not say that it leads.
      if (leads !== undefined || answer.status === 403)
        clockMs = aheadOf(answer.headers.get("date"), asked, clock.now()) ?? clockMs;
      return leads;
    } catch {
      return undefined;
    }
  }

  /** What an answer says of who leads, and how far they are. */
  function noteOf(address: string, { status, headers }: Response): number | undefined {
    const leads = Number(headers.get(LEADS_HEADER) ?? 0);
    if (!(leads > 0)) {
      if (status === 403) say("refuses_us", address);
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

  /** Once for each change. */
  function say(what: LeaderNews, address: string): void {
    const isLed = [...told].some((words) => words.startsWith("leads"));
    if (told.has(`${what} ${address}`)) return;
    if (isLed || what === "leads") told.clear();
    told.add(`${what} ${address}`);
    tell(what, address);
  }

  function wireOf(address: string): Forwarder {
    const wire = wires.get(address);
    if (!wire) throw new Error(`${address} is not a node of this community`);
    return wire;
  }
}

/** 0 for a moment between the two; the other one's was cut to its second. */
function aheadOf(date: string | null, asked: number, late: number): number | undefined {
  const theirs = Date.parse(date ?? "");
  if (Number.isNaN(theirs)) return undefined;
  return Math.max(0, asked - SECOND - theirs) || Math.min(0, late - theirs);
}

export function leaderAway() {
  return refuseFor("leader_away", RETRY_MS);
}

async function bodyOf(request: Request): Promise<ForwardedRequest["body"]> {
  const length = Number(request.headers.get("content-length") ?? Infinity);
  if (!request.body || length === 0) return null;
  return length <= HELD_BYTES ? new Uint8Array(await request.arrayBuffer()) : request.body;
}

/** As the client sent them, but for what was said of its connection, and of who it is: that is signed. */
function headersOf({ headers }: Request): Record<string, string> {
  const kept = forwardedHeaders(headers);
  for (const name of ["host", "expect", "x-forwarded-for", "forwarded", FORWARDED_HEADER, LEADS_HEADER])
    kept.delete(name);
  const via = kept.get("via");
  kept.set("via", via === null ? "1.1 guildhall" : `${via}, 1.1 guildhall`);
  return Object.fromEntries(kept);
}
