import type { Detail } from "../../../core/identity/audit/acts.ts";
import { DISABLED_CODES, DISABLED_REASONS } from "../../../core/outbox/webhooks/health.ts";
import type { Words } from "../words.ts";
import { counted, forms, list } from "./forms.ts";
import { refusedOfThings } from "./refused-things.ts";
import { numberIn } from "./told-numbers.ts";

type Codes = Words["codes"];

const { url_malformed, url_not_https, url_with_credentials, url_port_refused, url_private } = refusedOfThings;

const disabled: Codes["disabled"] = {
  switched_off: "Lo desactivó su titular.",
  switched_off_by_operator: "Lo desactivaron quienes administran la comunidad.",
  gone: "El receptor respondió 410 Gone.",
  failing_for_days: "El receptor no ha confirmado nada en cinco días.",
  account_suspended: "Se suspendió la cuenta de su titular.",
  moved: "La comunidad vino de otro servidor: dale un secreto nuevo y reactívalo.",
};

const failures: Codes["failures"] = {
  status: "El receptor respondió {status}.",
  redirect: "El receptor respondió {status} con una redirección, que no se sigue.",
  connection_timeout: (told) =>
    `No hubo respuesta en ${counted(numberIn(told, "seconds"), "segundo", "segundos")}.`,
  connection_refused:
    "Se rechazó la conexión: nada escucha en {host}, puerto {port}, o un cortafuegos la rechaza.",
  connection_unreachable: "No hay camino hasta {host}, puerto {port} ({detail}).",
  connection_reset: "El receptor cerró la conexión sin responder.",
  tls_failed: "Falló el saludo TLS; puede que {host}, puerto {port}, no hable TLS.",
  tls_expired: "Se rechazó el certificado del receptor: caducó ({detail}).",
  tls_not_yet_valid: "Se rechazó el certificado del receptor: todavía no es válido ({detail}).",
  tls_wrong_name: "Se rechazó el certificado del receptor: es de otro nombre ({detail}).",
  tls_self_signed: "Se rechazó el certificado del receptor: está firmado por sí mismo ({detail}).",
  tls_untrusted:
    "Se rechazó el certificado del receptor: no responde por él ninguna autoridad en la que se confíe aquí, o la cadena no está completa ({detail}).",
  tls_unverified: "Se rechazó el certificado del receptor: no se puede verificar ({detail}).",
  answer_invalid: "La respuesta del receptor no es HTTP válido ({detail}).",
  answer_too_large: "Las cabeceras de la respuesta del receptor son demasiado grandes.",
  dns_not_found: "El nombre del servidor no existe.",
  dns_timeout: "Los servidores de nombres de esa dirección no respondieron en dos segundos.",
  secret_unreadable: "El secreto de firma no se puede abrir; crea uno nuevo.",
  request_failed: "La solicitud falló ({detail}).",
  not_made: "El intento no se pudo hacer.",
  url_malformed,
  url_not_https,
  url_with_credentials,
  url_port_refused,
  url_private,
};

const givenUp: Codes["givenUp"] = {
  endpoint_off: "Su webhook estuvo tres días desactivado; envíala de nuevo cuando esté activo.",
  subject_gone: "El contenido se eliminó o se ocultó antes de poder entregarse.",
  backlog_full:
    "Su webhook estaba desactivado, y lo esperaban mil entregas más recientes; envíala de nuevo cuando esté activo.",
};

/** What an act's detail names in words of the core. */
const kinds: Readonly<Record<string, string>> = {
  post: "publicación",
  job: "empleo",
  prompt: "prompt",
  builder: "miembro",
  message: "mensaje directo",
};
const means: Readonly<Record<string, string>> = {
  password: "contraseña",
  passkey: "llave de acceso",
  link: "un enlace",
};
const roles: Readonly<Record<string, string>> = {
  owner: "titular",
  admin: "administración",
  moderator: "moderación",
  member: "miembro",
};

const part = (detail: Detail, name: string): string => String(detail[name] ?? "…");
const named = (known: Readonly<Record<string, string>>, word: string): string =>
  Object.hasOwn(known, word) ? (known[word] as string) : word;
const subject = (detail: Detail): string =>
  `${named(kinds, part(detail, "kind"))} «${part(detail, "title")}»`;
const count = (detail: Detail, name: string): number => Number(detail[name] ?? 0);

