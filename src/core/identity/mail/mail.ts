import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { Choice, ruled, Word } from "../../base/check.ts";
import { DAY, HOUR } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { MAIL_CHOICES } from "../../base/db/schema-channels.ts";
import { refuse } from "../../base/errors.ts";
import { type Caller, requirePerson } from "../access/caller.ts";
import { brokenLink, deleteUnusedRecoveries, makeLink } from "../accounts/links.ts";
import { requireFresh, type SignInOrigin } from "../accounts/sessions.ts";
import { accountState } from "../accounts/account-state.ts";
import { recordBy, record } from "../audit/audit.ts";
import { findBuilder, findStanding } from "../builders/builders.ts";
import { notifyAddition } from "../notifications/notify.ts";
import { foldUsername } from "../builders/username.ts";
import {
  clearPending,
  deleteMailAddress as deleteRow,
  findByPending,
  findMailAddress,
  type MailAddressRow,
  putMailAddress,
  selectByAddress,
} from "./mail-store.ts";
import { forgetBounce } from "./bounces.ts";
import { admitConfirmation, admitRecovery } from "./mail-limits.ts";
import { makeNotMeLink } from "./not-me-links.ts";
import { queueMail } from "./queue.ts";

export {
  findMailAddress,
  type MailAddressRow,
  selectAddressesBehind,
  setAddressResume,
} from "./mail-store.ts";

/*
 * Where a member has mail sent (docs/contract.md#12.20): one address, which a link that was sent there has
 * confirmed, and what comes there of notifications. Nobody else ever sees it.
 */

export type MailChoice = (typeof MAIL_CHOICES)[number];

/** What a person sees of their own. */
export interface MailSettings {
  /** Where mail goes; null where none does. */
  address: string | null;
  /** What waits to be confirmed. */
  pending: string | null;
  mails: MailChoice;
  /** When the mailbox of the address refused mail for good; null where it did not. */
  bouncedAt: number | null;
}

/**
 * As of RFC 5321 §4.1.2, less quoted names and addresses of machines: nothing that could begin a header or
 * another address.
 */
export const MailAddress = Word(
  "^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z]{2,63}$",
  ruled("not_mail_address"),
  { maxLength: 254 },
);
export const MailAddressDraft = Type.Object({ address: MailAddress }, { additionalProperties: false });
export const MailChoiceDraft = Type.Object(
  { mails: Choice(MAIL_CHOICES, "The emails that the member gets.", ["daily"]) },
  { additionalProperties: false },
);
export type MailAddressDraft = Static<typeof MailAddressDraft>;
export type MailChoiceDraft = Static<typeof MailChoiceDraft>;

const CONFIRM_WITHIN_MS = DAY;
/** A link that lies in a mailbox is good for as long as somebody waits for it. */
const RECOVERY_LIVES_MS = HOUR;
/** An address that was added after sign-up may be a thief's: the owner has this long to find out. */
const RECOVERS_AFTER_MS = DAY;
/** So many accounts of one address are sent a way back in. */
const RECOVERED_MAX = 5;
const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Where notices about access go. */
export interface NoticeAddress {
  address: string;
  /**
   * Since when it is the member's, ms since the epoch; null where a link in the notice may not recover the
   * account.
   */
  since: number | null;
}

/** Whether this community sends mail. */
export function sendsMail({ policy }: Core): boolean {
  return policy.mailFrom !== undefined;
}

/** For a person who has signed in; throws forbidden. */
export function getMailSettings(core: Core, caller: Caller): MailSettings {
  const { builderId } = requirePerson(caller);
  const row = findMailAddress(core, builderId);
  return {
    address: row?.address ?? null,
    pending: pendingMailAddress(core, builderId),
    mails: row?.mails ?? "daily",
    bouncedAt: row?.bouncedAt ?? null,
  };
}

/** The address that waits to be confirmed; null for none. Asks no right. */
export function pendingMailAddress(core: Core, builderId: string): string | null {
  const row = findMailAddress(core, builderId);
  return (row?.pendingUntil ?? 0) > core.clock.now() ? (row?.pending ?? null) : null;
}

/**
 * How long until the caller's address recovers their account; 0 for now. For a person who has signed in;
 * throws forbidden.
 */
export function recoveryWaitMs(core: Core, caller: Caller): number {
  const row = findMailAddress(core, requirePerson(caller).builderId);
  return Math.max(0, (row?.recoversAt ?? 0) - core.clock.steady());
}

/**
 * How long notices still go to the address before the caller's; 0 for no longer. For a person who has signed
 * in; throws forbidden.
 */
export function formerAddressMs(core: Core, caller: Caller): number {
  const row = findMailAddress(core, requirePerson(caller).builderId);
  return Math.max(0, (row?.formerUntil ?? 0) - core.clock.steady());
}

