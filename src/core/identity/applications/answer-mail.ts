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
 * Decisions on join requests by email (docs/contract.md#9.16). An applicant may enter another person's
 * address. So the entered address first gets only one email, with a confirmation link. The decision is sent
 * only after a person has followed the link.
 */

const Form = Type.Object({ mail: MailAddress });

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Content of an email to an applicant. `word` is the message of the admin who decided; it may be empty. */
export interface MailedApplication {
  username: string;
  state: ApplicationState;
  word: string;
  language: Language;
}

/**
 * Returns the validated email address of a form, if the form has one. Throws bad_request, and conflict when
 * this community sends no mail.
 */
export function answerAddress(core: Core, mail: string | undefined): Static<typeof MailAddress> | undefined {
  if (mail === undefined) return undefined;
  if (!sendsMail(core)) throw refuse("mail_not_sent");
  return check(Form, { mail }).mail;
}

/**
 * Sends the link that confirms the applicant's email address. Throws rate_limited for too many emails to the
 * address or from this client; then no request is made. Call it in the transaction that stores the request.
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
 * Returns the applicant whose address a link confirms; undefined when the link belongs to no pending request.
 */
export function peekApplicationMail(
  core: Core,
  token: string,
): { username: string; address: string } | undefined {
  const row = findByToken(core, token);
  return row?.mail ? { username: row.username, address: row.mail } : undefined;
}

/**
 * Confirms an applicant's address. Anyone with the link may confirm the address. Throws not_found. Call it in
 * a transaction.
 */
export function confirmApplicationMail(core: Core, token: string): void {
  const row = findByToken(core, token);
  if (!row) throw brokenLink();
  patchApplication(core, row.id, { mailIsSure: true, mailHash: null });
}

/**
 * Queues the email with the decision, if the applicant's address is confirmed. The confirmation link of an
 * unconfirmed address becomes invalid.
 */
export function mailAnswer(core: Core, row: ApplicationRow): void {
  dropMail(core, nameOf("applied", row.id));
  if (row.mail === null || row.mailIsSure === 0 || !sendsMail(core)) return;
  const once = nameOf("answered", row.id);
  queueMail(core, { kind: "answered", builderId: null, address: row.mail, groupId: row.id, once });
}

/** Makes a confirmed address the email address of the new member. */
export function storeAnswerAddress(
  core: Core,
  { mail, mailIsSure }: ApplicationRow,
  builderId: string,
): void {
  if (mail === null || mailIsSure === 0) return;
  ownAddress(core, builderId, mail);
  record(core, { act: "mail.confirmed", actor: builderId, subject: builderId, address: null });
}

/** Removes all queued emails of a join request. The queue then no longer contains the applicant's address. */
export function dropApplicationMails(core: Core, id: string): void {
  for (const kind of ["applied", "answered"] as const) dropMail(core, nameOf(kind, id));
}

/** Returns the content of a queued email; undefined when the email is obsolete. */
export function mailedApplication(
  core: Core,
  { kind, groupId }: { kind: string; groupId: string | null },
): MailedApplication | undefined {
  const row = findApplication(core, groupId ?? "");
  const isLink = kind === "applied";
  if (!row || isLink !== (row.state === "waiting") || (isLink && row.mailIsSure === 1)) return undefined;
  return row;
}

function findByToken(core: Core, token: string): ApplicationRow | undefined {
  const row = TOKEN.test(token) ? findByMailHash(core, hashOf(token)) : undefined;
  return row?.state === "waiting" ? row : undefined;
}

/** Unique name of an email, for its Message-ID. An email of the same name is queued once. */
function nameOf(kind: "applied" | "answered", id: string): string {
  return `${kind}.${id}`;
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
