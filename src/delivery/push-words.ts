import type { Core } from "../core/base/core.ts";
import { charterOf } from "../core/identity/charter/charter.ts";
import type { Language } from "../core/base/locales.ts";
import { receiverOf } from "../core/services/reach/receiver.ts";
import { findTold } from "../core/services/reach/reach.ts";
import type { Notification } from "../core/services/notifications/notifications.ts";
import type { NotificationKind } from "../core/identity/notifications/kinds.ts";
import { nameElsewhere } from "../core/identity/builders/author.ts";
import { plainLine } from "./mail-text.ts";
import type { Push } from "../core/outbox/push/queue.ts";
import type { PushWords } from "./push-request.ts";

/** What the catalogue says of pushes. */
export interface PushSayings {
  greeting: string;
  sentence: SayTold;
}

/** One thing that somebody is told, in a sentence. */
export type SayTold = (told: {
  kind: NotificationKind;
  actors: readonly string[];
  count: number;
  about: string;
  subjectId: string;
}) => string;

/** In one line of letters that are seen: names are their owners' to choose. */
export function sayTold(sentence: SayTold, { kind, actors, count, about, subject }: Notification): string {
  const names = actors.map(({ name, username }) => nameElsewhere({ name: plainLine(name, 80), username }));
  return plainLine(sentence({ kind, actors: names, count, about, subjectId: subject.id }));
}

/** What a browser shows of a push, in the language of who reads it; undefined where there is nothing to say any more. */
export function pushWords(
  core: Core,
  { notificationId, subscriptionId, builderId }: Push,
  sayingsIn: (language: Language) => PushSayings,
): PushWords | undefined {
  const { greeting, sentence } = sayingsIn(receiverOf(core, builderId).language);
  const title = charterOf(core).name;
  if (notificationId !== null) {
    const told = findTold(core, notificationId);
    const path = told?.subject.url.slice(core.origin.length);
    return told && { title, body: sayTold(sentence, told), path: path ?? "/", tag: notificationId };
  }
  return { title, body: greeting, path: "/settings/browsers", tag: subscriptionId };
}
