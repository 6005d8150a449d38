import { DAY, HOUR, MINUTE } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import type { MAIL_KINDS } from "../../base/db/schema-channels.ts";
import { noteBounce } from "./bounces.ts";
import { canQueue, type QueuePosition, WAITING_MAX } from "../../base/queue-limits.ts";
import { mailboxMark } from "./mail-limits.ts";
import {
  countWaitingMails,
  deferMail,
  deleteEndedMails,
  deleteMail,
  deleteMailNamed,
  firstMailDue,
  hasEndedMails,
  insertMail,
  type MailRow,
  nextMailDue,
  putMailToken,
  type DueMail,
  selectDueMails,
  selectNextMail,
  selectWaitingMails,
  type WaitingMails,
} from "./queue-store.ts";

export type { DueMail } from "./queue-store.ts";
export type MailKind = (typeof MAIL_KINDS)[number];

/**
 * Kinds of mail that a person needs to get into an account or to keep other people out of it. Notification
 * emails set their own urgency.
 */
const URGENT_KINDS: ReadonlySet<MailKind> = new Set(["confirm", "moved", "recovery"]);

/** A queued email. `places` are the positions of its notifications. */
export interface Mail extends Omit<MailRow, "token"> {
  /** Token of the link in the email; undefined without a link. */
  token: string | undefined;
}

/** Details of an email to add to the queue. */
export interface MailDraft {
  kind: MailKind;
  builderId: string | null;
  /** Recipient. When omitted, the mail is sent to the address that the builder has at the time of sending. */
  address?: string;
  /** The builder's current address, which counts for the limits when `address` is omitted. */
  readAt?: string | undefined;
  /** Whether the mail is urgent. Defaults to the urgency of the kind. */
  isUrgent?: boolean;
  token?: string;
  groupId?: string;
  range?: { after: number; upTo: number };
  /**
   * Unique name of the email. While an email waits, another email with the same name is not queued. Without a
   * name, the email is always queued.
   */
  once?: string;
  /** How long the mail is useful, in ms. This time is limited to the time for which an email is retried. */
  validForMs?: number;
}

/** Result of an attempt to send an email. */
export type MailEnd =
  | { kind: "sent" }
  /** The server permanently refused this email. */
  | { kind: "refused" }
  /** The server permanently refused the mailbox of this address. */
  | { kind: "bounced"; address: string }
  | { kind: "later" }
  /** The server accepted no mail at all. Does not count as an attempt. */
  | { kind: "unreachable" }
  /** The mail was not sent, because its content or recipient no longer exists. */
  | { kind: "void" };

/** How long an email is retried, and the delays between attempts. RFC 5321 §4.5.4.1 asks for some days. */
export const MAIL_RETRY_FOR_MS = 3 * DAY;
const RETRY_AFTER_MS: readonly number[] = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR];
const ENDED_BATCH = 500;

/**
 * Whether the queue accepts another notification or digest for a member. Other kinds of mail are limited when
 * a person causes them (`mail-limits.ts`), so that a full queue never blocks account recovery.
 */
export function canQueueMail(core: Core, builderId: string, address: string, isUrgent: boolean): boolean {
  const to = { builderId, mark: mailboxMark(core, address) };
  const lane = { host: domainOf(address), urgent: isUrgent ? 1 : 0 };
  return canQueue("mail", isUrgent, countWaitingMails(core, to, lane, WAITING_MAX.mail.host));
}

/**
 * Queues an email unless an email of the same name waits. Returns whether it queued the mail. Call it in the
 * transaction that causes the mail.
 */
export function queueMail(core: Core, draft: MailDraft): boolean {
  const {
    kind,
    builderId,
    address,
    readAt,
    token,
    groupId,
    range,
    once,
    validForMs = MAIL_RETRY_FOR_MS,
  } = draft;
  const at = core.clock.steady();
  const name = once ?? Buffer.from(core.random.bytes(16)).toString("hex");
  const to = address ?? readAt;
  const seq = insertMail(core, {
    kind,
    builderId,
    address: address ?? null,
    groupId: groupId ?? null,
    afterPlace: range?.after ?? null,
    upToPlace: range?.upTo ?? null,
    messageId: messageIdOf(core, name),
    createdAt: at,
    dueAt: at,
    endsAt: at + Math.min(validForMs, MAIL_RETRY_FOR_MS),
    urgent: (draft.isUrgent ?? URGENT_KINDS.has(kind)) ? 1 : 0,
    host: to === undefined ? "" : domainOf(to),
    mark: to === undefined ? null : mailboxMark(core, to),
  });
  if (seq === undefined) return false;
  if (token !== undefined)
    putMailToken(core, seq, core.secrets.seal("mail-token", mailOwner({ seq }), token));
  core.wake();
  return true;
}

