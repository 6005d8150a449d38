import type { NotificationKind } from "../core/identity/notifications/kinds.ts";
import type { Text } from "./runtime.ts";
import type { Words } from "./words.ts";

/** What a notification says, with names as they are to be shown. */
export interface NotificationFacts {
  kind: NotificationKind;
  /** The newest first; the first is named. */
  actors: readonly string[];
  count: number;
  about: string;
  subjectId: string;
}

/** What a sentence may name. */
interface SentenceParams {
  who: Text;
  count: number;
  badge: Text;
  access: Text;
}

/** A notification as plain text: for a mail, a push notification, a feed. */
export function notificationText(
  words: Words,
  { kind, actors, count, about, subjectId }: NotificationFacts,
): string {
  const { sentences, unnamedBadge, somebody, several } = words.notificationTexts;
  // A version that did not say which badge stored none.
  if (kind === "badge" && about === "") return unnamedBadge;
  const [name = somebody] = actors;
  const sentence: string | ((params: SentenceParams) => string) = sentences[kind];
  if (typeof sentence === "string") return sentence;
  return sentence({
    who: count > 1 ? several({ name, others: count - 1 }) : name,
    count,
    badge: nameOfBadge(words, about),
    access: addedAccess(words, kind === "sign_in" ? "sessions" : subjectId),
  });
}

/**
 * What was added to an account and gives access to it. A newer version may have stored a name that this one
 * lacks.
 */
export function addedAccess({ notificationTexts: { access } }: Words, what: string): string {
  return Object.hasOwn(access, what) ? access[what as keyof typeof access] : access.other;
}

/**
 * The name of a badge: of one that every member can earn its own, of one that the community gave a slug as
 * words, and any other name as it was given.
 */
export function nameOfBadge({ profiles }: Words, badge: string): string {
  const { names } = profiles.badges;
  if (Object.hasOwn(names, badge)) return names[badge as keyof typeof names];
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(badge)) return badge;
  const name = badge.replaceAll("-", " ");
  return name.charAt(0).toUpperCase() + name.slice(1);
}
