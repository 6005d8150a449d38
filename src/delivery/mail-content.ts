import type { Core } from "../core/base/core.ts";
import { findStanding } from "../core/identity/builders/builders.ts";
import { mailedInvitation } from "../core/delegation/workspaces/invitations.ts";
import { mailedStrangerAnswer, type StrangerAnswer } from "../core/community/reports/stranger-reports.ts";
import type { Mail } from "../core/identity/mail/queue.ts";
import { factsOf } from "../core/identity/notifications/kinds.ts";
import { receiverOf } from "../core/services/channels/receiver.ts";
import { type MailedApplication, mailedApplication } from "../core/identity/applications/answer-mail.ts";
import { findNotificationToSend } from "../core/services/channels/queueing.ts";
import { digestContents } from "../core/services/channels/digests.ts";
import { unsubscribeToken } from "../core/identity/mail/mail.ts";
import { type LocaleMessages, messagesOf } from "../locale/messages.ts";
import { notificationLine } from "./push-content.ts";
import type { MailText } from "./mail-text.ts";

type MailContent = Omit<MailText, "language">;

/**
 * Messages of an email with one action link. The email also has a note for a recipient who did not request
 * it.
 */
type LinkMessages = LocaleMessages["mails"]["confirm" | "recovery" | "applied"];

/**
 * Returns the content of an email in the reader's language. Invitations use the inviter's language. Join
 * requests use the language of the request, because applicants have no account. Returns `undefined` if
 * nothing is left to report.
 */
export function mailContent(core: Core, mail: Mail, community: string): MailText | undefined {
  if (mail.kind === "applied" || mail.kind === "answered") {
    const application = mailedApplication(core, mail);
    const content =
      application && applicationContent(core, mail, application, community, messagesOf(application.language));
    return application && content && { ...content, language: application.language };
  }
  if (mail.kind === "report_answered") {
    const answer = mailedStrangerAnswer(core, mail.groupId);
    return answer && { ...strangerContent(core, answer, community), language: answer.language };
  }
  const { language, zone } = receiverOf(core, mail.builderId);
  const text = inLanguage(core, mail, community, messagesOf(language), zone);
  return text && { ...text, language };
}

function inLanguage(
  core: Core,
  mail: Mail,
  community: string,
  messages: LocaleMessages,
  zone: string,
): MailContent | undefined {
  const { kind, token } = mail;
  if (kind === "invitation") return invitationContent(core, mail, community, messages, zone);
  const standing = mail.builderId === null ? undefined : findStanding(core, mail.builderId);
  if (!standing || standing.suspendedAt !== null) return undefined;
  const { mails } = messages;
  const foot = [mails.foot({ community, origin: core.origin })];
  const linked = (messages: LinkMessages, path: string): MailContent | undefined =>
    token === undefined
      ? undefined
      : {
          subject: messages.subject({ community }),
          paragraphs: [messages.body({ username: standing.username }), messages.ignore],
          button: { text: messages.button, href: `${core.origin}${path}?token=${token}` },
          foot,
        };
  if (kind === "confirm") return linked(mails.confirm, "/mail/confirm");
  if (kind === "recovery") return linked(mails.recovery, "/recover");
  if (kind === "moved")
    return {
      subject: mails.moved.subject({ community }),
      paragraphs: [
        mails.moved.body({ username: standing.username }),
        ...(token === undefined ? [] : [mails.notMe.lead]),
      ],
      ...(token === undefined ? {} : { button: { text: mails.notMe.button, href: notMeLink(core, token) } }),
      foot,
    };
  return notificationContent(core, mail, community, messages, foot);
}

/**
 * Some recipients are not members. The mail therefore contains no text that a member chose freely, such as a
 * display name or a workspace name.
 */
