import { createHash } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { check, Text } from "../../base/check.ts";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { refuse, refuseFor } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import { cursorKey, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import type { Language } from "../../base/locales.ts";
import { type Caller, requireAdmin, requireAdminOrToken } from "../access/caller.ts";
import { addAccount, checkAccount, type JoiningForm, requireRulesAccepted } from "../accounts/accounts.ts";
import { notifyOfMember } from "../accounts/administration.ts";
import { isPassword } from "../accounts/password.ts";
import { requireFreshSession, type SignInOrigin } from "../accounts/sessions.ts";
import { accountState } from "../accounts/account-state.ts";
import { recordBy } from "../audit/audit.ts";
import {
  type ApplicationRow,
  type ApplicationState,
  countApplications,
  deleteApplication,
  findApplicant,
  findApplication,
  findEndFrom,
  findByApplicationSecret,
  insertApplication,
  patchApplication,
  selectEnded,
  selectSpent,
  selectWaiting,
} from "../builders/applicants.ts";
import { refuseUsername } from "../builders/builders.ts";
import { recordSignUp, refuseHeldNetwork } from "../sign-ups/sign-ups.ts";
import { foldUsername } from "../builders/username.ts";
import { communitySettingsOf } from "../community-settings/community-settings.ts";
import { refuseInMaintenance } from "../maintenance/maintenance.ts";
import { APPLICATIONS } from "../notifications/kinds.ts";
import { notifyTeam, withdrawNotification } from "../notifications/notify.ts";
import {
  answerAddress,
  dropApplicationMails,
  storeAnswerAddress,
  mailAnswer,
  mailApplied,
} from "./answer-mail.ts";

/*
 * Join requests (docs/contract.md#9.16). An applicant is not a builder and has no rights in any other module.
 * Applicants see the state of their request after they enter their password. The browser then gets a “seat”,
 * a secret cookie that shows the state again without the password.
 */

/** A join request in the queue of the admins. Times in ms since the epoch. */
export interface Application {
  id: string;
  username: string;
  name: string;
  why: string;
  createdAt: number;
}

/** A join request as its applicant may see it. */
export interface OwnApplication extends Application {
  state: ApplicationState;
  /** Message of the admin who decided; may be empty. */
  word: string;
  /** Email address to which the decision is sent; null without one. */
  mail: string | null;
  mailIsSure: boolean;
}

export const ReasonDraft = Type.Object({
  why: Text({ max: 1000, visible: true, description: "The applicant's reason to join." }),
});
export const AnswerDraft = Type.Object({
  word: Type.Optional(Text({ min: 0, max: 1000, description: "The message to the applicant." })),
});
export type AnswerDraft = Static<typeof AnswerDraft>;

/** Lifetime of a pending request, and of a decided request after its decision. */
export const APPLICATION_LIFETIME_MS = 30 * DAY;
/** Maximum number of pending requests. Admins will never read more requests. */
const WAITING_MAX = 1000;
/** Maximum number of requests from one network address within a day. */
const FROM_ADDRESS_MAX = 5;
const SECRET_BYTES = 32;
const SECRET = /^[A-Za-z0-9_-]{43}$/;
/** Number of requests that one batch of the cleanup deletes. */
const BATCH = 200;

/**
 * Requests to join a community that approves its members, and notifies the admins. Returns the secret by
 * which this browser sees the request.
 *
 * Throws forbidden when joining needs no approval or is closed, and for a held network. Throws unprocessable
 * for a reserved username and for rules that are not agreed to.
 * Throws conflict for a taken username, when a thousand requests are pending, and when no mail is sent.
 * Throws rate_limited for too many requests or emails from one network address. Also throws bad_request.
 */
export async function apply(
  core: Core,
  from: SignInOrigin,
  form: JoiningForm & { why: string; language: Language; mail?: string | undefined },
): Promise<{ secret: string }> {
  const { username, name, password } = checkAccount(form);
  const { why } = check(ReasonDraft, { why: form.why });
  const mail = answerAddress(core, form.mail);
  core.memory(accountState).attemptLimits.admitAttempt(from.address);
  const admit = (): void => {
    if (communitySettingsOf(core).joining !== "approval") throw refuse("nobody_applies");
    refuseHeldNetwork(core, from.address);
    requireRulesAccepted(core, form);
    const fifth = findEndFrom(core, from.address, FROM_ADDRESS_MAX);
    const waitMs = fifth === undefined ? 0 : fifth - APPLICATION_LIFETIME_MS + DAY - core.clock.steady();
    if (waitMs > 0) throw refuseFor("applications_from_here", waitMs);
    if (countApplications(core, WAITING_MAX) >= WAITING_MAX) throw refuse("applications_too_many");
    refuseUsername(core, username);
  };
  admit();
  const hash = await core.memory(accountState).hasher.hash(password);
  return core.db.write(() => {
    // Check again, because other requests may have arrived while the password was hashed.
    admit();
    for (const spent of selectSpent(core, username)) drop(core, spent);
    // Charge the limit last, so that a request refused for another reason does not count.
    core.memory(accountState).attemptLimits.admitApplication(from.address);
    const createdAt = core.clock.now();
    const id = core.makeId("apl", createdAt);
    const secret = makeSecret(core);
    insertApplication(core, {
      id,
      username,
      name,
      hash,
      why,
      seat: hashOf(secret),
      address: from.address,
      language: form.language,
      createdAt,
      endsAt: core.clock.steady() + APPLICATION_LIFETIME_MS,
    });
    if (mail !== undefined) mailApplied(core, id, from.address, mail);
    core.fireStaffEvent(core, "application.created", { application: { id } });
    notifyTeam(core, { kind: "application_received", subject: APPLICATIONS, fact: id });
    return { secret: secret };
  });
}

/**
 * Opens a request by the applicant's password and returns a secret for this browser. The secret of an earlier
 * browser becomes invalid. Throws unauthorized like `signIn`, rate_limited, unavailable in maintenance mode.
 */
export async function openApplication(
  core: Core,
  from: SignInOrigin,
  { username, password }: { username: string; password: string },
): Promise<{ secret: string }> {
  const name = foldUsername(username.trim()).slice(0, 100);
  const { attemptLimits: guard, hasher } = core.memory(accountState);
  refuseInMaintenance(core, undefined);
  const wasRight = guard.admitGuess(name, from.address, () => false);
  const applicant = findApplicant(core, name);
  const isRight = await hasher.verify(isPassword(password) ? password : "", applicant?.hash ?? undefined);
  if (!applicant || !isRight) throw refuse("sign_in_wrong");
  return core.db.write(() => {
    // The request was approved or deleted while the password was compared. The applicant can sign in or apply
    // again.
    const row = findApplication(core, applicant.id);
    if (!row || row.state === "approved") throw refuse("sign_in_wrong");
    wasRight();
    const seat = makeSecret(core);
    patchApplication(core, row.id, { seat: hashOf(seat) });
    return { secret: seat };
  });
}

/**
 * Returns the request for a browser's secret; undefined when no request exists or the request has expired.
 */
export function applicationBySecret(core: Core, secret: string): OwnApplication | undefined {
  const row = findBySecret(core, secret);
  if (!row) return undefined;
  const { state, word, mail, mailIsSure } = row;
  return { ...present(row), state, word, mail, mailIsSure: mailIsSure === 1 };
}

/**
 * Withdraws a request, decided or not, and deletes all of its data. Does nothing without a request. Call it
 * in a transaction.
 */
export function withdrawApplication(core: Core, secret: string): void {
  const row = findBySecret(core, secret);
  if (row) drop(core, row.id);
}

/**
 * Lists the pending requests, oldest first. For admins and the operator. Throws forbidden, bad_request for a
 * cursor of another list.
 */
export function listApplications(core: Core, caller: Caller, request: PageRequest): Page<Application> {
  requireAdminOrToken(caller);
  const scope = { list: "applications", filters: {} };
  const key = cursorKey(
    request,
    scope,
    (parts): parts is [string] => parts.length === 1 && isId("apl", parts[0]),
  );
  const rows = selectWaiting(core, request, key?.[0]).map(present);
  return pageOf(rows, request, scope, ({ id }) => [id]);
}

/** Counts the pending requests, at most `upTo`. For admins and the operator. Throws forbidden. */
export function countWaitingApplications(core: Core, caller: Caller, upTo: number): number {
  requireAdmin(caller);
  return countApplications(core, upTo);
}

/**
 * Approves a request: creates the builder with the applicant's password and returns its ID. For admins with a
 * recent sign-in, their tokens with `admin`, and the operator. Throws forbidden. Throws not_found when the
 * request is not pending; of two concurrent decisions one succeeds.
 */
export function approveApplication(
  core: Core,
  caller: Caller,
  id: string,
  { word = "" }: AnswerDraft = {},
): string {
  requireAdminOrToken(caller);
  requireFreshSession(core, caller);
  return core.db.transact(() => {
    const row = waiting(core, id);
    decide(core, row, "approved", word);
    const builderId = addAccount(core, row, row.hash ?? "", "member", { isApplicant: true });
    patchApplication(core, id, { builderId });
    recordSignUp(core, builderId, row.address);
    storeAnswerAddress(core, row, builderId);
    recordBy(core, caller, "application.approved", builderId);
    notifyOfMember(core, { id: builderId, username: row.username });
    return builderId;
  });
}

/**
 * Declines a request. Its text is deleted at once. The applicant can read the decision for thirty days. For
 * admins, their tokens with `admin`, and the operator. Throws like `approveApplication`.
 */
export function declineApplication(
  core: Core,
  caller: Caller,
  id: string,
  { word = "" }: AnswerDraft = {},
): void {
  requireAdminOrToken(caller);
  core.db.transact(() => {
    decide(core, waiting(core, id), "declined", word);
    // Log no name. Otherwise the log would identify a declined applicant after the decision has expired.
    recordBy(core, caller, "application.declined", null, { application: id });
  });
}

/** Deletes expired requests in small batches. Called periodically. */
export async function forgetEndedApplications(core: Core): Promise<void> {
  const dropSome = (): number => {
    const ended = selectEnded(core, BATCH);
    for (const id of ended) drop(core, id);
    return ended.length;
  };
  while ((await core.db.write(dropSome)) > 0);
}

function decide(core: Core, row: ApplicationRow, state: "approved" | "declined", word: string): void {
  const { id } = row;
  mailAnswer(core, row);
  patchApplication(core, id, {
    state,
    word,
    name: "",
    why: "",
    address: "",
    mail: null,
    mailHash: null,
    mailIsSure: false,
    endsAt: core.clock.steady() + APPLICATION_LIFETIME_MS,
    ...(state === "approved" ? { hash: null } : {}),
  });
  withdrawNotification(core, { kind: "application_received", subject: APPLICATIONS, fact: id });
}

function drop(core: Core, id: string): void {
  dropApplicationMails(core, id);
  deleteApplication(core, id);
  withdrawNotification(core, { kind: "application_received", subject: APPLICATIONS, fact: id });
}

function waiting(core: Core, id: string): ApplicationRow {
  const row = findApplication(core, id);
  if (row?.state !== "waiting") throw refuse("application_unknown");
  return row;
}

function findBySecret(core: Core, secret: string): ApplicationRow | undefined {
  return SECRET.test(secret) ? findByApplicationSecret(core, hashOf(secret)) : undefined;
}

function present({ id, username, name, why, createdAt }: ApplicationRow): Application {
  return { id, username, name, why, createdAt };
}

function makeSecret(core: Core): string {
  return Buffer.from(core.random.bytes(SECRET_BYTES)).toString("base64url");
}

function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
