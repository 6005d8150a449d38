import type { BOARDS } from "../../../core/base/refusals/boards.ts";
import type { GRAPHQL } from "../../../core/base/refusals/graphql.ts";
import type { MEDIA } from "../../../core/base/refusals/media.ts";
import type { WEBHOOKS } from "../../../core/base/refusals/webhooks.ts";
import type { WIRE } from "../../../core/base/refusals/requests.ts";
import type { Sentence } from "../sentence.ts";
import { counted, number } from "./forms.ts";
import { lasting, numberIn, waiting } from "./told-numbers.ts";

type Refused<Of> = Readonly<Record<keyof Of, Sentence>>;

const boards: Refused<typeof BOARDS> = {
  company_unknown: "No hay ninguna empresa con ese nombre corto.",
  job_unknown: "Este empleo no existe, o ya no existe.",
  profile_unknown: "No hay ningún perfil con ese nombre de usuario.",
  report_of_nothing: "En esta dirección no hay nada que se pueda denunciar.",
  time_zone_unknown:
    "No existe esa zona horaria; usa un nombre de la base de datos IANA, como Europe/Madrid.",
  versions_too_many: "Este prompt ya tiene {max} versiones; comparte lo que tienes como un prompt nuevo.",
  version_unknown: "Este prompt no tiene esa versión.",
  own_prompt: "Este prompt es tuyo; lo valoran otras personas.",
  prompt_revised: "Este prompt va ahora por la versión {version}; léela y valórala de nuevo.",
  prompt_not_yours: "Este prompt es de otra persona; solo quien lo compartió puede hacer esto.",
  prompt_unknown: "Este prompt no existe, o ya no existe.",
  projects_too_many: "Tu perfil ya muestra {max} proyectos; elimina uno antes.",
  project_unknown: "No tienes ningún proyecto así.",
  own_cause: "Esto trata de ti o de algo tuyo; lo decide otra persona de la moderación.",
  report_upheld: "Esta denuncia se confirmó; vuelve a mostrar aquello de lo que trata, y se abrirá de nuevo.",
  report_void: "Aquello de lo que trata esta denuncia se eliminó; no hay nada que decidir.",
  builder_id_unknown: "No hay ningún miembro así.",
  report_unknown: "No hay ninguna denuncia así.",
  subject_unknown: "No hay ninguna publicación, ningún empleo ni ningún prompt así.",
  message_unknown: "En esta conversación no hay ningún mensaje así.",
  own_message: "No puedes enviar un mensaje a tu propia cuenta.",
  recipient_blocked: "Has bloqueado a este miembro; desbloquéalo para escribirle.",
  message_unwanted: "Este miembro no recibe mensajes tuyos.",
  threads_too_many: waiting("Has empezado {max} conversaciones en un día"),
  message_not_theirs: "En esta conversación no hay ningún mensaje así de la otra persona.",
  thread_unknown: "No tienes ninguna conversación así.",
  own_follow: "No puedes seguir tu propia cuenta.",
  follow_blocked: "Has bloqueado a este miembro; desbloquéalo para seguirlo.",
  follow_unwanted: "No puedes seguir a este miembro.",
  follows_too_many: "Ya sigues a {max} miembros; deja antes de seguir a alguien.",
  followed_tags_too_many: "Ya sigues {max} etiquetas; deja antes de seguir una.",
  tag_unknown:
    "Ninguna etiqueta se escribe así; usa palabras en minúsculas unidas por - o un punto, como rust o node.js.",
  notifications_unnamed: "Elige qué notificaciones están leídas, o márcalas todas.",
  own_block: "No puedes bloquear tu propia cuenta.",
  search_too_wide:
    "Esta búsqueda encuentra demasiados empleos para empezar por el final; empieza por el principio, o acótala con más palabras o filtros.",
  job_not_yours: "Solo quien publicó este empleo puede cambiarlo.",
  job_over: "Los 60 días de este empleo terminaron; publícalo como uno nuevo.",
  salary_upside_down: "El mínimo del salario es mayor que el máximo; cámbialos de sitio.",
  company_of_others:
    "{name} ya pertenece a otras personas aquí. Pide que te dejen entrar en su espacio, o escribe otro nombre corto.",
  filters_too_many: "Ya tienes {max} búsquedas guardadas; elimina una, o cámbiala.",
  filter_unknown: "No tienes ninguna búsqueda guardada así.",
  post_not_yours: "Esta publicación es de otra persona; solo puedes editar y eliminar las tuyas.",
  post_edited: "Esta publicación se editó desde que la leíste; léela de nuevo, y después haz tu cambio.",
  edits_too_many:
    "Esta publicación ya se editó {max} veces; lo que todavía quieras decir cabe mejor en una nueva.",
  edits_too_fast: waiting("Una publicación se puede editar {max} veces en una hora"),
  post_unknown: "Esta publicación no existe, o ya no existe.",
  builder_unknown: "No hay ningún miembro con ese nombre de usuario.",
};

