import type { Logger } from "pino";
import { SECOND } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { maintenanceOf } from "../core/identity/maintenance/maintenance.ts";
import { createSteps } from "./steps.ts";

/** What is sent from a queue in the database, one by one: pushes, or mails. */
export interface QueueToSend<Item extends { seq: number }, End> {
  /** Of the steps in the log. */
  name: string;
  /**
   * Puts into the queue what is to be sent, a slice of it; whether there is more. Its place stands in the
   * database. Asked outside of a write whether there is anything.
   */
  gather?: { isDue(core: Core): boolean; slice(core: Core): boolean };
  /** What may begin now, beside what runs. Each begins before the next one is asked for. */
  due(core: Core, running: readonly Item[]): Iterable<Item>;
  /** Whether more is due than the last pass read. */
  isBehind(): boolean;
  /** When the next one falls due, by the steady time; now, where one waits for a slot. */
  nextDue(core: Core): number | undefined;
  /** Never throws. */
  send(core: Core, item: Item): Promise<End>;
  /** What comes of an item that threw all the same. */
  failed: End;
  settle(core: Core, item: Item, end: End): void;
}

export interface Sender {
  /** Something may be due. */
  wake(): void;
  /** Begins nothing more, lets what runs end, and writes down how. */
  stop(): Promise<void>;
  health(): { running: number; faults: number };
}

/** How often it looks whether anything was written, and tries a step again that failed. */
const LOOK_EVERY_MS = SECOND;
const SLEEP_MAX_MS = 60 * SECOND;
const STOP_LOOK_MS = 2;

/**
 * The loop of one kind of sending: gather, begin what is due, write down what ended, sleep. Beside that of
 * the webhooks, with places of its own, so that none waits for the other. Nothing is held here that the
 * tables do not hold: killed at any point, one is sent again at worst.
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
  const looks = setInterval(() => {
    if (core.db.version() !== seenVersion || steps.isAnyResting()) wake();
    steps.wake();
  }, LOOK_EVERY_MS);
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
      if (gather?.isDue(core) && (await core.db.write(() => gather.slice(core)))) isWoken = true;
    });
    await steps.run(`${sending.name}: begin`, () => {
      if (isStopping) return;
      for (const item of sending.due(core, [...running.values()])) void begin(item);
      // A pass reads a bounded number of rows, so that other work of the thread runs between two of them.
      if (sending.isBehind()) setImmediate(wake);
    });
  }

  async function begin(item: Item): Promise<void> {
    running.set(item.seq, item);
    const end = await sending.send(core, item).catch((err: unknown) => {
      steps.report(`${sending.name}: send`, err);
      return sending.failed;
    });
    // Until it is written down it keeps its place: on a full disk nobody is sent the same a thousand times.
    while (!(await settled(item, end)) && !isStopping) await Bun.sleep(LOOK_EVERY_MS);
    running.delete(item.seq);
    wake();
  }

  async function settled(item: Item, end: End): Promise<boolean> {
    // Then it is sent again where the community is led by now.
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
    // What is due already waits for a place, which wakes it.
    timer = setTimeout(wake, ms > 0 ? ms : LOOK_EVERY_MS);
  }

  async function stop(): Promise<void> {
    isStopping = true;
    clearInterval(looks);
    clearTimeout(timer);
    while (isPassing || running.size > 0) await Bun.sleep(STOP_LOOK_MS);
  }
}
