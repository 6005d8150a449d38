import type { Words } from "./words.ts";
import { account } from "./es/account.ts";
import { admin } from "./es/admin.ts";
import { apps, connected, consent } from "./es/apps.ts";
import { codes } from "./es/codes.ts";
import { entry } from "./es/entry.ts";
import { feed } from "./es/feed.ts";
import { following } from "./es/following.ts";
import { forms } from "./es/forms.ts";
import { frame, parts } from "./es/frame.ts";
import { health } from "./es/health.ts";
import { statistics } from "./es/statistics.ts";
import { steps } from "./es/steps.ts";
import { jobs } from "./es/jobs.ts";
import { mails } from "./es/mails.ts";
import { messages } from "./es/messages.ts";
import { moderation } from "./es/moderation.ts";
import { notices } from "./es/notices.ts";
import { notifications } from "./es/notifications.ts";
import { ownData } from "./es/own-data.ts";
import { people } from "./es/people.ts";
import { prompts } from "./es/prompts.ts";
import { reach } from "./es/reach.ts";
import { refusals } from "./es/refusals.ts";
import { allApps, roll } from "./es/roll.ts";
import { search } from "./es/search.ts";
import { ownProfile, tokens, workspaces } from "./es/settings.ts";
import { told } from "./es/told.ts";
import { webhooks } from "./es/webhooks.ts";
import { community } from "./es/community.ts";

/**
 * Spanish: «tú», no regionalisms, «…» for quotes, a comma where decimals begin. People are «miembros», «quien …»,
 * «alguien»: a sentence never has to know whom it names. A count goes through `counted` or `plural`, as a million
 * takes «de».
 *
 *   feed muro · feed of one's own canal · post publicación · reply respuesta · like me gusta · bookmark marcador
 *   job empleo · board bolsa · match coincidencia · stack tecnologías · rating valoración · badge insignia · streak racha
 *   builder miembro · owner titular · admin quien administra · operator quien opera el servidor · moderators la moderación
 *   sign in entrar · sign out salir · passkey llave de acceso · scope permiso · workspace espacio · rate ritmo
 *   endpoint webhook · delivery entrega · acknowledged confirmada · receiver receptor · invite link enlace de invitación
 *   report denuncia · dismiss desestimar · uphold confirmar · hide ocultar · suspend suspender · audit log registro de auditoría
 *   prompt, token, app, webhook, XP stay.
 */
export const es: Words = {
  language: "es",
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
