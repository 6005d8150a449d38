import { type Caller, requireAdmin } from "../../identity/access/caller.ts";
import { BACKUPS } from "../../identity/notifications/kinds.ts";
import { notifyTeam } from "../../identity/notifications/notify.ts";
import type { Core } from "../../base/core.ts";

/** Health of the scheduled backups. Times and durations are in ms. */
export interface BackupHealth {
  /** Interval between two backups. */
  everyMs: number;
  /** The newest verified backup. */
  last?: { at: number; name: string; bytes: number; ms: number };
  /** The newest attempt, if it failed and is newer than `last`. */
  failed?: { at: number; reason: string };
  /** Whether `last` is older than twice the interval. */
  isLate: boolean;
  /** Health of the test restores. */
  rehearsal?: RehearsalHealth;
}

export interface RehearsalHealth {
  /** The newest backup that was restored, checked and opened. */
  last?: { at: number; name: string; ms: number };
  /** The newest attempt, if it failed and is newer than `last`. */
  failed?: { at: number; reason: string };
}

/**
 * Registers the function that reports the health of the backups. The function returns undefined if no backups
 * are scheduled.
 */
export function setBackups(core: Core, health: () => BackupHealth | undefined): void {
  core.memory(registered).health = health;
}

/** Notifies the team of a failed backup. Called by the backup scheduler. */
export async function noteFailedBackup(
  core: Core,
  { at, reason }: { at: number; reason: string },
): Promise<void> {
  await core.db.write(() =>
    notifyTeam(core, { kind: "backup_failed", subject: BACKUPS, about: reason, fact: `${at}` }),
  );
}

/** Returns the health of the scheduled backups; undefined if no backups are scheduled. Only for admins. */
export function backupHealth(core: Core, caller: Caller): BackupHealth | undefined {
  requireAdmin(caller);
  return core.memory(registered).health?.();
}

function registered(): { health?: () => BackupHealth | undefined } {
  return {};
}
