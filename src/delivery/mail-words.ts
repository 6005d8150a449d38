import type { Core } from "../core/base/core.ts";
import type { Language } from "../core/base/locales.ts";
import { findStanding } from "../core/identity/builders/builders.ts";
import { mailedInvitation } from "../core/delegation/workspaces/invitations.ts";
import type { Mail } from "../core/identity/mail/queue.ts";
import { factsOf } from "../core/identity/notifications/kinds.ts";
import { receiverOf } from "../core/services/reach/receiver.ts";
import { type MailedApplication, mailedApplication } from "../core/identity/applications/answer-mail.ts";
import { findTold } from "../core/services/reach/reach.ts";
import { toldInDigest } from "../core/services/reach/digests.ts";
import { unsubscribeToken } from "../core/identity/mail/mail.ts";
import { type SayTold, sayTold } from "./push-words.ts";
import type { MailText } from "./mail-text.ts";

/** What the catalogue says in mails. */
export interface MailSayings {
  confirm: LinkSaying;
  recovery: LinkSaying;
  invitation: {
    subject: (community: string) => string;
    community: (inviter: string, community: string) => string;
    workspace: (inviter: string, community: string) => string;
    operator: string;
    until: (when: string) => string;
    button: string;
    ignore: string;
  };
  applied: LinkSaying;
  answered: {
    subject: (community: string) => string;
    approved: (username: string) => string;
    declined: string;
    word: string;
    button: string;
  };
  moved: { subject: (community: string) => string; body: (username: string) => string };
  notMe: { lead: string; button: string; foot: string };
  notification: { foot: string };
  digest: {
    subject: (community: string, count: number) => string;
    body: string;
    more: (count: number) => string;
  };
  /** What ends mails about notifications. */
  end: string;
  foot: (community: string, origin: string) => string;
  sentence: SayTold;
  moment: (at: number, zone: string) => string;
}

type Said = Omit<MailText, "language">;

interface LinkSaying {
  subject: (community: string) => string;
  body: (username: string) => string;
  button: string;
  ignore: string;
}

/**
 * What a mail says, in the language of who reads it, and an invitation in that of who invites; undefined where there
 * is nothing to say any more. Who asks to be let in has no account: theirs is the language they asked in.
 */
export function mailWords(
  core: Core,
  mail: Mail,
  community: string,
  sayingsIn: (language: Language) => MailSayings,
): MailText | undefined {
  if (mail.kind === "applied" || mail.kind === "answered") {
    const asked = mailedApplication(core, mail);
    const words = asked && applicationWords(core, mail, asked, community, sayingsIn(asked.language));
    return asked && words && { ...words, language: asked.language };
  }
  const { language, zone } = receiverOf(core, mail.builderId);
  const text = inLanguage(core, mail, community, sayingsIn(language), zone);
  return text && { ...text, language };
}

function inLanguage(
  core: Core,
  mail: Mail,
  community: string,
  say: MailSayings,
  zone: string,
): Said | undefined {
  const { kind, token } = mail;
  if (kind === "invitation") return invitationWords(core, mail, community, say, zone);
  const standing = mail.builderId === null ? undefined : findStanding(core, mail.builderId);
  if (!standing || standing.suspendedAt !== null) return undefined;
  const foot = [say.foot(community, core.origin)];
  const linked = (saying: LinkSaying, path: string): Said | undefined =>
    token === undefined
      ? undefined
      : {
          subject: saying.subject(community),
          paragraphs: [saying.body(standing.username), saying.ignore],
          button: { words: saying.button, href: `${core.origin}${path}?token=${token}` },
          foot,
        };
  if (kind === "confirm") return linked(say.confirm, "/mail/confirm");
  if (kind === "recovery") return linked(say.recovery, "/recover");
  if (kind === "moved")
    return {
      subject: say.moved.subject(community),
      paragraphs: [say.moved.body(standing.username), ...(token === undefined ? [] : [say.notMe.lead])],
      ...(token === undefined ? {} : { button: { words: say.notMe.button, href: notMeOf(core, token) } }),
      foot,
    };
  return toldWords(core, mail, community, say, foot);
}

