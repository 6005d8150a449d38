import type { Words } from "../words.ts";
import { counted, decimal } from "./forms.ts";

/** The face of the community: what it says of itself, and where that is changed. */
export const community: Words["community"] = {
  about: {
    title: "Acerca de",
    rules: "Normas",
    joinTitle: "Cómo unirse",
    join: {
      open: "Cualquiera puede unirse: [crea una cuenta](/sign-up).",
      approval: "[Pide unirte](/sign-up): quienes llevan esta comunidad miran quién lo pide y dejan entrar.",
      invite: "Con invitación: pide un enlace a quien lleva esta comunidad. Lleva adonde creas tu cuenta.",
      closed: "Por ahora nadie puede unirse.",
    },
    forMembers: "Lo que se escribe aquí es para los miembros. [Entra](/sign-in) si eres miembro.",
    stewards: "Quiénes la llevan",
    roles: { owner: "Titular", admin: "Administración", moderator: "Moderación", member: "Miembro" },
    contactTitle: "Contacto",
    counts: {
      members: (count) => counted(count, "miembro", "miembros"),
      active: (count) => `${counted(count, "persona", "personas")} por aquí en el último mes`,
      posts: (count) => counted(count, "publicación", "publicaciones"),
      replies: (count) => counted(count, "respuesta", "respuestas"),
      jobs: (count) => counted(count, "empleo", "empleos"),
      prompts: (count) => counted(count, "prompt", "prompts"),
    },
  },
  admin: {
    title: "Comunidad",
    lead: "Lo que la comunidad dice de sí misma. Cada parte se guarda por separado y vale desde la próxima página que alguien abra; lo que queda vacío es como lo fija el servidor.",
    save: "Guardar",
    sections: {
      name: "Su nombre",
      look: "Su color",
      texts: "Bienvenida y reglas",
      doors: "Quién lee, quién se une",
      place: "Idioma y hora",
      newcomers: "Recién llegados",
    },
    name: "Nombre",
    nameHint: "Encabeza cada página, los correos y las apps que piden acceso; 40 letras como máximo.",
    line: "En una línea",
    lineHint: "Qué es esto, para quien nunca ha oído hablar de ello; va junto al nombre.",
    contact: "Contacto",
    contactHint:
      "Una dirección de correo, o una de la web que empiece por https://; todo el mundo la ve en «Acerca de».",
    accent: "Color",
    accentHint:
      "De los enlaces y botones, con # y seis cifras; para las páginas oscuras se hace de él un tono más claro.",
    welcome: "Bienvenida",
    welcomeHint: "Lo primero que lee quien llega de fuera, en «Acerca de». Markdown.",
    rules: "Reglas",
    rulesHint: "Cómo nos tratamos aquí; quien se une las acepta antes. Markdown.",
    reading: "Quién puede leer",
    readings: {
      everybody: {
        words: "Todo el mundo",
        hint: "Novedades, empleos, prompts y perfiles están abiertos, y los buscadores los encuentran.",
      },
      members: {
        words: "Solo los miembros",
        hint: "Quien no lo es ve la entrada y «Acerca de», y nada más.",
      },
    },
    joining: "Quién puede unirse",
    joinings: {
      open: { words: "Cualquiera", hint: "Quien llega crea su cuenta." },
      approval: { words: "A quien dejéis entrar", hint: "Quien llega lo pide, y espera a que miréis." },
      invite: { words: "Quien tenga un enlace", hint: "Invitáis desde «Invitaciones»." },
      closed: { words: "Nadie", hint: "No se crea ninguna cuenta, ni siquiera con un enlace." },
    },
    front: "Lo primero que se ve desde fuera",
    fronts: {
      feed: { words: "Las novedades", hint: "Lo último que se ha dicho." },
      about: { words: "«Acerca de»", hint: "Qué es este lugar, y cómo unirse." },
    },
    language: "Idioma",
    languageHint: "Para quien no ha elegido ninguno y cuyo navegador no pide otro de estos.",
    zone: "Zona horaria",
    zoneHint: "En la que se dicen las horas a quien viene de fuera, como Europe/Madrid.",
    days: "Días de recién llegado",
    daysHint:
      "Durante esos días quien es nuevo puede enviar pocos enlaces, imágenes y mensajes (de 0 a 90; 0 es sin límite).",
    post: "Primera publicación",
    postHint: "La dirección de la publicación que se muestra primero a quien llega; vacío para ninguna.",
    logo: "Logo",
    noLogo: "No hay ninguno: en su lugar está el sello.",
    logoFile: "Una imagen",
    logoHint:
      "JPEG, PNG, WebP o GIF; se dibuja de nuevo y va junto al nombre, más o menos tan alta como una línea.",
    saveLogo: "Guardar el logo",
    removeLogo: "Quitar el logo",
    preview: {
      day: "De día",
      night: "De noche",
      link: "Un enlace",
      button: "Un botón",
      least: (ratio) => `contraste de al menos ${decimal(ratio, 1)} a 1`,
      faint: (near) => `Demasiado claro para leerse de día: ${near} se le parece y es bastante oscuro.`,
    },
  },
};
