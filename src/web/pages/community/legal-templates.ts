import { type BackupKind, type Core, type Policy } from "../../../core/base/core.ts";
import { DAY, SECOND } from "../../../core/base/clock.ts";
import { ANSWERS_RETENTION_MS } from "../../../core/base/idempotency/idempotency.ts";
import type { Language } from "../../../core/base/locales.ts";
import { TEXTS_RETENTION_MS } from "../../../core/community/holding/known-hosts.ts";
import { APPEAL_SESSION_MS } from "../../../core/identity/accounts/appeal-sessions.ts";
import { LINKS_RETENTION_MS } from "../../../core/identity/accounts/links.ts";
import { SESSION_MAX_MS, sessionIdleMs } from "../../../core/identity/accounts/sessions.ts";
import { APPLICATION_LIFETIME_MS } from "../../../core/identity/applications/applications.ts";
import { auditRetentionMs } from "../../../core/identity/audit/audit.ts";
import {
  type CommunitySettings,
  communitySettingsOf,
} from "../../../core/identity/community-settings/community-settings.ts";
import { HOLDS_RETENTION_MS } from "../../../core/identity/held-hosts/held-hosts.ts";
import { sendsMail } from "../../../core/identity/mail/mail.ts";
import { MARKS_RETENTION_MS } from "../../../core/identity/mail/mail-limits.ts";
import { MAIL_RETRY_FOR_MS } from "../../../core/identity/mail/queue.ts";
import { SIGN_UPS_RETENTION_MS } from "../../../core/identity/sign-ups/sign-ups.ts";
import { DELIVERIES_RETENTION_MS } from "../../../core/outbox/deliveries/cleanup.ts";
import { UNDO_DELETION_WITHIN_MS } from "../../../core/services/deletion/pending.ts";
import { RETENTION_DAYS } from "../../../core/services/history/history.ts";
import { COPIES_RETENTION_MS } from "../../../core/services/moderation/reports.ts";
import { NOTIFICATIONS_RETENTION_MS } from "../../../core/services/notifications/notifications.ts";
import { INTERACTION_MS, oauthCookieNames } from "../../../http/oauth-cookies.ts";
import { VERSION_COOKIE_SECONDS, versionCookieName } from "../../../http/version-cookie.ts";
import { type LocaleMessages, messagesOf } from "../../../locale/messages.ts";
import { contactUrl } from "../../parts/contact-link.tsx";
import { COOKIE_SECONDS, type CookieName, cookieJar } from "../../request/cookies.ts";

/** The legal pages that have a template. Nobody but the admins knows what belongs into the imprint. */
export const TEMPLATES = ["privacy", "terms"] as const;
export type TemplateName = (typeof TEMPLATES)[number];

/** How long `drafts.js` keeps drafts in the browser. */
export const DRAFTS_RETENTION_MS = 7 * DAY;

/**
 * Returns the template of a legal page as Markdown (docs/contract.md#12.41). Every time, cookie and recipient
 * comes from the constants and settings that the program runs with.
 */
export function legalTemplate(core: Core, name: TemplateName, language: Language): string {
  const sheet = { core, settings: communitySettingsOf(core), messages: messagesOf(language) };
  return (name === "privacy" ? privacyOf(sheet) : termsOf(sheet)).join("\n\n");
}

interface Sheet {
  core: Core;
  settings: CommunitySettings;
  messages: LocaleMessages;
}

function privacyOf(sheet: Sheet): string[] {
  const { core, settings, messages } = sheet;
  const { privacy } = messages.legal;
  const { sections } = messages.layout;
  const name = plain(settings.name);
  return [
    privacy.intro({ name }),
    heading(privacy.who.title),
    privacy.who.admins({ name, origin: linkTo(core.origin) }),
    settings.contact === ""
      ? privacy.who.team({ link: linkTo(`${core.origin}/about`, messages.community.about.title) })
      : privacy.who.contact({ contact: `[${plain(settings.contact)}](<${contactUrl(settings.contact)}>)` }),
    heading(privacy.data.title),
    list(dataOf(sheet)),
    privacy.data.basis,
    heading(privacy.time.title),
    privacy.time.intro,
    list(timesOf(sheet)),
    heading(privacy.cookies.title),
    privacy.cookies.intro,
    list(cookiesOf(sheet)),
    heading(privacy.recipients.title),
    privacy.recipients.intro,
    list(recipientsOf(sheet)),
    heading(privacy.rights.title),
    list([
      privacy.rights.copy({ link: linkTo(`${core.origin}/settings/account#your-data`, sections.account) }),
      privacy.rights.correct({ link: linkTo(`${core.origin}/settings/profile`, sections.profile) }),
      privacy.rights.erase({
        link: linkTo(`${core.origin}/settings/account/delete`, messages.account.deletion.part),
      }),
      privacy.rights.appeal({ link: linkTo(`${core.origin}/settings/decisions`, sections.decisions) }),
      privacy.rights.object,
    ]),
    privacy.rights.others,
  ];
}

