import type { Logger } from "pino";
import type { Position } from "../core/base/db/lineage.ts";
import { type Asker, askNode, isNode } from "./peers.ts";
import { leaderAmong } from "./leader-watch.ts";

/** What other nodes said before this one wrote anything. */
export interface StartupCheck {
  at: { elapsed: number; wall: number };
  /** By which epoch another one leads, or has heard of; undefined where none does. */
  giveUpFor: number | undefined;
  /** Who leads by the very epoch of this database, which is then a copy of theirs. */
  copiedFrom: string | undefined;
}

/**
 * A node that begins to lead asks the others first. Nobody who is silent is waited for longer than a look
 * counts.
 */
export async function checkOtherNodes(
  asker: Asker,
  { epoch }: Pick<Position, "epoch">,
  peers: readonly string[],
  log: Logger,
): Promise<StartupCheck> {
  const { clock } = asker;
  const at = { elapsed: clock.elapsed(), wall: clock.now() };
  const told = await Promise.all(peers.map((peer) => askNode(asker, peer, epoch)));
  const silent = told.flatMap(({ url, got }) => (isNode(got) ? [] : [`${url}: ${got.says}`]));
  if (silent.length > 0) log.warn({ silent }, "some nodes do not answer, and one of them may lead");
  const found = leaderAmong({ epoch }, told);
  const isCopy = found?.epoch === epoch;
  return {
    at: silent.length > 0 ? { elapsed: clock.elapsed(), wall: clock.now() } : at,
    giveUpFor: isCopy ? undefined : found?.epoch,
    copiedFrom: isCopy ? found?.url : undefined,
  };
}
