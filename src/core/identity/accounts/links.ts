import { createHash } from "node:crypto";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { type CoreError, refuse } from "../../base/errors.ts";
import {
  deleteWorkspaceLink,
  findOpenLink,
  insertLink,
  markUsed,
  pruneLinks,
  selectWorkspaceLinks,
} from "./links-store.ts";

export { deleteLinksInto, deleteLinksOf, deleteUnusedRecoveries, selectLinksOf } from "./links-store.ts";

/** Purpose of a link: create the first admin, join the community, set a new password, join a workspace. */
export type LinkPurpose = "setup" | "invite" | "recovery" | "workspace";

/** A link without its token, of which only the hash is stored. Times in ms since the epoch. */
export interface Link {
  id: string;
  purpose: LinkPurpose;
  /** Account whose password a recovery link sets. */
  builderId: string | null;
  /** Workspace that an invitation opens. */
  workspaceId: string | null;
  /** Creator; null for the operator and for a deleted account. */
  createdBy: string | null;
  createdAt: number;
  expiresAt: number;
  /** Name given by its creator; empty for most links. */
  label: string;
  /** Number of allowed uses, and of uses so far. */
  uses: number;
  used: number;
}

export interface LinkDraft {
  purpose: LinkPurpose;
  lifetimeMs: number;
  builderId?: string | null;
  workspaceId?: string | null;
  createdBy: string | null;
  label?: string;
  /** Number of allowed uses. Defaults to 1. */
  uses?: number;
}

/** Length of a token. An attacker cannot guess 256 bits, so a plain hash of the token is stored. */
const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** How long used and expired links are kept, so that an operator can tell “used” from “never existed”. */
export const LINKS_RETENTION_MS = 30 * DAY;

/**
 * Makes a link and returns its token, which is available only now. The caller builds the URL. Checks no
 * permission, because the calling operation checks it. Call it in a transaction.
 */
export function makeLink(core: Core, draft: LinkDraft): Link & { token: string } {
  const {
    purpose,
    lifetimeMs,
    builderId = null,
    workspaceId = null,
    createdBy,
    label = "",
    uses = 1,
  } = draft;
  const token = Buffer.from(core.random.bytes(TOKEN_BYTES)).toString("base64url");
  const createdAt = core.clock.now();
  const id = core.makeId("lnk", createdAt);
  const link = {
    id,
    purpose,
    builderId,
    workspaceId,
    createdBy,
    createdAt,
    expiresAt: createdAt + lifetimeMs,
    label,
    uses,
    used: 0,
  };
  insertLink(core, { ...link, hash: hashOf(token) });
  return { ...link, token };
}

/**
 * Returns an open link without using it, for the page that the link opens. Throws not_found for every reason
 * alike.
 */
export function peekLink(core: Core, purpose: LinkPurpose, token: string): Link {
  return requireLink(
    isToken(token) ? findOpenLink(core, purpose, hashOf(token), core.clock.now()) : undefined,
  );
}

/**
 * Uses an open link once. The last use closes the link. Call it in the transaction of the operation that the
 * link allows. If the operation is refused, the link remains open. Of two concurrent requests for the last
 * use, one succeeds. Throws the same not_found for a link that is unknown, used, expired or of another
 * purpose.
 */
export function useLink(core: Core, purpose: LinkPurpose, token: string): Link {
  return requireLink(isToken(token) ? markUsed(core, purpose, hashOf(token), core.clock.now()) : undefined);
}

/** Returns the open links into a workspace, newest first. Checks no permission. */
export function openWorkspaceLinks(core: Core, workspaceId: string): Link[] {
  return selectWorkspaceLinks(core, workspaceId, core.clock.now());
}

/**
 * Withdraws a link into a workspace. Returns whether the link existed. Checks no permission. Call it in a
 * transaction.
 */
export function withdrawWorkspaceLink(core: Core, workspaceId: string, id: string): boolean {
  return deleteWorkspaceLink(core, workspaceId, id);
}

/** Deletes links that ended more than 30 days ago, in small batches. Called periodically. */
export async function forgetOldLinks(core: Core): Promise<void> {
  const before = core.clock.now() - LINKS_RETENTION_MS;
  while ((await core.db.write(() => pruneLinks(core, before, 500))) > 0);
}

function isToken(text: string): boolean {
  return TOKEN.test(text);
}

function requireLink(link: Link | undefined): Link {
  if (link) return link;
  throw brokenLink();
}

/**
 * Builds the refusal of an invalid link. The refusal is the same for every reason, so that nobody learns
 * which links exist.
 */
export function brokenLink(): CoreError {
  return refuse("link_broken");
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
