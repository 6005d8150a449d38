import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  executeRootSelectionSet,
  executeSubscriptionEvent,
  getOperationAST,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  OperationTypeNode,
  validateExecutionArgs,
  type ValidatedExecutionArgs,
  type ValidatedSubscriptionArgs,
  validateSubscriptionArgs,
} from "graphql";
import type { Core } from "../core/core.ts";
import { notFound, unauthorized } from "../core/errors.ts";
import type { Told } from "../core/live/live.ts";
import type { Visit } from "../http/visit.ts";
import { createBatch } from "./batch.ts";
import type { GraphContext, Listening } from "./context.ts";
import { createDocuments, type GraphRules, untold } from "./documents.ts";
import { presentErrors, presentRequestErrors } from "./errors.ts";
import { graphiqlPage } from "./graphiql.ts";
import { type Cost, costOf, LIMITS, refuse } from "./limits.ts";
import { createListeners } from "./listeners.ts";
import { answer } from "./refusal.ts";
import { type Accepted, accepted, JSON_TYPE, readRequest, refusedAs, RESPONSE_TYPE } from "./request.ts";
import { streamBody, type StreamEvent } from "./stream.ts";

/** One request takes a token of the caller's bucket for each hundred of its cost, at least one (CONTRACT «GraphQL»). */
const COST_OF_A_TOKEN = 100;
const COERCION_ERRORS_MAX = 5;

/** What stands behind the door. */
export interface GraphServer {
  handle(visit: Visit): Promise<Response>;
  stop(): void;
}

