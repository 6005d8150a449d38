import type { GraphQLSchema } from "graphql";
import { createYoga } from "graphql-yoga";
import type { Core } from "../core/base/core.ts";
import { refuse, unauthorized } from "../core/base/errors.ts";
import type { RequestContext } from "../http/context.ts";
import { createBatch } from "./batch.ts";
import type { Listeners } from "../http/listeners.ts";
import type { GraphContext } from "./context.ts";
import { createDocuments } from "./documents.ts";
import { createGraphiql } from "./graphiql.ts";
import { keyedRequest } from "../http/idempotency.ts";
import { pipeline } from "./pipeline.ts";
import { writeResult } from "./result-json.ts";
import { answerText, statusOfErrors, RequestRefusal } from "./refusal.ts";
import { type Accepted, accepted, type GraphRequest, readRequest, refusedAs } from "./request.ts";
import { type GraphRules, hasGraphiql } from "./rules.ts";
import { createSubscriptionCache, NO_LISTENER } from "./subscription-cache.ts";
import {
  createSingleStreams,
  type Outcome,
  reservationResponse,
  streamTokenOf,
  answerOnStream,
} from "./single-connection.ts";
import { createSize } from "./answer-size.ts";
import { frame, POSITION, positionFrame, streamAnswer, type StreamEvent } from "./event-frames.ts";

export interface GraphServer {
  handle(http: RequestContext): Promise<Response>;
}

/**
 * Creates the server that runs operations by the GraphQL over HTTP specification. Yoga parses, validates and
 * runs operations, with our `pipeline` in its hooks. The code of REST reads requests and writes responses.
 * Yoga's own handling of forms, batches, origins and pages is not used
 * (docs/adr/0009-yoga-and-our-limits.md).
 */
export function createGraphServer(
  core: Core,
  schema: GraphQLSchema,
  rules: GraphRules,
  listeners: Listeners,
): GraphServer {
  const documents = createDocuments(schema, rules);
  const singles = createSingleStreams(listeners);
  const graphiql = createGraphiql(core);
  const yoga = createYoga<GraphContext>({
    schema,
    plugins: [pipeline(schema, rules, documents, listeners, createSubscriptionCache(core))],
    // `errors.ts` masks errors and adds the request id.
    maskedErrors: false,
    // `documents.ts` caches both parsed and validated documents, within a size limit.
    parserAndValidationCache: false,
    graphiql: false,
    landingPage: false,
    multipart: false,
    cors: false,
    batching: false,
    logging: false,
  });

  async function handle(http: RequestContext): Promise<Response> {
    const file = http.method === "GET" && hasGraphiql(rules) ? graphiql.file(http) : undefined;
    if (file) {
      http.route = "graphiql";
      return file;
    }
    if (http.path !== "/graphql") throw refuse("graphql_elsewhere");
    if (!["GET", "POST", "PUT", "DELETE"].includes(http.method))
      throw refusedAs(405, refuse("method_for_graphql"), "GET, POST, PUT, DELETE");
    const accepts = accepted(http.request.headers.get("accept"));
    const token = streamTokenOf(http);
    if (http.method === "GET" && token !== undefined && !ASKS.test(http.query)) {
      http.route = "stream";
      return singles.open(http, token);
    }
    if (isForPage(http, accepts)) {
      http.route = "graphiql";
      if (!hasGraphiql(rules)) throw refuse("graphiql_off");
      return graphiql.page(http);
    }
    if (!http.caller) throw unauthorized();
    if (http.method !== "GET" && http.method !== "POST") http.route = "stream";
    if (http.method === "PUT") return reservationResponse(http, singles.reserve(http));
    if (http.method === "DELETE") {
      singles.end(http, token ?? "", new URLSearchParams(http.query).get("operationId") ?? "");
      return new Response(null, { status: 200, headers: http.headers });
    }
    const { text, asked } = await readRequest(http);
    // The caller is authenticated a second time. The client may have sent the body so slowly that the
    // caller's rights have ended in the meantime.
    http.caller = await http.callerNow();
    if (!http.caller) throw unauthorized();
    const keyed = keyedRequest(http, http.caller, "POST /graphql", text);
    const query = documents.textOf(asked);
    const operation =
      token === undefined ? undefined : singles.begin(http, token, asked.extensions?.["operationId"]);
    const operationName = asked.operationName ?? undefined;
    const context = contextOf(http, http.caller, { accepts, operationName, keyed, operation });
    if (operation) return answerOnStream(context, operation, (streamParts) => run(streamParts, asked, query));
    const result = await run(context, asked, query);
    if (result instanceof RequestRefusal) throw result.thrown;
    if (isStream(result)) return streamAnswer(http, sseFrames(context, result), context.listening.close);
    const { json, hasRun } = await writeResult(context, result);
    if (accepts.json === undefined) return streamAnswer(http, singleResultFrames(json), () => {});
    return answerText(http, hasRun ? 200 : statusOfErrors(accepts), accepts, json);
  }

  async function run(
    context: GraphContext,
    { operationName, variables }: GraphRequest,
    query: string,
  ): Promise<Outcome> {
    const params = {
      query,
      ...(operationName == null ? {} : { operationName }),
      variables: variables ?? {},
    };
    const { request } = context.http;
    const result = (await yoga.getResultForParams({ params, request }, context as never)) as
      Outcome | undefined;
    if (result === undefined) throw new Error("Yoga gave no result");
    const [first] = "errors" in result ? (result.errors ?? []) : [];
    return first instanceof RequestRefusal ? first : result;
  }

  function contextOf(
    http: RequestContext,
    caller: GraphContext["caller"],
    asked: Pick<GraphContext, "accepts" | "operationName" | "keyed" | "operation">,
  ): GraphContext {
    const size = createSize(rules.answerMaxBytes);
    return {
      core,
      caller,
      http,
      ...asked,
      batch: createBatch(size),
      size,
      cost: 0,
      allowance: { remaining: 0, resetAt: 0 },
      lastEventId: http.request.headers.get(POSITION) ?? undefined,
      listening: NO_LISTENER,
    };
  }

  return { handle };
}

/** Matches a query string that contains an operation. */
const ASKS = /(?:^|&)(?:query|documentId|extensions)=/;

/** Whether the request comes from a browser and has no operation. Such a request gets the GraphiQL page. */
function isForPage({ method, query }: RequestContext, { page }: Accepted): boolean {
  return method === "GET" && page && !ASKS.test(query);
}

function isStream(result: Outcome): result is AsyncIterable<StreamEvent> {
  return result != null && Symbol.asyncIterator in result;
}

/**
 * Yields the frames of a subscription in the distinct connections mode of GraphQL over SSE. A stream that
 * ends without a `complete` frame was interrupted.
 */
async function* sseFrames(
  context: GraphContext,
  events: AsyncIterable<StreamEvent>,
): AsyncGenerator<string | Uint8Array> {
  yield positionFrame(context.http);
  for await (const { id, json } of events) yield frame("next", [json], id);
  if (context.listening.isOver()) yield frame("complete");
}

/** Yields the frames of a query or mutation, for clients that accept only event streams. */
async function* singleResultFrames(json: string | Uint8Array): AsyncGenerator<string | Uint8Array> {
  yield frame("next", [json]);
  yield frame("complete");
}
