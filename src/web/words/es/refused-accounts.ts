import type { ACCESS } from "../../../core/base/refusals/access.ts";
import type { ACCOUNTS } from "../../../core/base/refusals/accounts.ts";
import type { APPS } from "../../../core/base/refusals/apps.ts";
import type { NEWCOMERS } from "../../../core/base/refusals/newcomers.ts";
import type { OPERATOR } from "../../../core/base/refusals/operator.ts";
import type { QUOTAS } from "../../../core/base/refusals/quotas.ts";
import type { REACH } from "../../../core/base/refusals/reach.ts";
import type { WORKSPACES } from "../../../core/base/refusals/workspaces.ts";
import type { Sentence } from "../sentence.ts";
import { counted } from "./forms.ts";
import { lasting, numberIn, waiting } from "./told-numbers.ts";

type Refused<Of> = Readonly<Record<keyof Of, Sentence>>;

const access: Refused<typeof ACCESS> = {
  person_only: "Solo puede hacerlo una persona que ha entrado en su cuenta; usa las páginas de los ajustes.",
  not_yours: "Esto pertenece a otra persona.",
  builder_only: "Solo un miembro puede hacer esto; usa el token de un miembro.",
  enterprise_by_operator: "Solo quien opera el servidor crea tokens de empresa; crea uno personal.",
  token_lifetime_unknown: "Un token dura {days} días, o para siempre; elige una de estas opciones.",
  scope_unknown: "No existe ese permiso; los permisos son {scopes}.",
  admin_token_for_others: "{username} no administra la comunidad, así que ningún token suyo puede hacerlo.",
  token_workspace_unknown: "{username} no está en ese espacio.",
  tokens_too_many: "Ya tienes {max} tokens activos; revoca uno que no necesites.",
  token_unknown: "No hay ningún token activo así; mira la lista de tokens.",
  token_not_yours: "No tienes ningún token activo así; mira la lista de tokens.",
};

