import type { Core } from "../core/base/core.ts";
import { communitySettingsOf } from "../core/identity/community-settings/community-settings.ts";
import { receiverOf } from "../core/services/channels/receiver.ts";
import { findNotificationToSend } from "../core/services/channels/queueing.ts";
import type { Notification } from "../core/services/notifications/notifications.ts";
import { publicName } from "../core/identity/builders/author.ts";
import { notificationText } from "../locale/notification-text.ts";
import { type LocaleMessages, messagesOf } from "../locale/messages.ts";
import { plainLine } from "./mail-text.ts";
import type { Push } from "../core/outbox/push/queue.ts";
import type { PushContent } from "./push-request.ts";

/** Returns a notification as one line of visible characters, because members choose the names in the text. */
export function notificationLine(
  messages: LocaleMessages,
  { kind, actors, count, about, subject }: Notification,
): string {
  const names = actors.map(({ name, username }) => publicName({ name: plainLine(name, 80), username }));
  return plainLine(notificationText(messages, { kind, actors: names, count, about, subjectId: subject.id }));
}

/**
 * Returns the content of a push in the reader's language. Returns `undefined` if nothing is left to report.
 */
export function pushContent(
  core: Core,
  { notificationId, subscriptionId, builderId }: Push,
): PushContent | undefined {
  const messages = messagesOf(receiverOf(core, builderId).language);
  const title = communitySettingsOf(core).name;
  if (notificationId !== null) {
    const notification = findNotificationToSend(core, notificationId);
    const path = notification?.subject.url.slice(core.origin.length);
    return (
      notification && {
        title,
        body: notificationLine(messages, notification),
        path: path ?? "/",
        tag: notificationId,
      }
    );
  }
  return { title, body: messages.channels.push.greeting, path: "/settings/browsers", tag: subscriptionId };
}
