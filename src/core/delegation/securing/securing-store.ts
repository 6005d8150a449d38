import type { Core } from "../../ground/core.ts";

/** What would be ended of a builder's now. */
export function countWaysIn(
  core: Core,
  builderId: string,
  now: number,
): { sessions: number; tokens: number; apps: number; endpoints: number; links: number } {
  const row = core.db
    .prepare<Record<"sessions" | "tokens" | "apps" | "endpoints" | "links", number>>(
      `SELECT
         (SELECT count(*) FROM sessions WHERE builder_id = @builder AND expires_at > @now) AS sessions,
         (SELECT count(*) FROM tokens
          WHERE builder_id = @builder AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > @now)) AS tokens,
         (SELECT count(*) FROM grants WHERE builder_id = @builder AND revoked_at IS NULL) AS apps,
         (SELECT count(*) FROM webhook_endpoints WHERE created_by = @builder AND removed_at IS NULL) AS endpoints,
         (SELECT count(*) FROM links WHERE created_by = @builder AND used_at IS NULL AND expires_at > @now) +
         (SELECT count(*) FROM links WHERE builder_id = @builder AND used_at IS NULL AND expires_at > @now) AS links`,
    )
    .get({ builder: builderId, now });
  return row ?? { sessions: 0, tokens: 0, apps: 0, endpoints: 0, links: 0 };
}
