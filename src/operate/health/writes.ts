import type { Digest } from "../../core/base/digest.ts";
import type { Core } from "../../core/base/core.ts";
import type { HttpMetrics } from "../../http/metrics.ts";
import type { DeliveryHealth } from "./endpoints.ts";

/** Adds two write queues to `/metrics`: the queue of the requests and the queue of the delivery thread. */
export function gaugeWrites(
  metrics: HttpMetrics,
  core: Core,
  loop: { health(): Pick<DeliveryHealth, "tally"> },
): void {
  metrics.gauges(() => ({ guildhall_database_writes_waiting: core.db.writes().waiting }));
  const each = (name: "commits" | "writes") => (): [[thread: string], Digest][] => [
    [["requests"], core.db.writes()[name]],
    [["delivery"], loop.health().tally[name]],
  ];
  metrics.collect("guildhall_database_commit_seconds", each("commits"));
  metrics.collect("guildhall_database_write_seconds", each("writes"));
}
