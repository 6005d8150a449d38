import {
  type BuilderCaller,
  type Caller,
  requireBuilder,
  requireScope,
} from "../../identity/access/caller.ts";
import type { Scope } from "../../identity/access/scopes.ts";
import { refuseOverQuota } from "../../identity/quotas/quotas.ts";
import { requireFreshSession, requireStillSignedIn } from "../../identity/accounts/sessions.ts";
import type { AuditEvent, Detail } from "../../identity/audit/audit-events.ts";
import { recordBy } from "../../identity/audit/audit.ts";
import { forgetSubject, notifyAddition } from "../../identity/notifications/notify.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import {
  type AnyEventType,
  CATALOGUE,
  EVENT_NAMES,
  type EventType,
  isEventType,
} from "../events/catalogue.ts";
import { type Endpoint, ENDPOINTS_MAX } from "./endpoint.ts";
import { disable, enable } from "./health-store.ts";
import type { DisabledCode } from "./health.ts";
import { createFirstSecret, createNextSecret, secretEnds } from "./secrets.ts";
import { type CheckedUrl, checkTarget } from "./target.ts";
import {
  countEndpointsOf,
  deletePrivateOfOthers,
  deleteSomeOf,
  type EndpointMaker,
  findByUrl,
  typesOfEndpoint,
  findCreator,
  insertEndpoint,
  markRemoved,
  replaceSubscriptions,
  selectEndpoints,
  selectEndpointsOf,
  scopesOfGrant,
  selectRemoved,
  updateUrl,
} from "./webhooks-store.ts";

/**
 * Returns the endpoints of the caller's workspace, newest first (docs/contract.md#V4.13). Needs
 * `webhooks:read`.
 */
export function listEndpoints(core: Core, caller: Caller): Endpoint[] {
  return selectEndpoints(core, requireBuilder(caller, "webhooks:read").workspaceId);
}

/**
 * Returns an endpoint of the caller's workspace. Needs `webhooks:read`, or the given scope. Throws not_found,
 * also for an endpoint of another workspace.
 */
export function getEndpoint(
  core: Core,
  caller: Caller,
  id: string,
  scope: Scope = "webhooks:read",
): Endpoint {
  return ownEndpoint(core, requireBuilder(caller, scope), id);
}

/**
 * Checks whether a URL may receive deliveries. The check resolves the host of the URL, so call it before the
 * transaction. Needs `webhooks:write`. Throws unprocessable.
 */
export async function checkUrl(core: Core, caller: Caller, url: string): Promise<CheckedUrl> {
  requireBuilder(caller, "webhooks:write");
  return checkTarget(core.targets, url);
}

/**
 * Registers an endpoint in the caller's workspace and returns it with its signing secret, which is shown only
 * once. Needs `webhooks:write`. A person also needs a recent sign-in. Throws forbidden. Throws unprocessable
 * for an unknown event type. Throws conflict if the workspace already has the URL or `ENDPOINTS_MAX`
 * endpoints, or if the caller's quota is used up.
 */
export function registerEndpoint(
  core: Core,
  caller: Caller,
  draft: { url: CheckedUrl; events: readonly string[] },
): Endpoint & { secret: string } {
  const owner = requireBuilder(caller, "webhooks:write");
  const { workspaceId } = owner;
  const events = eventTypes(draft.events);
  requireTypes(caller, events);
  return core.db.transact(() => {
    // The session is checked again, because the DNS lookup before this transaction may have taken long.
    requireStillSignedIn(core, caller);
    requireFreshSession(core, caller);
    refuseTaken(core, workspaceId, draft.url);
    if (selectEndpoints(core, workspaceId).length >= ENDPOINTS_MAX) {
      throw refuse("endpoints_too_many", { max: ENDPOINTS_MAX });
    }
    refuseOverOwn(core, owner);
    const createdAt = core.clock.now();
    const id = core.makeId("whe", createdAt);
    insertEndpoint(core, { id, workspaceId, ...makerOf(owner), url: draft.url, createdAt });
    const secret = createFirstSecret(core, id);
    replaceSubscriptions(core, id, events);
    recordEndpointEvent(core, owner, id, "endpoint.registered", { url: draft.url });
    notifyAddition(core, owner.builderId, "endpoints", draft.url);
    return { ...ownEndpoint(core, owner, id), secret };
  });
}

