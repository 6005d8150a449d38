import { DAY } from "../core/base/clock.ts";
import { NOTIFICATIONS_RETENTION_MS } from "../core/services/notifications/notifications.ts";
import { DELIVERIES_RETENTION_MS } from "../core/outbox/deliveries/cleanup.ts";
import { AUDIT_RETENTION_MS } from "../core/identity/audit/audit.ts";
import { SESSION_IDLE_MS, SESSION_MAX_MS } from "../core/identity/accounts/sessions.ts";
import { duration, formatDurationValue, positiveDuration } from "./parsers.ts";
import { setting } from "./setting.ts";

/** How long records such as logs and history are kept (docs/contract.md#12.16). */
export const RETENTION = {
  retentionMs: setting({
    name: "RETENTION",
    isReloaded: true,
    type: "duration",
    parse: positiveDuration,
    default: formatDurationValue(DELIVERIES_RETENTION_MS),
    example: "30d",
    meaning: "Time to keep finished webhook deliveries and events. `GET /v1/events` covers the same period",
  }),
  retentionAuditMs: setting({
    name: "RETENTION_AUDIT",
    isReloaded: true,
    type: "duration",
    parse: (text) => within(text, 7 * DAY, 3650 * DAY),
    default: formatDurationValue(AUDIT_RETENTION_MS),
    example: "730d",
    bounds: "7d to 3650d",
    meaning: "Time to keep the audit log and the members' security logs",
  }),
  retentionNotificationsMs: setting({
    name: "RETENTION_NOTIFICATIONS",
    isReloaded: true,
    type: "duration",
    parse: (text) => within(text, DAY, 3650 * DAY),
    default: formatDurationValue(NOTIFICATIONS_RETENTION_MS),
    example: "30d",
    bounds: "1d to 3650d",
    meaning: "Time to keep notifications, read or not. A member keeps at most 200 of each kind",
  }),
  retentionSessionsMs: setting({
    name: "RETENTION_SESSIONS",
    isReloaded: true,
    type: "duration",
    parse: (text) => within(text, DAY, SESSION_MAX_MS),
    default: formatDurationValue(SESSION_IDLE_MS),
    example: "7d",
    bounds: `1d to ${formatDurationValue(SESSION_MAX_MS)}`,
    meaning: `Time after which an unused browser session ends and is deleted. No session lasts longer than ${formatDurationValue(SESSION_MAX_MS)}`,
  }),
};

function within(text: string, least: number, most: number): number | undefined {
  const ms = duration(text) ?? 0;
  return ms >= least && ms <= most ? ms : undefined;
}
