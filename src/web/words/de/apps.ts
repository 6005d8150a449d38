import type { Words } from "../words.ts";
import { number } from "./forms.ts";

/** The apps of a workspace: the list, a new one, one of them. */
export const apps: Words["apps"] = {
  title: "Deine Apps",
  all: "Alle Apps",
  register: "App registrieren",
  lead: "Eine App handelt für andere Mitglieder; jedes lässt sie selbst zu und sagt, was sie darf. [Wie das geht](/docs/oauth)",
  empty: "Noch keine App",
  emptyLead:
    "Registriere eine, wenn du etwas für andere baust: Sie bekommt ihren eigenen Namen auf der Seite der Zustimmung und sieht nie ein Passwort. Für eigene Skripte genügt ein [Zugriffstoken](/settings/tokens).",
  kinds: { public: "Öffentlich", confidential: "Vertraulich" },
  registered: "registriert {when}",
  suspended: "Gesperrt",
  ownerSuspended: "Mitglied gesperrt",
  clientId: "Client-ID",
  form: {
    guide: "Die [OAuth-Anleitung](/docs/oauth) nennt jeden Schritt und lauffähige Beispiele.",
    runs: "Wo sie läuft",
    confidential: "Auf einem Server von mir",
    confidentialHint: "Vertraulich: Sie bekommt ein Geheimnis und hütet es, wo niemand sonst hinsieht.",
    public: "Im Browser, auf einem Telefon, auf einem Rechner",
    publicHint:
      "Öffentlich: Wer sie hat, kann hineinsehen; also bekommt sie kein Geheimnis und weist sich mit PKCE aus. Seiten unter den Origins ihrer Weiterleitungsadressen dürfen die API aufrufen (CORS).",
    workspace: "Arbeitsbereich",
    workspaceHint: "Wer dazugehört, kann die App ändern; zu sehen ist, wer sie registriert hat.",
    personal: "Persönlich",
    button: "Registrieren",
    name: "Name",
    nameHint: "Den lesen alle, bevor sie die App zulassen.",
    nameExample: "Gezeiten-CI",
    homepage: "Webseite",
    homepageHint: "Eine Adresse mit https://; darf leer bleiben.",
    redirects: "Rücksprungadressen",
    redirectsHint: (most) =>
      `Eine je Zeile, bis zu ${number(most)}. Zurück geht es an genau eine davon: https://, http://127.0.0.1 oder ein Schema wie com.example.app:`,
    redirectsExample: "https://ci.gezeiten.example/callback",
    scopes: "Worum sie bitten darf",
    scopesHint: "Das Äußerste, worum sie je bitten kann; jedes Mitglied darf ihr weniger geben.",
    signing: "Wie ihre ID-Token signiert werden",
    signingHint:
      "Nur für Apps, mit denen man sich anmeldet. RS256 liest jedes Werkzeug; EdDSA ist kleiner, wenn deines es kennt.",
  },
  made: {
    title: "Deine neue App",
    copy: "Kopiere es jetzt: Es wird nicht noch einmal gezeigt. Es gehört auf deinen Server und sonst nirgends hin.",
    toApp: "Zur Seite der App",
  },
  app: {
    leads: {
      public: "Öffentlich, registriert {when}. [Alle Apps]({address})",
      confidential: "Vertraulich, registriert {when}. [Alle Apps]({address})",
    },
    leadsOfWorkspace: {
      public: "Öffentlich, registriert {when} in „{workspace}“. [Alle Apps]({address})",
      confidential: "Vertraulich, registriert {when} in „{workspace}“. [Alle Apps]({address})",
    },
    origins: "Origins, die die API aufrufen dürfen",
    rate: "Grenze",
    rateOf: (sustained, burst) => `${number(sustained)} Anfragen pro Minute, ${number(burst)} auf einmal`,
    changeTitle: "Ändern",
    changeLead: "Ein Recht, das du wegnimmst, fehlt sofort in jedem Token der App.",
    save: "Speichern",
    deleteTitle: "Löschen",
    deleteLead:
      "Sie wird von allen getrennt, die sie zugelassen haben, und ihre Token gelten sofort nicht mehr.",
    delete: "App löschen",
    suspendedLead:
      "Seit {when} gilt keines ihrer Token, und niemand kann sie zulassen. Frag bei denen nach, die diese Community leiten.",
    orphaned: "Wem sie gehört, ist gesperrt",
    orphanedLead:
      "Keines ihrer Token gilt, und niemand kann sie zulassen, bis jemand wieder herein darf, der ihren Arbeitsbereich leitet.",
  },
  secret: {
    title: "Client-Geheimnis",
    lead: "Ein neues gilt sofort; das alte gilt noch 24 Stunden, damit dein Server nachkommt. Kam es in fremde Hände, erstelle zweimal ein neues.",
    before: "Das vorige gilt bis {when}.",
    make: "Neues Geheimnis erstellen",
    newTitle: "Ein neues Client-Geheimnis",
    copy: "Kopiere es jetzt: Es wird nicht noch einmal gezeigt.",
    back: "Zurück zur App",
  },
  deletion: {
    title: "App löschen",
    heading: "App löschen?",
    lead: "{name} und alles, was Mitglieder dieser App erlaubt haben, verschwinden endgültig.",
    button: "Löschen",
    keep: "Behalten",
  },
  example: {
    title: "Was sie wissen muss",
    lead: "Die meisten OAuth-Bibliotheken finden alles Weitere mit der ersten Adresse allein.",
    addresses: {
      issuer: "Aussteller",
      authorize: "Zustimmung",
      token: "Token",
      device: "Gerät",
      metadata: "Metadaten",
    },
    first: "1. Schick jemanden hierher; zurück geht es an deine Rücksprungadresse, mit einem Code:",
    firstLabel: "Die Adresse, an die du jemanden schickst",
    second: "2. Tausche den Code innerhalb einer Minute gegen Token:",
    secondLabel: "Die Anfrage um Token",
    challenge:
      "Die Challenge ist das Beispiel aus RFC 7636: Im Ernstfall bildet deine App jedes Mal eine neue und auch einen neuen state.",
  },
};

