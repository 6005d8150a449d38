import type { Words } from "../words.ts";
import { number, plural } from "./forms.ts";

const days = (count: number): string => plural(count, { one: "1 Tag", other: "{n} Tage" });

/** The builders, and what a profile says of one. */
export const people: Words["people"] = {
  directory: {
    title: "Leute",
    lead: "Wer hier ist, die Neuesten zuerst.",
    search: "Ein Name, oder ein Schlagwort aus ihren Beiträgen",
    searchExample: "rust",
    find: "Finden",
    nobody: "Dazu passt niemand",
    nobodyLead: "Jedes Wort muss der Anfang eines Namens sein, oder ein Schlagwort. [Alle](/builders)",
    more: "Mehr",
    xp: (points) => `${number(points)} XP`,
    streak: (count) => plural(count, { one: "1 Tag in Folge", other: "{n} Tage in Folge" }),
    projects: (count) => plural(count, { one: "1 Projekt", other: "{n} Projekte" }),
  },
  level: {
    level: (level) => `Stufe ${number(level)}`,
    levelWith: (level, badge) => `Stufe ${number(level)}, ${badge}`,
    highest: "die höchste, die es gibt",
    next: (points, level) => `${number(points)} XP bis Stufe ${number(level)}`,
    progress: (level) => `Fortschritt bis Stufe ${number(level)}`,
  },
  badges: {
    title: "Abzeichen",
    ofLevel: (level) => `Stufe ${number(level)} erreicht`,
    earned: {
      "first-post": "Den ersten Beitrag veröffentlicht",
      helper: "Auf fünfzig Beiträge geantwortet",
      "prompt-smith": "Zehn Prompts geteilt",
      "streak-7": "Sieben Tage in Folge",
      "streak-30": "Dreißig Tage in Folge",
      "streak-100": "Hundert Tage in Folge",
      "streak-365": "Ein Jahr lang kein Tag ausgelassen",
    },
    given: "Von der Community verliehen",
  },
  profile: {
    imported: "Übernommen von {origin}.",
    unclaimed: "Übernommen von {origin}. Noch hat niemand dieses Konto in Besitz genommen.",
    edit: "Profil bearbeiten",
    message: "Nachricht schreiben",
    posts: "Beiträge",
    noPostOfYours: "Du hast noch nichts veröffentlicht.",
    noPost: "Noch nichts veröffentlicht.",
    xp: "XP",
    streak: "Serie",
    longest: "Längste",
    days,
    countsAlready: "Der heutige Tag zählt schon. [Woher diese Punkte kommen](/settings/xp)",
    nothingToday: "Heute noch nichts. [Woher diese Punkte kommen](/settings/xp)",
    projects: "Projekte",
    hidden: "Ausgeblendet",
    hiddenLead: "Das hat die Moderation ausgeblendet. Nur du und sie sehen es.",
  },
  prompts: {
    title: "Prompts",
    of: (name) => `Prompts von ${name}`,
    all: "Alle Prompts",
    none: "Noch keine.",
  },
  distance: {
    title: "Abstand halten",
    lead: "Wer blockiert ist, kann dir nicht schreiben oder folgen und erfährt nichts davon. Eine Meldung geht allein an die Moderation.",
    blockedTitle: "Du hast dieses Mitglied blockiert",
    blockedLead: "Es kann dir nicht schreiben und erfährt nichts davon.",
    block: "Blockieren",
    unblock: "Freigeben",
    report: "Melden",
  },
};