/**
 * Sends a link to an address, by which it becomes the caller's; until then mail goes where it went. For a
 * person who signed in a moment ago, as whoever reads mail there may come in by it. Throws forbidden,
 * conflict where this community sends no mail, rate_limited as `admitConfirmation`.
 */
export function setMailAddress(core: Core, caller: Caller, { address }: MailAddressDraft): void {
  const { builderId } = requirePerson(caller);
  requireFresh(core, caller);
  if (!sendsMail(core)) throw refuse("mail_not_sent");
  core.db.transact(() => {
    admitConfirmation(core, builderId, address, findMailAddress(core, builderId)?.address ?? null);
    const now = core.clock.now();
    const token = Buffer.from(core.random.bytes(TOKEN_BYTES)).toString("base64url");
    const pending = { pending: address, pendingHash: hashOf(token), pendingUntil: now + CONFIRM_WITHIN_MS };
    putMailAddress(core, { builderId, ...pending });
    queueMail(core, { kind: "confirm", builderId, address, token, livesMs: CONFIRM_WITHIN_MS });
  });
}

/** Whose address a link confirms, for its page. Throws not_found. */
export function peekConfirmation(core: Core, token: string): { username: string; address: string } {
  const { builderId, pending } = pendingBehind(core, token);
  return { username: findStanding(core, builderId)?.username ?? "", address: pending ?? "" };
}

/**
 * Where notices about access to an account go; null for nowhere. For 24 hours after a change that is the
 * address before it, so that a thief who changes the address does not get the notices instead of the owner.
 */
export function noticeAddress(core: Core, row: MailAddressRow): NoticeAddress | null {
  const { address, former, formerUntil, formerSince, confirmedAt, recoversAt } = row;
  const now = core.clock.steady();
  if (former !== null && (formerUntil ?? 0) > now) return { address: former, since: formerSince };
  if (address === null) return null;
  // An address from sign-up recovers the account from 0 on, and so does one from an earlier version.
  const since = recoversAt === 0 ? 0 : (confirmedAt ?? 0);
  return { address, since: recoversAt <= now ? since : null };
}

/**
 * Makes the address that a link was sent to the member's own, and notifies the member by the bell and at the
 * address before. Recovery links that were sent to that one stop working. Needs no session: the link proves
 * that its holder reads mail there. Throws not_found. Call it in a transaction.
 */
export function confirmMailAddress(core: Core, token: string, address: string | null): void {
  const row = pendingBehind(core, token);
  const { builderId, pending } = row;
  if (row.address === pending) {
    putMailAddress(core, { builderId, bouncedAt: null });
  } else {
    leaveAddress(core, row);
    const recoversAt = core.clock.steady() + RECOVERS_AFTER_MS;
    putMailAddress(core, {
      builderId,
      address: pending,
      bouncedAt: null,
      confirmedAt: core.clock.now(),
      recoversAt,
    });
    // Without the address: a session that is not recent may not read it.
    notifyAddition(core, builderId, "mail");
  }
  forgetBounce(core, builderId);
  clearPending(core, builderId);
  record(core, { act: "mail.confirmed", actor: builderId, subject: builderId, address });
}

/**
 * Makes an address that somebody confirmed before they were a member their own. Call it in the transaction
 * that makes them one.
 */
export function ownAddress(core: Core, builderId: string, address: string): void {
  putMailAddress(core, { builderId, address, confirmedAt: core.clock.now(), recoversAt: 0 });
}

/**
 * Sends no more mail there. Recovery links that were sent there stop working. For a person who has signed in;
 * throws forbidden.
 */
export function removeMailAddress(core: Core, caller: Caller): void {
  const { builderId } = requirePerson(caller);
  core.db.transact(() => {
    const row = findMailAddress(core, builderId);
    clearPending(core, builderId);
    if (!row?.address) return;
    leaveAddress(core, row);
    putMailAddress(core, { builderId, address: null, digestAt: null, bouncedAt: null });
    forgetBounce(core, builderId);
    recordBy(core, caller, "mail.removed", builderId);
  });
}

/**
 * Deletes the address of an account that is secured, and returns whether there was a confirmed one. Call it
 * in a transaction.
 */
export function deleteMailAddress(core: Core, builderId: string): boolean {
  forgetBounce(core, builderId);
  return deleteRow(core, builderId);
}

/**
 * Notifies the addresses of a member that are no longer theirs: the one that gets notices, with a link that
 * recovers the account where `mayRecover` says so of it, and the newest one. Call it in a transaction.
 */