function dataOf({ core, settings, messages }: Sheet): string[] {
  const { data } = messages.legal.privacy;
  return [
    data.account,
    data.signIn,
    ...(sendsMail(core) ? [data.mail] : []),
    settings.reading === "everybody" ? data.contentForEveryone : data.contentForMembers,
    data.messages,
    data.activity,
    data.programs,
    data.moderation,
    data.visitors,
  ];
}

/** How long each kind of data is kept. tests/web/legal.test.ts lists the constants behind these lines. */
function timesOf({ core, messages }: Sheet): string[] {
  const { policy } = core;
  const { time } = messages.legal.privacy;
  const { retention } = messages.formats;
  const kept = (ms: number) => ({ time: retention(ms) });
  const logs = { off: time.logOff, short: time.logShort, whole: time.logWhole };
  return [
    time.sessions({ idle: retention(sessionIdleMs(core)), longest: retention(SESSION_MAX_MS) }),
    time.audit(kept(auditRetentionMs(core))),
    time.signUps(kept(SIGN_UPS_RETENTION_MS)),
    time.holds(kept(HOLDS_RETENTION_MS)),
    time.notifications(kept(policy.retentionNotificationsMs ?? NOTIFICATIONS_RETENTION_MS)),
    time.deliveries(kept(policy.retentionMs ?? DELIVERIES_RETENTION_MS)),
    time.applications(kept(APPLICATION_LIFETIME_MS)),
    time.decisions,
    time.copies(kept(COPIES_RETENTION_MS)),
    time.strangerReports({ copies: retention(COPIES_RETENTION_MS), marks: retention(MARKS_RETENTION_MS) }),
    ...(sendsMail(core) ? [time.strangers] : []),
    time.texts(kept(TEXTS_RETENTION_MS)),
    time.appealSessions(kept(APPEAL_SESSION_MS)),
    ...(sendsMail(core)
      ? [time.mails(kept(MAIL_RETRY_FOR_MS)), time.mailMarks(kept(MARKS_RETENTION_MS))]
      : []),
    time.push,
    time.deletion(kept(UNDO_DELETION_WITHIN_MS)),
    time.usernames,
    time.links(kept(LINKS_RETENTION_MS)),
    time.answers(kept(ANSWERS_RETENTION_MS)),
    time.statistics(kept(RETENTION_DAYS * DAY)),
    time.drafts(kept(DRAFTS_RETENTION_MS)),
    logs[policy.logAddress ?? "short"],
    policy.backup === undefined ? time.noBackups : time.backups(kept(oldestBackupMs(policy))),
  ];
}

const BACKUP_PERIOD_MS: Readonly<Record<BackupKind, number>> = {
  hourly: DAY / 24,
  daily: DAY,
  weekly: 7 * DAY,
  monthly: 31 * DAY,
};

/** Returns the age of the oldest backup that is kept, in ms, rounded up to days. */
function oldestBackupMs({ backupKeep = { hourly: 0, daily: 1, weekly: 0, monthly: 0 } }: Policy): number {
  const ages = (Object.keys(BACKUP_PERIOD_MS) as BackupKind[]).map(
    (kind) => BACKUP_PERIOD_MS[kind] * backupKeep[kind],
  );
  return Math.ceil(Math.max(DAY, ...ages) / DAY) * DAY;
}

function cookiesOf({ core, messages }: Sheet): string[] {
  const { cookies } = messages.legal.privacy;
  const { retention, waitTime } = messages.formats;
  const time = (seconds: number) =>
    seconds * SECOND >= DAY ? retention(seconds * SECOND) : waitTime(seconds);
  const jar = cookieJar(core.origin);
  const names = oauthCookieNames(core.origin);
  return [
    ...(Object.keys(COOKIE_SECONDS) as CookieName[]).map((name) =>
      cookies.row({
        name: `\`${jar[name]}\``,
        purpose: cookies[name],
        time: time(COOKIE_SECONDS[name]),
      }),
    ),
    ...[names.interaction, names.resume].map((name) =>
      cookies.row({
        name: `\`${name}\``,
        purpose: cookies.authorization,
        time: time(INTERACTION_MS / SECOND),
      }),
    ),
    ...(otherNodes(core.policy).length === 0
      ? []
      : [
          cookies.row({
            name: `\`${versionCookieName(core.origin)}\``,
            purpose: cookies.version,
            time: time(VERSION_COOKIE_SECONDS),
          }),
        ]),
  ];
}

