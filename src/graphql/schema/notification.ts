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
  "The kind of a notification.",
  Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, factsOf(kind).when])),
);
const SubjectType = enumOf(
  "NotificationSubjectType",
  SUBJECT_TYPES,
  "The type of a notification's subject.",
  {
    post: "A post or reply.",
    prompt: "A prompt.",
    job: "A job.",
    builder: "A builder.",
    thread: "A conversation.",
    endpoint: "A webhook endpoint.",
    report: "Your own report.",
    decision: "A moderator's decision about you.",
    session: "A sign-in to your account.",
    mail: "Your email address.",
    access: "A way to access your account.",
    workspace: "A workspace.",
    reports: "The open reports, for moderators.",
    appeals: "The waiting appeals, for moderators.",
    applications: "The join requests, for admins.",
    members: "The member list, for admins.",
    sign_ups: "The sign-ups, for moderators.",
    backups: "The backups, for admins.",
  },
);
enumOf(
  "NotificationReach",
  REACHES,
  "How a kind of notification reaches you. `mail` includes `push`, and `push` includes `here`.",
  {
    off: "No notification.",
    here: "In your list.",
    push: "Also on your registered devices.",
    mail: "Also by email.",
  },
);
const { subject, actors } = NotificationView.properties;

node(NotificationRef, {
  description: "A notification. A group that grows before you read it gets a new identifier.",
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
      description: `${descriptionOf(subject)} \`null\` if the subject is not a node, such as a sign-in. Requires the scope that reads this type of object.`,
      resolve: ({ subject: { id } }, _, context) => nodeOf(context, id),
    }),
    about: t.string({
      nullable: true,
      description:
        "More detail: a moderator's reason, a level, a badge, a browser, or why an endpoint was disabled. `null` if there is none.",
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
  toPayload: (result) => result,
});
mutationOf(changeNotificationSettings, {
  payload: {
    notificationSettings: { type: NotificationSettingsRef, description: "Your notification settings." },
  },
});
