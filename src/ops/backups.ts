import type { BackupHealth } from "../core/across/backups/backups.ts";
import type { HttpMetrics } from "../http/metrics.ts";

/** On `/metrics`, where backups are scheduled. */
export function gaugeBackups(metrics: HttpMetrics, now: () => number, health: () => BackupHealth): void {
  const helps = {
    backup_age_seconds: "Since the newest scheduled backup that was verified; NaN where there is none.",
    backup_duration_seconds: "How long it took.",
    backup_bytes: "How much it holds, unpacked.",
    backup_failing: "1 where the newest try failed.",
    backup_rehearsal_age_seconds:
      "Since a restore of the newest was last tried and worked; NaN where none was.",
    backup_rehearsal_failing: "1 where the newest try of a restore failed.",
    backup_late: "1 where the newest good one is older than twice the time between two.",
  };
  metrics.gauges(helps, () => {
    const { last, failed, isLate, rehearsal } = health();
    return {
      backup_age_seconds: last ? (now() - last.at) / 1000 : Number.NaN,
      backup_duration_seconds: last ? last.ms / 1000 : Number.NaN,
      backup_bytes: last?.bytes ?? Number.NaN,
      backup_failing: failed ? 1 : 0,
      backup_late: isLate ? 1 : 0,
      backup_rehearsal_age_seconds: rehearsal?.last ? (now() - rehearsal.last.at) / 1000 : Number.NaN,
      backup_rehearsal_failing: rehearsal?.failed ? 1 : 0,
    } satisfies Record<keyof typeof helps, number>;
  });
}
