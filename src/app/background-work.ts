import type { Logger } from "pino";
import { recordTokenUses } from "../core/delegation/tokens/tokens.ts";
import { forgetOldAppealSessions } from "../core/identity/accounts/appeal-sessions.ts";
import { forgetOldLinks } from "../core/identity/accounts/links.ts";
import { forgetOldSessions, recordLastSeen } from "../core/identity/accounts/sessions.ts";
import { forgetEndedApplications } from "../core/identity/applications/applications.ts";
import { fillKnownHosts } from "../core/community/holding/first-known-hosts.ts";
import { forgetOldBrakeFacts } from "../core/community/holding/known-hosts.ts";
import { forgetEndedHosts } from "../core/identity/held-hosts/held-hosts.ts";
import { forgetOldSignUps } from "../core/identity/sign-ups/sign-ups.ts";
import { forgetMailMarks } from "../core/identity/mail/mail-limits.ts";
import { forgetNotMeLinks } from "../core/identity/mail/not-me-links.ts";
import { forgetOldAudit } from "../core/identity/audit/audit.ts";
import { forgetOldNotifications } from "../core/services/notifications/notifications.ts";
import { forgetOldGrants } from "../core/delegation/grants/grants.ts";
import { forgetOldCopies } from "../core/services/moderation/reports.ts";
import { endRestrictions } from "../core/services/moderation/restrictions.ts";
import { dropUnusedMedia } from "../core/community/media/media.ts";
import { eraseDueAccounts } from "../core/services/deletion/deletion.ts";
import { dropRemovedPosts } from "../core/community/feed/removal.ts";
import { forgetOldKeys } from "../core/base/idempotency/idempotency.ts";
import { expireJobs } from "../core/community/jobs/board.ts";
import { rotateSigningKeys } from "../core/delegation/oauth/keys.ts";
import { forgetOldRecords } from "../core/delegation/oauth/records.ts";
import { forgetEndedKeys } from "../core/base/keyring/keyring.ts";
import { dropRemovedPrompts } from "../core/community/prompts/removal.ts";
import { dropRemovedWorkspaces } from "../core/delegation/workspaces/workspaces.ts";
import { backfillSearch } from "../core/services/search/backfill.ts";
import { maintenanceOf } from "../core/identity/maintenance/maintenance.ts";
import { HOUR, MINUTE, SECOND } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import type { HttpMetrics } from "../http/metrics.ts";

/**
 * Starts the periodic chores. The server logs a chore that fails, and runs the chore again at its next
 * interval.
 */
export function startBackgroundWork(
  core: Core,
  log: Logger,
  metrics: HttpMetrics,
  checks: Readonly<Record<string, () => Promise<void>>>,
): { stop(): void } {
  const run = backgroundWorkOf(core, log, metrics);
  const chore = (name: string, everyMs: number, work: (core: Core) => Promise<void>) =>
    setInterval(() => void run(name, work, { canPause: true }), everyMs);
  const timers = [
    ...Object.entries(checks).map(([name, check]) => setInterval(() => void run(name, check), MINUTE)),
    // Also runs in maintenance mode, so that a member who keeps reading stays signed in.
    setInterval(() => void run("record lastSeen of sessions", recordLastSeen), MINUTE),
    chore("record token uses", MINUTE, recordTokenUses),
    chore("index what was there before the search", MINUTE, backfillSearch),
    chore("forget idempotency keys", HOUR, forgetOldKeys),
    chore("forget ended sessions", HOUR, forgetOldSessions),
    chore("forget ended appeal sessions", HOUR, forgetOldAppealSessions),
    chore("forget one-time links", HOUR, forgetOldLinks),
    chore("forget ended applications", HOUR, forgetEndedApplications),
    chore("forget networks of sign-ups", HOUR, forgetOldSignUps),
    chore("forget held link hosts", HOUR, forgetEndedHosts),
    chore("note link hosts from before the brakes", HOUR, fillKnownHosts),
    chore("forget hosts and texts of the brakes", HOUR, forgetOldBrakeFacts),
    chore("forget mail marks", HOUR, forgetMailMarks),
    chore("forget links of notices about access", HOUR, forgetNotMeLinks),
    chore("forget old audit entries", HOUR, forgetOldAudit),
    chore("forget old notifications", HOUR, forgetOldNotifications),
    chore("forget copies of decided reports", HOUR, forgetOldCopies),
    chore("lift ended restrictions", MINUTE, endRestrictions),
    chore("drop removed workspaces", HOUR, dropRemovedWorkspaces),
    chore("forget ended authorizations", HOUR, forgetOldRecords),
    chore("forget keys before a rotation", HOUR, forgetEndedKeys),
    chore("forget revoked grants", HOUR, forgetOldGrants),
    chore("rotate signing keys", HOUR, rotateSigningKeys),
    chore("drop deleted posts", HOUR, dropRemovedPosts),
    chore("erase deleted accounts", HOUR, eraseDueAccounts),
    chore("drop unused pictures", HOUR, dropUnusedMedia),
    chore("drop deleted prompts", HOUR, dropRemovedPrompts),
    chore("take expired jobs off the board", HOUR, expireJobs),
  ];
  return { stop: () => timers.forEach(clearInterval) };
}

/**
 * Returns a function that runs a chore and records the result. The function never rejects. In maintenance
 * mode it skips chores that are marked with `canPause`.
 */
export function backgroundWorkOf(core: Core, log: Logger, metrics: HttpMetrics) {
  return async (
    name: string,
    work: (core: Core) => Promise<void>,
    { canPause = false }: { canPause?: boolean } = {},
  ): Promise<void> => {
    const failures = metrics.number("guildhall_chore_failures_total", name);
    try {
      if (!canPause || !maintenanceOf(core)) await work(core);
      metrics.number("guildhall_chore_last_success_timestamp_seconds", name).value =
        core.clock.now() / SECOND;
    } catch (err) {
      // This node no longer leads. The new leader runs this chore.
      if (core.db.fencedBy() !== undefined) return;
      failures.value++;
      log.error({ err, chore: name }, "chore failed");
    }
  };
}