const accounts: Refused<typeof ACCOUNTS> = {
  sign_in_wrong: "El nombre de usuario o la contraseña no son correctos.",
  passkey_wrong: "No se aceptó esta llave de acceso; inténtalo de nuevo, o usa tu contraseña.",
  passkey_unreadable: "No se pudo leer lo que envió el navegador; inténtalo otra vez.",
  username_looks_alike: "Ese nombre de usuario se parece al del equipo o al de esta comunidad; elige otro.",
  username_reserved: "Ese nombre de usuario está reservado; elige otro.",
  username_taken: "Ese nombre de usuario ya está ocupado; elige otro.",
  username_same: "Ese ya es tu nombre de usuario; elige otro.",
  renamed_lately: waiting(
    (told) => `El nombre de usuario se cambia una vez cada ${counted(numberIn(told, "days"), "día", "días")}`,
  ),
  own_suspension: "No puedes suspender tu propia cuenta; pídeselo a otra persona que administre.",
  admin_last: "Solo {username} administra la comunidad y puede entrar; da antes el derecho a otra persona.",
  head_only: "Solo puede hacerlo un titular de la comunidad; pídeselo.",
  head_untouchable:
    "{username} es titular de la comunidad: solo puede hacérselo quien opera el servidor, desde la línea de órdenes.",
  head_last: "Solo {username} es titular de la comunidad y puede entrar; da antes ese papel a otra persona.",
  head_own: "Ya eres titular; nombra a otra persona.",
  role_same: "{username} ya tiene ese papel; elige otro.",
  role_lost: "Tu papel en la comunidad cambió mientras tanto; abre la página de nuevo.",
  account_gone: "Esta cuenta ya no existe.",
  account_suspended: "Esta cuenta está suspendida; pregunta a quien administra la comunidad.",
  sign_in_again: "Entraste hace un rato; demuestra otra vez que eres tú e inténtalo de nuevo.",
  signed_out: "Entretanto se cerró tu sesión; entra de nuevo.",
  session_unknown: "No tienes ninguna sesión así; carga la página de nuevo.",
  way_in_last:
    "Así no te quedaría forma de entrar; conserva una llave de acceso, o elige antes una contraseña.",
  password_changed: "Entretanto cambió tu contraseña; entra de nuevo.",
  passkey_unfit: "La respuesta del navegador no encaja; añade otra vez la llave de acceso.",
  passkey_taken: "Esta llave de acceso ya está en uso.",
  passkey_unknown: "No tienes ninguna llave de acceso así; carga la página de nuevo.",
  passkey_last: "Esta llave de acceso es tu única forma de entrar; elige antes una contraseña, o añade otra.",
  passkeys_need_https:
    "Los navegadores ofrecen llaves de acceso solo a sitios con https y con un nombre propio.",
  passkeys_too_many: "Ya tienes {max} llaves de acceso; quita una que no necesites.",
  link_broken: "Este enlace no sirve: ya se usó, caducó o nunca existió. Pide uno nuevo.",
  invites_too_many: "Ya hay {max} enlaces de invitación abiertos; retira uno antes.",
  invite_unknown: "No hay ningún enlace de invitación así; carga la página de nuevo.",
  sign_in_crowded: waiting("Demasiadas personas entran en este momento"),
  too_many_tries: waiting("Demasiados intentos"),
  own_account_here: "Elimina tu propia cuenta en los ajustes de tu cuenta.",
  sign_up_closed: "Esta comunidad no admite a nadie en este momento.",
  sign_up_by_invitation: "A esta comunidad se entra por invitación; pide un enlace a quien la administra.",
  sign_up_by_approval:
    "Esta comunidad mira quién quiere unirse; di en la página para unirse por qué te gustaría.",
  still_applicant:
    "Todavía no formas parte; entra en la página de la comunidad para ver cómo va tu solicitud.",
  nobody_applies: "Ahora nadie tiene que pedirlo; carga de nuevo la página para unirse.",
  applications_from_here: "Varias personas lo han pedido hoy desde aquí; inténtalo mañana.",
  applications_too_many:
    "Hay tantas solicitudes en espera que no se admite ninguna más; vuelve dentro de unos días.",
  application_unknown:
    "No hay nadie así en espera: ya se decidió, se retiró o caducó. Carga la página de nuevo.",
  rules_not_agreed: "Esta comunidad tiene normas; léelas y marca que las cumplirás.",
  set_up_by_operator: "Solo quien opera el servidor prepara una comunidad.",
  set_up_done: "Alguien administra ya esta comunidad; entra, o pregúntale.",
};

const apps: Refused<typeof APPS> = {
  too_many_wrong_codes: waiting("Demasiados códigos incorrectos"),
  consent_without_sign_in: "Entra primero; después se muestra lo que pide la app.",
  consent_over: "Esta solicitud terminó, o empezó en otro navegador; vuelve a la app y empieza de nuevo.",
  consent_of_other: "Cuando la app preguntó había entrado otra persona; vuelve a la app y empieza de nuevo.",
  decide_without_sign_in: "Entra primero; después puedes decidir qué puede hacer una app.",
  consent_too_wide: "Este formulario permite más de lo que pide la app; vuelve a la app y empieza de nuevo.",
  device_code_unknown:
    "Ningún dispositivo espera con este código; míralo otra vez, o pide uno nuevo en el dispositivo.",
  consent_empty: "No hay nada activado; permite algo, o rechaza.",
  grant_unknown: "No tienes ninguna app conectada así; carga la página de nuevo.",
  app_gone: "Esta app ya no existe o está suspendida.",
  apps_too_many: "Este espacio ya tiene {max} apps; elimina una antes.",
  app_without_secret: "Una app pública no tiene secreto; se identifica con PKCE.",
  burst_too_large:
    "Lo permitido de golpe debe recuperarse en {minutes} minutos: como máximo, {minutes} veces las solicitudes por minuto.",
  app_unknown: "No hay ninguna app así.",
  app_scope_admin: "Ninguna app puede pedir administrar la comunidad: eso es cosa de personas.",
  redirect_spelling:
    "Escribe la dirección de retorno en su forma simple: esquema y servidor en minúsculas, sin espacios, sin el puerto habitual.",
  redirect_with_fragment:
    "Una dirección de retorno no debe tener una parte después de #, ni una barra invertida.",
  redirect_with_credentials:
    "Una dirección de retorno no debe llevar un nombre de usuario ni una contraseña.",
  redirect_with_answer: "Una dirección de retorno no debe llevar ya ninguno de estos: {names}.",
  redirect_host:
    "El servidor de una dirección de retorno debe escribirse con letras, cifras, puntos, guiones y guiones bajos.",
  redirect_loopback_plain:
    "Una dirección de retorno a este mismo equipo debe usar http://: ahí nadie escucha por el camino.",
  redirect_not_https:
    "Una dirección de retorno debe usar https://; http:// es para 127.0.0.1, [::1] y localhost.",
  redirect_scheme:
    "Una dirección de retorno debe usar https://, http:// en este equipo, o un esquema con punto como com.example.app:.",
  app_not_yours: "No tienes ninguna app así.",
};

