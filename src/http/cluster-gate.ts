import type { CoreError } from "../core/base/errors.ts";
import type { RequestContext } from "./context.ts";

/** State of one request, shared by a follower and the gate of its copy of the data. */
export interface FollowerVerdict {
  /**
   * Refusal of the follower. The gate throws it, so that the response has the contract's body or is a page.
   */
  readonly refused?: CoreError;
  /** Set by the gate if only the leader can answer. The follower then discards its own response. */
  mustForward: boolean;
}

/** Runs before all other steps if several nodes serve one community (docs/contract.md#12.28). */
export interface ClusterGate {
  /** Corrects the client's address and reads what another node signed. Throws a refusal. */
  enter(context: RequestContext): void;
  /**
   * Whether an error only means that the leader has to answer. Such errors are neither logged nor counted.
   */
  isForLeader(context: RequestContext, thrown: unknown): boolean;
  /** Adds this node's position to the response. Never throws. */
  leave(context: RequestContext, answer: Response): void;
}

/**
 * Returns what the gate throws for a request, if anything. The error is sent after the rate limit has counted
 * the request.
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
