import { statSync } from "node:fs";
import { countWithNoun } from "../core/base/count-with-noun.ts";
import { SECOND } from "../core/base/clock.ts";
import { divergenceOf, positionIn, takeLead } from "../core/base/db/leadership.ts";
import type { Position } from "../core/base/db/lineage.ts";
import { forgetEnginePosition, moveStateAside } from "./litestream-state.ts";
import { isMarkedLeading, markLeading } from "./leader-mark.ts";
import { moversOf, stateOf, wasInterrupted } from "./copy-movers.ts";
import type { Node } from "./node.ts";
import { type Asker, askNode, fenceNode, isNode, type PeerAnswer } from "./peers.ts";
import { LeadRefused } from "./lead-refused.ts";
import { isAtLeast, showVersion, type Version } from "./version.ts";

export interface PromotionParts {
  data: string;
  /** Path of the database in `data`. */
  file: string;
  asker: Asker;
  /** URLs of the other nodes. */
  others: readonly string[];
  /** URL of a server that runs on this data folder. It knows what the leader last reported. */
  beside: string | undefined;
  /** Whether to lead even if another node has commits that this one lacks. */
  isForced: boolean;
  /** How long to wait for the engine to deliver the last commits, and then to stop. In ms. */
  waitMs: number;
  /** Stops the engine, if this command can do so. */
  stopEngine: (() => Promise<void>) | undefined;
  /** Folder for Litestream's state from an earlier lead. Created if missing. */
  aside: string;
  /** Reports progress, one line per step. */
  say(line: string): void;
}

/** A node that answered, and the URL at which it was asked. */
type Known = Node & { at: string };

const LOOK_MS = 20;
/** An engine that delivers nothing for this long has delivered everything. Litestream checks every 20 ms. */
const QUIET_MS = 300;
/** A file unchanged for this long shows that the engine has stopped. */
const STILL_MS = 100;
/**
 * Largest database that is checked for damage before it leads. The check takes half a second on a slow
 * machine. `guildhall doctor` checks larger ones.
 */
const LOOKED_THROUGH_BYTES = 256 * 1024 * 1024;

/**
 * Makes this copy lead (docs/contract.md#12.31.1). If the leader answers, nothing is lost: it gives up first,
 * and this copy waits for its last commits. The caller must hold the folder lock. Throws LeadRefused.
 */
export async function promote(parts: PromotionParts): Promise<Position> {
  const { data, file, asker, others, beside, say } = parts;
  const own = positionIn(file);
  const told = await Promise.all(others.map((url) => askNode(asker, url, own.epoch)));
  for (const each of told) say(inWords(each));
  const known = told.flatMap(({ url, got }) => (isNode(got) ? [{ ...got, at: url }] : []));
  const highest = Math.max(own.epoch, own.fencedBy ?? 0, ...known.map(({ heard }) => heard));
  const leaders = known.filter(({ role }) => role === "leader");
  if (isMarkedLeading(data) && own.fencedBy === null && highest === own.epoch && leaders.length === 0) {
    say(`This node already leads, in epoch ${own.epoch}.`);
    return own;
  }
  const epoch = highest + 1;
  const laidDown = await Promise.all(leaders.map((leader) => fence(parts, leader, epoch)));
  try {
    await followToTheEnd(parts, [...laidDown, ...known.filter(({ role }) => role === "fenced")]);
    await untilQuiet(parts);
    refuseBehind(
      parts,
      known.filter(({ role }) => role === "follower"),
    );
    await untilLetGo(parts);
    refuseBroken(file);
  } catch (error) {
    for (const { at, role } of laidDown)
      if (role !== "leader")
        say(`${at} has stepped down, so nobody leads until you run this again or run promote there`);
    throw error;
  }
  const behind = await lastHeard(parts, known, beside);
  // Done before this node leads, so that no lead starts with Litestream's state of an earlier one.
  if (moveStateAside(file, parts.aside))
    say(`Litestream's state from when this node last led is in ${parts.aside}: you can delete that folder`);
  forgetEnginePosition(data);
  const led = takeLead(file, epoch);
  markLeading(data, epoch);
  say(`this node leads in epoch ${epoch}, from version ${showVersion(led)}${behind}`);
  return led;
}

function inWords({ url, got }: PeerAnswer): string {
  if (!isNode(got)) return `${url}: ${got.says}`;
  const does = { leader: "leads", follower: "follows", fenced: "has stepped down" }[got.role];
  return `${url} ${does}, at version ${showVersion(got)}`;
}

async function fence({ asker, isForced, say }: PromotionParts, leader: Known, epoch: number): Promise<Known> {
  const { got } = await fenceNode(asker, leader.at, epoch);
  if (isNode(got) && got.role !== "leader") {
    say(`${leader.at} stepped down at version ${showVersion(got)}`);
    return { ...got, at: leader.at };
  }
  const why = isNode(got) ? "the node still leads" : got.says;
  if (!isForced)
    throw new LeadRefused(
      `${leader.at} leads and did not step down (${why}). Stop that leader and run this again, or lead without its last commits: --force`,
    );
  return leader;
}

