import type { Caller } from "../core/identity/access/caller.ts";
import type { Core } from "../core/base/core.ts";
import type { IdempotentRequest } from "../core/base/idempotency/idempotency.ts";
import type { Allowance, RequestContext } from "../http/context.ts";
import type { Listening } from "../http/listeners.ts";
import type { Batch } from "./batch.ts";
import type { Accepted } from "./request.ts";
import type { AnswerSize } from "./answer-size.ts";

/** What every field is given: the same as an operation of REST, and what one request shares. */
export interface GraphContext {
  readonly core: Core;
  /** By now: an expensive operation waits in a queue, and a stream may go on for days. */
  caller: Caller;
  readonly batch: Batch;
  /** How long the answer has become by now. */
  readonly size: AnswerSize;
  /** What the operation was counted to cost, before it ran. */
  cost: number;
  /** What is left of the caller's rate after it was taken. */
  allowance: Allowance;
  /** The request by its Idempotency-Key; undefined without one. */
  readonly keyed: IdempotentRequest | undefined;
  /** Where a stream that broke off goes on (`Last-Event-ID`). */
  readonly lastEventId: string | undefined;
  listening: SharedListener;
  /** On whose stream the answer is told; undefined for one that is its own answer. */
  readonly operation: StreamedOperation | undefined;
  readonly http: RequestContext;
  readonly takes: Accepted;
  /** Which of the document's operations is meant, where there are several. */
  readonly operationName: string | undefined;
}

/** A subscription's listener; equal subscriptions of one account share their work (docs/contract.md#12.35). */
export interface SharedListener extends Listening {
  /**
   * Runs work in the slot of the account, or gives the value that an equal subscription has got of the same work.
   * Values are shared as long as nothing is committed, and only by callers with the same rights. Undefined once the
   * caller may not listen any more, also where that ended during the work. `lettersOf` is the size of a value.
   */
  share<Value>(
    what: string,
    work: (caller: Caller) => Value | Promise<Value>,
    lettersOf: (value: Value) => number,
  ): Promise<Value | undefined>;
}

/** One of the operations that share a stream; see `single-connection.ts`. */
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
  /** Takes it off its stream. */
  stop(): void;
}
