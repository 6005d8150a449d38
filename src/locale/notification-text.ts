import type { NotificationKind } from "../core/identity/notifications/kinds.ts";
import type { Text } from "./runtime.ts";
import type { LocaleMessages } from "./messages.ts";

/** The content of a notification, with display names. */
export interface NotificationContent {
  kind: NotificationKind;
  /** Display names, newest first. The text names the first actor. */
  actors: readonly string[];
  count: number;
  about: string;
  subjectId: string;
}

/** Parameters of the notification messages. */
interface SentenceParams {
  who: Text;
  count: number;
  badge: Text;
  access: Text;
}

/** Returns a notification as plain text, for emails, push notifications and feeds. */
export function notificationText(
  messages: LocaleMessages,
  { kind, actors, count, about, subjectId }: NotificationContent,
): string {
  const { sentences, unnamedBadge, somebody, several } = messages.notificationTexts;
  // Old versions stored badge notifications without the badge.
  if (kind === "badge" && about === "") return unnamedBadge;
  const [name = somebody] = actors;
  const sentence: string | ((params: SentenceParams) => string) = sentences[kind];
  if (typeof sentence === "string") return sentence;
  return sentence({
    who: count > 1 ? several({ name, others: count - 1 }) : name,
    count,
    badge: nameOfBadge(messages, about),
    access: addedAccess(messages, kind === "sign_in" ? "sessions" : subjectId),
  });
}

/**
 * Returns the name of a way to access an account, such as a token, for a notification that it was added.
 * Returns a generic name for a value of a newer version.
 */
export function addedAccess({ notificationTexts: { access } }: LocaleMessages, objectType: string): string {
  return Object.hasOwn(access, objectType) ? access[objectType as keyof typeof access] : access.other;
}

/**
 * Returns the display name of a badge. A slug that is not a standard badge becomes words. Any other name is
 * returned unchanged.
 */
export function nameOfBadge({ profiles }: LocaleMessages, badge: string): string {
  const { names } = profiles.badges;
  if (Object.hasOwn(names, badge)) return names[badge as keyof typeof names];
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(badge)) return badge;
  const name = badge.replaceAll("-", " ");
  return name.charAt(0).toUpperCase() + name.slice(1);
}
