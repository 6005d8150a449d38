import type { Core } from "../../base/core.ts";
import { webhookEndpoints, webhookSubscriptions } from "../../base/db/schema-delivery.ts";
import { descending, type PageRequest } from "../../base/page.ts";
import type { AnyEventType, EventType } from "../events/catalogue.ts";
import { type HealthFacts, healthOf } from "./health.ts";
import type { Endpoint } from "./endpoint.ts";

interface EndpointRow extends HealthFacts {
  id: string;
  url: string;
  events: string;
  createdAt: number;
  username: string | null;
  grantId: string | null;
  appId: string | null;
  appName: string | null;
  tokenId: string | null;
}

const COLUMNS = `e.id, e.url, e.created_at AS createdAt,
              e.failing_since AS failingSince, e.disabled_at AS disabledAt, e.disabled_reason AS disabledCode,
              (SELECT json_group_array(type ORDER BY type) FROM webhook_subscriptions WHERE endpoint_id = e.id) AS events,
              b.username, g.id AS grantId, a.id AS appId, a.name AS appName, e.token_id AS tokenId
       FROM webhook_endpoints e
       LEFT JOIN builders b ON b.id = e.created_by
       LEFT JOIN grants g ON g.id = e.grant_id
       LEFT JOIN apps a ON a.id = g.app_id`;

function toEndpoint({
  id,
  url,
  createdAt,
  events,
  username,
  grantId,
  appId,
  appName,
  tokenId,
  ...facts
}: EndpointRow): Endpoint {
  const app =
    grantId === null || appId === null || appName === null ? null : { id: appId, name: appName, grantId };
  return {
    id,
    url,
    events: JSON.parse(events),
    createdAt,
    owner: { username, app, tokenId },
    ...healthOf(facts),
  };
}

/** Selects the endpoints of one workspace, newest first. With `id`, selects only that endpoint. */
export function selectEndpoints(core: Core, workspaceId: string, id?: string): Endpoint[] {
  return core.db
    .prepare<EndpointRow>(
      `SELECT ${COLUMNS}
       WHERE e.workspace_id = ? AND e.removed_at IS NULL ${id === undefined ? "" : "AND e.id = ?"}
       ORDER BY e.id DESC`,
    )
    .all(...(id === undefined ? [workspaceId] : [workspaceId, id]))
    .map(toEndpoint);
}

/** Selects endpoints of all workspaces, newest first, or oldest first for a backward request. */
export function selectAllEndpoints(core: Core, request: PageRequest, fromId: string | undefined): Endpoint[] {
  const { beyond, order } = descending(request);
  return core.db
    .prepare<EndpointRow>(
      `SELECT ${COLUMNS} WHERE e.removed_at IS NULL AND e.id ${beyond} ? ORDER BY e.id ${order} LIMIT ?`,
    )
    .all(fromId ?? (request.backwards ? "" : "whe_~"), request.limit + 1)
    .map(toEndpoint);
}

/** Finds an endpoint of any workspace. */
export function findAnyEndpoint(core: Core, id: string): Endpoint | undefined {
  const row = core.db
    .prepare<EndpointRow>(`SELECT ${COLUMNS} WHERE e.id = ? AND e.removed_at IS NULL`)
    .get(id);
  return row && toEndpoint(row);
}

/** Selects the endpoints that a builder, a grant or a token created, in any workspace, newest first. */
export function selectEndpointsOf(
  core: Core,
  column: "created_by" | "grant_id" | "token_id",
  id: string,
): Endpoint[] {
  return core.db
    .prepare<EndpointRow>(
      `SELECT ${COLUMNS} WHERE e.${column} = ? AND e.removed_at IS NULL ORDER BY e.id DESC`,
    )
    .all(id)
    .map(toEndpoint);
}

/** Counts the endpoints that a builder created, in any workspace. */
export function countEndpointsOf(core: Core, builderId: string): number {
  return (
    core.db
      .prepare<{ n: number }>(
        "SELECT count(*) AS n FROM webhook_endpoints WHERE created_by = ? AND removed_at IS NULL",
      )
      .get(builderId)?.n ?? 0
  );
}

