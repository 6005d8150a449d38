import { type Caller, requireAdmin, requirePerson } from "../../identity/access/caller.ts";
import { recordBy } from "../../identity/audit/audit.ts";
import { type BuilderRow, findBuilder, refuseTouch } from "../../identity/builders/builders.ts";
import { foldUsername } from "../../identity/builders/username.ts";
import type { Core } from "../../ground/core.ts";
import { refuse } from "../../ground/errors.ts";
import type { Endpoint } from "../../outbox/webhooks/endpoint.ts";
import { deleteSubscriptionsOf } from "../../outbox/push/push.ts";
import { endpointsOfBuilder, pauseEndpointsBy, removeEndpointsBy } from "../../outbox/webhooks/webhooks.ts";
import { deletePassword, findPasswordHash } from "../../identity/accounts/passwords.ts";
import { deleteLinksOf } from "../../identity/accounts/links.ts";
import { revokeGrantsOf } from "../grants/grants.ts";
import { revokeTokensOf } from "../tokens/tokens.ts";
import { deleteFeedAddress } from "../../identity/feed-address/feed-address.ts";
import { deleteMailAddress } from "../../identity/mail/mail.ts";
import { forgetDevices } from "../../identity/accounts/devices.ts";
import { type Passkey, deletePasskey, selectPasskeys } from "../../identity/accounts/passkeys.ts";
import { countWaysIn } from "./securing-store.ts";
import {
  renewSession,
  requireFresh,
  type SignedIn,
  deleteSessionsBut,
} from "../../identity/accounts/sessions.ts";

/** How much of what gives access to an account there is, or was ended. */
export interface WaysIn {
  sessions: number;
  tokens: number;
  /** Apps that were let in. */
  apps: number;
  /** Webhook endpoints that its builder or an app of theirs registered, in whatever workspace. */
  endpoints: number;
  /** Unused links that its builder made, or that set its password. */
  links: number;
}

/** What somebody goes on signing in with. */
export interface Keep {
  /** Ids of passkeys; all that are not here are removed. */
  passkeys: readonly string[] | "all";
  /** Only an admin or the operator takes a password away; its own person changes it, knowing it. */
  password: boolean;
}

/** What stands before whoever is about to secure an account. */
export interface SecuringPreview {
  username: string;
  waysIn: WaysIn;
  endpoints: Endpoint[];
  passkeys: Passkey[];
  hasPassword: boolean;
}

/** For the account's person, for admins and the operator. Throws forbidden, not_found. */
export function previewSecuring(core: Core, caller: Caller, username: string): SecuringPreview {
  requireRight(caller, username);
  const builder = findKnown(core, username);
  if (builder.id !== caller.builderId) refuseTouch(core, caller, "secure", builder);
  const { id, username: name } = builder;
  return {
    username: name,
    waysIn: countWaysIn(core, id, core.clock.now()),
    endpoints: endpointsOfBuilder(core, id),
    passkeys: selectPasskeys(core, id).map(({ id: passkey, name: called, createdAt, lastUsedAt }) => ({
      id: passkey,
      name: called,
      createdAt,
      lastUsedAt,
    })),
    hasPassword: findPasswordHash(core, id) !== undefined,
  };
}

/**
 * Ends everything that gives access to an account (docs/contract.md#9.1), for good: its sessions, tokens,
 * connected apps, webhook endpoints and links, and the passkeys that are not kept. Of its own person the
 * session that asks goes on under a new secret, which is returned: a copy of it is worth nothing, and the
 * sign-in is as old as it was. For the person, for admins, all of whom signed in a moment ago, and the
 * operator. Throws forbidden, not_found; conflict where a person would leave themself no way to sign in.
 */
export function secureAccount(
  core: Core,
  caller: Caller,
  username: string,
  keep: Keep,
): { ended: WaysIn; renewed: SignedIn | null } {
  const isOwn = requireRight(caller, username);
  requireFresh(core, caller);
  return core.db.transact(() => {
    const builder = findKnown(core, username);
    if (!isOwn) refuseTouch(core, caller, "secure", builder);
    const dropped = dropPasskeys(core, builder, keep);
    const isDropped = !isOwn && !keep.password && deletePassword(core, builder.id);
    if (isOwn && selectPasskeys(core, builder.id).length === 0 && !findPasswordHash(core, builder.id))
      throw refuse("way_in_last");
    forgetDevices(core, builder.id);
    const renewed = isOwn ? renewSession(core, caller) : null;
    // Also those of the session that goes on: whoever had a copy of it may have added a browser of theirs.
    deleteSubscriptionsOf(core, builder.id);
    if (deleteFeedAddress(core, builder.id)) recordBy(core, caller, "feed.ended", builder.id);
    // Whoever reads mail there can have a new password sent; it may be another's by now.
    if (deleteMailAddress(core, builder.id)) recordBy(core, caller, "mail.removed", builder.id);
    // Before the grants, which would end those of apps without a word.
    const endpoints = removeEndpointsBy(core, builder.id);
    const ended = endAccess(core, builder.id, { kept: renewed?.session.id ?? null });
    for (const url of endpoints) {
      ended.endpoints++;
      recordBy(core, caller, "endpoint.deleted", builder.id, { url });
    }
    for (const name of dropped) recordBy(core, caller, "passkey.removed", builder.id, { name });
    if (isDropped) recordBy(core, caller, "password.removed", builder.id);
    recordBy(core, caller, "account.secured", builder.id, { ...ended });
    return { ended, renewed };
  });
}

/**
 * Ends what a suspended builder could come back by without signing in: restored, they sign in and make anew
 * what they need. Their webhook endpoints are switched off, and theirs to switch on. Asks no right: what
 * calls it has. Call it in a transaction.
 */
export function lockOut(core: Core, builderId: string): WaysIn {
  forgetDevices(core, builderId);
  const ended = endAccess(core, builderId, { kept: null });
  return { ...ended, endpoints: pauseEndpointsBy(core, builderId, "account_suspended") };
}

function endAccess(core: Core, builderId: string, { kept }: { kept: string | null }): WaysIn {
  const now = core.clock.now();
  return {
    sessions: deleteSessionsBut(core, builderId, kept),
    tokens: revokeTokensOf(core, { builderId }, now),
    apps: revokeGrantsOf(core, { builderId }, now),
    endpoints: 0,
    links: deleteLinksOf(core, builderId),
  };
}

/** Their names. */
function dropPasskeys(core: Core, { id }: BuilderRow, { passkeys }: Keep): string[] {
  if (passkeys === "all") return [];
  const dropped = selectPasskeys(core, id).filter((passkey) => !passkeys.includes(passkey.id));
  for (const passkey of dropped) deletePasskey(core, passkey.id);
  return dropped.map(({ name }) => name);
}

/** Whether it is the person's own account. */
function requireRight(caller: Caller, username: string): boolean {
  const isOwn = caller.means !== "operator" && requirePerson(caller).username === foldUsername(username);
  if (!isOwn) requireAdmin(caller);
  return isOwn;
}

function findKnown(core: Core, username: string): BuilderRow {
  const builder = findBuilder(core, foldUsername(username));
  if (!builder) throw refuse("builder_unknown");
  return builder;
}
