import type { Words } from "../words.ts";
import { plural } from "./forms.ts";

/** What stands around every page. */
export const frame: Words["frame"] = {
  skip: "Zum Inhalt springen",
  main: "Hauptmenü",
  feed: "Feed",
  jobs: "Stellen",
  prompts: "Prompts",
  builders: "Leute",
  messages: "Nachrichten",
  admin: "Leitung",
  unread: "ungelesen",
  accountOf: (name) => `Konto von ${name}`,
  profile: "Profil",
  bookmarks: "Lesezeichen",
  settings: "Einstellungen",
  signIn: "Anmelden",
  signOut: "Abmelden",
  reference: "API-Referenz",
  graphql: "GraphQL",
  language: "Sprache",
  sections: {
    profile: "Profil",
    account: "Konto",
    notifications: "Mitteilungen",
    tokens: "Zugriffstoken",
    apps: "Deine Apps",
    connected: "Verbundene Apps",
    webhooks: "Webhooks",
    workspaces: "Arbeitsbereiche",
    following: "Folge ich",
    activity: "Protokoll",
  },
  maintenance: {
    label: "Wartung",
    forMembers: "{message} Du kannst alles lesen und nichts ändern.",
    forMembersUntil: "{message} Bis {until} kannst du alles lesen und nichts ändern.",
    forAdmins: "{message} Nur Admins können etwas ändern. [Beenden](/admin/maintenance)",
    forAdminsUntil: "{message} Bis {until} können nur Admins etwas ändern. [Beenden](/admin/maintenance)",
  },
  troubles: {
    label: "Webhooks, die dich brauchen",
    off: "Dein Webhook-Endpunkt {host} ist seit {since} aus. {reason}",
    failing:
      "Dein Webhook-Endpunkt {host} hat seit {since} nichts bestätigt; nach fünf Tagen wird er abgeschaltet.",
    look: "Ansehen",
    more: (count) => plural(count, { one: "Und noch einer.", other: "Und {n} weitere." }),
  },
  problem: {
    home: "Zur Startseite",
    quote: "Wenn du deswegen nachfragst, nenne die Nummer der Anfrage: {id}.",
    typed: "Dein Text",
    typedHint: "Der Text wurde nicht gespeichert. Kopiere ihn, bevor du diese Seite verlässt.",
  },
};

/** What the same things are called on many pages. */
export const parts: Words["parts"] = {
  preview: {
    title: "Vorschau",
    lead: "So wird es aussehen. Noch sieht es niemand.",
    button: "Vorschau",
  },
  inAMoment: "gleich",
  justNow: "gerade eben",
  older: "Ältere",
  undo: "Rückgängig",
  keep: "Behalten",
  passkey: {
    unchanged: "Es wurde nichts geändert. Versuch es noch einmal, wenn du so weit bist.",
    unanswered: "Der Server hat nicht geantwortet, wie er sollte; lade die Seite neu.",
  },
  workspace: "Arbeitsbereich",
  personal: "Persönlich",
};
