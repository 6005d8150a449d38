import type { Words } from "../words.ts";
import { number, plural } from "./forms.ts";

/** Das Gesicht der Gemeinschaft: was sie von sich sagt, und wo das geändert wird. */
export const community: Words["community"] = {
  about: {
    title: "Über uns",
    rules: "Regeln",
    joinTitle: "So kommst du dazu",
    join: {
      open: "Alle dürfen beitreten: [leg dir ein Konto an](/sign-up).",
      approval: "[Bitte um Aufnahme](/sign-up): Wer die Gemeinschaft leitet, sieht nach und lässt dich ein.",
      invite: "Auf Einladung: Bitte ein Mitglied um einen Link. Er führt dahin, wo du dein Konto anlegst.",
      closed: "Im Augenblick kann niemand beitreten.",
    },
    forMembers:
      "Was hier geschrieben wird, ist für Mitglieder. [Melde dich an](/sign-in), wenn du eines bist.",
    stewards: "Wer sie leitet",
    roles: { owner: "Leitung", admin: "Verwaltung", moderator: "Moderation", member: "Mitglied" },
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
};
