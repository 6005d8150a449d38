import type { Logger } from "pino";
import { SECOND } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { createLead, type Lead, momentOf } from "../core/base/db/lead.ts";
import { newNode, type Node } from "./node.ts";
import type { NodeAnswers } from "./nodes.ts";
import { ANSWER_MS, askNode, isNode, type PeerAnswer } from "./peers.ts";
import type { HttpMetrics } from "../http/metrics.ts";
import { takeNextEpoch, takeoversOf } from "../core/base/db/leadership.ts";

/** Background check on a leader: asks the other nodes whether one of them leads now. */
export interface LeaderWatch extends NodeAnswers {
  lead: Lead;
  /** How many of the other nodes did not answer the last check. */
  silent(): number;
  stop(): void;
}

export interface WatchOptions {
  /** URLs of the other nodes. */
  peers: readonly string[];
  /** Time when this node asked the other nodes at startup, before this node wrote anything. */
  since: { elapsed: number; wall: number } | undefined;
  /** URL of this node. */
  url: string;
  log: Logger;
}

const CHECK_EVERY_MS = SECOND;
/**
 * Delay before the fence is written again, in ms. `busy`: another process holds the database, usually for
 * milliseconds. `broken`: another error, such as a full disk.
 */
const RETRY_MS = { busy: 5, broken: SECOND };

/** Starts the checks. From now on the core writes only while this node leads (docs/contract.md#12.31). */
export function startLeaderWatch(core: Core, { peers, since, url, log }: WatchOptions): LeaderWatch {
  const { db, clock } = core;
  const node = newNode(core);
  const lead = createLead(clock, confirmLead);
  let currentCheck: Promise<void> | undefined;
  let steppingDown: Promise<void> | undefined;
  let silent: readonly string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  if (peers.length > 0)
    lead.recordCheck(
      since
        ? { steady: clock.steady() - (clock.elapsed() - since.elapsed), wall: since.wall }
        : { steady: 1, wall: 1 },
    );
  db.leadBy(lead);
  void checkRepeatedly();
  return { lead, thisNode, onEpoch: noteEpoch, fence, silent: () => silent.length, stop };

  function thisNode(): Node {
    const { line, epoch, commits, fencedBy } = db.position();
    return {
      node,
      role: fencedBy === null && lead.fencedBy() === undefined ? "leader" : "fenced",
      line,
      epoch,
      commits,
      heard: Math.max(epoch, fencedBy ?? 0, lead.fencedBy() ?? 0),
      seen: { epoch, commits },
      takeovers: takeoversOf(core),
      url,
    };
  }

  /** Runs one check after another, as long as this node leads. */
  async function checkRepeatedly(): Promise<void> {
    const from = clock.elapsed();
    try {
      const { fencedBy } = db.position();
      // If a command such as `guildhall demote` has fenced the database, this node gives up the lead.
      if (fencedBy !== null) void stepDown(fencedBy, "this database");
      else if (peers.length > 0) await check(ANSWER_MS.usual);
    } catch (err) {
      log.error({ err }, "could not ask the other nodes");
    }
    if (isStopped || lead.fencedBy() !== undefined) return;
    timer = setTimeout(() => void checkRepeatedly(), Math.max(0, CHECK_EVERY_MS - (clock.elapsed() - from)));
  }

  /**
   * Waits for the check in progress. If the node was paused after that check began, the result of the check
   * does not count, and a second check runs.
   */
  async function confirmLead(): Promise<void> {
    await currentCheck;
    if (!lead.isCheckRecent()) await check(ANSWER_MS.first);
  }

  function check(withinMs: number): Promise<void> {
    currentCheck ??= askPeers(withinMs).finally(() => {
      currentCheck = undefined;
    });
    return currentCheck;
  }

  async function askPeers(withinMs: number): Promise<void> {
    const { steady, wall } = momentOf(clock);
    const { epoch } = db.position();
    const answers = await Promise.all(peers.map((peer) => askNode(core, peer, epoch, withinMs)));
    logSilent(answers);
    const found = leaderAmong({ epoch, node }, answers);
    if (found) return await stepDown(found.epoch, found.url);
    const rival = rivalAmong({ epoch, node }, answers);
    if (rival)
      log.error({ rival: rival.url, epoch }, "two nodes lead in the same epoch, one of them will step down");
    // Of two leaders in the same epoch, the leader with the greater node id takes the next epoch. The other
    // leader then sees the newer epoch and gives up.
    if (rival && rival.node > node) return;
    // The wait for a silent node does not count toward the age of the check, because the node is still silent
    // when the wait ends. A pause of this process does count.
    const waitedMs = silent.length > 0 ? withinMs : 0;
    lead.recordCheck({ steady: steady + waitedMs, wall: wall + waitedMs });
    if (rival) takeNextEpoch(core);
  }

  /** Logs the silent nodes if they changed since the last check. */
  function logSilent(answers: readonly PeerAnswer[]): void {
    const before = silent;
    silent = answers.flatMap(({ url, answer }) => (isNode(answer) ? [] : [`${url}: ${answer.reason}`]));
    if (silent.join() === before.join()) return;
    if (silent.length > 0) log.warn({ silent }, "some nodes do not answer, and one of them may lead");
    else log.info("all nodes answer again");
  }

  function noteEpoch(epoch: number): void {
    if (epoch > db.position().epoch) void stepDown(epoch, "another node");
  }

  async function fence(epoch: number): Promise<void> {
    if (epoch > db.position().epoch) await stepDown(epoch, "another node");
  }

  /**
   * Stops writes in all threads at once. Then writes the fence to the database, where every other program
   * that opens the database sees it.
   */
  function stepDown(epoch: number, by: string): Promise<void> {
    lead.fence(epoch);
    return (steppingDown ??= storeFence(epoch, by));
  }

  async function storeFence(epoch: number, by: string): Promise<void> {
    log.error(
      { epoch, by },
      "another node leads in a later epoch, so this node refuses writes. Stop this node and run guildhall demote",
    );
    for (let isLogged = false; !isStopped;) {
      try {
        return db.fence(epoch);
      } catch (err) {
        const isBusy = err instanceof Error && "code" in err && String(err.code).startsWith("SQLITE_BUSY");
        if (!isBusy && !isLogged) log.error({ err }, "could not record that another node leads, retrying");
        isLogged ||= !isBusy;
        await Bun.sleep(isBusy ? RETRY_MS.busy : RETRY_MS.broken);
      }
    }
  }

  function stop(): void {
    isStopped = true;
    clearTimeout(timer);
  }
}

