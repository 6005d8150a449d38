import { feed } from "./en/feed.ts";
import { following } from "./en/following.ts";
import { forms } from "./en/forms.ts";
import { frame, parts } from "./en/frame.ts";
import { told } from "./en/told.ts";
import { mails } from "./en/mails.ts";
import { notices } from "./en/notices.ts";
import { refusals } from "./en/refusals.ts";
import { prompts } from "./en/prompts.ts";
import { search } from "./en/search.ts";
import { messages } from "./en/messages.ts";
import { jobs } from "./en/jobs.ts";
import { people } from "./en/people.ts";
import { notifications } from "./en/notifications.ts";
import { reach } from "./en/reach.ts";
import { codes } from "./en/codes.ts";
import { account } from "./en/account.ts";
import { ownData } from "./en/own-data.ts";
import { tokens, workspaces, ownProfile } from "./en/settings.ts";
import { entry } from "./en/entry.ts";
import { moderation } from "./en/moderation.ts";
import { admin } from "./en/admin.ts";
import { roll, allApps } from "./en/roll.ts";
import { health } from "./en/health.ts";
import { statistics } from "./en/statistics.ts";
import { steps } from "./en/steps.ts";
import { apps, connected, consent } from "./en/apps.ts";
import { webhooks } from "./en/webhooks.ts";
import { community } from "./en/community.ts";

/** English: the catalogue that every other language has to fill. */
export const en = {
  language: "en",
  forms,
  frame,
  parts,
  notices,
  refusals,
  feed,
  following,
  prompts,
  search,
  messages,
  jobs,
  people,
  notifications,
  reach,
  codes,
  account,
  ownData,
  tokens,
  workspaces,
  ownProfile,
  entry,
  moderation,
  admin,
  roll,
  allApps,
  health,
  statistics,
  steps,
  apps,
  connected,
  consent,
  webhooks,
  community,
  mails,
  told,
};
