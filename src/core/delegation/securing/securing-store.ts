import type { Core } from "../../ground/core.ts";

/** How many of a builder's tokens that work, or would after a step back of the clock, are revoked now. */
export function revokeTokensOf(core: Core, builderId: string, now: number): number {
  return core.db
    .prepare("UPDATE tokens SET revoked_at = ? WHERE builder_id = ? AND revoked_at IS NULL")
    .run(now, builderId).changes;
}

/** How many grants of a builder are revoked now. What the OAuth server remembers of them opens nothing any more and goes by its age. */
export function revokeGrantsOf(core: Core, builderId: string, now: number): number {
  return core.db
    .prepare("UPDATE grants SET revoked_at = ? WHERE builder_id = ? AND revoked_at IS NULL")
    .run(now, builderId).changes;
}

/** How many unused links went that a builder made, or that open their account. */
export function deleteLinksOf(core: Core, builderId: string): number {
  const own = core.db.prepare("DELETE FROM links WHERE created_by = ? AND used_at IS NULL").run(builderId);
  const into = core.db.prepare("DELETE FROM links WHERE builder_id = ? AND used_at IS NULL").run(builderId);
  return own.changes + into.changes;
}

export function deletePassword(core: Core, builderId: string): boolean {
  return core.db.prepare("DELETE FROM passwords WHERE builder_id = ?").run(builderId).changes === 1;
}

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
