import type { Caller } from "../core/identity/access/caller.ts";
import { SECOND } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { refuse } from "../core/base/errors.ts";
import { createSerialQueue } from "../core/base/serial-queue.ts";
import { isSpent, yieldToEvents } from "./scheduler.ts";
import type { RequestContext } from "./context.ts";

/**
 * So many streams may one account have open, and all together; a stream is one connection, however much is
 * told on it.
 */
export const LISTENERS_MAX = { each: 5, all: 1_000, operations: 5_000 } as const;

/** Whether anything was committed is one number of the database; while nobody listens, nobody asks for it. */
const LOOK_EVERY_MS = 100;
/** A token that expires makes no commit. */
const ASK_AGAIN_MS = 15 * SECOND;

/** One subscriber's listener. */
export interface Listening {
  /** Resolves when anything may have changed; false when there is nothing more to wait for. */
  changed(): Promise<boolean>;
  /**
   * Runs work when no other listener of the account does, and when it is time for it. Undefined, and no work,
   * once the caller may not listen any more.
   */
  runInSlot<Result>(work: () => Result | Promise<Result>): Promise<Result | undefined>;
  /**
   * Whether the caller may still listen; asks again only where anything was committed since the last time.
   */
  isAllowed(): Promise<boolean>;
  /** Whether the caller's right to listen has ended: then the stream is complete, and not only cut. */
  isOver(): boolean;
  close(): void;
}

export interface Listeners {
  /**
   * For a stream of its own; `onCallerChange` hears who asks by now, each time. `who` looks them up, where
   * they have shown it otherwise than by a token. Throws conflict for the sixth of an account.
   */
  open(
    context: RequestContext,
    onCallerChange: (caller: Caller) => void,
    who?: RequestContext["callerNow"],
  ): Listening;
  /** For an operation on a counted stream. Throws conflict above the limit of all streams. */
  join(context: RequestContext, onCallerChange: (caller: Caller) => void): Listening;
  /** The number of open streams. */
  count(): number;
  /** Ends all streams. */
  stop(): void;
}

interface Listener {
  /** Whose stream it is; undefined for an operation on one. */
  account: string | undefined;
  wake(): void;
  close(): void;
}

/**
 * Wakes those who listen when something in the database has changed, by this process or another. No broker:
 * each reads for itself.
 */
export function createListeners(core: Core): Listeners {
  const open = new Set<Listener>();
  // A commit wakes everybody at once. However many listeners an account has, it delays others by one of them.
  const slots = createSerialQueue();
  let isStopped = false;
  let timer: ReturnType<typeof setInterval> | undefined;
  let version = 0;

  function recheckIfChanged(): void {
    const now = core.db.version();
    if (now === version) return;
    version = now;
    for (const listener of open) listener.wake();
  }

  /** Operations on a stream are none themselves. */
  function streamsOf(): Listener[] {
    return [...open].filter((listener) => listener.account !== undefined);
  }

  function add(listener: Listener): void {
    open.add(listener);
    if (timer) return;
    version = core.db.version();
    timer = setInterval(recheckIfChanged, LOOK_EVERY_MS);
  }

  function remove(listener: Listener): void {
    open.delete(listener);
    if (open.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function listen(
    who: RequestContext["callerNow"],
    onCallerChange: (caller: Caller) => void,
    owner: string,
    account: string | undefined,
  ): Listening {
    /** At which version of the database the caller was looked up. */
    let askedAt: number | undefined;
    let isChanged = false;
    let isClosed = false;
    let isOver = false;
    let waiting: (() => void) | undefined;
    const listener: Listener = {
      account,
      wake() {
        isChanged = true;
        waiting?.();
      },
      close() {
        isClosed = true;
        remove(listener);
        waiting?.();
      },
    };
    add(listener);

    const inSlot = <Result>(work: () => Promise<Result>): Promise<Result> =>
      slots(owner, async () => {
        if (isSpent()) await yieldToEvents();
        return work();
      });

    async function isAllowed(): Promise<boolean> {
      // Work may still be queued when the server has stopped and closed its database.
      if (isClosed) return false;
      const now = core.db.version();
      if (now !== askedAt) {
        const caller = await who();
        askedAt = now;
        isOver = caller === undefined;
        if (caller) onCallerChange(caller);
      }
      return !isOver && !isClosed;
    }

    return {
      isOver: () => isOver,
      isAllowed,
      runInSlot: (work) => inSlot(async () => ((await isAllowed()) ? work() : undefined)),
      close: listener.close,
      async changed() {
        const askAgain = setTimeout(listener.wake, ASK_AGAIN_MS);
        while (!isChanged && !isClosed) await new Promise<void>((resolve) => (waiting = resolve));
        clearTimeout(askAgain);
        return inSlot(() => {
          isChanged = false;
          askedAt = undefined;
          return isAllowed();
        });
      },
    };
  }

  return {
    open(context, onCallerChange, who = context.callerNow) {
      const account = context.caller?.builderId ?? "";
      const streams = streamsOf();
      if (streams.filter((listener) => listener.account === account).length >= LISTENERS_MAX.each)
        throw refuse("subscriptions_too_many", { max: LISTENERS_MAX.each });
      if (streams.length >= LISTENERS_MAX.all || isStopped) throw refuse("subscriptions_full");
      return listen(who, onCallerChange, account, account);
    },
    join(context, onCallerChange) {
      if (open.size >= LISTENERS_MAX.operations || isStopped) throw refuse("subscriptions_full");
      return listen(context.callerNow, onCallerChange, context.caller?.builderId ?? "", undefined);
    },
    count: () => streamsOf().length,
    stop() {
      isStopped = true;
      for (const listener of [...open]) listener.close();
    },
  };
}
