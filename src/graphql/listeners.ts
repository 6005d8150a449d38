import { SECOND } from "../core/clock.ts";
import type { Core } from "../core/core.ts";
import { conflict } from "../core/errors.ts";
import type { Visit } from "../http/visit.ts";
import type { GraphContext, Listening } from "./context.ts";

/** So many streams may one account have open, and all together. Each is a connection, and reads after every commit. */
export const LISTENERS_MAX = { each: 5, all: 1_000 } as const;

/** Whether anything was committed is one number of the database; while nobody listens, nobody asks for it. */
const LOOK_EVERY_MS = 100;
/** A token that expires makes no commit. */
const ASK_AGAIN_MS = 15 * SECOND;

export interface Listeners {
  /** Throws conflict for the sixth stream of an account. */
  open(visit: Visit, context: () => GraphContext): Listening;
  /** Ends all streams. */
  stop(): void;
}

/** Wakes those who listen when something in the database has changed, by this process or another. No broker: each reads for itself. */
export function createListeners(core: Core): Listeners {
  const ears = new Set<{ account: string; wake(): void; close(): void }>();
  let isStopped = false;
  let timer: ReturnType<typeof setInterval> | undefined;
  let version = 0;

  function look(): void {
    const now = core.db.version();
    if (now === version) return;
    version = now;
    for (const ear of ears) ear.wake();
  }

  function add(ear: { account: string; wake(): void; close(): void }): void {
    ears.add(ear);
    if (timer) return;
    version = core.db.version();
    timer = setInterval(look, LOOK_EVERY_MS);
  }

  function remove(ear: { account: string; wake(): void; close(): void }): void {
    ears.delete(ear);
    if (ears.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    open(visit, context) {
      const account = visit.caller?.builderId ?? "";
      const theirs = [...ears].filter((ear) => ear.account === account).length;
      if (theirs >= LISTENERS_MAX.each)
        throw conflict(`You have ${LISTENERS_MAX.each} subscriptions open already; close one first.`);
      if (ears.size >= LISTENERS_MAX.all || isStopped)
        throw conflict("This server has as many subscriptions open as it can bear; try again later.");
      let isChanged = false;
      let isClosed = false;
      let isOver = false;
      let waiting: (() => void) | undefined;
      const ear = {
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
          isChanged = false;
          if (isClosed) return false;
          const caller = await visit.callerNow();
          isOver = caller === undefined;
          if (caller) context().caller = caller;
          return caller !== undefined;
        },
      };
    },
    stop() {
      isStopped = true;
      for (const ear of [...ears]) ear.close();
    },
  };
}
