import type { Words } from "../words.ts";

/** What reaches members who are not here: pushes, mails, feeds. */
export const reach: Words["reach"] = {
  part: {
    title: "Lo que te llega fuera de aquí",
    hint: "[Navegadores con avisos](/settings/browsers), [correo](/settings/mail) y [tu propio canal](/settings/feed).",
  },
  browsers: {
    title: "Navegadores",
    lead: "El navegador que elijas muestra tus notificaciones también sin ninguna página abierta. Deja de hacerlo cuando sales de tu cuenta en él.",
    this: "Este navegador",
    button: "Avisar en este navegador",
    already: "Este navegador recibe avisos.",
    needsScript: "Hace falta un navegador que ejecute scripts y conozca Web Push.",
    denied:
      "El navegador no permite que este sitio muestre notificaciones; permítelo antes en los ajustes del navegador.",
    failed: "El servicio push del navegador no respondió. Inténtalo de nuevo en un momento.",
    list: "Navegadores que reciben avisos",
    none: "Ninguno todavía",
    noneHint: "Las notificaciones te esperan en su página.",
    current: "Este",
    added: "Añadido {when}",
    reached: "último aviso {when}",
    neverReached: "todavía sin avisos",
    stop: "Quitar",
    stopOf: (agent: string) => `Dejar de avisar en ${agent}`,
  },
  inviting: {
    address: "Enviarlo a (opcional)",
    hint: "Una dirección de correo. Se olvida en cuanto sale el mensaje.",
    sent: "También va por correo a {address}.",
  },
  mail: {
    title: "Correo",
    lead: "Dónde lees el correo y qué te llega ahí. Nadie más ve la dirección.",
    none: "Esta comunidad no envía correo.",
    address: "Tu dirección",
    goes: "El correo va a {address}.",
    recoversLater:
      "Con esta dirección podrás recuperar tu cuenta {when}. Hasta entonces, una dirección nueva podría ser de otra persona.",
    former:
      "Los avisos de seguridad van todavía a la dirección anterior, los últimos {when}. Si otra persona lee el correo allí, [protege tu cuenta](/settings/account/secure).",
    pending: "Enviamos un enlace a {address}; ábrelo en el plazo de un día para confirmarla.",
    bounced: {
      title: "El correo a {address} fue rechazado {when}.",
      effect:
        "El servidor de correo no acepta mensajes para esta dirección. Por ahora no enviamos ahí notificaciones ni resúmenes. Los correos de seguridad, como un enlace para recuperar el acceso, se siguen intentando.",
      steps:
        "Corrige la dirección más abajo. Si el buzón vuelve a funcionar, envía el enlace a la misma dirección y ábrelo.",
      again: "Enviar el enlace otra vez",
    },
    new: "Nueva dirección",
    set: "Enviar el enlace",
    remove: "No enviar más correo ahí",
    choice: "Qué te llega de tus notificaciones",
    choices: {
      at_once: "Cada una al momento",
      daily: "Una vez al día, hacia las ocho de la mañana",
      weekly: "Una vez a la semana, el lunes hacia las ocho de la mañana",
      off: "Nada",
    },
    choiceHint:
      "De los tipos que has puesto en Correo. La mañana es la de tu [zona horaria](/settings/account#language).",
    save: "Guardar",
    confirmTitle: "Confirmar la dirección",
    confirmLead: "El correo de @{username} irá a {address} a partir de ahora.",
    answerLead: "La respuesta a @{username} irá a {address}.",
    answerConfirmed: "La respuesta irá a esa dirección. Puedes cerrar esta página.",
    confirm: "Confirmar",
    confirmed: "El correo de tu cuenta va a esa dirección a partir de ahora. Puedes cerrar esta página.",
    endTitle: "Dejar de recibir estos correos",
    endLead:
      "A partir de ahora no te llegarán más correos de notificaciones. Te seguirán esperando en su página.",
    end: "No recibir más",
    ended: "No te llegarán más correos de notificaciones.",
    forgot: "O pide [un enlace por correo](/recover/mail), si tu cuenta tiene una dirección.",
    recoverTitle: "Recuperar el acceso",
    recoverLead:
      "Si tu cuenta tiene una dirección de correo confirmada, te llegará un enlace para elegir una contraseña nueva.",
    who: "Nombre de usuario o dirección de correo",
    recover: "Enviarme un enlace",
    recovered:
      "Si existe esa cuenta con una dirección confirmada, un enlace va en camino. Sirve durante una hora. No se envía ningún enlace a una dirección añadida hace menos de 24 horas.",
  },
  feed: {
    title: "Tu propio canal",
    lead: "De qué te avisamos, y qué publican las personas que sigues, en un lector de canales. No contiene nada de tu cuenta.",
    none: "Todavía no tiene dirección.",
    address: "Su dirección",
    keep: "Quien la tenga lee tus avisos: dásela solo a tu lector. Si es posible que alguien más la conozca, crea una nueva.",
    make: "Crear una dirección",
    renew: "Crear una nueva",
    end: "Quitarla",
    feedTitle: (community: string, username: string) => `${community}: @${username}`,
    posted: (name: string, title: string) => `${name}: ${title}`,
  },
  push: {
    greeting: "Este navegador recibe tus notificaciones a partir de ahora.",
  },
};
