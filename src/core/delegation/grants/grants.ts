import { unwrittenUses } from "../../identity/access/credential-uses.ts";
import { type Caller, requirePerson } from "../../identity/access/caller.ts";
import { requireFresh } from "../../identity/accounts/sessions.ts";
import { recordBy } from "../../identity/audit/audit.ts";
import { notifyAddition } from "../../identity/notifications/notify.ts";
import type { Maker } from "../apps/app.ts";
import { findClient } from "../apps/apps.ts";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { dropRecordsOfGrant } from "../oauth/records.ts";
import type { Endpoint } from "../../outbox/webhooks/endpoint.ts";
import { endpointsCreatedBy, endpointsOfBuilder } from "../../outbox/webhooks/webhooks.ts";
import {
  findGrantOf,
  findLiveGrant,
  type GrantRow,
  insertGrant,
  pruneGrants,
  revokeGrantRow,
  selectConnected,
  updateGrantScopes,
} from "./grants-store.ts";
import { isMember } from "../../identity/members/members.ts";

export { findActing, revokeGrantsOf, selectConnected, storeGrantUse } from "./grants-store.ts";

/** The access that a builder granted to an app in one workspace. */
export interface Grant {
  id: string;
  builderId: string;
  appId: string;
  workspaceId: string;
  /** Granted scopes, of the API and of OpenID Connect. */
  scopes: string[];
}

/** A grant as its builder sees it. Times are in ms since the epoch. */
export interface ConnectedApp {
  /** Id of the grant. */
  id: string;
  /** `isSuspended` is also true if all owners of the app's workspace are suspended. */
  app: { id: string; name: string; homepage: string | null; maker: Maker; isSuspended: boolean };
  workspace: { id: string; name: string };
  scopes: string[];
  connectedAt: number;
  lastUsedAt: number | null;
  /** The app's webhook endpoints under this grant. They are deleted with the grant. */
  endpoints: Endpoint[];
}

/** How long a revoked grant is kept. All tokens of the grant expire long before the grant is deleted. */
const REVOKED_RETENTION_MS = 60 * DAY;

/** Lists the apps that the caller authorized, newest first. Requires a session. Throws forbidden. */
export function listConnectedApps(core: Core, caller: Caller): ConnectedApp[] {
  const { builderId } = requirePerson(caller);
  const endpoints = endpointsOfBuilder(core, builderId);
  return selectConnected(core, builderId).map((row) => ({
    id: row.id,
    app: {
      id: row.appId,
      name: row.appName,
      homepage: row.homepage,
      maker: { name: row.maker, isWorkspace: row.isWorkspace === 1 },
      isSuspended: row.isAppActive === 0,
    },
    workspace: { id: row.workspaceId, name: row.workspaceName },
    scopes: row.scopes.split(" ").filter(Boolean),
    connectedAt: row.createdAt,
    lastUsedAt: Math.max(core.memory(unwrittenUses).get(row.id)?.at ?? 0, row.lastUsedAt ?? 0) || null,
    endpoints: endpoints.filter(({ owner }) => owner.app?.grantId === row.id),
  }));
}

/**
 * Disconnects an app from the builder. All tokens of the grant stop working immediately and its webhook
 * endpoints are deleted. To connect again, the app must ask for authorization. Requires a session of the
 * builder. Throws forbidden. Throws not_found, also for a grant of another builder.
 */
export function revokeGrant(core: Core, caller: Caller, id: string): void {
  const { builderId } = requirePerson(caller);
  core.db.transact(() => {
    const endpoints = endpointsCreatedBy(core, { grantId: id });
    const name = revokeGrantRow(core, id, builderId, core.clock.now());
    if (name === undefined) throw refuse("grant_unknown");
    dropRecordsOfGrant(core, id);
    for (const { url } of endpoints) recordBy(core, caller, "endpoint.deleted", builderId, { url });
    core.wake();
    recordBy(core, caller, "grant.revoked", builderId, { name });
  });
}

/**
 * Authorizes an app, or adds scopes to its grant. A builder has one grant per app, and the grant never moves
 * to another workspace.
 * Requires a session. A recent sign-in is required for a new grant and for more scopes, because the app's
 * refresh token outlives every session. A recent sign-in is also required for a new device of an app that is
 * already authorized. Throws forbidden. Throws not_found for an unknown app or a workspace that the builder
 * is not in.
 */
export function grantAccess(
  core: Core,
  caller: Caller,
  {
    appId,
    scopes,
    workspaceId,
    isDevice = false,
  }: { appId: string; scopes: readonly string[]; workspaceId: string; isDevice?: boolean },
): Grant {
  const { builderId } = requirePerson(caller);
  return core.db.transact(() => {
    const app = findClient(core, appId);
    if (!app) throw refuse("app_gone");
    const existing = findGrantOf(core, builderId, appId);
    if (existing) {
      const all = [...new Set([...existing.scopes.split(" ").filter(Boolean), ...scopes])].join(" ");
      if (all !== existing.scopes || isDevice) {
        requireFresh(core, caller);
        updateGrantScopes(core, existing.id, all);
        recordBy(core, caller, "grant.made", builderId, { name: app.name, scopes: all });
        notifyAddition(core, builderId, "apps");
      }
      return present({ ...existing, scopes: all });
    }
    requireFresh(core, caller);
    if (!isMember(core, builderId, workspaceId)) throw refuse("workspace_unknown");
    const createdAt = core.clock.now();
    const row: GrantRow = {
      id: core.makeId("grant", createdAt),
      builderId,
      appId,
      workspaceId,
      scopes: [...new Set(scopes)].join(" "),
      createdAt,
      lastUsedAt: null,
    };
    insertGrant(core, row);
    recordBy(core, caller, "grant.made", builderId, { name: app.name, scopes: row.scopes });
    notifyAddition(core, builderId, "apps");
    return present(row);
  });
}

/**
 * Finds the unrevoked grant of a builder for an app. Checks no right, because the OAuth server calls this
 * function on behalf of the builder.
 */
export function grantOf(core: Core, builderId: string, appId: string): Grant | undefined {
  const row = findGrantOf(core, builderId, appId);
  return row && present(row);
}

/** Finds a grant by its id. Returns undefined if the grant or the token family `family` no longer works. */
export function liveGrant(core: Core, id: string, family: string): Grant | undefined {
  const row = findLiveGrant(core, id, family);
  return row && present(row);
}

/** Deletes old revoked grants in small batches. Runs periodically. */
export async function forgetOldGrants(core: Core): Promise<void> {
  const before = core.clock.now() - REVOKED_RETENTION_MS;
  while ((await core.db.write(() => pruneGrants(core, before, 100))) > 0);
}

function present({ id, builderId, appId, workspaceId, scopes }: GrantRow): Grant {
  return { id, builderId, appId, workspaceId, scopes: scopes.split(" ").filter(Boolean) };
}
