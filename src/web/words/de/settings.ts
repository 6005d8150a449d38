import type { Words } from "../words.ts";
import { number, plural } from "./forms.ts";

/** Access tokens: the list, a new one, the end of one. */
export const tokens: Words["tokens"] = {
  title: "Zugriffstoken",
  all: "Alle Token",
  newOne: "Neues Token",
  lead: "Für deine eigenen Skripte und Werkzeuge: Wer eines hat, handelt als du, so weit seine Rechte reichen. [Wie man es benutzt](/docs#authentication)",
  empty: "Noch kein Token",
  emptyLead:
    "Mit einem Token kann ein Skript in deinem Namen veröffentlichen, Stellen suchen oder den Feed lesen, und nichts, was du nicht erlaubt hast.",
  row: {
    in: (workspace) => `In ${workspace}`,
    made: "Erstellt {when}",
    neverUsed: "nie benutzt",
    used: "zuletzt benutzt {when}",
    neverExpires: "gilt unbegrenzt",
    expires: "läuft ab {when}",
    expiredAt: "abgelaufen {when}",
    unusedScope: (scope) => `${scope} (nie benutzt)`,
    expired: "Abgelaufen",
    revoked: "Widerrufen",
    revoke: "Widerrufen",
    revokeOf: (name) => `${name} widerrufen`,
  },
  revocation: {
    title: "Ein Token widerrufen",
    lead: "Die nächste Anfrage mit „{name}“ wird abgelehnt. [Behalten](/settings/tokens)",
    endpoints: "Webhook-Endpunkte, die damit angelegt wurden",
    endpointsHint:
      "Sie gehören dir und empfangen weiter. Hake die an, die zusammen mit dem Token enden sollen.",
    button: "Token widerrufen",
  },
  form: {
    title: "Neues Zugriffstoken",
    name: "Wofür es ist",
    nameExample: "Skript für den Wochenrückblick",
    scopes: "Was es darf",
    scopesHint: "Gib ihm so wenig wie nötig; die Liste der Token zeigt, was nie benutzt wurde.",
    workspace: "Arbeitsbereich",
    workspaceHint: "Das Token sieht dessen Webhooks.",
    personal: "Persönlich",
    days: "Gültig für",
    daysOf: (count) => plural(count, { one: "{n} Tag", other: "{n} Tage" }),
    forGood: "Bis ich es widerrufe",
    make: "Token erstellen",
  },
  made: {
    title: "Dein neues Token",
    label: "Zugriffstoken",
    copy: "Kopiere es jetzt: Es wird nicht noch einmal gezeigt. Bewahre es auf wie ein Passwort.",
    try: "Probier es aus:",
    request: "Eine Anfrage mit dem Token",
  },
};

/** Workspaces, their people and the ways into them. */
export const workspaces: Words["workspaces"] = {
  title: "Arbeitsbereiche",
  all: "Alle Arbeitsbereiche",
  lead: "Token, Apps und Webhooks gehören zu einem Arbeitsbereich. Deiner gehört dir allein; ein gemeinsamer hat mehrere Mitglieder.",
  newTitle: "Ein neuer gemeinsamer Arbeitsbereich",
  name: "Name",
  nameExample: "Gezeiten-Werkzeuge",
  make: "Anlegen",
  personal: "Persönlich",
  personalLead: "Dir allein, auf Dauer",
  people: (count) => plural(count, { one: "1 Mitglied", other: "{n} Mitglieder" }),
  roles: { owner: "Leitung", member: "Mitglied" },
  members: {
    joined: "beigetreten {when}",
    roleOf: (username) => `Rolle von ${username}`,
    makeOwner: "Leitung geben",
    makeMember: "Leitung nehmen",
    remove: "Entfernen",
    removeOf: (username) => `${username} entfernen`,
  },
  invitations: {
    secret: "Einladung",
    secretLead:
      "Schick sie einer einzigen Person. Sie gilt einmal, sieben Tage lang, und wird nicht noch einmal gezeigt.",
    title: "Jemanden einladen",
    lead: "Du bekommst einen Link für eine einzige Person. Wer ihn öffnet und angemeldet ist, kann beitreten.",
    open: "Eine offene Einladung",
    by: "Von {inviter}, endet {when}",
    withdraw: "Zurückziehen",
    make: "Einladung erstellen",
  },
  naming: { title: "Name", label: "Wie er heißt", rename: "Umbenennen" },
  stop: {
    leaveTitle: "Verlassen",
    leaveLead:
      "Deine Token und verbundenen Apps in diesem Arbeitsbereich funktionieren nicht mehr, wenn du ihn verlässt.",
    title: "Verlassen oder löschen",
    lead: "Deine Token und verbundenen Apps in diesem Arbeitsbereich funktionieren nicht mehr, wenn du ihn verlässt. Löschst du ihn, enden sie für alle, samt seinen Webhooks und Apps.",
    leave: "Arbeitsbereich verlassen",
    delete: "Arbeitsbereich löschen",
  },
  join: {
    title: "Einem Arbeitsbereich beitreten",
    heading: (workspace) => `Beitreten: ${workspace}`,
    lead: (inviter) =>
      `@${inviter} lädt dich ein. Wer dazugehört, sieht die Webhooks und Apps dieses Arbeitsbereichs, nicht deine eigenen.`,
    button: "Beitreten",
  },
};

/** One's own profile as one changes it, and where its points come from. */
export const ownProfile: Words["ownProfile"] = {
  title: "Profil",
  lead: "Was andere von dir sehen. [Sieh es dir an]({address}), oder sieh nach, [woher deine Punkte kommen](/settings/xp).",
  name: "Name",
  bio: "Über dich",
  bioHint: "Markdown, bis zu 500 Zeichen.",
  save: "Speichern",
  zone: {
    label: "Zeitzone",
    hint: "Zeiten siehst du, wie sie dort sind, und dein Tag endet dort um Mitternacht: danach zählt deine Serie.",
    change: "{next} gilt ab {when}; bis dahin {current}.",
    elsewhere: "Andere",
    community: (zone) => `Wie die Community (${zone})`,
  },
  face: {
    title: "Wie du aussiehst",
    crest: "Dein Wappen entsteht aus deinem Benutzernamen. Du kannst stattdessen ein Bild zeigen.",
    picture: "Dein Bild steht neben deinem Namen.",
    file: "Ein Bild",
    fileHint: "JPEG, PNG, WebP oder GIF, höchstens 16 MiB. Es wird zu einem Schild zugeschnitten.",
    save: "Dieses Bild zeigen",
    remove: "Wieder mein Wappen zeigen",
  },
  projects: {
    title: "Projekte",
    lead: "Was du baust; es steht auf deinem Profil.",
    add: "Projekt hinzufügen",
    change: "Ändern",
    changeOf: (title) => `${title} ändern`,
    remove: "Entfernen",
    removeOf: (title) => `${title} entfernen`,
    changeTitle: "Projekt ändern",
    back: "Zurück zum Profil",
    name: "Titel",
    url: "Wo man es sieht",
    urlHint: "Eine Adresse, die mit https:// beginnt; darf leer bleiben.",
    description: "Was es ist",
    descriptionHint: "Markdown, bis zu 1.000 Zeichen; darf leer bleiben.",
    save: "Speichern",
  },
  xp: {
    title: "Woher diese Punkte kommen",
    lead: (points) => `${number(points)} XP insgesamt, die neuesten zuerst. [Dein Profil]({address})`,
    empty: "Noch keine Punkte",
    emptyLead: "Beiträge, Antworten, Prompts und Stellen bringen welche, und jeder Tag in Folge auch.",
  },
};
