import type { Words } from "../words.ts";
import { plural } from "./forms.ts";

/** What goes out by mail, in plain text: nothing of it is a link or markup. */
export const mails: Words["mails"] = {
  confirm: {
    subject: (community) => `Deine E-Mail-Adresse bei ${community}`,
    body: (username) =>
      `Das Konto @${username} möchte seine E-Mails hierher bekommen. Öffne den Link innerhalb eines Tages, um die Adresse zu bestätigen.`,
    button: "Adresse bestätigen",
    ignore: "Hast du nicht darum gebeten, tu nichts: Dann kommt keine E-Mail.",
  },
  recovery: {
    subject: (community) => `Ein neues Passwort bei ${community}`,
    body: (username) =>
      `Jemand hat darum gebeten, wieder in das Konto @${username} zu kommen. Mit dem Link setzt du ein neues Passwort; er gilt eine Stunde lang, einmal.`,
    button: "Neues Passwort setzen",
    ignore: "Warst du das nicht, tu nichts: Dein Passwort bleibt, wie es ist.",
  },
  invitation: {
    subject: (community) => `Eine Einladung zu ${community}`,
    community: (inviter, community) => `${inviter} lädt dich ein, bei ${community} mitzumachen.`,
    workspace: (inviter, community) =>
      `${inviter} lädt dich in einen Arbeitsbereich bei ${community} ein. Der Link führt hinein, sobald du dort angemeldet bist.`,
    operator: "Wer den Server betreibt,",
    until: (when) => `Der Link gilt bis ${when}.`,
    button: "Einladung ansehen",
    ignore:
      "Kennst du niemanden dort, tu nichts. Deine Adresse wird nicht aufbewahrt, und es kommt deshalb keine weitere E-Mail.",
  },
  applied: {
    subject: (community) => `Wohin die Antwort von ${community} geht`,
    body: (username) =>
      `Jemand bittet als @${username} um Aufnahme und möchte die Antwort hierher. Bestätige die Adresse, dann kommt sie.`,
    button: "Adresse bestätigen",
    ignore: "Warst du das nicht, tu nichts: Es kommt deshalb keine weitere E-Mail.",
  },
  answered: {
    subject: (community) => `Die Antwort von ${community}`,
    approved: (username) =>
      `Du bist dabei, als @${username}. Melde dich mit dem Passwort an, das du gewählt hast.`,
    declined: "Wer die Community leitet, hat dich nicht aufgenommen.",
    word: "Was sie dazu sagen:",
    button: "Anmelden",
  },
  moved: {
    subject: (community) => `Deine E-Mail-Adresse bei ${community} wurde geändert`,
    body: (username) =>
      `E-Mails für das Konto @${username} gehen nicht mehr an diese Adresse. Warst du das nicht, melde dich an und sichere dein Konto ab, oder frag bei denen nach, die die Community leiten.`,
  },
  notMe: {
    lead: "Wenn du das nicht warst, öffne den Link „Das war ich nicht“. Das Öffnen allein ändert noch nichts.",
    button: "Das war ich nicht",
    foot: "Du bekommst diese E-Mail immer, wenn ein neuer Zugang zu deinem Konto dazukommt.",
  },
  notification: { foot: "Für diese Art von Mitteilungen hast du E-Mail gewählt." },
  digest: {
    subject: (community, count) =>
      `${community}: ${plural(count, { one: "1 Mitteilung", other: "{n} Mitteilungen" })}`,
    body: "Während du weg warst:",
    more: (count) => plural(count, { one: "1 weitere", other: "{n} weitere" }),
  },
  end: "Diese E-Mails beenden",
  foot: (community, origin) => `${community}, ${origin}`,
};