const media: Refused<typeof MEDIA> = {
  media_unknown:
    "No tienes esa imagen; envíala de nuevo: lo que ninguna publicación muestra se elimina al cabo de un día.",
  media_full: "En esta comunidad no queda sitio para más imágenes; pregunta a quien la administra.",
  media_unavailable: "Ahora mismo no se pueden recibir imágenes; inténtalo más tarde.",
  file_missing: "Elige la imagen que quieres enviar.",
  upload_not_sent_as_form:
    "No se pudo leer lo que se envió. Carga la página de nuevo y elige otra vez la imagen.",
  upload_malformed: "Envía un solo archivo, y textos cortos junto a él.",
  upload_too_long: "Este archivo ocupa más de {mib} MiB; reduce la imagen y envíala de nuevo.",
  upload_too_slow: (told) =>
    `Este archivo no llegó en ${counted(numberIn(told, "minutes"), "minuto", "minutos")}; reduce la imagen y envíala de nuevo.`,
  uploads_too_many: waiting("Estás enviando muchas imágenes a la vez"),
  uploads_too_many_of_all: waiting("Ahora mismo se están enviando muchas imágenes"),
  picture_unknown: "Esto no es una imagen que se pueda mostrar aquí; envíala en JPEG, PNG, WebP o GIF.",
  picture_heic: "Aquí no se pueden leer AVIF ni HEIC; guarda la imagen como JPEG o PNG y envíala así.",
  picture_svg:
    "Un SVG puede contener un programa, así que aquí no se acepta; guárdalo como PNG y envíalo así.",
  picture_damaged:
    "Esta imagen está cortada o dañada; ábrela donde la tengas, guárdala de nuevo y envíala así.",
  picture_too_large: `Esta imagen tiene más de 40 megapíxeles, o más de ${number(16_383)} píxeles de lado; redúcela y envíala de nuevo.`,
  picture_too_costly:
    "Leer esta imagen lleva demasiado tiempo; guárdala de nuevo, más pequeña si puedes, y envíala así.",
};