export function notifyFormerAddresses(
  core: Core,
  row: MailAddressRow,
  mayRecover: (notice: NoticeAddress) => boolean,
): void {
  if (!sendsMail(core)) return;
  const { builderId } = row;
  const notice = noticeAddress(core, row);
  for (const address of new Set([notice?.address, row.address])) {
    if (!address) continue;
    const token =
      address === notice?.address && mayRecover(notice)
        ? makeNotMeLink(core, { builderId, address, what: "mail", name: "" })
        : undefined;
    queueMail(core, { kind: "moved", builderId, address, ...(token !== undefined && { token }) });
  }
}

/** What comes there of notifications. For a person who has signed in; throws forbidden. */
export function chooseMails(core: Core, caller: Caller, { mails }: MailChoiceDraft): void {
  const { builderId } = requirePerson(caller);
  core.db.transact(() => putMailAddress(core, { builderId, mails, digestAt: null }));
}

/**
 * What a mail carries so that its reader ends such mails with one click and without signing in (RFC 8058).
 */
export function unsubscribeToken(core: Core, builderId: string): string {
  const [key] = core.secrets.derivedKeys("mail-unsubscribe");
  return `${builderId}.${signed(key, builderId)}`;
}

/**
 * Ends mails about notifications. Throws not_found for a token that is not ours. Call it in a transaction.
 */
export function unsubscribe(core: Core, token: string): void {
  const builderId = builderOfUnsubscribe(core, token);
  putMailAddress(core, { builderId, mails: "off", digestAt: null });
}

/** Throws not_found, as `unsubscribe`. */
export function builderOfUnsubscribe(core: Core, token: string): string {
  const [builderId = "", mark = ""] = token.split(".");
  const sent = Buffer.from(mark);
  const isOurs = core.secrets.derivedKeys("mail-unsubscribe").some((key) => {
    const own = Buffer.from(signed(key, builderId));
    return own.length === sent.length && timingSafeEqual(own, sent);
  });
  if (!isOurs || !findMailAddress(core, builderId)) throw brokenLink();
  return builderId;
}

/**
 * Sends a link that sets a new password, to whom a username or a confirmed address belongs. Whether there is
 * anybody is not told, neither by the answer nor by its time: one write in either case. At most one an hour
 * to each account, good for an hour. An address that was added after sign-up gets none for 24 hours. Throws
 * conflict where this community sends no mail, rate_limited.
 */
export async function mailRecovery(core: Core, from: SignInOrigin, who: string): Promise<void> {
  if (!sendsMail(core)) throw refuse("mail_not_sent");
  core.memory(accountState).guard.admitAttempt(from.address);
  await core.db.write(() => {
    const found = accountsOf(core, who.trim()).filter(
      ({ builderId, address, recoversAt }) =>
        address !== null && recoversAt <= core.clock.steady() && admitRecovery(core, builderId, address),
    );
    // Thrown away when it is due: what is written is the same.
    if (found.length === 0)
      queueMail(core, { kind: "recovery", builderId: null, livesMs: RECOVERY_LIVES_MS });
    for (const { builderId, address } of found) {
      const { token } = makeLink(core, {
        purpose: "recovery",
        lifetimeMs: RECOVERY_LIVES_MS,
        builderId,
        createdBy: null,
      });
      queueMail(core, {
        kind: "recovery",
        builderId,
        readAt: address ?? undefined,
        token,
        livesMs: RECOVERY_LIVES_MS,
      });
      record(core, { act: "recovery.mailed", actor: null, subject: builderId, address: from.address });
    }
  });
}

/** Notifies the address that a member had until now, which gets their notices for 24 hours more. */
function leaveAddress(core: Core, row: MailAddressRow): void {
  const { builderId } = row;
  if (row.address !== null) deleteUnusedRecoveries(core, builderId);
  notifyFormerAddresses(core, row, ({ since }) => since !== null);
  const notice = noticeAddress(core, row);
  if (notice === null) return;
  const { address: former, since: formerSince } = notice;
  const formerUntil = core.clock.steady() + RECOVERS_AFTER_MS;
  putMailAddress(core, { builderId, former, formerUntil, formerSince });
}

function accountsOf(core: Core, who: string): MailAddressRow[] {
  const isAddress = who.indexOf("@") > 0;
  const builder = isAddress ? undefined : findBuilder(core, foldUsername(who.replace(/^@/, "")));
  const own = builder && findMailAddress(core, builder.id);
  const rows = isAddress ? selectByAddress(core, who, RECOVERED_MAX) : own ? [own] : [];
  return rows.filter(
    ({ builderId, address }) => address !== null && findStanding(core, builderId)?.suspendedAt === null,
  );
}

function pendingBehind(core: Core, token: string): MailAddressRow {
  const row = TOKEN.test(token) ? findByPending(core, hashOf(token), core.clock.now()) : undefined;
  if (!row || findStanding(core, row.builderId)?.suspendedAt !== null) throw brokenLink();
  return row;
}

function signed(key: string, builderId: string): string {
  return createHmac("sha256", key).update(builderId).digest("base64url");
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
