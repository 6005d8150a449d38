import { createHash } from "node:crypto";
import { DAY, HOUR } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { brokenLink } from "../accounts/links.ts";
import { findStanding } from "../builders/builders.ts";
import type { AddedAccess } from "../notifications/kinds.ts";
import { dropFormerAddresses } from "./mail-store.ts";
import { findNotMeLink, insertNotMeLink, type NotMeLinkRow, pruneNotMeLinks } from "./not-me-links-store.ts";

export { deleteNotMeLinksOf, selectNotMeLinksOf } from "./not-me-links-store.ts";

/*
 * “Not me” links in emails about new credentials of an account (docs/contract.md#9.1.1). By such a link, a
 * person who can read the recipient's mailbox can recover the account.
 */

export type NotMeLink = NotMeLinkRow & { username: string };

const LIFETIME_MS = 3 * DAY;
const USED_LIFETIME_MS = HOUR;
const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * Makes a link for an email to `address` and returns its token. Call it in the transaction that queues the
 * mail.
 */
export function makeNotMeLink(
  core: Core,
  link: { builderId: string; address: string; what: AddedAccess; name: string },
): string {
  const token = Buffer.from(core.random.bytes(TOKEN_BYTES)).toString("base64url");
  const createdAt = core.clock.now();
  insertNotMeLink(core, { ...link, hash: hashOf(token), createdAt, endsAt: createdAt + LIFETIME_MS });
  return token;
}

/**
 * The use of a link revokes all credentials and links of the account. This function then stores the used link
 * again, so that a second press of the link's button also works. Call it in a transaction.
 */
export function storeUsedLink(core: Core, { username: _, ...link }: NotMeLink): void {
  const usedAt = core.clock.now();
  insertNotMeLink(core, { ...link, usedAt, endsAt: usedAt + USED_LIFETIME_MS });
}

/** Returns a link without using it. Throws not_found for an invalid link and for a suspended account. */
export function peekNotMeLink(core: Core, token: string): NotMeLink {
  const link = TOKEN.test(token) ? findNotMeLink(core, hashOf(token), core.clock.now()) : undefined;
  const standing = link && findStanding(core, link.builderId);
  if (!link || !standing || standing.suspendedAt !== null) throw brokenLink();
  return { ...link, username: standing.username };
}

/** Deletes expired links and former addresses. Called periodically. */
export async function forgetNotMeLinks(core: Core): Promise<void> {
  const [now, steady] = [core.clock.now(), core.clock.steady()];
  while ((await core.db.write(() => pruneNotMeLinks(core, now, 500))) > 0);
  while ((await core.db.write(() => dropFormerAddresses(core, steady, 500))) > 0);
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
