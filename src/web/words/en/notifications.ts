import type { NotificationKind } from "../../../core/identity/notifications/kinds.ts";
import { number, plural } from "./forms.ts";
import { accessAdded } from "./told.ts";

/** A sentence; `count` is how many facts it tells of. `{who}`, `{what}` and `{about}` are told, `{to}` leads there. */
type Sentence = (count: number, subjectId: string) => string;

const sentences: Readonly<Record<NotificationKind, Sentence>> = {
  reply: () => "{who} replied: [{what}]({to})",
  mention: () => "{who} mentioned you: [{what}]({to})",
  like: (count) => plural(count, { one: "{who} likes [{what}]({to})", other: "{who} like [{what}]({to})" }),
  follow: (count) => plural(count, { one: "{who} [follows you]({to})", other: "{who} [follow you]({to})" }),
  job_match: () => "[{what}]({to}) fits what you look for",
  prompt_rating: () => "{who} rated [{what}]({to})",
  message: () => "{who} [wrote to you]({to})",
  level_up: () => "You reached [level {about}]({to})",
  badge: () => "You earned a badge: [{about}]({to})",
  report_decided: () =>
    "Somebody who runs the community has [looked at your report]({to}). Thank you for it.",
  hidden: () => "Those who run the community have hidden [{what}]({to})",
  endpoint_failing: () => "[A webhook endpoint of yours]({to}) has acknowledged nothing for a day",
  endpoint_disabled: () => "[A webhook endpoint of yours]({to}) was switched off",
  sign_in: () => "Somebody [signed in as you]({to}) with a browser that was not there before: {about}",
  access_added: (_, subjectId) => `[${accessAdded(subjectId)}]({to})`,
  mail_bounced: () => "[Your mailbox refuses mail]({to}): check the address",
  invitation: () => "{who} came into [{what}]({to}) by your link",
  report_waiting: (count) =>
    plural(count, { one: "[A report waits]({to})", other: "[{n} reports wait]({to})" }),
  application_received: (count) =>
    plural(count, { one: "[Somebody asks to join]({to})", other: "[{n} people ask to join]({to})" }),
  member_joined: () => "{who} [joined]({to})",
  owner_changed: () => "{who} changed [who owns the community]({to}): {about}",
  backup_failed: (count) =>
    plural(count, { one: "[A backup failed]({to})", other: "[{n} backups failed]({to})" }),
};

/** What each kind is called where it is chosen. */
const kinds: Readonly<Record<NotificationKind, string>> = {
  reply: "Replies",
  mention: "Mentions",
  like: "Likes",
  follow: "New followers",
  job_match: "Jobs that fit",
  prompt_rating: "Ratings of your prompts",
  message: "Messages from somebody new",
  level_up: "Levels",
  badge: "Badges",
  report_decided: "Your reports",
  hidden: "What is hidden of yours",
  endpoint_failing: "Endpoints that fail",
  endpoint_disabled: "Endpoints that are off",
  sign_in: "New sign-ins",
  access_added: "New access to your account",
  mail_bounced: "Refused mail",
  invitation: "Workspaces",
  report_waiting: "Reports that wait",
  application_received: "Who asks to join",
  member_joined: "New members",
  owner_changed: "New owners",
  backup_failed: "Backups that failed",
};

/** What somebody is told, and what they want to be told of. */
export const notifications = {
  title: "Notifications",
  /** Beside the name of a place. */
  fitting: "new matches",
  waiting: "waiting",
  views: { all: "All", unread: "Unread" },
  kind: "Kind",
  every: "Every kind",
  show: "Show",
  markAll: "Mark all as read",
  mark: "Mark as read",
  unread: "Unread",
  none: "Nothing yet",
  noneLead: "When somebody answers you, likes what you wrote or writes to you, it stands here.",
  allRead: "You have read everything",
  allReadLead: "What is new comes here.",
  choose: "Choose what you are told",
  sentences,
  added: "You are in the workspace [{what}]({to}) now",
  kinds,
  who: {
    two: "{first} and {second}",
    more: (others: number) => plural(others, { other: "{first} and {n} others" }),
  },
  something: "something of yours",
  message: "in a message",
  reason: "“{about}”",
  settings: {
    lead: "Each choice takes in those before it. What was told stays.",
    kind: "You are told of",
    reaches: { off: "Off", here: "Here", push: "Devices", mail: "Mail" },
    hints: {
      off: "Nothing is told.",
      here: "In the list, with a number on every page.",
      push: "Also on your [devices](/settings/browsers).",
      mail: "Also by [mail](/settings/mail).",
    },
    each: (kind: string, reach: string) => `${kind}: ${reach}`,
    forAdmins: "For those who run the community",
    save: "Save",
  },
  count: (n: number) => (n > 99 ? "99+" : number(n)),
};