/** The apps that somebody has let in. */
export const connected: Words["connected"] = {
  title: "Verbundene Apps",
  lead: "Was als du handeln darf. Trennst du eine App, enden ihre Token und Webhooks sofort; sie muss dich dann neu fragen.",
  empty: "Keine App ist verbunden",
  emptyLead:
    "Bittet eine App darum, als du zu handeln, entscheidest du hier, was sie darf, und sie steht in dieser Liste.",
  suspended: "Gesperrt",
  by: "Von {maker}",
  inWorkspace: "im Arbeitsbereich „{workspace}“",
  connected: "Verbunden {when}",
  neverUsed: "nie benutzt",
  used: "zuletzt benutzt {when}",
  locked: "Wer die Community leitet, hat sie ausgesperrt: Keines ihrer Token gilt.",
  endpoints: "Sie bekommt Ereignisse an",
  disconnect: "Trennen",
  disconnectOf: (app) => `${app} trennen`,
};

/** What somebody is asked before an app or a device acts as them. */
export const consent: Words["consent"] = {
  workspaceMaker: "Arbeitsbereich „{name}“",
  title: "Eine App zulassen",
  heading: "Diese App zulassen?",
  again: "Mit dieser App weitermachen?",
  asWho: "Sie würde als {username} handeln, und das bist du.",
  notYou: "Nicht du?",
  form: "Was die App darf",
  asks: "Sie bittet darum:",
  asksHint: "Schalte aus, was du nicht geben willst.",
  deny: "Ablehnen",
  allow: "Erlauben",
  takeBack: "Du kannst das jederzeit unter [Verbundene Apps](/settings/connected) zurücknehmen.",
  card: {
    label: "Die App, die fragt",
    goesTo: "Der Zugang geht an",
    registeredBy: "Registriert von",
    home: "Ihre Webseite, sagt sie",
    device: "das Gerät, das dir den Code gezeigt hat",
    program: "ein Programm auf diesem Rechner ({address})",
    app: "eine App auf diesem Gerät ({address})",
  },
  granted: "Das hast du schon einmal erlaubt",
  hears: "Über Webhooks erfährt sie, was geschieht",
  hearsNothing: "Es geschieht nichts, was sie lesen darf: Sie bittet um kein Recht, das ein Ereignis öffnet.",
  withScope: (scope) => `mit ${scope}`,
  workspace: "Arbeitsbereich",
  workspaceHint: "Die App sieht dessen Webhooks.",
  personal: "Persönlich",
  inWorkspace: "Im Arbeitsbereich „{workspace}“.",
  signIn: "Um mit {app} weiterzumachen, melde dich zuerst hier an. Dein Passwort bleibt hier.",
  onward: { title: "Es geht weiter", heading: "Du bist angemeldet", goOn: "Weiter" },
  ended: {
    title: "Diese Anfrage ist vorbei",
    lead: "Eine Anfrage lässt sich einmal beantworten, innerhalb einer Stunde. Diese Seite zu öffnen hat niemandem etwas gegeben.",
    letIn: "Was du zugelassen hast, steht unter [Verbundene Apps](/settings/connected).",
  },
  device: {
    title: "Ein Gerät verbinden",
    lead: "Gib den Code ein, den dein Gerät zeigt. Mach nur weiter, wenn du es vor dir hast.",
    code: "Code",
    codeHint: "Acht Buchstaben",
    compare: "Vergleiche ihn mit deinem Gerät, Buchstabe für Buchstabe.",
    codeExample: "WDJB-MJHT",
    goOn: "Weiter",
    warning:
      "Hat dir jemand einen Code oder einen Link zu dieser Seite geschickt? Dann ließest du ein fremdes Gerät als dich herein.",
    connected: "Deine verbundenen Apps",
    done: "Dein Gerät ist verbunden",
    doneLead: "Es macht in wenigen Sekunden von selbst weiter. Du kannst diese Seite schließen.",
    refused: "Nichts wurde gegeben",
    refusedLead: "Das Gerät bekommt keinen Zugang. Du kannst diese Seite schließen.",
  },
};
