import { statSync } from "node:fs";
import { countWithNoun } from "../core/base/count-with-noun.ts";
import { SECOND } from "../core/base/clock.ts";
import { corruptionOf, positionIn, takeLead } from "../core/base/db/leadership.ts";
import type { Position } from "../core/base/db/lineage.ts";
import { forgetEnginePosition, moveStateAside } from "./litestream-state.ts";
import { isMarkedLeading, markLeading } from "./leader-mark.ts";
import { writingProcesses, stateOf, wasInterrupted } from "./copy-movers.ts";
import type { Node } from "./node.ts";
import { type PeerKeys, askNode, fenceNode, isNode, type PeerAnswer } from "./peers.ts";
import { LeadRefused } from "./lead-refused.ts";
import { isAtLeast, formatVersion, type Version } from "./version.ts";

export interface PromotionParts {
  data: string;
  /** Path of the database in `data`. */
  file: string;
  asker: PeerKeys;
  /** URLs of the other nodes. */
  peers: readonly string[];
  /**
   * URL of a server that runs on this data folder. The server knows which version the leader last reported.
   */
  localServer: string | undefined;
  /** Whether to lead even if another node has commits that this node lacks. */
  isForced: boolean;
  /**
   * Longest wait for the engine to deliver the last commits, in ms. The same limit applies to the wait for
   * the engine to stop.
   */
  waitMs: number;
  /** Stops the engine, if this command can do so. */
  stopEngine: (() => Promise<void>) | undefined;
  /** Folder for Litestream's state from an earlier lead. Created if missing. */
  aside: string;
  /** Reports progress, one line per step. */
  report(line: string): void;
}

/** A node that answered, and the URL that was asked. */
type AnsweringNode = Node & { at: string };

const POLL_MS = 20;
/**
 * If the engine delivers no commit for this long, it has delivered all of them. In ms. Litestream checks for
 * new commits every 20 ms.
 */
const QUIET_MS = 300;
/** If the file does not change for this long, the engine has stopped. In ms. */
const UNCHANGED_MS = 100;
/**
 * Largest database that is checked for damage before it leads. The check takes half a second on a slow
 * machine. `guildhall doctor` checks larger ones.
 */
const DAMAGE_CHECK_MAX_BYTES = 256 * 1024 * 1024;

/**
 * Makes this copy lead (docs/contract.md#12.31.1). If the current leader answers, nothing is lost: that
 * leader gives up first, and this copy waits for the leader's last commits. The caller must hold the folder
 * lock. Throws LeadRefused.
 */
export async function promote(parts: PromotionParts): Promise<Position> {
  const { data, file, asker, peers, localServer, report } = parts;
  const own = positionIn(file);
  const answers = await Promise.all(peers.map((url) => askNode(asker, url, own.epoch)));
  for (const each of answers) report(describe(each));
  const nodes = answers.flatMap(({ url, answer }) => (isNode(answer) ? [{ ...answer, at: url }] : []));
  const highest = Math.max(own.epoch, own.fencedBy ?? 0, ...nodes.map(({ heard }) => heard));
  const leaders = nodes.filter(({ role }) => role === "leader");
  if (isMarkedLeading(data) && own.fencedBy === null && highest === own.epoch && leaders.length === 0) {
    report(`This node already leads, in epoch ${own.epoch}.`);
    return own;
  }
  const epoch = highest + 1;
  const fenced = await Promise.all(leaders.map((leader) => fence(parts, leader, epoch)));
  try {
    await waitForLastCommits(parts, [...fenced, ...nodes.filter(({ role }) => role === "fenced")]);
    await waitUntilQuiet(parts);
    refuseBehind(
      parts,
      nodes.filter(({ role }) => role === "follower"),
    );
    await waitForRelease(parts);
    refuseBroken(file);
  } catch (error) {
    for (const { at, role } of fenced)
      if (role !== "leader")
        report(`${at} has stepped down, so nobody leads until you run this again or run promote there`);
    throw error;
  }
  const missing = await versionsBehindLeader(parts, nodes, localServer);
  // Litestream's state is moved aside before this node leads. Otherwise this lead would start with the state
  // of an earlier lead.
  if (moveStateAside(file, parts.aside))
    report(
      `Litestream's state from when this node last led is in ${parts.aside}: you can delete that folder`,
    );
  forgetEnginePosition(data);
  const led = takeLead(file, epoch);
  markLeading(data, epoch);
  report(`this node leads in epoch ${epoch}, from version ${formatVersion(led)}${missing}`);
  return led;
}

function describe({ url, answer }: PeerAnswer): string {
  if (!isNode(answer)) return `${url}: ${answer.reason}`;
  const does = { leader: "leads", follower: "follows", fenced: "has stepped down" }[answer.role];
  return `${url} ${does}, at version ${formatVersion(answer)}`;
}

async function fence(
  { asker, isForced, report }: PromotionParts,
  leader: AnsweringNode,
  epoch: number,
): Promise<AnsweringNode> {
  const { answer } = await fenceNode(asker, leader.at, epoch);
  if (isNode(answer) && answer.role !== "leader") {
    report(`${leader.at} stepped down at version ${formatVersion(answer)}`);
    return { ...answer, at: leader.at };
  }
  const why = isNode(answer) ? "the node still leads" : answer.reason;
  if (!isForced)
    throw new LeadRefused(
      `${leader.at} leads and did not step down (${why}). Stop that leader and run this again, or lead without its last commits: --force`,
    );
  return leader;
}

