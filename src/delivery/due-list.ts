import { SECOND } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import type { QueuePosition } from "../core/base/queue-limits.ts";
import { createFairOrder } from "./fair-order.ts";

/** A browser or mailbox, to which one message goes at a time. */
export interface Recipient {
  key: string;
  member: string;
  /** The lower one comes first, of two recipients of one member, and of two that are read at once. */
  rank: number;
}

/** A queue in the database. Each function reads a bounded number of rows by an index. */
export interface Queue<To extends Recipient, Item> {
  /** Returns the recipients of the messages behind a position that are due by `now`, the first due first. */
  read(core: Core, after: QueuePosition, now: number, most: number): (QueuePosition & { to: To })[];
  /** Returns the message that goes next to a recipient; undefined where none is due. */
  next(core: Core, to: To): Item | undefined;
  recipientOf(item: Item): To;
}

/** The recipients of what is due in one queue. What a pass costs does not depend on how much waits. */
export interface DueList<To extends Recipient, Item> {
  /**
   * Reads on in the queue, and then yields the messages that may begin: fairly across members, one for each
   * recipient, and none for the recipients of those in `running`. Each is read right before it is yielded.
   * The caller begins it before it asks for another.
   */
  begin(core: Core, running: readonly Item[], room: FreeSlots<To>): Iterable<Item>;
  /** Whether more is due than was read so far. */
  isBehind(): boolean;
  /** Whether a recipient waits for a slot, or has a message that runs or ended since the last pass. */
  isAnyKnown(): boolean;
}

/** The concurrency limits of one pass. */
export interface FreeSlots<To> {
  isFull(): boolean;
  hasFor(to: To): boolean;
}

/** One pass reads so many rows; 250 take half a millisecond. */
const READ_AT_ONCE = 250;
/**
 * Reading pauses while so many recipients wait. Those of one host are at most half of them (`WAITING_MAX`).
 */
const KNOWN_MAX = 10_000;
/**
 * A row may be committed after one that is due later, as the clocks of threads differ. They differ by less
 * than this.
 */
const OVERLAP_MS = SECOND;
/** The queue is read from its start again so often, for rows that were missed or moved. */
const REREAD_MS = 15 * SECOND;
const START: QueuePosition = { dueAt: 0, seq: 0 };

/**
 * Creates a list that remembers what it read and may be wrong: a recipient that is missing is found within
 * `REREAD_MS`, and one for which nothing is due any more is dropped when its turn comes.
 */
export function createDueList<To extends Recipient, Item>(queue: Queue<To, Item>): DueList<To, Item> {
  const order = createFairOrder();
  /** Recipients with something due and nothing running, by member and key. */
  const waiting = new Map<string, Map<string, To>>();
  let count = 0;
  /** Recipients with a message that runs, by key. */
  const running = new Map<string, To>();
  let after = START;
  let isBehind = false;
  let startedAt = -Infinity;

  function add(to: To): void {
    if (running.has(to.key)) return;
    const ofMember = waiting.get(to.member) ?? new Map<string, To>();
    if (!ofMember.has(to.key)) count++;
    waiting.set(to.member, ofMember.set(to.key, to));
  }

  function remove({ key, member }: To): void {
    const ofMember = waiting.get(member);
    if (ofMember?.delete(key)) count--;
    if (ofMember?.size === 0) waiting.delete(member);
  }

  function noteEnded(core: Core, items: readonly Item[]): void {
    const keys = new Set(items.map((item) => queue.recipientOf(item).key));
    for (const [key, to] of running) {
      if (keys.has(key)) continue;
      running.delete(key);
      const next = queue.next(core, to);
      if (next !== undefined) add(queue.recipientOf(next));
    }
  }

  function read(core: Core): void {
    const now = core.clock.steady();
    if (!isBehind && (count === 0 || now - startedAt >= REREAD_MS)) {
      after = START;
      startedAt = now;
    }
    const rows = count < KNOWN_MAX ? queue.read(core, after, now, READ_AT_ONCE) : [];
    for (const { to } of rows.toSorted((one, other) => one.to.rank - other.to.rank)) add(to);
    isBehind = rows.length === READ_AT_ONCE;
    const last = rows.at(-1);
    if (isBehind && last) after = { dueAt: last.dueAt, seq: last.seq };
    else if (count < KNOWN_MAX) after = { dueAt: now - OVERLAP_MS, seq: 0 };
  }

  return {
    *begin(core, items, room) {
      noteEnded(core, items);
      read(core);
      for (const ofMember of order.sorted(waiting)) {
        if (room.isFull()) return;
        for (const to of byRank(ofMember)) {
          if (!room.hasFor(to)) continue;
          remove(to);
          // Two members may share a mailbox.
          const item = running.has(to.key) ? undefined : queue.next(core, to);
          if (item === undefined) continue;
          running.set(to.key, to);
          order.begun(queue.recipientOf(item).member);
          yield item;
          break;
        }
      }
    },
    isBehind: () => isBehind,
    isAnyKnown: () => count > 0 || running.size > 0,
  };
}

function byRank<To extends Recipient>(recipients: ReadonlyMap<string, To>): Iterable<To> {
  if (recipients.size < 2) return recipients.values();
  return [...recipients.values()].sort((one, other) => one.rank - other.rank);
}
