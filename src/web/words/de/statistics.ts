import type { Words } from "../words.ts";

/** How the community grows, week by week. */
export const statistics: Words["statistics"] = {
  title: "Statistik",
  lead: "Die letzten 26 Wochen. Eine Woche beginnt am Montag, Tage gelten in UTC, und diese Woche ist noch nicht zu Ende.",
  since: "Gezählt wird seit {when}.",
  upTo: "Die Wochen sind bis {when} gezählt, die Mitglieder jetzt.",
  notYet: "Noch ist nichts gezählt: Der Server beginnt eine Viertelstunde nach seinem ersten Start.",
  download: "Als CSV herunterladen",
  now: "Jetzt",
  members: "Mitglieder",
  joinedNow: "Neu in dieser Woche",
  activeNow: "Aktiv in dieser Woche",
  week: "Woche ab",
  unknown: "–",
  figures: "Die Zahlen",
  figuresOf: (title) => `${title}: die Zahlen`,
  joined: { title: "Neue Mitglieder in der Woche", members: "neu" },
  active: { title: "Aktive Mitglieder in der Woche", members: "aktiv" },
  returned: {
    title: "Wer neu war und in der Woche danach aktiv",
    returned: "wieder da",
    gone: "nicht mehr da",
  },
  written: { title: "Geschrieben in der Woche", posts: "Beiträge", replies: "Antworten" },
  made: { title: "Veröffentlicht in der Woche", jobs: "Stellen", prompts: "Prompts" },
  deliveries: {
    title: "Zustellversuche in der Woche",
    acknowledged: "bestätigt",
    failed: "fehlgeschlagen",
  },
  charts: {
    nothing: "Von diesen Wochen ist noch nichts bekannt.",
    today: "diese Woche",
    ofDay: (week, figures) => `Woche ab ${week}: ${figures.join(", ")}`,
    figure: (value, of) => `${value} ${of}`,
    noFigure: (of) => `${of}: nichts bekannt`,
    point: (week, of, value) => `Woche ab ${week}: ${of} ${value}`,
    whole: (title, series) => `${title}. ${series.join(" ")}`,
    onlyToday: (of, present) => `${of}: ${ofThisWeek(present)}.`,
    series: (of, present, least, most, mean) =>
      `${of}: ${ofThisWeek(present)}, in den Wochen davor ${least} bis ${most}, im Mittel ${mean}.`,
  },
};

function ofThisWeek(present: string | undefined): string {
  return present === undefined ? "von dieser Woche ist nichts bekannt" : `diese Woche ${present}`;
}
