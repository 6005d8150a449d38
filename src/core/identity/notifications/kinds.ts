import { type ADDED_ACCESS, REACHES } from "../../base/db/schema-notifications.ts";
import type { Scope } from "../access/scopes.ts";

export { ADDED_ACCESS, REACHES } from "../../base/db/schema-notifications.ts";

/** Channels of a notification: `off`, none; `here`, the list; `push`, also devices; `mail`, also mail. */
export type Reach = (typeof REACHES)[number];

/** Whether the setting `set` includes `channel`. */
export function reaches(set: Reach, channel: Reach): boolean {
  return REACHES.indexOf(set) >= REACHES.indexOf(channel);
}

export type SubjectReader = Scope | "person" | "moderator";

interface SubjectFacts {
  /**
   * Scope that allows a client to read the subject. `person`: the account itself, which no token may read
   * (docs/threats.md#M01). `moderator`: subjects for moderators.
   */
  reader: SubjectReader;
  /**
   * Returns the path of the subject's page. `name` is a builder's username, the workspace of an endpoint, or
   * the only open case.
   */
  page: (id: string, name: string) => string;
}

/**
 * Subjects of notifications. notifications-store.ts defines who may see each subject, and titles.ts defines
 * the title of each subject.
 */
export const SUBJECTS = {
  post: { reader: "feed:read", page: (id) => `/posts/${id}` },
  prompt: { reader: "prompts:read", page: (id) => `/prompts/${id}` },
  job: { reader: "jobs:read", page: (id) => `/jobs/${id}` },
  builder: { reader: "profile:read", page: (_id, name) => `/@${name}` },
  thread: { reader: "messages:read", page: (id) => `/messages/${id}` },
  endpoint: {
    reader: "webhooks:read",
    page: (id, workspaceId) => `/settings/webhooks/${id}?workspace=${workspaceId}`,
  },
  // The member's own report. The scope of the notification list is enough to read it.
  report: { reader: "notifications:read", page: () => "/notifications" },
  // A decision about the member. The scope of the notification list is enough to read the reason.
  decision: { reader: "notifications:read", page: (id) => `/settings/decisions#${id}` },
  session: { reader: "person", page: () => "/settings/sessions" },
  mail: { reader: "person", page: () => "/settings/mail" },
  access: { reader: "person", page: () => "/settings/account/secure" },
  workspace: { reader: "person", page: (id) => `/settings/workspaces/${id}` },
  // The page of the only case, or the list of several cases.
  reports: {
    reader: "moderator",
    page: (_id, caseId) => (caseId === "" ? "/admin/cases" : `/admin/cases/${caseId}`),
  },
  appeals: { reader: "moderator", page: () => "/admin/appeals" },
  applications: { reader: "admin", page: () => "/admin/applications" },
  members: { reader: "admin", page: () => "/admin/builders" },
  sign_ups: { reader: "moderator", page: () => "/admin/builders" },
  backups: { reader: "admin", page: () => "/admin/health" },
} as const satisfies Record<string, SubjectFacts>;

export type SubjectType = keyof typeof SUBJECTS;
export const SUBJECT_TYPES = Object.keys(SUBJECTS) as SubjectType[];

/** Properties of a kind. Its texts are in the message files of each language. */
interface KindFacts {
  /** When a notification of this kind is sent, for the settings and both API references. */
  when: string;
  /** Possible subjects of the notification. */
  subjects: readonly SubjectType[];
  /** Channels that the kind uses by default. */
  reach: Reach;
  /**
   * How the notification ends:
   * - `undone`: the operation that undoes the event calls `withdrawNotification`.
   * - `removed`: it is deleted with its subject, by `forgetSubject`, or with the account of the member who
   *   caused it.
   * - `kept`: nothing undoes the event.
   *
   * tests/core/notification-kinds.test.ts tests each kind.
   */
  endsWhen: "undone" | "removed" | "kept";
  /** Role that receives the notification; omitted for all members. */
  forRole?: "moderator" | "admin";
  /** Whether the notification joins an unread notification about the same subject: “Ada and 3 others”. */
  isGrouped?: true;
  /**
   * Whether members cannot switch the kind off or limit its channels. An attacker in a stolen account would
   * do so first.
   */
  isFixed?: true;
  /** Whether the mail of the notification is sent at once and omitted from digests. */
  isUrgent?: true;
  /**
   * Whether the notification reports new credentials of the account. After a change of the email address,
   * mail of this kind is sent to the former address, with a link that recovers the account. The notification
   * always counts as unread, because a thief may have read it.
   */
  isAboutAccess?: true;
  /** Whether the page quotes the notification's `about` below the text. */
  isQuoted?: true;
}

