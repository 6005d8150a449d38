import type { Logger } from "pino";
import { SECOND } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { createLead, type Lead, momentOf } from "../core/base/db/lead.ts";
import { newNode, type Node } from "./node.ts";
import type { NodeAnswers } from "./nodes.ts";
import { ANSWER_MS, askNode, isNode, type PeerAnswer } from "./peers.ts";
import type { HttpMetrics } from "../http/metrics.ts";
import { takeNextEpoch, takeoversOf } from "../core/base/db/leadership.ts";

/** What a node that leads does beside its work: it looks whether another one leads by now. */
export interface LeaderWatch extends NodeAnswers {
  lead: Lead;
  /** How many of the others did not answer the last look. */
  silent(): number;
  stop(): void;
}

export interface WatchOptions {
  /** Where the others answer. */
  peers: readonly string[];
  /** When they were asked before this node wrote anything. */
  since: { elapsed: number; wall: number } | undefined;
  /** Where this one listens. */
  url: string;
  log: Logger;
}

const LOOK_EVERY_MS = SECOND;
/**
 * A database that cannot be written just now: whoever holds it does so for milliseconds, a full disk for
 * longer.
 */
const AGAIN_MS = { busy: 5, broken: SECOND };

/** From now on the core writes only while this node leads (docs/contract.md#12.31). */
export function startLeaderWatch(core: Core, { peers, since, url, log }: WatchOptions): LeaderWatch {
  const { db, clock } = core;
  const node = newNode(core);
  const lead = createLead(clock, sure);
  let looking: Promise<void> | undefined;
  let givingUp: Promise<void> | undefined;
  let silent: readonly string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  if (peers.length > 0)
    lead.looked(
      since
        ? { steady: clock.steady() - (clock.elapsed() - since.elapsed), wall: since.wall }
        : { steady: 1, wall: 1 },
    );
  db.leadBy(lead);
  void goOn();
  return { lead, thisNode, heard, fence, silent: () => silent.length, stop };

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

  /** One look after the other, as long as it leads. */
  async function goOn(): Promise<void> {
    const from = clock.elapsed();
    try {
      const { fencedBy } = db.position();
      // A command has given it up.
      if (fencedBy !== null) void giveUp(fencedBy, "this database");
      else if (peers.length > 0) await look(ANSWER_MS.usual);
    } catch (err) {
      log.error({ err }, "could not ask the other nodes");
    }
    if (isStopped || lead.fencedBy() !== undefined) return;
    timer = setTimeout(() => void goOn(), Math.max(0, LOOK_EVERY_MS - (clock.elapsed() - from)));
  }

  /** One that began before a rest does not count any more: then another one does. */
  async function sure(): Promise<void> {
    await looking;
    if (!lead.isSure()) await look(ANSWER_MS.first);
  }

  function look(withinMs: number): Promise<void> {
    looking ??= lookOnce(withinMs).finally(() => {
      looking = undefined;
    });
    return looking;
  }

  async function lookOnce(withinMs: number): Promise<void> {
    const { steady, wall } = momentOf(clock);
    const { epoch } = db.position();
    const told = await Promise.all(peers.map((peer) => askNode(core, peer, epoch, withinMs)));
    tellSilent(told);
    const found = leaderAmong({ epoch, node }, told);
    if (found) return await giveUp(found.epoch, found.url);
    const rival = rivalAmong({ epoch, node }, told);
    if (rival)
      log.error({ rival: rival.url, epoch }, "two nodes lead in the same epoch, one of them will step down");
    // Of two the one with the greater id takes the next epoch, by which the other one sees that it has to
    // give up.
    if (rival && rival.node > node) return;
    // Of one that is silent nothing is known, however long one waits; not for as long as this program was
    // stopped.
    const waitedMs = silent.length > 0 ? withinMs : 0;
    lead.looked({ steady: steady + waitedMs, wall: wall + waitedMs });
    if (rival) takeNextEpoch(core);
  }

  /** Once for each change. */
  function tellSilent(told: readonly PeerAnswer[]): void {
    const before = silent;
    silent = told.flatMap(({ url, got }) => (isNode(got) ? [] : [`${url}: ${got.says}`]));
    if (silent.join() === before.join()) return;
    if (silent.length > 0) log.warn({ silent }, "some nodes do not answer, and one of them may lead");
    else log.info("all nodes answer again");
  }

  function heard(epoch: number): void {
    if (epoch > db.position().epoch) void giveUp(epoch, "another node");
  }

  async function fence(epoch: number): Promise<void> {
    if (epoch > db.position().epoch) await giveUp(epoch, "another node");
  }

  /** At once for all threads; then in the database, for whoever opens it. */
  function giveUp(epoch: number, by: string): Promise<void> {
    lead.fence(epoch);
    return (givingUp ??= writeDown(epoch, by));
  }

  async function writeDown(epoch: number, by: string): Promise<void> {
    log.error(
      { epoch, by },
      "another node leads in a later epoch, so this node refuses writes. Stop this node and run guildhall demote",
    );
    for (let isTold = false; !isStopped;) {
      try {
        return db.fence(epoch);
      } catch (err) {
        const isBusy = err instanceof Error && "code" in err && String(err.code).startsWith("SQLITE_BUSY");
        if (!isBusy && !isTold) log.error({ err }, "could not record that another node leads, retrying");
        isTold ||= !isBusy;
        await Bun.sleep(isBusy ? AGAIN_MS.busy : AGAIN_MS.broken);
      }
    }
  }

  function stop(): void {
    isStopped = true;
    clearTimeout(timer);
  }
}

/**
 * For whom a node has to give up, if for anybody: whoever leads by a later epoch, or has heard of one. One
 * that only begins, and has no id yet, gives way to whoever leads by its own epoch, too.
 */
export function leaderAmong(
  own: { epoch: number; node?: string },
  told: readonly PeerAnswer[],
): { epoch: number; url: string } | undefined {
  const [later] = told.flatMap(({ url, got }) =>
    isNode(got) && got.node !== own.node && got.heard > own.epoch ? [{ epoch: got.heard, url }] : [],
  );
  return later ?? (own.node === undefined ? rivalAmong(own, told) : undefined);
}

/** Who else leads by the same epoch. */
function rivalAmong(own: { epoch: number; node?: string }, told: readonly PeerAnswer[]) {
  const [rival] = told.flatMap(({ url, got }) =>
    isNode(got) && got.node !== own.node && got.role === "leader" && got.epoch === own.epoch
      ? [{ ...got, url }]
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
