import { DAY, isoTime } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { refuse, refuseFor } from "../../base/errors.ts";
import { linksIn } from "../../base/markdown.ts";
import { type Caller, requireAdmin } from "../access/caller.ts";
import { recordBy } from "../audit/audit.ts";
import { findBuilder } from "../builders/builders.ts";
import { communitySettingsOf } from "../community-settings/community-settings.ts";
import { hasQuotas, waitForQuotaMs, spendInDay } from "../quotas/quotas.ts";
import { findUnvouched, updateVouched } from "./newcomers-store.ts";

/*
 * Limits for new members (docs/contract.md#9.17): few links, pictures and messages to strangers. The
 * community sets for how many days a member counts as new. Each limit is checked in the transaction of its
 * write.
 */

/** Maximum number of links of a new member in one text, and in total within a day. */
export const NEWCOMER_LINKS = 2;
export const NEWCOMER_LINKS_A_DAY = 10;
/** Maximum number of pictures of a new member within a day. Deleted pictures count. */
export const NEWCOMER_PICTURES_A_DAY = 2;
/**
 * Maximum number of messages of a new member within a day to people who have not written to the new member.
 */
export const NEWCOMER_MESSAGES_A_DAY = 3;

/**
 * Returns until when a member counts as new, in ms since the epoch. Undefined for a member who joined long
 * enough ago, was vouched for or has a role. Checks no permission.
 */
export function newUntil(core: Core, builderId: string): number | undefined {
  const joinedAt = findUnvouched(core, builderId);
  if (joinedAt === undefined) return undefined;
  const until = joinedAt + communitySettingsOf(core).newcomerDays * DAY;
  return until > core.clock.now() ? until : undefined;
}

/**
 * Returns the caller's ID and `newUntil`, or undefined if the limits do not apply. They do not apply to
 * enterprise tokens and the operator.
 */
function limitsOf(core: Core, caller: Caller): { builderId: string; until: number } | undefined {
  const { builderId } = caller;
  const until = builderId !== null && hasQuotas(caller) ? newUntil(core, builderId) : undefined;
  return builderId === null || until === undefined ? undefined : { builderId, until };
}

/** The content of a text: its Markdown parts and the URLs in other fields. */
export interface LinkingText {
  texts: readonly (string | null | undefined)[];
  addresses?: readonly (string | null | undefined)[];
}

/**
 * Counts the links that a new member adds. `before` is the former version of the text, whose links do not
 * count. Links into this community do not count, unless such a link redirects to another site. Throws
 * forbidden for too many links in one text, rate_limited for too many within a day. Call it in the
 * transaction of the write.
 */
export function spendLinks(core: Core, caller: Caller, after: LinkingText, before?: LinkingText): void {
  const limits = limitsOf(core, caller);
  if (!limits) return;
  const { builderId, until } = limits;
  const [links, known] = [linksOf(core, after), before ? linksOf(core, before) : []];
  const fresh = links.filter((link) => !known.includes(link)).length;
  if (links.length > NEWCOMER_LINKS && (fresh > 0 || links.length > known.length))
    throw refuse("newcomer_links", { max: NEWCOMER_LINKS, until: isoTime(until) });
  if (fresh === 0) return;
  const bound = { n: fresh, max: NEWCOMER_LINKS_A_DAY };
  const waitMs = spendInDay(core, builderId, "links", bound);
  if (waitMs > 0) refuseToday(core, "newcomer_links_today", NEWCOMER_LINKS_A_DAY, waitMs, until);
}

function linksOf({ origin }: Core, { texts, addresses = [] }: LinkingText): string[] {
  const written = [...texts.flatMap((text) => linksIn(text ?? "")), ...addresses];
  return written.filter((address) => {
    // Resolve like a browser on our pages: a URL that starts with / or # stays on this site.
    const url = address ? URL.parse(address, `${origin}/`) : null;
    return url !== null && (url.origin !== origin || APP_REDIRECTS.test(url.pathname));
  }) as string[];
}

/** Paths that redirect to the URL of an app. Anyone can register an app with any URL. */
const APP_REDIRECTS = /^\/+v1\/oauth\//;

/**
 * Throws rate_limited when a new member has reached the limit of pictures. Call it before reading a picture.
 */
export function refuseManyPictures(core: Core, caller: Caller): void {
  requirePictureQuota(core, caller, waitForQuotaMs);
}

/**
 * Counts one picture. Throws like `refuseManyPictures`. Call it in the transaction that stores the picture.
 */
export function spendPicture(core: Core, caller: Caller): void {
  requirePictureQuota(core, caller, spendInDay);
}

function requirePictureQuota(core: Core, caller: Caller, waitMsOf: typeof waitForQuotaMs): void {
  const limits = limitsOf(core, caller);
  if (!limits) return;
  const max = NEWCOMER_PICTURES_A_DAY;
  const waitMs = waitMsOf(core, limits.builderId, "pictures", { n: 1, max });
  if (waitMs > 0) refuseToday(core, "newcomer_pictures", max, waitMs, limits.until);
}

/**
 * Throws rate_limited when a new member has sent too many messages within a day to people who have not
 * written to the member. `sentAt` returns the times of these messages, newest first.
 */
export function refuseManyMessages(
  core: Core,
  caller: Caller,
  sentAt: (limit: number) => readonly number[],
): void {
  const limits = limitsOf(core, caller);
  if (!limits) return;
  const max = NEWCOMER_MESSAGES_A_DAY;
  const oldest = sentAt(max)[max - 1];
  // After the clock was set back, a message may be from the future. The wait is still at most a day.
  const waitMs = oldest === undefined ? 0 : Math.min(oldest + DAY - core.clock.now(), DAY);
  if (waitMs > 0) refuseToday(core, "newcomer_messages", max, waitMs, limits.until);
}

/**
 * Throws rate_limited. The client can retry after `waitMs` or when the member is no longer new, whichever
 * comes first.
 */
function refuseToday(
  core: Core,
  code: "newcomer_links_today" | "newcomer_pictures" | "newcomer_messages",
  max: number,
  waitMs: number,
  until: number,
): never {
  throw refuseFor(code, Math.min(waitMs, until - core.clock.now()), { max, until: isoTime(until) });
}

/**
 * Vouches for a member: the limits for new members never apply to the member again. For admins and the
 * operator. Vouching again changes nothing. Throws forbidden, not_found.
 */
export function vouchFor(core: Core, caller: Caller, username: string): void {
  requireAdmin(caller);
  core.db.transact(() => {
    const builder = findBuilder(core, username);
    if (!builder) throw refuse("builder_unknown");
    if (findUnvouched(core, builder.id) === undefined) return;
    updateVouched(core, builder.id);
    recordBy(core, caller, "builder.vouched", builder.id);
  });
}
