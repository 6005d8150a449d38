import type { BackupHealth } from "../../core/services/backups/backups.ts";
import type { HttpMetrics } from "../../http/metrics.ts";

/** Adds backup gauges to `/metrics`. `health` returns undefined if no backups are scheduled. */
export function gaugeBackups(
  metrics: HttpMetrics,
  now: () => number,
  health: () => BackupHealth | undefined,
): void {
  metrics.gauges(() => {
    const backups = health();
    if (!backups) return { guildhall_backup_scheduled: 0 };
    const { last, failed, isLate, rehearsal } = backups;
    return {
      guildhall_backup_scheduled: 1,
      // The value is undefined without a backup, and never NaN, because an alert rule cannot compare NaN.
      // Without any backup, `_late` and `_failing` raise the alert.
      guildhall_backup_age_seconds: last && (now() - last.at) / 1000,
      guildhall_backup_duration_seconds: last && last.ms / 1000,
      guildhall_backup_bytes: last?.bytes,
      guildhall_backup_failing: failed ? 1 : 0,
      guildhall_backup_late: isLate ? 1 : 0,
      guildhall_backup_rehearsal_age_seconds: rehearsal?.last && (now() - rehearsal.last.at) / 1000,
      guildhall_backup_rehearsal_failing: rehearsal?.failed ? 1 : 0,
    };
  });
}
