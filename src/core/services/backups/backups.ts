import { type Caller, requireAdmin } from "../../identity/access/caller.ts";
import { BACKUPS } from "../../identity/notifications/kinds.ts";
import { notifyTeam } from "../../identity/notifications/notify.ts";
import type { Core } from "../../base/core.ts";

/** How the scheduled backups are, for whoever runs the community. Times in milliseconds. */
export interface BackupHealth {
  /** The time between two. */
  everyMs: number;
  /** The newest that was verified; undefined where there is none yet. */
  last?: { at: number; name: string; bytes: number; ms: number };
  /** The newest try, where it failed after that. */
  failed?: { at: number; reason: string };
  /** Whether the last good one is older than twice the time between two. */
  isLate: boolean;
  /** What came of restores that were tried. */
  rehearsal?: RehearsalHealth;
}

export interface RehearsalHealth {
  /** The newest that was restored, looked through and opened. */
  last?: { at: number; name: string; ms: number };
  /** The newest try, where it failed after that. */
  failed?: { at: number; reason: string };
}

/** Whoever makes the backups tells of them here; nothing where none are scheduled. */
export function setBackups(core: Core, health: () => BackupHealth | undefined): void {
  core.memory(registered).health = health;
}

/** Tells those who run the community that one failed, at that moment. Called by whoever makes them. */
export async function noteFailedBackup(
  core: Core,
  { at, reason }: { at: number; reason: string },
): Promise<void> {
  await core.db.write(() =>
    notifyTeam(core, { kind: "backup_failed", subject: BACKUPS, about: reason, fact: `${at}` }),
  );
}

/** Undefined where no backups are scheduled. For admins. */
export function backupHealth(core: Core, caller: Caller): BackupHealth | undefined {
  requireAdmin(caller);
  return core.memory(registered).health?.();
}

function registered(): { health?: () => BackupHealth | undefined } {
  return {};
}