/** Returns the id of the owner of an endpoint. Null if the owner's account is deleted. */
export function findCreator(core: Core, id: string): string | null {
  return (
    core.db
      .prepare<{ createdBy: string | null }>(
        "SELECT created_by AS createdBy FROM webhook_endpoints WHERE id = ?",
      )
      .get(id)?.createdBy ?? null
  );
}

export function findByUrl(core: Core, workspaceId: string, url: string): { id: string } | undefined {
  return core.db
    .prepare<{ id: string }>("SELECT id FROM webhook_endpoints WHERE workspace_id = ? AND url = ?")
    .get(workspaceId, url);
}

/**
 * Returns the scopes that the app of an endpoint has now, or undefined for an endpoint that a person created.
 */
export function scopesOfGrant(core: Core, endpointId: string): string[] | undefined {
  const row = core.db
    .prepare<{ granted: string; registered: string }>(
      `SELECT g.scopes AS granted, a.scopes AS registered
       FROM webhook_endpoints e CROSS JOIN grants g ON g.id = e.grant_id CROSS JOIN apps a ON a.id = g.app_id
       WHERE e.id = ?`,
    )
    .get(endpointId);
  const registered = row?.registered.split(" ");
  return row?.granted.split(" ").filter((scope) => registered?.includes(scope));
}

export function insertEndpoint(core: Core, row: typeof webhookEndpoints.$inferInsert): void {
  core.db.insert(webhookEndpoints, row);
}

export function updateUrl(core: Core, id: string, url: string, maker: EndpointMaker): void {
  core.db.patch(webhookEndpoints, { id }, { url, ...maker });
}

/** The builder who set the URL of an endpoint, and with which grant or token. */
export interface EndpointMaker {
  createdBy: string;
  grantId: string | null;
  tokenId: string | null;
}

/**
 * Deletes the deliveries of the current owner's private events, unless the owner is `builderId`. Without this
 * deletion, waiting deliveries would be sent to the new URL. Failed deliveries could also be resent to the
 * new URL.
 */
export function deletePrivateOfOthers(core: Core, id: string, builderId: string): void {
  core.db
    .prepare(
      `DELETE FROM deliveries WHERE endpoint_id = ? AND event_id IN (
         SELECT e.id FROM webhook_endpoints w CROSS JOIN events e ON e.builder_id = w.created_by
         WHERE w.id = ? AND w.created_by <> ?)`,
    )
    .run(id, id, builderId);
}

/** Returns every event type that an endpoint receives or has received. */
export function typesOfEndpoint(core: Core, id: string): AnyEventType[] {
  return core.db
    .prepare<{ type: AnyEventType }>("SELECT type FROM webhook_heard WHERE endpoint_id = ? ORDER BY type")
    .all(id)
    .map(({ type }) => type);
}

export function replaceSubscriptions(core: Core, endpointId: string, types: readonly EventType[]): void {
  core.db.prepare("DELETE FROM webhook_subscriptions WHERE endpoint_id = ?").run(endpointId);
  for (const type of types) core.db.insert(webhookSubscriptions, { type, endpointId });
}

/** Hides an endpoint from everyone and frees its URL. The row is kept as long as its deliveries exist. */
export function markRemoved(core: Core, id: string, now: number): void {
  core.db.prepare("DELETE FROM webhook_subscriptions WHERE endpoint_id = ?").run(id);
  core.db
    .prepare("UPDATE webhook_endpoints SET removed_at = ?, url = 'removed:' || id WHERE id = ?")
    .run(now, id);
}

/**
 * Returns a removed endpoint, if any. The row of a removed endpoint exists until the endpoint's deliveries
 * are deleted.
 */
export function selectRemoved(core: Core): string | undefined {
  return core.db
    .prepare<{ id: string }>(
      "SELECT id FROM webhook_endpoints WHERE removed_at IS NOT NULL ORDER BY id LIMIT 1",
    )
    .get()?.id;
}

/** Deletes at most `limit` deliveries of an endpoint. Deletes the endpoint after its last delivery. */
export function deleteSomeOf(core: Core, endpointId: string, limit: number): void {
  const { changes } = core.db
    .prepare("DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries WHERE endpoint_id = ? LIMIT ?)")
    .run(endpointId, limit);
  if (changes < limit) core.db.prepare("DELETE FROM webhook_endpoints WHERE id = ?").run(endpointId);
}
