import { SECOND } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { isUrgentMailDue, type MailEnd } from "../core/identity/mail/queue.ts";

/**
 * State of the operator's mail server. Both lanes share it. During an outage one mail is tried at a time,
 * with growing pauses, and urgent mail is first.
 */
export interface MailOutage {
  /** Returns when the next mail may be tried, by the steady clock. Returns `undefined` without an outage. */
  nextTry(): number | undefined;
  mayTry(core: Core, isUrgent: boolean): boolean;
  /** Makes an attempt and updates the outage from its result. */
  run(core: Core, attempt: () => Promise<MailEnd>): Promise<MailEnd>;
  /** Calls `wake` when the server accepts mail again. */
  onEnd(wake: () => void): void;
}

const PAUSE_FIRST_MS = SECOND;
const PAUSE_MAX_MS = 5 * SECOND;

export function createMailOutage(): MailOutage {
  const wakes: (() => void)[] = [];
  let pause: { ms: number; until: number } | undefined;
  /** Attempts that started during the outage: 0 or 1. */
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
        // Attempts that began before the outage may fail together. Only the first failure extends the pause.
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
