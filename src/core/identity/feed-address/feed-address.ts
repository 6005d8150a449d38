import { createHash } from "node:crypto";
import type { Core } from "../../base/core.ts";
import { type Caller, requirePerson } from "../access/caller.ts";
import { requireFresh } from "../accounts/sessions.ts";
import { recordBy } from "../audit/audit.ts";
import { findStanding } from "../builders/builders.ts";
import { notifyAddition } from "../notifications/notify.ts";
import { deleteFeedAddress, findFeedAddress, findFeedOwner, putFeedAddress } from "./feed-address-store.ts";

export { deleteFeedAddress, findFeedAddress } from "./feed-address-store.ts";

/*
 * Secret URL of a member's personal feed (docs/contract.md#12.21). The database stores the hash of the
 * secret, to find the owner. It also stores a sealed copy, so that the owner can read the URL again. A stolen
 * database does not reveal the secret.
 */

const SECRET_BYTES = 24;
/** Prefix by which logs recognize the secret (src/http/request-log.ts). */
const PREFIX = "guild_feed_";
const SECRET = /^guild_feed_[A-Za-z0-9_-]{32}$/;

/**
 * Returns the URL of the caller's personal feed; null when no URL exists. Needs a recent sign-in. Throws
 * forbidden.
 */
export function getFeedAddress(core: Core, caller: Caller): { url: string; createdAt: number } | null {
  const { builderId } = requirePerson(caller);
  requireFresh(core, caller);
  const row = findFeedAddress(core, builderId);
  if (!row) return null;
  return {
    url: addressOf(core, core.secrets.open("feed-address", builderId, row.sealed)),
    createdAt: row.createdAt,
  };
}

/** Creates a new URL for the caller's feed and invalidates the old URL. Throws like `getFeedAddress`. */
export function renewFeedAddress(core: Core, caller: Caller): string {
  const { builderId } = requirePerson(caller);
  requireFresh(core, caller);
  return core.db.transact(() => {
    const secret = PREFIX + Buffer.from(core.random.bytes(SECRET_BYTES)).toString("base64url");
    const sealed = core.secrets.seal("feed-address", builderId, secret);
    putFeedAddress(core, { builderId, hash: hashOf(secret), sealed, createdAt: core.clock.now() });
    recordBy(core, caller, "feed.renewed", builderId);
    notifyAddition(core, builderId, "feed");
    return addressOf(core, secret);
  });
}

/** Removes the URL of the caller's feed. Needs a session; throws forbidden. */
export function endFeedAddress(core: Core, caller: Caller): void {
  const { builderId } = requirePerson(caller);
  core.db.transact(() => {
    if (deleteFeedAddress(core, builderId)) recordBy(core, caller, "feed.ended", builderId);
  });
}

/**
 * Returns the owner of a feed by the secret in its URL. Undefined for an unknown secret and for a suspended
 * member.
 */
export function ownerOfFeed(core: Core, secret: string): string | undefined {
  const builderId = SECRET.test(secret) ? findFeedOwner(core, hashOf(secret)) : undefined;
  return builderId !== undefined && findStanding(core, builderId)?.suspendedAt === null
    ? builderId
    : undefined;
}

function addressOf(core: Core, secret: string): string {
  return `${core.origin}/feeds/${secret}.atom`;
}

function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
