import { type ADDED_ACCESS, REACHES } from "../../base/db/schema-notifications.ts";
import type { Scope } from "../access/scopes.ts";

export { ADDED_ACCESS, REACHES } from "../../base/db/schema-notifications.ts";

/**
 * How far it reaches whoever is told: not at all; the list; also the devices that they have registered; also
 * their mailbox. Each takes in those before it.
 */
export type Reach = (typeof REACHES)[number];

/** Whether what is set to `set` reaches as far as `asked`. */
export function reaches(set: Reach, asked: Reach): boolean {
  return REACHES.indexOf(set) >= REACHES.indexOf(asked);
}

export type SubjectReader = Scope | "person" | "moderator";

/**
 * What a notification can be about, each with the scope that reads it. `person`: it is of the account itself,
 * which no token may look into (docs/threats.md#M01). `moderator`: of those who moderate.
 */
export const SUBJECT_READERS = {
  post: "feed:read",
  prompt: "prompts:read",
  job: "jobs:read",
  builder: "profile:read",
  thread: "messages:read",
  endpoint: "webhooks:read",
  // What one has reported oneself: by the scope of the list of notifications alone.
  report: "notifications:read",
  session: "person",
  mail: "person",
  access: "person",
  workspace: "person",
  reports: "moderator",
  applications: "admin",
  members: "admin",
  backups: "admin",
} as const satisfies Record<string, SubjectReader>;

export type SubjectType = keyof typeof SUBJECT_READERS;
export const SUBJECT_TYPES = Object.keys(SUBJECT_READERS) as SubjectType[];

/** What is known of a kind. */
interface KindFacts {
  /** What it can be about. */
  subjects: readonly SubjectType[];
  /** What holds for whoever has chosen nothing. */
  reach: Reach;
  /** Whom alone it is for, by their role; left out where it is for everybody. */
  forRole?: "moderator" | "admin";
  /** Whether what comes while one is unread joins it: «Ada and 3 others». */
  isGrouped?: true;
  /** Whether nobody can switch it off or narrow it: a thief would do so first. */
  isFixed?: true;
}

/** All that anybody is told of, in the order of the settings. */
const NOTIFICATIONS = {
  reply: { subjects: ["post"], reach: "mail" },
  mention: { subjects: ["post", "prompt", "thread"], reach: "mail" },
  like: { subjects: ["post"], reach: "here", isGrouped: true },
  // The subject is whoever is followed, so that all who follow are one group.
  follow: { subjects: ["builder"], reach: "here", isGrouped: true },
  job_match: { subjects: ["job"], reach: "mail" },
  prompt_rating: { subjects: ["prompt"], reach: "here", isGrouped: true },
  message: { subjects: ["thread"], reach: "mail" },
  level_up: { subjects: ["builder"], reach: "here" },
  badge: { subjects: ["builder"], reach: "here" },
  report_decided: { subjects: ["report"], reach: "here" },
  hidden: { subjects: ["post", "prompt", "job"], reach: "mail" },
  endpoint_failing: { subjects: ["endpoint"], reach: "mail" },
  endpoint_disabled: { subjects: ["endpoint"], reach: "mail" },
  sign_in: { subjects: ["session"], reach: "mail" },
  access_added: { subjects: ["access"], reach: "mail", isFixed: true },
  // Mail about it would go to the mailbox that takes none.
  mail_bounced: { subjects: ["mail"], reach: "push" },
  invitation: { subjects: ["workspace"], reach: "mail" },
  report_waiting: { subjects: ["reports"], reach: "mail", forRole: "moderator", isGrouped: true },
  application_received: { subjects: ["applications"], reach: "mail", forRole: "admin", isGrouped: true },
  member_joined: { subjects: ["members"], reach: "here", forRole: "admin", isGrouped: true },
  owner_changed: { subjects: ["builder"], reach: "mail", forRole: "admin" },
  backup_failed: { subjects: ["backups"], reach: "mail", forRole: "admin", isGrouped: true },
} as const satisfies Record<string, KindFacts>;

export type NotificationKind = keyof typeof NOTIFICATIONS;
export const NOTIFICATION_KINDS = Object.keys(NOTIFICATIONS) as NotificationKind[];

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

/** What a notification is about. */
export interface NotificationSubject<Type extends string = SubjectType> {
  type: Type;
  /** Its id; of `reports`, `applications`, `members`, `backups` and `mail`, of which there is one each, their own name; of
   * `access`, what was added (`ADDED_ACCESS`). */
  id: string;
}

/** There is one queue of reports, one of join requests, one list of members, and one row of backups. */
export const REPORTS: NotificationSubject = { type: "reports", id: "reports" };
export const APPLICATIONS: NotificationSubject = { type: "applications", id: "applications" };
export const MEMBERS: NotificationSubject = { type: "members", id: "members" };
export const BACKUPS: NotificationSubject = { type: "backups", id: "backups" };
/** The mail address of the member who is notified. */
export const OWN_MAIL: NotificationSubject = { type: "mail", id: "mail" };
