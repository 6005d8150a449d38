import type { Words } from "../words.ts";
import { number, plural } from "./forms.ts";

/** What those who run the community see: the overview, the log, invites, maintenance. */
export const admin: Words["admin"] = {
  title: "Leitung",
  places: {
    overview: "Überblick",
    health: "Zustand",
    statistics: "Statistik",
    reports: "Meldungen",
    community: "Gemeinschaft",
    builders: "Mitglieder",
    invites: "Einladungen",
    applications: "Anfragen",
    apps: "Apps",
    maintenance: "Wartung",
    audit: "Protokoll",
  },
  overview: {
    signUp: {
      open: "Wer will, kann mitmachen.",
      approval:
        "Wer darum bittet, kann mitmachen, sobald ein Admin zugesagt hat; mit einem Einladungslink sofort.",
      invite: "Wer einen Einladungslink hat, kann mitmachen.",
      closed: "Zurzeit kann niemand mitmachen.",
    },
    newest: "Neueste Mitglieder",
    allBuilders: "Alle Mitglieder",
    admins: "Wer die Community leitet",
    lately: "Was zuletzt getan wurde",
    wholeLog: "Das ganze Protokoll",
    nothing: "Noch nichts.",
    look: "Den Zustand des Servers ansehen",
    noReport: "Keine Meldung wartet auf dich.",
    reports: (count) =>
      count === 1
        ? "Eine Meldung wartet auf dich"
        : plural(count, { other: "{n} Meldungen warten auf dich" }),
    reportsOrMore: (count) => `${number(count)} oder mehr Meldungen warten auf dich`,
  },
  backups: {
    title: "Sicherungen",
    none: "Der Server macht keine Sicherungen. Wer ihn betreibt, plant sie mit GUILDHALL_BACKUP.",
    last: (megabytes, seconds) =>
      `Letzte geprüfte Sicherung: {when}, {name}, ausgepackt ${number(megabytes)}\u00a0MB, in ${number(seconds)}\u00a0s.`,
    notYet: "Es gibt noch keine Sicherung.",
    late: "Das ist zu lange her. Wer den Server betreibt, sollte in sein Protokoll sehen.",
    failed: "Der letzte Versuch ({when}) ist fehlgeschlagen: {reason}",
    rehearsed: "Das Zurückspielen wurde zuletzt erprobt und gelang: {when}, {name}.",
    rehearsalFailed: "Das Zurückspielen wurde erprobt ({when}) und ist fehlgeschlagen: {reason}",
  },
  audit: {
    lead: (kept) => `Alles, was die Sicherheit aller Konten betrifft: wer, was, von wo. Aufbewahrt: ${kept}.`,
    empty: "Noch nichts",
    emptyLead: "Hier steht dann, was Admins tun, und Anmeldungen, Token, Apps und dergleichen.",
  },
  invites: {
    lead: {
      open: "Wer will, kann mitmachen; wer über einen Link kommt, gilt als dein Gast.",
      approval:
        "Wer über einen Link kommt, wartet auf keine Antwort. Du stehst ein für alle, die über deinen kommen.",
      invite: "Ohne Link kommt niemand herein. Du stehst ein für alle, die über deinen kommen.",
      closed: "Zurzeit kann niemand mitmachen, auch nicht mit einem Link.",
    },
    what: "Wofür er ist (wenn du magst)",
    whatHint: "Das sehen nur Admins, zum Beispiel „Treffen im Mai“.",
    people: "Für wie viele Leute",
    long: "Wie lange",
    longs: { 1: "1 Stunde", 24: "1 Tag", 168: "7 Tage", 720: "30 Tage", 2160: "90 Tage" },
    make: "Einladungslink erstellen",
    label: "Einladungslink",
    shownOnce: (uses) =>
      plural(uses, {
        one: "Kopiere ihn jetzt oder lass ihn fotografieren: Er wird nicht noch einmal gezeigt. Er gilt einmal, bis {when}.",
        other:
          "Kopiere ihn jetzt oder lass ihn fotografieren: Er wird nicht noch einmal gezeigt. Er gilt {n}-mal, bis {when}.",
      }),
    copy: "Kopieren",
    copied: "Kopiert",
    code: "Derselbe als QR-Code",
    used: (used, uses) => `${number(used)} von ${number(uses)} gebraucht`,
    titled: (label) => `Link „${label}“ zurückziehen`,
    empty: "Kein Link ist offen",
    emptyLead: "Erstelle einen und schick ihn jemandem, den du hier haben möchtest.",
    madeByOperator: "Erstellt {when} beim Betrieb des Servers",
    madeBy: "Erstellt {when} von {inviter}",
    until: "Gilt bis {when}",
    withdraw: "Zurückziehen",
    withdrawOf: (minute) => `Link zurückziehen, erstellt ${minute}`,
  },
  applications: {
    lead: "Wer mitmachen möchte; wer am längsten wartet, zuerst. Wer aufgenommen wird, hat sofort ein Konto; bei allen anderen wird gelöscht, was sie geschrieben haben.",
    leadElse: "Zurzeit muss niemand fragen: Wer mitmacht, ist anders geregelt.",
    empty: "Niemand wartet",
    emptyLead: "Wer um Aufnahme bittet, steht hier, bis ein Admin geantwortet hat.",
    asked: "gefragt {when}",
    word: "Ein Wort dazu (wenn du magst)",
    approve: "Aufnehmen",
    decline: "Ablehnen",
    approveOf: (username) => `@${username} antworten`,
    counted: (count) =>
      plural(count, { one: "{n} Person möchte mitmachen", other: "{n} Personen möchten mitmachen" }),
    countedOrMore: (count) => `${number(count)} oder mehr Personen möchten mitmachen`,
  },
  maintenance: {
    lead: "Alle lesen weiter, und nur Admins ändern etwas. Zustellungen warten und gehen danach hinaus.",
    now: "Jetzt",
    since: "Sie läuft seit {since}, bis jemand sie beendet.",
    sinceUntil: "Sie läuft seit {since}, bis {until}.",
    end: "Wartung beenden",
    changeTitle: "Ändern, was gesagt wird",
    beginTitle: "Beginnen",
    message: "Was alle lesen",
    usual: "Hier wird gerade gewartet.",
    messageHint: "Ein Satz oder zwei, oben auf jeder Seite und in jeder Ablehnung.",
    length: "Wie lange",
    lengths: {
      open: "Bis jemand sie beendet",
      quarter: "Eine Viertelstunde",
      hour: "Eine Stunde",
      fourHours: "Vier Stunden",
    },
    asItIs: "So lange wie bisher",
    change: "Ändern",
    begin: "Wartung beginnen",
  },
};
