import type { ReplicaHealth } from "../../core/services/backups/replica.ts";
import type { HttpMetrics } from "../../http/metrics.ts";

/** On `/metrics`; `health` gives nothing where there is no replica to look at. */
export function gaugeReplica(metrics: HttpMetrics, health: () => ReplicaHealth | undefined): void {
  metrics.gauges(() => {
    const told = health();
    return { guildhall_replica_age_seconds: told && told.ageMs / 1000 };
  });
}
