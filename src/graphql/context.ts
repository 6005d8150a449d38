import type { Caller } from "../core/access/caller.ts";
import type { Core } from "../core/core.ts";
import type { Allowance } from "../http/visit.ts";
import type { Batch } from "./batch.ts";

/** What every field is given: the same as an operation of REST, and what one request shares. */
export interface GraphContext {
  core: Core;
  caller: Caller;
  batch: Batch;
  /** What the operation was counted to cost, before it ran. */
  cost: number;
  /** What is left of the caller's rate after it was taken. */
  allowance: Allowance;
  /** Where a stream that broke off goes on (`Last-Event-ID`). */
  lastEventId: string | undefined;
  listening: Listening;
}

/** One subscriber's ear. */
export interface Listening {
  /** Resolves when anything may have changed; false when there is nothing more to wait for. */
  changed(): Promise<boolean>;
}