/**
 * Returns the epoch and URL of another node, if this node must give up the lead because of that node. The
 * other node leads in a later epoch, or knows of a later epoch. A starting node has no id yet, and also gives
 * way to a leader of its own epoch.
 */
export function leaderAmong(
  own: { epoch: number; node?: string },
  answers: readonly PeerAnswer[],
): { epoch: number; url: string } | undefined {
  const [later] = answers.flatMap(({ url, answer }) =>
    isNode(answer) && answer.node !== own.node && answer.heard > own.epoch
      ? [{ epoch: answer.heard, url }]
      : [],
  );
  return later ?? (own.node === undefined ? rivalAmong(own, answers) : undefined);
}

/** Returns another node that leads in the same epoch. */
function rivalAmong(own: { epoch: number; node?: string }, answers: readonly PeerAnswer[]) {
  const [rival] = answers.flatMap(({ url, answer }) =>
    isNode(answer) && answer.node !== own.node && answer.role === "leader" && answer.epoch === own.epoch
      ? [{ ...answer, url }]
      : [],
  );
  return rival;
}

export function gaugeLead(metrics: HttpMetrics, watch: Pick<LeaderWatch, "thisNode" | "silent">): void {
  metrics.gauges(() => {
    const { role, epoch } = watch.thisNode();
    return {
      guildhall_leads: role === "leader" ? 1 : 0,
      guildhall_epoch: epoch,
      guildhall_nodes_silent: watch.silent(),
    };
  });
}