/**
 * Waits until this copy has all commits of the nodes that gave up the lead. Each of them reported its last
 * version.
 */
async function followToTheEnd(parts: PromotionParts, given: readonly Known[]): Promise<void> {
  const { file, isForced, waitMs, say } = parts;
  const { line } = positionIn(file);
  for (const last of given.filter((each) => each.line === line)) {
    const isHere = () => isAtLeast(positionOrNone(file), last);
    if (await until(isHere, waitMs)) continue;
    const lack = lackOf(positionOrNone(file), last);
    if (!isForced)
      throw new LeadRefused(
        `This copy lacks ${lack} of ${last.at}, and they did not arrive within ${waitMs / SECOND} s. Check the replication engine and run this again. Or lead without them (--force), or run promote on ${last.at} to let it lead again.`,
      );
    say(`continuing without ${lack} of ${last.at}`);
  }
  const [stranger] = given.filter((each) => each.line !== line);
  if (stranger && !isForced)
    throw new LeadRefused(
      `This copy and ${stranger.at} have different histories: one of them was restored from a backup. Start a new copy, or lead with this copy: --force`,
    );
}

/** Waits until the engine delivers no more commits. */
async function untilQuiet({ file, waitMs }: PromotionParts): Promise<void> {
  for (let left = waitMs; left > 0; left -= QUIET_MS) {
    const before = positionOrNone(file);
    await Bun.sleep(QUIET_MS);
    if (isAtLeast(before, positionOrNone(file))) return;
  }
  throw new LeadRefused(
    `${file} still receives commits, so another node leads. Add that node to GUILDHALL_PEERS and run this again.`,
  );
}

function refuseBehind({ file, isForced, say }: PromotionParts, followers: readonly Known[]): void {
  const own = positionIn(file);
  const further = followers.filter((each) => each.line === own.line && !isAtLeast(own, each));
  for (const each of further) {
    const lack = lackOf(own, each);
    if (!isForced)
      throw new LeadRefused(
        `This copy lacks ${lack} of ${each.at}. Promote that node, or lead without these commits: --force`,
      );
    say(`continuing without ${lack} of ${each.at}`);
  }
}

/** Waits until no program writes the file. Two writers would damage it. */
async function untilLetGo({ file, isForced, waitMs, stopEngine, say }: PromotionParts): Promise<void> {
  await stopEngine?.();
  const movers = (): string[] => moversOf(file);
  const held = movers();
  if (held.length > 0) say(`waiting for you to stop the replication engine: ${held.join("; ")}`);
  if (!(await until(() => movers().length === 0, waitMs)))
    throw new LeadRefused(
      `The copy is still in use: ${movers().join("; ")}. Stop that, then run this again.`,
    );
  const before = stateOf(file);
  await Bun.sleep(STILL_MS);
  if (stateOf(file) !== before)
    throw new LeadRefused(`Another program still changes ${file}. Stop that program, then run this again.`);
  if (!wasInterrupted(file)) return;
  if (!isForced)
    throw new LeadRefused(
      `The replication engine was killed, so the copy may contain half a change. Start the engine again, let it complete the copy, then stop it with a signal. Or use the copy as it is, with --force`,
    );
  say("the replication engine was killed: this node checks the copy and becomes the leader with it");
}

function refuseBroken(file: string): void {
  const { size } = statSync(file);
  const broken = size <= LOOKED_THROUGH_BYTES ? divergenceOf(file) : undefined;
  if (broken !== undefined)
    throw new LeadRefused(`The copy is damaged (${broken}). Start a new copy, or restore a backup.`);
}

/** Describes the commits that are known to be lost, as reported by all nodes. */
async function lastHeard(
  { file, asker }: PromotionParts,
  known: readonly Known[],
  beside: string | undefined,
): Promise<string> {
  const own = positionIn(file);
  const server = beside === undefined ? [] : [(await askNode(asker, beside, own.epoch)).got].filter(isNode);
  const seen = [...known, ...server].map((each) => each.seen).filter((each) => !isAtLeast(own, each));
  const [last] = seen.sort((one, other) => (isAtLeast(one, other) ? -1 : 1));
  return last ? `, without ${lackOf(own, last)} that the leader was known to have` : "";
}

function lackOf(own: Version, other: Version): string {
  return other.epoch === own.epoch
    ? countWithNoun(other.commits - own.commits, "commit")
    : `everything written up to version ${showVersion(other)}`;
}

/** The file is missing for a moment while an engine replaces it. */
function positionOrNone(file: string): Version {
  try {
    return positionIn(file);
  } catch {
    return { epoch: 0, commits: 0 };
  }
}

async function until(isSo: () => boolean, withinMs: number): Promise<boolean> {
  for (let left = withinMs; left > 0; left -= LOOK_MS) {
    if (isSo()) return true;
    await Bun.sleep(LOOK_MS);
  }
  return isSo();
}