const operator: Refused<typeof OPERATOR> = {
  zone_unknown: "No existe esa zona horaria; usa un nombre de la base de datos IANA, como Europe/Madrid.",
  newcomer_post_unknown:
    "No hay ninguna publicación así que todo el mundo vea; indica el id de una, con el que termina su dirección.",
  colour_contrast:
    "En ese color las letras se leen mal en estas páginas; {near} se le parece y es bastante oscuro.",
  maintenance_length:
    "Un mantenimiento que termina solo dura de un minuto a treinta días; sin duración, se termina a mano.",
  fenced: waiting("Ahora otra máquina dirige esta comunidad, y esta ya no escribe nada"),
  lead_unsure: waiting("Esta máquina averigua ahora mismo si todavía dirige la comunidad"),
  handed_unsigned:
    "Esta petición dice que viene de otro nodo, y ningún nodo de esta comunidad la ha firmado; envíala sin esa cabecera.",
  handed_late: (told) =>
    `El reloj del nodo que la pasó difiere ${lasting(numberIn(told, "seconds"))}; pon en hora los relojes de todos los nodos.`,
  handed_again: "Esta petición ya se pasó antes, y cuenta una sola vez; empiézala de nuevo.",
  version_ahead:
    "`Guildhall-Version` no nombra ninguna versión a la que haya llegado esta comunidad; envía una que haya dado una respuesta, u omítela.",
  leader_away: waiting("Esto se hace en la máquina que dirige la comunidad, y ahora mismo no responde"),
  reads_only: waiting("Este nodo solo lee; los cambios los hace el que dirige"),
  demo_half_way:
    "Una demostración anterior se quedó a medias; elimina la carpeta de datos y empieza de nuevo.",
  demo_needs_empty:
    "La demostración necesita una base de datos vacía, y esta tiene miembros; elige otra carpeta con --data.",
};

const quotas: Refused<typeof QUOTAS> = {
  posts_over_quota: waiting(
    "Has publicado tanto como se puede aquí en 24 horas ({max} publicaciones y respuestas)",
  ),
  endpoints_over_quota:
    "Tienes tantos webhooks como se puede aquí, en todos los espacios juntos ({max}); elimina uno, o pide más a quien opera el servidor.",
  filters_over_quota:
    "Tienes tantas búsquedas guardadas como se puede aquí ({max}); elimina o cambia una, o pide más a quien opera el servidor.",
  media_over_quota:
    "Tus imágenes ocupan todo el espacio que hay aquí para cada miembro ({max} MB); elimina publicaciones que las muestren, o pide más a quien opera el servidor.",
};