/**
 * Changes the URL, the event types, or whether the endpoint is enabled. A member who changes the URL becomes
 * the owner. Private events go only to the member who set the URL. Otherwise, a member could set a new URL
 * and receive another member's private events. Needs `webhooks:write`. A person also needs a recent sign-in
 * to change the URL. Throws forbidden, not_found. Throws unprocessable for an unknown event type. Throws
 * conflict if the workspace already has the URL, or if a new owner's quota is used up.
 */
export function changeEndpoint(
  core: Core,
  caller: Caller,
  id: string,
  change: {
    url?: CheckedUrl | undefined;
    events?: readonly string[] | undefined;
    enabled?: boolean | undefined;
  },
): Endpoint {
  const owner = requireBuilder(caller, "webhooks:write");
  const { url } = change;
  const events = change.events && eventTypes(change.events);
  return core.db.transact(() => {
    requireStillSignedIn(core, caller);
    const endpoint = ownEndpoint(core, owner, id);
    if (url !== undefined && url !== endpoint.url) {
      requireFreshSession(core, caller);
      refuseTaken(core, owner.workspaceId, url);
      // Past and future events can be sent to the new URL, so the caller must be allowed to read all these
      // events.
      requireTypes(caller, [...(events ?? []), ...typesOfEndpoint(core, id)]);
      deletePrivateOfOthers(core, id, owner.builderId);
      if (findCreator(core, id) !== owner.builderId) refuseOverOwn(core, owner);
      recordEndpointEvent(core, owner, id, "endpoint.moved", { from: endpoint.url, url });
      notifyAddition(core, owner.builderId, "endpoints", url);
      updateUrl(core, id, url, makerOf(owner));
    }
    if (events && events.join() !== endpoint.events.join()) {
      const added = events.filter((type) => !endpoint.events.includes(type));
      requireTypes(caller, added);
      requireTypesOfGrant(core, id, added);
      replaceSubscriptions(core, id, events);
      recordEndpointEvent(core, owner, id, "endpoint.events-changed", {
        url: url ?? endpoint.url,
        events: events.join(", "),
      });
    }
    if (change.enabled === true && endpoint.disabled) {
      enable(core, id);
      recordEndpointEvent(core, owner, id, "endpoint.resumed", { url: url ?? endpoint.url });
      core.wake();
    }
    // An endpoint that was disabled automatically is now disabled by its owner, so `listUnhealthy` no longer
    // returns it.
    if (change.enabled === false && endpoint.disabled?.code !== "switched_off") {
      disable(core, id, "switched_off", endpoint.disabled?.at ?? core.clock.now());
      recordEndpointEvent(core, owner, id, "endpoint.paused", { url: url ?? endpoint.url });
    }
    return ownEndpoint(core, owner, id);
  });
}

/**
 * Creates a new signing secret for an endpoint and returns it. The secret is shown only once. Each earlier
 * secret still signs for 24 hours after its replacement. Needs `webhooks:write`. A person also needs a recent
 * sign-in. Throws forbidden, not_found. Throws conflict if `SECRETS_MAX` secrets are signing.
 */
export function rotateSecret(core: Core, caller: Caller, id: string): Endpoint & { secret: string } {
  const owner = requireBuilder(caller, "webhooks:write");
  requireFreshSession(core, caller);
  return core.db.transact(() => {
    const endpoint = ownEndpoint(core, owner, id);
    recordEndpointEvent(core, owner, id, "endpoint.secret-rotated", { url: endpoint.url });
    return { ...endpoint, secret: createNextSecret(core, id) };
  });
}

