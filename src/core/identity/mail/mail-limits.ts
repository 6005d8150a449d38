import { createHmac } from "node:crypto";
import { DAY, HOUR, MINUTE } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { refuse, refuseFor } from "../../base/errors.ts";
import { networkOf } from "../sign-ups/networks.ts";
import { insertMark, type MarkKind, pruneMarks, selectSentBy, selectSentTo } from "./mail-limits-store.ts";

/*
 * Limits on mail that one person can cause to another (docs/contract.md#12.20). A mark records one email.
 * Marks are kept when the address is removed, the link is withdrawn or the account is deleted. All times are
 * in steady time.
 */

/** Emails that a member or guest can cause to any address. Recovery mail goes only to confirmed addresses. */
const CAUSED_BY_OTHERS: readonly MarkKind[] = ["confirm", "invitation", "application", "report"];

const GMAIL = /^(.*)@(?:gmail|googlemail)\.com$/;
const PER_RECIPIENT_A_DAY = 3;
const INVITATIONS_A_DAY = 20;
const ADDRESSES_A_DAY = 5;
const CONFIRM_EVERY_MS = MINUTE;
/**
 * Maximum number of join requests with mail from one network address within a day. Withdrawn requests count
 * too.
 */
const APPLICATIONS_A_DAY = 5;
/** Maximum numbers of reports by strangers within a day, with or without an email address for the answer. */
const REPORTS_PER_ADDRESS_A_DAY = 5;
const REPORTS_PER_NETWORK_A_DAY = 20;
const RECOVERY_EVERY_MS = HOUR;
/** Maximum number of recovery emails within an hour to an address that several accounts share. */
const RECOVERIES_PER_RECIPIENT = 5;

/**
 * Counts a link that confirms a member's address. `confirmed` is the member's current address. Throws
 * rate_limited within a minute of the last unconfirmed link. Also throws rate_limited for a sixth address, or
 * a fourth mail to the address, within a day. Call it in the transaction that sends the mail.
 */
export function admitConfirmation(
  core: Core,
  builderId: string,
  address: string,
  confirmed: string | null,
): void {
  const now = core.clock.steady();
  const mark = mailboxMark(core, address);
  const sent = selectSentBy(core, builderId, "confirm", now - DAY);
  const last = sent.at(-1);
  const isConfirmed = confirmed !== null && last?.mark.equals(mailboxMark(core, confirmed));
  if (last && !isConfirmed && now - last.createdAt < CONFIRM_EVERY_MS) throw refuse("mail_just_sent");
  const others = latestOfEach(sent.filter((one) => !one.mark.equals(mark)));
  const first = others[others.length - ADDRESSES_A_DAY];
  if (first !== undefined)
    throw refuseFor("mail_addresses_too_many", first + DAY - now, { max: ADDRESSES_A_DAY });
  const waitMs = recipientWaitMs(core, mark, now);
  if (waitMs > 0) throw refuseFor("mail_recipient_too_many", waitMs, { max: PER_RECIPIENT_A_DAY });
  insertMark(core, { kind: "confirm", builderId, mark, createdAt: now });
}

/**
 * Counts an invitation by email; `builderId` is null for the operator. Throws the same rate_limited for each
 * limit. Call it in the transaction that makes the link.
 */
export function admitInvitation(core: Core, builderId: string | null, address: string): void {
  const now = core.clock.steady();
  const mark = mailboxMark(core, address);
  const sent = builderId === null ? [] : selectSentBy(core, builderId, "invitation", now - DAY);
  if (sent.length >= INVITATIONS_A_DAY || recipientWaitMs(core, mark, now) > 0)
    throw refuse("invitation_mails_too_many");
  insertMark(core, { kind: "invitation", builderId, mark, createdAt: now });
}

/**
 * Counts an email of a join request from a network address. Throws rate_limited. Call it in a transaction.
 */
export function admitApplicationMail(core: Core, from: string, address: string): void {
  const now = core.clock.steady();
  const [to, by] = [mailboxMark(core, address), keyedMark(core, `from ${from}`)];
  const sentTimes = selectSentTo(core, by, ["application"], now - DAY);
  if (sentTimes.length >= APPLICATIONS_A_DAY || recipientWaitMs(core, to, now) > 0)
    throw refuse("application_mails_too_many");
  for (const mark of [to, by])
    insertMark(core, { kind: "application", builderId: null, mark, createdAt: now });
}

