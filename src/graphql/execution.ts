import {
  type ExecutionResult,
  executeRootSelectionSet,
  type GraphQLSchema,
  type ValidatedExecutionArgs,
} from "graphql";
import { refuse } from "../core/base/errors.ts";
import type { GraphContext } from "./context.ts";
import { LIMITS, tooLong } from "./limits.ts";
import { runKeyed } from "./idempotency.ts";
import { toWholeRefusal, WholeRefusal } from "./refusal.ts";
import { createPlans } from "./plan.ts";
import { refusedAs } from "./request.ts";
import { recheckCaller } from "./caller-check.ts";
import { runPlan } from "./plan-runner.ts";
import { endAnswer, TooLong } from "./answer-size.ts";
import { createFairQueue } from "../core/base/fair-queue.ts";

type Result = ExecutionResult | Promise<ExecutionResult>;

/** Runs queries and mutations that are paid for. */
export function createExecution(
  schema: GraphQLSchema,
): (context: GraphContext, valid: ValidatedExecutionArgs) => Result {
  const [reads, writes] = [createFairQueue(), createFairQueue()];
  const planOf = createPlans(schema);
  return run;

  /** Expensive operations wait in the queue. Streamed ones wait for a slot on their stream. */
  function run(context: GraphContext, valid: ValidatedExecutionArgs): Result {
    const { cost, operation } = context;
    const queued =
      cost > LIMITS.queueCost
        ? () => runQueued(context, valid)
        : () => withinAnswerSize(context, runCheap(context, valid));
    if (operation) {
      operation.admitted();
      return operation.acquireSlot().then(() => runOnce(context, queued));
    }
    return runOnce(context, queued);
  }

  /** Expensive operations pause within lists, and graphql-js waits for that. */
  function runCheap({ size }: GraphContext, valid: ValidatedExecutionArgs): Result {
    const plan = size.isExpensive ? undefined : planOf(valid);
    return plan ? runPlan(plan, valid) : executeRootSelectionSet(valid);
  }

  /**
   * One expensive operation at a time. Whose client went away is not begun, and a read ends in the middle; a
   * mutation that has begun goes on to its last write, so that none is left out without a word.
   */
  async function runQueued(context: GraphContext, valid: ValidatedExecutionArgs): Promise<ExecutionResult> {
    const { http, caller, size, operation } = context;
    const { signal: client } = operation ?? http.request;
    // A mutation may wait for the address of a name: those who only read do not wait with it.
    const queue = http.isRead ? reads : writes;
    const leave = (): void => endAnswer(size, client.reason);
    if (http.isRead) size.stop = new AbortController();
    client.addEventListener("abort", leave);
    try {
      return await queue(
        caller.builderId ?? caller.username,
        async (hasWaited) => {
          if (hasWaited)
            await recheckCaller(context).catch((thrown) => {
              throw toWholeRefusal(thrown);
            });
          const externalAbortSignal = size.stop?.signal;
          return withinAnswerSize(context, await executeRootSelectionSet({ ...valid, externalAbortSignal }));
        },
        client,
      );
    } catch (thrown) {
      if (size.over instanceof TooLong) return tooLongResult(context);
      throw client.aborted ? new WholeRefusal(refusedAs(499, refuse("client_left"))) : thrown;
    } finally {
      client.removeEventListener("abort", leave);
    }
  }
}

/** The mutations of a request with a key are run while no other request holds it. */
function runOnce(context: GraphContext, queued: () => Result): Result {
  const { http, keyed } = context;
  if (http.isRead || !keyed) return queued();
  return runKeyed(context, async () => queued()).catch((thrown) => {
    throw toWholeRefusal(thrown);
  });
}

/** An answer that is as long as it may be; otherwise the refusal of it. */
export function withinAnswerSize(context: GraphContext, result: Result): Result {
  if (result instanceof Promise) return result.then((made) => withinAnswerSize(context, made));
  return context.size.over instanceof TooLong ? tooLongResult(context) : result;
}

function tooLongResult({ http, size }: GraphContext): ExecutionResult {
  return { errors: [tooLong(size.most, http.isRead)] };
}