/**
 * Returns when each older secret of an endpoint stops signing, newest first, in ms since the epoch. Needs
 * `webhooks:read`. Throws not_found.
 */
export function olderSecrets(core: Core, caller: Caller, id: string): number[] {
  return secretEnds(core, getEndpoint(core, caller, id).id);
}

/** Number of deliveries deleted per transaction. A batch takes 3 ms. */
const REMOVAL_BATCH = 100;

/**
 * Removes an endpoint and its deliveries. The endpoint becomes invisible and receives no further attempts at
 * once. This call deletes the first batch of deliveries, and `continueRemoval` deletes the others. Needs
 * `webhooks:write`. Throws not_found.
 */
export function deleteEndpoint(core: Core, caller: Caller, id: string): void {
  const owner = requireBuilder(caller, "webhooks:write");
  core.db.transact(() => {
    recordEndpointEvent(core, owner, id, "endpoint.deleted", { url: ownEndpoint(core, owner, id).url });
    retire(core, id);
    deleteSomeOf(core, id, REMOVAL_BATCH);
    core.wake();
  });
}

/**
 * Removes all endpoints of a workspace that is being deleted. The calling operation must check permissions.
 * Call it in a transaction.
 */
export function removeEndpointsOf(core: Core, workspaceId: string): void {
  for (const { id } of selectEndpoints(core, workspaceId)) retire(core, id);
  core.wake();
}

/**
 * Removes all endpoints that a builder created in any workspace, by page, token or app. Returns their URLs.
 * The calling operation must check permissions. Call it in a transaction.
 */
export function removeEndpointsBy(core: Core, builderId: string): string[] {
  const endpoints = selectEndpointsOf(core, "created_by", builderId);
  for (const { id } of endpoints) retire(core, id);
  core.wake();
  return endpoints.map(({ url }) => url);
}

/**
 * Disables all enabled endpoints that a builder created, with a reason that the owner sees. Removes the
 * endpoints that apps created, because the grants of the apps end. Returns the number of disabled and removed
 * endpoints. The calling operation must check permissions. Call it in a transaction.
 */
export function pauseEndpointsBy(core: Core, builderId: string, code: DisabledCode): number {
  const all = selectEndpointsOf(core, "created_by", builderId);
  const [now, apps] = [core.clock.now(), all.filter(({ owner }) => owner.app !== null)];
  const isOn = all.filter(({ owner, disabled }) => owner.app === null && disabled === null);
  for (const { id } of apps) retire(core, id);
  for (const { id } of isOn) disable(core, id, code, now);
  core.wake();
  return apps.length + isOn.length;
}

/**
 * Returns the endpoints that were created with a grant or a token. Pages show these endpoints before the
 * grant or token is revoked. The calling operation must check permissions.
 */
export function endpointsCreatedBy(core: Core, by: { grantId: string } | { tokenId: string }): Endpoint[] {
  return "grantId" in by
    ? selectEndpointsOf(core, "grant_id", by.grantId)
    : selectEndpointsOf(core, "token_id", by.tokenId);
}

/**
 * Returns the endpoints that a builder, or an app on the builder's behalf, created in any workspace, newest
 * first. The calling operation must allow only the signed-in builder and the operator.
 */
export function endpointsOfBuilder(core: Core, builderId: string): Endpoint[] {
  return selectEndpointsOf(core, "created_by", builderId);
}

/**
 * Removes the endpoints in `ids`, or all endpoints, that were created with a token. Returns their URLs. The
 * calling operation must check permissions. Call it in a transaction.
 */
export function removeCreatedWith(core: Core, tokenId: string, ids: readonly string[] | "all"): string[] {
  const ended = endpointsCreatedBy(core, { tokenId }).filter(({ id }) => ids === "all" || ids.includes(id));
  for (const { id } of ended) retire(core, id);
  if (ended.length > 0) core.wake();
  return ended.map(({ url }) => url);
}

