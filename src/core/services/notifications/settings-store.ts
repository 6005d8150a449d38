import type { Core } from "../../base/core.ts";
import { notificationSettings } from "../../base/db/schema-notifications.ts";
import type { Reach } from "../../identity/notifications/kinds.ts";

/** Selects a builder's chosen settings by kind. */
export function selectChannels(core: Core, builderId: string): ReadonlyMap<string, Reach> {
  const rows = core.db
    .prepare<{ kind: string; reach: Reach }>(
      "SELECT kind, reach FROM notification_settings WHERE builder_id = ?",
    )
    .all(builderId);
  return new Map(rows.map(({ kind, reach }) => [kind, reach]));
}

export function putReach(core: Core, row: typeof notificationSettings.$inferInsert): void {
  core.db.upsert(notificationSettings, row);
}