/** What was done to an account, as it stands in a log: a thing done, whoever did it. */
const acts: Codes["acts"] = {
  "account.created": "Cuenta creada",
  "account.imported": "Cuenta traída de {host}, donde se llama «{name}»",
  "account.matched": "Se asignó a la cuenta lo que «{name}» escribió en {host}",
  "account.downloaded": "Descarga de todos los datos propios",
  "account.set-up": "Comunidad preparada, con esta primera cuenta que la administra",
  "account.deleted": "Cuenta «{username}» eliminada",
  "account.erased": "Cuenta eliminada «{username}» borrada para siempre",
  "account.undeleted": "Eliminación de la cuenta deshecha",
  "account.renamed": "Nombre de usuario cambiado de «{from}» a «{to}»",
  "account.secured": (detail) =>
    `Cuenta protegida: terminaron ${list([
      counted(count(detail, "sessions"), "sesión", "sesiones"),
      counted(count(detail, "tokens"), "token", "tokens"),
      counted(count(detail, "apps"), "app conectada", "apps conectadas"),
      counted(count(detail, "endpoints"), "webhook", "webhooks"),
      counted(count(detail, "links"), "enlace", "enlaces"),
    ])}`,
  "community.restored": "Comunidad restaurada a partir de la copia de seguridad de {time}",
  "charter.changed": "Cambio en lo que la comunidad dice de sí: {parts}",
  "maintenance.begun": (detail) => {
    const [, until] = /^until (\d.*)$/.exec(part(detail, "end")) ?? [];
    return until === undefined
      ? "Mantenimiento empezado, hasta que alguien lo termine"
      : `Mantenimiento empezado, hasta el ${forms.moment(Date.parse(until), "UTC")}`;
  },
  "maintenance.ended": "Mantenimiento terminado",
  "role.given": (detail) =>
    `Rol en la comunidad cambiado de «${named(roles, part(detail, "from"))}» a «${named(roles, part(detail, "to"))}»`,
  "admin.given": "Derecho a administrar la comunidad concedido",
  "admin.taken": "Derecho a administrar la comunidad retirado",
  "builder.vouched": "Miembro avalado: los límites de quien acaba de llegar ya no le afectan",
  "builder.suspended": "Cuenta suspendida",
  "builder.restored": "Cuenta restablecida",
  "thing.hidden": (detail) => `Contenido oculto: ${subject(detail)}`,
  "thing.restored": (detail) => `Contenido visible de nuevo: ${subject(detail)}`,
  "reports.dismissed": (detail) => `Denuncias desestimadas: ${subject(detail)}`,
  "reports.upheld": (detail) =>
    `Denuncias confirmadas: ${named(kinds, part(detail, "kind"))} (contenido eliminado)`,
  "reports.reopened": (detail) => `Denuncias abiertas de nuevo: ${subject(detail)}`,
  "session.opened": (detail) => `Entrada con ${named(means, part(detail, "means"))}`,
  "session.refused": (detail) => `Entrada rechazada, con ${named(means, part(detail, "means"))}`,
  "session.ended": "Sesión cerrada",
  "sessions.ended": "Todas las demás sesiones cerradas",
  "password.changed": "Contraseña cambiada",
  "password.removed": "Contraseña quitada",
  "recovery.made": "Enlace de recuperación creado",
  "recovery.used": "Contraseña nueva, elegida con un enlace de recuperación",
  "application.approved": "Solicitud para unirse aceptada",
  "application.declined": "Solicitud para unirse rechazada",
  "invite.made": "Enlace de invitación «{label}» creado",
  "invite.used": "Entrada con el enlace de invitación «{label}»",
  "invite.mailed": "Enlace de invitación enviado por correo",
  "invite.withdrawn": "Enlace de invitación retirado",
  "passkey.added": "Llave de acceso «{name}» añadida",
  "passkey.removed": "Llave de acceso «{name}» quitada",
  "push.begun": "Avisos activados en un navegador, a través de {host}",
  "push.ended": "Avisos desactivados en un navegador, a través de {host}",
  "feed.renewed": "Dirección del canal propio creada",
  "feed.ended": "Dirección del canal propio quitada",
  "mail.confirmed": "Dirección de correo confirmada",
  "mail.removed": "Dirección de correo quitada",
  "recovery.mailed": "Enlace para elegir una contraseña nueva, enviado por correo",
  "token.made": "Token «{name}» creado",
  "token.revoked": "Token «{name}» revocado",
  "app.registered": "App «{name}» registrada",
  "app.changed": "App «{name}» cambiada",
  "app.secret-rotated": "Secreto nuevo para la app «{name}»",
  "app.deleted": "App «{name}» eliminada",
  "app.suspended": "App «{name}» suspendida",
  "app.restored": "App «{name}» restablecida",
  "app.rate-set": "Ritmo de la app «{name}» fijado",
  "grant.made": "App «{name}» conectada",
  "grant.revoked": "App «{name}» desconectada",
  "grant.replayed": "Tokens de la app «{name}» revocados: uno se usó dos veces",
  "workspace.made": "Espacio «{name}» creado",
  "workspace.renamed": "Espacio «{name}» renombrado a «{to}»",
  "workspace.deleted": "Espacio «{name}» eliminado",
  "workspace.joined": "Entrada en el espacio «{name}» como miembro",
  "workspace.left": "Salida del espacio «{name}»",
  "workspace.invited": "Enlace para entrar en el espacio «{name}» creado",
  "workspace.mailed": "Enlace para entrar en el espacio «{name}» enviado por correo",
  "workspace.uninvited": "Enlace para entrar en el espacio «{name}» retirado",
  "member.removed": "Un miembro quitado del espacio «{name}»",
  "member.changed": (detail) =>
    `Un miembro del espacio «${part(detail, "name")}» es ahora ${named(roles, part(detail, "role"))}`,
  "endpoint.registered": "Webhook {url} añadido",
  "endpoint.moved": "Dirección del webhook cambiada de {from} a {url}",
  "endpoint.events-changed": "Eventos del webhook {url} cambiados a {events}",
  "endpoint.paused": "Webhook {url} desactivado",
  "endpoint.resumed": "Webhook {url} activado de nuevo",
  "endpoint.disabled": (detail) => {
    const reason = part(detail, "reason");
    const code = DISABLED_CODES.find((each) => DISABLED_REASONS[each] === reason);
    return `El webhook ${part(detail, "url")} se desactivó solo: ${code ? disabled[code] : reason}`;
  },
  "endpoint.deleted": "Webhook {url} eliminado",
  "endpoint.secret-rotated": "Secreto de firma nuevo para el webhook {url}",
};

