import type { Words } from "../words.ts";
import { compact, decimal, number, plural } from "./forms.ts";

const things = (count: number): string =>
  count === 1 ? "ein Befund" : plural(count, { other: "{n} Befunde" });

const looked = (warnings: number): string =>
  `${things(warnings)} ${warnings === 1 ? "sollte" : "sollten"} angesehen werden`;

const ofToday = (today: string | undefined): string =>
  today === undefined ? "von heute nichts bekannt" : `heute ${today}`;

/** How the server and the community do. What the doctor finds is said by the doctor, to the operator. */
export const health: Words["health"] = {
  title: "Zustand",
  lead: "Wie es diesem Server und der Community geht. Tage gelten in UTC.",
  look: "Jetzt alles ansehen",
  actNow: (severe, warnings) =>
    `Handle jetzt: ${things(severe)} ${severe === 1 ? "ist" : "sind"} ernst${warnings > 0 ? `, und ${looked(warnings)}` : ""}.`,
  works: (warnings) => `Er läuft, und ${looked(warnings)}.`,
  well: "Alles ist in Ordnung.",
  doctor: "guildhall doctor",
  notYet: "Der Server hat sich noch nicht durchgesehen; {command} tut es sofort.",
  lookedThrough: "Durchgesehen {when}; Sicherungen, Zustellungen und was im Betrieb auffällt sind von jetzt.",
  severities: {
    severe: "Ernst",
    warning: "Warnung",
    note: "Hinweis",
    ok: "Gut",
  },
  found: "Was gefunden wurde",
  mend: "So behebst du es: {command}",
  thingsAreWell: (count) =>
    plural(count, { one: "Eine Sache ist in Ordnung", other: "{n} Sachen sind in Ordnung" }),
  failing: {
    title: "Webhook-Endpunkte mit Fehlern",
    none: "Keiner hat Fehler, und keiner ist aus, den nicht sein Mitglied abgeschaltet hat.",
    nobodys: "Von niemandem",
    of: "Von {owner}",
    acknowledgesNothing: "Bestätigt nichts",
    since: "Beginn: {when}",
    off: "Aus",
    failing: "Fehler",
  },
  outgoing: {
    title: "E-Mail und Push",
    lead: "Was gerade auf den Versand an Mitglieder wartet, und die Versuche seit dem Start des Servers.",
    none: "Es wartet nichts, und seit dem Start des Servers wurde nichts verschickt.",
    urgent: "Dringende Mitteilungen per E-Mail",
    pushes: "Push-Nachrichten an Browser",
    queue: "Wartende Nachrichten",
    attempts: "Versuche je Ziel",
    columns: {
      what: "Art",
      waiting: "Wartend",
      oldest: "Älteste",
      host: "Ziel",
      sent: "Verschickt",
      failed: "Fehlgeschlagen",
    },
    mail: "E-Mail",
    push: "Push-Nachricht",
    others: "Andere Ziele",
    kinds: {
      confirm: "Bestätigungen einer Adresse",
      moved: "Hinweise an eine frühere Adresse",
      recovery: "Links zur Wiederherstellung",
      notification: "Mitteilungen per E-Mail",
      digest: "Zusammenfassungen",
      invitation: "Einladungen",
      applied: "Bestätigungen von Beitrittsanfragen",
      answered: "Antworten auf Beitrittsanfragen",
    },
  },
  today: {
    title: "Heute",
    active: "Heute aktiv",
    requests: "Anfragen",
    reads: "Lesen, 99 von 100 unter",
    faults: "Fehler von uns",
  },
  month: {
    title: "Die letzten dreißig Tage",
    activeTitle: "Aktive Mitglieder am Tag",
    active: "aktiv",
    writtenTitle: "Geschrieben am Tag",
    posts: "Beiträge",
    replies: "Antworten",
    newTitle: "Neu am Tag",
    signUps: "Mitglieder",
    jobs: "Stellen",
    prompts: "Prompts",
    attemptsTitle: "Zustellversuche am Tag",
    acknowledged: "bestätigt",
    failed: "fehlgeschlagen",
    readsTitle: "Lesen beantwortet in",
    writesTitle: "Schreiben beantwortet in",
    half: "die Hälfte",
    nearlyAll: "99 von 100",
    faultsTitle: "Anfragen, die ein Fehler von uns beendet hat",
    faults: "Fehler",
    sizeTitle: "Größe der Datenbank",
    size: "Größe",
    freeTitle: "Frei auf ihrem Datenträger",
    free: "frei",
  },
  figures: {
    unknown: "–",
    count: (value) => (value < 10_000 ? number(Math.round(value * 10) / 10) : compact(value)),
    time: (ms) =>
      ms >= 1000
        ? `${decimal(ms / 1000, 1)}\u00a0s`
        : `${number(ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms))}\u00a0ms`,
  },
  charts: {
    nothing: "Von diesen Tagen ist noch nichts bekannt.",
    today: "heute",
    ofDay: (day, figures) => `${day}: ${figures.join(", ")}`,
    figure: (value, of) => `${value} ${of}`,
    noFigure: (of) => `${of}: nichts bekannt`,
    point: (day, of, value) => `${day}: ${of} ${value}`,
    whole: (title, series) => `${title}. ${series.join(" ")}`,
    onlyToday: (of, today) => `${of}: ${ofToday(today)}.`,
    series: (of, today, least, most, mean) =>
      `${of}: ${ofToday(today)}, an den Tagen davor ${least} bis ${most}, im Mittel ${mean}.`,
  },
};