function invitationContent(
  core: Core,
  { builderId, token }: Mail,
  community: string,
  { mails: { invitation, foot }, formats }: LocaleMessages,
  zone: string,
): MailContent | undefined {
  const inviter = builderId === null ? undefined : findStanding(core, builderId);
  const leads = token === undefined ? undefined : mailedInvitation(core, token);
  if (!leads || (builderId !== null && inviter?.suspendedAt !== null)) return undefined;
  const name = inviter ? `@${inviter.username}` : invitation.operator;
  return {
    subject: invitation.subject({ community }),
    paragraphs: [
      invitation[leads.kind]({ inviter: name, community }),
      invitation.until({ when: formats.moment(leads.expiresAt, zone) }),
      invitation.ignore,
    ],
    button: { text: invitation.button, href: leads.url },
    foot: [foot({ community, origin: core.origin })],
  };
}

/**
 * The `applied` mail may reach a stranger's address, so it contains only the username. The `answered` mail is
 * sent to the confirmed address and contains the admin's message.
 */
function applicationContent(
  core: Core,
  { kind, token }: Mail,
  { username, state, word }: MailedApplication,
  community: string,
  { mails: { applied, answered, foot } }: LocaleMessages,
): MailContent | undefined {
  const below = [foot({ community, origin: core.origin })];
  if (kind === "answered")
    return {
      subject: answered.subject({ community }),
      paragraphs: [
        state === "approved" ? answered.approved({ username }) : answered.declined,
        ...(word === "" ? [] : [answered.word, ...word.split("\n").filter((line) => line.trim() !== "")]),
      ],
      ...(state === "approved" ? { button: { text: answered.button, href: `${core.origin}/sign-in` } } : {}),
      foot: below,
    };
  if (token === undefined) return undefined;
  return {
    subject: applied.subject({ community }),
    paragraphs: [applied.body({ username }), applied.ignore],
    button: { text: applied.button, href: `${core.origin}/mail/confirm?token=${token}` },
    foot: below,
  };
}

/** The answer contains the reported address and the outcome, and no text of a member or the stranger. */
function strangerContent(
  core: Core,
  { outcome, subjectId, language }: StrangerAnswer,
  community: string,
): MailContent {
  const { reported, foot } = messagesOf(language).mails;
  return {
    subject: reported.subject({ community }),
    paragraphs: [reported[outcome]({ address: `${core.origin}/report/${subjectId}` }), reported.end],
    foot: [foot({ community, origin: core.origin })],
  };
}

function notificationContent(
  core: Core,
  { kind, builderId, groupId, afterPlace, upToPlace, token }: Mail,
  community: string,
  messages: LocaleMessages,
  foot: readonly string[],
): MailContent | undefined {
  if (builderId === null) return undefined;
  const { notification, notMe, digest, end } = messages.mails;
  const why = {
    foot: [notification.foot, ...foot],
    unsubscribe: { text: end, href: unsubscribeLink(core, builderId) },
  };
  if (kind === "notification") {
    const notification = findNotificationToSend(core, groupId ?? "");
    if (!notification) return undefined;
    const line = notificationLine(messages, notification);
    return {
      subject: line,
      paragraphs: [line, ...(token === undefined ? [] : [notMe.lead])],
      button: { text: line, href: notification.subject.url },
      ...(token === undefined ? {} : { items: [{ text: notMe.button, href: notMeLink(core, token) }] }),
      ...(factsOf(notification.kind).isFixed ? { foot: [notMe.foot, ...foot] } : why),
    };
  }
  const { notifications, more } = digestContents(core, builderId, {
    after: afterPlace ?? 0,
    upTo: upToPlace ?? 0,
  });
  if (notifications.length === 0) return undefined;
  const rest = { text: digest.more({ count: more }), href: `${core.origin}/notifications` };
  return {
    subject: digest.subject({ community, count: notifications.length + more }),
    paragraphs: [digest.body],
    items: [
      ...notifications.map((one) => ({ text: notificationLine(messages, one), href: one.subject.url })),
      ...(more > 0 ? [rest] : []),
    ],
    ...why,
  };
}

/** Returns the link for a reader who did not make the account change that the email reports. */
function notMeLink(core: Core, token: string): string {
  return `${core.origin}/mail/not-me?token=${token}`;
}

/** Returns the unsubscribe link. */
function unsubscribeLink(core: Core, builderId: string): string {
  return `${core.origin}/mail/unsubscribe?token=${unsubscribeToken(core, builderId)}`;
}
