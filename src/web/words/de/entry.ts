import type { Words } from "../words.ts";

/** The ways in: signing in, joining, the first admin, a forgotten password, a proof that it is still them. */
export const entry: Words["entry"] = {
  signIn: {
    title: "Anmelden",
    username: "Benutzername",
    password: "Passwort",
    byPasskey: "Mit einem Passkey anmelden",
    otherWays: {
      lead: "Du kannst dich jetzt auf anderem Weg anmelden:",
      passkey: "Mit einem Passkey, über die Schaltfläche unten.",
      mail: "Mit [einem Link per E-Mail](/recover/mail), wenn dein Konto eine Adresse hat. Damit setzt du ein neues Passwort.",
      admin: "Mit einem Link von einer Person, die diese Community verwaltet.",
    },
    forgot: "Passwort vergessen? Bitte jemanden von den Admins dieser Community um einen Link.",
    forgotOrNew:
      "Passwort vergessen? Bitte jemanden von den Admins dieser Community um einen Link. Neu hier? [Mitmachen](/sign-up)",
  },
  join: {
    title: "Mitmachen",
    before: "Schon dabei? [Anmelden](/sign-in)",
    closed: "Gerade geschlossen",
    closedLead: "Diese Community nimmt zurzeit niemanden auf.",
    dead: "Diese Einladung funktioniert nicht",
    deadLead:
      "Bitte um eine neue: die Person, die dich eingeladen hat, oder [die Leitung dieser Community](/about). Eine Einladung endet, wenn sie verbraucht, zurückgezogen oder zu alt ist.",
    deadAsk: "Du kannst auch ohne Einladung [um Aufnahme bitten](/sign-up).",
    deadMember: "Bist du schon Mitglied?",
    byInvitation: "Mit Einladung",
    byInvitationLead:
      "Bitte jemanden, der diese Community leitet, um einen Link. Er bringt dich hierher zurück.",
    invited: "{inviter} lädt dich ein. Das gilt bis {when}.",
    invitedByOperator: "Du bist eingeladen. Das gilt bis {when}.",
    rules: "Wie wir hier miteinander umgehen",
    agrees: "Ich habe das gelesen und halte mich daran",
    ask: "Um Aufnahme bitten",
    askLead:
      "Wer diese Community leitet, sieht sich an, wer mitmacht, liest, was du hier schreibst, und antwortet.",
    why: "Warum möchtest du mitmachen?",
    whyHint: "Ein Satz oder zwei. Nur wer die Community leitet, liest das.",
    mail: "E-Mail-Adresse, für die Antwort",
    mailHint: "Bleibt sie leer, siehst du die Antwort, wenn du dich hier anmeldest.",
    usernameHint: "Kleinbuchstaben, Ziffern, - und _. Er lässt sich später ändern.",
    name: "Name",
    nameHint: "Wie andere ihn sehen; bleibt er leer, ist es dein Benutzername.",
    passwordHint: "Mindestens 8 Zeichen; am besten ein paar Wörter hintereinander.",
  },
  waiting: {
    title: "Du hast um Aufnahme gebeten",
    since:
      "Du hast {when} gefragt, als {username}. Wer die Community leitet, antwortet dir; bis dahin kannst du dich nicht umsehen.",
    later:
      "Melde dich hier mit Benutzername und Passwort an, um zu sehen, ob es so weit ist. Nach dreißig Tagen ist es vorbei.",
    mailGoes: "Die Antwort geht auch an {address}.",
    mailUnsure:
      "Eine E-Mail mit einem Link ging an {address}. Ist er geöffnet und bestätigt, geht die Antwort auch dorthin.",
    yours: "Was du geschrieben hast",
    withdraw: "Zurücknehmen",
    approvedTitle: "Du bist dabei",
    approved: "Melde dich mit Benutzername und Passwort an.",
    declinedTitle: "Diesmal nicht",
    declined: "Wer die Community leitet, hat dich nicht aufgenommen.",
    theirs: "Was sie dazu sagen",
    forget: "Löschen, was davon übrig ist",
    nothingTitle: "Hier wartet nichts",
    nothing:
      "Dieser Browser kennt niemanden, der um Aufnahme gebeten hat: Es wurde vor einer Weile beantwortet, zurückgenommen oder in einem anderen Browser gefragt. Melde dich an, um es zu sehen.",
  },
  setUp: {
    title: "Guildhall einrichten",
    lead: "Du bist als Erstes hier. Dieses Konto leitet die Community.",
    button: "Türen öffnen",
  },
  recovery: {
    title: "Ein neues Passwort",
    lead: (username) => `Für @${username}. Überall sonst wirst du abgemeldet.`,
    goesOn:
      "Deine Passkeys, Zugriffstoken, verbundenen Apps und Webhook-Endpunkte gelten weiter. War jemand anderes in deinem Konto, nimm weg, was du nicht kennst: in deinen Einstellungen, wohin es von hier geht. „Konto absichern“ beendet alles auf einmal.",
    endpoints: "Was hier geschieht, geht weiter an",
    label: "Neues Passwort",
    button: "Speichern und anmelden",
  },
  proof: {
    title: "Bist du es?",
    lead: (username) =>
      `Du hast dich vor einer Weile als @${username} angemeldet. Was du jetzt vorhast, ändert, wer hereinkommt oder was hinausgeht; zeig also noch einmal, dass du es bist.`,
    password: "Dein Passwort",
    goOn: "Weiter",
    byPasskey: "Weiter mit einem Passkey",
    neither:
      "Du hast weder ein Passwort noch einen Passkey: Bitte jemanden von den Admins dieser Community um einen Link.",
    back: "Es wurde nichts geändert. [Zurück zu deinem Konto](/settings/account)",
  },
};
