import type { ExecutionResult, GraphQLError, GraphQLSchema } from "graphql";
import { createYoga } from "graphql-yoga";
import type { Core } from "../core/core.ts";
import { notFound, unauthorized } from "../core/errors.ts";
import type { Visit } from "../http/visit.ts";
import { createBatch } from "./batch.ts";
import type { GraphContext, Listening } from "./context.ts";
import { documentText } from "./documents.ts";
import { presentErrors, presentRequestErrors } from "./errors.ts";
import { graphiqlPage } from "./graphiql.ts";
import { createListeners } from "./listeners.ts";
import { keyedRequest } from "./once.ts";
import { pipeline } from "./pipeline.ts";
import { answer } from "./refusal.ts";
import { type Accepted, accepted, JSON_TYPE, readRequest, refusedAs } from "./request.ts";
import { type GraphRules, hasGraphiql } from "./rules.ts";
import { streamBody, type StreamEvent } from "./stream.ts";

/** What stands behind the door. */
export interface GraphServer {
  handle(visit: Visit): Promise<Response>;
  stop(): void;
}

/** Of a caller who has no stream open. */
const MUTE: Listening = { changed: async () => false, isOver: () => false, close: () => {} };

/**
 * Runs operations by the GraphQL-over-HTTP specification. Yoga leads each through reading, validating and running, with our
 * `pipeline` in its hooks; the bytes are read by the same reader as REST's and answered with the same headers, so what Yoga would do with forms,
 * batches, foreign origins and pages of its own never comes into it (PITFALLS P47, P48, P50).
 */
export function createGraphServer(core: Core, schema: GraphQLSchema, rules: GraphRules): GraphServer {
  const listeners = createListeners(core);
  const yoga = createYoga<GraphContext>({
    schema,
    plugins: [pipeline(schema, rules, listeners)],
    // What is masked is decided where errors are presented, with the request's id.
    maskedErrors: false,
    // `documents.ts` keeps both, for as long as the limits allow.
    parserAndValidationCache: false,
    graphiql: false,
    landingPage: false,
    multipart: false,
    cors: false,
    batching: false,
    logging: false,
  });

  async function handle(visit: Visit): Promise<Response> {
    if (visit.path !== "/graphql") throw notFound("GraphQL is asked at /graphql.");
    if (visit.method !== "GET" && visit.method !== "POST")
      throw refusedAs(405, "GraphQL is asked with POST, or with GET for queries.", "GET, POST");
    const takes = accepted(visit.request.headers.get("accept"));
    if (isForPage(visit, takes)) {
      if (!hasGraphiql(rules)) throw notFound("This server has no page for GraphQL.");
      return graphiqlPage(visit);
    }
    if (!visit.caller) throw unauthorized();
    const { text, asked } = await readRequest(visit);
    // A body may have been held back for as long as it takes to lose every right.
    visit.caller = await visit.callerNow();
    if (!visit.caller) throw unauthorized();
    const context = contextOf(visit, visit.caller, takes, asked.operationName ?? undefined);
    context.keyed = keyedRequest(visit, visit.caller, text);
    const params = {
      query: documentText(asked, rules),
      ...(asked.operationName == null ? {} : { operationName: asked.operationName }),
      variables: asked.variables ?? {},
    };
    const result = await yoga.getResultForParams({ params, request: visit.request }, context as never);
    if (context.refusal) throw context.refusal.thrown;
    if (result === undefined) throw new Error("Yoga gave no result");
    if (Symbol.asyncIterator in result)
      return stream(context, result as unknown as AsyncIterable<StreamEvent>);
    return present(visit, takes, result as ExecutionResult);
  }

  function contextOf(
    visit: Visit,
    caller: GraphContext["caller"],
    takes: Accepted,
    operationName: string | undefined,
  ): GraphContext {
    return {
      core,
      caller,
      visit,
      takes,
      operationName,
      batch: createBatch(),
      cost: 0,
      allowance: { remaining: 0, resetAt: 0 },
      keyed: undefined,
      lastEventId: visit.request.headers.get("last-event-id") ?? undefined,
      listening: MUTE,
      refusal: undefined,
    };
  }

  return { handle, stop: listeners.stop };
}

/** A browser that asks for nothing wants the console. */
function isForPage({ method, query }: Visit, { page }: Accepted): boolean {
  return method === "GET" && page && !/(?:^|&)(?:query|documentId|extensions)=/.test(query);
}

/** Without data nothing ran: the newer type tells it by its status too, the older one always says 200 (GraphQL over HTTP §6.4). */
function present(visit: Visit, takes: Accepted, result: ExecutionResult): Response {
  if (!("data" in result)) {
    const status = takes.json === JSON_TYPE ? 200 : 400;
    return answer(visit, status, takes, { errors: presentRequestErrors(result.errors ?? [], visit) });
  }
  return answer(visit, 200, takes, result.errors ? presented(result, visit) : result);
}

function presented({ data, errors = [] }: ExecutionResult, visit: Visit): ExecutionResult {
  return { errors: presentErrors(errors, visit) as unknown as readonly GraphQLError[], data: data ?? null };
}

function stream(context: GraphContext, events: AsyncIterable<StreamEvent>): Response {
  const { visit, listening } = context;
  const shown = (async function* show() {
    for await (const { id, result } of events)
      yield { id, result: result.errors ? presented(result, visit) : result };
  })();
  const body = streamBody(shown, { isComplete: listening.isOver, close: listening.close });
  return new Response(body as unknown as ReadableStream, {
    headers: { ...visit.headers, "content-type": "text/event-stream; charset=utf-8" },
  });
}
