import { type Static, Type } from "@sinclair/typebox";
import { type BuilderCaller, type Caller, requireBuilder } from "../access/caller.ts";
import type { Scope } from "../access/scopes.ts";
import { requireFreshSession, requireStillSignedIn } from "../accounts/sessions.ts";
import { Text } from "../check.ts";
import { DAY } from "../clock.ts";
import type { Core } from "../core.ts";
import { conflict, notFound, unprocessable } from "../errors.ts";
import { EVENT_NAMES, EVENT_TYPES, type EventType } from "../events/events.ts";
import { type CheckedUrl, checkTarget } from "./target.ts";
import {
  deletePrivateOfOthers,
  deleteSomeOf,
  findByUrl,
  insertEndpoint,
  markRemoved,
  replaceSubscriptions,
  rotateSecretRow,
  selectEndpoints,
  selectRemoved,
  setDisabledRow,
  updateUrl,
} from "./webhooks-store.ts";

export interface Endpoint {
  id: string;
  url: string;
  events: EventType[];
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** Since when nothing is sent to it, and why; null where deliveries go out. */
  disabled: { at: number; reason: string } | null;
}

/** The list of a workspace is one answer (§4: no `next`), so it is bounded. */
export const ENDPOINTS_MAX = 50;

const Url = Text({
  max: 2048,
  description: "The https:// address that receives deliveries. Private and special addresses are refused.",
  examples: ["https://hooks.example.com/guildhall"],
});
const Events = Type.Array(Type.String(), {
  minItems: 1,
  maxItems: 20,
  description: `Event types to receive, of: ${EVENT_NAMES.join(", ")}.`,
  examples: [["post.created"]],
});

export const EndpointDraft = Type.Object({ url: Url, events: Events });
export type EndpointDraft = Static<typeof EndpointDraft>;

export const EndpointChange = Type.Object({
  url: Type.Optional(Url),
  events: Type.Optional(Events),
  enabled: Type.Optional(
    Type.Boolean({
      description: "`false` stops deliveries and keeps what waits; `true` resumes them.",
      examples: [false],
      rule: "must be true or false",
    }),
  ),
});
export type EndpointChange = Static<typeof EndpointChange>;

/** The endpoints of the caller's workspace, newest first (§4). Needs `webhooks:read`. */
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
 * Asks whether an address may receive deliveries: looks its host up, so it waits on the network and stands before the
 * transaction. Needs `webhooks:write`. Throws unprocessable.
 */
export async function checkUrl(core: Core, caller: Caller, url: string): Promise<CheckedUrl> {
  requireBuilder(caller, "webhooks:write");
  return checkTarget(core.targets, url);
}

/**
 * Registers a receiver in the caller's workspace and returns it with its signing secret, which is shown only now.
 * Needs `webhooks:write`, and of a person that they signed in a moment ago. Throws forbidden, unprocessable for an unknown event type,
 * conflict for an address that the workspace already has, or when it has fifty endpoints.
 */
export function registerEndpoint(
  core: Core,
  caller: Caller,
  draft: { url: CheckedUrl; events: readonly string[] },
): Endpoint & { secret: string } {
  const { builderId, workspaceId } = requireBuilder(caller, "webhooks:write");
  const events = eventTypes(draft.events);
  return core.db.transact(() => {
    // The address was looked up before, and a name can take its time.
    requireStillSignedIn(core, caller);
    requireFreshSession(core, caller);
    refuseTaken(core, workspaceId, draft.url);
    if (selectEndpoints(core, workspaceId).length >= ENDPOINTS_MAX) {
      throw conflict(`This workspace has ${ENDPOINTS_MAX} endpoints already; delete one first.`);
    }
    const createdAt = core.clock.now();
    const id = core.makeId("whe", createdAt);
    const secret = makeSecret(core);
    insertEndpoint(core, {
      id,
      workspaceId,
      createdBy: builderId,
      url: draft.url,
      secretSealed: core.seal.close("webhook-secret", id, secret),
      createdAt,
    });
    replaceSubscriptions(core, id, events);
    return { id, url: draft.url, events, createdAt, disabled: null, secret };
  });
}

