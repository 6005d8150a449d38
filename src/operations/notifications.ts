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
    route: "GET /notifications",
    summary: "List your notifications",
    description:
      "Returns notifications, newest first. Notifications about deleted or hidden content, and about builders you have blocked, are left out. Notifications of a kind that your token's scopes do not allow are also left out. Notifications about your account, such as sign-ins, are never returned to a token. Unread likes, follows, and ratings form one notification for each kind and subject. After you read it, the next one starts a new notification. Up to 200 notifications of each kind are kept, for 90 days unless the operator sets another period.",
    scope: "notifications:read",
    filter: NotificationFilter,
    view: NotificationShown,
    page: "NotificationPage",
    responseDescription: "One page of notifications",
    run: ({ core, caller, filter, page }) => listNotifications(core, caller, filter, page),
  }),
  markNotificationsRead: write({
    route: "POST /notifications/read",
    summary: "Mark notifications as read",
    description:
      "Send the `ids` of the notifications. Or name the newest one, to mark it and all earlier ones. A group that has grown since you fetched it stays unread.",
    scope: "notifications:write",
    effect: "changes",
    draft: ReadingDraft,
    view: UnreadView,
    responseDescription: "The number of unread notifications",
    run: ({ core, caller, draft }) => markNotifications(core, caller, draft),
  }),
  getNotificationSettings: read({
    route: "GET /notifications/settings",
    summary: "Retrieve your notification settings",
    description: "Returns how each kind of notification reaches you.",
    scope: "notifications:read",
    view: NotificationSettingsView,
    responseDescription: "Your notification settings",
    run: ({ core, caller }) => getNotificationSettings(core, caller),
  }),
  changeNotificationSettings: write({
    route: "PATCH /notifications/settings",
    summary: "Change your notification settings",
    description:
      "Changes the kinds you send and keeps the others. The change applies to future notifications.",
    scope: "notifications:write",
    effect: "changes",
    draft: NotificationSettingsDraft,
    view: NotificationSettingsView,
    responseDescription: "Your notification settings",
    run: ({ core, caller, draft }) => changeNotificationSettings(core, caller, draft),
  }),
});
