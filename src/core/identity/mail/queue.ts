import { DAY, HOUR, MINUTE } from "../../ground/clock.ts";
import type { Core } from "../../ground/core.ts";
import type { MAIL_KINDS } from "../../ground/db/schema-reach.ts";
import { noteBounce } from "./bounces.ts";
import {
  countMails,
  deferMail,
  deleteMail,
  deleteMailNamed,
  insertMail,
  type MailRow,
  nextMailDue,
  putMailToken,
  selectDueMails,
} from "./queue-store.ts";

export type MailKind = (typeof MAIL_KINDS)[number];

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
  /** There is nothing to say any more, or nobody to say it to. */
  | { kind: "void" };

/** So long a mail is tried, after each attempt so long: RFC 5321 §4.5.4.1 asks for some days. */
const TRIED_MS = 3 * DAY;
const RETRY_AFTER_MS: readonly number[] = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR];
/** What waits in all: an attack on forms that send mail fills no disk. */
const QUEUE_MAX = 20_000;

/** Whether one more may wait. */
export function hasRoomForMail(core: Core): boolean {
  return countMails(core) < QUEUE_MAX;
}

/**
 * Puts a mail on its way, unless so many wait that something is amiss. Whether it was. Call it in the transaction of
 * what it tells.
 */
export function queueMail(core: Core, draft: MailDraft): boolean {
  if (!hasRoomForMail(core)) return false;
  const { kind, builderId, address, token, groupId, places, once, livesMs = TRIED_MS } = draft;
  const at = core.clock.steady();
  const name = once ?? Buffer.from(core.random.bytes(16)).toString("hex");
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
  });
  if (seq === undefined) return false;
  if (token !== undefined)
    putMailToken(core, seq, core.secrets.seal("mail-token", mailOwner({ seq }), token));
  core.wake();
  return true;
}

/** Takes a mail off its way by what was said to tell it from all others; does nothing where it is gone. Call it in a transaction. */
export function dropMail(core: Core, once: string): void {
  deleteMailNamed(core, messageIdOf(core, once));
}

function messageIdOf(core: Core, name: string): string {
  return `<${name}@${new URL(core.origin).hostname}>`;
}

export function mailOwner({ seq }: { seq: number }): string {
  return String(seq);
}

/** What is due and does not run, the oldest first. */
export function dueMails(core: Core, running: readonly number[], most: number): Mail[] {
  return selectDueMails(core, core.clock.steady(), running, most).map(({ token, ...row }) => ({
    ...row,
    token: token === null ? undefined : core.secrets.open("mail-token", mailOwner(row), token),
  }));
}

/** By the steady time; undefined where nothing waits. */
export function nextMail(core: Core, running: readonly number[]): number | undefined {
  return nextMailDue(core, running);
}

/** Writes down how an attempt ended. Call it in a transaction. */
export function settleMail(core: Core, mail: Mail, end: MailEnd): void {
  const { seq, attempts, endsAt } = mail;
  if (end.kind === "bounced") noteBounce(core, mail, end.address);
  if (end.kind !== "later") return deleteMail(core, seq);
  const dueAt = core.clock.steady() + (RETRY_AFTER_MS[attempts] ?? RETRY_AFTER_MS.at(-1) ?? 0);
  if (dueAt >= endsAt) deleteMail(core, seq);
  else deferMail(core, seq, dueAt);
}
