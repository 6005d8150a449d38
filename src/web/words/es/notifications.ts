import type { Words } from "../words.ts";
import { number, plural } from "./forms.ts";
import { accessAdded } from "./told.ts";

/** What somebody is told, and what they want to be told of. */
export const notifications: Words["notifications"] = {
  title: "Notificaciones",
  fitting: "coincidencias nuevas",
  waiting: "en espera",
  views: { all: "Todas", unread: "Sin leer" },
  kind: "Tipo",
  every: "Todos los tipos",
  show: "Mostrar",
  markAll: "Marcar todo como leído",
  mark: "Marcar como leída",
  unread: "Sin leer",
  none: "Todavía nada",
  noneLead: "Cuando alguien te responda, te escriba o le guste lo tuyo, lo verás aquí.",
  allRead: "Lo has leído todo",
  allReadLead: "Lo nuevo llega aquí.",
  choose: "Elige de qué te avisamos",
  sentences: {
    reply: (count) =>
      plural(count, {
        one: "{who} respondió: [{what}]({to})",
        other: "{who} respondieron: [{what}]({to})",
      }),
    mention: (count) =>
      plural(count, {
        one: "{who} te mencionó: [{what}]({to})",
        other: "{who} te mencionaron: [{what}]({to})",
      }),
    like: (count) =>
      plural(count, {
        one: "A {who} le gusta [{what}]({to})",
        other: "A {who} les gusta [{what}]({to})",
      }),
    follow: (count) => plural(count, { one: "{who} [te sigue]({to})", other: "{who} [te siguen]({to})" }),
    job_match: () => "[{what}]({to}) encaja en lo que buscas",
    prompt_rating: (count) =>
      plural(count, { one: "{who} valoró [{what}]({to})", other: "{who} valoraron [{what}]({to})" }),
    message: (count) =>
      plural(count, { one: "{who} [te escribió]({to})", other: "{who} [te escribieron]({to})" }),
    level_up: () => "Llegaste al [nivel {about}]({to})",
    badge: () => "Ganaste una insignia: [{about}]({to})",
    report_decided: () => "La moderación [revisó tu denuncia]({to}). Gracias por avisar.",
    hidden: () => "La moderación ocultó [{what}]({to})",
    endpoint_failing: () => "[Un webhook tuyo]({to}) lleva un día sin confirmar nada",
    endpoint_disabled: () => "[Un webhook tuyo]({to}) se desactivó",
    sign_in: () => "Alguien [entró en tu cuenta]({to}) con un navegador nuevo: {about}",
    access_added: (_, subjectId) => `[${accessAdded(subjectId)}]({to})`,
    mail_bounced: () => "[Tu buzón rechaza el correo]({to}): revisa la dirección",
    invitation: (count) =>
      plural(count, {
        one: "{who} entró en [{what}]({to}) con tu enlace",
        other: "{who} entraron en [{what}]({to}) con tu enlace",
      }),
    report_waiting: (count) =>
      plural(count, {
        one: "[Hay una denuncia en espera]({to})",
        many: "[Hay {n} de denuncias en espera]({to})",
        other: "[Hay {n} denuncias en espera]({to})",
      }),
    application_received: (count) =>
      plural(count, {
        one: "[Alguien pide unirse]({to})",
        many: "[{n} de personas piden unirse]({to})",
        other: "[{n} personas piden unirse]({to})",
      }),
    member_joined: (count) =>
      plural(count, { one: "{who} [se unió]({to})", other: "{who} [se unieron]({to})" }),
    owner_changed: () => "{who} cambió [a quién pertenece la comunidad]({to}): {about}",
    backup_failed: (count) =>
      plural(count, {
        one: "[Falló una copia de seguridad]({to})",
        many: "[Fallaron {n} de copias de seguridad]({to})",
        other: "[Fallaron {n} copias de seguridad]({to})",
      }),
  },
  added: "Ahora estás en el espacio [{what}]({to})",
  kinds: {
    reply: "Respuestas",
    mention: "Menciones",
    like: "Me gusta",
    follow: "Nuevos seguidores",
    job_match: "Empleos que encajan",
    prompt_rating: "Valoraciones de tus prompts",
    message: "Mensajes de alguien nuevo",
    level_up: "Niveles",
    badge: "Insignias",
    report_decided: "Tus denuncias",
    hidden: "Lo tuyo que se oculta",
    endpoint_failing: "Webhooks que fallan",
    endpoint_disabled: "Webhooks desactivados",
    sign_in: "Nuevas sesiones",
    access_added: "Nuevos accesos a tu cuenta",
    mail_bounced: "Correo rechazado",
    invitation: "Espacios",
    report_waiting: "Denuncias en espera",
    application_received: "Quién pide unirse",
    member_joined: "Nuevos miembros",
    owner_changed: "Cambios de titular",
    backup_failed: "Copias de seguridad fallidas",
  },
  who: {
    two: "{first} y {second}",
    more: (others: number) =>
      plural(others, {
        one: "{first} y 1 más",
        many: "{first} y {n} más",
        other: "{first} y {n} más",
      }),
  },
  something: "algo tuyo",
  message: "en un mensaje",
  reason: "«{about}»",
  settings: {
    lead: "Cada opción incluye las anteriores. Lo ya avisado se queda.",
    kind: "Te avisamos de",
    reaches: { off: "No", here: "Aquí", push: "Push", mail: "Correo" },
    hints: {
      off: "No te avisamos.",
      here: "En la lista, con un número en cada página.",
      push: "También en tus [dispositivos](/settings/browsers).",
      mail: "También por [correo](/settings/mail).",
    },
    each: (kind: string, reach: string) => `${kind}: ${reach}`,
    forAdmins: "Para quienes administran la comunidad",
    save: "Guardar",
  },
  count: (n: number) => (n > 99 ? "99+" : number(n)),
};