const webhooks: Refused<typeof WEBHOOKS> = {
  url_malformed: "Esa dirección no es válida.",
  url_not_https: "La dirección debe empezar por https://.",
  url_with_credentials:
    "La dirección no debe llevar un nombre de usuario ni una contraseña; la firma le dice al receptor quién envía.",
  url_port_refused:
    "La dirección debe usar el puerto 443, o uno a partir del {min} que no use ningún servicio conocido.",
  url_private:
    "La dirección apunta al interior de una red privada o especial. Usa un servidor público, o pide a quien opera este que la permita.",
  host_unknown: "El nombre del servidor no existe.",
  host_silent:
    "Los servidores de nombres de esa dirección no respondieron en dos segundos; inténtalo más tarde.",
  endpoint_id_unknown: "No hay ningún webhook así.",
  endpoint_unknown: "En este espacio no hay ningún webhook así.",
  endpoint_twice: "Este espacio ya tiene un webhook con esa dirección. Cambia ese.",
  endpoints_too_many: (told) =>
    `Este espacio ya tiene ${counted(numberIn(told, "max"), "webhook", "webhooks")}; elimina uno antes.`,
  secrets_too_many: (told) =>
    `Este webhook tiene ya ${counted(numberIn(told, "max"), "secreto de firma válido", "secretos de firma válidos")}; el más antiguo termina en ${counted(numberIn(told, "hours"), "hora", "horas")}. Usa el más nuevo, o crea otro entonces.`,
  endpoint_app_lacks_scope:
    "Este webhook es de una app, y a la app le falta el permiso {scope}; añade un webhook tuyo.",
  recoveries_too_many:
    "De este webhook ya se están enviando de nuevo {max} tramos; espera a que termine uno.",
  place_too_old: "Los eventos tan antiguos ya no se conservan; el más antiguo que hay es {oldest}.",
  place_unknown: "Ese lugar no está en este registro; empieza de nuevo por una fecha.",
  event_type_unknown: "Elige eventos de la lista.",
  event_not_of_stream: "Eso no es un evento de este registro; empieza de nuevo.",
  delivery_subject_gone:
    "Esta entrega no se puede volver a enviar: su contenido se ha eliminado o se ha ocultado.",
  delivery_attempting: "Esta entrega se está intentando en este momento.",
  endpoint_disabled: "Este webhook está desactivado. Actívalo antes.",
  delivery_unknown: "En este espacio no hay ninguna entrega así.",
};

const wire: Refused<typeof WIRE> = {
  credentials_invalid: "Entra en tu cuenta e inténtalo de nuevo.",
  too_many_requests: waiting("Demasiadas solicitudes"),
  fault_of_ours: "Algo salió mal de nuestro lado. Inténtalo de nuevo en un momento.",
  maintenance: (told) =>
    `${String(told["message"])} Hasta que termine no se puede cambiar nada; inténtalo de nuevo en ${lasting(numberIn(told, "seconds"))}.`,
  changed_meanwhile: "Esto ha cambiado desde que lo leíste. Carga la página de nuevo y haz tu cambio.",
  sign_in_first: "Entra en tu cuenta para hacer esto.",
  moderator_only: "Solo puede hacerlo quien modera o administra la comunidad; pídeselo.",
  admin_only: "Solo puede hacerlo quien administra la comunidad; pídeselo.",
  scope_missing: "A este token le falta el permiso {scope}; crea un token que lo tenga.",
  form_foreign: "Este formulario vino de otro sitio; abre la página aquí y envíalo de nuevo.",
  form_field_repeated:
    "Este formulario traía dos valores para un mismo dato; carga la página de nuevo y envíalo otra vez.",
  form_stale: "Este formulario es demasiado antiguo; carga la página de nuevo y envíalo otra vez.",
  page_unknown: "No existe esa página.",
  nothing_under_docs: "Bajo /docs no hay nada en esa dirección.",
  nothing_under_v1: "Bajo /v1 no hay nada en esa dirección.",
  request_malformed: "La solicitud está mal formada. Carga la página de nuevo.",
  nothing_here_that_way: "En esta dirección no hay nada, o no de esta manera.",
  target_malformed: "La dirección de la solicitud está mal formada; vuelve a seguir el enlace.",
  nothing_here: "En esta dirección no hay nada.",
  too_many_new_tokens: waiting("Demasiados tokens nuevos a la vez"),
  body_not_json: "No se pudo leer lo que se envió. Carga la página de nuevo e inténtalo otra vez.",
  form_too_many_fields: "El formulario tiene más de {max} campos; envía menos.",
  form_not_utf8: "No se pudo leer el formulario. Carga la página de nuevo y envíalo otra vez.",
  body_compressed: "No se pudo leer lo que se envió: llegó comprimido. Envíalo sin comprimir.",
  body_broken_off: "Lo que se envió se cortó antes del final; envíalo de nuevo.",
  body_too_deep: "Lo que se envió tiene más de {max} niveles; simplifícalo.",
  body_not_utf8: "No se pudo leer lo que se envió. Carga la página de nuevo e inténtalo otra vez.",
  body_too_long: "Es demasiado de una vez: en un formulario caben {kib} KiB como máximo.",
  cursor_foreign: "Esta página de la lista ya no existe. Empieza de nuevo por la primera.",
  idempotency_key_reused: "Eso ya se envió antes con otro contenido. Carga la página de nuevo y envíalo.",
  idempotency_key_in_flight: "Eso mismo se está procesando ahora; espera su respuesta.",
  body_not_sent_as_json: "No se pudo leer lo que se envió. Carga la página de nuevo e inténtalo otra vez.",
  form_not_sent_as_form: "No se pudo leer el formulario. Carga la página de nuevo y envíalo otra vez.",
};

