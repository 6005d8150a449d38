import { DAY, HOUR, MINUTE } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import type { MAIL_KINDS } from "../../base/db/schema-channels.ts";
import { noteBounce } from "./bounces.ts";
import { mayWait, type QueuePosition, WAITING_MAX } from "../../base/queue-limits.ts";
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
 * Mails that a person waits for to get in, or to keep others out. A notification's mail says so of itself.
 */
const URGENT_KINDS: ReadonlySet<MailKind> = new Set(["confirm", "moved", "recovery"]);

/** A mail on its way. Places are those of the notifications that it tells of. */
export interface Mail extends Omit<MailRow, "token"> {
  /** Of the link in it. */
  token: string | undefined;
}

/** What is to be sent. */
export interface MailDraft {
  kind: MailKind;
  builderId: string | null;
  /** Left out, wherever its builder reads mail when it is sent. */
  address?: string;
  /** Where its builder reads mail now, if `address` is left out: what it counts for. */
  readAt?: string | undefined;
  /** Left out, as its kind is. */
  isUrgent?: boolean;
  token?: string;
  groupId?: string;
  places?: { after: number; upTo: number };
  /** What tells it from all others: the same is never put in twice. Left out, there is none like it. */
  once?: string;
  /** How long it says anything; at most as long as it is tried. */
  livesMs?: number;
}

/** How an attempt ended. */
export type MailEnd =
  | { kind: "sent" }
  /** The server refused this mail for good. */
  | { kind: "refused" }
  /** The server refused the mailbox of this address for good. */
  | { kind: "bounced"; address: string }
  | { kind: "later" }
  /** The server took no mail at all. It is no attempt of this one. */
  | { kind: "unreachable" }
  /** There is nothing to say any more, or nobody to say it to. */
  | { kind: "void" };

/** So long a mail is tried, after each attempt so long: RFC 5321 §4.5.4.1 asks for some days. */
const TRIED_MS = 3 * DAY;
const RETRY_AFTER_MS: readonly number[] = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR];
const ENDED_AT_ONCE = 500;

/**
 * Whether one more notification or digest may wait for a member. All other kinds are limited where they are
 * caused (`mail-limits.ts`), so that nothing that waits keeps a way back in from being sent.
 */
export function hasRoomForMail(core: Core, builderId: string, address: string, isUrgent: boolean): boolean {
  const to = { builderId, mark: mailboxMark(core, address) };
  const lane = { host: domainOf(address), urgent: isUrgent ? 1 : 0 };
  return mayWait("mail", isUrgent, countWaitingMails(core, to, lane, WAITING_MAX.mail.host));
}

/**
 * Queues a mail, unless one with the same name waits; returns whether it did. Call it in the transaction of
 * its cause.
 */
export function queueMail(core: Core, draft: MailDraft): boolean {
  const { kind, builderId, address, readAt, token, groupId, places, once, livesMs = TRIED_MS } = draft;
  const at = core.clock.steady();
  const name = once ?? Buffer.from(core.random.bytes(16)).toString("hex");
  const to = address ?? readAt;
  const seq = insertMail(core, {
    kind,
    builderId,
    address: address ?? null,
    groupId: groupId ?? null,
    afterPlace: places?.after ?? null,
    upToPlace: places?.upTo ?? null,
    messageId: messageIdOf(core, name),
    createdAt: at,
    dueAt: at,
    endsAt: at + Math.min(livesMs, TRIED_MS),
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

/**
 * Takes a mail off its way by what was said to tell it from all others; does nothing where it is gone. Call
 * it in a transaction.
 */
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
 * Returns the recipients of the mails of a lane that are due by `now` and behind a position, the first due
 * first.
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

/** Returns the mail of a lane that goes next to the mailbox of a due one; undefined where none is due. */
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
    // Opened when it is sent: a token that cannot be opened keeps no other mail waiting.
    get token() {
      return token === null ? undefined : core.secrets.open("mail-token", mailOwner(row), token);
    },
  };
}

/** Returns when the next mail of a lane falls due, of those that are not due yet, by the steady time. */
export function nextMail(core: Core, isUrgent: boolean): number | undefined {
  return nextMailDue(core, isUrgent ? 1 : 0, core.clock.steady());
}

/** Returns when the first mail of a lane falls due, or fell due, by the steady time. */
export function firstMail(core: Core, isUrgent: boolean): number | undefined {
  return firstMailDue(core, isUrgent ? 1 : 0) ?? undefined;
}

/** Whether an urgent mail may be sent now. */
export function isUrgentMailDue(core: Core): boolean {
  return (firstMail(core, true) ?? Infinity) <= core.clock.steady();
}

/** Whether `dropEndedMails` has anything to do. */
export function isAnyMailEnded(core: Core): boolean {
  return hasEndedMails(core, core.clock.steady());
}

/** Gives up some of the mails that waited for as long as they say anything. Call it in a transaction. */
export function dropEndedMails(core: Core): void {
  deleteEndedMails(core, core.clock.steady(), ENDED_AT_ONCE);
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1).toLowerCase();
}

/**
 * What waits, of each kind in each lane up to a bound, and when the first mail of each lane is due. Times are
 * of the steady clock.
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

/** Writes down how an attempt ended. Call it in a transaction. */
export function settleMail(core: Core, mail: Mail, end: MailEnd): void {
  const { seq, attempts, endsAt } = mail;
  if (end.kind === "unreachable") return;
  if (end.kind === "bounced") noteBounce(core, mail, end.address);
  if (end.kind !== "later") return deleteMail(core, seq);
  const dueAt = core.clock.steady() + (RETRY_AFTER_MS[attempts] ?? RETRY_AFTER_MS.at(-1) ?? 0);
  if (dueAt >= endsAt) deleteMail(core, seq);
  else deferMail(core, seq, dueAt);
}
