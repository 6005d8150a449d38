import { createHmac, timingSafeEqual } from "node:crypto";
import { SECOND } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { refuse } from "../core/base/errors.ts";

/** Request that a node forwards to another node, or sends itself. */
export interface SignedForward {
  method: string;
  /** Path and query, as sent. */
  target: string;
  /** IP address of the client. Empty for a request of the node itself. */
  address: string;
  epoch: number;
}

export const FORWARDED_HEADER = "guildhall-handed";

/**
 * Largest difference between the clocks of two nodes, in ms. The id of a signature is remembered twice as
 * long, so that each signature is accepted once.
 */
const WITHIN_MS = 30 * SECOND;
const ID_BYTES = 12;
/** Most signature ids that are remembered. No cluster sends this many requests within a minute. */
const IDS_MAX = 500_000;

/**
 * Signs with a key derived from the community's key. Anyone who has that key is a node. The body is not
 * signed, because it is streamed. Nodes communicate over TLS or in a private network.
 */
export function signForward(
  core: Pick<Core, "secrets" | "clock" | "random">,
  forwarded: SignedForward,
): string {
  const at = String(core.clock.now());
  const id = Buffer.from(core.random.bytes(ID_BYTES)).toString("base64url");
  const [key] = core.secrets.derivedKeys("cluster");
  const signed = [at, id, String(forwarded.epoch), forwarded.address];
  return [...signed, macOf(key, forwarded, signed)].join(" ");
}

/** Accepts each signature once. */
export interface ForwardVerifier {
  /**
   * Throws forbidden if no node signed the header, if the signature is too old, or if the signature was
   * already used.
   */
  verify(header: string, method: string, target: string): SignedForward;
}

export function createForwardVerifier(core: Pick<Core, "secrets" | "clock">): ForwardVerifier {
  /** Ids of accepted signatures, in order of arrival, so that the loop below finds the oldest first. */
  const seen = new Map<string, number>();
  return {
    verify(header, method, target) {
      const [at = "", id = "", epoch = "", address = "", mac = ""] = header.split(" ");
      const forwarded: SignedForward = { method, target, address, epoch: Number(epoch) };
      const keys = core.secrets.derivedKeys("cluster");
      if (!keys.some((key) => isSame(macOf(key, forwarded, [at, id, epoch, address]), mac)))
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
      return forwarded;
    },
  };
}

function macOf(key: string, { method, target }: SignedForward, signed: readonly string[]): string {
  return createHmac("sha256", key)
    .update(["1", method, target, ...signed].join("\n"))
    .digest("base64url");
}

function isSame(own: string, sent: string): boolean {
  return own.length === sent.length && timingSafeEqual(Buffer.from(own), Buffer.from(sent));
}
