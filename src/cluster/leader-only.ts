import type { Target } from "../http/target.ts";

/*
 * Finds requests that a follower forwards without trying to answer (docs/contract.md#12.29). These are
 * requests that write, and requests that need state in the leader's memory from an earlier request.
 */

const READ_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Paths that only the leader answers. Most need state in the leader's memory: OAuth codes and grants,
 * sign-ins with their attempt counts and challenges, single-use links. Admin pages describe the leader's
 * machine.
 */
const OF_THE_LEADER = /^\/(?:v1\/oauth|oauth|sign-in|setup|recover|join|admin)(?:\/|$)/;

const GRAPHQL_PATH = "/graphql";

/**
 * Whether the method, path or headers show that only the leader can answer. For a query by POST, `mayChange`
 * checks the body.
 */
export function isLeaderOnly({ method, headers }: Request, target: Target): boolean {
  if (OF_THE_LEADER.test(target.path)) return true;
  if (target.path === GRAPHQL_PATH && isStreamControl(headers, target)) return true;
  return !READ_METHODS.has(method) && !isQuery(method, target);
}

/** Whether the request is a GraphQL POST. Such a request may be a query that only reads. */
export function isQuery(method: string, { path }: Target): boolean {
  return method === "POST" && path === GRAPHQL_PATH;
}

/**
 * Whether the request uses the single connection mode of GraphQL over SSE. The reservation and the operations
 * of such a connection must reach the same node.
 */
function isStreamControl(headers: Headers, { query }: Target): boolean {
  return headers.has("x-graphql-event-stream-token") || query.includes("token");
}

/**
 * Whether the body of a GraphQL request may contain a mutation. Searches for the word “mutation” without
 * parsing, so there are false positives. A `\u` escape or a content encoding could hide the word. A body with
 * one of these also counts, so there are no false negatives.
 */
export function mayChange(headers: Headers, body: Uint8Array): boolean {
  if (headers.has("content-encoding")) return true;
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return text.includes("mutation") || text.includes("\\u");
}
