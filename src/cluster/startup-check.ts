import type { Logger } from "pino";
import type { Position } from "../core/base/db/lineage.ts";
import { type PeerKeys, askNode, isNode } from "./peers.ts";
import { leaderAmong } from "./leader-watch.ts";

/** Answers of the other nodes, from before this node wrote anything. */
export interface StartupCheck {
  at: { elapsed: number; wall: number };
  /** Later epoch that another node leads in or knows of. Undefined if there is none. */
  giveUpFor: number | undefined;
  /**
   * URL of a node that leads in this database's own epoch. This database is then a copy of that node's
   * database.
   */
  copiedFrom: string | undefined;
}

/**
 * Asks the other nodes before this node leads. Waits `ANSWER_MS.first` for a silent node. After that time,
 * the last check of another leader is no longer valid.
 */
export async function checkOtherNodes(
  asker: PeerKeys,
  { epoch }: Pick<Position, "epoch">,
  peers: readonly string[],
  log: Logger,
): Promise<StartupCheck> {
  const { clock } = asker;
  const at = { elapsed: clock.elapsed(), wall: clock.now() };
  const answers = await Promise.all(peers.map((peer) => askNode(asker, peer, epoch)));
  const silent = answers.flatMap(({ url, answer }) => (isNode(answer) ? [] : [`${url}: ${answer.reason}`]));
  if (silent.length > 0) log.warn({ silent }, "some nodes do not answer, and one of them may lead");
  const found = leaderAmong({ epoch }, answers);
  const isCopy = found?.epoch === epoch;
  return {
    at: silent.length > 0 ? { elapsed: clock.elapsed(), wall: clock.now() } : at,
    giveUpFor: isCopy ? undefined : found?.epoch,
    copiedFrom: isCopy ? found?.url : undefined,
  };
}