/**
 * Waits until this copy has all commits of the nodes that gave up the lead. Each of those nodes reported its
 * last version.
 */
async function waitForLastCommits(
  parts: PromotionParts,
  formerLeaders: readonly AnsweringNode[],
): Promise<void> {
  const { file, isForced, waitMs, report } = parts;
  const { line } = positionIn(file);
  for (const last of formerLeaders.filter((each) => each.line === line)) {
    const hasVersion = () => isAtLeast(readPosition(file), last);
    if (await waitUntil(hasVersion, waitMs)) continue;
    const missing = missingCommits(readPosition(file), last);
    if (!isForced)
      throw new LeadRefused(
        `This copy lacks ${missing} of ${last.at}, and they did not arrive within ${waitMs / SECOND} s. Check the replication engine and run this again. Or lead without them (--force), or run promote on ${last.at} to let it lead again.`,
      );
    report(`continuing without ${missing} of ${last.at}`);
  }
  const [foreign] = formerLeaders.filter((each) => each.line !== line);
  if (foreign && !isForced)
    throw new LeadRefused(
      `This copy and ${foreign.at} have different histories: one of them was restored from a backup. Start a new copy, or lead with this copy: --force`,
    );
}

/** Waits until the engine delivers no more commits. */
async function waitUntilQuiet({ file, waitMs }: PromotionParts): Promise<void> {
  for (let left = waitMs; left > 0; left -= QUIET_MS) {
    const before = readPosition(file);
    await Bun.sleep(QUIET_MS);
    if (isAtLeast(before, readPosition(file))) return;
  }
  throw new LeadRefused(
    `${file} still receives commits, so another node leads. Add that node to GUILDHALL_PEERS and run this again.`,
  );
}

function refuseBehind({ file, isForced, report }: PromotionParts, followers: readonly AnsweringNode[]): void {
  const own = positionIn(file);
  const further = followers.filter((each) => each.line === own.line && !isAtLeast(own, each));
  for (const each of further) {
    const missing = missingCommits(own, each);
    if (!isForced)
      throw new LeadRefused(
        `This copy lacks ${missing} of ${each.at}. Promote that node, or lead without these commits: --force`,
      );
    report(`continuing without ${missing} of ${each.at}`);
  }
}

/** Waits until no program writes the file. Two writers would damage the file. */
async function waitForRelease({ file, isForced, waitMs, stopEngine, report }: PromotionParts): Promise<void> {
  await stopEngine?.();
  const movers = (): string[] => writingProcesses(file);
  const held = movers();
  if (held.length > 0) report(`waiting for you to stop the replication engine: ${held.join("; ")}`);
  if (!(await waitUntil(() => movers().length === 0, waitMs)))
    throw new LeadRefused(
      `The copy is still in use: ${movers().join("; ")}. Stop that, then run this again.`,
    );
  const before = stateOf(file);
  await Bun.sleep(UNCHANGED_MS);
  if (stateOf(file) !== before)
    throw new LeadRefused(`Another program still changes ${file}. Stop that program, then run this again.`);
  if (!wasInterrupted(file)) return;
  if (!isForced)
    throw new LeadRefused(
      `The replication engine was killed, so the copy may contain half a change. Start the engine again, let it complete the copy, then stop it with a signal. Or use the copy as it is, with --force`,
    );
  report("the replication engine was killed: this node checks the copy and becomes the leader with it");
}

function refuseBroken(file: string): void {
  const { size } = statSync(file);
  const broken = size <= DAMAGE_CHECK_MAX_BYTES ? corruptionOf(file) : undefined;
  if (broken !== undefined)
    throw new LeadRefused(`The copy is damaged (${broken}). Start a new copy, or restore a backup.`);
}

/**
 * Returns the part of a message that describes lost commits, or an empty text if none are known. Compares
 * this copy with the latest version that any node has seen.
 */
async function versionsBehindLeader(
  { file, asker }: PromotionParts,
  nodes: readonly AnsweringNode[],
  localServer: string | undefined,
): Promise<string> {
  const own = positionIn(file);
  const server =
    localServer === undefined ? [] : [(await askNode(asker, localServer, own.epoch)).answer].filter(isNode);
  const seen = [...nodes, ...server].map((each) => each.seen).filter((each) => !isAtLeast(own, each));
  const [last] = seen.sort((one, other) => (isAtLeast(one, other) ? -1 : 1));
  return last ? `, without ${missingCommits(own, last)} that the leader was known to have` : "";
}

function missingCommits(own: Version, other: Version): string {
  return other.epoch === own.epoch
    ? countWithNoun(other.commits - own.commits, "commit")
    : `everything written up to version ${formatVersion(other)}`;
}

/** Returns version 0 while an engine replaces the file, because the file is then missing for a moment. */
function readPosition(file: string): Version {
  try {
    return positionIn(file);
  } catch {
    return { epoch: 0, commits: 0 };
  }
}

async function waitUntil(isSo: () => boolean, withinMs: number): Promise<boolean> {
  for (let left = withinMs; left > 0; left -= POLL_MS) {
    if (isSo()) return true;
    await Bun.sleep(POLL_MS);
  }
  return isSo();
}
