import type { Caller } from "../core/identity/access/caller.ts";
import type { Core } from "../core/base/core.ts";
import type { IdempotentRequest } from "../core/base/idempotency/idempotency.ts";
import type { Allowance, RequestContext } from "../http/context.ts";
import type { Listening } from "../http/listeners.ts";
import type { Batch } from "./batch.ts";
import type { Accepted } from "./request.ts";
import type { AnswerSize } from "./answer-size.ts";

/**
 * Context of every field: the context of a REST operation, and the state that all fields of the request
 * share.
 */
export interface GraphContext {
  readonly core: Core;
  /**
   * The caller, updated after waits. A queued operation or a stream may run longer than the caller's rights
   * last.
   */
  caller: Caller;
  readonly batch: Batch;
  readonly size: AnswerSize;
  /** Cost of the operation in cost units. Computed before the operation runs. */
  cost: number;
  /** Remaining rate limit of the caller after this operation was charged. */
  allowance: Allowance;
  /** The request with its Idempotency-Key. `undefined` without a key. */
  readonly keyed: IdempotentRequest | undefined;
  /** Stream position to resume from (`Last-Event-ID`). */
  readonly lastEventId: string | undefined;
  listening: SharedListener;
  /**
   * Set if the operation's results are sent on a stream that the client opened before, and not on the
   * connection of this request.
   */
  readonly operation: StreamedOperation | undefined;
  readonly http: RequestContext;
  readonly accepts: Accepted;
  /** Name of the operation to run, if the document has several. */
  readonly operationName: string | undefined;
}

/**
 * The listener of a subscription. Equal subscriptions of one account share their work
 * (docs/contract.md#12.35).
 */
export interface SharedListener extends Listening {
  /**
   * Runs work in the account's slot and returns its value. If an equal subscription has already done the same
   * work, returns the value of that subscription. A value is shared until the next commit, and only by
   * callers with the same rights. Returns `undefined` if the caller's permission has ended, even during the
   * work. `lettersOf` returns the size of a value in characters.
   */
  share<Value>(
    what: string,
    work: (caller: Caller) => Value | Promise<Value>,
    lettersOf: (value: Value) => number,
  ): Promise<Value | undefined>;
}

/** An operation whose results are sent on a shared stream. See `single-connection.ts`. */
export interface StreamedOperation {
  /** Aborted when the operation or its stream ends. */
  readonly signal: AbortSignal;
  /** Called when the operation is accepted. All results and errors after this call are sent on the stream. */
  admitted(): void;
  /**
   * Takes a slot for one more result. Resolves when a slot is free. Never resolves after the operation has
   * ended.
   */
  acquireSlot(): Promise<void>;
  releaseSlot(): void;
  /**
   * Sends a result. Without an argument, sends the end of the operation. Resolves when the client has read
   * the message, or when the operation ends.
   */
  send(answer?: string | Uint8Array): Promise<void>;
  /** Removes the operation from its stream. */
  stop(): void;
}
