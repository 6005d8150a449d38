import type { Words } from "../words.ts";
import { decimal, list, number, plural } from "./forms.ts";

/** The endpoints of a workspace, one of them, its deliveries. */
export const webhooks: Words["webhooks"] = {
  title: "Webhooks",
  all: "Alle Webhooks",
  add: "Endpunkt hinzufügen",
  lead: "Ein Endpunkt von dir bekommt eine signierte Anfrage, Millisekunden nachdem hier etwas geschieht, und 24 Stunden lang immer wieder, bis er antwortet. [Wie man eine Signatur prüft](/docs#deliveries)",
  empty: "Noch kein Endpunkt",
  emptyLead:
    "Sag deinem Chat, deinem Build oder deinem eigenen Skript Bescheid, wenn jemand etwas veröffentlicht, eine Stelle zu dir passt oder dir jemand schreibt.",
  states: {
    off: "Aus",
    disabled: "Abgeschaltet",
    on: "An",
    failing: "Fehler",
    failingForADay: "Fehler seit einem Tag",
  },
  form: {
    url: "Adresse",
    urlHint: "Eine Adresse mit https://, die aus dem ganzen Internet erreichbar ist.",
    urlExample: "https://hooks.example.com/guildhall",
    events: "Wovon er erfährt",
    button: "Endpunkt hinzufügen",
  },
  made: {
    title: "Dein Endpunkt",
    heading: "Dein Endpunkt ist bereit",
    next: "Als Nächstes",
    nextLead:
      "Leg das Geheimnis dorthin, wo dein Empfänger es lesen kann, und [schick dann ein Testereignis]({address}).",
  },
  secret: {
    label: "Signaturgeheimnis",
    copy: "Kopiere es jetzt: Es wird nicht noch einmal gezeigt. Wer es hat, kann Anfragen schicken, die wie unsere aussehen.",
    lead: "Ein neues gilt sofort; jedes frühere signiert noch 24 Stunden mit, damit dein Empfänger nachkommt. Fünf können zugleich gelten.",
    make: "Neues Geheimnis erstellen",
    older(count) {
      const ends = list(Array.from({ length: count }, (_, index) => `{${index}}`));
      return count === 1
        ? `Ein älteres Geheimnis signiert noch mit, bis ${ends}.`
        : plural(count, { other: `{n} ältere Geheimnisse signieren noch mit, bis ${ends}.` });
    },
    newTitle: "Ein neues Signaturgeheimnis",
    of: "Für {url}",
    back: "Zurück zum Endpunkt",
  },
  endpoint: {
    title: "Webhook-Endpunkt",
    ofApp: "Die App „{app}“ hat ihn angelegt. Er endet, wenn du [die App trennst](/settings/connected).",
    changeTitle: "Ändern",
    save: "Speichern",
    stop: "Anhalten",
    stopLead:
      "Beim Pausieren bleibt, was wartet, und es geht später dort weiter. Beim Löschen wird alles vergessen.",
    pause: "Zustellungen pausieren",
    delete: "Endpunkt löschen",
    failing: "Er hat Fehler",
    failingLead:
      "Er hat seit {when} nichts bestätigt. Was an ihn geht, wird 24 Stunden lang wieder versucht; nach fünf Tagen ohne eine Bestätigung wird er abgeschaltet.",
    paused: "Zustellungen ruhen",
    pausedLead:
      "{reason} Seit {when}. Die neuesten tausend, die warten, bleiben drei Tage; die übrigen gelten als fehlgeschlagen und lassen sich noch einmal senden.",
    deliver: "Wieder zustellen",
    leave: "Ausgeschaltet lassen",
  },
  test: {
    title: "Ausprobieren",
    lead: "Ein Test ist signiert und wird gesendet wie jedes Ereignis; er handelt von nichts, was es gibt: Jede Kennung darin endet auf Nullen.",
    type: "Art",
    button: "Testereignis senden",
  },
  figures: {
    acknowledged: "Bestätigt",
    percent: (percent) => `${number(percent)}\u00a0%`,
    median: "Antwort im Mittel",
    slow: "95 von 100 unter",
    waiting: "Wartend",
    unknown: "–",
    time: (ms) => (ms < 1000 ? `${number(ms)}\u00a0ms` : `${decimal(ms / 1000, 1)}\u00a0s`),
  },
  charts: {
    days: "Zustellungen am Tag",
    daysInWords: (days, acknowledged, failed, waiting) =>
      `In den letzten ${number(days)} Tagen: ${number(acknowledged)} bestätigt, ${number(failed)} fehlgeschlagen, ${number(waiting)} wartend.`,
    attempts: "Die letzten Versuche, nach Dauer der Antwort",
    seconds: (seconds) => `${number(seconds)}\u00a0s`,
    milliseconds: (ms) => `${number(ms)}\u00a0ms`,
    acknowledged: (moment, ms) => `${moment}: ${number(ms)}\u00a0ms, bestätigt`,
    failed: (moment, ms) => `${moment}: ${number(ms)}\u00a0ms, fehlgeschlagen`,
    attemptsInWords: (attempts, acknowledged) =>
      `Von den letzten Versuchen (${number(attempts)}) bestätigt: ${number(acknowledged)}.`,
  },
  deliveries: {
    title: "Zustellungen",
    again: "Noch einmal senden …",
    state: "Stand",
    all: "Alle",
    waiting: "Wartend",
    acknowledged: "Bestätigt",
    failed: "Fehlgeschlagen",
    onItsWay: "Unterwegs",
    empty: "Hier ist nichts",
    emptyLead: "Was an diesen Endpunkt geht, steht hier dreißig Tage lang.",
    attempts: (count) => plural(count, { one: "1 Versuch", other: "{n} Versuche" }),
  },
  delivery: {
    title: (type) => `Zustellung von ${type}`,
    event: "Ereignis",
    delivery: "Zustellung",
    fired: "Ausgelöst",
    attempts: "Versuche",
    attempt: (index) => `Versuch ${number(index)}`,
    attemptWith: (index, status) => `Versuch ${number(index)}: ${status}`,
    attemptAt: (ms) => `{when} · ${number(ms)}\u00a0ms`,
    answer: "Der Anfang der Antwort",
    givenUp: "Aufgegeben",
    acknowledged: "Bestätigt",
    onItsWay: "Unterwegs",
    paused: "Wartet, bis der Endpunkt eingeschaltet ist",
    due: "Der nächste Versuch ist fällig",
    next: "Nächster Versuch {when}",
    again: "Noch einmal senden",
    now: "Jetzt noch einmal versuchen",
  },
  recovery: {
    title: "Noch einmal senden",
    lead: "An {url}, das Älteste zuerst. Dein Empfänger kann ein Ereignis zweimal bekommen: Er soll verwerfen, dessen id er kennt.",
    paused: "Der Endpunkt ruht",
    pausedLead: "Lass zuerst wieder zustellen.",
    since: "Ab wann",
    spans: {
      hour: "Die letzte Stunde",
      day: "Die letzten 24 Stunden",
      week: "Die letzten 7 Tage",
      month: "Die letzten 30 Tage",
    },
    counts: (failed, acknowledged, missed) =>
      `${failed} fehlgeschlagen · ${acknowledged} bestätigt · ${missed} verpasst`,
    orMore: (count) => `${number(count)} oder mehr`,
    what: "Was",
    failed: "Was fehlgeschlagen ist",
    acknowledged: "Was bestätigt wurde",
    acknowledgedHint: "Für einen Empfänger, der verloren hat, was er hatte.",
    any: "Beides",
    beside: "Außerdem",
    missed: "Was er verpasst hat",
    missedHint:
      "Was ausgelöst wurde, solange er aus war oder von dieser Art noch nichts hören sollte. Jedes Ereignis einmal.",
    button: "Noch einmal senden",
  },
};
