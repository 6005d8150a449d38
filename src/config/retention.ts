import { DAY } from "../core/base/clock.ts";
import { NOTIFICATIONS_KEPT_MS } from "../core/services/notifications/notifications.ts";
import { AUDIT_KEPT_MS } from "../core/identity/audit/audit.ts";
import { SESSION_IDLE_MS, SESSION_MAX_MS } from "../core/identity/accounts/sessions.ts";
import { duration, formatDurationValue, positiveDuration } from "./parsers.ts";
import { setting } from "./setting.ts";

/** How long what is only remembered stays (docs/contract.md#12.16). */
export const RETENTION = {
  retentionMs: setting({
    name: "RETENTION",
    isReloaded: true,
    type: "duration",
    parse: positiveDuration,
    default: "30d",
    example: "30d",
    meaning: "how long settled deliveries and events are kept; `GET /v1/events` reaches as far back",
  }),
  retentionAuditMs: setting({
    name: "RETENTION_AUDIT",
    isReloaded: true,
    type: "duration",
    parse: (text) => within(text, 7 * DAY, 3650 * DAY),
    default: formatDurationValue(AUDIT_KEPT_MS),
    example: "730d",
    bounds: "7d to 3650d",
    meaning: "how long the audit log, and each member's own of it, is kept",
  }),
  retentionNotificationsMs: setting({
    name: "RETENTION_NOTIFICATIONS",
    isReloaded: true,
    type: "duration",
    parse: (text) => within(text, DAY, 3650 * DAY),
    default: formatDurationValue(NOTIFICATIONS_KEPT_MS),
    example: "30d",
    bounds: "1d to 3650d",
    meaning: "how long notifications are kept, read or not; of each kind a member keeps at most two hundred",
  }),
  retentionSessionsMs: setting({
    name: "RETENTION_SESSIONS",
    isReloaded: true,
    type: "duration",
    parse: (text) => within(text, DAY, SESSION_MAX_MS),
    default: formatDurationValue(SESSION_IDLE_MS),
    example: "7d",
    bounds: `1d to ${formatDurationValue(SESSION_MAX_MS)}`,
    meaning: `after how long without use a browser's session ends, and nothing of it is kept; each ends after ${formatDurationValue(SESSION_MAX_MS)}`,
  }),
};

function within(text: string, least: number, most: number): number | undefined {
  const ms = duration(text) ?? 0;
  return ms >= least && ms <= most ? ms : undefined;
}
