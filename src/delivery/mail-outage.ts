import { SECOND } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { isUrgentMailDue, type MailEnd } from "../core/identity/mail/queue.ts";

/**
 * Whether the operator's mail server is reachable. The urgent and the ordinary lane share this state. During
 * an outage one email is tried at a time, with growing pauses. Urgent mail is tried first.
 */
export interface MailOutage {
  /**
   * Returns when the next email may be tried, in steady time. Returns `undefined` if no outage is in
   * progress.
   */
  nextTry(): number | undefined;
  mayTry(core: Core, isUrgent: boolean): boolean;
  /** Attempts to send an email and updates the outage from the result. */
  run(core: Core, attempt: () => Promise<MailEnd>): Promise<MailEnd>;
  /** Calls `wake` when the server accepts mail again. */
  onEnd(wake: () => void): void;
}

const PAUSE_FIRST_MS = SECOND;
const PAUSE_MAX_MS = 5 * SECOND;

export function createMailOutage(): MailOutage {
  const wakes: (() => void)[] = [];
  let pause: { ms: number; until: number } | undefined;
  /** Number of running attempts that started during the outage: 0 or 1. */
  let trying = 0;
  return {
    nextTry: () => pause?.until,
    mayTry: (core, isUrgent) =>
      pause === undefined ||
      (trying === 0 && core.clock.steady() >= pause.until && (isUrgent || !isUrgentMailDue(core))),
    async run(core, attempt) {
      const atStart = pause;
      if (atStart) trying++;
      try {
        const end = await attempt();
        // Attempts that started before the outage may fail together. Only the first failure starts the pause.
        if (end.kind !== "unreachable") stop();
        else if (pause === atStart) extend(core);
        return end;
      } finally {
        if (atStart) trying--;
      }
    },
    onEnd: (wake) => void wakes.push(wake),
  };

  function extend(core: Core): void {
    const ms = Math.min(pause ? pause.ms * 2 : PAUSE_FIRST_MS, PAUSE_MAX_MS);
    pause = { ms, until: core.clock.steady() + ms };
  }

  function stop(): void {
    if (!pause) return;
    pause = undefined;
    for (const wake of wakes) wake();
  }
}
