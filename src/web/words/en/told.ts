import type { AddedAccess, NotificationKind } from "../../../core/identity/notifications/kinds.ts";
import { badgeName } from "../badges.ts";
import { people } from "./people.ts";
import { number, plural } from "./forms.ts";

/** What one is told, as plain text: names stand in it as they are. */
export interface Told {
  kind: NotificationKind;
  /** The newest first; the first is named. */
  actors: readonly string[];
  count: number;
  about: string;
  subjectId: string;
}

type Say = (who: string, told: Told) => string;

const somebody = "Somebody";
const who = ({ actors: [first = somebody], count }: Told): string =>
  count > 1 ? `${first} and ${plural(count - 1, { one: "1 other", other: "{n} others" })}` : first;

/** What was added to an account and gives access to it, by its name in the core. */
const access: Readonly<Record<AddedAccess, string>> = {
  sessions: "Somebody signed in to your account with a new browser",
  password: "The password of your account was changed",
  passkeys: "A passkey was added to your account",
  mail: "Your account has a new mail address",
  tokens: "An access token was made for your account",
  apps: "An app was given access to your account",
  endpoints: "A webhook endpoint was added to your account",
  feed: "A private feed address was made for your account",
  push: "A browser was set up to receive your notifications",
  links: "A link was made that leads into your account or your workspace",
};

/** The same for any name: a newer version may have stored one that this version lacks. */
export const accessAdded = (what: string): string =>
  new Map(Object.entries(access)).get(what) ?? "Something that gives access to your account was added";

const sentences: Readonly<Record<NotificationKind, Say>> = {
  reply: (name) => `${name} replied to you`,
  mention: (name) => `${name} mentioned you`,
  like: (name, { count }) => `${name} ${count > 1 ? "like" : "likes"} what you wrote`,
  follow: (name, { count }) => `${name} ${count > 1 ? "follow" : "follows"} you`,
  job_match: () => "A new job fits one of your filters",
  prompt_rating: (name) => `${name} rated your prompt`,
  message: (name) => `${name} wrote to you for the first time`,
  level_up: () => "You reached a new level",
  badge: (_, { about }) =>
    about === "" ? "You earned a badge" : `You earned a badge: ${badgeName(people.badges.names, about)}`,
  report_decided: () => "A report of yours was decided",
  hidden: () => "Something of yours was hidden by moderators",
  endpoint_failing: () => "A webhook endpoint of yours is failing",
  endpoint_disabled: () => "A webhook endpoint of yours was switched off",
  sign_in: () => access.sessions,
  access_added: (_, { subjectId }) => accessAdded(subjectId),
  mail_bounced: () => "Your mailbox refuses mail: check your mail address",
  invitation: () => "Something is new in a workspace of yours",
  report_waiting: (_, { count }) => plural(count, { one: "A report waits", other: "{n} reports wait" }),
  application_received: (_, { count }) =>
    plural(count, { one: "Somebody asks to join", other: "{n} people ask to join" }),
  member_joined: (name) => `${name} joined`,
  owner_changed: (name) => `${name} changed who owns the community`,
  backup_failed: () => "A backup failed",
};

/** What goes out: to a browser, a mailbox, a reader of feeds. */
export const told = {
  sentence: (one: Told) => sentences[one.kind](who(one), one),
  access,
  more: (count: number) => `and ${number(count)} more`,
};
