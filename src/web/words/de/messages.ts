import type { Words } from "../words.ts";
import { number, plural } from "./forms.ts";

/** Conversations of two, requests, who may write. */
export const messages: Words["messages"] = {
  heading: "Nachrichten",
  all: "Alle Nachrichten",
  newOne: "Neue Nachricht",
  places: {
    inbox: "Eingang",
    requests: "Anfragen",
    requestsOf: (waiting) => `Anfragen (${waiting > 99 ? "99+" : number(waiting)})`,
    settings: "Wer dir schreiben darf",
    blocked: "Blockiert",
  },
  box: {
    requestsHere: (waiting) =>
      waiting > 99
        ? "99+ Nachrichtenanfragen"
        : plural(waiting, { one: "1 Nachrichtenanfrage", other: "{n} Nachrichtenanfragen" }),
    requestsFrom: "Von Mitgliedern, denen du noch nicht geschrieben hast.",
    requests:
      "Von Mitgliedern, denen du nicht geschrieben hast. Antworte oder nimm an, und das Gespräch steht in deinem Eingang.",
    noRequest: "Keine Anfrage wartet",
    noRequestLead:
      "Was dir jemand Neues schreibt, steht zuerst hier. [Wer dir schreiben darf](/messages/settings)",
    nothing: "Noch kein Gespräch",
    nothingLead: "Schreib jemandem, dessen Arbeit dir gefällt: Nur ihr beide seht es.",
    unread: (count) => plural(count, { other: "{n} ungelesen" }),
    mine: (text) => `Du: ${text}`,
  },
  settings: {
    lead: "Wer es nicht darf, erfährt keinen Grund. Was schon da ist, bleibt.",
    legend: "Nachrichten bekommen von",
    save: "Speichern",
    from: {
      everybody: {
        words: "Allen",
        hint: "Was dir jemand Neues schreibt, wartet unter „Anfragen“, bis du antwortest oder annimmst.",
      },
      contacts: {
        words: "Mitgliedern, denen ich geschrieben habe oder folge",
        hint: "Du kannst trotzdem mit allen ein Gespräch anfangen; sie können dann antworten.",
      },
      nobody: { words: "Niemandem", hint: "Auch nicht in Gesprächen, die es schon gibt." },
    },
  },
  form: {
    to: "An",
    toHint: "Ein Benutzername.",
    text: "Nachricht",
    textHint: "Markdown, bis zu 4.000 Zeichen.",
    send: "Senden",
  },
  blocked: {
    lead: "Sie können dir nicht schreiben und erfahren nichts davon.",
    nobody: "Niemand ist blockiert",
    nobodyLead: "Auf einem Profil kannst du jemanden blockieren, falls es je nötig ist.",
    unblock: "Freigeben",
    unblockOf: (name) => `${name} freigeben`,
  },
  thread: {
    earlier: "Frühere",
    newest: "Zu den neuesten",
    answer: "Antworten",
    yours: "Deine Antwort",
    you: "Du",
    report: "Melden",
  },
  request: {
    title: "Eine Anfrage",
    lead: "{name} hast du noch nie geschrieben. Antworte oder nimm an, und das Gespräch steht in deinem Eingang; dass du es gelesen hast, sieht niemand.",
    accept: "Annehmen",
    block: "Blockieren",
    blockOf: (name) => `${name} blockieren`,
  },
};
