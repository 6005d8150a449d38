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
import { unauthorized } from "../core/errors.ts";
import type { Told } from "../core/live/live.ts";
import type { GraphContext } from "./context.ts";
import { createDocuments, untold } from "./documents.ts";
import { type Cost, costOf, LIMITS, refuse } from "./limits.ts";
import type { Listeners } from "./listeners.ts";
import { asOneRequest } from "./once.ts";
import { JSON_TYPE, refusedAs, RESPONSE_TYPE } from "./request.ts";
import type { GraphRules } from "./rules.ts";
import type { StreamEvent } from "./stream.ts";
import { createTurns } from "./turns.ts";

/** One request takes a token of the caller's bucket for each hundred of its cost, at least one (CONTRACT «GraphQL»). */
const COST_OF_A_TOKEN = 100;
const COERCION_ERRORS_MAX = 5;

/**
 * What is ours in Yoga's pipeline, step by step: a document is read within its limits, and may be asked that way at all; it fits
 * the schema; its variables fit; it is paid for; graphql-js runs it. Nothing runs that was refused before.
 */
export function pipeline(
  schema: GraphQLSchema,
  rules: GraphRules,
  listeners: Listeners,
): Plugin<GraphContext> {
  const documents = createDocuments(schema, rules);
  /** Documents are kept, and with them what they cost. */
  const costs = new WeakMap<OperationDefinitionNode, Cost>();
  const [reads, writes] = [createTurns(), createTurns()];

  return {
    onParse({ context, setParseFn }) {
      setParseFn((text: string) => documents.parse(text));
      return ({ result }) => {
        if (!(result instanceof Error)) orRefuse(context, () => admit(context, result as DocumentNode));
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

  /** Which operations may be asked by which method, and answered in which form (GraphQL over HTTP §5, §6). */
  function admit({ visit, takes, operationName }: GraphContext, document: DocumentNode): void {
    const kind = getOperationAST(document, operationName)?.operation;
    if (kind === OperationTypeNode.MUTATION && visit.method === "GET")
      throw refusedAs(405, "Send a mutation with POST; GET only reads.", "POST");
    visit.isRead = kind === OperationTypeNode.QUERY;
    if (kind === OperationTypeNode.SUBSCRIPTION) {
      if (!takes.stream)
        throw refusedAs(406, "A subscription is a stream: ask with `Accept: text/event-stream`.");
    } else if (takes.json === undefined) {
      throw refusedAs(
        406,
        `Accept ${RESPONSE_TYPE} or ${JSON_TYPE}; only a subscription is a stream of events.`,
      );
    }
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
    const counted = costs.get(operation) ?? costOf(schema, document, operation);
    costs.set(operation, counted);
    const cost = counted(variableValues.coerced);
    if (cost > most) {
      return [
        refuse(`This costs ${cost}, and at most ${most} are allowed; ask for shorter pages, or for less.`),
      ];
    }
    context.cost = cost;
    // The first token was taken at the door.
    const rest = Math.max(1, Math.ceil(cost / COST_OF_A_TOKEN)) - 1;
    context.allowance = orRefuse(context, () => context.visit.charge(rest));
    return undefined;
  }

  /** What is dear waits for its turn. The mutations of a request with a key are run while no other request holds it. */
  function run(
    context: GraphContext,
    valid: ValidatedExecutionArgs,
  ): ExecutionResult | Promise<ExecutionResult> {
    const { visit, caller, keyed, cost } = context;
    const execute = () => executeRootSelectionSet(valid);
    const executeLate = () => lookAgain(context).then(execute);
    // A mutation may wait for the address of a name: those who only read do not wait with it.
    const turns = visit.isRead ? reads : writes;
    const inTurn =
      cost > LIMITS.turnCost ? () => turns(caller.builderId ?? caller.username, executeLate) : execute;
    if (visit.isRead || !keyed) return inTurn();
    return asOneRequest(context, async () => inTurn()).catch((thrown) => {
      context.refusal = { thrown };
      throw thrown;
    });
  }

  /** A turn may come as late as it takes to lose every right. Throws unauthorized, as the whole answer. */
  async function lookAgain(context: GraphContext): Promise<void> {
    try {
      const now = await context.visit.callerNow();
      if (!now) throw unauthorized();
      context.caller = now;
    } catch (thrown) {
      context.refusal = { thrown };
      throw thrown;
    }
  }

  async function listen(
    context: GraphContext,
    valid: ValidatedSubscriptionArgs,
  ): Promise<AsyncIterable<StreamEvent>> {
    const ear = orRefuse(context, () => listeners.open(context.visit, () => context));
    context.listening = ear;
    try {
      const source = await createSourceEventStream(valid);
      if (!(Symbol.asyncIterator in source)) throw source.errors?.[0]?.originalError ?? source.errors?.[0];
      return told(context, valid, source as AsyncIterable<Told<unknown>>);
    } catch (thrown) {
      ear.close();
      context.refusal = { thrown };
      throw thrown;
    }
  }
}

/** Each event is an operation of its own, over what was told. */
async function* told(
  { visit }: GraphContext,
  valid: ValidatedSubscriptionArgs,
  source: AsyncIterable<Told<unknown>>,
): AsyncGenerator<StreamEvent> {
  try {
    for await (const event of source) {
      yield {
        id: event.id,
        result: (await executeSubscriptionEvent({ ...valid, rootValue: event })) as ExecutionResult,
      };
    }
  } catch (error) {
    // The stream breaks off, and whoever listens comes back with the last id they have.
    visit.report(error);
  }
}

/** Notes what was thrown as the whole answer. */
function orRefuse<Result>(context: GraphContext, work: () => Result): Result {
  try {
    return work();
  } catch (thrown) {
    context.refusal = { thrown };
    throw thrown;
  }
}
