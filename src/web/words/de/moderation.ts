import type { Words } from "../words.ts";

/** Telling the moderators, and what they do about it. */
export const moderation: Words["moderation"] = {
  report: {
    titles: {
      post: "Diesen Beitrag melden",
      job: "Diese Stelle melden",
      prompt: "Diesen Prompt melden",
      builder: "Dieses Mitglied melden",
      message: "Diese Nachricht melden",
    },
    message:
      "Wer die Community leitet, sieht diese eine Nachricht, wer sie geschrieben hat und dass du sie meldest: sonst nichts von eurem Gespräch.",
    reason: "Was ist daran nicht in Ordnung?",
    reasonHint: "Nur für die Moderation, bis zu 500 Zeichen.",
    button: "Melden",
    back: "Zurück",
  },
  reports: {
    title: "Meldungen",
    open: "Was noch jemand ansehen muss. Wer etwas ausblendet, beantwortet alle Meldungen dazu. [Die beantworteten](/admin/reports?state=settled) · [Ausgeblendete Inhalte](/admin/reports?state=hidden)",
    settled:
      "Was angesehen wurde. Jede Antwort lässt sich zurücknehmen. [Die wartenden](/admin/reports) · [Ausgeblendete Inhalte](/admin/reports?state=hidden)",
    nothingWaits: "Nichts wartet",
    nothingWaitsLead:
      "Meldet jemand einen Beitrag, eine Stelle, einen Prompt oder ein Mitglied, steht es hier.",
    nothingAnswered: "Noch nichts beantwortet",
    nothingAnsweredLead:
      "Meldungen kommen hierher, wenn du sie abgewiesen oder ausgeblendet hast, worum es ging.",
    named: {
      post: "Der Beitrag {title}",
      job: "Die Stelle {title}",
      prompt: "Der Prompt {title}",
      builder: "Das Mitglied {title}",
      message: "Die Nachricht von {title}",
    },
    gone: {
      post: "Der Beitrag, den es nicht mehr gibt",
      job: "Die Stelle, die es nicht mehr gibt",
      prompt: "Der Prompt, den es nicht mehr gibt",
      builder: "Das Mitglied, das es nicht mehr gibt",
      message: "Die Nachricht, die es nicht mehr gibt",
    },
    suspended: "Gesperrt",
    hidden: "Ausgeblendet",
    deleted: "Gelöscht",
    by: (username) => `Von @${username}`,
    reported: "gemeldet von {reporter} {when}",
    outcomes: {
      upheld: { nobody: "Bestätigt {when}", somebody: "Bestätigt {when} von {who}" },
      dismissed: { nobody: "Abgewiesen {when}", somebody: "Abgewiesen {when} von {who}" },
      gone: { nobody: "Selbst gelöscht {when}", somebody: "Selbst gelöscht {when} von {who}" },
    },
  },
  hidden: {
    list: {
      title: "Ausgeblendete Inhalte",
      lead: "Alles, was die Moderation ausgeblendet hat, mit oder ohne Meldung, das Neueste zuerst. Die Verfasser:innen und die Moderation sehen es weiterhin. [Meldungen](/admin/reports)",
      nothing: "Nichts ist ausgeblendet",
      nothingLead:
        "Hier stehen Beiträge, Antworten, Stellen und Prompts, die du ausblendest. Du kannst sie wieder zeigen.",
    },
    when: "ausgeblendet {when}",
  },
  answers: {
    about: {
      post: (act, title) => `${act}: der Beitrag ${title}`,
      job: (act, title) => `${act}: die Stelle ${title}`,
      prompt: (act, title) => `${act}: der Prompt ${title}`,
      builder: (act, title) => `${act}: das Mitglied ${title}`,
      message: (act, title) => `${act}: die Nachricht von ${title}`,
    },
    openAgain: "Wieder öffnen",
    letIn: "Wieder hereinlassen",
    show: "Wieder zeigen",
    dismiss: "Abweisen",
    uphold: "Bestätigen",
    suspend: "Sperren",
    suspendWho: (username) => `@${username} sperren`,
    hide: "Ausblenden",
    reason: "Grund, für das Mitglied",
  },
};