/** Runs operations by the GraphQL-over-HTTP specification. graphql-js executes them; what stands between it and the socket is this. */
export function createGraphServer(core: Core, schema: GraphQLSchema, rules: GraphRules): GraphServer {
  const documents = createDocuments(schema, rules);
  const listeners = createListeners(core);
  /** Documents are kept, and with them what they cost. */
  const costs = new WeakMap<OperationDefinitionNode, Cost>();
  const mute: Listening = { changed: async () => false };

  async function handle(visit: Visit): Promise<Response> {
    if (visit.path !== "/graphql") throw notFound("GraphQL is asked at /graphql.");
    if (visit.method !== "GET" && visit.method !== "POST")
      throw refusedAs(405, "GraphQL is asked with POST, or with GET for queries.", "GET, POST");
    const takes = accepted(visit.request.headers.get("accept"));
    if (
      visit.method === "GET" &&
      takes.page &&
      !/(?:^|&)(?:query|documentId|extensions)=/.test(visit.query)
    ) {
      if (!rules.introspection) throw notFound("This server has no page for GraphQL.");
      return graphiqlPage(visit);
    }
    if (!visit.caller) throw unauthorized();
    const request = await readRequest(visit);
    const checked = documents(request);
    if (checked.errors) return refuseRequest(visit, takes, checked.errors);
    const { document } = checked;
    const kind = getOperationAST(document, request.operationName)?.operation;
    if (kind !== OperationTypeNode.QUERY && kind !== undefined && visit.method === "GET" && !isStream(kind))
      throw refusedAs(405, "Send a mutation with POST; GET only reads.", "POST");
    visit.isRead = kind === OperationTypeNode.QUERY;
    const context = contextOf(visit);
    const args: ExecutionArgs = {
      schema,
      document,
      operationName: request.operationName ?? null,
      variableValues: request.variables ?? {},
      contextValue: context,
      hideSuggestions: !rules.introspection,
      options: { maxCoercionErrors: COERCION_ERRORS_MAX },
    };
    return isStream(kind) ? subscribe(visit, takes, context, args) : run(visit, takes, context, args);
  }

  function contextOf(visit: Visit): GraphContext {
    return {
      core,
      caller: visit.caller as NonNullable<Visit["caller"]>,
      batch: createBatch(),
      cost: 0,
      allowance: { remaining: 0, resetAt: 0 },
      lastEventId: visit.request.headers.get("last-event-id") ?? undefined,
      listening: mute,
    };
  }

  async function run(
    visit: Visit,
    takes: Accepted,
    context: GraphContext,
    args: ExecutionArgs,
  ): Promise<Response> {
    if (takes.json === undefined)
      throw refusedAs(
        406,
        `Accept ${RESPONSE_TYPE} or ${JSON_TYPE}; only a subscription is a stream of events.`,
      );
    const valid = validateExecutionArgs(args);
    if (!("operation" in valid)) return refuseRequest(visit, takes, tellable(valid));
    const refusal = charge(visit, context, valid, LIMITS.cost);
    if (refusal) return refuseRequest(visit, takes, [refusal]);
    const result = await executeRootSelectionSet(valid);
    return answer(visit, 200, takes, result.errors ? presented(result, visit) : result);
  }

  async function subscribe(
    visit: Visit,
    takes: Accepted,
    context: GraphContext,
    args: ExecutionArgs,
  ): Promise<Response> {
    if (!takes.stream)
      throw refusedAs(406, "A subscription is a stream: ask with `Accept: text/event-stream`.");
    const valid = validateSubscriptionArgs(args);
    if (!("operation" in valid)) return refuseRequest(visit, takes, tellable(valid));
    const refusal = charge(visit, context, valid, LIMITS.subscriptionCost);
    if (refusal) return refuseRequest(visit, takes, [refusal]);
    const ear = listeners.open(visit, () => context);
    context.listening = ear;
    try {
      const source = await createSourceEventStream(valid);
      if (!(Symbol.asyncIterator in source)) throw source.errors?.[0]?.originalError ?? source.errors?.[0];
      const events = told(visit, valid, source as AsyncIterable<Told<unknown>>);
      const body = streamBody(events, { isComplete: ear.isOver, close: ear.close });
      return new Response(body as unknown as ReadableStream, {
        headers: { ...visit.headers, "content-type": "text/event-stream; charset=utf-8" },
      });
    } catch (error) {
      ear.close();
      throw error;
    }
  }

  /** Variables that do not fit are refused by the names of what they should be. */
  function tellable(errors: readonly GraphQLError[]): readonly GraphQLError[] {
    return rules.introspection ? errors : [untold(errors)];
  }

  /** Each event is an operation of its own, over what was told. */
  async function* told(
    visit: Visit,
    valid: ValidatedSubscriptionArgs,
    source: AsyncIterable<Told<unknown>>,
  ): AsyncGenerator<StreamEvent> {
    for await (const event of source) {
      const result = await executeSubscriptionEvent({ ...valid, rootValue: event });
      yield { id: event.id, result: result.errors ? presented(result, visit) : result };
    }
  }

  function counted(document: DocumentNode, operation: OperationDefinitionNode): Cost {
    const cost = costs.get(operation) ?? costOf(schema, document, operation);
    costs.set(operation, cost);
    return cost;
  }

  /** Counts what the operation costs and takes it from the caller's bucket. Throws rate_limited; gives the refusal of what is too dear. */
  function charge(
    visit: Visit,
    context: GraphContext,
    { document, operation, variableValues }: ValidatedExecutionArgs | ValidatedSubscriptionArgs,
    most: number,
  ): GraphQLError | undefined {
    const cost = counted(document, operation)(variableValues.coerced);
    if (cost > most)
      return refuse(
        `This costs ${cost}, and at most ${most} are allowed; ask for shorter pages, or for less.`,
      );
    context.cost = cost;
    // The first token was taken at the door.
    context.allowance = visit.charge(Math.max(1, Math.ceil(cost / COST_OF_A_TOKEN)) - 1);
    return undefined;
  }

  return { handle, stop: listeners.stop };
}

function isStream(kind: OperationTypeNode | undefined): boolean {
  return kind === OperationTypeNode.SUBSCRIPTION;
}

function presented({ data, errors = [] }: ExecutionResult, visit: Visit): ExecutionResult {
  return { errors: presentErrors(errors, visit) as unknown as readonly GraphQLError[], data: data ?? null };
}

/** Before anything ran: the newer type tells it by its status too, the older one always says 200 (GraphQL over HTTP §6.4). */
function refuseRequest(visit: Visit, takes: Accepted, errors: readonly GraphQLError[]): Response {
  const status = takes.json === JSON_TYPE ? 200 : 400;
  return answer(visit, status, takes, { errors: presentRequestErrors(errors, visit) });
}
