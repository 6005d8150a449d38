import type { Interactions } from "../../core/oauth/interaction.ts";
import type { PageRoute } from "../route.ts";
import { accountPages } from "./account.tsx";
import { adminPages } from "./admin.tsx";
import { adminAppPages } from "./admin-apps.tsx";
import { adminBuilderPages } from "./admin-builders.tsx";
import { adminInvitePages } from "./admin-invites.tsx";
import { adminReportPages } from "./admin-reports.tsx";
import { appPages } from "./app.tsx";
import { appsPages } from "./apps.tsx";
import { builderPages } from "./builders.tsx";
import { connectedPages } from "./connected.tsx";
import { consentPages } from "./consent.tsx";
import { deletionPages } from "./deletion.tsx";
import { deliveryPages } from "./delivery.tsx";
import { devicePages } from "./device.tsx";
import { feedPages } from "./feed.tsx";
import { filterPages } from "./filters.tsx";
import { joinPages } from "./join.tsx";
import { jobDetailPages } from "./job.tsx";
import { jobFormPages } from "./job-form.tsx";
import { jobPages } from "./jobs.tsx";
import { matchPages } from "./matches.tsx";
import { messagePages } from "./messages.tsx";
import { postPages } from "./post.tsx";
import { profilePages } from "./profile.tsx";
import { profileSettingsPages } from "./profile-settings.tsx";
import { projectPages } from "./profile-settings-projects.tsx";
import { promptDetailPages } from "./prompt.tsx";
import { promptFormPages } from "./prompt-form.tsx";
import { promptPages } from "./prompts.tsx";
import { proofPages } from "./proof.tsx";
import { reportPages } from "./report.tsx";
import { securingPages } from "./securing.tsx";
import { signInPages } from "./sign-in.tsx";
import { threadPages } from "./thread.tsx";
import { tokenPages } from "./tokens.tsx";
import { recoverPages } from "./recover.tsx";
import { webhookDetailPages } from "./webhook.tsx";
import { webhookPages } from "./webhooks.tsx";
import { workspacePages } from "./workspaces.tsx";

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
  ...adminInvitePages,
  ...adminAppPages,
];