const newcomers: Refused<typeof NEWCOMERS> = {
  newcomer_links: (told) =>
    `Acabas de llegar: hasta el ${String(told["until"])}, lo que escribes puede llevar ${counted(numberIn(told, "max"), "enlace", "enlaces")}. Quita los demás, o escríbelo entonces. Los enlaces a esta comunidad no cuentan.`,
  newcomer_links_today: aDay("escribir", "enlace", "enlaces"),
  newcomer_pictures: aDay("enviar", "imagen", "imágenes"),
  newcomer_messages: aDay(
    "enviar",
    "mensaje",
    "mensajes",
    " a quienes no te han escrito, y responder a quienes sí",
  ),
};

/** How many of something new a newcomer may do in a day. */
function aDay(act: string, one: string, other: string, more = ""): Sentence {
  return waiting(
    (told) =>
      `Acabas de llegar: hasta el ${String(told["until"])} puedes ${act} ${counted(numberIn(told, "max"), one, other)} al día${more}`,
  );
}

const reach: Refused<typeof REACH> = {
  push_not_yours:
    "Esa dirección ya se conoce con otras claves; quita los avisos de este navegador y actívalos de nuevo.",
  push_key_wrong: "El navegador envió una clave que no sirve; activa los avisos de nuevo.",
  mail_not_sent: "Esta comunidad no envía correo; pregunta a quien la administra.",
  mail_just_sent: "Acabamos de enviar un enlace; búscalo, o inténtalo de nuevo en un minuto.",
  mail_addresses_too_many: waiting(
    "Has pedido enlaces a {max} direcciones distintas en un día. Confirma una de ellas",
  ),
  mail_recipient_too_many: waiting(
    "A esa dirección ya se enviaron {max} correos en un día. Indica otra dirección",
  ),
  application_mails_too_many: "Se han pedido demasiados correos en un día; pídelo sin dirección, o mañana.",
  invitation_mails_too_many:
    "Han salido demasiadas invitaciones por correo en un día; entrega el enlace por tu cuenta, o envíalo mañana.",
  push_unknown: "No tienes ningún navegador así; carga la página de nuevo.",
};

const workspaces: Refused<typeof WORKSPACES> = {
  workspace_none: "Con esta cuenta no se llega a ningún espacio.",
  member_already: "{username} ya está en este espacio.",
  members_too_many: "Este espacio ya tiene {max} miembros; antes tiene que salir alguien.",
  workspace_personal: "Un espacio personal es de una sola persona, para siempre; crea uno compartido.",
  owner_only: "Solo puede hacerlo quien es titular de este espacio; pídeselo.",
  operator_only: "Solo puede hacerlo quien opera el servidor. Entre personas se invita con un enlace.",
  member_unknown: "En este espacio no hay ningún miembro con ese nombre de usuario.",
  owner_last:
    "Un espacio necesita a alguien que sea titular y pueda entrar, y no hay nadie más; haz titular a otro miembro, o elimina el espacio.",
  workspaces_too_many: "{username} ya está en {max} espacios; antes tiene que salir de uno.",
  invitations_too_many: "Ya hay {max} invitaciones abiertas; retira una antes.",
  invitation_unknown: "En este espacio no hay ninguna invitación abierta así; carga la página de nuevo.",
  workspace_unknown: "No tienes ningún espacio así.",
  own_workspace_needs_owner:
    "Nadie más que pueda entrar es titular del espacio «{name}»; antes haz titular a otro miembro, o elimínalo.",
  workspace_needs_owner:
    "Nadie más que pueda entrar es titular del espacio «{name}». Suspende la cuenta por ahora, y pide a quien opera el servidor que dé otro titular al espacio o lo elimine.",
  workspace_id_unknown: "No hay ningún espacio así.",
};

/** Who may come in and what they may do: accounts, apps, workspaces, what the operator allows. */
export const refusedOfAccounts = {
  ...access,
  ...accounts,
  ...apps,
  ...operator,
  ...newcomers,
  ...quotas,
  ...reach,
  ...workspaces,
};
