import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  executeRootSelectionSet,
  executeSubscriptionEvent,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  OperationTypeNode,
  validateExecutionArgs,
  type ValidatedExecutionArgs,
  type ValidatedSubscriptionArgs,
  validateSubscriptionArgs,
} from "graphql";
import type { Plugin } from "graphql-yoga";
import { CoreError, refuse, unauthorized } from "../core/ground/errors.ts";
import type { Told } from "../core/across/live/live.ts";
import { createBatch } from "./batch.ts";
import type { GraphContext } from "./context.ts";
import { type Documents, untold } from "./documents.ts";
import { asksForWork, type Cost, costOf, LIMITS, tooDear, tooLong } from "./limits.ts";
import type { Listeners } from "../http/listeners.ts";
import { asOneRequest } from "./once.ts";
import { asWhole, WholeRefusal, wholly } from "./refusal.ts";
import { JSON_TYPE, refusedAs, RESPONSE_TYPE } from "./request.ts";
import type { GraphRules } from "./rules.ts";
import { createSize, endAnswer, TooLong } from "./size.ts";
import type { StreamEvent } from "./stream.ts";
import { createTurns } from "./turns.ts";

/**
 * One request takes a token of the caller's bucket for each hundred of its cost, at least one
 * (docs/contract.md#8.13).
 */
const COST_OF_A_TOKEN = 100;
const COERCION_ERRORS_MAX = 5;

/**
 * What is ours in Yoga's pipeline, step by step: a document is read within its limits, and may be asked that way at all; it fits
 * the schema; its variables fit; it is paid for; graphql-js runs it. Nothing runs that was refused before.
 */
