import type { Core } from "../core/ground/core.ts";
import { refuse } from "../core/ground/errors.ts";
import type { RequestContext } from "../http/context.ts";
import type { Gate } from "../http/gate.ts";
import { readTarget, wholeTarget } from "../http/target.ts";
import { askedVersion, createPlace, versionCookie } from "./place.ts";
import { createBeliever, HANDED_HEADER } from "./signature.ts";
import { isAtLeast, showVersion, VERSION_HEADER } from "./version.ts";

export interface GateOptions {
  /** Hears each epoch of which a node that signed has heard, where it is higher than this one's. */
  onEpoch(epoch: number): void;
  /** Whether a version that is not here is nowhere. */
  isLeading: boolean;
}

/**
 * The gate of a node among several (docs/contract.md#12.28): believes what another one has signed of a request, and
 * says on each answer how far this one is.
 */
export function createGate(
  core: Pick<Core, "db" | "secrets" | "clock" | "origin">,
  { onEpoch, isLeading }: GateOptions,
): Gate {
  const { believe } = createBeliever(core);
  const place = createPlace(core);
  const cookie = versionCookie(core.origin);

  return {
    enter(context) {
      believeNode(context);
      if (!isLeading) return;
      const asked = askedVersion(context.request.headers, cookie);
      if (asked?.isTold && (!asked.version || !isAtLeast(place(), asked.version)))
        throw refuse("version_ahead");
    },
    leave(context, answer) {
      try {
        const here = place();
        answer.headers.set(VERSION_HEADER, showVersion(here));
        if (!isPage(answer)) return;
        const kept = cookie.read(context.request.headers.get("cookie"));
        // What a follower does not have yet, its leader has said.
        const isKnown = kept && isAtLeast(kept, here) && (!isLeading || isAtLeast(here, kept));
        if (!isKnown) answer.headers.append("set-cookie", cookie.set(here));
      } catch {
        // A database that does not answer is told by the answer itself.
      }
    },
  };

  /** From here on the request is the client's own, as its node has met it. */
  function believeNode(context: RequestContext): void {
    const { headers, method } = context.request;
    const header = headers.get(HANDED_HEADER);
    if (header === null) return;
    const target = readTarget(context.request);
    const handed = believe(header, method, target ? wholeTarget(target) : "");
    headers.delete(HANDED_HEADER);
    headers.delete("x-forwarded-for");
    if (handed.address !== "") context.peer = context.address = () => handed.address;
    if (handed.epoch > place().epoch) onEpoch(handed.epoch);
  }
}

/** What a person has looked at, or is led on to: not its pictures, nor what caches keep for everybody. */
function isPage({ status, headers }: Response): boolean {
  if ((headers.get("cache-control") ?? "").includes("public")) return false;
  const isRedirect = status >= 300 && status <= 399 && headers.has("location");
  return isRedirect || (headers.get("content-type") ?? "").startsWith("text/html");
}
