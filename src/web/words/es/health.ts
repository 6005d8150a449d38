import type { Words } from "../words.ts";
import { compact, counted, decimal, number } from "./forms.ts";

const ofToday = (today: string | undefined): string =>
  today === undefined ? "de hoy no se sabe nada" : `hoy ${today}`;

/** How the server and the community do. What the doctor finds is said by the doctor, to the operator. */
export const health: Words["health"] = {
  title: "Estado",
  lead: "Cómo van este servidor y la comunidad. Los días son los de UTC.",
  look: "Revisarlo todo ahora",
  actNow: (severe: number, warnings: number) =>
    `Actúa ya: hay ${counted(severe, "problema grave", "problemas graves")}${warnings > 0 ? ` y ${counted(warnings, "aviso", "avisos")}` : ""}.`,
  works: (warnings: number) => `Funciona, y hay ${counted(warnings, "aviso", "avisos")} que conviene mirar.`,
  well: "Todo está bien.",
  doctor: "guildhall doctor",
  notYet: "El servidor todavía no se ha revisado; {command} lo hace al momento.",
  lookedThrough:
    "Revisado {when}; las copias de seguridad, las entregas y lo que se detecta en marcha son de este momento.",
  severities: {
    severe: "Grave",
    warning: "Aviso",
    note: "Nota",
    ok: "Bien",
  },
  found: "Lo que se encontró",
  mend: "Para arreglarlo: {command}",
  thingsAreWell: (count: number) =>
    count === 1 ? "Hay una cosa en orden" : `Hay ${counted(count, "cosa en orden", "cosas en orden")}`,
  failing: {
    title: "Webhooks que fallan",
    none: "Ninguno falla, y los desactivados los desactivó su titular.",
    nobodys: "De nadie",
    of: "De {owner}",
    acknowledgesNothing: "No confirma nada",
    since: "desde {when}",
    off: "Desactivado",
    failing: "Falla",
  },
  outgoing: {
    title: "Correo y push",
    lead: "Lo que ahora espera para salir hacia los miembros, y los intentos desde que arrancó el servidor.",
    none: "No hay nada en espera, y no se ha enviado nada desde que arrancó el servidor.",
    urgent: "Notificaciones urgentes por correo",
    pushes: "Avisos push a navegadores",
    queue: "Mensajes en espera",
    attempts: "Intentos por servidor",
    columns: {
      what: "Tipo",
      waiting: "En espera",
      oldest: "El más antiguo",
      host: "Servidor",
      sent: "Enviados",
      failed: "Fallidos",
    },
    mail: "Correo",
    push: "Aviso push",
    others: "Otros servidores",
    kinds: {
      confirm: "Confirmaciones de una dirección",
      moved: "Avisos a una dirección anterior",
      recovery: "Enlaces para recuperar el acceso",
      notification: "Notificaciones por correo",
      digest: "Resúmenes",
      invitation: "Invitaciones",
      applied: "Confirmaciones de solicitudes",
      answered: "Respuestas a solicitudes",
    },
  },
  today: {
    title: "Hoy",
    active: "Activos hoy",
    requests: "Solicitudes",
    reads: "Lecturas, 99 de 100 en",
    faults: "Fallos nuestros",
  },
  month: {
    title: "Los últimos treinta días",
    activeTitle: "Miembros activos por día",
    active: "activos",
    writtenTitle: "Escrito por día",
    posts: "publicaciones",
    replies: "respuestas",
    newTitle: "Nuevo por día",
    signUps: "altas",
    jobs: "empleos",
    prompts: "prompts",
    attemptsTitle: "Intentos de entrega por día",
    acknowledged: "confirmados",
    failed: "fallidos",
    readsTitle: "Lecturas respondidas en",
    writesTitle: "Escrituras respondidas en",
    half: "la mitad",
    nearlyAll: "99 de 100",
    faultsTitle: "Solicitudes que terminaron por un fallo nuestro",
    faults: "fallos",
    sizeTitle: "Tamaño de la base de datos",
    size: "tamaño",
    freeTitle: "Espacio libre en su disco",
    free: "libre",
  },
  figures: {
    unknown: "–",
    count: (value: number) => (value < 10_000 ? number(Math.round(value * 10) / 10) : compact(value)),
    time: (ms: number) =>
      ms >= 1000
        ? `${decimal(ms / 1000, 1)} s`
        : `${number(ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms))} ms`,
  },
  charts: {
    nothing: "De estos días todavía no se sabe nada.",
    today: "hoy",
    ofDay: (day: string, figures: readonly string[]) => `${day}: ${figures.join(", ")}`,
    figure: (value: string, of: string) => `${value} ${of}`,
    noFigure: (of: string) => `${of}: no se sabe`,
    point: (day: string, of: string, value: string) => `${day}: ${of} ${value}`,
    whole: (title: string, series: readonly string[]) => `${title}. ${series.join(" ")}`,
    onlyToday: (of: string, today: string | undefined) => `${of}: ${ofToday(today)}.`,
    series: (of: string, today: string | undefined, least: string, most: string, mean: string) =>
      `${of}: ${ofToday(today)}; los días anteriores, de ${least} a ${most}, ${mean} de media.`,
  },
};
