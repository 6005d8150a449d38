import type { Interactions } from "../../core/delegation/grants/interaction.ts";
import type { PageRoute } from "../request/route.ts";
import { accountPages } from "./account/account.tsx";
import { adminPages } from "./admin/admin.tsx";
import { adminAppPages } from "./admin/apps.tsx";
import { adminBuilderPages } from "./admin/builders.tsx";
import { adminInvitePages } from "./admin/invites.tsx";
import { adminReportPages } from "./moderation/reports.tsx";
import { appPages } from "./apps/app.tsx";
import { appsPages } from "./apps/apps.tsx";
import { builderPages } from "./people/builders.tsx";
import { connectedPages } from "./apps/connected.tsx";
import { consentPages } from "./apps/consent.tsx";
import { deletionPages } from "./account/deletion.tsx";
import { deliveryPages } from "./webhooks/delivery.tsx";
import { devicePages } from "./apps/device.tsx";
import { feedPages } from "./feed/feed.tsx";
import { filterPages } from "./jobs/filters.tsx";
import { joinPages } from "./entry/join.tsx";
import { jobDetailPages } from "./jobs/job.tsx";
import { jobFormPages } from "./jobs/job-form.tsx";
import { jobPages } from "./jobs/jobs.tsx";
import { matchPages } from "./jobs/matches.tsx";
import { messagePages } from "./messages/messages.tsx";
import { postPages } from "./feed/post.tsx";
import { profilePages } from "./people/profile.tsx";
import { profileSettingsPages } from "./account/profile-settings.tsx";
import { projectPages } from "./account/profile-settings-projects.tsx";
import { promptDetailPages } from "./prompts/prompt.tsx";
import { promptFormPages } from "./prompts/prompt-form.tsx";
import { promptPages } from "./prompts/prompts.tsx";
import { proofPages } from "./entry/proof.tsx";
import { reportPages } from "./moderation/report.tsx";
import { securingPages } from "./account/securing.tsx";
import { adminSecuringPages } from "./admin/securing.tsx";
import { signInPages } from "./entry/sign-in.tsx";
import { threadPages } from "./messages/thread.tsx";
import { tokenPages } from "./account/tokens.tsx";
import { recoverPages } from "./webhooks/recover.tsx";
import { webhookDetailPages } from "./webhooks/webhook.tsx";
import { webhookPages } from "./webhooks/webhooks.tsx";
import { workspacePages } from "./account/workspaces.tsx";

/** Every page of the site. Apps that ask for something are behind `interactions`. */
export function pagesOf(interactions: Interactions): readonly PageRoute[] {
  return [...PAGES, ...consentPages(interactions), ...devicePages(interactions)];
}

/** Those that need nothing but the core. */
export const PAGES: readonly PageRoute[] = [
  ...feedPages,
  ...postPages,
  ...jobPages,
  ...jobFormPages,
  ...jobDetailPages,
  ...filterPages,
  ...matchPages,
  ...promptPages,
  ...promptFormPages,
  ...promptDetailPages,
  ...builderPages,
  ...profilePages,
  ...profileSettingsPages,
  ...projectPages,
  ...messagePages,
  ...threadPages,
  ...reportPages,
  ...signInPages,
  ...joinPages,
  ...accountPages,
  ...securingPages,
  ...deletionPages,
  ...proofPages,
  ...tokenPages,
  ...webhookPages,
  ...webhookDetailPages,
  ...recoverPages,
  ...deliveryPages,
  ...workspacePages,
  ...appsPages,
  ...appPages,
  ...connectedPages,
  ...adminPages,
  ...adminReportPages,
  ...adminBuilderPages,
  ...adminSecuringPages,
  ...adminInvitePages,
  ...adminAppPages,
];
