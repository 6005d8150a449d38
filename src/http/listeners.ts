import type { Caller } from "../core/identity/access/caller.ts";
import { SECOND } from "../core/ground/clock.ts";
import type { Core } from "../core/ground/core.ts";
import { refuse } from "../core/ground/errors.ts";
import { isSpent, rest } from "./pace.ts";
import type { Visit } from "./visit.ts";

/** So many streams may one account have open, and all together; a stream is one connection, however much is told on it. */
export const LISTENERS_MAX = { each: 5, all: 1_000, operations: 5_000 } as const;

/** Whether anything was committed is one number of the database; while nobody listens, nobody asks for it. */
const LOOK_EVERY_MS = 100;
/** A token that expires makes no commit. */
const ASK_AGAIN_MS = 15 * SECOND;

/** One subscriber's ear. */
export interface Listening {
  /** Resolves when anything may have changed; false when there is nothing more to wait for. */
  changed(): Promise<boolean>;
  /** Whether the caller's right to listen has ended: then the stream is complete, and not only cut. */
  isOver(): boolean;
  close(): void;
}

export interface Listeners {
  /** For a stream of its own; `tell` hears who asks by now, each time. Throws conflict for the sixth of an account. */
  open(visit: Visit, tell: (caller: Caller) => void): Listening;
  /** For an operation on a stream that counts already. Throws conflict where all of them are too many. */
  join(visit: Visit, tell: (caller: Caller) => void): Listening;
  /** Ends all streams. */
  stop(): void;
}

interface Ear {
  /** Whose stream it is; undefined for an operation on one. */
  account: string | undefined;
  wake(): void;
  close(): void;
}

/** Wakes those who listen when something in the database has changed, by this process or another. No broker: each reads for itself. */
export function createListeners(core: Core): Listeners {
  const ears = new Set<Ear>();
  let isStopped = false;
  let timer: ReturnType<typeof setInterval> | undefined;
  let version = 0;

  function look(): void {
    const now = core.db.version();
    if (now === version) return;
    version = now;
    for (const ear of ears) ear.wake();
  }

  function add(ear: Ear): void {
    ears.add(ear);
    if (timer) return;
    version = core.db.version();
    timer = setInterval(look, LOOK_EVERY_MS);
  }

  function remove(ear: Ear): void {
    ears.delete(ear);
    if (ears.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function listen(visit: Visit, tell: (caller: Caller) => void, account: string | undefined): Listening {
    let isChanged = false;
    let isClosed = false;
    let isOver = false;
    let waiting: (() => void) | undefined;
    const ear: Ear = {
      account,
      wake() {
        isChanged = true;
        waiting?.();
      },
      close() {
        isClosed = true;
        remove(ear);
        waiting?.();
      },
    };
    add(ear);
    return {
      isOver: () => isOver,
      close: ear.close,
      async changed() {
        const askAgain = setTimeout(ear.wake, ASK_AGAIN_MS);
        while (!isChanged && !isClosed) await new Promise<void>((resolve) => (waiting = resolve));
        clearTimeout(askAgain);
        // A commit wakes everybody at once: a thousand who read are as much work as a dear operation.
        if (isSpent()) await rest();
        isChanged = false;
        if (isClosed) return false;
        const caller = await visit.callerNow();
        isOver = caller === undefined;
        if (caller) tell(caller);
        return caller !== undefined;
      },
    };
  }

  return {
    open(visit, tell) {
      const account = visit.caller?.builderId ?? "";
      const streams = [...ears].filter((ear) => ear.account !== undefined);
      if (streams.filter((ear) => ear.account === account).length >= LISTENERS_MAX.each)
        throw refuse("subscriptions_too_many", { max: LISTENERS_MAX.each });
      if (streams.length >= LISTENERS_MAX.all || isStopped) throw refuse("subscriptions_full");
      return listen(visit, tell, account);
    },
    join(visit, tell) {
      if (ears.size >= LISTENERS_MAX.operations || isStopped) throw refuse("subscriptions_full");
      return listen(visit, tell, undefined);
    },
    stop() {
      isStopped = true;
      for (const ear of [...ears]) ear.close();
    },
  };
}
