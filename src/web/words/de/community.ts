import type { Words } from "../words.ts";
import { number, plural } from "./forms.ts";

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
      invite: "Mit Einladung: Bitte ein Mitglied um einen Link. Er führt dahin, wo du dein Konto anlegst.",
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
};
