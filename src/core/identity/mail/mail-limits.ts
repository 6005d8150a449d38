import { createHmac } from "node:crypto";
import { DAY, HOUR, MINUTE } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { refuse, refuseFor } from "../../base/errors.ts";
import { insertMark, type MarkKind, pruneMarks, selectSentBy, selectSentTo } from "./mail-limits-store.ts";

/*
 * How many mails one person can have sent to another (docs/contract.md#12.20). The marks outlive what they
 * limit: an address that is removed, a link that is withdrawn, an account that is deleted. All times are of
 * the steady clock.
 */

/**
 * Mails that a member or a stranger can have sent to any address. A recovery goes to a confirmed address
 * alone.
 */
const CAUSED_BY_OTHERS: readonly MarkKind[] = ["confirm", "invitation", "application"];

const GMAIL = /^(.*)@(?:gmail|googlemail)\.com$/;
const PER_RECIPIENT_A_DAY = 3;
const INVITATIONS_A_DAY = 20;
const ADDRESSES_A_DAY = 5;
const CONFIRM_EVERY_MS = MINUTE;
/** Also where a stranger takes the application back. */
const APPLICATIONS_A_DAY = 5;
const RECOVERY_EVERY_MS = HOUR;
/** Accounts that share an address are sent so many recoveries within an hour. */
const RECOVERIES_PER_RECIPIENT = 5;

/**
 * Counts a link that confirms a member's address; `confirmed` is the one that they have. Throws rate_limited:
 * within a minute of the last link that was not followed, for a sixth address within a day, and for a fourth
 * mail to the address within a day. Call it in the transaction that sends it.
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
 * Counts an invitation by mail; `builderId` is null for the operator. Throws rate_limited, for each bound the
 * same. Call it in the transaction that makes the link.
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
 * Counts a mail that an applicant asks for from a network address. Throws rate_limited. Call it in a
 * transaction.
 */
export function admitApplicationMail(core: Core, from: string, address: string): void {
  const now = core.clock.steady();
  const [to, by] = [mailboxMark(core, address), keyedMark(core, `from ${from}`)];
  const asked = selectSentTo(core, by, ["application"], now - DAY);
  if (asked.length >= APPLICATIONS_A_DAY || recipientWaitMs(core, to, now) > 0)
    throw refuse("application_mails_too_many");
  for (const mark of [to, by])
    insertMark(core, { kind: "application", builderId: null, mark, createdAt: now });
}

/**
 * Counts a recovery mail, and returns whether it may be sent: one an hour to each account, and few to one
 * address. No other kind counts here, and recoveries count for no other kind. Call it in a transaction.
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

/** Deletes marks that count no more. Called now and then. */
export async function forgetMailMarks(core: Core): Promise<void> {
  const before = core.clock.steady() - DAY;
  while ((await core.db.write(() => pruneMarks(core, before, 500))) > 0);
}

/** How long until an address may be sent one more mail that others cause; 0 for now. */
function recipientWaitMs(core: Core, mark: Buffer, now: number): number {
  const sent = selectSentTo(core, mark, CAUSED_BY_OTHERS, now - DAY);
  const first = sent[sent.length - PER_RECIPIENT_A_DAY];
  return first === undefined ? 0 : first + DAY - now;
}

/** When each address was sent something last, the oldest first. */
function latestOfEach(sent: readonly { mark: Buffer; createdAt: number }[]): number[] {
  const latest = new Map(sent.map(({ mark, createdAt }) => [mark.toString("hex"), createdAt]));
  return [...latest.values()].sort((one, other) => one - other);
}

/**
 * One mailbox has one mark, in any case of its letters and with any tag: `Ada+x@home.example` is
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
