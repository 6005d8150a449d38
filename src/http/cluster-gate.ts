import type { RequestContext } from "./context.ts";

/**
 * What stands before everything else where several nodes are one community (docs/contract.md#12.28). A node alone has
 * none.
 */
export interface ClusterGate {
  /** Puts right what the request says of where it comes from. Throws what refuses it. */
  enter(context: RequestContext): void;
  /**
   * Whether what was thrown says only that another node has to answer. It is told nobody then: that one tells.
   */
  isElsewhere(context: RequestContext, thrown: unknown): boolean;
  /** Says on the answer how far this node is. False for one that nobody is given. Never throws. */
  leave(context: RequestContext, answer: Response): boolean;
}

/** What the gate has against it, if anything: told once the request is paid for. */
export function barredBy(
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
