import type { Words } from "../words.ts";
import { number, plural } from "./forms.ts";

/** What those who run the community see: the overview, the log, invites, maintenance. */
export const admin: Words["admin"] = {
  title: "Administración",
  places: {
    overview: "Resumen",
    health: "Estado",
    statistics: "Estadísticas",
    reports: "Denuncias",
    community: "Comunidad",
    builders: "Miembros",
    invites: "Invitaciones",
    applications: "Solicitudes",
    apps: "Apps",
    maintenance: "Mantenimiento",
    audit: "Registro de auditoría",
  },
  overview: {
    signUp: {
      open: "Cualquiera puede unirse.",
      approval:
        "Puede unirse quien lo pida, cuando la administración diga que sí, y quien tenga un enlace de invitación.",
      invite: "Puede unirse quien tenga un enlace de invitación.",
      closed: "Nadie puede unirse por ahora.",
    },
    newest: "Últimos miembros",
    allBuilders: "Todos los miembros",
    admins: "Quién administra la comunidad",
    lately: "Lo último que se hizo",
    wholeLog: "Todo el registro",
    nothing: "Todavía nada.",
    look: "Ver el estado del servidor",
    noReport: "No hay denuncias en espera.",
    reports: (count: number) =>
      plural(count, {
        one: "Hay una denuncia en espera",
        many: "Hay {n} de denuncias en espera",
        other: "Hay {n} denuncias en espera",
      }),
    reportsOrMore: (count: number) => `Hay ${number(count)} denuncias en espera, o más`,
  },
  backups: {
    title: "Copias de seguridad",
    none: "El servidor no hace copias de seguridad. Quien lo opera las programa con GUILDHALL_BACKUP.",
    last: (megabytes: number, seconds: number) =>
      `La última copia verificada se hizo el {when}: {name}, ${number(megabytes)} MB sin comprimir, en ${number(seconds)} s.`,
    notYet: "Todavía no hay ninguna copia de seguridad.",
    late: "Hace demasiado de eso. Quien opera el servidor debería mirar el registro.",
    failed: "El último intento, el {when}, falló: {reason}",
    rehearsed: "La última prueba de restauración fue el {when}, y funcionó: {name}.",
    rehearsalFailed: "Una prueba de restauración del {when} falló: {reason}",
  },
  audit: {
    lead: (kept: string) =>
      `Todos los actos de seguridad, de todas las cuentas: quién, qué, desde dónde. Se conservan ${kept}.`,
    empty: "Todavía nada",
    emptyLead: "Aquí estarán las sesiones, los tokens, las apps y lo que hace la administración.",
  },
  invites: {
    lead: {
      open: "Cualquiera puede unirse; con un enlace queda anotado que viene de tu parte.",
      approval: "Quien viene con un enlace no espera respuesta. Respondes por quien entra con el tuyo.",
      invite: "Sin un enlace no entra nadie. Respondes por quien entra con el tuyo.",
      closed: "Nadie puede unirse por ahora, ni siquiera con un enlace.",
    },
    what: "Para qué es (opcional)",
    whatHint: "Solo lo ve la administración, por ejemplo «Encuentro de mayo».",
    people: "Para cuántas personas",
    long: "Durante cuánto tiempo",
    longs: { 1: "1 hora", 24: "1 día", 168: "7 días", 720: "30 días", 2160: "90 días" },
    make: "Crear un enlace de invitación",
    label: "Enlace de invitación",
    shownOnce: (uses: number) =>
      plural(uses, {
        one: "Cópialo ahora, o que le hagan una foto: no se vuelve a mostrar. Sirve una vez, hasta el {when}.",
        other:
          "Cópialo ahora, o que le hagan una foto: no se vuelve a mostrar. Sirve {n} veces, hasta el {when}.",
      }),
    copy: "Copiar",
    copied: "Copiado",
    code: "El mismo, como código QR",
    used: (used: number, uses: number) => `Usado ${number(used)} de ${number(uses)}`,
    titled: (label: string) => `Retirar el enlace «${label}»`,
    empty: "No hay enlaces abiertos",
    emptyLead: "Crea uno y envíalo a alguien a quien quieras ver aquí.",
    madeByOperator: "Creado {when} por quien opera el servidor",
    madeBy: "Creado {when} por {inviter}",
    until: "Sirve hasta el {when}",
    withdraw: "Retirar",
    withdrawOf: (minute: string) => `Retirar el enlace creado: ${minute}`,
  },
  applications: {
    lead: "Quién pide unirse; primero quien más espera. Si lo admites, tiene una cuenta al momento; si no, lo que escribió se elimina.",
    leadElse: "Ahora nadie tiene que pedirlo: quién se une se decide de otra manera.",
    empty: "Nadie espera",
    emptyLead: "Quien pide unirse está aquí hasta que la administración responde.",
    asked: "lo pidió {when}",
    word: "Unas palabras (opcional)",
    approve: "Admitir",
    decline: "Rechazar",
    approveOf: (username: string) => `Responder a @${username}`,
    counted: (count: number) =>
      plural(count, {
        one: "{n} persona pide unirse",
        many: "{n} de personas piden unirse",
        other: "{n} personas piden unirse",
      }),
    countedOrMore: (count: number) => `${number(count)} personas o más piden unirse`,
  },
  maintenance: {
    lead: "Todo el mundo puede seguir leyendo, y solo la administración puede cambiar algo. Las entregas esperan, y salen cuando termina.",
    now: "Ahora",
    since: "Está activo desde el {since}, hasta que alguien lo termine.",
    sinceUntil: "Está activo desde el {since}, hasta el {until}.",
    end: "Terminar el mantenimiento",
    changeTitle: "Cambiar el mensaje",
    beginTitle: "Empezar",
    message: "Qué se le dice a la gente",
    usual: "Esta comunidad está en mantenimiento.",
    messageHint: "Una o dos frases, en lo alto de cada página y en cada rechazo.",
    length: "Cuánto dura",
    lengths: {
      open: "Hasta que alguien lo termine",
      quarter: "Un cuarto de hora",
      hour: "Una hora",
      fourHours: "Cuatro horas",
    },
    asItIs: "Lo mismo que antes",
    change: "Cambiar",
    begin: "Empezar el mantenimiento",
  },
};
