import type { Caller } from "../core/access/caller.ts";
import type { Core } from "../core/core.ts";
import type { IdempotentRequest } from "../core/idempotency/idempotency.ts";
import type { Allowance, Visit } from "../http/visit.ts";
import type { Batch } from "./batch.ts";
import type { Accepted } from "./request.ts";

/** What every field is given: the same as an operation of REST, and what one request shares. */
export interface GraphContext {
  core: Core;
  caller: Caller;
  batch: Batch;
  /** What the operation was counted to cost, before it ran. */
  cost: number;
  /** What is left of the caller's rate after it was taken. */
  allowance: Allowance;
  /** The request by its Idempotency-Key; undefined without one. */
  keyed: IdempotentRequest | undefined;
  /** Where a stream that broke off goes on (`Last-Event-ID`). */
  lastEventId: string | undefined;
  listening: Listening;
  visit: Visit;
  takes: Accepted;
  /** Which of the document's operations is meant, where there are several. */
  operationName: string | undefined;
  /** A refusal on the way that is the whole answer, as it has a status of its own; Yoga would make an error of the graph of it. */
  refusal: { thrown: unknown } | undefined;
}

/** One subscriber's ear. */
export interface Listening {
  /** Resolves when anything may have changed; false when there is nothing more to wait for. */
  changed(): Promise<boolean>;
  /** Whether the caller's right to listen has ended: then the stream is complete, and not only cut. */
  isOver(): boolean;
  close(): void;
}
