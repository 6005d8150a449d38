/** Asks for one thing of many; those that are asked for in the same moment under the same name are read together. */
export type Batch = <Value>(
  name: string,
  key: string,
  read: (keys: readonly string[]) => ReadonlyMap<string, Value>,
) => Promise<Value | undefined>;

interface Waiting {
  read: (keys: readonly string[]) => ReadonlyMap<string, unknown>;
  keys: Set<string>;
  answer: Promise<ReadonlyMap<string, unknown>>;
}

/**
 * The batches of one request: what a hundred rows ask for is one statement (P44, no N+1). A moment ends when nothing but
 * waiting is left to do. Nothing is remembered after it, so that a mutation's answer never shows what was before it.
 */
export function createBatch(): Batch {
  const open = new Map<string, Waiting>();

  function begin(name: string, read: Waiting["read"]): Waiting {
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, unknown>>();
    const waiting: Waiting = { read, keys: new Set(), answer: promise };
    open.set(name, waiting);
    // Behind all promises that are settled by now: their rows ask too.
    setImmediate(() => {
      open.delete(name);
      try {
        resolve(waiting.read([...waiting.keys]));
      } catch (error) {
        reject(error);
      }
    });
    return waiting;
  }

  return async <Value>(
    name: string,
    key: string,
    read: (keys: readonly string[]) => ReadonlyMap<string, Value>,
  ) => {
    const waiting = open.get(name) ?? begin(name, read);
    waiting.keys.add(key);
    return (await waiting.answer).get(key) as Value | undefined;
  };
}

/** Things by their ids. */
export function byId<Thing extends { id: string }>(things: readonly Thing[]): ReadonlyMap<string, Thing> {
  return new Map(things.map((thing) => [thing.id, thing]));
}
