import type { Words } from "../words.ts";
import { counted } from "./forms.ts";
import { refusedOfAccounts } from "./refused-accounts.ts";
import { refusedOfThings } from "./refused-things.ts";
import { numberIn } from "./told-numbers.ts";

/** What a refusal is called at the head of a page that says nothing else. */
const titles: Words["refusals"]["titles"] = {
  bad_request: "Eso no funcionó",
  unauthorized: "Entra en tu cuenta",
  forbidden: "Eso no está permitido",
  not_found: "Aquí no hay nada",
  conflict: "Eso no es posible ahora",
  precondition_failed: "Eso ha cambiado",
  unprocessable: "Eso no funcionó",
  rate_limited: "Demasiadas solicitudes",
  server_error: "Algo salió mal",
  unavailable: "Ahora mismo no",
};

/** For what no sentence below says. */
const neutral: Words["refusals"]["neutral"] = {
  bad_request:
    "No se pudo leer lo que se envió. Vuelve atrás, carga la página de nuevo e inténtalo otra vez.",
  unauthorized: "Entra en tu cuenta e inténtalo de nuevo.",
  forbidden: "No tienes permiso para hacer esto.",
  not_found: "No está aquí, o ya no está.",
  conflict: "Eso no es compatible con lo que ya hay aquí.",
  precondition_failed: "Ha cambiado desde que lo viste. Carga la página de nuevo.",
  unprocessable: "Eso no se puede hacer tal como se pidió.",
  rate_limited: "Espera un momento e inténtalo de nuevo.",
  server_error: "Algo salió mal de nuestro lado. Inténtalo de nuevo en un momento.",
  unavailable: "Este lugar está cerrado por un momento. Inténtalo de nuevo pronto.",
};

/** What a field broke, to whoever filled it in: a whole sentence below the field (docs/contract.md#1.3). */
const fields: Words["refusals"]["fields"] = {
  missing: "Completa este campo.",
  repeated: "Escríbelo una sola vez.",
  not_valid: "Esto no encaja aquí.",
  not_text: "Escribe de {min} a {max} caracteres.",
  text_broken: "Contiene caracteres dañados; escríbelo de nuevo.",
  text_too_long: "Caben {max} caracteres como máximo; estos son {length}.",
  text_too_short: "Hacen falta al menos {min} caracteres; estos son {length}.",
  text_empty: "Completa este campo.",
  text_blank: "Escribe algo que se pueda ver.",
  text_unseen: "Escríbelo en una sola línea, sin caracteres invisibles.",
  not_whole: "Escribe un número entero de {min} a {max}.",
  not_decimal: "Escribe un número de {min} a {max}.",
  not_boolean: "Elige una de las dos opciones.",
  not_choice: "Elige una de las opciones.",
  not_object: "Esto no encaja aquí.",
  not_list: "Esto no encaja aquí.",
  list_too_short: "Indica al menos {min}.",
  list_too_long: "Caben {max} como máximo.",
  list_out_of_range: "Indica de {min} a {max}.",
  tags_too_many: (told) =>
    `Una publicación tiene como máximo ${counted(numberIn(told, "max"), "etiqueta", "etiquetas")}.`,
  not_slug:
    "Escríbelo con letras de la a a la z y cifras, unidas por - o . (por ejemplo, node.js), 50 como máximo.",
  not_slug_but_name: "Escríbelo así: {slug}.",
  not_username:
    "Escribe de 1 a 32 letras minúsculas, cifras, - o _, sin @; al principio y al final, una letra o una cifra.",
  not_moment: "Escribe un día y una hora, por ejemplo 2026-11-20T09:30:00Z.",
  not_contact_url: "Escribe una dirección que empiece por https://, o una dirección de correo.",
  not_contact: "Escribe una dirección de correo, o una dirección que empiece por https://.",
  not_colour: "Escribe un color como # y seis cifras, por ejemplo #a8322d.",
  not_https_url: "Escribe una dirección que empiece por https://, de {max} caracteres como máximo.",
  not_currency: "Escribe la moneda con tres mayúsculas, por ejemplo EUR.",
  not_salary: "Escribe un importe y su moneda.",
  not_cursor: "Empieza de nuevo por la primera página.",
  query_broken: "Esa dirección no está completa; vuelve a seguir el enlace.",
  not_known: "Esa dirección contiene algo que esta página no conoce; vuelve a seguir el enlace.",
  not_event_id: "Eso no es un evento.",
  not_message_id: "Carga la página de nuevo.",
  not_notification_id: "Carga la página de nuevo.",
  not_document: "Esto no encaja aquí.",
  not_document_id: "Esto no encaja aquí.",
  not_operation_name: "Esto no encaja aquí.",
  not_map: "Esto no encaja aquí.",
  password_is_username: "Tu nombre de usuario no es una buena contraseña; elige otra.",
  password_well_known: "Es de las primeras que prueba quien quiere adivinarla; elige otra.",
  password_wrong: "No es la contraseña que tienes ahora.",
  not_new_owner: "Escribe {username}, quien va a ser titular.",
  not_this_account: "Escribe {username}, la cuenta que se va a eliminar.",
  name_has_link: "Escribe un nombre sin direcciones web, como example.org/page, y sin =?…?=.",
  not_mail_address: "Escribe una dirección de correo, por ejemplo nombre@example.org.",
  not_of_form: "Elige una de las opciones.",
};

export const refusals: Words["refusals"] = {
  titles,
  neutral,
  fields,
  of: { ...refusedOfAccounts, ...refusedOfThings },
};