/**
 * Changes the address, the event types, or whether it is on. Whoever changes the address takes the endpoint over: private events
 * go to who gave the address alone, or a fellow member could have them sent to their own receiver. Needs `webhooks:write`,
 * and for another address of a person that they signed in a moment ago. Throws forbidden, not_found, unprocessable for an unknown event type, conflict for an address that the workspace already has.
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
      deletePrivateOfOthers(core, id, owner.builderId);
      updateUrl(core, id, url, owner.builderId);
    }
    if (events) replaceSubscriptions(core, id, events);
    if (change.enabled !== undefined && change.enabled === (endpoint.disabled !== null)) {
      const off = { at: core.clock.now(), reason: "Its owner switched it off." };
      setDisabledRow(core, id, change.enabled ? null : off);
      core.wake();
    }
    return ownEndpoint(core, owner, id);
  });
}

/** While a rotation is open, both secrets sign. */
const ROTATION_MS = DAY;

/**
 * Gives an endpoint a new signing secret and returns it, shown only now; the old one also signs for 24 hours. Needs
 * `webhooks:write`, and of a person that they signed in a moment ago. Throws forbidden, not_found.
 */
export function rotateSecret(core: Core, caller: Caller, id: string): Endpoint & { secret: string } {
  const owner = requireBuilder(caller, "webhooks:write");
  requireFreshSession(core, caller);
  return core.db.transact(() => {
    const endpoint = ownEndpoint(core, owner, id);
    const secret = makeSecret(core);
    rotateSecretRow(core, id, core.seal.close("webhook-secret", id, secret), core.clock.now() + ROTATION_MS);
    return { ...endpoint, secret };
  });
}

function makeSecret(core: Core): string {
  return `whsec_${Buffer.from(core.random.bytes(32)).toString("base64")}`;
}

/** So many deliveries are deleted at once, in 3 ms. */
const REMOVAL_SLICE = 100;

/**
 * Removes an endpoint and its deliveries: from now on nobody finds it and nothing is attempted for it. Where the deliveries
 * are many, `continueRemoval` deletes the rest. Needs `webhooks:write`. Throws not_found.
 */
export function deleteEndpoint(core: Core, caller: Caller, id: string): void {
  const owner = requireBuilder(caller, "webhooks:write");
  core.db.transact(() => {
    markRemoved(core, ownEndpoint(core, owner, id).id, core.clock.now());
    deleteSomeOf(core, id, REMOVAL_SLICE);
    core.wake();
  });
}

/** The same for all endpoints of a workspace that is being deleted. Asks no right: what calls it has. Call it in a transaction. */
export function removeEndpointsOf(core: Core, workspaceId: string): void {
  for (const { id } of selectEndpoints(core, workspaceId)) markRemoved(core, id, core.clock.now());
  core.wake();
}

/** Deletes one slice more of a removed endpoint. Returns whether there was one. Call it in a transaction, again and again. */
export function continueRemoval(core: Core): boolean {
  const id = selectRemoved(core);
  if (id !== undefined) deleteSomeOf(core, id, REMOVAL_SLICE);
  return id !== undefined;
}

/** An endpoint of another workspace is as unknown as one that never was. */
function ownEndpoint(core: Core, owner: BuilderCaller, id: string): Endpoint {
  const [endpoint] = selectEndpoints(core, owner.workspaceId, id);
  if (!endpoint) throw notFound("There is no webhook endpoint with that id in this workspace.");
  return endpoint;
}

function refuseTaken(core: Core, workspaceId: string, url: string): void {
  if (findByUrl(core, workspaceId, url)) {
    throw conflict("This workspace already has an endpoint with that `url`; change that one instead.");
  }
}

/** In the order of the alphabet, each once. */
function eventTypes(names: readonly string[]): EventType[] {
  const types = [...new Set(names)].sort();
  for (const type of types) {
    if (!Object.hasOwn(EVENT_TYPES, type)) {
      throw unprocessable(`\`events\` holds an unknown type; the types are ${EVENT_NAMES.join(", ")}.`);
    }
  }
  return types as EventType[];
}
