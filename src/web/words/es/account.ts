import type { Words } from "../words.ts";
import { counted, number, plural } from "./forms.ts";

/** How one signs in, where one is signed in, and what happened to the account. */
export const account: Words["account"] = {
  title: "Cuenta",
  language: {
    title: "Idioma y zona horaria",
    label: "Idioma",
    hint: "En él te hablan las páginas, los correos y las notificaciones. Lo que escribe la gente queda como está.",
    browser: "El del navegador",
    save: "Guardar",
  },
  password: {
    title: "Contraseña",
    none: "No tienes ninguna. Para elegir una, [demuestra otra vez que eres tú]({address}).",
    current: "La que tienes ahora",
    chosen: "Una nueva",
    change: "Cambiar la contraseña",
    set: "Elegir una contraseña",
  },
  username: {
    title: "Nombre de usuario",
    lead: (days: number) => {
      const lead = (often: string): string =>
        `Con él entras, y con él te nombran las demás personas. Se puede cambiar una vez ${often}. El anterior sigue siendo tuyo, y lleva a ti dondequiera que esté escrito.`;
      return plural(days, {
        one: lead("al día"),
        many: lead("cada {n} de días"),
        other: lead("cada {n} días"),
      });
    },
    prove: "Para cambiarlo, [demuestra otra vez que eres tú]({address}).",
    chosen: "Un nombre de usuario nuevo",
    change: "Cambiar el nombre de usuario",
  },
  passkeys: {
    missing:
      "Los navegadores solo ofrecen llaves de acceso a una dirección https con nombre, o a http://localhost. La dirección de esta comunidad es {origin}.",
    missingHere: "Para usar llaves de acceso en tu propio equipo, inicia el servidor con {setting}.",
    title: "Llaves de acceso",
    lead: "Entra con tu huella, tu cara o una llave de bolsillo. Una llave de acceso solo funciona aquí, así que nadie puede robártela con engaños.",
    addedNeverUsed: "Añadida {added}, nunca usada",
    addedAndUsed: "Añadida {added}, usada por última vez {used}",
    prove: "Para añadir o quitar una, [demuestra otra vez que eres tú]({address}).",
    remove: "Quitar",
    removeOf: (name: string) => `Quitar ${name}`,
    name: "Cómo llamarla",
    nameExample: "Mi teléfono",
    add: "Añadir una llave de acceso",
    noScripts: "El navegador solo crea llaves de acceso con los scripts activados.",
  },
  sessions: {
    title: "Tus sesiones",
    since: "desde {when}",
    seen: "última actividad {when}",
    now: "en uso ahora",
    current: "Este dispositivo",
    end: "Cerrar",
    endOthers: "Cerrar todas las demás",
    unknown: "Un navegador desconocido",
    unknownOn: (system: string) => `Un navegador en ${system}`,
    browserOn: (browser: string, system: string) => `${browser} en ${system}`,
  },
  data: {
    title: "Tus datos",
    lead: "Todo lo tuyo en un archivo ZIP: perfil, publicaciones, respuestas, me gusta, mensajes, empleos, prompts, proyectos, XP, apps, webhooks y lo que ocurrió con la cuenta. No contiene contraseñas, tokens ni secretos. Tus mensajes sí, así que guárdalo donde solo tú puedas leerlo.",
    download: "Descargar mis datos",
  },
  secure: {
    title: "Proteger esta cuenta",
    teaser:
      "¿Entró alguien más? Un solo botón cierra todas las demás sesiones y anula todos los tokens, las apps conectadas, los webhooks y los enlaces. La página siguiente dice qué hay.",
    lead: "Además de tu contraseña, todo lo de esta página da acceso a tu cuenta. Si no reconoces algo, protege la cuenta: todo termina al momento y para siempre, y tu sesión sigue abierta solo aquí. Si todo es tuyo, [vuelve a tu cuenta](/settings/account).",
    keep: "Llaves de acceso que se quedan",
    keepHint: "Desmarca las que no conozcas, y se quitarán.",
    keepKnown: "Marca las llaves que reconozcas. Las demás se quitarán.",
    neverUsed: (added: string) => `añadida ${added}, nunca usada`,
    used: (added: string, used: string) => `añadida ${added}, usada por última vez ${used}`,
    afterwards:
      "Después, cambia tu contraseña si es posible que alguien la sepa, y revisa las [apps que creaste](/settings/apps): sus secretos y direcciones se quedan como están.",
    ends: "Lo que termina",
    nothing: "Ahora mismo no hay nada que dé acceso a esta cuenta.",
    endpoints: "Esos webhooks son",
    sessions: (count: number) =>
      plural(count, {
        one: "{n} sesión: un navegador en el que has entrado",
        many: "{n} de sesiones: navegadores en los que has entrado",
        other: "{n} sesiones: navegadores en los que has entrado",
      }),
    tokens: (count: number) => counted(count, "token de acceso", "tokens de acceso"),
    apps: (count: number) => counted(count, "app conectada", "apps conectadas"),
    webhooks: (count: number) => counted(count, "webhook, con sus entregas", "webhooks, con sus entregas"),
    mail: "Una dirección de correo con la que se puede recuperar la cuenta",
    pendingMail: "Una dirección de correo sin confirmar",
    feed: "Una dirección de feed privado",
    deviceCodes: (count: number) =>
      counted(
        count,
        "dispositivo autorizado que aún no ha entrado",
        "dispositivos autorizados que aún no han entrado",
      ),
    push: (count: number) =>
      counted(
        count,
        "navegador que recibe notificaciones push",
        "navegadores que reciben notificaciones push",
      ),
    more: (count: number) => `y ${number(count)} más`,
    links: (count: number) =>
      counted(count, "enlace que nadie ha usado todavía", "enlaces que nadie ha usado todavía"),
    notMeLinks: (count: number) =>
      plural(count, {
        one: "{n} enlace en un correo de seguridad",
        other: "{n} enlaces en correos de seguridad",
      }),
  },
  notMe: {
    title: "No fui yo",
    lead: "Esto pasó {when} con la cuenta @{username}:",
    named: "Nombre: {name}",
    effect:
      "Si no fuiste tú, recupera tu cuenta. Se cierran todas las sesiones, se eliminan las llaves de acceso, los tokens, las aplicaciones, los webhooks y la contraseña, y el correo vuelve a esta dirección. Después eliges una contraseña nueva.",
    keep: "Si fuiste tú, cierra esta página. No cambia nada.",
    button: "Recuperar mi cuenta",
  },
  activity: {
    title: "Registro de seguridad",
    lead: (kept: string) => `Qué se hizo en tu cuenta, quién y desde dónde. Se conserva ${kept}.`,
    empty: "Todavía nada",
    emptyLead: "Aquí estarán las sesiones, los tokens, las apps y demás.",
    by: (username: string) => `por @${username}`,
    about: (username: string) => `sobre @${username}`,
    from: (address: string) => `desde ${address}`,
  },
  deletion: {
    part: "Eliminar la cuenta",
    teaser: "Para siempre, con lo que escribiste. La página siguiente dice qué desaparece y qué queda.",
    button: "Eliminar mi cuenta",
    title: "Eliminar tu cuenta",
    lead: "Es para siempre: nadie puede recuperarla. [Conservarla](/settings/account)",
    username: "Tu nombre de usuario, en señal de que va en serio",
    byPasskey: "Eliminar con llave de acceso",
    passkeyInstead: "O con una llave de acceso",
    passwordFirst:
      "Primero [elige una contraseña](/settings/account): quien elimina una cuenta demuestra que es suya.",
    goes: "Lo que desaparece",
    atOnce:
      "Al momento: tus sesiones, llaves de acceso, tokens y apps conectadas, tu nombre y tu perfil, tu espacio personal y los espacios en los que no hay nadie más, con sus webhooks y sus apps, para todas las personas que las usan.",
    soon: "En un momento, o en minutos si hay mucho: tus publicaciones, con las respuestas y los me gusta que tengan; tus respuestas, me gusta, prompts, valoraciones, XP y búsquedas guardadas; tus conversaciones, también para la otra persona; y tus empleos.",
    stays: "Lo que queda",
    others: "Lo que otras personas escribieron en otros sitios, y los XP que ganaron con ello.",
    shared:
      "Lo que pertenece a un espacio que compartías: sus apps y webhooks, y los empleos de sus empresas.",
    events:
      "Los eventos públicos, con las entregas que esperan, y los eventos privados de otras personas, como la vista previa de un mensaje: hasta que pase el tiempo que se conservan los eventos, que son 30 días salvo que quien opera el servidor haya elegido otro plazo.",
    reported:
      "De todo lo denunciado, la moderación conserva el texto y tu nombre hasta que decida sobre la denuncia, y 30 días más.",
    sent: "Lo que ya se envió a los receptores, a quienes toca eliminarlo, y las copias de seguridad que ya se hicieron.",
    log: (kept: string) =>
      `Una línea en el registro de la administración que dice que la cuenta se eliminó; se conserva ${kept}. Tu nombre de usuario no queda libre, ni los nombres cortos de las empresas para las que solo publicabas tú, para que nadie se haga pasar por ti.`,
  },
};
