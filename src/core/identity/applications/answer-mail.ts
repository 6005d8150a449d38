import { createHash } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { check } from "../../base/check.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import type { Language } from "../../base/locales.ts";
import { brokenLink } from "../accounts/links.ts";
import { record } from "../audit/audit.ts";
import {
  type ApplicationRow,
  type ApplicationState,
  findApplication,
  findByMailHash,
  patchApplication,
} from "../builders/applicants.ts";
import { MailAddress, ownAddress, sendsMail } from "../mail/mail.ts";
import { admitApplicationMail } from "../mail/mail-limits.ts";
import { dropMail, queueMail } from "../mail/queue.ts";

/*
 * The answer by mail (docs/contract.md#9.16). Whoever asks names an address that may be anybody's: one mail
 * goes there, with a link, and the answer only where it was followed.
 */

const Form = Type.Object({ mail: MailAddress });

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** What a mail to who asked says; the word of who decided it is empty for none. */
export interface MailedApplication {
  username: string;
  state: ApplicationState;
  word: string;
  language: Language;
}

/**
 * The address of a form, where it has one. Throws bad_request, and conflict where this community sends no
 * mail.
 */
export function answerAddress(core: Core, mail: string | undefined): Static<typeof MailAddress> | undefined {
  if (mail === undefined) return undefined;
  if (!sendsMail(core)) throw refuse("mail_not_sent");
  return check(Form, { mail }).mail;
}

/**
 * Sends the link that confirms where the answer goes. Throws rate_limited for too many mails to there or from
 * here: then nothing was asked. Call it in the transaction that makes the application.
 */
export function mailApplied(core: Core, id: string, from: string, address: string): void {
  const token = Buffer.from(core.random.bytes(TOKEN_BYTES)).toString("base64url");
  admitApplicationMail(core, from, address);
  patchApplication(core, id, { mail: address, mailHash: hashOf(token) });
  if (
    !queueMail(core, {
      kind: "applied",
      builderId: null,
      address,
      token,
      groupId: id,
      once: nameOf("applied", id),
    })
  )
    throw refuse("application_mails_too_many");
}

/**
 * Whose answer would go to the address that a link came to; undefined for a link that is not of one who
 * waits.
 */
export function peekApplicationMail(
  core: Core,
  token: string,
): { username: string; address: string } | undefined {
  const row = rowBehind(core, token);
  return row?.mail ? { username: row.username, address: row.mail } : undefined;
}

/** Confirms it. Anybody who has the link. Throws not_found. Call it in a transaction. */
export function confirmApplicationMail(core: Core, token: string): void {
  const row = rowBehind(core, token);
  if (!row) throw brokenLink();
  patchApplication(core, row.id, { mailIsSure: true, mailHash: null });
}

/** Puts the answer on its way to an address that is confirmed; the link to another says nothing any more. */
export function mailAnswer(core: Core, row: ApplicationRow): void {
  dropMail(core, nameOf("applied", row.id));
  if (row.mail === null || row.mailIsSure === 0 || !sendsMail(core)) return;
  const once = nameOf("answered", row.id);
  queueMail(core, { kind: "answered", builderId: null, address: row.mail, groupId: row.id, once });
}

/** Makes a confirmed address that of who was let in. */
export function storeAnswerAddress(
  core: Core,
  { mail, mailIsSure }: ApplicationRow,
  builderId: string,
): void {
  if (mail === null || mailIsSure === 0) return;
  ownAddress(core, builderId, mail);
  record(core, { act: "mail.confirmed", actor: builderId, subject: builderId, address: null });
}

/** Takes what waits to be sent out of the queue, and the address with it. */
export function dropApplicationMails(core: Core, id: string): void {
  for (const kind of ["applied", "answered"] as const) dropMail(core, nameOf(kind, id));
}

/** For its mail: undefined where there is nothing to say any more. */
export function mailedApplication(
  core: Core,
  { kind, groupId }: { kind: string; groupId: string | null },
): MailedApplication | undefined {
  const row = findApplication(core, groupId ?? "");
  const isLink = kind === "applied";
  if (!row || isLink !== (row.state === "waiting") || (isLink && row.mailIsSure === 1)) return undefined;
  return row;
}

function rowBehind(core: Core, token: string): ApplicationRow | undefined {
  const row = TOKEN.test(token) ? findByMailHash(core, hashOf(token)) : undefined;
  return row?.state === "waiting" ? row : undefined;
}

/** Of its Message-ID: the same mail is put in once. */
function nameOf(kind: "applied" | "answered", id: string): string {
  return `${kind}.${id}`;
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
