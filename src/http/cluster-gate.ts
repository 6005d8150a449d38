import type { CoreError } from "../core/base/errors.ts";
import type { RequestContext } from "./context.ts";

/**
 * State of one request on a follower. The follower and the cluster gate of its database copy share this
 * state.
 */
export interface FollowerVerdict {
  /**
   * A refusal of the follower. The gate throws this refusal, so that the response is a page or has the body
   * of the contract.
   */
  readonly refused?: CoreError;
  /**
   * Set by the gate if only the leader can answer. The follower then discards its own response and forwards
   * the request.
   */
  mustForward: boolean;
}

/** Runs before all other steps if several nodes serve one community (docs/contract.md#12.28). */
export interface ClusterGate {
  /**
   * Verifies the headers that another node signed, and corrects the client's address. Throws a refusal if the
   * signature is not valid.
   */
  enter(context: RequestContext): void;
  /** Whether an error only means that the leader must answer. Such errors are neither logged nor counted. */
  isForLeader(context: RequestContext, thrown: unknown): boolean;
  /** Adds the position of this node's data to the response. Never throws. */
  leave(context: RequestContext, answer: Response): void;
}

/**
 * Returns the error that the gate throws for a request, if any. The preflight throws this error after the
 * rate limit has counted the request.
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
