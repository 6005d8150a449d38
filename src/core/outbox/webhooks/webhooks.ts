import {
  type BuilderCaller,
  type Caller,
  requireBuilder,
  requireScope,
} from "../../identity/access/caller.ts";
import type { Scope } from "../../identity/access/scopes.ts";
import { refuseOverQuota } from "../../identity/quotas/quotas.ts";
import { requireFreshSession, requireStillSignedIn } from "../../identity/accounts/sessions.ts";
import type { Act, Detail } from "../../identity/audit/acts.ts";
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
import { giveFirstSecret, giveNextSecret, secretEnds } from "./secrets.ts";
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

/** The endpoints of the caller's workspace, newest first (docs/contract.md#V4.13). Needs `webhooks:read`. */
export function listEndpoints(core: Core, caller: Caller): Endpoint[] {
  return selectEndpoints(core, requireBuilder(caller, "webhooks:read").workspaceId);
}

/** Needs `webhooks:read`, or the scope named. Throws not_found, also for an endpoint of another workspace. */
export function getEndpoint(
  core: Core,
  caller: Caller,
  id: string,
  scope: Scope = "webhooks:read",
): Endpoint {
  return ownEndpoint(core, requireBuilder(caller, scope), id);
}

/**
 * Asks whether an address may receive deliveries: looks its host up, so it waits on the network and stands
 * before the transaction. Needs `webhooks:write`. Throws unprocessable.
 */
export async function checkUrl(core: Core, caller: Caller, url: string): Promise<CheckedUrl> {
  requireBuilder(caller, "webhooks:write");
  return checkTarget(core.targets, url);
}

/**
 * Registers a receiver in the caller's workspace and returns it with its signing secret, which is shown only
 * now. Needs `webhooks:write`, and of a person that they signed in a moment ago. Throws forbidden,
 * unprocessable for an unknown event type, conflict for an address that the workspace already has, when it
 * has fifty endpoints, or the caller as many as the operator lets a member have.
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
    // The address was looked up before, and a name can take its time.
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
    const secret = giveFirstSecret(core, id);
    replaceSubscriptions(core, id, events);
    note(core, owner, id, "endpoint.registered", { url: draft.url });
    notifyAddition(core, owner.builderId, "endpoints", draft.url);
    return { ...ownEndpoint(core, owner, id), secret };
  });
}

/**
 * Changes the address, the event types, or whether it is on. Whoever changes the address takes the endpoint
 * over: private events go to who gave the address alone, or a fellow member could have them sent to their own
 * receiver. Needs `webhooks:write`, and for another address of a person that they signed in a moment ago.
 * Throws forbidden, not_found, unprocessable for an unknown event type, conflict for an address that the
 * workspace already has, or for one more that is theirs than the operator lets a member have.
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
      // What it hears goes somewhere else, and what it heard once may be sent there again: whoever says where
      // reads it there.
      requireTypes(caller, [...(events ?? []), ...typesOfEndpoint(core, id)]);
      deletePrivateOfOthers(core, id, owner.builderId);
      if (findCreator(core, id) !== owner.builderId) refuseOverOwn(core, owner);
      note(core, owner, id, "endpoint.moved", { from: endpoint.url, url });
      notifyAddition(core, owner.builderId, "endpoints", url);
      updateUrl(core, id, url, makerOf(owner));
    }
    if (events && events.join() !== endpoint.events.join()) {
      const added = events.filter((type) => !endpoint.events.includes(type));
      requireTypes(caller, added);
      requireTypesOfGrant(core, id, added);
      replaceSubscriptions(core, id, events);
      note(core, owner, id, "endpoint.events-changed", {
        url: url ?? endpoint.url,
        events: events.join(", "),
      });
    }
    if (change.enabled === true && endpoint.disabled) {
      enable(core, id);
      note(core, owner, id, "endpoint.resumed", { url: url ?? endpoint.url });
      core.wake();
    }
    // One that was off by itself is then left off: nobody need look at it any more.
    if (change.enabled === false && endpoint.disabled?.code !== "switched_off") {
      disable(core, id, "switched_off", endpoint.disabled?.at ?? core.clock.now());
      note(core, owner, id, "endpoint.paused", { url: url ?? endpoint.url });
    }
    return ownEndpoint(core, owner, id);
  });
}

/**
 * Gives an endpoint a new signing secret and returns it, shown only now; each one from before goes on signing
 * for 24 hours from when it was replaced. Needs `webhooks:write`, and of a person that they signed in a
 * moment ago. Throws forbidden, not_found, conflict where five sign already.
 */
export function rotateSecret(core: Core, caller: Caller, id: string): Endpoint & { secret: string } {
  const owner = requireBuilder(caller, "webhooks:write");
  requireFreshSession(core, caller);
  return core.db.transact(() => {
    const endpoint = ownEndpoint(core, owner, id);
    note(core, owner, id, "endpoint.secret-rotated", { url: endpoint.url });
    return { ...endpoint, secret: giveNextSecret(core, id) };
  });
}

/**
 * Until when each older secret of an endpoint still signs (ms since the epoch), the newest first. Needs
 * `webhooks:read`. Throws not_found.
 */
export function olderSecrets(core: Core, caller: Caller, id: string): number[] {
  return secretEnds(core, getEndpoint(core, caller, id).id);
}

/** So many deliveries are deleted at once, in 3 ms. */
const REMOVAL_SLICE = 100;