export function pipeline(
  schema: GraphQLSchema,
  rules: GraphRules,
  documents: Documents,
  listeners: Listeners,
): Plugin<GraphContext> {
  /** Documents are kept, and with them what they cost. */
  const costs = new WeakMap<OperationDefinitionNode, { of: Cost; isWork: boolean }>();
  const [reads, writes] = [createTurns(), createTurns()];

  return {
    onParse({ context, setParseFn }) {
      setParseFn((text: string) => documents.parse(text));
      return ({ result }) => {
        if (!(result instanceof Error)) wholly(() => admit(context, result as DocumentNode));
      };
    },
    onValidate({ params, setValidationFn }) {
      setValidationFn(() => documents.validate(params.documentAST));
    },
    onExecute({ args, context, setExecuteFn, setResultAndStopExecution }) {
      const valid = validateExecutionArgs(withRules(args));
      const errors = "operation" in valid ? pay(context, valid, LIMITS.cost) : tellable(valid);
      if (errors) setResultAndStopExecution({ errors });
      else setExecuteFn(() => run(context, valid as ValidatedExecutionArgs));
    },
    onSubscribe({ args, context, setSubscribeFn, setResultAndStopExecution }) {
      const valid = validateSubscriptionArgs(withRules(args));
      const errors = "operation" in valid ? pay(context, valid, LIMITS.subscriptionCost) : tellable(valid);
      if (errors) setResultAndStopExecution({ errors });
      else setSubscribeFn(() => listen(context, valid as ValidatedSubscriptionArgs));
    },
  };

  /**
   * Which operations may be asked by which method, and answered in which form (GraphQL over HTTP §5, §6). Who takes nothing but events is
   * told whatever it is as events (GraphQL over SSE).
   */
  function admit({ visit, takes, operationName, operation }: GraphContext, document: DocumentNode): void {
    const kind = getOperationAST(document, operationName)?.operation;
    if (kind === OperationTypeNode.MUTATION && visit.method === "GET")
      throw refusedAs(405, refuse("mutation_by_get"), "POST");
    visit.isRead = kind === OperationTypeNode.QUERY;
    if (operation || takes.stream) return;
    if (kind === OperationTypeNode.SUBSCRIPTION) throw refusedAs(406, refuse("subscription_is_stream"));
    if (takes.json === undefined)
      throw refusedAs(406, refuse("answer_type_unknown", { types: [RESPONSE_TYPE, JSON_TYPE] }));
  }

  function withRules(args: ExecutionArgs): ExecutionArgs {
    return {
      ...args,
      hideSuggestions: !rules.introspection,
      options: { maxCoercionErrors: COERCION_ERRORS_MAX },
    };
  }

  /** Variables that do not fit are refused by the names of what they should be. */
  function tellable(errors: readonly GraphQLError[]): readonly GraphQLError[] {
    return rules.introspection ? errors : [untold(errors)];
  }

  /** Counts what the operation costs and takes it from the caller's bucket. Throws rate_limited; gives the refusal of what is too dear. */
  function pay(
    context: GraphContext,
    { document, operation, variableValues }: ValidatedExecutionArgs | ValidatedSubscriptionArgs,
    most: number,
  ): readonly GraphQLError[] | undefined {
    const counted = costs.get(operation) ?? {
      of: costOf(schema, document, operation),
      isWork: asksForWork(document),
    };
    costs.set(operation, counted);
    const cost = counted.of(variableValues.coerced);
    if (cost > most) {
      return [tooDear(cost, most)];
    }
    context.cost = cost;
    context.size.isDear = cost > LIMITS.turnCost || counted.isWork;
    // The first token was taken at the door.
    const rest = Math.max(1, Math.ceil(cost / COST_OF_A_TOKEN)) - 1;
    context.allowance = wholly(() => context.visit.charge(rest));
    return undefined;
  }

  /** What is dear waits for its turn, and what is told on a stream for a place on that. */
  function run(
    context: GraphContext,
    valid: ValidatedExecutionArgs,
  ): ExecutionResult | Promise<ExecutionResult> {
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

  /** The mutations of a request with a key are run while no other request holds it. */
  function runOnce(
    context: GraphContext,
    inTurn: () => ExecutionResult | Promise<ExecutionResult>,
  ): ExecutionResult | Promise<ExecutionResult> {
    const { visit, keyed } = context;
    if (visit.isRead || !keyed) return inTurn();
    return asOneRequest(context, async () => inTurn()).catch((thrown) => {
      throw asWhole(thrown);
    });
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

  async function listen(
    context: GraphContext,
    valid: ValidatedSubscriptionArgs,
  ): Promise<AsyncIterable<StreamEvent> | ExecutionResult> {
    const { visit, takes, operation } = context;
    const tell = (now: GraphContext["caller"]): void => void (context.caller = now);
    const ear = wholly(() => (operation ? listeners.join(visit, tell) : listeners.open(visit, tell)));
    context.listening = ear;
    try {
      const source = await createSourceEventStream(valid);
      if (Symbol.asyncIterator in source) {
        operation?.admitted();
        return told(context, valid, source as AsyncIterable<Told<unknown>>);
      }
      const [error] = source.errors ?? [];
      const thrown = error?.originalError;
      // A refusal by the field is told as an event to who takes nothing else.
      if (error && thrown instanceof CoreError && (operation || takes.json === undefined)) {
        ear.close();
        return { errors: [error] };
      }
      throw thrown ?? error;
    } catch (thrown) {
      ear.close();
      throw asWhole(thrown);
    }
  }
}

/** An answer that is as long as it may be; otherwise the refusal of it. */
function endedBy(
  context: GraphContext,
  result: ExecutionResult | Promise<ExecutionResult>,
): ExecutionResult | Promise<ExecutionResult> {
  if (result instanceof Promise) return result.then((made) => endedBy(context, made));
  return context.size.over instanceof TooLong ? cutOff(context) : result;
}

function cutOff({ visit, size }: GraphContext): ExecutionResult {
  return { errors: [tooLong(size.most, visit.isRead)] };
}

/** Each event is an operation of its own, over what was told. */
async function* told(
  context: GraphContext,
  valid: ValidatedSubscriptionArgs,
  source: AsyncIterable<Told<unknown>>,
): AsyncGenerator<StreamEvent> {
  try {
    for await (const event of source) {
      await context.operation?.enter();
      const size = { ...createSize(context.size.most), isDear: context.size.isDear };
      const contextValue = { ...context, size, batch: createBatch(size) };
      const made = executeSubscriptionEvent({ ...valid, rootValue: event, contextValue });
      yield { id: event.id, size, result: await endedBy(contextValue, made as ExecutionResult) };
      context.operation?.leave();
    }
  } catch (error) {
    // The stream breaks off, and whoever listens comes back with the last id they have.
    context.visit.report(error);
  }
}