/**
 * Counts a report by a stranger from a network address, and the answer to `mail`. Throws rate_limited. Call
 * it in a transaction.
 */
export function admitStrangerReport(core: Core, from: string, mail: string | undefined): void {
  const now = core.clock.steady();
  const limits: readonly [Buffer, number][] = [
    [keyedMark(core, `report from ${from}`), REPORTS_PER_ADDRESS_A_DAY],
    [keyedMark(core, `reports from ${networkOf(from) ?? "unknown"}`), REPORTS_PER_NETWORK_A_DAY],
  ];
  for (const [mark, max] of limits) {
    const sent = selectSentTo(core, mark, ["report"], now - DAY);
    const first = sent[sent.length - max];
    if (first !== undefined) throw refuseFor("stranger_reports_too_many", first + DAY - now);
  }
  const to = mail === undefined ? [] : [mailboxMark(core, mail)];
  for (const mark of to) {
    const waitMs = recipientWaitMs(core, mark, now);
    if (waitMs > 0) throw refuseFor("mail_recipient_too_many", waitMs, { max: PER_RECIPIENT_A_DAY });
  }
  for (const mark of [...limits.map(([by]) => by), ...to])
    insertMark(core, { kind: "report", builderId: null, mark, createdAt: now });
}

/** Returns the mark of a network address that reports a subject. */
export function reporterMark(core: Core, from: string, subjectId: string): Buffer {
  return keyedMark(core, `reporter ${from} ${subjectId}`);
}

/**
 * Counts a recovery email and returns whether it may be sent: one an hour per account, and few per address.
 * Recovery emails have limits of their own and do not count for other kinds. Call it in a transaction.
 */
export function admitRecovery(core: Core, builderId: string, address: string): boolean {
  const now = core.clock.steady();
  const mark = mailboxMark(core, address);
  const after = now - RECOVERY_EVERY_MS;
  if (selectSentBy(core, builderId, "recovery", after).length > 0) return false;
  if (selectSentTo(core, mark, ["recovery"], after).length >= RECOVERIES_PER_RECIPIENT) return false;
  insertMark(core, { kind: "recovery", builderId, mark, createdAt: now });
  return true;
}

/** How long a mark is kept, in steady time. */
export const MARKS_RETENTION_MS = DAY;

/** Deletes expired marks. Called periodically. */
export async function forgetMailMarks(core: Core): Promise<void> {
  const before = core.clock.steady() - MARKS_RETENTION_MS;
  while ((await core.db.write(() => pruneMarks(core, before, 500))) > 0);
}

/**
 * Returns the milliseconds until the address may get another email that others cause; 0 when it may get an
 * email now.
 */
function recipientWaitMs(core: Core, mark: Buffer, now: number): number {
  const sent = selectSentTo(core, mark, CAUSED_BY_OTHERS, now - DAY);
  const first = sent[sent.length - PER_RECIPIENT_A_DAY];
  return first === undefined ? 0 : first + DAY - now;
}

/** Returns when each address last got an email, oldest first. */
function latestOfEach(sent: readonly { mark: Buffer; createdAt: number }[]): number[] {
  const latest = new Map(sent.map(({ mark, createdAt }) => [mark.toString("hex"), createdAt]));
  return [...latest.values()].sort((one, other) => one - other);
}

/**
 * Returns the mark of a mailbox, independent of letter case and tag: `Ada+x@home.example` is
 * `ada@home.example`. Gmail has two domains and ignores dots: `a.da@googlemail.com` is `ada@gmail.com`.
 */
export function mailboxMark(core: Core, address: string): Buffer {
  const untagged = address.toLowerCase().replace(/\+[^@]*(?=@)/, "");
  const [, local] = GMAIL.exec(untagged) ?? [];
  return keyedMark(core, local === undefined ? untagged : `${local.replaceAll(".", "")}@gmail.com`);
}

function keyedMark(core: Core, text: string): Buffer {
  const [key] = core.secrets.derivedKeys("invited-address");
  return createHmac("sha256", key).update(text).digest();
}
