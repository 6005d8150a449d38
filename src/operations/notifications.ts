import { pickFields } from "../core/base/view.ts";
import {
  listNotifications,
  markNotifications,
  NotificationFilter,
  NotificationView,
  ReadingDraft,
  UnreadView,
} from "../core/services/notifications/notifications.ts";
import {
  changeNotificationSettings,
  getNotificationSettings,
  NotificationSettingsDraft,
  NotificationSettingsView,
} from "../core/services/notifications/settings.ts";
import { area, list, read, write } from "./operation.ts";

const NotificationShown = pickFields("Notification", NotificationView, [
  "id",
  "kind",
  "createdAt",
  "read",
  "count",
  "actors",
  "subject",
]);

export const notificationOperations = area("Notifications", {
  listNotifications: list({
    at: "GET /notifications",
    summary: "List what you are told, newest first",
    description:
      "Only what you may see: what is about a deleted or hidden thing is not there, nor what somebody did whom you have blocked, and of each kind only what your token has the scope of; what is of your account itself, such as a sign-in, no token is told. Likes, follows and ratings of one thing are one notification until you read it; a group that grows then is a new one. At most two hundred of a kind are kept, for ninety days unless the operator says otherwise.",
    scope: "notifications:read",
    filter: NotificationFilter,
    view: NotificationShown,
    page: "NotificationPage",
    gives: "One page of notifications",
    run: ({ core, caller, filter, page }) => listNotifications(core, caller, filter, page),
  }),
  markNotificationsRead: write({
    at: "POST /notifications/read",
    summary: "Mark notifications as read",
    description:
      "Some by their `ids`, or all up to one, which is included. A group that has grown since it was shown stays unread.",
    scope: "notifications:write",
    effect: "changes",
    draft: ReadingDraft,
    view: UnreadView,
    gives: "How many are unread now",
    run: ({ core, caller, draft }) => markNotifications(core, caller, draft),
  }),
  getNotificationSettings: read({
    at: "GET /notifications/settings",
    summary: "What you want to be told of, and how far it reaches you",
    scope: "notifications:read",
    view: NotificationSettingsView,
    gives: "Each kind",
    run: ({ core, caller }) => getNotificationSettings(core, caller),
  }),
  changeNotificationSettings: write({
    at: "PATCH /notifications/settings",
    summary: "Choose what you want to be told of",
    description:
      "Kinds that are left out stay as they are. It holds for what happens from then on; what was told stays.",
    scope: "notifications:write",
    effect: "changes",
    draft: NotificationSettingsDraft,
    view: NotificationSettingsView,
    gives: "Each kind",
    run: ({ core, caller, draft }) => changeNotificationSettings(core, caller, draft),
  }),
});