/** Removes a queued email by its name, if it exists. Call it in a transaction. */
export function dropMail(core: Core, once: string): void {
  deleteMailNamed(core, messageIdOf(core, once));
}

function messageIdOf(core: Core, name: string): string {
  return `<${name}@${new URL(core.origin).hostname}>`;
}

export function mailOwner({ seq }: { seq: number }): string {
  return String(seq);
}

/**
 * Returns the recipients of a lane's emails that are due by `now` and after a position, in order of due time.
 */
export function dueMails(
  core: Core,
  isUrgent: boolean,
  now: number,
  after: QueuePosition,
  most: number,
): DueMail[] {
  return selectDueMails(core, isUrgent ? 1 : 0, now, after, most);
}

/** Returns the next email of a lane for the mailbox of a due email; undefined when none is due. */
export function nextMailTo(
  core: Core,
  isUrgent: boolean,
  to: Pick<DueMail, "seq" | "mark">,
): Mail | undefined {
  const found = selectNextMail(core, isUrgent ? 1 : 0, core.clock.steady(), to);
  if (!found) return undefined;
  const { token, ...row } = found;
  return {
    ...row,
    // The token is opened when this property is read, so that a token that cannot be opened does not block
    // other emails.
    get token() {
      return token === null ? undefined : core.secrets.open("mail-token", mailOwner(row), token);
    },
  };
}

/** Returns the due time of a lane's next email that is not due yet, in steady time. */
export function nextMail(core: Core, isUrgent: boolean): number | undefined {
  return nextMailDue(core, isUrgent ? 1 : 0, core.clock.steady());
}

/** Returns the due time of a lane's first email, past or future, in steady time. */
export function firstMail(core: Core, isUrgent: boolean): number | undefined {
  return firstMailDue(core, isUrgent ? 1 : 0) ?? undefined;
}

/** Whether an urgent email is due. */
export function isUrgentMailDue(core: Core): boolean {
  return (firstMail(core, true) ?? Infinity) <= core.clock.steady();
}

/** Whether the queue contains expired emails, which `dropEndedMails` drops. */
export function isAnyMailEnded(core: Core): boolean {
  return hasEndedMails(core, core.clock.steady());
}

/** Drops a batch of expired emails. Call it in a transaction. */
export function dropEndedMails(core: Core): void {
  deleteEndedMails(core, core.clock.steady(), ENDED_BATCH);
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1).toLowerCase();
}

/**
 * Counts the waiting emails per kind and lane, up to a bound, and returns when the first email of each lane
 * is due. Times are in steady time.
 */
export function waitingMails(
  data: Pick<Core, "db">,
  kinds: readonly MailKind[],
  most: number,
): { kinds: WaitingMails[]; dueAt: { urgent: number | null; ordinary: number | null } } {
  return {
    kinds: selectWaitingMails(data, kinds, most),
    dueAt: { urgent: firstMailDue(data, 1), ordinary: firstMailDue(data, 0) },
  };
}

/** Stores the result of an attempt. Call it in a transaction. */
export function settleMail(core: Core, mail: Mail, end: MailEnd): void {
  const { seq, attempts, endsAt } = mail;
  if (end.kind === "unreachable") return;
  if (end.kind === "bounced") noteBounce(core, mail, end.address);
  if (end.kind !== "later") return deleteMail(core, seq);
  const dueAt = core.clock.steady() + (RETRY_AFTER_MS[attempts] ?? RETRY_AFTER_MS.at(-1) ?? 0);
  if (dueAt >= endsAt) deleteMail(core, seq);
  else deferMail(core, seq, dueAt);
}