/** All kinds, in the order of the settings. */
const NOTIFICATIONS = {
  reply: { when: "Someone replies to you.", subjects: ["post"], reach: "mail", endsWhen: "removed" },
  mention: {
    when: "Someone mentions you.",
    subjects: ["post", "prompt", "thread"],
    reach: "mail",
    endsWhen: "undone",
  },
  like: {
    when: "Someone likes your post or reply.",
    subjects: ["post"],
    reach: "here",
    endsWhen: "undone",
    isGrouped: true,
  },
  // The subject is the followed builder, so that all followers form one group.
  follow: {
    when: "Someone follows you.",
    subjects: ["builder"],
    reach: "here",
    endsWhen: "undone",
    isGrouped: true,
  },
  job_match: {
    when: "A job matches one of your filters.",
    subjects: ["job"],
    reach: "mail",
    endsWhen: "removed",
  },
  prompt_rating: {
    when: "Someone rates your prompt.",
    subjects: ["prompt"],
    reach: "here",
    endsWhen: "removed",
    isGrouped: true,
  },
  message: {
    when: "Someone writes to you for the first time.",
    subjects: ["thread"],
    reach: "mail",
    endsWhen: "removed",
  },
  level_up: { when: "You reach a level.", subjects: ["builder"], reach: "here", endsWhen: "kept" },
  badge: { when: "You earn a badge.", subjects: ["builder"], reach: "here", endsWhen: "kept" },
  report_decided: {
    when: "One of your reports is decided.",
    subjects: ["report"],
    reach: "here",
    endsWhen: "undone",
  },
  decision: {
    when: "A moderator decides about you or your content.",
    subjects: ["decision"],
    reach: "mail",
    endsWhen: "undone",
    isUrgent: true,
    isQuoted: true,
  },
  appeal_decided: {
    when: "A moderator answers your appeal.",
    subjects: ["decision"],
    reach: "mail",
    endsWhen: "kept",
    isUrgent: true,
    isQuoted: true,
  },
  endpoint_failing: {
    when: "One of your webhook endpoints has been failing for a day.",
    subjects: ["endpoint"],
    reach: "mail",
    endsWhen: "removed",
  },
  endpoint_disabled: {
    when: "One of your webhook endpoints is disabled.",
    subjects: ["endpoint"],
    reach: "mail",
    endsWhen: "removed",
    isUrgent: true,
  },
  sign_in: {
    when: "Someone signs in to your account with a new browser.",
    subjects: ["session"],
    reach: "mail",
    endsWhen: "kept",
    isUrgent: true,
    isAboutAccess: true,
  },
  access_added: {
    when: "A new way to access your account is added.",
    subjects: ["access"],
    reach: "mail",
    endsWhen: "kept",
    isFixed: true,
    isUrgent: true,
    isAboutAccess: true,
  },
  // The kind has no mail, because the mail would be sent to the bouncing mailbox.
  mail_bounced: {
    when: "Email to your address bounces.",
    subjects: ["mail"],
    reach: "push",
    endsWhen: "undone",
  },
  invitation: {
    when: "You join a workspace, or someone joins one with your link.",
    subjects: ["workspace"],
    reach: "mail",
    endsWhen: "removed",
  },
  report_waiting: {
    when: "Something is reported, or waits for approval.",
    subjects: ["reports"],
    reach: "mail",
    endsWhen: "undone",
    forRole: "moderator",
    isGrouped: true,
  },
  // Names nobody: the case shows who decided.
  case_decided: {
    when: "Another moderator decides a case that you took.",
    subjects: ["reports"],
    reach: "push",
    endsWhen: "undone",
    forRole: "moderator",
  },
  appeal_waiting: {
    when: "A member appeals against a decision.",
    subjects: ["appeals"],
    reach: "mail",
    endsWhen: "undone",
    forRole: "moderator",
    isGrouped: true,
  },
  application_received: {
    when: "Someone asks to join.",
    subjects: ["applications"],
    reach: "mail",
    endsWhen: "undone",
    forRole: "admin",
    isGrouped: true,
  },
  member_joined: {
    when: "Someone joins.",
    subjects: ["members"],
    reach: "here",
    endsWhen: "removed",
    forRole: "admin",
    isGrouped: true,
  },
  sign_up_wave: {
    when: "More members sign up within an hour than the community expects.",
    subjects: ["sign_ups"],
    reach: "mail",
    endsWhen: "kept",
    forRole: "moderator",
    isUrgent: true,
  },
  owner_changed: {
    when: "The community gets a new owner. Only owners get this notification.",
    subjects: ["builder"],
    reach: "mail",
    endsWhen: "kept",
    forRole: "admin",
    isUrgent: true,
  },
  backup_failed: {
    when: "A backup fails.",
    subjects: ["backups"],
    reach: "mail",
    endsWhen: "kept",
    forRole: "admin",
    isGrouped: true,
    isUrgent: true,
    isQuoted: true,
  },
} as const satisfies Record<string, KindFacts>;

