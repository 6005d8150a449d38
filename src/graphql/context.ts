import type { Caller } from "../core/identity/access/caller.ts";
import type { Core } from "../core/base/core.ts";
import type { IdempotentRequest } from "../core/base/idempotency/idempotency.ts";
import type { Allowance, RequestContext } from "../http/context.ts";
import type { Listening } from "../http/listeners.ts";
import type { Batch } from "./batch.ts";
import type { Accepted } from "./request.ts";
import type { AnswerSize } from "./answer-size.ts";

/** The context of every field: that of a REST operation, and the shared state of a request. */
export interface GraphContext {
  readonly core: Core;
  /** By now: an expensive operation waits in a queue, and a stream may go on for days. */
  caller: Caller;
  readonly batch: Batch;
  /** The size of the answer so far. */
  readonly size: AnswerSize;
  /** The computed cost of the operation, before it ran. */
  cost: number;
  /** The remaining rate of the caller, after the charge. */
  allowance: Allowance;
  /** The request by its Idempotency-Key; undefined without one. */
  readonly keyed: IdempotentRequest | undefined;
  /** The position to resume a stream from (`Last-Event-ID`). */
  readonly lastEventId: string | undefined;
  listening: SharedListener;
  /** On whose stream the answer is told; undefined for one that is its own answer. */
  readonly operation: StreamedOperation | undefined;
  readonly http: RequestContext;
  readonly takes: Accepted;
  /** Which of the document's operations is meant, where there are several. */
  readonly operationName: string | undefined;
}

/**
 * A subscription's listener. Equal subscriptions of one account share their work (docs/contract.md#12.35).
 */
export interface SharedListener extends Listening {
  /**
   * Runs work in the slot of the account, or gives the value that an equal subscription has got of the same
   * work. Values are shared as long as nothing is committed, and only by callers with the same rights.
   * Undefined once the caller may not listen any more, also where that ended during the work. `lettersOf` is
   * the size of a value.
   */
  share<Value>(
    what: string,
    work: (caller: Caller) => Value | Promise<Value>,
    lettersOf: (value: Value) => number,
  ): Promise<Value | undefined>;
}

/** An operation whose answer goes to a shared stream; see `single-connection.ts`. */
export interface StreamedOperation {
  /** Aborted when it is ended, or its stream is. */
  readonly signal: AbortSignal;
  /** Called when nothing stands in the way of it any more: what follows is told on the stream. */
  admitted(): void;
  /**
   * Resolves when there is a place for one more answer; `leave` gives it back. Never resolves once the
   * operation has ended.
   */
  acquireSlot(): Promise<void>;
  releaseSlot(): void;
  /** Sends an answer, or that it is complete. Resolves when the client has read it, or never will. */
  send(answer?: string | Uint8Array): Promise<void>;
  /** Removes it from its stream. */
  stop(): void;
}
