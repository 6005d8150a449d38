import type { Core } from "../core/ground/core.ts";
import { CoreError, refuse } from "../core/ground/errors.ts";
import type { RequestContext } from "../http/context.ts";
import type { Transport } from "../http/transport.ts";
import { ANSWER_HEADER, type Node, NODE_HEADER, signAnswer } from "./node.ts";
import type { Believer } from "./signature.ts";

/** What a node does when another one asks it. */
export interface Answering {
  thisNode(): Node;
  /** Another node has heard of this epoch. */
  heard(epoch: number): void;
  /** Gives up for whoever leads by this epoch; resolves once nothing more can be written, and that is on disk. */
  fence(epoch: number): Promise<void>;
}

const PREFIX = "/cluster";
const FENCE = `${PREFIX}/fence`;

/**
 * `GET /cluster` tells what this node is, `POST /cluster/fence?epoch=N` has it give up for a later leader. For nodes of
 * this community alone: to anybody else there is nothing here (docs/threats.md#M39).
 */
export function nodesTransport(core: Core, believer: Believer, answering: Answering): Transport {
  return {
    prefix: PREFIX,
    way: "ops",
    isCounted: false,
    // It is asked in maintenance, too.
    changes: () => false,
    async handle(context) {
      const header = context.request.headers.get(NODE_HEADER);
      const { epoch: told } = believedOf(believer, context, header);
      context.route = context.path;
      const epoch = context.path === FENCE ? epochIn(context.query) : undefined;
      answering.heard(told);
      if (epoch !== undefined) await answering.fence(epoch);
      return answer(context, core, header ?? "", answering.thisNode());
    },
  };
}

function believedOf(believer: Believer, context: RequestContext, header: string | null) {
  const { method, path, query } = context;
  const isKnown = method === (path === FENCE ? "POST" : "GET") && (path === FENCE || path === PREFIX);
  if (header === null || !isKnown) throw refuse("nothing_here");
  try {
    return believer.believe(header, method, query === "" ? path : `${path}?${query}`);
  } catch (error) {
    // A node whose clock is wrong is told; nobody else learns that there is anything.
    throw error instanceof CoreError && error.code === "handed_unsigned" ? refuse("nothing_here") : error;
  }
}

function epochIn(query: string): number {
  const [, epoch] = /^epoch=([1-9]\d{0,8})$/.exec(query) ?? [];
  if (epoch === undefined) throw refuse("nothing_here");
  return Number(epoch);
}

function answer(context: RequestContext, core: Core, asked: string, thisNode: Node): Response {
  const body = JSON.stringify(thisNode);
  context.answerBytes = Buffer.byteLength(body);
  return new Response(body, {
    headers: {
      ...context.headers,
      "content-type": "application/json",
      "cache-control": "no-store",
      [ANSWER_HEADER]: signAnswer(core, asked, body),
    },
  });
}
