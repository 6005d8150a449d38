import type { Charter } from "../../../core/identity/charter/charter.ts";
import type { Detail } from "../../../core/identity/audit/acts.ts";
import { DISABLED_REASONS, type DisabledCode } from "../../../core/outbox/webhooks/health.ts";
import type { Words } from "../words.ts";
import { forms, plural } from "./forms.ts";
import { refused } from "./refused.ts";

/** A part of what an act was done to, as text; what is not there any more is told as «…». */
const part = (detail: Detail, name: string): string => String(detail[name] ?? "…");

const counted = (detail: Detail, name: string, one: string, other: string): string =>
  plural(Number(detail[name] ?? 0), { one: `{n} ${one}`, other: `{n} ${other}` });

const MEANS: Readonly<Record<string, string>> = {
  password: "mit einem Passwort",
  passkey: "mit einem Passkey",
  link: "mit einem Link",
};
const means = (detail: Detail): string => MEANS[part(detail, "means")] ?? part(detail, "means");

/** What moderators hide and show again, with its article, as objects of a sentence. */
const THINGS: Readonly<Record<string, string>> = {
  post: "den Beitrag",
  job: "die Stelle",
  prompt: "den Prompt",
  builder: "das Mitglied",
  message: "die Nachricht",
};
const thing = (detail: Detail): string =>
  `${THINGS[part(detail, "kind")] ?? part(detail, "kind")} „${part(detail, "title")}“`;

/** What a community says of itself, part by part. */
const CHARTER: Readonly<Record<string, string>> = {
  name: "Name",
  line: "Motto",
  welcome: "Begrüßung",
  rules: "Regeln",
  contact: "Kontakt",
  language: "Sprache",
  zone: "Zeitzone",
  front: "Startseite",
  reading: "wer lesen darf",
  joining: "wer mitmachen darf",
  newcomerDays: "Tage der ersten Zeit",
  newcomerPost: "Beitrag für Neue",
  accent: "Farbe",
} satisfies Record<keyof Charter, string>;

/** A moment that the log keeps as text. */
const timeIn = (text: string): string => {
  const at = Date.parse(text);
  return Number.isNaN(at) ? text : forms.moment(at, "UTC");
};

const disabled: Readonly<Record<DisabledCode, string>> = {
  switched_off: "Er wurde von Hand abgeschaltet.",
  switched_off_by_operator: "Wer die Community leitet, hat ihn abgeschaltet.",
  gone: "Der Empfänger hat mit 410 geantwortet: Es gibt ihn nicht mehr.",
  failing_for_days: "Der Empfänger hat fünf Tage lang nichts bestätigt.",
  account_suspended: "Das Konto, dem er gehört, wurde gesperrt.",
  moved:
    "Die Community kam von einem anderen Server: Gib ihm ein neues Geheimnis und schalte ihn wieder ein.",
};

/** The log keeps a reason as the core's English sentence. */
const reasonIn = (text: string): string => {
  const known = (Object.keys(DISABLED_REASONS) as DisabledCode[]).find(
    (code) => DISABLED_REASONS[code] === text,
  );
  return known === undefined ? text : disabled[known];
};

/** The roles of a community or a workspace, as the log names them. */
const ROLES: Readonly<Record<string, string>> = {
  owner: "Leitung",
  admin: "Admin",
  moderator: "Moderation",
  member: "Mitglied",
};
const roleOf = (detail: Detail, name: string): string => ROLES[part(detail, name)] ?? part(detail, name);

