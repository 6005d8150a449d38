import { createHmac, timingSafeEqual } from "node:crypto";
import { SECOND } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { refuse } from "../core/base/errors.ts";

/** What a node says of a request that it hands on to another one, or makes itself. */
export interface SignedForward {
  method: string;
  /** Path and query, as sent. */
  target: string;
  /** Whose request it is: the client's address; empty for the node's own. */
  address: string;
  /** The highest epoch that the node has heard of. */
  epoch: number;
}

export const FORWARDED_HEADER = "guildhall-handed";

/** How far the clocks of two nodes may be apart; and as long an id is remembered, so that it counts once. */
const WITHIN_MS = 30 * SECOND;
const ID_BYTES = 12;
/** Ids that are remembered at most: what comes faster than this is no cluster of ours. */
const IDS_MAX = 500_000;

/**
 * Signs by a key that is derived from the community's own: whoever has that is a node. The body is not part
 * of what is signed, as it is streamed: nodes speak by TLS, or in a network that nobody else is in.
 */
export function signForward(core: Pick<Core, "secrets" | "clock" | "random">, handed: SignedForward): string {
  const at = String(core.clock.now());
  const id = Buffer.from(core.random.bytes(ID_BYTES)).toString("base64url");
  const [key] = core.secrets.derivedKeys("cluster");
  const told = [at, id, String(handed.epoch), handed.address];
  return [...told, macOf(key, handed, told)].join(" ");
}

/** Believes each of them once. */
export interface ForwardVerifier {
  /** Throws forbidden for one that no node has signed, that is too old, or that came already. */
  believe(header: string, method: string, target: string): SignedForward;
}

export function createForwardVerifier(core: Pick<Core, "secrets" | "clock">): ForwardVerifier {
  /** In the order in which they came, so that the oldest are found first. */
  const seen = new Map<string, number>();
  return {
    believe(header, method, target) {
      const [at = "", id = "", epoch = "", address = "", mac = ""] = header.split(" ");
      const handed: SignedForward = { method, target, address, epoch: Number(epoch) };
      const keys = core.secrets.derivedKeys("cluster");
      if (!keys.some((key) => isSame(macOf(key, handed, [at, id, epoch, address]), mac)))
        throw refuse("handed_unsigned");
      const now = core.clock.now();
      const apart = Math.abs(now - Number(at));
      if (!(apart <= WITHIN_MS)) throw refuse("handed_late", { seconds: Math.ceil(apart / SECOND) });
      for (const [old, until] of seen) {
        if (until > now && seen.size < IDS_MAX) break;
        seen.delete(old);
      }
      if (seen.has(id)) throw refuse("handed_again");
      seen.set(id, now + 2 * WITHIN_MS);
      return handed;
    },
  };
}

function macOf(key: string, { method, target }: SignedForward, told: readonly string[]): string {
  return createHmac("sha256", key)
    .update(["1", method, target, ...told].join("\n"))
    .digest("base64url");
}

function isSame(own: string, sent: string): boolean {
  return own.length === sent.length && timingSafeEqual(Buffer.from(own), Buffer.from(sent));
}
