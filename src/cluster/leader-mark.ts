import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * File that marks the data folder of a promoted node. The node's settings may still name its former leader.
 * With this mark, the node starts as leader until it is demoted.
 */
const NAME = "guildhall.leads";
/** Time between two checks for the mark, in ms. A check costs one stat of a missing file. */
const CHECK_EVERY_MS = 50;

export function markLeading(data: string, epoch: number): void {
  writeFileSync(join(data, NAME), `${epoch}\n`, { mode: 0o600, flush: true });
}

export function isMarkedLeading(data: string): boolean {
  return existsSync(join(data, NAME));
}

/** Resolves after `guildhall promote` has made this folder lead. */
export async function markedLeading(data: string): Promise<undefined> {
  while (!isMarkedLeading(data)) await Bun.sleep(CHECK_EVERY_MS);
}

export function unmarkLeading(data: string): void {
  rmSync(join(data, NAME), { force: true });
}
