import { SECOND } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { isUrgentMailDue, type MailEnd } from "../core/identity/mail/queue.ts";

/**
 * Whether the operator's mail server takes no mail at all. Both lanes share it: while the outage lasts, one
 * mail is tried at a time, after longer and longer pauses, and urgent mail is tried first.
 */
export interface MailOutage {
  /** When the next mail may be tried, by the steady time; undefined where there is no outage. */
  nextTry(): number | undefined;
  mayTry(core: Core, isUrgent: boolean): boolean;
  /** Makes an attempt and learns from its end. */
  run(core: Core, attempt: () => Promise<MailEnd>): Promise<MailEnd>;
  /** Calls `wake` when the server takes mail again. */
  onEnd(wake: () => void): void;
}

const PAUSE_FIRST_MS = SECOND;
const PAUSE_MAX_MS = 5 * SECOND;

export function createMailOutage(): MailOutage {
  const wakes: (() => void)[] = [];
  let pause: { ms: number; until: number } | undefined;
  /** Attempts that began during the outage: none, or one. */
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
        // Of several attempts that began before the outage, the first failure alone says something new.
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
