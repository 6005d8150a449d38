import { SECOND } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { ANSWER_HEADER, isAnswerOf, type Node, NODE_HEADER, readNode } from "./node.ts";
import { signForward } from "./signature.ts";

/**
 * Parts of a core that are needed to ask other nodes. Commands such as `guildhall promote` have only these
 * parts.
 */
export type PeerKeys = Pick<Core, "secrets" | "clock" | "random">;

/**
 * Reason why a node returned no valid answer. `isUnreachable`: the node's machine refused the connection, so
 * no program listens there.
 */
export interface NoAnswer {
  isUnreachable: boolean;
  reason: string;
}

export interface PeerAnswer {
  /** URL as the caller passed it. */
  url: string;
  answer: Node | NoAnswer;
}

/**
 * Timeouts after which a node counts as silent, in ms.
 * - `first`: for a node that starts to lead or resumes after a pause. By then, another leader's last check is
 *   no longer valid (`CHECK_VALID_MS`).
 * - `usual`: for the check that repeats every second.
 */
export const ANSWER_MS = { first: 2 * SECOND, usual: SECOND } as const;
const BODY_MAX = 16 * 1024;
/**
 * Option of `fetch` that ignores the proxies of the environment. Only `false` does this, and Bun's types do
 * not allow `false`.
 */
const NO_PROXY = false as unknown as string;

export function isNode(answer: Node | NoAnswer): answer is Node {
  return "role" in answer;
}

/**
 * Asks another node to describe itself. `epoch` is the latest epoch that this node knows, so the other node
 * learns that epoch.
 */
export function askNode(
  asker: PeerKeys,
  url: string,
  epoch: number,
  withinMs: number = ANSWER_MS.first,
): Promise<PeerAnswer> {
  return ask(asker, url, "GET", "/cluster", epoch, withinMs);
}

/**
 * Makes another node give up the lead to the leader of `epoch`. The returned answer describes that node after
 * it gave up the lead.
 */
export function fenceNode(asker: PeerKeys, url: string, epoch: number): Promise<PeerAnswer> {
  return ask(asker, url, "POST", `/cluster/fence?epoch=${epoch}`, epoch, ANSWER_MS.first);
}

async function ask(
  asker: PeerKeys,
  url: string,
  method: "GET" | "POST",
  target: string,
  epoch: number,
  withinMs: number,
): Promise<PeerAnswer> {
  const asked = signForward(asker, { method, target, address: "", epoch });
  const silent = (reason: string, isUnreachable = false): PeerAnswer => ({
    url,
    answer: { isUnreachable, reason },
  });
  try {
    const answer = await fetch(`${url}${target}`, {
      method,
      signal: AbortSignal.timeout(withinMs),
      // Uses a new connection. A kept-alive connection may lead to a machine that no longer exists.
      headers: { [NODE_HEADER]: asked, connection: "close" },
      redirect: "manual",
      proxy: NO_PROXY,
    });
    const body = await beginningOf(answer);
    if (!isAnswerOf(asker, asked, body, answer.headers.get(ANSWER_HEADER) ?? ""))
      return silent(
        answer.status === 403
          ? "the clocks differ by more than 30 seconds"
          : `the server there (status ${answer.status}) is not a node of this community`,
      );
    const node = readNode(body);
    return node ? { url, answer: node } : silent("the node runs another version");
  } catch (error) {
    if (error instanceof Error && error.name === "TimeoutError")
      return silent(`no answer within ${withinMs / SECOND} s`);
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const isUnreachable = code === "ConnectionRefused" || code === "ECONNREFUSED";
    return silent(isUnreachable ? "connection refused" : code || String(error), isUnreachable);
  }
}

/**
 * Reads at most `BODY_MAX` characters. The server at this URL may be a stranger's, and its response may never
 * end.
 */
async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > BODY_MAX) break;
  }
  return text.slice(0, BODY_MAX);
}
