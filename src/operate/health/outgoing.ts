import { outgoing } from "../../core/services/channels/outgoing.ts";
import { SECOND } from "../../core/base/clock.ts";
import type { Core } from "../../core/base/core.ts";
import { outgoingAttempts, type DeliveryCounters } from "../../core/outbox/deliveries/counters.ts";
import type { HttpMetrics } from "../../http/metrics.ts";

/** Maximum age of the cached queue counts, in ms. */
const QUEUES_EVERY_MS = 10 * SECOND;

/** Adds to `/metrics` the queues of outgoing emails and pushes, and the results of sending attempts. */
export function gaugeOutgoing(
  metrics: HttpMetrics,
  core: Core,
  loop: { health(): { tally: Pick<DeliveryCounters, "outgoing"> } },
): void {
  let read: { at: number; queues: ReturnType<typeof outgoing> } | undefined;
  const queues = (): ReturnType<typeof outgoing> => {
    const now = core.clock.elapsed();
    if (!read || now - read.at >= QUEUES_EVERY_MS) read = { at: now, queues: outgoing(core) };
    return read.queues;
  };
  metrics.collect("guildhall_mail_waiting", () =>
    queues().mails.map(({ kind, lane, waiting }) => [[kind, lane], waiting]),
  );
  metrics.collect("guildhall_mail_oldest_seconds", () =>
    queues().mails.map(({ kind, lane, oldestMs }) => [[kind, lane], oldestMs / SECOND]),
  );
  metrics.collect("guildhall_mail_overdue_seconds", () => {
    const { urgent, ordinary } = queues().overdueMs;
    return [
      [["urgent"], urgent / SECOND],
      [["ordinary"], ordinary / SECOND],
    ];
  });
  metrics.gauges(() => {
    const { pushes, overdueMs } = queues();
    return {
      guildhall_push_waiting: pushes.waiting,
      guildhall_push_oldest_seconds: pushes.oldestMs / SECOND,
      guildhall_push_overdue_seconds: overdueMs.push / SECOND,
    };
  });
  const attempts = () => outgoingAttempts(loop.health().tally);
  metrics.collect("guildhall_mail_attempts_total", () =>
    attempts()
      .filter(({ way }) => way === "mail")
      .map(({ kind, host, outcome, count }) => [[kind, host, outcome], count]),
  );
  metrics.collect("guildhall_push_attempts_total", () =>
    attempts()
      .filter(({ way }) => way === "push")
      .map(({ host, outcome, count }) => [[host, outcome], count]),
  );
}