/** What the core knows by a code. */
export const codes: Words["codes"] = {
  acts: {
    "account.created": "Konto angelegt",
    "account.imported": "Konto von {host} übernommen, dort heißt es „{name}“",
    "account.matched": "Was „{name}“ auf {host} geschrieben hat, dem Konto zugeordnet",
    "account.downloaded": "Alle eigenen Daten heruntergeladen",
    "account.set-up": "Community eingerichtet, als erstes Konto",
    "account.deleted": "Konto „{username}“ gelöscht",
    "account.erased": "Gelöschtes Konto „{username}“ endgültig entfernt",
    "account.undeleted": "Löschung des Kontos rückgängig gemacht",
    "account.renamed": "Benutzernamen „{from}“ in „{to}“ geändert",
    "account.secured": (detail) =>
      `Konto abgesichert; beendet wurden ${[
        counted(detail, "sessions", "Sitzung", "Sitzungen"),
        counted(detail, "tokens", "Token", "Token"),
        counted(detail, "apps", "verbundene App", "verbundene Apps"),
        counted(detail, "endpoints", "Webhook-Endpunkt", "Webhook-Endpunkte"),
      ].join(", ")} und ${counted(detail, "links", "Link", "Links")}`,
    "charter.changed": (detail) =>
      `Geändert, was die Community von sich sagt: ${part(detail, "parts")
        .split(", ")
        .map((name) => CHARTER[name] ?? name)
        .join(", ")}`,
    "community.restored": (detail) =>
      `Community aus einer Sicherung zurückgespielt: ${timeIn(part(detail, "time"))}`,
    "maintenance.begun": (detail) => {
      const [, until] = /^until (\d{4}-.*)$/.exec(part(detail, "end")) ?? [];
      return until === undefined
        ? "Wartung begonnen, bis jemand sie beendet"
        : `Wartung begonnen, bis ${timeIn(until)}`;
    },
    "maintenance.ended": "Wartung beendet",
    "role.given": (detail) => `Die Rolle „${roleOf(detail, "from")}“ in „${roleOf(detail, "to")}“ geändert`,
    "admin.given": "Das Recht gegeben, die Community zu leiten",
    "admin.taken": "Das Recht genommen, die Community zu leiten",
    "builder.vouched": "Für das Mitglied gebürgt: die Grenzen für neue Mitglieder gelten ihm nicht mehr",
    "builder.suspended": "Konto gesperrt",
    "builder.restored": "Konto wieder freigegeben",
    "thing.hidden": (detail) => `Ausgeblendet: ${thing(detail)}`,
    "thing.restored": (detail) => `Wieder gezeigt: ${thing(detail)}`,
    "reports.dismissed": (detail) => `Meldungen abgewiesen über ${thing(detail)}`,
    "reports.upheld": (detail) =>
      `Meldungen bestätigt über ${THINGS[part(detail, "kind")] ?? part(detail, "kind")}, gelöscht`,
    "reports.reopened": (detail) => `Meldungen wieder geöffnet über ${thing(detail)}`,
    "session.opened": (detail) => `Angemeldet ${means(detail)}`,
    "session.refused": (detail) => `Eine Anmeldung ${means(detail)} wurde abgelehnt`,
    "session.ended": "Eine Sitzung beendet",
    "sessions.ended": "Überall sonst abgemeldet",
    "password.changed": "Passwort geändert",
    "password.removed": "Passwort weggenommen",
    "recovery.made": "Wiederherstellungslink erstellt",
    "recovery.used": "Neues Passwort mit einem Wiederherstellungslink gesetzt",
    "application.approved": "Aufgenommen, auf eigene Bitte",
    "application.declined": "Jemanden nicht aufgenommen, der mitmachen wollte",
    "invite.made": "Einladungslink „{label}“ erstellt",
    "invite.used": "Kam über den Einladungslink „{label}“ herein",
    "invite.mailed": "Einladungslink per E-Mail verschickt",
    "invite.withdrawn": "Einladungslink zurückgezogen",
    "passkey.added": "Passkey „{name}“ hinzugefügt",
    "passkey.removed": "Passkey „{name}“ entfernt",
    "push.begun": "Einen Browser benachrichtigen lassen, über {host}",
    "push.ended": "Einen Browser nicht mehr benachrichtigen lassen, über {host}",
    "feed.renewed": "Adresse für einen eigenen Feed erstellt",
    "feed.ended": "Adresse des eigenen Feeds weggenommen",
    "mail.confirmed": "E-Mail-Adresse bestätigt",
    "mail.removed": "E-Mail-Adresse weggenommen",
    "recovery.mailed": "Link für ein neues Passwort per E-Mail schicken lassen",
    "token.made": "Token „{name}“ erstellt",
    "token.revoked": "Token „{name}“ widerrufen",
    "app.registered": "App „{name}“ registriert",
    "app.changed": "App „{name}“ geändert",
    "app.secret-rotated": "Neues Geheimnis für die App „{name}“ erstellt",
    "app.deleted": "App „{name}“ gelöscht",
    "app.suspended": "App „{name}“ gesperrt",
    "app.restored": "App „{name}“ wieder freigegeben",
    "app.rate-set": "Grenze der App „{name}“ gesetzt",
    "grant.made": "App „{name}“ verbunden",
    "grant.revoked": "App „{name}“ getrennt",
    "grant.replayed": "Die Token der App „{name}“ wurden widerrufen: Eines wurde zweimal benutzt",
    "workspace.made": "Arbeitsbereich „{name}“ angelegt",
    "workspace.renamed": "Arbeitsbereich „{name}“ in „{to}“ umbenannt",
    "workspace.deleted": "Arbeitsbereich „{name}“ gelöscht",
    "workspace.joined": "Dem Arbeitsbereich „{name}“ beigetreten",
    "workspace.left": "Den Arbeitsbereich „{name}“ verlassen",
    "workspace.invited": "Link in den Arbeitsbereich „{name}“ erstellt",
    "workspace.mailed": "Link in den Arbeitsbereich „{name}“ per E-Mail verschickt",
    "workspace.uninvited": "Link in den Arbeitsbereich „{name}“ zurückgezogen",
    "member.removed": "Jemanden aus dem Arbeitsbereich „{name}“ entfernt",
    "member.changed": (detail) =>
      `Rolle im Arbeitsbereich „${part(detail, "name")}“ geändert: ${roleOf(detail, "role")}`,
    "endpoint.registered": "Webhook-Endpunkt {url} angelegt",
    "endpoint.moved": "Adresse des Webhook-Endpunkts {from} geändert in {url}",
    "endpoint.events-changed": "Webhook-Endpunkt {url} erfährt jetzt von: {events}",
    "endpoint.paused": "Webhook-Endpunkt {url} abgeschaltet",
    "endpoint.resumed": "Webhook-Endpunkt {url} wieder eingeschaltet",
    "endpoint.disabled": (detail) =>
      `Der Webhook-Endpunkt ${part(detail, "url")} hat sich abgeschaltet: ${reasonIn(part(detail, "reason"))}`,
    "endpoint.deleted": "Webhook-Endpunkt {url} gelöscht",
    "endpoint.secret-rotated": "Neues Signaturgeheimnis für den Webhook-Endpunkt {url} erstellt",
  },
  xp: {
    rules: {
      "post.published": "Einen Beitrag veröffentlicht",
      "reply.published": "Auf einen Beitrag geantwortet",
      "like.received": "Jemand mag es",
      "prompt.submitted": "Einen Prompt geteilt",
      "rating.received": "Jemand bewertet es mit 4 oder 5",
      "job.published": "Eine Stelle ausgeschrieben",
      "streak.day": "Ein weiterer Tag in Folge",
      "streak.7": "Sieben Tage in Folge",
      "streak.30": "Dreißig Tage in Folge",
      "streak.100": "Hundert Tage in Folge",
      "streak.365": "Ein Jahr lang kein Tag ausgelassen",
      carried: "Mitgebracht aus der Zeit, als noch nicht Buch geführt wurde",
      "badge.given": "Ein Abzeichen, von der Community verliehen",
    },
    causes: {
      earned: (rule) => rule,
      undone: (rule) => `Zurückgenommen: ${rule}`,
      hidden: (rule) => `Von der Moderation ausgeblendet: ${rule}`,
      restored: (rule) => `Zurückgegeben: ${rule}`,
    },
  },
  scopes: {
    openid: "Wissen, dass du es bist, wenn du dich anmeldest",
    profile: "Deinen Benutzernamen und deinen Namen sehen",
    "feed:read": "Den Feed lesen",
    "feed:write": "Als du Beiträge und Antworten veröffentlichen",
    "jobs:read": "Stellen suchen",
    "jobs:write": "Stellen ausschreiben und ändern",
    "prompts:read": "Prompts lesen",
    "prompts:write": "Als du Prompts teilen und bewerten",
    "profile:read": "Profile von Mitgliedern lesen",
    "profile:write": "Dein Profil ändern",
    "webhooks:read": "Die Webhook-Endpunkte des Arbeitsbereichs und ihre Zustellungen sehen",
    "webhooks:write": "Webhook-Endpunkte des Arbeitsbereichs hinzufügen, ändern und entfernen",
    "messages:read": "Deine Nachrichten lesen",
    "messages:write": "Als du Nachrichten schicken",
    "notifications:read": "Deine Mitteilungen sehen",
    "notifications:write": "Mitteilungen als gelesen markieren und sagen, wovon du erfahren willst",
    "media:write": "Als du Bilder schicken",
    admin: "Die Community leiten: Moderation, Apps und Token von anderen",
  },
  events: {
    "post.created": "Ein Beitrag erscheint im Feed",
    "post.updated": "Ein Beitrag ändert sich, oder er kommt in den Feed zurück",
    "post.deleted": "Ein Beitrag verschwindet aus dem Feed",
    "job.published": "Eine Stelle wird ausgeschrieben",
    "job.matched": "Eine Stelle passt zu einer deiner gespeicherten Suchen",
    "dm.received": "Jemand schickt dir eine Nachricht",
    "xp.level_up": "Jemand erreicht eine neue Stufe",
    "webhook.endpoint_disabled":
      "Einer deiner Webhook-Endpunkte hat einen Tag lang Fehler, oder er wird deshalb abgeschaltet",
    "webhook.test": "Jemand probiert einen Endpunkt aus",
  },
  failures: {
    status: "Der Empfänger hat mit {status} geantwortet.",
    redirect: "Der Empfänger hat mit {status} und einer Umleitung geantwortet; ihr wird nicht gefolgt.",
    connection_timeout: ({ seconds }) =>
      `Innerhalb von ${plural(Number(seconds), { one: "{n} Sekunde", other: "{n} Sekunden" })} kam keine Antwort.`,
    connection_refused:
      "Die Verbindung wurde abgelehnt: An {host}, Port {port}, hört nichts, oder eine Firewall weist sie ab.",
    connection_unreachable: "Es führt kein Weg zu {host}, Port {port} ({detail}).",
    connection_reset: "Der Empfänger hat die Verbindung ohne Antwort geschlossen.",
    tls_failed: "Der TLS-Handshake ist fehlgeschlagen; vielleicht spricht {host}, Port {port}, kein TLS.",
    tls_expired: "Das Zertifikat des Empfängers wurde abgelehnt: Es ist abgelaufen ({detail}).",
    tls_not_yet_valid: "Das Zertifikat des Empfängers wurde abgelehnt: Es gilt noch nicht ({detail}).",
    tls_wrong_name:
      "Das Zertifikat des Empfängers wurde abgelehnt: Es ist für einen anderen Namen ({detail}).",
    tls_self_signed: "Das Zertifikat des Empfängers wurde abgelehnt: Es ist selbst signiert ({detail}).",
    tls_untrusted:
      "Das Zertifikat des Empfängers wurde abgelehnt: Keine Stelle, der hier vertraut wird, bürgt dafür, oder die Kette ist nicht vollständig ({detail}).",
    tls_unverified: "Das Zertifikat des Empfängers wurde abgelehnt: Es lässt sich nicht prüfen ({detail}).",
    answer_invalid: "Die Antwort des Empfängers ist kein gültiges HTTP ({detail}).",
    answer_too_large: "Die Kopfzeilen der Antwort des Empfängers sind zu groß.",
    dns_not_found: refused.host_unknown,
    dns_timeout: "Die Namensserver des Hosts haben zwei Sekunden lang nicht geantwortet.",
    secret_unreadable: "Das Signaturgeheimnis lässt sich nicht öffnen; erstelle ein neues.",
    request_failed: "Die Anfrage ist fehlgeschlagen ({detail}).",
    not_made: "Der Versuch kam nicht zustande.",
    url_malformed: refused.url_malformed,
    url_not_https: refused.url_not_https,
    url_with_credentials: refused.url_with_credentials,
    url_port_refused: refused.url_port_refused,
    url_private: refused.url_private,
  },
  givenUp: {
    endpoint_off: "Der Endpunkt war drei Tage lang aus; sende es noch einmal, wenn er an ist.",
    subject_gone: "Der Inhalt wurde gelöscht oder ausgeblendet, bevor er zugestellt werden konnte.",
    backlog_full:
      "Der Endpunkt war aus, und tausend neuere warteten auf ihn; sende es noch einmal, wenn er an ist.",
  },
  disabled,
};