/** Returns the URLs of the other nodes of a cluster. */
function otherNodes({ peers = [], follow = [] }: Policy): string[] {
  return [...new Set([...peers, ...follow])];
}

function recipientsOf({ core, settings, messages }: Sheet): string[] {
  const { policy } = core;
  const { recipients } = messages.legal.privacy;
  const backup = placeOf(policy.backup, policy.s3Endpoint);
  const replica = placeOf(policy.replica, undefined);
  const nodes = otherNodes(policy)
    .map((url) => `\`${new URL(url).host}\``)
    .join(", ");
  return [
    policy.smtpUrl === undefined
      ? recipients.noMail
      : recipients.mail({ host: `\`${new URL(policy.smtpUrl).hostname}\`` }),
    recipients.push,
    settings.reading === "everybody" ? recipients.programsForEveryone : recipients.programsForMembers,
    recipients.apps,
    ...(policy.backup === undefined
      ? []
      : [backup === undefined ? recipients.backupFolder : recipients.backupStorage({ place: backup })]),
    ...(policy.replica === undefined
      ? []
      : [replica === undefined ? recipients.replicaFolder : recipients.replicaStorage({ place: replica })]),
    ...(nodes.length === 0 ? [] : [recipients.nodes({ nodes })]),
    recipients.staff,
  ];
}

/** Returns the bucket and, if it is known, the host of an `s3://` URL; undefined for a folder. */
function placeOf(target: string | undefined, endpoint: string | undefined): string | undefined {
  if (!target?.startsWith("s3://")) return undefined;
  const { hostname, searchParams } = new URL(target);
  const named = URL.parse(searchParams.get("endpoint") ?? endpoint ?? "")?.hostname;
  return named === undefined ? `\`${hostname}\`` : `\`${hostname}\` (\`${named}\`)`;
}

function termsOf({ core, settings, messages }: Sheet): string[] {
  const { terms } = messages.legal;
  const isPublic = settings.reading === "everybody";
  return [
    terms.intro({ name: plain(settings.name), origin: linkTo(core.origin) }),
    heading(terms.rules.title),
    ...(settings.rules === ""
      ? []
      : [terms.rules.rules({ link: linkTo(`${core.origin}/about#rules`, messages.community.about.rules) })]),
    terms.rules.rights,
    heading(terms.content.title),
    isPublic ? terms.content.forEveryone : terms.content.forMembers,
    terms.content.deletion({
      link: linkTo(`${core.origin}/settings/account/delete`, messages.account.deletion.part),
    }),
    heading(terms.moderation.title),
    terms.moderation.acts,
    terms.moderation.reasons,
    `${terms.moderation.brakes}\n\n${list(heldOf(settings, terms.held))}`,
    terms.moderation.reports,
    heading(terms.service.title),
    terms.service.text,
    terms.service.api({ link: linkTo(`${core.origin}/docs`, messages.layout.reference) }),
  ];
}

/** Names what the brakes hold. The websites of removed spammers are held with every setting. */
function heldOf(settings: CommunitySettings, held: LocaleMessages["legal"]["terms"]["held"]): string[] {
  const { holdNewcomerLinks, heldWords, equalTexts, reportsToHide } = settings;
  return [
    ...(holdNewcomerLinks ? [held.links] : []),
    held.hosts,
    ...(heldWords === "" ? [] : [held.words]),
    ...(equalTexts > 0 ? [held.equal({ count: equalTexts })] : []),
    ...(reportsToHide > 0 ? [held.reports({ count: reportsToHide })] : []),
  ];
}

function heading(title: string): string {
  return `## ${title}`;
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}

function linkTo(url: string, label = url): string {
  return `[${plain(label)}](<${url}>)`;
}

/** Escapes a text of the community, so that it is no markup. */
function plain(text: string): string {
  return text.replace(/[\\`*_{}[\]<>()#+!|~@-]/g, "\\$&");
}
