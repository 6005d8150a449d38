import type { Core } from "../core/base/core.ts";
import { CoreError, refuse } from "../core/base/errors.ts";
import type { RequestContext } from "../http/context.ts";
import type { Transport } from "../http/transport.ts";
import { takeoversOf } from "../core/base/db/leadership.ts";
import { isAtLeast, type Version } from "./version.ts";
import { ANSWER_HEADER, newNode, type Node, NODE_HEADER, signAnswer } from "./node.ts";
import type { ForwardVerifier } from "./signature.ts";

/** What a node does when another one asks it. */
export interface NodeAnswers {
  thisNode(): Node;
  /** Another node has heard of this epoch. */
  heard(epoch: number): void;
  /**
   * Gives up for whoever leads by this epoch; resolves once nothing more can be written, and that is on disk.
   */
  fence(epoch: number): Promise<void>;
}

/** What a follower says of itself, with what it knows of whom it follows: of each core that it reads from. */
export function followerAmong({
  url,
  seen,
  heard,
}: {
  url: string;
  /** The latest version that the leader said it has. */
  seen(): Version | undefined;
  heard(): number;
}): (core: Core) => NodeAnswers {
  let told = 0;
  let node: string | undefined;
  const hear = (epoch: number): void => void (told = Math.max(told, epoch));
  return (core) => ({
    heard: hear,
    // It leads nobody: that somebody else does is all that there is to know.
    fence: async (epoch) => hear(epoch),
    thisNode() {
      const { line, epoch, commits } = core.db.position();
      const own = { epoch, commits };
      const last = seen();
      return {
        node: (node ??= newNode(core)),
        role: "follower",
        line,
        ...own,
        heard: Math.max(epoch, heard(), told),
        seen: last && isAtLeast(last, own) ? last : own,
        takeovers: takeoversOf(core),
        url,
      };
    },
  });
}

const PREFIX = "/cluster";
const FENCE = `${PREFIX}/fence`;

/**
 * `GET /cluster` tells what this node is, `POST /cluster/fence?epoch=N` has it give up for a later leader.
 * For nodes of this community alone: to anybody else there is nothing here (docs/threats.md#M39).
 */
export function nodesTransport(core: Core, believer: ForwardVerifier, answering: NodeAnswers): Transport {
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

function believedOf(believer: ForwardVerifier, context: RequestContext, header: string | null) {
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
