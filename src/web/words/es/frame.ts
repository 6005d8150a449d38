import type { Words } from "../words.ts";
import { plural } from "./forms.ts";

/** What stands around every page. */
export const frame: Words["frame"] = {
  skip: "Ir al contenido",
  main: "Principal",
  feed: "Muro",
  jobs: "Empleos",
  prompts: "Prompts",
  builders: "Gente",
  messages: "Mensajes",
  admin: "Administración",
  unread: "sin leer",
  accountOf: (name: string) => `Cuenta de ${name}`,
  profile: "Perfil",
  bookmarks: "Marcadores",
  settings: "Ajustes",
  signIn: "Entrar",
  signOut: "Salir",
  reference: "Referencia de la API",
  graphql: "GraphQL",
  language: "Idioma",
  sections: {
    profile: "Perfil",
    account: "Cuenta",
    notifications: "Notificaciones",
    tokens: "Tokens de acceso",
    apps: "Tus apps",
    connected: "Apps conectadas",
    webhooks: "Webhooks",
    workspaces: "Espacios de trabajo",
    following: "Siguiendo",
    activity: "Registro de seguridad",
  },
  maintenance: {
    label: "Mantenimiento",
    forMembers: "{message} Puedes leerlo todo, y no cambiar nada.",
    forMembersUntil: "{message} Puedes leerlo todo, y no cambiar nada, hasta el {until}.",
    forAdmins: "{message} Solo la administración puede cambiar algo. [Terminarlo](/admin/maintenance)",
    forAdminsUntil:
      "{message} Solo la administración puede cambiar algo, hasta el {until}. [Terminarlo](/admin/maintenance)",
  },
  troubles: {
    label: "Webhooks que te necesitan",
    off: "Tu webhook en {host} está desactivado desde el {since}. {reason}",
    failing: "Tu webhook en {host} no ha confirmado nada desde el {since}; a los cinco días se desactiva.",
    look: "Verlo",
    more: (count: number) => plural(count, { one: "Y uno más.", many: "Y {n} más.", other: "Y {n} más." }),
  },
  problem: {
    home: "A la página principal",
    quote: "Si preguntas a alguien por esto, menciona el id de la solicitud: {id}.",
    typed: "Lo que escribiste",
    typedHint: "No se ha guardado. Cópialo antes de salir de esta página.",
  },
};

/** What the same things are called on many pages. */
export const parts: Words["parts"] = {
  preview: {
    title: "Vista previa",
    lead: "Así se verá. Nadie lo ve todavía.",
    button: "Vista previa",
  },
  inAMoment: "en un momento",
  justNow: "ahora mismo",
  older: "Anteriores",
  undo: "Deshacer",
  keep: "Conservar",
  passkey: {
    unchanged: "No se cambió nada. Inténtalo de nuevo cuando quieras.",
    unanswered: "El sitio no respondió como debía; vuelve a cargar la página.",
  },
  workspace: "Espacio",
  personal: "Personal",
};
