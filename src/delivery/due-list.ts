import { SECOND } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import type { QueuePosition } from "../core/base/queue-limits.ts";
import { createFairOrder } from "./fair-order.ts";

/** A browser or mailbox. Receives only one message at a time. */
export interface Recipient {
  key: string;
  member: string;
  /** Order among the recipients of one member, and among the rows of one read. The lowest rank is first. */
  rank: number;
}

/** A queue of messages in the database. Each function reads a limited number of rows by an index. */
export interface Queue<To extends Recipient, Item> {
  /**
   * Returns the recipients of due messages, in the order of their due time. Starts after the position
   * `after`. Messages are due if their due time is at most `now`.
   */
  read(core: Core, after: QueuePosition, now: number, most: number): (QueuePosition & { to: To })[];
  /** Returns the next message for a recipient. Returns `undefined` if no message is due. */
  next(core: Core, to: To): Item | undefined;
  recipientOf(item: Item): To;
}

/**
 * List of the recipients with due messages of one queue. The cost of a pass does not depend on the length of
 * the queue.
 */
export interface DueList<To extends Recipient, Item> {
  /**
   * Reads the next rows of the queue, then yields the messages that may start. The order is fair across
   * members. Yields one message per recipient, and skips recipients of messages in `running`. Reads each
   * message right before yielding it. The caller must start a message before asking for the next message.
   */
  begin(core: Core, running: readonly Item[], slots: FreeSlots<To>): Iterable<Item>;
  /** Whether more messages are due than the list has read. */
  isBehind(): boolean;
  /**
   * Whether the list contains any recipient. A recipient in the list waits for a slot, or its message is
   * running or has ended since the last pass.
   */
  hasWaiting(): boolean;
}

/** The concurrency limits of one pass. */
export interface FreeSlots<To> {
  isFull(): boolean;
  hasFor(to: To): boolean;
}

/** Number of rows that one pass reads. Reading 250 rows takes 0.5 ms. */
const READ_AT_ONCE = 250;
/**
 * Maximum number of waiting recipients in the list. Above this number, no more rows are read. At most half of
 * the recipients belong to one host (`WAITING_MAX`).
 */
const RECIPIENTS_MAX = 10_000;
/**
 * Maximum difference between the clocks of two threads, in ms. A row may therefore be committed after a row
 * with a later due time.
 */
const OVERLAP_MS = SECOND;
/**
 * How often the queue is reread from its start, in ms. Rereading finds rows that were missed or have a new
 * due time.
 */
const REREAD_MS = 15 * SECOND;
const START: QueuePosition = { dueAt: 0, seq: 0 };

/**
 * Creates a list that caches recipients and may be outdated. A missing recipient is found within `REREAD_MS`.
 * A recipient without due messages is removed at its next position in the order.
 */
export function createDueList<To extends Recipient, Item>(queue: Queue<To, Item>): DueList<To, Item> {
  const order = createFairOrder();
  /** Recipients with a due message and no running message, by member and key. */
  const waiting = new Map<string, Map<string, To>>();
  let count = 0;
  /** Recipients with a running message, by key. */
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
    const rows = count < RECIPIENTS_MAX ? queue.read(core, after, now, READ_AT_ONCE) : [];
    for (const { to } of rows.toSorted((one, other) => one.to.rank - other.to.rank)) add(to);
    isBehind = rows.length === READ_AT_ONCE;
    const last = rows.at(-1);
    if (isBehind && last) after = { dueAt: last.dueAt, seq: last.seq };
    else if (count < RECIPIENTS_MAX) after = { dueAt: now - OVERLAP_MS, seq: 0 };
  }

  return {
    *begin(core, items, slots) {
      noteEnded(core, items);
      read(core);
      for (const ofMember of order.sorted(waiting)) {
        if (slots.isFull()) return;
        for (const to of byRank(ofMember)) {
          if (!slots.hasFor(to)) continue;
          remove(to);
          // Skips a recipient whose message is running. Two members may share one mailbox.
          const item = running.has(to.key) ? undefined : queue.next(core, to);
          if (item === undefined) continue;
          running.set(to.key, to);
          order.noteStart(queue.recipientOf(item).member);
          yield item;
          break;
        }
      }
    },
    isBehind: () => isBehind,
    hasWaiting: () => count > 0 || running.size > 0,
  };
}

function byRank<To extends Recipient>(recipients: ReadonlyMap<string, To>): Iterable<To> {
  if (recipients.size < 2) return recipients.values();
  return [...recipients.values()].sort((one, other) => one.rank - other.rank);
}
