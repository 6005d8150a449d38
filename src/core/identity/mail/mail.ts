import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { Choice, ruled, PatternText } from "../../base/check.ts";
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
 * Email address of a member (docs/contract.md#12.20). A member has one address, confirmed by a link, and
 * chooses which notifications are sent to it. No other member sees the address.
 */

export type MailChoice = (typeof MAIL_CHOICES)[number];

/** Mail settings as their owner sees them. */
export interface MailSettings {
  /** Confirmed address of the member; null without one. */
  address: string | null;
  /** Address that waits for confirmation; null without one. */
  pending: string | null;
  mails: MailChoice;
  /** Time when the mailbox permanently refused email; null when it has not refused email. */
  bouncedAt: number | null;
}

/**
 * RFC 5321 §4.1.2 without quoted local parts and IP addresses. Excludes everything that could start a header
 * or another address.
 */
export const MailAddress = PatternText(
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
/** Lifetime of a recovery link by email. The recipient is waiting for it. */
const RECOVERY_LIFETIME_MS = HOUR;
/**
 * Delay before an address added after sign-up can recover the account. A thief may have added the address.
 * During the delay, the owner can notice the added address.
 */
const RECOVERS_AFTER_MS = DAY;
/** Maximum number of accounts with the same address that get a recovery email. */
const RECOVERED_MAX = 5;
const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Recipient of security notices about an account, such as a new passkey or token. */
export interface NoticeAddress {
  address: string;
  /**
   * Time since when the address belongs to the member, in ms since the epoch. Null when a link in the notice
   * may not recover the account.
   */
  since: number | null;
}

export function sendsMail({ policy }: Core): boolean {
  return policy.mailFrom !== undefined;
}

/** Returns the caller's mail settings. Needs a session; throws forbidden. */
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

/** Returns the address that waits for confirmation; null without one. Checks no permission. */
export function pendingMailAddress(core: Core, builderId: string): string | null {
  const row = findMailAddress(core, builderId);
  return (row?.pendingUntil ?? 0) > core.clock.now() ? (row?.pending ?? null) : null;
}

/**
 * Returns the milliseconds until the caller's address can recover the account; 0 when it already can. Needs a
 * session; throws forbidden.
 */
export function recoveryWaitMs(core: Core, caller: Caller): number {
  const row = findMailAddress(core, requirePerson(caller).builderId);
  return Math.max(0, (row?.recoversAt ?? 0) - core.clock.steady());
}

/**
 * Returns the milliseconds for which the caller's former address still gets security notices; 0 when it gets
 * none. Needs a session; throws forbidden.
 */
export function formerAddressMs(core: Core, caller: Caller): number {
  const row = findMailAddress(core, requirePerson(caller).builderId);
  return Math.max(0, (row?.formerUntil ?? 0) - core.clock.steady());
}

/**
 * Sends a confirmation link to a new address. Until the new address is confirmed, mail is sent to the old
 * address. Needs a recent sign-in, because a person who reads the new mailbox can recover the account. Throws
 * forbidden, conflict when this community sends no mail, rate_limited like `admitConfirmation`.
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
    queueMail(core, { kind: "confirm", builderId, address, token, validForMs: CONFIRM_WITHIN_MS });
  });
}

/** Returns whose address a link confirms, for the page that the link opens. Throws not_found. */
export function peekConfirmation(core: Core, token: string): { username: string; address: string } {
  const { builderId, pending } = findPendingByToken(core, token);
  return { username: findStanding(core, builderId)?.username ?? "", address: pending ?? "" };
}

/**
 * Returns the address for security notices about the account; null for none. For 24 hours after a change of
 * the address, the former address gets the notices. So a thief who changes the address does not get the
 * notices instead of the owner.
 */
export function noticeAddress(core: Core, row: MailAddressRow): NoticeAddress | null {
  const { address, former, formerUntil, formerSince, confirmedAt, recoversAt } = row;
  const now = core.clock.steady();
  if (former !== null && (formerUntil ?? 0) > now) return { address: former, since: formerSince };
  if (address === null) return null;
  // `recoversAt` is 0 for an address from sign-up or from an older version. Such an address can recover the
  // account at once.
  const since = recoversAt === 0 ? 0 : (confirmedAt ?? 0);
  return { address, since: recoversAt <= now ? since : null };
}

/**
 * Confirms a member's new address. Notifies the member in the notification list and at the former address.
 * Recovery links sent to the former address stop working. Needs no session: the link proves access to the
 * mailbox. Throws not_found. Call it in a transaction.
 */
export function confirmMailAddress(core: Core, token: string, address: string | null): void {
  const row = findPendingByToken(core, token);
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
    // Omit the address: a session without a recent sign-in may not read it.
    notifyAddition(core, builderId, "mail");
  }
  forgetBounce(core, builderId);
  clearPending(core, builderId);
  record(core, { act: "mail.confirmed", actor: builderId, subject: builderId, address });
}

/**
 * Sets an address that was confirmed before its owner became a member. Call it in the transaction that
 * creates the member.
 */
export function ownAddress(core: Core, builderId: string, address: string): void {
  putMailAddress(core, { builderId, address, confirmedAt: core.clock.now(), recoversAt: 0 });
}

/**
 * Removes the caller's address. Recovery links that were sent to the address stop working. Needs a session;
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
 * Deletes the address of an account that is being secured. Returns whether the account had a confirmed
 * address. Call it in a transaction.
 */
export function deleteMailAddress(core: Core, builderId: string): boolean {
  forgetBounce(core, builderId);
  return deleteRow(core, builderId);
}

/**
 * Notifies the addresses that a member is losing: the address for security notices and the newest address. If
 * `mayRecover` allows it, the mail to the address for security notices contains a link that recovers the
 * account. Call it in a transaction.
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

/** Sets which notifications the caller gets by email. Needs a session; throws forbidden. */
export function chooseMails(core: Core, caller: Caller, { mails }: MailChoiceDraft): void {
  const { builderId } = requirePerson(caller);
  core.db.transact(() => putMailAddress(core, { builderId, mails, digestAt: null }));
}

/**
 * Returns the token that unsubscribes from notification emails with one click and without signing in (RFC
 * 8058).
 */
export function unsubscribeToken(core: Core, builderId: string): string {
  const [key] = core.secrets.derivedKeys("mail-unsubscribe");
  return `${builderId}.${signed(key, builderId)}`;
}

/** Turns off emails about notifications. Throws not_found for an invalid token. Call it in a transaction. */
export function unsubscribe(core: Core, token: string): void {
  const builderId = builderOfUnsubscribe(core, token);
  putMailAddress(core, { builderId, mails: "off", digestAt: null });
}

/** Returns the owner of an unsubscribe token. Throws not_found for an invalid one. */
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
 * Sends a password recovery link to the owner of a username or confirmed address. Neither the response nor
 * its time reveals whether an account exists, because every request costs one write. Sends at most one email
 * per hour and account. The link is valid for an hour. An address added after sign-up gets no email for 24
 * hours. Throws conflict when this community sends no mail, rate_limited.
 */
export async function mailRecovery(core: Core, from: SignInOrigin, usernameOrAddress: string): Promise<void> {
  if (!sendsMail(core)) throw refuse("mail_not_sent");
  core.memory(accountState).attemptLimits.admitAttempt(from.address);
  await core.db.write(() => {
    const found = accountsOf(core, usernameOrAddress.trim()).filter(
      ({ builderId, address, recoversAt }) =>
        address !== null && recoversAt <= core.clock.steady() && admitRecovery(core, builderId, address),
    );
    // If no account exists, queue an email without a recipient, so that both cases write the same amount. The
    // queue drops this email when it is due.
    if (found.length === 0)
      queueMail(core, { kind: "recovery", builderId: null, validForMs: RECOVERY_LIFETIME_MS });
    for (const { builderId, address } of found) {
      const { token } = makeLink(core, {
        purpose: "recovery",
        lifetimeMs: RECOVERY_LIFETIME_MS,
        builderId,
        createdBy: null,
      });
      queueMail(core, {
        kind: "recovery",
        builderId,
        readAt: address ?? undefined,
        token,
        validForMs: RECOVERY_LIFETIME_MS,
      });
      record(core, { act: "recovery.mailed", actor: null, subject: builderId, address: from.address });
    }
  });
}

/**
 * Notifies the address that a member is giving up. The address gets the member's security notices for another
 * 24 hours.
 */
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

function accountsOf(core: Core, usernameOrAddress: string): MailAddressRow[] {
  const isAddress = usernameOrAddress.indexOf("@") > 0;
  const builder = isAddress
    ? undefined
    : findBuilder(core, foldUsername(usernameOrAddress.replace(/^@/, "")));
  const own = builder && findMailAddress(core, builder.id);
  const rows = isAddress ? selectByAddress(core, usernameOrAddress, RECOVERED_MAX) : own ? [own] : [];
  return rows.filter(
    ({ builderId, address }) => address !== null && findStanding(core, builderId)?.suspendedAt === null,
  );
}

function findPendingByToken(core: Core, token: string): MailAddressRow {
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
