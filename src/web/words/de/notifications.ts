import type { Words } from "../words.ts";
import { number, plural } from "./forms.ts";
import { accessAdded } from "./told.ts";

/** What somebody is told, and what they want to be told of. */
export const notifications: Words["notifications"] = {
  title: "Mitteilungen",
  fitting: "neu passend",
  waiting: "wartend",
  views: { all: "Alle", unread: "Ungelesen" },
  kind: "Art",
  every: "Alle Arten",
  show: "Zeigen",
  markAll: "Alles gelesen",
  mark: "Als gelesen markieren",
  unread: "Ungelesen",
  none: "Noch nichts",
  noneLead: "Wenn dir jemand antwortet, etwas von dir mag oder dir schreibt, steht es hier.",
  allRead: "Du hast alles gelesen",
  allReadLead: "Was neu ist, kommt hierher.",
  choose: "Wähle, was du erfährst",
  sentences: {
    reply: (count) =>
      plural(count, {
        one: "{who} hat geantwortet: [{what}]({to})",
        other: "{who} haben geantwortet: [{what}]({to})",
      }),
    mention: (count) =>
      plural(count, {
        one: "{who} hat dich erwähnt: [{what}]({to})",
        other: "{who} haben dich erwähnt: [{what}]({to})",
      }),
    like: (count) => plural(count, { one: "{who} mag [{what}]({to})", other: "{who} mögen [{what}]({to})" }),
    follow: (count) => plural(count, { one: "{who} [folgt dir]({to})", other: "{who} [folgen dir]({to})" }),
    job_match: () => "[{what}]({to}) passt zu dem, was du suchst",
    prompt_rating: (count) =>
      plural(count, {
        one: "{who} hat bewertet: [{what}]({to})",
        other: "{who} haben bewertet: [{what}]({to})",
      }),
    message: (count) =>
      plural(count, {
        one: "{who} [hat dir geschrieben]({to})",
        other: "{who} [haben dir geschrieben]({to})",
      }),
    level_up: () => "Du hast [Stufe {about}]({to}) erreicht",
    badge: () => "Du hast ein Abzeichen bekommen: [{about}]({to})",
    report_decided: () => "Die Moderation hat sich [deine Meldung angesehen]({to}). Danke dafür.",
    hidden: () => "Die Moderation hat ausgeblendet: [{what}]({to})",
    endpoint_failing: () => "[Ein Webhook-Endpunkt von dir]({to}) hat seit einem Tag nichts bestätigt",
    endpoint_disabled: () => "[Ein Webhook-Endpunkt von dir]({to}) wurde abgeschaltet",
    sign_in: () => "Jemand hat sich mit einem neuen Browser [als du angemeldet]({to}): {about}",
    access_added: (_, subjectId) => `[${accessAdded(subjectId)}]({to})`,
    mail_bounced: () => "[Dein Postfach nimmt keine E-Mails an]({to}): prüfe die Adresse",
    invitation: (count) =>
      plural(count, {
        one: "{who} ist über deinen Link beigetreten: [{what}]({to})",
        other: "{who} sind über deinen Link beigetreten: [{what}]({to})",
      }),
    report_waiting: (count) =>
      plural(count, { one: "[Eine Meldung wartet]({to})", other: "[{n} Meldungen warten]({to})" }),
    application_received: (count) =>
      plural(count, { one: "[Jemand möchte mitmachen]({to})", other: "[{n} möchten mitmachen]({to})" }),
    member_joined: (count) =>
      plural(count, { one: "{who} [ist jetzt dabei]({to})", other: "{who} [sind jetzt dabei]({to})" }),
    owner_changed: () => "{who} hat geändert, [wem die Community gehört]({to}): {about}",
    backup_failed: (count) =>
      plural(count, {
        one: "[Eine Sicherung ist fehlgeschlagen]({to})",
        other: "[{n} Sicherungen sind fehlgeschlagen]({to})",
      }),
  },
  added: "Du gehörst jetzt zum Arbeitsbereich [{what}]({to})",
  kinds: {
    reply: "Antworten",
    mention: "Erwähnungen",
    like: "„Mag ich“",
    follow: "Neue Follower",
    job_match: "Passende Stellen",
    prompt_rating: "Bewertungen deiner Prompts",
    message: "Nachrichten von jemand Neuem",
    level_up: "Stufen",
    badge: "Abzeichen",
    report_decided: "Deine Meldungen",
    hidden: "Was von dir ausgeblendet wird",
    endpoint_failing: "Endpunkte mit Fehlern",
    endpoint_disabled: "Abgeschaltete Endpunkte",
    sign_in: "Neue Anmeldungen",
    access_added: "Neue Zugänge zu deinem Konto",
    mail_bounced: "Abgelehnte E-Mails",
    invitation: "Arbeitsbereiche",
    report_waiting: "Wartende Meldungen",
    application_received: "Wer mitmachen möchte",
    member_joined: "Neue Mitglieder",
    owner_changed: "Neue Inhaber:innen",
    backup_failed: "Fehlgeschlagene Sicherungen",
  },
  who: {
    two: "{first} und {second}",
    more: (others) => plural(others, { one: "{first} und noch jemand", other: "{first} und {n} weitere" }),
  },
  something: "etwas von dir",
  message: "in einer Nachricht",
  reason: "„{about}“",
  settings: {
    lead: "Jede Wahl schließt die davor mit ein. Was du schon erfahren hast, bleibt.",
    kind: "Du erfährst von",
    reaches: { off: "Aus", here: "Hier", push: "Geräte", mail: "E-Mail" },
    hints: {
      off: "Du erfährst nichts.",
      here: "In der Liste, mit einer Zahl auf jeder Seite.",
      push: "Auch auf deinen [Geräten](/settings/browsers).",
      mail: "Auch per [E-Mail](/settings/mail).",
    },
    each: (kind, reach) => `${kind}: ${reach}`,
    forAdmins: "Für alle, die die Community leiten",
    save: "Speichern",
  },
  count: (n) => (n > 99 ? "99+" : number(n)),
};
