import { feed } from "./de/feed.ts";
import { following } from "./de/following.ts";
import { forms } from "./de/forms.ts";
import { frame, parts } from "./de/frame.ts";
import { told } from "./de/told.ts";
import { mails } from "./de/mails.ts";
import { notices } from "./de/notices.ts";
import { refusals } from "./de/refusals.ts";
import { prompts } from "./de/prompts.ts";
import { search } from "./de/search.ts";
import { messages } from "./de/messages.ts";
import { jobs } from "./de/jobs.ts";
import { people } from "./de/people.ts";
import { notifications } from "./de/notifications.ts";
import { reach } from "./de/reach.ts";
import { codes } from "./de/codes.ts";
import { account } from "./de/account.ts";
import { ownData } from "./de/own-data.ts";
import { tokens, workspaces, ownProfile } from "./de/settings.ts";
import { entry } from "./de/entry.ts";
import { moderation } from "./de/moderation.ts";
import { admin } from "./de/admin.ts";
import { roll, allApps } from "./de/roll.ts";
import { health } from "./de/health.ts";
import { statistics } from "./de/statistics.ts";
import { steps } from "./de/steps.ts";
import { apps, connected, consent } from "./de/apps.ts";
import { webhooks } from "./de/webhooks.ts";
import { community } from "./de/community.ts";
import type { Words } from "./words.ts";

/**
 * German: «du», short and warm, gender-neutral without signs («Mitglied», «wer …»). A sentence is built so that a name or
 * a number that stands in it never has to be declined. What things are called:
 *
 *   builder Mitglied · moderators die Moderation · who runs the community: wer sie leitet · operator: wer den Server betreibt
 *   post Beitrag · reply Antwort · like „Mag ich“ · tag Schlagwort · bookmark Lesezeichen · notification Mitteilung
 *   job Stelle, die ausgeschrieben wird und aushängt · stack Technik · seniority Erfahrung · rating Bewertung
 *   level Stufe · badge Abzeichen · streak Serie, Tage in Folge · crest Wappen · workspace Arbeitsbereich, den jemand leitet
 *   report melden · dismiss abweisen · hide ausblenden · suspend sperren · block blockieren · unblock freigeben
 *   scope Recht · token das Token · slug Kurzname · secret Geheimnis · rate Grenze · backup Sicherung · audit log Protokoll
 *   endpoint Endpunkt · delivery Zustellung · acknowledged bestätigt · recovery link Wiederherstellungslink
 *   Feed, Prompt, Webhook, App, Passkey, Community, XP stay.
 */
export const de: Words = {
  language: "de",
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
