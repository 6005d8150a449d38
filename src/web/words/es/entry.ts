import type { Words } from "../words.ts";

/** The ways in: signing in, joining, the first admin, a forgotten password, a proof that it is still them. */
export const entry: Words["entry"] = {
  signIn: {
    title: "Entrar",
    username: "Nombre de usuario",
    password: "Contraseña",
    byPasskey: "Entrar con una llave de acceso",
    otherWays: {
      lead: "Puedes entrar ahora de otra manera:",
      passkey: "Con una llave de acceso, con el botón de abajo.",
      mail: "Con [un enlace por correo](/recover/mail), si tu cuenta tiene una dirección. Con él eliges una contraseña nueva.",
      admin: "Con un enlace de quien administra esta comunidad.",
    },
    forgot: "¿Olvidaste tu contraseña? Pide un enlace a quien administra esta comunidad.",
    forgotOrNew:
      "¿Olvidaste tu contraseña? Pide un enlace a quien administra esta comunidad. ¿Primera vez aquí? [Únete](/sign-up)",
  },
  join: {
    title: "Unirse",
    before: "¿Ya tienes una cuenta? [Entra](/sign-in)",
    closed: "Cerrado por ahora",
    closedLead: "Esta comunidad no admite a nadie en este momento.",
    dead: "Esta invitación no funciona",
    deadLead:
      "Pide una nueva a quien te invitó o a [quienes llevan esta comunidad](/about). Una invitación termina cuando se agota, se retira o caduca.",
    deadAsk: "También puedes [pedir unirte](/sign-up) sin invitación.",
    deadMember: "¿Ya tienes una cuenta aquí?",
    byInvitation: "Por invitación",
    byInvitationLead: "Pide un enlace a quien administra esta comunidad. Te traerá de vuelta aquí.",
    invited: "{inviter} te invita. Sirve hasta el {when}.",
    invitedByOperator: "Tienes una invitación. Sirve hasta el {when}.",
    rules: "Cómo nos tratamos aquí",
    agrees: "Lo he leído y lo cumpliré",
    ask: "Pedir unirse",
    askLead: "Quien administra esta comunidad mira quién se une: lee lo que escribes aquí y responde.",
    why: "¿Por qué te gustaría unirte?",
    whyHint: "Una frase o dos. Solo lo lee quien administra la comunidad.",
    mail: "Dirección de correo, para recibir la respuesta",
    mailHint: "Si la dejas vacía, verás la respuesta al entrar aquí.",
    usernameHint: "Letras minúsculas, cifras, - y _. Se puede cambiar más adelante.",
    name: "Nombre",
    nameHint: "Como se verá; si lo dejas vacío, tu nombre de usuario.",
    passwordHint: "Al menos 8 caracteres; lo mejor, unas cuantas palabras seguidas.",
  },
  waiting: {
    title: "Has pedido unirte",
    since:
      "Lo pediste {when}, como {username}. Quien administra la comunidad te responderá; hasta entonces no puedes mirar.",
    later:
      "Entra aquí con tu nombre de usuario y tu contraseña para ver si ya hay respuesta. A los treinta días se acaba.",
    mailGoes: "La respuesta irá también a {address}.",
    mailUnsure:
      "Ha salido un correo con un enlace a {address}. Cuando se abra y se confirme, la respuesta irá también allí.",
    yours: "Lo que escribiste",
    withdraw: "Retirar la solicitud",
    approvedTitle: "Ya formas parte",
    approved: "Entra con tu nombre de usuario y tu contraseña.",
    declinedTitle: "Esta vez no",
    declined: "Quien administra la comunidad no te ha admitido.",
    theirs: "Lo que te dicen",
    forget: "Eliminar lo que queda",
    nothingTitle: "Aquí no espera nada",
    nothing:
      "Este navegador no conoce ninguna solicitud: se respondió hace tiempo, se retiró o se hizo en otro navegador. Entra para verlo.",
  },
  setUp: {
    title: "Preparar Guildhall",
    lead: "Eres la primera persona aquí. Esta cuenta administra la comunidad.",
    button: "Abrir las puertas",
  },
  recovery: {
    title: "Una contraseña nueva",
    lead: (username: string) => `Para @${username}. Cierra todas tus demás sesiones.`,
    goesOn:
      "Tus llaves de acceso, tokens de acceso, apps conectadas y webhooks siguen funcionando. Si alguien más entró en tu cuenta, quita lo que no conozcas en tus ajustes, adonde esto te lleva: «Proteger esta cuenta» termina con todo de una vez.",
    endpoints: "Lo que ocurre aquí se envía a",
    label: "Contraseña nueva",
    button: "Guardar y entrar",
  },
  proof: {
    title: "¿Eres tú?",
    lead: (username: string) =>
      `Entraste como @${username} hace un rato. Lo que vas a hacer cambia quién puede entrar o qué sale de aquí, así que demuestra otra vez que eres tú.`,
    password: "Tu contraseña",
    goOn: "Continuar",
    byPasskey: "Continuar con una llave de acceso",
    neither: "No tienes contraseña ni llave de acceso: pide un enlace a quien administra esta comunidad.",
    back: "No se cambió nada. [Volver a tu cuenta](/settings/account)",
  },
};
