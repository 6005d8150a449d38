// Written by `bun run generate` from the files of the folders beside it.
import type { Interactions } from "../../core/delegation/grants/interaction.ts";
import type { PageRoute } from "../request/route.ts";
import { accountPages } from "./account/account.tsx";
import { deletionPages } from "./account/deletion.tsx";
import { languagePages } from "./account/language.tsx";
import { notMePages } from "./account/not-me.tsx";
import { projectPages } from "./account/profile-settings-projects.tsx";
import { profileSettingsPages } from "./account/profile-settings.tsx";
import { securingPages } from "./account/securing.tsx";
import { tokenPages } from "./account/tokens.tsx";
import { workspacePages } from "./account/workspaces.tsx";
import { adminPages } from "./admin/admin.tsx";
import { adminApplicationPages } from "./admin/applications.tsx";
import { adminAppPages } from "./admin/apps.tsx";
import { adminBuilderPages } from "./admin/builders.tsx";
import { adminCommunityPages } from "./admin/community.tsx";
import { adminHealthPages } from "./admin/health.tsx";
import { adminInvitePages } from "./admin/invites.tsx";
import { maintenancePages } from "./admin/maintenance.tsx";
import { adminSecuringPages } from "./admin/securing.tsx";
import { statisticsPages } from "./admin/statistics.tsx";
import { vouchingPages } from "./admin/vouching.tsx";
import { appPages } from "./apps/app.tsx";
import { appsPages } from "./apps/apps.tsx";
import { connectedPages } from "./apps/connected.tsx";
import { browserPages } from "./channels/browsers.tsx";
import { mailPages } from "./channels/mail.tsx";
import { privateFeedPages } from "./channels/private-feed.tsx";
import { aboutPages } from "./community/about.tsx";
import { joinPages } from "./entry/join.tsx";
import { reauthenticationPages } from "./entry/reauthentication.tsx";
import { signInPages } from "./entry/sign-in.tsx";
import { waitingPages } from "./entry/waiting.tsx";
import { bookmarkPages } from "./feed/bookmarks.tsx";
import { editingPages } from "./feed/editing.tsx";
import { feedPages } from "./feed/feed.tsx";
import { stepPages } from "./feed/first-steps.tsx";
import { followedTagPages } from "./feed/followed.tsx";
import { postPages } from "./feed/post.tsx";
import { filterPages } from "./jobs/filters.tsx";
import { jobFormPages } from "./jobs/job-form.tsx";
import { jobDetailPages } from "./jobs/job.tsx";
import { jobPages } from "./jobs/jobs.tsx";
import { matchPages } from "./jobs/matches.tsx";
import { messagePages } from "./messages/messages.tsx";
import { threadPages } from "./messages/thread.tsx";
import { reportPages } from "./moderation/report.tsx";
import { adminReportPages } from "./moderation/reports.tsx";
import { notificationSettingsPages } from "./notifications/notification-settings.tsx";
import { notificationPages } from "./notifications/notifications.tsx";
import { builderPages } from "./people/builders.tsx";
import { followingPages } from "./people/following.tsx";
import { profilePages } from "./people/profile.tsx";
import { comparePages } from "./prompts/compare.tsx";
import { promptFormPages } from "./prompts/prompt-form.tsx";
import { promptDetailPages } from "./prompts/prompt.tsx";
import { promptPages } from "./prompts/prompts.tsx";
import { searchPages } from "./search/search.tsx";
import { deliveryPages } from "./webhooks/delivery.tsx";
import { recoverPages } from "./webhooks/recover.tsx";
import { webhookDetailPages } from "./webhooks/webhook.tsx";
import { webhookPages } from "./webhooks/webhooks.tsx";
import { consentPages } from "./apps/consent.tsx";
import { devicePages } from "./apps/device.tsx";

/** Those that need nothing but the core. */
export const PAGES: readonly PageRoute[] = [
  ...accountPages,
  ...deletionPages,
  ...languagePages,
  ...notMePages,
  ...projectPages,
  ...profileSettingsPages,
  ...securingPages,
  ...tokenPages,
  ...workspacePages,
  ...adminPages,
  ...adminApplicationPages,
  ...adminAppPages,
  ...adminBuilderPages,
  ...adminCommunityPages,
  ...adminHealthPages,
  ...adminInvitePages,
  ...maintenancePages,
  ...adminSecuringPages,
  ...statisticsPages,
  ...vouchingPages,
  ...appPages,
  ...appsPages,
  ...connectedPages,
  ...browserPages,
  ...mailPages,
  ...privateFeedPages,
  ...aboutPages,
  ...joinPages,
  ...reauthenticationPages,
  ...signInPages,
  ...waitingPages,
  ...bookmarkPages,
  ...editingPages,
  ...feedPages,
  ...stepPages,
  ...followedTagPages,
  ...postPages,
  ...filterPages,
  ...jobFormPages,
  ...jobDetailPages,
  ...jobPages,
  ...matchPages,
  ...messagePages,
  ...threadPages,
  ...reportPages,
  ...adminReportPages,
  ...notificationSettingsPages,
  ...notificationPages,
  ...builderPages,
  ...followingPages,
  ...profilePages,
  ...comparePages,
  ...promptFormPages,
  ...promptDetailPages,
  ...promptPages,
  ...searchPages,
  ...deliveryPages,
  ...recoverPages,
  ...webhookDetailPages,
  ...webhookPages,
];

/** Every page of the site. Apps that ask for something are behind `interactions`. */
export function pagesOf(interactions: Interactions): readonly PageRoute[] {
  return [...PAGES, ...consentPages(interactions), ...devicePages(interactions)];
}
