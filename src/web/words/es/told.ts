import type { AddedAccess, NotificationKind } from "../../../core/identity/notifications/kinds.ts";
import type { Told } from "../en/told.ts";
import type { Words } from "../words.ts";
import { badgeName } from "../badges.ts";
import { people } from "./people.ts";
import { number, plural } from "./forms.ts";

const who = ({ actors: [first = "Alguien"], count }: Told): string =>
  count > 1 ? `${first} y ${number(count - 1)} más` : first;

/** What was added to an account and gives access to it, by its name in the core. */
const access: Readonly<Record<AddedAccess, string>> = {
  sessions: "Alguien entró en tu cuenta con un navegador nuevo",
  password: "Se cambió la contraseña de tu cuenta",
  passkeys: "Se añadió una llave de acceso a tu cuenta",
  mail: "Tu cuenta tiene una nueva dirección de correo",
  tokens: "Se creó un token de acceso para tu cuenta",
  apps: "Una aplicación obtuvo acceso a tu cuenta",
  endpoints: "Se añadió un webhook a tu cuenta",
  feed: "Se creó una dirección de feed privada para tu cuenta",
  push: "Un navegador empezó a recibir tus notificaciones",
  links: "Se creó un enlace que lleva a tu cuenta o a tu espacio de trabajo",
};

/** The same for any name: a newer version may have stored one that this version lacks. */
export const accessAdded = (what: string): string =>
  new Map(Object.entries(access)).get(what) ?? "Se añadió algo que da acceso a tu cuenta";

const sentences: Readonly<Record<NotificationKind, (told: Told) => string>> = {
  reply: (told) => `${who(told)} ${told.count > 1 ? "te respondieron" : "te respondió"}`,
  mention: (told) => `${who(told)} ${told.count > 1 ? "te mencionaron" : "te mencionó"}`,
  like: (told) => `A ${who(told)} ${told.count > 1 ? "les" : "le"} gusta lo que escribiste`,
  follow: (told) => `${who(told)} ${told.count > 1 ? "te siguen" : "te sigue"}`,
  job_match: () => "Un empleo nuevo encaja en una de tus búsquedas",
  prompt_rating: (told) => `${who(told)} ${told.count > 1 ? "valoraron" : "valoró"} tu prompt`,
  message: (told) => `${who(told)} ${told.count > 1 ? "te escribieron" : "te escribió"} por primera vez`,
  level_up: () => "Llegaste a un nuevo nivel",
  badge: ({ about }) =>
    about === "" ? "Ganaste una insignia" : `Ganaste una insignia: ${badgeName(people.badges.names, about)}`,
  report_decided: () => "Hay una decisión sobre una denuncia tuya",
  hidden: () => "La moderación ocultó algo tuyo",
  endpoint_failing: () => "Un webhook tuyo está fallando",
  endpoint_disabled: () => "Un webhook tuyo se desactivó",
  sign_in: () => access.sessions,
  access_added: ({ subjectId }) => accessAdded(subjectId),
  mail_bounced: () => "Tu buzón rechaza el correo: revisa tu dirección",
  invitation: () => "Hay algo nuevo en un espacio tuyo",
  report_waiting: ({ count }) =>
    plural(count, {
      one: "Hay una denuncia en espera",
      many: "Hay {n} de denuncias en espera",
      other: "Hay {n} denuncias en espera",
    }),
  application_received: ({ count }) =>
    plural(count, {
      one: "Alguien pide unirse",
      many: "{n} de personas piden unirse",
      other: "{n} personas piden unirse",
    }),
  member_joined: (told) => `${who(told)} ${told.count > 1 ? "se unieron" : "se unió"}`,
  owner_changed: (told) => `${who(told)} cambió a quién pertenece la comunidad`,
  backup_failed: () => "Falló una copia de seguridad",
};

/** What goes out: to a browser, a mailbox, a reader of feeds. */
export const told: Words["told"] = {
  sentence: (one) => sentences[one.kind](one),
  access,
  more: (count: number) => `y ${number(count)} más`,
};
