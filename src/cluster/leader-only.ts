import type { Target } from "../http/target.ts";

/*
 * What a follower hands on without looking (docs/contract.md#12.29): what changes something, and what a node
 * keeps in its memory between two requests, which has to meet there again.
 */

const READS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Codes and grants of OAuth, sign-ins with their guesses and challenges, links that count once; and what
 * admins see of the machine that leads.
 */
const OF_THE_LEADER = /^\/(?:v1\/oauth|oauth|sign-in|setup|recover|join|admin)(?:\/|$)/;

const GRAPH = "/graphql";

/** Whether it is the leader's by what it asks for. A query by POST is looked at by `mayChange`. */
export function isLeaderOnly({ method, headers }: Request, target: Target): boolean {
  if (OF_THE_LEADER.test(target.path)) return true;
  if (target.path === GRAPH && isBesideStream(headers, target)) return true;
  return !READS.has(method) && !isQuery(method, target);
}

/** Whether it may be a query that only reads. */
export function isQuery(method: string, { path }: Target): boolean {
  return method === "POST" && path === GRAPH;
}

/** The single connection mode of GraphQL over SSE: its reservation and its operations meet at one node. */
function isBesideStream(headers: Headers, { query }: Target): boolean {
  return headers.has("x-graphql-event-stream-token") || query.includes("token");
}

/**
 * Whether the body of a GraphQL request may hold a mutation: a superset, as nothing is parsed here. The word
 * can be spelled otherwise only by an escape, or where the whole body is in another coding.
 */
export function mayChange(headers: Headers, body: Uint8Array): boolean {
  if (headers.has("content-encoding")) return true;
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return text.includes("mutation") || text.includes("\\u");
}
