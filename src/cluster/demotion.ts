import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { countWithNoun } from "../core/base/count-with-noun.ts";
import { commitsAhead, stepDown, positionIn } from "../core/base/db/leadership.ts";
import { forgetEnginePosition, moveStateAside, syncFolder } from "./litestream-state.ts";
import { isMarkedLeading, markLeading, unmarkLeading } from "./leader-mark.ts";
import { writingProcesses } from "./copy-movers.ts";
import { type PeerKeys, askNode, isNode } from "./peers.ts";
import { LeadRefused } from "./lead-refused.ts";
import { formatVersion } from "./version.ts";

export interface DemotionParts {
  data: string;
  /** Path of the database in `data`. */
  file: string;
  asker: PeerKeys;
  /** URLs of the other nodes. */
  peers: readonly string[];
  /** Whether to demote even if no other node is known to lead. */
  isForced: boolean;
  /** Folder for the old database. Created if missing. */
  aside: string;
  report(line: string): void;
}

/**
 * Turns the data folder of a former leader into a follower's folder (docs/contract.md#12.31.1). Fences the
 * database and moves it to `aside`. Reports how many of the database's commits no other node has. The caller
 * must hold the folder lock. Throws LeadRefused.
 */
export async function demote({
  data,
  file,
  asker,
  peers,
  isForced,
  aside,
  report,
}: DemotionParts): Promise<void> {
  const own = positionIn(file);
  const answers = await Promise.all(peers.map((url) => askNode(asker, url, own.epoch)));
  // A leader in the same epoch also counts as another leader. Two nodes that were promoted at the same moment
  // have the same epoch, and only one of them stays the leader.
  const isTwin = (epoch: number): boolean => epoch === own.epoch && isMarkedLeading(data);
  const [leader] = answers
    .flatMap(({ url, answer }) =>
      isNode(answer) && answer.role === "leader" && (answer.epoch > own.epoch || isTwin(answer.epoch))
        ? [{ ...answer, at: url }]
        : [],
    )
    .sort((one, other) => other.epoch - one.epoch);
  if (!leader && !isForced) {
    const silent = answers.flatMap(({ url, answer }) => (isNode(answer) ? [] : [`${url}: ${answer.reason}`]));
    throw new LeadRefused(
      `No other node leads with a later epoch than ${own.epoch}${silent.length > 0 ? ` (${silent.join("; ")})` : ""}. Promote one first, or demote this one anyway with --force.`,
    );
  }
  const movers = writingProcesses(file);
  if (movers.length > 0)
    throw new LeadRefused(
      `The database is in use: ${movers.join("; ")}. Stop that (and the leader's Litestream), then run the command again.`,
    );
  const epoch = own.fencedBy ?? Math.max(leader?.epoch ?? 0, own.epoch + 1);
  // The last commit of a fenced database is the fence itself, so that commit is not counted.
  const written = own.fencedBy === null ? own.commits : own.commits - 1;
  // Until all files are moved, no other program may create a file with the name of the database.
  // The script deploy/follow.sh does not start while the leader mark exists.
  if (!isMarkedLeading(data)) markLeading(data, own.epoch);
  const last = stepDown(file, epoch);
  mkdirSync(aside, { recursive: true, mode: 0o700 });
  moveStateAside(file, aside);
  forgetEnginePosition(data);
  for (const end of ["", "-wal", "-shm", "-journal"].filter((each) => existsSync(`${file}${each}`)))
    renameSync(`${file}${end}`, join(aside, `guildhall.db${end}`));
  syncFolder(aside);
  syncFolder(data);
  unmarkLeading(data);
  const isSameLine = leader?.line === own.line;
  const ahead =
    leader && isSameLine ? commitsAhead({ epoch: own.epoch, commits: written }, leader.takeovers) : undefined;
  report(`the database, at version ${formatVersion(last)}, is now in ${aside}`);
  if (!leader) report("no other node answered, so it is unknown which commits the other nodes have");
  else if (ahead === undefined) report(`${leader.at} cannot tell how many of these commits it received`);
  else if (ahead === 0) report(`${leader.at} has all of it, so you can delete that folder`);
  else
    report(`${leader.at} never received the last ${countWithNoun(ahead, "commit")}: no other node has them`);
  report(`next, start the replication engine, then guildhall serve --follow ${leader?.at ?? "URL"}`);
}

/**
 * Completes a demotion that was killed after it moved the database to `aside`. Returns whether there was such
 * a demotion. The caller must hold the folder lock.
 */
export function finishDemotion({ data, file }: Pick<DemotionParts, "data" | "file">): boolean {
  if (existsSync(file) || !isMarkedLeading(data)) return false;
  unmarkLeading(data);
  return true;
}
