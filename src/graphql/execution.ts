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
import { toRequestRefusal, RequestRefusal } from "./refusal.ts";
import { createPlans } from "./plan.ts";
import { refusedAs } from "./request.ts";
import { recheckCaller } from "./caller-check.ts";
import { runPlan } from "./plan-runner.ts";
import { endAnswer, TooLong } from "./answer-size.ts";
import { createFairQueue } from "../core/base/fair-queue.ts";

type Result = ExecutionResult | Promise<ExecutionResult>;

/** Creates a function that runs queries and mutations after their cost is charged. */
export function createExecution(
  schema: GraphQLSchema,
): (context: GraphContext, valid: ValidatedExecutionArgs) => Result {
  const [reads, writes] = [createFairQueue(), createFairQueue()];
  const planOf = createPlans(schema);
  return run;

  /**
   * Runs an operation. An operation whose results are sent on a shared stream first waits for a slot on this
   * stream. An expensive operation waits in the queue.
   */
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

  /**
   * Runs a cheap operation, which does not wait in the queue. If the operation has expensive fields,
   * graphql-js runs it, because graphql-js can pause within lists. Other queries are run by their plan
   * (`plan-runner.ts`).
   */
  function runCheap({ size }: GraphContext, valid: ValidatedExecutionArgs): Result {
    const plan = size.isExpensive ? undefined : planOf(valid);
    return plan ? runPlan(plan, valid) : executeRootSelectionSet(valid);
  }

  /**
   * Runs one expensive operation at a time. If the client disconnects while its operation waits, the
   * operation is not started. If the client disconnects while its operation runs, a query stops. A mutation
   * continues to its last write, so that no write is silently skipped.
   */
  async function runQueued(context: GraphContext, valid: ValidatedExecutionArgs): Promise<ExecutionResult> {
    const { http, caller, size, operation } = context;
    const { signal: client } = operation ?? http.request;
    // Mutations have their own queue, because a mutation may wait for a DNS lookup.
    const queue = http.isRead ? reads : writes;
    const end = (): void => endAnswer(size, client.reason);
    if (http.isRead) size.stop = new AbortController();
    client.addEventListener("abort", end);
    try {
      return await queue(
        caller.builderId ?? caller.username,
        async (hasWaited) => {
          if (hasWaited)
            await recheckCaller(context).catch((thrown) => {
              throw toRequestRefusal(thrown);
            });
          const externalAbortSignal = size.stop?.signal;
          return withinAnswerSize(context, await executeRootSelectionSet({ ...valid, externalAbortSignal }));
        },
        client,
      );
    } catch (thrown) {
      if (size.stopReason instanceof TooLong) return tooLongResult(context);
      throw client.aborted ? new RequestRefusal(refusedAs(499, refuse("client_left"))) : thrown;
    } finally {
      client.removeEventListener("abort", end);
    }
  }
}

/**
 * Runs an operation. If the operation has mutations and an Idempotency-Key, they run only while no other
 * request uses this key.
 */
function runOnce(context: GraphContext, queued: () => Result): Result {
  const { http, keyed } = context;
  if (http.isRead || !keyed) return queued();
  return runKeyed(context, async () => queued()).catch((thrown) => {
    throw toRequestRefusal(thrown);
  });
}

/** Replaces a result that exceeds the size limit by a refusal. */
export function withinAnswerSize(context: GraphContext, result: Result): Result {
  if (result instanceof Promise) return result.then((resolved) => withinAnswerSize(context, resolved));
  return context.size.stopReason instanceof TooLong ? tooLongResult(context) : result;
}

function tooLongResult({ http, size }: GraphContext): ExecutionResult {
  return { errors: [tooLong(size.charactersMax, http.isRead)] };
}
