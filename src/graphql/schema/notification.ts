import {
  getNotifications,
  NotificationView,
  UnreadView,
} from "../../core/services/notifications/notifications.ts";
import {
  type NotificationSettings,
  NotificationSettingsView,
} from "../../core/services/notifications/settings.ts";
import {
  factsOf,
  NOTIFICATION_KINDS,
  REACHES,
  SUBJECT_TYPES,
} from "../../core/identity/notifications/kinds.ts";
import { descriptionOf } from "../../core/base/view.ts";
import { notificationOperations } from "../../operations/notifications.ts";
import { builder } from "../builder.ts";
import { enumOf } from "../inputs.ts";
import { mutationOf } from "../mutation.ts";
import { nodeOf } from "../nodes.ts";
import { output, payloadOf } from "../outputs.ts";
import { BuilderRef, connectionOf, node, NotificationRef } from "./refs.ts";

enumOf(
  "NotificationKind",
  NOTIFICATION_KINDS,
  "What a notification can report.",
  Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, factsOf(kind).when])),
);
const SubjectType = enumOf("NotificationSubjectType", SUBJECT_TYPES, "What a notification can be about.");
enumOf("NotificationReach", REACHES, "How far a kind reaches somebody, each with all before it.", {
  off: "They are not told.",
  here: "It stands in their list.",
  push: "Also on the devices that they have registered.",
  mail: "Also in their mailbox.",
});
const { subject, actors } = NotificationView.properties;

node(NotificationRef, {
  description: "Something that you are told. A group that grows before you read it gets another identifier.",
  kind: "ntf",
  many: getNotifications,
  view: NotificationView,
  out: ["subject"],
  fields: (t) => ({
    actors: t.field({
      type: [BuilderRef],
      description: descriptionOf(actors),
      resolve: ({ actors }) => actors,
    }),
    subjectType: t.field({
      type: SubjectType,
      description: descriptionOf(subject.properties.type),
      resolve: ({ subject: { type } }) => type,
    }),
    subjectId: t.id({
      description: descriptionOf(subject.properties.id),
      resolve: ({ subject: { id } }) => id,
    }),
    url: t.string({
      description: descriptionOf(subject.properties.url),
      resolve: ({ subject: { url } }) => url,
    }),
    subject: t.field({
      type: builder.nodeInterfaceRef(),
      nullable: true,
      description: `${descriptionOf(subject)} Null for what is no node, such as a sign-in. Needs the scope of its type.`,
      resolve: ({ subject: { id } }, _, context) => nodeOf(context, id),
    }),
    about: t.string({
      nullable: true,
      description:
        "What is told beside that: the reason of a moderator, a level, a badge, a browser, why an endpoint is off; null where nothing is.",
      resolve: ({ about }) => about || null,
    }),
  }),
});
export const NotificationConnection = connectionOf(NotificationRef, "Notification", "notifications");

export const NotificationSettingsRef = output<NotificationSettings>(
  "NotificationSettings",
  NotificationSettingsView,
  descriptionOf(NotificationSettingsView),
);

const { markNotificationsRead, changeNotificationSettings } = notificationOperations;
mutationOf(markNotificationsRead, {
  payload: payloadOf(UnreadView),
  show: (result) => result,
});
mutationOf(changeNotificationSettings, {
  payload: { notificationSettings: { type: NotificationSettingsRef, description: "What is chosen now." } },
});
