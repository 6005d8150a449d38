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
 * What holds for whoever is new (docs/contract.md#9.17): few links, pictures, and messages to strangers, for
 * as many days as the community says now. One rule each, asked in the transaction of what is written.
 */

/** So many links one text of a newcomer holds, and all that they write within a day together. */
export const NEWCOMER_LINKS = 2;
export const NEWCOMER_LINKS_A_DAY = 10;
/** So many pictures a newcomer sends within a day, also where some of them were taken away since. */
export const NEWCOMER_PICTURES_A_DAY = 2;
/** So many messages within a day go to people who have not written to them. */
export const NEWCOMER_MESSAGES_A_DAY = 3;

/**
 * Until when somebody is new, in ms since the epoch; undefined for who is not: whoever was here for the days
 * of now, whom somebody vouches for, and who moderates. Asks no right.
 */
export function newUntil(core: Core, builderId: string): number | undefined {
  const cameAt = findUnvouched(core, builderId);
  if (cameAt === undefined) return undefined;
  const until = cameAt + communitySettingsOf(core).newcomerDays * DAY;
  return until > core.clock.now() ? until : undefined;
}

/** The same for who acts: the limits hold neither for enterprise tokens nor for the operator. */
function limitsOf(core: Core, caller: Caller): { builderId: string; until: number } | undefined {
  const { builderId } = caller;
  const until = builderId !== null && hasQuotas(caller) ? newUntil(core, builderId) : undefined;
  return builderId === null || until === undefined ? undefined : { builderId, until };
}

/** What one text shows: its parts in Markdown, and addresses that stand beside them. */
export interface LinkingText {
  texts: readonly (string | null | undefined)[];
  addresses?: readonly (string | null | undefined)[];
}

/**
 * Counts the links that a newcomer writes, `before` being what the same text showed until now: those stay.
 * Links into this community are free, but for those that lead out of it again. Throws forbidden for more than
 * a newcomer's text may hold, rate_limited for more than all of theirs may within a day. Call it in the
 * transaction in which it is written.
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
    // As a browser reads it on a page of ours: what begins with / or # stays here.
    const url = address ? URL.parse(address, `${origin}/`) : null;
    return url !== null && (url.origin !== origin || LEADS_ON.test(url.pathname));
  }) as string[];
}

/** Where this community sends whoever comes on to an app, whose address anybody registers. */
const LEADS_ON = /^\/+v1\/oauth\//;

/** Throws rate_limited for a newcomer who has sent as many pictures as they may; asked before one is read. */
export function refuseManyPictures(core: Core, caller: Caller): void {
  askPictures(core, caller, waitForQuotaMs);
}

/** Counts one more. Throws as `refuseManyPictures`. Call it in the transaction of the picture. */
export function spendPicture(core: Core, caller: Caller): void {
  askPictures(core, caller, spendInDay);
}

function askPictures(core: Core, caller: Caller, ask: typeof waitForQuotaMs): void {
  const limits = limitsOf(core, caller);
  if (!limits) return;
  const max = NEWCOMER_PICTURES_A_DAY;
  const waitMs = ask(core, limits.builderId, "pictures", { n: 1, max });
  if (waitMs > 0) refuseToday(core, "newcomer_pictures", max, waitMs, limits.until);
}

/**
 * Throws rate_limited where a newcomer's messages of the last day to people who have not written to them,
 * whose moments `sentAt` gives with the newest first, are as many as there may be.
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
  // A clock that was set back has sent them later.
  const waitMs = oldest === undefined ? 0 : Math.min(oldest + DAY - core.clock.now(), DAY);
  if (waitMs > 0) refuseToday(core, "newcomer_messages", max, waitMs, limits.until);
}

/** Room comes when the day has gone on, or when they are new no more. */
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
 * Answers for a member: the limits of newcomers hold for them no more, whatever the community says later. For
 * admins and the operator. Once however often it is asked. Throws forbidden, not_found.
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
