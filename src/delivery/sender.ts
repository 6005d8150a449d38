import type { Logger } from "pino";
import { SECOND } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { maintenanceOf } from "../core/identity/maintenance/maintenance.ts";
import { createSteps } from "./steps.ts";

/** A queue in the database, such as pushes or emails. Each item is sent separately. */
export interface QueueToSend<Item extends { seq: number }, End> {
  /** Prefix of the step names in the log. */
  name: string;
  /**
   * Adds new items to the queue. `addBatch` adds one batch and returns whether more items remain. The
   * position of the last batch is stored in the database. `isDue` is called outside of a transaction.
   */
  gather?: { isDue(core: Core): boolean; addBatch(core: Core): boolean };
  /**
   * Yields the items that may start now, in addition to the running items. The caller must start each item
   * before the next item is read.
   */
  due(core: Core, running: readonly Item[]): Iterable<Item>;
  /** Whether more items are due than the last pass has read. */
  isBehind(): boolean;
  /**
   * Returns when the next item is due, in steady time. Returns the current time if an item waits for a slot.
   */
  nextDue(core: Core): number | undefined;
  /** Sends an item. Must not throw. */
  send(core: Core, item: Item): Promise<End>;
  /** Result of an item whose `send` threw an error anyway. */
  failed: End;
  settle(core: Core, item: Item, end: End): void;
}

export interface Sender {
  /** Starts a pass, because an item may be due. */
  wake(): void;
  /** Starts no more items, waits for the running items and stores their results. */
  stop(): Promise<void>;
  health(): { running: number; faults: number };
}

/** How often the loop checks for writes and retries failed steps, in ms. */
const CHECK_EVERY_MS = SECOND;
const SLEEP_MAX_MS = 60 * SECOND;
const STOP_POLL_MS = 2;

/**
 * Starts the loop of one queue: gather, start due items, store results, sleep. The loop runs in addition to
 * the webhook loop and has its own slots. Neither loop waits for the other. All state is in the database. If
 * the process is killed, an interrupted item is sent again.
 */
export function startSender<Item extends { seq: number }, End>(
  core: Core,
  sending: QueueToSend<Item, End>,
  log: Logger,
): Sender {
  const steps = createSteps(log);
  const running = new Map<number, Item>();
  let seenVersion = -1;
  let isPassing = false;
  let isWoken = false;
  let isStopping = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const changeTimer = setInterval(() => {
    if (core.db.version() !== seenVersion || steps.isAnyPaused()) wake();
    steps.wake();
  }, CHECK_EVERY_MS);
  const isGivenUp = (): boolean => core.db.fencedBy() !== undefined;
  wake();
  return { wake, stop, health: () => ({ running: running.size, faults: steps.faults() }) };

  function wake(): void {
    isWoken = true;
    if (isPassing) return;
    isPassing = true;
    setImmediate(() => void run());
  }

  async function run(): Promise<void> {
    clearTimeout(timer);
    while (isWoken && !isStopping) {
      isWoken = false;
      if (!maintenanceOf(core) && !isGivenUp()) await pass();
    }
    await steps.run(`${sending.name}: sleep`, sleep);
    isPassing = false;
    if (isWoken && !isStopping) wake();
  }

  async function pass(): Promise<void> {
    await steps.run(`${sending.name}: gather`, async () => {
      const { gather } = sending;
      if (gather?.isDue(core) && (await core.db.write(() => gather.addBatch(core)))) isWoken = true;
    });
    await steps.run(`${sending.name}: begin`, () => {
      if (isStopping) return;
      for (const item of sending.due(core, [...running.values()])) void begin(item);
      // A pass reads a bounded number of rows. Other work of the thread runs between two passes.
      if (sending.isBehind()) setImmediate(wake);
    });
  }

  async function begin(item: Item): Promise<void> {
    running.set(item.seq, item);
    const end = await sending.send(core, item).catch((err: unknown) => {
      steps.report(`${sending.name}: send`, err);
      return sending.failed;
    });
    // An item keeps its slot until its result is stored. Otherwise a full disk would cause the same item to
    // be sent again and again.
    while (!(await settled(item, end)) && !isStopping) await Bun.sleep(CHECK_EVERY_MS);
    running.delete(item.seq);
    wake();
  }

  async function settled(item: Item, end: End): Promise<boolean> {
    // This node no longer leads. The new leader sends the item again.
    if (isGivenUp()) return true;
    try {
      await core.db.write(() => sending.settle(core, item, end));
      return true;
    } catch (err) {
      steps.report(`${sending.name}: settle`, err);
      return false;
    }
  }

  function sleep(): void {
    if (isStopping) return;
    seenVersion = core.db.version();
    const dueAt = sending.nextDue(core);
    const ms = dueAt === undefined ? SLEEP_MAX_MS : Math.min(dueAt - core.clock.steady(), SLEEP_MAX_MS);
    // An item that is already due waits for a slot. A freed slot wakes the loop.
    timer = setTimeout(wake, ms > 0 ? ms : CHECK_EVERY_MS);
  }

  async function stop(): Promise<void> {
    isStopping = true;
    clearInterval(changeTimer);
    clearTimeout(timer);
    while (isPassing || running.size > 0) await Bun.sleep(STOP_POLL_MS);
  }
}
