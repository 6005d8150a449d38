import type { ReplicaHealth } from "../../core/services/backups/replica.ts";
import type { HttpMetrics } from "../../http/metrics.ts";

/** On `/metrics`; `health` gives nothing where there is no replica to look at. */
export function gaugeReplica(metrics: HttpMetrics, health: () => ReplicaHealth | undefined): void {
  metrics.gauges(() => {
    const replica = health();
    return { guildhall_replica_age_seconds: replica && replica.ageMs / 1000 };
  });
}
