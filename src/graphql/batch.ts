import { yieldToEvents } from "../http/scheduler.ts";
import type { AnswerSize } from "./answer-size.ts";

/**
 * Asks for one thing of many; those that are asked for in the same moment under the same name are read
 * together.
 */
export type Batch = <Value>(
  name: string,
  key: string,
  read: (keys: readonly string[]) => ReadonlyMap<string, Value>,
  /** How many rows one key may return. */
  rows?: number,
) => Promise<Value | undefined>;

/**
 * The rows that one statement reads for an expensive answer. They block the thread for twenty milliseconds.
 */
const ROWS_MAX = 2_000;
/** A row with a text of twenty thousand letters counts as so many: a hundred of them are read at once. */
export const LONG_ROWS = 20;

interface Waiting {
  read: (keys: readonly string[]) => ReadonlyMap<string, unknown>;
  keys: Set<string>;
  answer: Promise<ReadonlyMap<string, unknown>>;
}

/**
 * The batches of one request: what a hundred rows ask for is one statement (docs/threats.md#G12). A moment
 * ends when nothing but waiting is left to do. Nothing is remembered after it, so that a mutation's answer
 * never shows what was before it.
 *
 * What an expensive answer asks for is read in pieces, with rests between them and in the order in which it
 * was asked; nothing is read any more once nobody wants the answer, and whoever still waits for it waits for
 * ever.
 */
export function createBatch(size: AnswerSize): Batch {
  const open = new Map<string, Waiting>();
  const due: (() => void)[] = [];

  function begin(name: string, read: Waiting["read"]): Waiting {
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, unknown>>();
    const waiting: Waiting = { read, keys: new Set(), answer: promise };
    open.set(name, waiting);
    const answer = (): void => {
      if (open.get(name) === waiting) open.delete(name);
      try {
        resolve(waiting.read([...waiting.keys]));
      } catch (error) {
        reject(error);
      }
    };
    // Behind all promises that are settled by now: their rows ask too.
    if (!size.isExpensive) setImmediate(answer);
    else if (due.push(answer) === 1) void answerAll();
    return waiting;
  }

  async function answerAll(): Promise<void> {
    while (due.length > 0) {
      await yieldToEvents();
      if (size.stop?.signal.aborted) return;
      // What rests half way asks for more of the same.
      if (size.resting > 0) continue;
      due[0]?.();
      due.shift();
    }
  }

  return async <Value>(
    name: string,
    key: string,
    read: (keys: readonly string[]) => ReadonlyMap<string, Value>,
    rows = 1,
  ) => {
    const known = open.get(name);
    const isFull = size.isExpensive && known !== undefined && (known.keys.size + 1) * rows > ROWS_MAX;
    const waiting = known && (!isFull || known.keys.has(key)) ? known : begin(name, read);
    waiting.keys.add(key);
    return (await waiting.answer).get(key) as Value | undefined;
  };
}

/** Things by their ids. */
export function byId<Thing extends { id: string }>(things: readonly Thing[]): ReadonlyMap<string, Thing> {
  return new Map(things.map((thing) => [thing.id, thing]));
}
