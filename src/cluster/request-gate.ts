import type { Core } from "../core/base/core.ts";
import { CoreError, refuse } from "../core/base/errors.ts";
import type { RequestContext } from "../http/context.ts";
import type { ClusterGate } from "../http/cluster-gate.ts";
import { readTarget, targetText } from "../http/target.ts";
import { requiredVersion, createPositionReader, versionCookie } from "./position.ts";
import { createForwardVerifier, FORWARDED_HEADER } from "./signature.ts";
import { isAtLeast, LEADS_HEADER, formatVersion, VERSION_HEADER } from "./version.ts";

export interface GateOptions {
  /** Called with the epoch of the node that signed the request, if that epoch is higher than this node's. */
  onEpoch(epoch: number): void;
  /**
   * Whether this node leads. A leader refuses versions that it does not have, and accepts requests that other
   * nodes forward.
   */
  isLeading: boolean;
}

/**
 * Creates the gate of a node (docs/contract.md#12.28). The gate verifies signatures of other nodes and writes
 * this node's version on each response.
 */
export function createGate(
  core: Pick<Core, "db" | "secrets" | "clock" | "origin">,
  { onEpoch, isLeading }: GateOptions,
): ClusterGate {
  const { verify } = createForwardVerifier(core);
  const position = createPositionReader(core);
  const cookie = versionCookie(core.origin);

  return {
    enter(context) {
      if (context.verdict?.refused) throw context.verdict.refused;
      verifyNode(context);
      if (!isLeading) return;
      const required = requiredVersion(context.request.headers, cookie);
      if (required?.isRequired && (!required.version || !isAtLeast(position(), required.version)))
        throw refuse("version_ahead");
    },
    isForLeader({ verdict }, thrown) {
      if (!verdict || !needsLeader(thrown)) return false;
      verdict.mustForward = true;
      return true;
    },
    leave(context, answer) {
      try {
        const here = position();
        answer.headers.set(VERSION_HEADER, formatVersion(here));
        if (isLeading && here.fencedBy === null && context.isSignedByNode)
          answer.headers.set(LEADS_HEADER, String(here.epoch));
        if (!isPage(answer)) return;
        const kept = cookie.read(context.request.headers.get("cookie"));
        // A leader also replaces a cookie if the cookie's version is newer than the leader's own version.
        const isKnown = kept && isAtLeast(kept, here) && (!isLeading || isAtLeast(here, kept));
        if (!isKnown) answer.headers.append("set-cookie", cookie.set(here));
      } catch {
        // Ignored. If the database does not answer, the response itself reports that error.
      }
    },
  };

  /** Replaces the node's address with the client's address, which the node signed. */
  function verifyNode(context: RequestContext): void {
    const { headers, method } = context.request;
    const header = headers.get(FORWARDED_HEADER);
    if (header === null) return;
    const target = readTarget(context.request);
    const signed = verify(header, method, target ? targetText(target) : "");
    context.isSignedByNode = true;
    headers.delete(FORWARDED_HEADER);
    headers.delete("x-forwarded-for");
    context.isOfNode = signed.address === "";
    if (!context.isOfNode) context.peer = context.address = () => signed.address;
    if (signed.epoch > position().epoch) onEpoch(signed.epoch);
  }
}

/**
 * Whether the response is a page for a person, or a redirect to a page. Pictures and cacheable files are not
 * pages.
 */
function isPage({ status, headers }: Response): boolean {
  if ((headers.get("cache-control") ?? "").includes("public")) return false;
  const isRedirect = status >= 300 && status <= 399 && headers.has("location");
  return isRedirect || (headers.get("content-type") ?? "").startsWith("text/html");
}

/**
 * Whether a copy failed at a write or with an SQLite error, so that the leader must answer the request. The
 * copy's file may be replaced, damaged, or migrated by another program version.
 */
function needsLeader(thrown: unknown): boolean {
  if (thrown instanceof CoreError) return thrown.code === "reads_only";
  return thrown instanceof Error && "code" in thrown && String(thrown.code).startsWith("SQLITE_");
}
