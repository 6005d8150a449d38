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

/** What a builder allowed an app, in one workspace. */
export interface Grant {
  id: string;
  builderId: string;
  appId: string;
  workspaceId: string;
  /** Of the API and of OpenID Connect, as they were granted. */
  scopes: string[];
}

/** The same as its builder sees it. Times in ms since the epoch. */
export interface ConnectedApp {
  /** The grant's. */
  id: string;
  /** `isSuspended`: the app is, or everybody who answers for it. */
  app: { id: string; name: string; homepage: string | null; maker: Maker; isSuspended: boolean };
  workspace: { id: string; name: string };
  scopes: string[];
  connectedAt: number;
  lastUsedAt: number | null;
  /** What it receives events by, which ends with the grant. */
  endpoints: Endpoint[];
}

/** How long a revoked grant is kept: whatever could still be shown of it has long ended. */
const REVOKED_KEPT_MS = 60 * DAY;

/** The apps a person has let in, newest first. For them, signed in. Throws forbidden. */
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
      isSuspended: row.appWorks === 0,
    },
    workspace: { id: row.workspaceId, name: row.workspaceName },
    scopes: row.scopes.split(" ").filter(Boolean),
    connectedAt: row.createdAt,
    lastUsedAt: Math.max(core.memory(unwrittenUses).get(row.id)?.at ?? 0, row.lastUsedAt ?? 0) || null,
    endpoints: endpoints.filter(({ owner }) => owner.app?.grantId === row.id),
  }));
}

/**
 * Disconnects an app: every token it has is refused from now on, its webhook endpoints are gone, and it must
 * ask again. For the builder, signed in. Throws forbidden, not_found, also for somebody else's.
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
 * Lets an app in, or adds to what it may do: one grant for each builder and app, which stays in the workspace
 * where it was made. For the builder, signed in; a moment ago where the app comes to more than it had, as its
 * refresh token outlives every session. Throws forbidden, not_found for an app or workspace that is none of
 * theirs. So is a device of a known app: it is a new place.
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

/** What a builder has granted an app, for the OAuth server, which asks in the builder's name. */
export function grantOf(core: Core, builderId: string, appId: string): Grant | undefined {
  const row = findGrantOf(core, builderId, appId);
  return row && present(row);
}

/** The same by its id, while it works and this family of tokens with it. */
export function liveGrant(core: Core, id: string, family: string): Grant | undefined {
  const row = findLiveGrant(core, id, family);
  return row && present(row);
}

/** Drops grants that were revoked long ago, in small slices. Called now and then. */
export async function forgetOldGrants(core: Core): Promise<void> {
  const before = core.clock.now() - REVOKED_KEPT_MS;
  while ((await core.db.write(() => pruneGrants(core, before, 100))) > 0);
}

function present({ id, builderId, appId, workspaceId, scopes }: GrantRow): Grant {
  return { id, builderId, appId, workspaceId, scopes: scopes.split(" ").filter(Boolean) };
}