/**
 * Removes an endpoint and its deliveries: from now on nobody finds it and nothing is attempted for it. Where
 * the deliveries are many, `continueRemoval` deletes the rest. Needs `webhooks:write`. Throws not_found.
 */
export function deleteEndpoint(core: Core, caller: Caller, id: string): void {
  const owner = requireBuilder(caller, "webhooks:write");
  core.db.transact(() => {
    note(core, owner, id, "endpoint.deleted", { url: ownEndpoint(core, owner, id).url });
    retire(core, id);
    deleteSomeOf(core, id, REMOVAL_SLICE);
    core.wake();
  });
}

/**
 * The same for all endpoints of a workspace that is being deleted. Asks no right: what calls it has. Call it
 * in a transaction.
 */
export function removeEndpointsOf(core: Core, workspaceId: string): void {
  for (const { id } of selectEndpoints(core, workspaceId)) retire(core, id);
  core.wake();
}

/**
 * The same for all endpoints that a builder registered, in whatever workspace, by page, token or app. Returns
 * their addresses. Asks no right: what calls it has. Call it in a transaction.
 */
export function removeEndpointsBy(core: Core, builderId: string): string[] {
  const endpoints = selectEndpointsOf(core, "created_by", builderId);
  for (const { id } of endpoints) retire(core, id);
  core.wake();
  return endpoints.map(({ url }) => url);
}

/**
 * Switches off those of them that are on, and returns how many: their owner finds them as they are, with the
 * reason. Those that an app made end, as what it was granted does. Otherwise the same.
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
 * Those that hang on an app's grant or that were made with a token, for the pages on which either is ended.
 * Asks no right: what calls it has.
 */
export function endpointsCreatedBy(core: Core, by: { grantId: string } | { tokenId: string }): Endpoint[] {
  return "grantId" in by
    ? selectEndpointsOf(core, "grant_id", by.grantId)
    : selectEndpointsOf(core, "token_id", by.tokenId);
}

/**
 * All that a builder or an app in their name registered, in whatever workspace, newest first. For them,
 * signed in, and the operator.
 */
export function endpointsOfBuilder(core: Core, builderId: string): Endpoint[] {
  return selectEndpointsOf(core, "created_by", builderId);
}

/**
 * Ends some of those that were made with a token, and returns their addresses. Asks no right: what calls it
 * has. Call it in a transaction.
 */
export function removeCreatedWith(core: Core, tokenId: string, ids: readonly string[] | "all"): string[] {
  const ended = endpointsCreatedBy(core, { tokenId }).filter(({ id }) => ids === "all" || ids.includes(id));
  for (const { id } of ended) retire(core, id);
  if (ended.length > 0) core.wake();
  return ended.map(({ url }) => url);
}

/** Ends all that hang on a grant. Otherwise the same. */
export function removeCreatedByGrant(core: Core, grantId: string): string[] {
  const ended = endpointsCreatedBy(core, { grantId });
  for (const { id } of ended) retire(core, id);
  if (ended.length > 0) core.wake();
  return ended.map(({ url }) => url);
}

/**
 * Deletes one slice more of a removed endpoint. Returns whether there was one. Call it in a transaction,
 * again and again.
 */
export function continueRemoval(core: Core): boolean {
  const id = selectRemoved(core);
  if (id !== undefined) deleteSomeOf(core, id, REMOVAL_SLICE);
  return id !== undefined;
}

/** In the log of who does it, and in that of whose endpoint it is. */
function note(core: Core, caller: BuilderCaller, id: string, act: Act, detail: Detail): void {
  for (const subject of new Set([caller.builderId, findCreator(core, id) ?? caller.builderId]))
    recordBy(core, caller, act, subject, detail);
}

/** An endpoint of another workspace is as unknown as one that never was. */
function ownEndpoint(core: Core, owner: BuilderCaller, id: string): Endpoint {
  const [endpoint] = selectEndpoints(core, owner.workspaceId, id);
  if (!endpoint) throw refuse("endpoint_unknown");
  return endpoint;
}

/** An app's ends with its grant; a person's is told by the token that it was made with. */
function makerOf({ builderId, means, credentialId }: BuilderCaller): EndpointMaker {
  return {
    createdBy: builderId,
    grantId: means === "app" ? credentialId : null,
    tokenId: means === "token" ? credentialId : null,
  };
}

/** To subscribe is to read: docs/contract.md#5.1. */
function requireTypes(caller: Caller, types: readonly AnyEventType[]): void {
  for (const type of types) requireScope(caller, CATALOGUE[type].scope);
}

/** An app's endpoint hears what the app may read, whoever chooses. */
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

/** Counted for whoever gave the address, in whatever workspace, by page, token or app. */
function refuseOverOwn(core: Core, owner: BuilderCaller): void {
  refuseOverQuota(core, owner, "endpoints", () => countEndpointsOf(core, owner.builderId));
}

/** In the order of the alphabet, each once. */
function eventTypes(names: readonly string[]): EventType[] {
  const types = [...new Set(names)].sort();
  for (const type of types) {
    if (!isEventType(type)) {
      throw refuse("event_type_unknown", { types: EVENT_NAMES });
    }
  }
  return types as EventType[];
}

/** Gone for everyone, with all that was told of it. */
function retire(core: Core, id: string): void {
  markRemoved(core, id, core.clock.now());
  forgetSubject(core, id);
}
