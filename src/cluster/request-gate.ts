import type { Core } from "../core/base/core.ts";
import { CoreError, refuse } from "../core/base/errors.ts";
import type { RequestContext } from "../http/context.ts";
import type { ClusterGate } from "../http/cluster-gate.ts";
import { readTarget, wholeTarget } from "../http/target.ts";
import { askedVersion, createPlace, versionCookie } from "./position.ts";
import { createForwardVerifier, FORWARDED_HEADER } from "./signature.ts";
import { isAtLeast, LEADS_HEADER, showVersion, VERSION_HEADER } from "./version.ts";

export interface GateOptions {
  /** Hears each epoch of which a node that signed has heard, where it is higher than this one's. */
  onEpoch(epoch: number): void;
  /** Whether a version that is not here is nowhere, and what another node hands on is done here. */
  isLeading: boolean;
  /** What this node itself has against a request, before anything of it is looked at. */
  against?: (request: Request) => CoreError | undefined;
  /** Whether what was thrown is no answer, as the leader has one. */
  isForLeader?: (thrown: unknown) => boolean;
  /** Takes the answers of which that was found out: nobody is given them. */
  unanswered?: WeakSet<Response>;
}

/**
 * The gate of a node among several (docs/contract.md#12.28): believes what another one has signed of a request, and
 * says on each answer how far this one is.
 */
export function createGate(
  core: Pick<Core, "db" | "secrets" | "clock" | "origin">,
  { onEpoch, isLeading, against, isForLeader, unanswered }: GateOptions,
): ClusterGate {
  const { believe } = createForwardVerifier(core);
  const place = createPlace(core);
  const cookie = versionCookie(core.origin);
  const elsewhere = new WeakSet<RequestContext>();
  /** What nodes have signed: they are told whether this is where it is done. */
  const ofNodes = new WeakSet<RequestContext>();

  return {
    enter(context) {
      const refused = against?.(context.request);
      if (refused) throw refused;
      believeNode(context);
      if (!isLeading) return;
      const asked = askedVersion(context.request.headers, cookie);
      if (asked?.isTold && (!asked.version || !isAtLeast(place(), asked.version)))
        throw refuse("version_ahead");
    },
    isElsewhere(context, thrown) {
      const isOther = isForLeader?.(thrown) ?? false;
      if (isOther) elsewhere.add(context);
      return isOther;
    },
    leave(context, answer) {
      if (elsewhere.has(context)) {
        unanswered?.add(answer);
        return false;
      }
      try {
        const here = place();
        answer.headers.set(VERSION_HEADER, showVersion(here));
        if (isLeading && here.fencedBy === null && ofNodes.has(context))
          answer.headers.set(LEADS_HEADER, String(here.epoch));
        if (!isPage(answer)) return true;
        const kept = cookie.read(context.request.headers.get("cookie"));
        // What a follower does not have yet, its leader has said.
        const isKnown = kept && isAtLeast(kept, here) && (!isLeading || isAtLeast(here, kept));
        if (!isKnown) answer.headers.append("set-cookie", cookie.set(here));
      } catch {
        // A database that does not answer is told by the answer itself.
      }
      return true;
    },
  };

  /** From here on the request is the client's own, as its node has met it. */
  function believeNode(context: RequestContext): void {
    const { headers, method } = context.request;
    const header = headers.get(FORWARDED_HEADER);
    if (header === null) return;
    const target = readTarget(context.request);
    const handed = believe(header, method, target ? wholeTarget(target) : "");
    ofNodes.add(context);
    headers.delete(FORWARDED_HEADER);
    headers.delete("x-forwarded-for");
    context.isOfNode = handed.address === "";
    if (!context.isOfNode) context.peer = context.address = () => handed.address;
    if (handed.epoch > place().epoch) onEpoch(handed.epoch);
  }
}

/** What a person has looked at, or is led on to: not its pictures, nor what caches keep for everybody. */
function isPage({ status, headers }: Response): boolean {
  if ((headers.get("cache-control") ?? "").includes("public")) return false;
  const isRedirect = status >= 300 && status <= 399 && headers.has("location");
  return isRedirect || (headers.get("content-type") ?? "").startsWith("text/html");
}

/**
 * What a copy cannot answer, and its leader can: what would write, and whatever SQLite has against a file that is being
 * moved, is damaged or was brought up to date by another program.
 */
export function isForLeader(thrown: unknown): boolean {
  if (thrown instanceof CoreError) return thrown.code === "reads_only";
  return thrown instanceof Error && "code" in thrown && String(thrown.code).startsWith("SQLITE_");
}