/**
 * Removes all endpoints that were created with a grant. Returns their URLs. The calling operation must check
 * permissions. Call it in a transaction.
 */
export function removeCreatedByGrant(core: Core, grantId: string): string[] {
  const ended = endpointsCreatedBy(core, { grantId });
  for (const { id } of ended) retire(core, id);
  if (ended.length > 0) core.wake();
  return ended.map(({ url }) => url);
}

/**
 * Deletes the next batch of deliveries of a removed endpoint. Returns whether a removed endpoint existed.
 * Call it repeatedly, each time in a transaction.
 */
export function continueRemoval(core: Core): boolean {
  const id = selectRemoved(core);
  if (id !== undefined) deleteSomeOf(core, id, REMOVAL_BATCH);
  return id !== undefined;
}

/** Writes an entry to the audit logs of the caller and of the endpoint's owner. */
function recordEndpointEvent(
  core: Core,
  caller: BuilderCaller,
  id: string,
  act: AuditEvent,
  detail: Detail,
): void {
  for (const subject of new Set([caller.builderId, findCreator(core, id) ?? caller.builderId]))
    recordBy(core, caller, act, subject, detail);
}

/**
 * Returns an endpoint of the caller's workspace. Throws not_found for an endpoint of another workspace, as
 * for an unknown endpoint.
 */
function ownEndpoint(core: Core, owner: BuilderCaller, id: string): Endpoint {
  const [endpoint] = selectEndpoints(core, owner.workspaceId, id);
  if (!endpoint) throw refuse("endpoint_unknown");
  return endpoint;
}

/**
 * Returns the creator of a new endpoint. If an app created the endpoint, the endpoint is deleted when the
 * app's grant ends. If a token created the endpoint, pages list the endpoint with the token.
 */
function makerOf({ builderId, means, credentialId }: BuilderCaller): EndpointMaker {
  return {
    createdBy: builderId,
    grantId: means === "app" ? credentialId : null,
    tokenId: means === "token" ? credentialId : null,
  };
}

/**
 * Requires the scope of each type, because subscribing to a type needs the scope to read it
 * (docs/contract.md#5.1).
 */
function requireTypes(caller: Caller, types: readonly AnyEventType[]): void {
  for (const type of types) requireScope(caller, CATALOGUE[type].scope);
}

/** Requires that the app that created the endpoint may read the types. */
export function requireTypesOfGrant(core: Core, endpointId: string, types: readonly AnyEventType[]): void {
  const allowed = scopesOfGrant(core, endpointId);
  for (const type of types) {
    const { scope } = CATALOGUE[type];
    if (allowed && !allowed.includes(scope)) throw refuse("endpoint_app_lacks_scope", { scope });
  }
}

function refuseTaken(core: Core, workspaceId: string, url: string): void {
  if (findByUrl(core, workspaceId, url)) {
    throw refuse("endpoint_twice");
  }
}

/**
 * Checks the caller's quota. The quota counts all endpoints that the caller created, in all workspaces and
 * with any token or app.
 */
function refuseOverOwn(core: Core, owner: BuilderCaller): void {
  refuseOverQuota(core, owner, "endpoints", () => countEndpointsOf(core, owner.builderId));
}

/** Returns the distinct types in alphabetical order. Throws unprocessable for an unknown type. */
function eventTypes(names: readonly string[]): EventType[] {
  const types = [...new Set(names)].sort();
  for (const type of types) {
    if (!isEventType(type)) {
      throw refuse("event_type_unknown", { types: EVENT_NAMES });
    }
  }
  return types as EventType[];
}

/** Removes an endpoint and the notifications about it. */
function retire(core: Core, id: string): void {
  markRemoved(core, id, core.clock.now());
  forgetSubject(core, id);
}
