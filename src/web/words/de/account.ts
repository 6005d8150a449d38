import type { Words } from "../words.ts";
import { plural } from "./forms.ts";

/** How one signs in, where one is signed in, and what happened to the account. */
export const account: Words["account"] = {
  title: "Konto",
  language: {
    title: "Sprache und Zeitzone",
    label: "Sprache",
    hint: "In ihr sprechen Seiten, Mails und Benachrichtigungen mit dir. Was andere schreiben, bleibt, wie es ist.",
    browser: "Wie im Browser eingestellt",
    save: "Speichern",
  },
  password: {
    title: "Passwort",
    none: "Du hast keines. Um eines zu setzen, [zeig noch einmal, dass du es bist]({address}).",
    current: "Das jetzige",
    chosen: "Ein neues",
    change: "Passwort ändern",
    set: "Passwort setzen",
  },
  username: {
    title: "Benutzername",
    lead: (days) =>
      plural(days, {
        one: "Damit meldest du dich an, und damit nennen dich andere. Er lässt sich einmal am Tag ändern. Der vorige bleibt deiner und führt zu dir, wo immer er steht.",
        other:
          "Damit meldest du dich an, und damit nennen dich andere. Er lässt sich einmal in {n} Tagen ändern. Der vorige bleibt deiner und führt zu dir, wo immer er steht.",
      }),
    prove: "Um ihn zu ändern, [zeig noch einmal, dass du es bist]({address}).",
    chosen: "Ein neuer Benutzername",
    change: "Benutzernamen ändern",
  },
  passkeys: {
    missing:
      "Browser bieten Passkeys nur für eine https-Adresse mit einem Namen an, oder für http://localhost. Die Adresse dieser Community ist {origin}.",
    missingHere: "Damit Passkeys auf deinem eigenen Rechner gehen, starte den Server mit {setting}.",
    title: "Passkeys",
    lead: "Melde dich mit deinem Fingerabdruck, deinem Gesicht oder einem Schlüssel in der Tasche an. Ein Passkey gilt nur hier, also kann ihn dir niemand ablocken.",
    addedNeverUsed: "Hinzugefügt {added}, nie benutzt",
    addedAndUsed: "Hinzugefügt {added}, zuletzt benutzt {used}",
    prove: "Um einen hinzuzufügen oder zu entfernen, [zeig noch einmal, dass du es bist]({address}).",
    remove: "Entfernen",
    removeOf: (name) => `${name} entfernen`,
    name: "Wie er heißen soll",
    nameExample: "Mein Telefon",
    add: "Passkey hinzufügen",
    noScripts: "Ein Browser legt Passkeys nur an, wenn Skripte eingeschaltet sind.",
  },
  sessions: {
    title: "Wo du angemeldet bist",
    since: "angemeldet {when}",
    seen: "zuletzt gesehen {when}",
    now: "gerade in Benutzung",
    current: "Dieses Gerät",
    end: "Abmelden",
    endOthers: "Überall sonst abmelden",
    unknown: "Ein unbekannter Browser",
    unknownOn: (system) => `Ein Browser auf ${system}`,
    browserOn: (browser, system) => `${browser} auf ${system}`,
  },
  data: {
    title: "Deine Daten",
    lead: "Alles, was dir gehört, in einer ZIP-Datei: Profil, Beiträge, Antworten, „Mag ich“, Nachrichten, Stellen, Prompts, Projekte, XP, Apps, Endpunkte und was mit dem Konto geschehen ist. Kein Passwort, kein Token und kein Geheimnis steht darin. Deine Nachrichten schon; bewahre die Datei also auf, wo nur du sie lesen kannst.",
    download: "Meine Daten herunterladen",
  },
  secure: {
    title: "Konto absichern",
    teaser:
      "War jemand anderes darin? Ein Knopf beendet alle anderen Sitzungen, alle Token, verbundenen Apps, Webhook-Endpunkte und Links. Die nächste Seite sagt, was es gibt.",
    lead: "Alles auf dieser Seite gibt neben deinem Passwort Zugang zu deinem Konto. Erkennst du etwas nicht, sichere das Konto ab: Alles davon endet sofort und endgültig, und du bleibst nur hier angemeldet. Ist alles von dir, [geh zurück zu deinem Konto](/settings/account).",
    keep: "Passkeys, die bleiben",
    keepHint: "Nimm den Haken bei jedem weg, den du nicht kennst; er wird dann entfernt.",
    keepKnown: "Setze den Haken bei jedem Passkey, den du kennst. Alle anderen werden entfernt.",
    neverUsed: (added) => `hinzugefügt ${added}, nie benutzt`,
    used: (added, used) => `hinzugefügt ${added}, zuletzt benutzt ${used}`,
    afterwards:
      "Ändere danach dein Passwort, falls es jemand kennen könnte, und sieh dir die [Apps an, die du gebaut hast](/settings/apps): Ihre Geheimnisse und Adressen bleiben, wie sie sind.",
    ends: "Was endet",
    nothing: "Es gibt gerade nichts, das Zugang zu diesem Konto gibt.",
    endpoints: "Diese Endpunkte sind es",
    sessions: (count) =>
      plural(count, {
        one: "{n} Sitzung: ein Browser, der angemeldet ist",
        other: "{n} Sitzungen: Browser, die angemeldet sind",
      }),
    tokens: (count) => plural(count, { other: "{n} Zugriffstoken" }),
    apps: (count) => plural(count, { one: "{n} verbundene App", other: "{n} verbundene Apps" }),
    webhooks: (count) =>
      plural(count, {
        one: "{n} Webhook-Endpunkt mit seinen Zustellungen",
        other: "{n} Webhook-Endpunkte mit ihren Zustellungen",
      }),
    mail: "Eine E-Mail-Adresse, mit der sich das Konto wiederherstellen lässt",
    pendingMail: "Eine E-Mail-Adresse, die noch nicht bestätigt ist",
    feed: "Eine private Feed-Adresse",
    deviceCodes: (count) =>
      plural(count, {
        one: "{n} Gerät, das freigegeben wurde und sich noch nicht angemeldet hat",
        other: "{n} Geräte, die freigegeben wurden und sich noch nicht angemeldet haben",
      }),
    push: (count) =>
      plural(count, {
        one: "{n} Browser, der Push-Nachrichten empfängt",
        other: "{n} Browser, die Push-Nachrichten empfangen",
      }),
    more: (count) => plural(count, { other: "und {n} weitere" }),
    links: (count) =>
      plural(count, {
        one: "{n} Link, den noch niemand benutzt hat",
        other: "{n} Links, die noch niemand benutzt hat",
      }),
    notMeLinks: (count) =>
      plural(count, {
        one: "{n} Link in einer Sicherheits-E-Mail",
        other: "{n} Links in Sicherheits-E-Mails",
      }),
  },
  notMe: {
    title: "Das war ich nicht",
    lead: "Das ist {when} mit dem Konto @{username} passiert:",
    named: "Name: {name}",
    effect:
      "Wenn du das nicht warst, hol dir dein Konto zurück. Dann werden alle abgemeldet, alle Passkeys, Tokens, Apps, Webhook-Endpunkte und das Passwort entfernt, und E-Mails gehen wieder an diese Adresse. Danach legst du ein neues Passwort fest.",
    keep: "Wenn du es warst, schließ diese Seite. Es ändert sich nichts.",
    button: "Mein Konto zurückholen",
  },
  activity: {
    title: "Sicherheitsprotokoll",
    lead: (kept) => `Was mit deinem Konto geschah, durch wen und von wo. Aufbewahrt: ${kept}.`,
    empty: "Noch nichts",
    emptyLead: "Hier stehen dann Anmeldungen, Token, Apps und dergleichen.",
    by: (username) => `von @${username}`,
    about: (username) => `betrifft @${username}`,
    from: (address) => `von ${address} aus`,
  },
  deletion: {
    part: "Konto löschen",
    teaser:
      "Endgültig, mit allem, was du geschrieben hast. Die nächste Seite sagt, was verschwindet und was bleibt.",
    button: "Mein Konto löschen",
    title: "Dein Konto löschen",
    lead: "Das ist endgültig: Niemand kann es zurückholen. [Behalten](/settings/account)",
    username: "Dein Benutzername, zum Zeichen, dass du es ernst meinst",
    byPasskey: "Mein Konto mit einem Passkey löschen",
    passkeyInstead: "Stattdessen mit einem Passkey",
    passwordFirst:
      "[Setz zuerst ein Passwort](/settings/account): Wer ein Konto löscht, zeigt, dass es das eigene ist.",
    goes: "Was verschwindet",
    atOnce:
      "Sofort: deine Sitzungen, Passkeys, Token und verbundenen Apps, dein Name und Profil, dein persönlicher Arbeitsbereich und die, in denen sonst niemand ist, mit ihren Webhooks und ihren Apps, auch für alle, die diese benutzen.",
    soon: "Gleich darauf, bei viel Inhalt nach Minuten: deine Beiträge mit den Antworten und „Mag ich“ darunter, deine Antworten, „Mag ich“, Prompts, Bewertungen, XP und gespeicherten Suchen; deine Gespräche, auch für die anderen; und deine Stellen.",
    stays: "Was bleibt",
    others: "Was andere anderswo geschrieben haben, und die XP, die sie dafür bekamen.",
    shared:
      "Was zu einem gemeinsamen Arbeitsbereich gehört: seine Apps und Webhooks und die Stellen seiner Unternehmen.",
    events:
      "Öffentliche Ereignisse und was davon noch zugestellt wird, und private Ereignisse anderer, etwa die Vorschau einer Nachricht: so lange, wie hier Ereignisse aufbewahrt werden. Das sind 30 Tage, wenn nichts anderes eingestellt ist.",
    reported:
      "Von allem, was gemeldet ist, behält die Moderation den Text und deinen Namen, bis sie über die Meldung entschieden hat, und 30 Tage danach.",
    sent: "Was Empfänger schon bekommen haben und selbst löschen müssen, und Sicherungen, die es von diesem Server gibt.",
    log: (kept) =>
      `Eine Zeile im Protokoll der Admins, dass das Konto gelöscht wurde (aufbewahrt: ${kept}). Dein Benutzername bleibt vergeben, ebenso die Kurznamen von Unternehmen, für die nur du ausgeschrieben hast, damit sich niemand für dich ausgeben kann.`,
  },
};
