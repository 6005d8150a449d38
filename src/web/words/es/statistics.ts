import type { Words } from "../words.ts";

/** How the community grows, week by week. */
export const statistics: Words["statistics"] = {
  title: "Estadísticas",
  lead: "Las últimas 26 semanas. La semana empieza el lunes, los días son los de UTC, y esta semana no ha terminado.",
  since: "Se cuenta desde el {when}.",
  upTo: "Las semanas se cuentan hasta el {when}; los miembros, ahora.",
  notYet:
    "Todavía no se ha contado nada: el servidor empieza un cuarto de hora después de su primer arranque.",
  download: "Descargar como CSV",
  now: "Ahora",
  members: "Miembros",
  joinedNow: "Nuevos esta semana",
  activeNow: "Activos esta semana",
  week: "Semana del",
  unknown: "–",
  figures: "Las cifras",
  figuresOf: (title) => `${title}: las cifras`,
  joined: { title: "Miembros nuevos por semana", members: "nuevos" },
  active: { title: "Miembros activos por semana", members: "activos" },
  returned: {
    title: "De quienes llegaron en una semana, activos en la siguiente",
    returned: "volvieron",
    gone: "no volvieron",
  },
  written: { title: "Escrito por semana", posts: "publicaciones", replies: "respuestas" },
  made: { title: "Publicado por semana", jobs: "empleos", prompts: "prompts" },
  deliveries: {
    title: "Intentos de entrega por semana",
    acknowledged: "confirmados",
    failed: "fallidos",
  },
  charts: {
    nothing: "De estas semanas todavía no se sabe nada.",
    today: "esta semana",
    ofDay: (week, figures) => `Semana del ${week}: ${figures.join(", ")}`,
    figure: (value, of) => `${value} ${of}`,
    noFigure: (of) => `${of}: no se sabe`,
    point: (week, of, value) => `Semana del ${week}: ${of} ${value}`,
    whole: (title, series) => `${title}. ${series.join(" ")}`,
    onlyToday: (of, present) => `${of}: ${ofThisWeek(present)}.`,
    series: (of, present, least, most, mean) =>
      `${of}: ${ofThisWeek(present)}; las semanas anteriores, de ${least} a ${most}, ${mean} de media.`,
  },
};

function ofThisWeek(present: string | undefined): string {
  return present === undefined ? "de esta semana no se sabe nada" : `esta semana ${present}`;
}
