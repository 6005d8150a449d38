import type { Words } from "../words.ts";
import { decimal, number, plural } from "./forms.ts";

/** The community's own face: what it says of itself, and where that is changed. */
export const community: Words["community"] = {
  about: {
    title: "Über uns",
    rules: "Regeln",
    joinTitle: "So machst du mit",
    join: {
      open: "Alle können mitmachen: [Leg dir ein Konto an](/sign-up).",
      approval:
        "[Bitte um Aufnahme](/sign-up): Wer die Community leitet, sieht sich an, wer kommt, und lässt dich herein.",
      invite:
        "Mit Einladung: Bitte jemanden von den Admins um einen Link. Er führt dahin, wo du dein Konto anlegst.",
      closed: "Zurzeit kann niemand mitmachen.",
    },
    forMembers:
      "Was hier geschrieben wird, ist für Mitglieder. [Melde dich an](/sign-in), wenn du eines bist.",
    stewards: "Wer die Community leitet",
    roles: { owner: "Leitung", admin: "Admin", moderator: "Moderation", member: "Mitglied" },
    contactTitle: "Kontakt",
    counts: {
      members: (count) => plural(count, { one: "1 Mitglied", other: "{n} Mitglieder" }),
      active: (count) => `${number(count)} im letzten Monat hier`,
      posts: (count) => plural(count, { one: "1 Beitrag", other: "{n} Beiträge" }),
      replies: (count) => plural(count, { one: "1 Antwort", other: "{n} Antworten" }),
      jobs: (count) => plural(count, { one: "1 Stelle", other: "{n} Stellen" }),
      prompts: (count) => plural(count, { one: "1 Prompt", other: "{n} Prompts" }),
    },
  },
  admin: {
    title: "Gemeinschaft",
    lead: "Was die Gemeinschaft von sich sagt. Jeder Teil wird für sich gespeichert und gilt ab der nächsten Seite, die jemand öffnet; was leer bleibt, ist so, wie es der Server vorgibt.",
    save: "Speichern",
    sections: {
      name: "Ihr Name",
      look: "Ihre Farbe",
      texts: "Willkommen und Regeln",
      doors: "Wer liest, wer beitritt",
      place: "Sprache und Zeit",
      newcomers: "Neue",
    },
    name: "Name",
    nameHint:
      "Steht oben auf jeder Seite, in Mails und überall, wo Apps um Zugang bitten; höchstens 40 Zeichen.",
    line: "In einer Zeile",
    lineHint: "Was das hier ist, für jemanden, der noch nie davon gehört hat; steht beim Namen.",
    contact: "Kontakt",
    contactHint:
      "Eine Mailadresse oder eine Webadresse, die mit https:// beginnt; alle sehen sie unter „Über uns“.",
    accent: "Akzentfarbe",
    accentHint:
      "Für Links und Knöpfe, als # und sechs Ziffern; für dunkle Seiten wird ein hellerer Ton daraus.",
    welcome: "Willkommen",
    welcomeHint: "Was Fremde unter „Über uns“ zuerst lesen. Markdown.",
    rules: "Regeln",
    rulesHint: "Wie ihr hier miteinander umgeht; wer beitritt, stimmt ihnen zuerst zu. Markdown.",
    reading: "Wer lesen darf",
    readings: {
      everybody: {
        words: "Alle",
        hint: "Feed, Stellen, Prompts und Profile sind offen, und Suchmaschinen finden sie.",
      },
      members: { words: "Nur Mitglieder", hint: "Fremde sehen die Anmeldung und „Über uns“, sonst nichts." },
    },
    joining: "Wer beitreten darf",
    joinings: {
      open: { words: "Alle", hint: "Wer kommt, legt sich ein Konto an." },
      approval: {
        words: "Wen ihr einlasst",
        hint: "Wer kommt, bittet um Aufnahme und wartet, bis ihr nachgesehen habt.",
      },
      invite: { words: "Wer einen Link hat", hint: "Ihr ladet Leute unter „Einladungen“ ein." },
      closed: { words: "Niemand", hint: "Es entsteht kein neues Konto, auch nicht mit einem Link." },
    },
    front: "Was Fremde zuerst sehen",
    fronts: {
      feed: { words: "Den Feed", hint: "Was zuletzt gesagt wurde." },
      about: { words: "„Über uns“", hint: "Was das hier ist, und wie man dazukommt." },
    },
    language: "Sprache",
    languageHint:
      "So wird angesprochen, wer keine gewählt hat und dessen Browser keine andere von diesen will.",
    zone: "Zeitzone",
    zoneHint: "In der Fremden Zeiten genannt werden, etwa Europe/Berlin.",
    days: "Tage als neu",
    daysHint:
      "So viele Tage darf jemand Neues nur wenige Links, Bilder und Nachrichten senden (0 bis 90; 0 ist keine Grenze).",
    post: "Zuerst zu lesender Beitrag",
    postHint: "Die Adresse eines Beitrags, den Neue zuerst sehen; leer für keinen.",
    logo: "Logo",
    noLogo: "Es gibt keines: An seiner Stelle steht das Siegel.",
    logoFile: "Ein Bild",
    logoHint:
      "JPEG, PNG, WebP oder GIF; es wird neu gezeichnet und steht neben dem Namen, etwa so hoch wie eine Zeile.",
    saveLogo: "Logo speichern",
    removeLogo: "Logo wegnehmen",
    preview: {
      day: "Bei Tag",
      night: "Bei Nacht",
      link: "Ein Link",
      button: "Ein Knopf",
      least: (ratio) => `Kontrast mindestens ${decimal(ratio, 1)} zu 1`,
      faint: (near) => `Zu hell, um bei Tag gelesen zu werden: ${near} ist ihr nahe und dunkel genug.`,
    },
  },
};