export type NotificationKind = keyof typeof NOTIFICATIONS;
export const NOTIFICATION_KINDS = Object.keys(NOTIFICATIONS) as NotificationKind[];

/** Kinds whose notifications are withdrawn by the operation that undoes the event. */
export type WithdrawnKind = {
  [Kind in NotificationKind]: (typeof NOTIFICATIONS)[Kind]["endsWhen"] extends "undone" ? Kind : never;
}[NotificationKind];

/** Kinds whose channels members can choose. */
export type ChosenKind = {
  [Kind in NotificationKind]: (typeof NOTIFICATIONS)[Kind] extends { isFixed: true } ? never : Kind;
}[NotificationKind];
export const CHOSEN_KINDS = NOTIFICATION_KINDS.filter(
  (kind): kind is ChosenKind => factsOf(kind).isFixed !== true,
);

export type AddedAccess = (typeof ADDED_ACCESS)[number];

export function factsOf(kind: NotificationKind): KindFacts {
  return NOTIFICATIONS[kind];
}

/**
 * Settings of all kinds at once, from the most to the fewest notifications. `concerns` is the setting of a
 * new member.
 */
export const PRESETS = ["everything", "concerns", "quiet"] as const;
export type Preset = (typeof PRESETS)[number];

/** Returns the channels of a kind in a preset. Urgent kinds keep their channels in each preset. */
export function presetReach(preset: Preset, kind: NotificationKind): Reach {
  const { reach, isUrgent } = factsOf(kind);
  if (isUrgent || preset === "concerns") return reach;
  // Mail about a bouncing mailbox would bounce.
  return preset === "quiet" ? "here" : kind === "mail_bounced" ? "push" : "mail";
}

export interface NotificationSubject<Type extends string = SubjectType> {
  type: Type;
  /**
   * ID of the subject. For subjects that exist once (`reports`, `appeals`, `applications`, `members`,
   * `sign_ups`, `backups`, `mail`), the ID equals the type. For `access`, the ID is the kind of credential
   * that was added (`ADDED_ACCESS`).
   */
  id: string;
}

/**
 * Subjects that exist once: the queue of reports, the appeals, the join requests, the member list, the
 * sign-ups, the backups.
 */
export const REPORTS: NotificationSubject = { type: "reports", id: "reports" };
export const APPEALS: NotificationSubject = { type: "appeals", id: "appeals" };
export const APPLICATIONS: NotificationSubject = { type: "applications", id: "applications" };
export const MEMBERS: NotificationSubject = { type: "members", id: "members" };
export const SIGN_UPS: NotificationSubject = { type: "sign_ups", id: "sign_ups" };
export const BACKUPS: NotificationSubject = { type: "backups", id: "backups" };
/** Subject for the email address of the notified member. */
export const OWN_MAIL: NotificationSubject = { type: "mail", id: "mail" };
