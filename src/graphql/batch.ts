import { yieldToEvents } from "../http/scheduler.ts";
import type { AnswerSize } from "./answer-size.ts";

/** Reads one value by key. Calls with the same name in the same tick share one call of `read`. */
export type Batch = <Value>(
  name: string,
  key: string,
  read: (keys: readonly string[]) => ReadonlyMap<string, Value>,
  /** Maximum number of rows that `read` returns for one key. */
  rows?: number,
) => Promise<Value | undefined>;

/**
 * Maximum number of rows that one statement reads for an expensive response. Reading this many rows blocks
 * the thread for 20 ms.
 */
const ROWS_MAX = 2_000;
/**
 * Value for the parameter `rows` if each row has a text of 20,000 characters. One statement then reads at
 * most a hundred such rows.
 */
export const LONG_ROWS_BATCH = 20;

interface Waiting {
  read: (keys: readonly string[]) => ReadonlyMap<string, unknown>;
  keys: Set<string>;
  answer: Promise<ReadonlyMap<string, unknown>>;
}

/**
 * Creates the batches of one request. A batch combines the lookups of many objects into one statement
 * (docs/threats.md#G12). The batch is read at the end of the tick, after the code of all settled promises has
 * run. Results are not cached, so a mutation never returns outdated data.
 * For an expensive response, batches are read one after the other, with pauses. Reading stops when the
 * response is stopped. The remaining lookups then never resolve.
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
    // The batch is read after the continuations of all promises that are already settled, because these
    // continuations may add lookups to it.
    if (!size.isExpensive) setImmediate(answer);
    else if (due.push(answer) === 1) void answerAll();
    return waiting;
  }

  async function answerAll(): Promise<void> {
    while (due.length > 0) {
      await yieldToEvents();
      if (size.stop?.signal.aborted) return;
      // While lists are paused, the batches are not read, because the paused lists will add lookups to the
      // same batches.
      if (size.paused > 0) continue;
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

export function byId<Thing extends { id: string }>(things: readonly Thing[]): ReadonlyMap<string, Thing> {
  return new Map(things.map((thing) => [thing.id, thing]));
}