/**
 * To somebody who is no member, perhaps: nothing that a member chose freely stands in it, neither a name nor what a
 * workspace is called, or mail of the community's would say what they like.
 */
function invitationWords(
  core: Core,
  { builderId, token }: Mail,
  community: string,
  { invitation: say, foot, moment }: MailSayings,
  zone: string,
): Said | undefined {
  const inviter = builderId === null ? undefined : findStanding(core, builderId);
  const leads = token === undefined ? undefined : mailedInvitation(core, token);
  if (!leads || (builderId !== null && inviter?.suspendedAt !== null)) return undefined;
  const name = inviter ? `@${inviter.username}` : say.operator;
  return {
    subject: say.subject(community),
    paragraphs: [say[leads.kind](name, community), say.until(moment(leads.expiresAt, zone)), say.ignore],
    button: { words: say.button, href: leads.url },
    foot: [foot(community, core.origin)],
  };
}

/**
 * The first goes to an address that may be a stranger's: nothing in it but the username. The second goes where that
 * was confirmed, with what an admin says.
 */
function applicationWords(
  core: Core,
  { kind, token }: Mail,
  { username, state, word }: MailedApplication,
  community: string,
  { applied, answered, foot }: MailSayings,
): Said | undefined {
  const below = [foot(community, core.origin)];
  if (kind === "answered")
    return {
      subject: answered.subject(community),
      paragraphs: [
        state === "approved" ? answered.approved(username) : answered.declined,
        ...(word === "" ? [] : [answered.word, ...word.split("\n").filter((line) => line.trim() !== "")]),
      ],
      ...(state === "approved" ? { button: { words: answered.button, href: `${core.origin}/sign-in` } } : {}),
      foot: below,
    };
  if (token === undefined) return undefined;
  return {
    subject: applied.subject(community),
    paragraphs: [applied.body(username), applied.ignore],
    button: { words: applied.button, href: `${core.origin}/mail/confirm?token=${token}` },
    foot: below,
  };
}

function toldWords(
  core: Core,
  { kind, builderId, groupId, afterPlace, upToPlace, token }: Mail,
  community: string,
  say: MailSayings,
  foot: readonly string[],
): Said | undefined {
  if (builderId === null) return undefined;
  const why = {
    foot: [say.notification.foot, ...foot],
    unsubscribe: { words: say.end, href: endOf(core, builderId) },
  };
  if (kind === "notification") {
    const told = findTold(core, groupId ?? "");
    if (!told) return undefined;
    const words = sayTold(say.sentence, told);
    return {
      subject: words,
      paragraphs: [words, ...(token === undefined ? [] : [say.notMe.lead])],
      button: { words, href: told.subject.url },
      ...(token === undefined ? {} : { items: [{ words: say.notMe.button, href: notMeOf(core, token) }] }),
      ...(factsOf(told.kind).isFixed ? { foot: [say.notMe.foot, ...foot] } : why),
    };
  }
  const { told, more } = toldInDigest(core, builderId, { after: afterPlace ?? 0, upTo: upToPlace ?? 0 });
  if (told.length === 0) return undefined;
  const rest = { words: say.digest.more(more), href: `${core.origin}/notifications` };
  return {
    subject: say.digest.subject(community, told.length + more),
    paragraphs: [say.digest.body],
    items: [
      ...told.map((one) => ({ words: sayTold(say.sentence, one), href: one.subject.url })),
      ...(more > 0 ? [rest] : []),
    ],
    ...why,
  };
}

/** Where a reader looks who did not add what a mail is about. */
function notMeOf(core: Core, token: string): string {
  return `${core.origin}/mail/not-me?token=${token}`;
}

/** Where a mailbox or its reader ends them. */
function endOf(core: Core, builderId: string): string {
  return `${core.origin}/mail/unsubscribe?token=${unsubscribeToken(core, builderId)}`;
}
