import { type ADDED_ACCESS, REACHES } from "../../base/db/schema-notifications.ts";
import type { Scope } from "../access/scopes.ts";

export { ADDED_ACCESS, REACHES } from "../../base/db/schema-notifications.ts";

/**
 * How far a notification reaches a member: `off`, nowhere; `here`, the list; `push`, also their devices;
 * `mail`, also their mailbox.
 */
export type Reach = (typeof REACHES)[number];

/** Whether a kind that is set to `set` reaches as far as `asked`. */
export function reaches(set: Reach, asked: Reach): boolean {
  return REACHES.indexOf(set) >= REACHES.indexOf(asked);
}

export type SubjectReader = Scope | "person" | "moderator";

interface SubjectFacts {
  /**
   * The scope that reads it. `person`: the account itself, which no token may read (docs/threats.md#M01).
   * `moderator`: for those who moderate.
   */
  reader: SubjectReader;
  /** Its page. `name` is a builder's username, or the workspace of an endpoint. */
  page: (id: string, name: string) => string;
}

/**
 * Everything a notification can be about. notifications-store.ts says who may see each; titles.ts, what it is
 * called.
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
  // A report of one's own: read with the scope of the list of notifications alone.
  report: { reader: "notifications:read", page: () => "/notifications" },
  session: { reader: "person", page: () => "/settings/account" },
  mail: { reader: "person", page: () => "/settings/mail" },
  access: { reader: "person", page: () => "/settings/account/secure" },
  workspace: { reader: "person", page: (id) => `/settings/workspaces/${id}` },
  reports: { reader: "moderator", page: () => "/admin/reports" },
  applications: { reader: "admin", page: () => "/admin/applications" },
  members: { reader: "admin", page: () => "/admin/builders" },
  backups: { reader: "admin", page: () => "/admin/health" },
} as const satisfies Record<string, SubjectFacts>;

export type SubjectType = keyof typeof SUBJECTS;
export const SUBJECT_TYPES = Object.keys(SUBJECTS) as SubjectType[];

/** Everything the core knows of a kind. Its texts are in the message files of each language. */
interface KindFacts {
  /** When it is sent: for the settings and the documents of both APIs. */
  when: string;
  /** What it can be about. */
  subjects: readonly SubjectType[];
  /** How far it reaches a member who has not chosen. */
  reach: Reach;
  /**
   * `undone`: the operation that undoes the fact calls `withdrawNotification`. `removed`: it goes with its
   * subject, by `forgetSubject`, or with the account of the member who caused it. `kept`: nothing undoes the
   * fact. tests/core/notification-kinds.test.ts tries each.
   */
  endsWhen: "undone" | "removed" | "kept";
  /** The role that it is for; left out where it is for every member. */
  forRole?: "moderator" | "admin";
  /** Whether it joins an unread one about the same subject: "Ada and 3 others". */
  isGrouped?: true;
  /** Whether nobody can switch it off or narrow it: a thief would do so first. */
  isFixed?: true;
  /** Whether its mail is sent at once, and is left out of digests. */
  isUrgent?: true;
  /**
   * Whether it reports something that gives access to the account. Its mail goes to the address before a
   * change, with a link by which its reader recovers the account; and it counts as unread, as a thief may
   * have read it.
   */
  isAboutAccess?: true;
  /** Whether the page quotes `about` below the sentence. */
  isQuoted?: true;
}

/** Every kind of notification, in the order of the settings. */
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
  // The subject is the builder who is followed, so that all followers are one group.
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
  hidden: {
    when: "A moderator hides your content.",
    subjects: ["post", "prompt", "job"],
    reach: "mail",
    endsWhen: "undone",
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
  // Its mail would go to the mailbox that takes none.
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
    when: "A new report is open.",
    subjects: ["reports"],
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

/** The kinds that an operation withdraws. */
export type WithdrawnKind = {
  [Kind in NotificationKind]: (typeof NOTIFICATIONS)[Kind]["endsWhen"] extends "undone" ? Kind : never;
}[NotificationKind];

/** The kinds whose reach a member chooses. */
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

/** The subject of a notification. */
export interface NotificationSubject<Type extends string = SubjectType> {
  type: Type;
  /**
   * Its id; of `reports`, `applications`, `members`, `backups` and `mail`, of which there is one each, their
   * own name; of `access`, what was added (`ADDED_ACCESS`).
   */
  id: string;
}

/** There is one queue of reports, one of join requests, one list of members, and one row of backups. */
export const REPORTS: NotificationSubject = { type: "reports", id: "reports" };
export const APPLICATIONS: NotificationSubject = { type: "applications", id: "applications" };
export const MEMBERS: NotificationSubject = { type: "members", id: "members" };
export const BACKUPS: NotificationSubject = { type: "backups", id: "backups" };
/** The mail address of the member who is notified. */
export const OWN_MAIL: NotificationSubject = { type: "mail", id: "mail" };
