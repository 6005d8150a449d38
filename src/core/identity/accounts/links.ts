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

/** What a link is for: the first admin, a newcomer, a forgotten password, a workspace. */
export type LinkPurpose = "setup" | "invite" | "recovery" | "workspace";

/** What is known of a link. The token in it is not: only its hash is kept. Times in ms since the epoch. */
export interface Link {
  id: string;
  purpose: LinkPurpose;
  /** Whose password a recovery sets. */
  builderId: string | null;
  /** Which workspace an invitation opens. */
  workspaceId: string | null;
  /** Who made it; null for the operator, and where that builder is gone. */
  createdBy: string | null;
  createdAt: number;
  expiresAt: number;
  /** What its maker calls it; empty for most. */
  label: string;
  /** How often it works, and how often it has. */
  uses: number;
  used: number;
}

export interface LinkDraft {
  purpose: LinkPurpose;
  /** How long it is good for. */
  lifetimeMs: number;
  builderId?: string | null;
  workspaceId?: string | null;
  createdBy: string | null;
  label?: string;
  /** Left out, once. */
  uses?: number;
}

/** 256 bits: nobody guesses one, so its plain hash is enough to keep. */
const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * Used and expired links are kept this long, so that «used» and «never was» can be told apart by an operator.
 */
const KEEP_MS = 30 * DAY;

/**
 * Makes a one-time link and returns its token, which is seen only now; whoever makes it writes the address
 * around it. Asks no right: the operation that calls it has. Call it in a transaction.
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
 * What an open link is for, without using it up: for the page that it leads to. Throws not_found, for every
 * reason the same.
 */
export function peekLink(core: Core, purpose: LinkPurpose, token: string): Link {
  return orUnknown(isToken(token) ? findOpenLink(core, purpose, hashOf(token), core.clock.now()) : undefined);
}

/**
 * Uses an open link once; with its last use it is closed. Call it in the transaction of what it allows:
 * refused there, the link stays open. Of two who come at once for the last use, one gets it. Throws not_found
 * for one that is unknown, used, expired or of another purpose, all the same.
 */
export function useLink(core: Core, purpose: LinkPurpose, token: string): Link {
  return orUnknown(isToken(token) ? markUsed(core, purpose, hashOf(token), core.clock.now()) : undefined);
}

/** The open links into a workspace, newest first. Asks no right. */
export function openWorkspaceLinks(core: Core, workspaceId: string): Link[] {
  return selectWorkspaceLinks(core, workspaceId, core.clock.now());
}

/**
 * Takes a link into a workspace back; returns whether there was one. Asks no right. Call it in a transaction.
 */
export function withdrawWorkspaceLink(core: Core, workspaceId: string, id: string): boolean {
  return deleteWorkspaceLink(core, workspaceId, id);
}

/** Drops links that ended long ago, in small slices. Called now and then. */
export async function forgetOldLinks(core: Core): Promise<void> {
  const before = core.clock.now() - KEEP_MS;
  while ((await core.db.write(() => pruneLinks(core, before, 500))) > 0);
}

function isToken(text: string): boolean {
  return TOKEN.test(text);
}

function orUnknown(link: Link | undefined): Link {
  if (link) return link;
  throw brokenLink();
}

/** One sentence for every reason, so that nobody learns which links there are. */
export function brokenLink(): CoreError {
  return refuse("link_broken");
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
