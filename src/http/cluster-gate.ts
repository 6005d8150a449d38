import type { CoreError } from "../core/base/errors.ts";
import type { RequestContext } from "./context.ts";

/** What a follower and the gate of its copy know of one request. */
export interface FollowerVerdict {
  /**
   * What the follower refuses it with. The gate throws that, so that the copy answers in the contract's body
   * or as a page.
   */
  readonly refused?: CoreError;
  /** Set by the gate where only the leader can answer. The follower discards its own answer then. */
  isForLeader: boolean;
}

/** Runs before everything else where several nodes serve one community (docs/contract.md#12.28). */
export interface ClusterGate {
  /** Corrects the client's address and reads what the other node signed. Throws a refusal. */
  enter(context: RequestContext): void;
  /**
   * Whether the error only means that the leader has to answer. Such an error is neither logged nor counted.
   */
  isForLeader(context: RequestContext, thrown: unknown): boolean;
  /** Writes on the answer how far this node is. Never throws. */
  leave(context: RequestContext, answer: Response): void;
}

/**
 * What the gate throws for a request, if anything. It is answered after the rate limit has counted the
 * request.
 */
export function gateRefusal(
  gate: ClusterGate | undefined,
  context: RequestContext,
): { thrown: unknown } | undefined {
  try {
    gate?.enter(context);
    return undefined;
  } catch (thrown) {
    return { thrown };
  }
}
