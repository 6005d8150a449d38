import type { Core } from "../core/base/core.ts";
import { CoreError, refuse } from "../core/base/errors.ts";
import type { RequestContext } from "../http/context.ts";
import type { Transport } from "../http/transport.ts";
import { takeoversOf } from "../core/base/db/leadership.ts";
import { isAtLeast, type Version } from "./version.ts";
import { ANSWER_HEADER, newNode, type Node, NODE_HEADER, signAnswer } from "./node.ts";
import type { ForwardVerifier } from "./signature.ts";

/** How a node answers other nodes. */
export interface NodeAnswers {
  thisNode(): Node;
  /** Called when another node knows this epoch. */
  onEpoch(epoch: number): void;
  /**
   * Gives up the lead to the leader of this epoch. Resolves when writes are refused and the fence is on disk.
   */
  fence(epoch: number): Promise<void>;
}

/**
 * Returns a function that a follower calls for each core it reads from. The function creates the follower's
 * answers, which include what the follower knows about its leader.
 */
export function followerAmong({
  url,
  leaderVersion,
  heard,
}: {
  url: string;
  /** Latest version that the leader reported. */
  leaderVersion(): Version | undefined;
  heard(): number;
}): (core: Core) => NodeAnswers {
  let latestEpoch = 0;
  let node: string | undefined;
  const noteEpoch = (epoch: number): void => void (latestEpoch = Math.max(latestEpoch, epoch));
  return (core) => ({
    onEpoch: noteEpoch,
    // A follower does not lead, so it only records the epoch.
    fence: async (epoch) => noteEpoch(epoch),
    thisNode() {
      const { line, epoch, commits } = core.db.position();
      const own = { epoch, commits };
      const last = leaderVersion();
      return {
        node: (node ??= newNode(core)),
        role: "follower",
        line,
        ...own,
        heard: Math.max(epoch, heard(), latestEpoch),
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
 * `GET /cluster` describes this node. `POST /cluster/fence?epoch=N` makes this node give up the lead to a
 * later leader. Only nodes of this community get an answer. Other clients get `nothing_here`
 * (docs/threats.md#M39).
 */
export function nodesTransport(core: Core, believer: ForwardVerifier, answering: NodeAnswers): Transport {
  return {
    prefix: PREFIX,
    transportName: "ops",
    isCounted: false,
    // Nodes answer each other in maintenance mode too.
    mayChange: () => false,
    async handle(context) {
      const header = context.request.headers.get(NODE_HEADER);
      const { epoch: senderEpoch } = verifiedRequest(believer, context, header);
      context.route = context.path;
      const epoch = context.path === FENCE ? epochIn(context.query) : undefined;
      answering.onEpoch(senderEpoch);
      if (epoch !== undefined) await answering.fence(epoch);
      return answer(context, core, header ?? "", answering.thisNode());
    },
  };
}

function verifiedRequest(believer: ForwardVerifier, context: RequestContext, header: string | null) {
  const { method, path, query } = context;
  const isKnown = method === (path === FENCE ? "POST" : "GET") && (path === FENCE || path === PREFIX);
  if (header === null || !isKnown) throw refuse("nothing_here");
  try {
    return believer.verify(header, method, query === "" ? path : `${path}?${query}`);
  } catch (error) {
    // A node whose clock is wrong gets the original error. A client that is not a node gets the same answer
    // as for an unknown path.
    throw error instanceof CoreError && error.code === "handed_unsigned" ? refuse("nothing_here") : error;
  }
}

function epochIn(query: string): number {
  const [, epoch] = /^epoch=([1-9]\d{0,8})$/.exec(query) ?? [];
  if (epoch === undefined) throw refuse("nothing_here");
  return Number(epoch);
}

function answer(context: RequestContext, core: Core, nonce: string, thisNode: Node): Response {
  const body = JSON.stringify(thisNode);
  context.answerBytes = Buffer.byteLength(body);
  return new Response(body, {
    headers: {
      ...context.headers,
      "content-type": "application/json",
      "cache-control": "no-store",
      [ANSWER_HEADER]: signAnswer(core, nonce, body),
    },
  });
}