/** What earned points, and what became of them. */
const xp: Codes["xp"] = {
  rules: {
    "post.published": "Hiciste una publicación",
    "reply.published": "Respondiste a una publicación",
    "like.received": "A alguien le gusta",
    "prompt.submitted": "Compartiste un prompt",
    "rating.received": "Alguien lo valora con 4 o 5",
    "job.published": "Publicaste un empleo",
    "streak.day": "Un día más de racha",
    "streak.7": "Siete días seguidos",
    "streak.30": "Treinta días seguidos",
    "streak.100": "Cien días seguidos",
    "streak.365": "Un año sin saltarse un día",
    carried: "Traídos de antes de que se llevara la cuenta",
    "badge.given": "Una insignia que otorgó la comunidad",
  },
  causes: {
    earned: (rule) => rule,
    undone: (rule) => `Retirado: ${rule}`,
    hidden: (rule) => `Oculto por la moderación: ${rule}`,
    restored: (rule) => `Devuelto: ${rule}`,
  },
};

/** What somebody allows an app or a token. */
const scopes: Codes["scopes"] = {
  openid: "Saber que eres tú quien entra",
  profile: "Ver tu nombre de usuario y tu nombre",
  "feed:read": "Leer el muro",
  "feed:write": "Publicar y responder en tu nombre",
  "jobs:read": "Buscar en la bolsa de empleo",
  "jobs:write": "Publicar y cambiar empleos",
  "prompts:read": "Leer la biblioteca de prompts",
  "prompts:write": "Compartir y valorar prompts en tu nombre",
  "profile:read": "Leer los perfiles de los miembros",
  "profile:write": "Cambiar tu perfil",
  "webhooks:read": "Ver los webhooks del espacio y sus entregas",
  "webhooks:write": "Añadir, cambiar y quitar webhooks del espacio",
  "messages:read": "Leer tus mensajes directos",
  "messages:write": "Enviar mensajes directos en tu nombre",
  "notifications:read": "Ver de qué te avisamos",
  "notifications:write": "Marcarlo como leído, y elegir de qué te avisamos",
  "media:write": "Enviar imágenes en tu nombre",
  admin: "Administrar la comunidad: moderación, y apps y tokens de otras personas",
};

/** «Se entera cuando …». */
const events: Codes["events"] = {
  "post.created": "Alguien publica en el muro",
  "post.updated": "Una publicación cambia, o vuelve al muro",
  "post.deleted": "Una publicación sale del muro",
  "job.published": "Un empleo llega a la bolsa",
  "job.matched": "Un empleo encaja en una búsqueda que guardaste",
  "dm.received": "Alguien te envía un mensaje",
  "xp.level_up": "Alguien llega a un nuevo nivel",
  "webhook.endpoint_disabled": "Uno de tus webhooks falla durante un día, o se desactiva por ello",
  "webhook.test": "Alguien prueba un webhook",
};

export const codes: Codes = { acts, xp, scopes, events, failures, givenUp, disabled };
