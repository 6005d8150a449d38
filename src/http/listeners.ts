import type { Caller } from "../core/identity/access/caller.ts";
import { SECOND } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { refuse } from "../core/base/errors.ts";
import { createSerialQueue } from "../core/base/serial-queue.ts";
import { isSpent, yieldToEvents } from "./scheduler.ts";
import type { RequestContext } from "./context.ts";

/**
 * Maximum numbers. `each`: open streams per account. `all`: open streams in total. `operations`: operations
 * in total. A stream is one connection, however many operations it carries.
 */
export const LISTENERS_MAX = { each: 5, all: 1_000, operations: 5_000 } as const;

/**
 * How often the server checks the database version for commits, in ms. The server does not check without
 * listeners.
 */
const CHECK_EVERY_MS = 100;
/** How often the caller of an idle listener is checked again, in ms. A token can expire without a commit. */
const RECHECK_MS = 15 * SECOND;

export interface Listening {
  /** Resolves to true when data may have changed, and to false when the listener has ended. */
  changed(): Promise<boolean>;
  /**
   * Runs work in the account's slot when the event loop has time. Each account has one slot. Returns
   * `undefined` without running the work if the caller's permission has ended.
   */
  runInSlot<Result>(work: () => Result | Promise<Result>): Promise<Result | undefined>;
  /** Whether the caller may still listen. Authenticates the caller again only after a commit. */
  isAllowed(): Promise<boolean>;
  /**
   * Whether the caller's permission has ended. A stream that ends for this reason is complete and not broken
   * off.
   */
  isOver(): boolean;
  close(): void;
}

export interface Listeners {
  /**
   * Opens a stream. Calls `onCallerChange` with the current caller after each check of the caller. Pass `who`
   * to authenticate callers without a bearer token. Throws conflict if the account has too many streams.
   */
  open(
    context: RequestContext,
    onCallerChange: (caller: Caller) => void,
    currentCaller?: RequestContext["callerNow"],
  ): Listening;
  /** Adds an operation to an open stream. Throws conflict above the limit of operations in total. */
  join(context: RequestContext, onCallerChange: (caller: Caller) => void): Listening;
  /** Returns the number of open streams. */
  count(): number;
  stop(): void;
}

interface Listener {
  /** Account that owns the stream. `undefined` for an operation that was added to a stream. */
  account: string | undefined;
  wake(): void;
  close(): void;
}

/**
 * Creates listeners. The listeners wake when any process commits to the database. No message broker exists,
 * so each listener reads the database itself.
 */
export function createListeners(core: Core): Listeners {
  const open = new Set<Listener>();
  // A commit wakes all listeners at once. Each account has only one slot, so an account with many listeners
  // delays other accounts by only one piece of work.
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

  /** Returns the listeners of streams, without the listeners of operations that were added to a stream. */
  function streamsOf(): Listener[] {
    return [...open].filter((listener) => listener.account !== undefined);
  }

  function add(listener: Listener): void {
    open.add(listener);
    if (timer) return;
    version = core.db.version();
    timer = setInterval(recheckIfChanged, CHECK_EVERY_MS);
  }

  function remove(listener: Listener): void {
    open.delete(listener);
    if (open.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function listen(
    currentCaller: RequestContext["callerNow"],
    onCallerChange: (caller: Caller) => void,
    owner: string,
    account: string | undefined,
  ): Listening {
    /** Database version when the caller was last checked. */
    let checkedAt: number | undefined;
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
      // Work may run even after the server has stopped and closed its database. In this case the caller is
      // not allowed.
      if (isClosed) return false;
      const now = core.db.version();
      if (now !== checkedAt) {
        const caller = await currentCaller();
        checkedAt = now;
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
        const recheck = setTimeout(listener.wake, RECHECK_MS);
        while (!isChanged && !isClosed) await new Promise<void>((resolve) => (waiting = resolve));
        clearTimeout(recheck);
        return inSlot(() => {
          isChanged = false;
          checkedAt = undefined;
          return isAllowed();
        });
      },
    };
  }

  return {
    open(context, onCallerChange, currentCaller = context.callerNow) {
      const account = context.caller?.builderId ?? "";
      const streams = streamsOf();
      if (streams.filter((listener) => listener.account === account).length >= LISTENERS_MAX.each)
        throw refuse("subscriptions_too_many", { max: LISTENERS_MAX.each });
      if (streams.length >= LISTENERS_MAX.all || isStopped) throw refuse("subscriptions_full");
      return listen(currentCaller, onCallerChange, account, account);
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
