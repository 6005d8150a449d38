import type { ReplicaHealth } from "../../core/services/backups/replica.ts";
import type { HttpMetrics } from "../../http/metrics.ts";

/** Adds the replica's age to `/metrics`. `health` returns undefined if there is no replica to check. */
export function gaugeReplica(metrics: HttpMetrics, health: () => ReplicaHealth | undefined): void {
  metrics.gauges(() => {
    const replica = health();
    return { guildhall_replica_age_seconds: replica && replica.ageMs / 1000 };
  });
}
