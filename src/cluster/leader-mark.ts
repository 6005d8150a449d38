import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * In the data folder of a node that was promoted: a follower whose settings still name whom it followed leads
 * all the same, however often it is started, until it is demoted.
 */
const NAME = "guildhall.leads";
/** Each look is a stat of a file that is not there. */
const LOOK_MS = 50;

export function markLeading(data: string, epoch: number): void {
  writeFileSync(join(data, NAME), `${epoch}\n`, { mode: 0o600, flush: true });
}

export function isMarkedLeading(data: string): boolean {
  return existsSync(join(data, NAME));
}

/** Resolves once `guildhall promote` has made this folder lead. */
export async function markedLeading(data: string): Promise<undefined> {
  while (!isMarkedLeading(data)) await Bun.sleep(LOOK_MS);
}

export function unmarkLeading(data: string): void {
  rmSync(join(data, NAME), { force: true });
}
