import { SECOND } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { ANSWER_HEADER, isAnswerOf, type Node, NODE_HEADER, readNode } from "./node.ts";
import { signForward } from "./signature.ts";

/** What asking takes of a core; a command has no more of one. */
export type Asker = Pick<Core, "secrets" | "clock" | "random">;

/** Why a node said nothing. `gone`: its machine says that nothing listens there. */
export interface Silence {
  isGone: boolean;
  says: string;
}

export interface PeerAnswer {
  /** As it was asked. */
  url: string;
  got: Node | Silence;
}

/**
 * A node that takes longer is silent. Whoever begins to lead, or goes on after a rest, waits as long as a
 * look counts that the other one made before it fell silent; who looks every second does not wait for longer
 * than that.
 */
export const ANSWER_MS = { first: 2 * SECOND, usual: SECOND } as const;
const BODY_MAX = 16 * 1024;
/** Of all values only this one, which the types do not know, keeps the environment's proxies out. */
const NO_PROXY = false as unknown as string;

export function isNode(got: Node | Silence): got is Node {
  return "role" in got;
}

/** `epoch`: the latest that is known here; whoever is asked learns of it. */
export function askNode(
  asker: Asker,
  url: string,
  epoch: number,
  withinMs: number = ANSWER_MS.first,
): Promise<PeerAnswer> {
  return ask(asker, url, "GET", "/cluster", epoch, withinMs);
}

/** Has a node give up for whoever leads by this epoch; what it says of itself is as of then. */
export function fenceNode(asker: Asker, url: string, epoch: number): Promise<PeerAnswer> {
  return ask(asker, url, "POST", `/cluster/fence?epoch=${epoch}`, epoch, ANSWER_MS.first);
}

async function ask(
  asker: Asker,
  url: string,
  method: "GET" | "POST",
  target: string,
  epoch: number,
  withinMs: number,
): Promise<PeerAnswer> {
  const asked = signForward(asker, { method, target, address: "", epoch });
  const silent = (says: string, isGone = false): PeerAnswer => ({ url, got: { isGone, says } });
  try {
    const answer = await fetch(`${url}${target}`, {
      method,
      signal: AbortSignal.timeout(withinMs),
      // One that was kept open may lead to a machine that is not there any more.
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
    return node ? { url, got: node } : silent("the node runs another version");
  } catch (error) {
    if (error instanceof Error && error.name === "TimeoutError")
      return silent(`no answer within ${withinMs / SECOND} s`);
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const isGone = code === "ConnectionRefused" || code === "ECONNREFUSED";
    return silent(isGone ? "connection refused" : code || String(error), isGone);
  }
}

/** What answers there may be anybody's, and without an end. */
async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > BODY_MAX) break;
  }
  return text.slice(0, BODY_MAX);
}
