/**
 * Phrases that Guildhall does not use, by language. Every row has an example that the lint reports, and an
 * example that the lint accepts. tests/prose.test.ts checks both examples. Prefer phrases to single words,
 * because a false alarm costs more than a missed fault.
 */

/** A phrase, what to write instead, an example that is reported, and an example that is accepted. */
export interface Term {
  find: RegExp;
  write: string;
  wrong: string;
  right: string;
}

type Row = readonly [find: RegExp, write: string, wrong: string, right: string];

/** Phrases of the project's former style. */
const DIALECT: readonly Row[] = [
  // Write “notify”, “report” or “return” instead.
  [
    /\b(?:tells?|telling|told|speaks?|speaking) of\b/i,
    "reports, logs, lists, mentions",
    "The log tells of it.",
    "The log tells you which of the rows failed.",
  ],
  [/\bmay be heard\b/i, "can be received", "The event may be heard by apps.", "The alarm may sound twice."],
  // Write “is”, “is listed” or “is stored” instead.
  [/\d`? stands for\b/, "means", "10000 stands for any more.", "The letter v stands for version."],
  [
    /\b(?:it is|they are) here(?: already| too)?(?=[.,;]|$)/i,
    "already exists, is on this page",
    "It is here.",
    "The guide says that it is here to stay.",
  ],
  // Write “pause” instead.
  [
    /\b(?:have|has|having|had|let|lets) (?:it|them|everything|the \w+) rest\b/i,
    "pause, turn on maintenance mode",
    "Have it rest for a while.",
    "Keep one copy and let the rest expire.",
  ],
  [
    /\b(?:comes?|came|coming) to rest\b/i,
    "stops, becomes idle",
    "The loop comes to rest.",
    "Come to the REST guide for more.",
  ],
  [
    /\b(?:stays?|lies?|lying) at rest\b/i,
    "is paused, is idle",
    "The queue stays at rest.",
    "Secrets are encrypted at rest.",
  ],
  [
    /\b(?:community|server|node|everything|it|queue|loop) rests\b/i,
    "is paused, is in maintenance mode",
    "While the community rests, nobody writes.",
    "The server keeps the rest for a day.",
  ],
  // Name the member or the role instead.
  [
    /\b(?:to|by|for|gives?) who\b/i,
    "to the member who, by the admin who",
    "The files belong to who serves.",
    "The files belong to the user who serves.",
  ],
  [
    /\b(?:lets?|letting) in\b|\b(?:lets?|letting) (?:them|him|her|you|me|people|nobody|members?|anyone|an app|apps) in\b(?! (?:the|a|an|your|their|this|turn)\b)/i,
    "approve, admit, authorize",
    "Let them in again.",
    "Let them in the first week try it, and let it in turn expire.",
  ],
  [
    /\btak(?:e|es|ing) (?:in nobody|nobody in|people in|members in)\b/i,
    "is closed to new members, accepts new members",
    "This community takes nobody in.",
    "This community takes part in the fair.",
  ],
  [
    /\b(?:who|they|you|members?|people) (?:may|can|cannot|could) come in\b/i,
    "sign in, join, arrive",
    "The only admin who may come in is gone.",
    "New posts come in at the top.",
  ],
  // Use the field's own term instead.
  [
    /(?<!\b(?:at|on) )\bhand(?:s|ed|ing)? on\b/i,
    "forward, pass on",
    "A follower hands on each write.",
    "Keep the manual at hand on every shift.",
  ],
  [/\banew\b/i, "again, new, rebuilt, re-encoded", "The index is made anew.", "The index is a new file."],
  [/\bstoreys?\b/i, "layer", "The lowest storey.", "The lowest layer, and its story."],
  [/\bin turns\b/i, "alternately, round-robin", "Endpoints are served in turns.", "Each endpoint in turn."],
  [
    /\bhave it photographed\b|\bphotograph it\b/i,
    "scan the code",
    "Copy it, or have it photographed.",
    "The photographer scans the code.",
  ],
  [
    /\b(?:is|are|was|were|be) had\b/i,
    "obtained, received, available",
    "No certificate was had.",
    "The owner had it.",
  ],
  [/\bcomes? of it\b/i, "results from it", "The answer says what comes of it.", "The member comes often."],
  [
    /\bsays? of (?:it|itself|them|each|himself)\b/i,
    "describes",
    "The text says of itself.",
    "It says half of it.",
  ],
  [
    /\bwell again\b/i,
    "healthy again",
    "The doctor finds it well again.",
    "It works well. Again, it is slow.",
  ],
  // Fillers and archaic words.
  [
    /\b(?:whence|thence|wherein|thereof|therein|hitherto|lest|naught|nought|shall(?! (?:we|I)\b))\b/i,
    "a word of today: from where, in which, so that, zero, must",
    "Nobody shall write.",
    "Nobody may write in the shallow copy.",
  ],
  [/\bfor itself\b/i, "its own, separately", "Each node for itself.", "The server does it itself."],
  [/\bsaid once\b/i, "described once, in one place", "It is said once, above.", "The log line appears once."],
  [
    /\b(?:that|which) (?:is|are) no (?!longer\b|more\b|matter\b|other\b|use\b)/i,
    "that is not",
    "A status that is no 2xx.",
    "A token that is no longer valid.",
  ],
  [
    /\bnot(?: \w+)? any ?more\b(?! than\b)/i,
    "no longer",
    "It is not there any more.",
    "It does not cost any more than that.",
  ],
  [/\bfor ever\b/i, "forever, without end", "A token lives for ever.", "Search for every word."],
  [/[«»]/, "“ and ”", "The role «owner».", "The role “owner”."],
];

/** Phrases that members may write, but Guildhall's own texts may not. */
const FORMAL: readonly Row[] = [
  [
    /(?:^|\b(?:as|how|where|what) )one (?:(?:joins|does|asks|sees|types|gets|knows|wants|needs|makes|takes|reads|writes|signs|goes|begins)\b|(?:may|must|can|cannot|should|could|would|has to) (?!be\b))/i,
    "you, a member, an admin",
    "One joins by an invitation.",
    "The workspace is full; one must leave first.",
  ],
  [
    /\b(?:is|are|was|were|be|been|being|gets?) told\b(?! (?:apart|from)\b)/i,
    "is notified, gets, sees, learns",
    "The author is told.",
    "Two members are told apart by their usernames.",
  ],
  [/\bholds? still\b/i, "pauses", "Everything has to hold still.", "Past invitations still hold a name."],
  [/\bsomebody\b/i, "someone, anyone, a member", "Ask somebody else.", "Ask someone else."],
  [
    /\bwho(?:m|so)?ever\b/i,
    "anyone who, the member who, the client that",
    "Whoever has the link can join.",
    "Anyone who has ever had the link can join.",
  ],
  [
    /\bthose who\b/i,
    "the admins, the moderators, members who, anyone who",
    "Those who run the community decide.",
    "The admins decide, and those decisions stay.",
  ],
  [
    /\b(?:people|one|ones|persons?) who runs?\b/i,
    "the admins, the operator",
    "Ask the people who run this community.",
    "Ask people who know how the server runs.",
  ],
  [
    /\bof (?:theirs|yours|ours|hers)\b/i,
    "their, your, our",
    "No token of theirs works.",
    "None of their tokens works.",
  ],
  [/\bmend(?:s|ed|ing)?\b/i, "fix", "The command mends it.", "The team can amend and recommend."],
  [
    /\bput(?:s|ting)? (?:it |them )?away\b/i,
    "dismiss, archive, store",
    "Put away",
    "Put a way to undo it in the dialog.",
  ],
  [
    /\b(?:take|takes|took|taken|taking) (?:it |them |this |one |something )?away\b/i,
    "remove, revoke, delete",
    "Take it away",
    "Take the away team into account.",
  ],
  [
    /\blook(?:s|ed|ing)? at it\b/i,
    "check it, review it, open it",
    "A moderator looks at it.",
    "Look at its log.",
  ],
  [
    /\b(?:is|are|was|were|be|not|been) (?:un)?believed\b|\bunbelieved\b/i,
    "trusted, verified",
    "The header is not believed.",
    "Members believed the report.",
  ],
  [
    /(?<!time )\bslices?\b(?! of (?:bread|cake))/i,
    "batch; time slice for the scheduler",
    "Rows are deleted in slices.",
    "A query resumes in the next time slice.",
  ],
  [/\b(?:mother )?tongues?\b/i, "language, locale", "In your own tongue.", "In your own language."],
  [/\bcrests?\b/i, "identicon", "The crest of a builder.", "The identicon of a builder."],
  [/\bdeeds?\b/i, "operation, event", "Every deed is logged.", "Every operation is indeed logged."],
  [/\bopens? the doors?\b/i, "create the community, accept members", "Open the doors", "Open the page."],
  [/\bin the room\b/i, "in the community, online", "Who is in the room.", "There is more room."],
  [
    /\bstrangers? (?:sees?|reads?|opens?|visits?|may|can)\b|\b(?:shown|told|open) to (?:a )?strangers?\b/i,
    "guests see, visitors see",
    "A stranger sees the feed.",
    "Messages from strangers are requests.",
  ],
  [
    /(?<!\b(?:no|any|some|every|each|this|that) )\bone's\b/i,
    "your, the member's",
    "In a feed of one's own.",
    "It is no one's and everyone's feed.",
  ],
  [
    /\b(?:take|takes|took|taking) (?:it|them|this|that) back\b|\b(?:act|answer|decision|report|request|application)s? (?:is|are|was|were|can be) taken back\b/i,
    "withdraw, undo, revert",
    "An answer can be taken back.",
    "The XP of a like is taken back.",
  ],
  [
    /\b(?:is|are|was|were) tried again\b/i,
    "retried, retries",
    "A delivery is tried again.",
    "The member tried again.",
  ],
  [/\b(?:graver|gravest)\b/i, "more severe, most severe", "The gravest comes first.", "A grave fault."],
  [/\bheals?\b/i, "recovers", "It heals by itself.", "The server is healthy."],
  [/\btid(?:y|ies|ied|ying)\b/i, "clean up, cleanup", "The server's own tidying waits.", "The tide turns."],
  [
    /\bmails\b|\b(?:a|this|each|every|by|per) mail(?=[.,;:)]|$| (?:with|to|that|which|from|is|was|goes|for|and|or|about|of|when|if)\b)/i,
    "email, emails, by email",
    "The answer comes by mail.",
    "Set up a mail server for each mail domain.",
  ],
  [/\bsimply\b/i, "delete the word", "Simply restart it.", "A simple restart is enough."],
  [
    /\b(?:please )?note that\b|\bplease note\b/i,
    "delete the phrase",
    "Please note that it restarts.",
    "Add a note.",
  ],
  [
    /\bjust (?:run|click|add|use|do|type|set|open|press|call|send|restart|say|copy|ask|go|need)\b/i,
    "delete “just”",
    "Just run the command.",
    "The job that was just added.",
  ],
  [
    /\bas it was\b(?! (?:sent|written|reported|typed|before|when|in|on|at)\b)/i,
    "unchanged",
    "The file stays as it was.",
    "The text as it was sent.",
  ],
  [
    /\bgo(?:es|ing)? on (?=\w+ing\b)|\bgo(?:es)? on(?=[.,;:]|$)/i,
    "continue, keep",
    "Tokens go on working.",
    "Turn it on, and so on.",
  ],
  [
    /\b(?:hears?|hearing|heard) of\b/i,
    "receives, learns about, is notified about",
    "An endpoint hears of each post.",
    "Members heard the talk of the day.",
  ],
  [
    /\bstands? (?:in|at|on|here|there|beside|above|below|under|before|after|first|last|between|with|as|open)\b/i,
    "is in, is listed in, is stored in",
    "The reason stands in the log.",
    "RSS stands for Really Simple Syndication.",
  ],
  [
    /\b(?:lie|lies|lay) (?:in|at|beside|there|here)\b/i,
    "is in, is stored in",
    "The file lies in the data folder.",
    "The file list is in the data folder.",
  ],
  [
    /\b(?:is|are) spoken (?:to|in)\b/i,
    "language",
    "The language you are spoken to in.",
    "Three languages are spoken.",
  ],
];

const GERMAN: readonly Row[] = [
  [
    /\bwird (?:hier )?gerade gewartet\b/i,
    "ist im Wartungsmodus",
    "Hier wird gerade gewartet.",
    "Gerade wird auf die Antwort gewartet.",
  ],
  [/(?<![Ee]-)\bMail-?adressen?\b/i, "E-Mail-Adresse", "Deine Mailadresse", "Deine E-Mail-Adresse"],
  [
    /\b(?:Eigentümer|Besitzer)(?:in|innen|:in|:innen|s)?\b/,
    "Inhaber:in",
    "Die Besitzerin der Community",
    "Der Besitz ist geregelt.",
  ],
  [
    /\b(?:ein|aus)(?:zu)?logg?en\b|\b(?:ein|aus)geloggt\b|\bLog-?in\b/i,
    "anmelden, abmelden",
    "Bitte einloggen.",
    "Das Log einsehen.",
  ],
  [
    /\b(?:Benutzer|Nutzer|User)(?:in|innen|:in|:innen|s|n)?\b/,
    "Mitglied",
    "Alle Nutzer sehen das.",
    "Wähle einen Benutzernamen.",
  ],
  [/\bAccounts?\b/, "Konto", "Dein Account ist gesperrt.", "Dein Konto ist gesperrt."],
  [/\bAdministrator(?:en|in|innen|:in|:innen)?\b/, "Admin", "Frag einen Administrator.", "Frag einen Admin."],
  [
    /\bModerator(?:en)?\b(?!:in)/,
    "Moderator:in, das Moderationsteam",
    "Die Moderatoren.",
    "Eine Moderator:in.",
  ],
  [
    /\bbitte beachte\b/i,
    "nichts: der Satz genügt",
    "Bitte beachte: Es dauert.",
    "Bitte deine Admins um Hilfe.",
  ],
  [/[«»]|”/, "„ und “", "Die Rolle «Admin»", "Die Rolle „Admin“"],
  [
    /(?<=\p{Ll},? )(?:Sie|Ihnen|Ihr(?:e[nmrs]?)?)\b/u,
    "du, dein, dir",
    "Prüfe Ihre Eingabe.",
    "Ihre Beiträge bleiben, und sie sehen ihre Stufe.",
  ],
];

const SPANISH: readonly Row[] = [
  [/\bust(?:ed|edes)\b/i, "tú", "Si usted quiere.", "Si tú quieres, ajusta esto."],
  [
    /\b(?:propietari[oa]s?|dueñ[oa]s?)\b/i,
    "titular",
    "La propietaria de la comunidad.",
    "La titular de la comunidad.",
  ],
  [/\be-?mails?\b/i, "correo, dirección de correo", "Tu email.", "Tu correo."],
  [
    /\b(?:log(?:u)?ear(?:se|te)?|login|ingresa a tu cuenta)\b/i,
    "iniciar sesión",
    "Haz login.",
    "Inicia sesión.",
  ],
  [/\bclaves? de acceso\b/i, "llave de acceso", "Añade una clave de acceso.", "Añade una llave de acceso."],
  [/(?<!\blector(?:es)? de )\bfeeds?\b(?! (?:Atom|JSON|RSS)\b)/i, "muro", "Tu feed.", "Tu feed Atom."],
  [
    /(?<!\bnombres? de )\busuari[oa]s?\b/i,
    "miembro",
    "Todos los usuarios lo ven.",
    "Elige un nombre de usuario.",
  ],
  [
    /\badministrador(?:a|es|as)?\b/i,
    "admin, equipo de administración",
    "Pregunta a un administrador.",
    "Pregunta al equipo de administración.",
  ],
  [/\b(?:por favor|simplemente)\b/i, "nada: la frase basta", "Simplemente, reinicia.", "Un reinicio simple."],
  [/[“”]/, "« y »", "El rol “admin”", "El rol «admin»"],
];

function termsOf(rows: readonly Row[]): readonly Term[] {
  return rows.map(([find, write, wrong, right]) => ({ find, write, wrong, right }));
}

/** The phrases per language, and the phrases for the demo's members. */
export const TERMS = {
  en: termsOf([...DIALECT, ...FORMAL]),
  de: termsOf(GERMAN),
  es: termsOf(SPANISH),
  members: termsOf(DIALECT),
} as const;

/** Spellings for textlint-rule-terminology, which matches whole words and ignores code. */
export const SPELLINGS: readonly (string | readonly [find: string, write: string])[] = [
  "API",
  "Bun",
  "Caddy",
  "CSS",
  "Debian",
  "DNS",
  "Docker",
  "GitHub",
  "Grafana",
  "GraphiQL",
  "HTML",
  "JSON",
  "Kubernetes",
  "Linux",
  "Litestream",
  "Markdown",
  "OpenAPI",
  "OpenPGP",
  "PostgreSQL",
  "Prometheus",
  "REST API",
  "SQL",
  "SQLite",
  "systemd",
  "TLS",
  "TypeScript",
  "URL",
  // Does not match paths such as /graphql.
  ["(?<![-/\\w])graphql(?![-\\w]|\\.\\w)", "GraphQL"],
  ["(?<![-/:\\w])oauth(?![-\\w:]|\\.\\w)", "OAuth"],
  ["API['’]s", "APIs"],
  ["URL['’]s", "URLs"],
  ["an URL", "a URL"],
  ["behavior(s|al)?", "behaviour$1"],
  ["center(s|ed)?", "centre$1"],
  ["color(s|ed)?", "colour$1"],
  ["favorite(s)?", "favourite$1"],
  ["e-mail(s|ed|ing)?", "email$1"],
  ["end-points?", "endpoint"],
  ["java script", "JavaScript"],
  ["mail address(es)?", "email address$1"],
  ["time[- ]stamp(s)?", "timestamp$1"],
  ["web[- ]hook(s)?", "webhook$1"],
  ["web[- ]sites?", "website"],
];
