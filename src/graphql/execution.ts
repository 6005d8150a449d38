import { type ExecutionResult, executeRootSelectionSet, type ValidatedExecutionArgs } from "graphql";
import { refuse, unauthorized } from "../core/ground/errors.ts";
import type { GraphContext } from "./context.ts";
import { LIMITS, tooLong } from "./limits.ts";
import { asOneRequest } from "./once.ts";
import { asWhole, WholeRefusal } from "./refusal.ts";
import { refusedAs } from "./request.ts";
import { endAnswer, TooLong } from "./size.ts";
import { createTurns } from "./turns.ts";

type Result = ExecutionResult | Promise<ExecutionResult>;

/** Runs queries and mutations that are paid for. */
export function createExecution(): (context: GraphContext, valid: ValidatedExecutionArgs) => Result {
  const [reads, writes] = [createTurns(), createTurns()];
  return run;

  /** What is dear waits for its turn, and what is told on a stream for a place on that. */
  function run(context: GraphContext, valid: ValidatedExecutionArgs): Result {
    const { cost, operation } = context;
    const inTurn =
      cost > LIMITS.turnCost
        ? () => runInTurn(context, valid)
        : () => endedBy(context, executeRootSelectionSet(valid));
    if (operation) {
      operation.admitted();
      return operation.enter().then(() => runOnce(context, inTurn));
    }
    return runOnce(context, inTurn);
  }

  /**
   * One dear operation at a time. Whose client went away is not begun, and a read ends in the middle; a mutation that has begun goes on to
   * its last write, so that none is left out without a word.
   */
  async function runInTurn(context: GraphContext, valid: ValidatedExecutionArgs): Promise<ExecutionResult> {
    const { visit, caller, size, operation } = context;
    const { signal: client } = operation ?? visit.request;
    // A mutation may wait for the address of a name: those who only read do not wait with it.
    const turns = visit.isRead ? reads : writes;
    const leave = (): void => endAnswer(size, client.reason);
    if (visit.isRead) size.stop = new AbortController();
    client.addEventListener("abort", leave);
    try {
      return await turns(
        caller.builderId ?? caller.username,
        async (hasWaited) => {
          if (hasWaited) await lookAgain(context);
          const externalAbortSignal = size.stop?.signal;
          return endedBy(context, await executeRootSelectionSet({ ...valid, externalAbortSignal }));
        },
        client,
      );
    } catch (thrown) {
      if (size.over instanceof TooLong) return cutOff(context);
      throw client.aborted ? new WholeRefusal(refusedAs(499, refuse("client_left"))) : thrown;
    } finally {
      client.removeEventListener("abort", leave);
    }
  }
}

/** The mutations of a request with a key are run while no other request holds it. */
function runOnce(context: GraphContext, inTurn: () => Result): Result {
  const { visit, keyed } = context;
  if (visit.isRead || !keyed) return inTurn();
  return asOneRequest(context, async () => inTurn()).catch((thrown) => {
    throw asWhole(thrown);
  });
}

/** A turn may come as late as it takes to lose every right. Throws unauthorized, as the whole answer. */
async function lookAgain(context: GraphContext): Promise<void> {
  try {
    const now = await context.visit.callerNow();
    if (!now) throw unauthorized();
    context.caller = now;
  } catch (thrown) {
    throw asWhole(thrown);
  }
}

/** An answer that is as long as it may be; otherwise the refusal of it. */
export function endedBy(context: GraphContext, result: Result): Result {
  if (result instanceof Promise) return result.then((made) => endedBy(context, made));
  return context.size.over instanceof TooLong ? cutOff(context) : result;
}

function cutOff({ visit, size }: GraphContext): ExecutionResult {
  return { errors: [tooLong(size.most, visit.isRead)] };
}