const graphql: Refused<typeof GRAPHQL> = {
  graphql_elsewhere: "A GraphQL se le pregunta en /graphql.",
  graphiql_off: "Este servidor no tiene página para GraphQL.",
  job_gone: "Este empleo ya no existe.",
  builder_gone: "Este miembro ya no está.",
  project_gone: "Este proyecto ya no existe.",
  batch_refused: "Envía una sola operación por solicitud; no se aceptan varias juntas.",
  subscriptions_too_many: "Ya tienes {max} suscripciones abiertas; cierra una antes.",
  subscriptions_full:
    "Este servidor ya tiene abiertas todas las suscripciones que soporta; inténtalo más tarde.",
  document_unknown: "Aquí no hay ningún documento con esa huella; envía su texto.",
  document_mismatch: "El documento no es el que dice su huella; envía el que corresponde.",
  document_missing: "Falta el documento de GraphQL; envíalo como texto.",
  document_untrusted:
    "Este servidor solo ejecuta documentos que conoce; pide a quien lo opera que añada el tuyo.",
  page_both_ways: "Recorre la lista hacia delante o hacia atrás, no de ambas maneras a la vez.",
  list_hidden: "No hay ninguna lista así que se pueda ver.",
  mutation_by_get: "Envía los cambios con POST; GET solo lee.",
  subscription_is_stream: "Una suscripción es una corriente de eventos; pídela como tal.",
  answer_type_unknown:
    "Acepta uno de estos tipos: {types}; solo una suscripción es una corriente de eventos.",
  method_for_graphql:
    "A GraphQL se le pregunta con POST, o con GET para leer; PUT y DELETE son de sus corrientes de eventos.",
  fragment_circular: "Un fragmento se incluye a sí mismo; quita esa inclusión.",
  document_too_deep: "El documento tiene más de {max} niveles; pide menos de una vez.",
  aliases_too_many: "El documento tiene más de {max} alias; pide menos de una vez.",
  directives_too_many: "El documento tiene más de {max} directivas; pide menos de una vez.",
  fields_too_many: "El documento tiene más de {max} campos; pide menos de una vez.",
  root_fields_too_many: "El documento tiene más de {max} campos en lo alto; pide menos de una vez.",
  fields_repeated: "El documento nombra los mismos campos una y otra vez; nombra cada uno una vez.",
  operation_too_dear:
    "Esto cuesta {cost}, y se permite {max} como máximo; pide páginas más cortas, o menos cosas.",
  answer_too_long: "La respuesta ocupa más de {max} bytes; pide páginas más cortas, o menos textos largos.",
  answer_too_long_written:
    "La respuesta ocupa más de {max} bytes; todos los cambios de la solicitud se hicieron, y su resultado se puede pedir por partes.",
  stream_unknown: "No hay ninguna corriente así; reserva una con PUT, y ábrela antes de medio minuto.",
  stream_open: "Esta corriente ya está abierta; reserva otra.",
  operation_unnamed: "Da un nombre a la operación, de {max} letras como máximo.",
  operation_running: "En la corriente ya hay una operación con ese id; usa otro.",
  operations_too_many: "En esta corriente hay {max} operaciones; termina una antes, o abre otra corriente.",
  client_left: "Quien preguntaba se fue.",
  persisted_query_not_found: "No se encontró la consulta; envíala entera.",
  persisted_query_not_supported: "Aquí no se guardan consultas; envíala entera.",
};

/** What is on the boards, what is sent, and how. */
export const refusedOfThings = { ...boards, ...media, ...webhooks, ...wire, ...graphql };
