import { GRAPHQL } from "../../../core/base/refusals/graphql.ts";
import { REFUSALS, type RefusalCode } from "../../../core/base/refusals/refusals.ts";
import type { Params } from "../../../core/base/refusals/sentence.ts";
import type { Words } from "../words.ts";
import { neutral } from "./refusal-titles.ts";
import { plural } from "./forms.ts";

/** A thing that is counted: «1 App», «2 Apps». */
const counted = (told: Params, place: string, one: string, other: string): string =>
  plural(Number(told[place]), { one: `{n} ${one}`, other: `{n} ${other}` });

const STEPS = [
  [86_400, "Tag", "Tage"],
  [3_600, "Stunde", "Stunden"],
  [60, "Minute", "Minuten"],
] as const;

/** How long still, in the largest unit of which there is more than one; rather too long than too short. */
function left({ seconds }: Params): string {
  const whole = Number(seconds);
  const [length, one, other] = STEPS.find(([unit]) => whole > unit) ?? [1, "Sekunde", "Sekunden"];
  return plural(Math.ceil(whole / length), { one: `{n} ${one}`, other: `{n} ${other}` });
}

const wait = (told: Params): string => `Warte ${left(told)}`;

/** When a limit ends. The page has made the moment text already, in the reader's zone. */
const end = ({ until }: Params): string => String(until);

/** What programs alone are told, in English: a person is told it in general. */
function forPrograms<Code extends RefusalCode>(codes: readonly Code[]): Record<Code, string> {
  return Object.fromEntries(codes.map((code) => [code, neutral[REFUSALS[code].error]])) as Record<
    Code,
    string
  >;
}

/** Each refusal by its code, as a whole sentence that says what would help. */
export const refused: Words["refusals"]["of"] = {
  ...forPrograms(Object.keys(GRAPHQL) as (keyof typeof GRAPHQL)[]),
  ...forPrograms([
    "handed_unsigned",
    "handed_late",
    "handed_again",
    "version_ahead",
    "reads_only",
    "nothing_under_docs",
    "nothing_under_v1",
    "request_malformed",
    "target_malformed",
    "body_not_json",
    "form_too_many_fields",
    "form_not_utf8",
    "body_compressed",
    "body_broken_off",
    "body_too_deep",
    "body_not_utf8",
    "idempotency_key_reused",
    "idempotency_key_in_flight",
    "body_not_sent_as_json",
    "form_not_sent_as_form",
    "upload_not_sent_as_form",
    "upload_malformed",
    "notifications_unnamed",
    "event_not_of_stream",
    "place_too_old",
    "place_unknown",
  ]),

  // Who may do what.
  person_only: "Das geht nur angemeldet, in deinen Einstellungen.",
  not_yours: "Das gehört jemand anderem.",
  builder_only: "Das kann nur ein Mitglied tun.",
  enterprise_by_operator:
    "Enterprise-Token gibt nur aus, wer den Server betreibt; erstelle ein persönliches.",
  token_lifetime_unknown: "Ein Token gilt {days} Tage oder unbegrenzt; wähle eines davon.",
  scope_unknown: "Ein solches Recht gibt es nicht; wähle eines von denen, die angeboten werden.",
  admin_token_for_others: "{username} leitet die Community nicht, also kann es auch kein Token von dort.",
  token_workspace_unknown: "{username} gehört zu keinem solchen Arbeitsbereich.",
  tokens_too_many: ({ max }) =>
    `Du hast schon ${String(max)} gültige Token; widerrufe eines, das du nicht brauchst.`,
  token_unknown: "Ein solches gültiges Token gibt es nicht; sieh in der Liste der Token nach.",
  token_not_yours: "Unter deinen gültigen Token ist dieses nicht; sieh in der Liste nach.",
  sign_in_first: "Melde dich dafür an.",
  moderator_only: "Das können nur Moderation und Admins der Community; frag jemanden von ihnen.",
  admin_only: "Das können nur Admins der Community; frag jemanden von ihnen.",
  scope_missing: "Diesem Token fehlt das Recht „{scope}“; erstelle eines, das es hat.",
  credentials_invalid: "Melde dich an und versuch es noch einmal.",

  // Accounts.
  sign_in_wrong: "Der Benutzername oder das Passwort stimmt nicht.",
  passkey_wrong: "Dieser Passkey wurde nicht angenommen; versuch es noch einmal, oder nimm dein Passwort.",
  passkey_unreadable: "Der Browser hat nichts Lesbares geschickt; versuch es noch einmal.",
  username_looks_alike:
    "Dieser Benutzername sieht aus wie der Name des Teams oder der Community; wähle einen anderen.",
  username_reserved: "Dieser Benutzername ist vorbehalten; wähle einen anderen.",
  username_taken: "Dieser Benutzername ist vergeben; wähle einen anderen.",
  username_same: "So heißt du schon; wähle einen anderen Benutzernamen.",
  renamed_lately: (told) =>
    `Ein Benutzername lässt sich einmal in ${counted(told, "days", "Tag", "Tagen")} ändern. ${wait(told)} und versuch es dann noch einmal.`,
  own_suspension: "Dich selbst kannst du nicht sperren; bitte jemand anderen von den Admins.",
  admin_last: "Außer {username} kann niemand von den Admins herein; gib zuerst jemand anderem das Recht.",
  head_only: "Das kann nur, wem die Community gehört; frag dort nach.",
  head_untouchable:
    "{username} gehört die Community: Das kann nur, wer den Server betreibt, auf der Kommandozeile.",
  head_last:
    "Außer {username} kann niemand herein, dem die Community gehört; übergib sie zuerst jemand anderem.",
  head_own: "Dir gehört die Community schon; nenne jemand anderen.",
  role_same: "{username} hat diese Rolle schon; wähle eine andere.",
  role_lost: "Deine Rolle in der Community wurde inzwischen geändert; öffne die Seite neu.",
  account_gone: "Dieses Konto gibt es nicht mehr.",
  account_suspended: "Dieses Konto ist gesperrt; frag jemanden von den Admins der Community.",
  sign_in_again:
    "Du hast dich vor einer Weile angemeldet; zeig noch einmal, dass du es bist, und versuch es dann erneut.",
  signed_out: "Du wurdest inzwischen abgemeldet; melde dich wieder an.",
  session_unknown: "Eine solche Sitzung hast du nicht.",
  way_in_last:
    "Damit könntest du dich nicht mehr anmelden; behalte einen Passkey, oder setz zuerst ein Passwort.",
  password_changed: "Dein Passwort wurde inzwischen geändert; melde dich wieder an.",
  passkey_unfit: "Die Antwort des Browsers passt nicht; füge den Passkey noch einmal hinzu.",
  passkey_taken: "Dieser Passkey ist schon in Gebrauch.",
  passkey_unknown: "Einen solchen Passkey hast du nicht.",
  passkey_last:
    "Nur mit diesem Passkey kannst du dich anmelden; setz zuerst ein Passwort, oder füge einen weiteren hinzu.",
  passkeys_need_https: "Browser bieten Passkeys nur Seiten mit https und eigenem Namen an.",
  passkeys_too_many: ({ max }) =>
    `Du hast schon ${String(max)} Passkeys; entferne einen, den du nicht brauchst.`,
  link_broken:
    "Dieser Link gilt nicht: Er wurde benutzt, ist abgelaufen oder war nie gültig. Bitte um einen neuen.",
  invites_too_many: "{max} Einladungslinks sind schon offen; zieh zuerst einen zurück.",
  invite_unknown: "Einen solchen offenen Einladungslink gibt es nicht.",
  sign_in_crowded: (told) =>
    `Gerade melden sich zu viele gleichzeitig an. ${wait(told)} und versuch es dann noch einmal.`,
  too_many_tries: (told) => `Zu viele Versuche. ${wait(told)} und versuch es dann noch einmal.`,
  own_account_here: "Lösche dein eigenes Konto in den Einstellungen deines Kontos.",
  sign_up_closed: "Diese Community nimmt zurzeit niemanden auf.",
  sign_up_by_invitation: "Hierher kommt man mit Einladung; bitte jemanden von den Admins um einen Link.",
  sign_up_by_approval:
    "Hier wird angesehen, wer mitmachen möchte; sag auf der Seite zum Mitmachen, warum du es möchtest.",
  still_applicant:
    "Du bist noch nicht aufgenommen; melde dich auf der Seite der Community an, um zu sehen, wie es steht.",
  nobody_applies: "Hier muss zurzeit niemand fragen; lade die Seite zum Mitmachen neu.",
  applications_from_here: "Von hier haben heute schon mehrere gefragt; versuch es morgen wieder.",
  applications_too_many:
    "Es warten so viele auf Aufnahme, dass niemand mehr dazukommen kann; komm in ein paar Tagen wieder.",
  application_unknown:
    "So jemand wartet nicht: Es ist schon entschieden, zurückgenommen oder vorbei. Lade die Seite neu.",
  rules_not_agreed: "Diese Community hat Regeln; lies sie, und setz das Häkchen, dass du dich daran hältst.",
  set_up_by_operator: "Eine Community richtet nur ein, wer den Server betreibt.",
  set_up_done: "Diese Community wird schon von jemandem geleitet; melde dich an, oder frag dort nach.",

  // Apps, and what people allow them.
  too_many_wrong_codes: (told) => `Zu viele falsche Codes. ${wait(told)} und versuch es dann noch einmal.`,
  consent_without_sign_in: "Melde dich zuerst an; dann siehst du, worum die App bittet.",
  consent_over:
    "Diese Anfrage ist vorbei oder wurde in einem anderen Browser begonnen; geh zurück zur App und fang neu an.",
  consent_of_other: "Als die App fragte, war jemand anderes angemeldet; geh zurück zur App und fang neu an.",
  decide_without_sign_in: "Melde dich zuerst an; dann kannst du entscheiden, was eine App darf.",
  consent_too_wide: "Dieses Formular erlaubt mehr, als die App will; geh zurück zur App und fang neu an.",
  device_code_unknown:
    "Kein Gerät wartet mit diesem Code; sieh ihn dir noch einmal an, oder lass dir dort einen neuen geben.",
  consent_empty: "Nichts ist eingeschaltet; erlaube etwas, oder lehne ab.",
  grant_unknown: "Unter deinen verbundenen Apps ist diese nicht.",
  app_gone: "Diese App gibt es nicht mehr, oder sie ist gesperrt.",
  apps_too_many: (told) =>
    `Dieser Arbeitsbereich hat schon ${counted(told, "max", "App", "Apps")}; lösche zuerst eine.`,
  app_without_secret: "Eine öffentliche App hat kein Geheimnis; sie weist sich mit PKCE aus.",
  burst_too_large:
    "Was auf einmal geht, muss in {minutes} Minuten nachwachsen: höchstens {minutes}-mal so viel wie pro Minute.",
  app_unknown: "Eine solche App gibt es nicht.",
  app_scope_admin: "Keine App darf darum bitten, die Community zu leiten: Das tun Menschen.",
  redirect_spelling:
    "Eine Rücksprungadresse ist nicht schlicht geschrieben: Schema und Host klein, keine Leerzeichen, kein üblicher Port.",
  redirect_with_fragment: "Eine Rücksprungadresse darf keinen Teil nach # und keinen Rückstrich enthalten.",
  redirect_with_credentials: "Eine Rücksprungadresse darf keinen Benutzernamen und kein Passwort enthalten.",
  redirect_with_answer: "Eine Rücksprungadresse darf nicht schon eines davon enthalten: {names}.",
  redirect_host: "Eine Rücksprungadresse braucht einen Host aus Buchstaben, Ziffern, Punkten, - und _.",
  redirect_loopback_plain:
    "Eine Rücksprungadresse auf diesem Rechner muss mit http:// beginnen; dort hört niemand dazwischen mit.",
  redirect_not_https:
    "Eine Rücksprungadresse muss mit https:// beginnen; http:// ist für 127.0.0.1, [::1] und localhost.",
  redirect_scheme:
    "Eine Rücksprungadresse muss mit https:// beginnen, mit http:// auf diesem Rechner oder mit einem Schema mit Punkt wie com.example.app:.",
  app_not_yours: "Unter deinen Apps ist diese nicht.",

  // Jobs, prompts, profiles, posts.
  company_unknown: "Ein Unternehmen mit diesem Kurznamen gibt es nicht.",
  job_unknown: "Diese Stelle gibt es nicht, oder nicht mehr.",
  job_gone: "Diese Stelle gibt es nicht mehr.",
  profile_unknown: "Ein Profil mit diesem Benutzernamen gibt es nicht.",
  report_of_nothing: "Unter dieser Adresse gibt es nichts, was sich melden ließe.",
  time_zone_unknown:
    "Eine solche Zeitzone gibt es nicht; nimm einen Namen aus der IANA-Datenbank, etwa Europe/Berlin.",
  versions_too_many: ({ max }) =>
    `Dieser Prompt hat schon ${String(max)} Versionen; teile deine als neuen Prompt.`,
  version_unknown: "Diese Version hat der Prompt nicht.",
  own_prompt: "Das ist dein eigener Prompt; andere bewerten ihn.",
  prompt_revised: "Inzwischen gilt Version {version} dieses Prompts; lies sie und bewerte dann noch einmal.",
  prompt_not_yours: "Dieser Prompt ist von jemand anderem; nur wer ihn geteilt hat, kann das.",
  prompt_unknown: "Diesen Prompt gibt es nicht, oder nicht mehr.",
  projects_too_many: (told) =>
    `Dein Profil zeigt schon ${counted(told, "max", "Projekt", "Projekte")}; lösche zuerst eines.`,
  project_unknown: "Ein solches Projekt hast du nicht.",
  project_gone: "Dieses Projekt gibt es nicht mehr.",
  own_cause:
    "Hier geht es um dich oder um etwas von dir; darüber entscheidet jemand anderes aus der Moderation.",
  report_upheld: "Diese Meldung wurde bestätigt; zeig wieder, worum es geht, und sie ist wieder offen.",
  report_void: "Worum es in dieser Meldung geht, wurde gelöscht; es gibt nichts zu entscheiden.",
  builder_id_unknown: "Ein solches Mitglied gibt es nicht.",
  builder_unknown: "Ein Mitglied mit diesem Benutzernamen gibt es nicht.",
  builder_gone: "Dieses Mitglied gibt es nicht mehr.",
  report_unknown: "Eine solche Meldung gibt es nicht.",
  subject_unknown: "Diesen Beitrag, diese Stelle oder diesen Prompt gibt es nicht.",
  job_not_yours: "Diese Stelle kann nur ändern, wer sie ausgeschrieben hat.",
  job_over: "Die 60 Tage dieser Stelle sind um; schreib sie neu aus.",
  salary_upside_down: "Das untere Ende des Gehalts liegt über dem oberen; tausche die beiden.",
  company_of_others:
    "{name} gehört hier anderen. Bitte darum, in ihren Arbeitsbereich zu dürfen, oder schreib einen anderen Kurznamen.",
  filters_too_many: (told) =>
    `Du hast schon ${counted(told, "max", "gespeicherte Suche", "gespeicherte Suchen")}; lösche eine, oder ändere sie.`,
  filter_unknown: "Unter deinen gespeicherten Suchen ist diese nicht.",
  search_too_wide:
    "Diese Suche findet zu viele Stellen, um am Ende zu beginnen; beginne am Anfang, oder grenze sie mit mehr Wörtern oder Filtern ein.",
  post_not_yours:
    "Dieser Beitrag ist von jemand anderem; bearbeiten und löschen kannst du nur deine eigenen.",
  post_edited:
    "Dieser Beitrag wurde bearbeitet, seit du ihn gelesen hast; lies ihn noch einmal und ändere dann die jetzige Fassung.",
  edits_too_many:
    "Dieser Beitrag wurde {max}-mal bearbeitet; was du noch sagen willst, gehört in einen neuen.",
  edits_too_fast: (told) =>
    `Ein Beitrag lässt sich in einer Stunde ${String(told["max"])}-mal bearbeiten. ${wait(told)} und versuch es dann noch einmal.`,
  post_unknown: "Diesen Beitrag gibt es nicht, oder nicht mehr.",

  // Messages, following, blocking.
  message_unknown: "Diese Nachricht gibt es in diesem Gespräch nicht.",
  own_message: "Dir selbst kannst du keine Nachricht schicken.",
  recipient_blocked: "Du hast dieses Mitglied blockiert; gib es frei, um ihm zu schreiben.",
  message_unwanted: "Dieses Mitglied bekommt keine Nachrichten von dir.",
  threads_too_many: (told) =>
    `Du hast an einem Tag ${counted(told, "max", "Gespräch", "Gespräche")} begonnen. ${wait(told)} und versuch es dann noch einmal.`,
  message_not_theirs: "In diesem Gespräch gibt es keine solche Nachricht des anderen Mitglieds.",
  thread_unknown: "Ein solches Gespräch hast du nicht.",
  own_follow: "Dir selbst kannst du nicht folgen.",
  follow_blocked: "Du hast dieses Mitglied blockiert; gib es frei, um ihm zu folgen.",
  follow_unwanted: "Diesem Mitglied kannst du nicht folgen.",
  follows_too_many: (told) =>
    `Du folgst schon ${counted(told, "max", "Mitglied", "Mitgliedern")}; hör zuerst bei einem damit auf.`,
  followed_tags_too_many: (told) =>
    `Du folgst schon ${counted(told, "max", "Schlagwort", "Schlagwörtern")}; hör zuerst bei einem damit auf.`,
  tag_unknown:
    "So schreibt sich kein Schlagwort; nimm Wörter in Kleinbuchstaben, verbunden mit - oder einem Punkt, etwa rust oder node.js.",
  own_block: "Dich selbst kannst du nicht blockieren.",

  // Pictures.
  media_unknown:
    "Ein solches Bild hast du nicht; schick es noch einmal. Was in keinem Beitrag steht, wird nach einem Tag gelöscht.",
  media_full: "In dieser Community ist kein Platz für weitere Bilder; frag bei denen nach, die sie leiten.",
  media_unavailable: "Bilder können gerade nicht angenommen werden; versuch es später noch einmal.",
  file_missing: "Wähle das Bild aus, das du schicken willst.",
  upload_too_long: "Diese Datei ist größer als {mib} MiB; verkleinere das Bild und schick es noch einmal.",
  upload_too_slow:
    "Diese Datei kam nicht innerhalb von {minutes} Minuten an; verkleinere das Bild und schick es noch einmal.",
  uploads_too_many: (told) =>
    `Du schickst viele Bilder auf einmal. ${wait(told)} und schick dann das nächste.`,
  uploads_too_many_of_all: (told) =>
    `Gerade werden viele Bilder geschickt. ${wait(told)} und versuch es dann noch einmal.`,
  picture_unknown: "Das ist kein Bild, das sich hier zeigen lässt; schick es als JPEG, PNG, WebP oder GIF.",
  picture_heic:
    "AVIF und HEIC lassen sich hier nicht lesen; speichere das Bild als JPEG oder PNG und schick das.",
  picture_svg:
    "Ein SVG kann ein Programm enthalten, darum wird keines angenommen; speichere es als PNG und schick das.",
  picture_damaged:
    "Dieses Bild ist abgeschnitten oder beschädigt; öffne es bei dir, speichere es neu und schick das.",
  picture_too_large:
    "Dieses Bild hat mehr als 40 Megapixel oder mehr als 16.383 Pixel an einer Seite; verkleinere es und schick es noch einmal.",
  picture_too_costly:
    "Dieses Bild zu lesen dauert zu lange; speichere es neu, möglichst kleiner, und schick das.",

  // Those who run the community or its server.
  zone_unknown:
    "Eine solche Zeitzone gibt es nicht; nimm einen Namen aus der IANA-Datenbank, etwa Europe/Berlin.",
  newcomer_post_unknown:
    "Einen solchen Beitrag, den alle sehen, gibt es nicht; nimm das Ende der Adresse von einem, den es gibt.",
  colour_contrast:
    "Buchstaben in dieser Farbe sind auf diesen Seiten schwer zu lesen; {near} ist ihr nahe und dunkel genug.",
  maintenance_length:
    "Eine Wartung, die von selbst endet, dauert eine Minute bis dreißig Tage; lass die Dauer weg, um sie von Hand zu beenden.",
  fenced: (told) =>
    `Diese Gemeinschaft führt jetzt eine andere Maschine, und diese schreibt nichts mehr. ${wait(told)}.`,
  leader_away: (told) =>
    `Das geht nur dort, von wo die Gemeinschaft geführt wird, und diese Maschine antwortet gerade nicht. ${wait(told)}.`,
  lead_unsure: (told) =>
    `Diese Maschine stellt gerade fest, ob sie die Gemeinschaft noch führt. ${wait(told)}.`,
  demo_half_way:
    "Eine frühere Vorführung wurde mittendrin abgebrochen; lösche den Datenordner und fang neu an.",
  demo_needs_empty:
    "Die Vorführung braucht eine leere Datenbank, und in dieser gibt es Mitglieder; nimm einen anderen Datenordner.",
  maintenance: (told) =>
    `${String(told["message"])} Bis dahin lässt sich nichts ändern. ${wait(told)} und versuch es dann noch einmal.`,
  posts_over_quota: (told) =>
    `So viele Beiträge und Antworten, wie ein Mitglied hier in 24 Stunden veröffentlichen kann (${String(told["max"])}), hast du schon veröffentlicht. ${wait(told)} und versuch es dann noch einmal.`,
  endpoints_over_quota:
    "Mehr Webhook-Endpunkte kann ein Mitglied hier nicht haben, in allen Arbeitsbereichen zusammen ({max}); lösche einen, oder bitte die um mehr, die diese Community leiten.",
  filters_over_quota:
    "Mehr gespeicherte Suchen kann ein Mitglied hier nicht haben ({max}); lösche oder ändere eine, oder bitte die um mehr, die diese Community leiten.",
  media_over_quota:
    "Mehr Platz für Bilder hat ein Mitglied hier nicht ({max} MB); lösche Beiträge mit Bildern, oder bitte die um mehr, die diese Community leiten.",

  // Whoever is new.
  newcomer_links: (told) =>
    `Du bist neu hier: Bis zum ${end(told)} kann, was du schreibst, ${counted(told, "max", "Link", "Links")} enthalten. Lass die übrigen weg, oder schreib es danach. Links in diese Community zählen nicht.`,
  newcomer_links_today: (told) =>
    `Du bist neu hier: Bis zum ${end(told)} kannst du ${counted(told, "max", "Link", "Links")} am Tag schreiben. Lass neue weg, oder warte ${left(told)}.`,
  newcomer_pictures: (told) =>
    `Du bist neu hier: Bis zum ${end(told)} kannst du ${counted(told, "max", "Bild", "Bilder")} am Tag schicken. ${wait(told)} und schick dann das nächste.`,
  newcomer_messages: (told) =>
    `Du bist neu hier: Bis zum ${end(told)} kannst du denen, die dir noch nicht geschrieben haben, ${counted(told, "max", "Nachricht", "Nachrichten")} am Tag schicken. Antworte denen, die dir schreiben, oder warte ${left(told)}.`,

  // What reaches members elsewhere.
  push_not_yours: "Diese Adresse ist mit anderen Schlüsseln bekannt; melde den Browser ab und dann neu an.",
  push_key_wrong:
    "Der Browser hat keinen passenden Schlüssel geschickt; lade die Seite neu und versuch es noch einmal.",
  push_unknown: "Einen solchen Browser hast du hier nicht.",
  mail_not_sent: "Diese Community verschickt keine E-Mails; frag bei denen nach, die sie leiten.",
  mail_just_sent:
    "Gerade erst wurde ein Link verschickt; sieh nach, ob er da ist, oder versuch es in einer Minute noch einmal.",
  mail_addresses_too_many: (told) =>
    `Du hast an einem Tag Links an ${String(told["max"])} verschiedene Adressen verlangt. Bestätige eine davon, oder warte ${left(told)}.`,
  mail_recipient_too_many: (told) =>
    `An diese Adresse sind an einem Tag schon ${String(told["max"])} E-Mails gegangen. Nenne eine andere, oder warte ${left(told)}.`,
  application_mails_too_many:
    "Für einen Tag sind genug E-Mails verlangt worden; frag ohne Adresse, oder morgen.",
  invitation_mails_too_many:
    "Für einen Tag sind genug Einladungen per E-Mail hinausgegangen; gib den Link selbst weiter, oder verschick ihn morgen.",

  // Webhooks.
  url_malformed: "Das ist keine gültige Adresse.",
  url_not_https: "Die Adresse muss mit https:// beginnen.",
  url_with_credentials:
    "Die Adresse darf keinen Benutzernamen und kein Passwort enthalten; an der Signatur erkennt der Empfänger, wer sendet.",
  url_port_refused:
    "Die Adresse muss Port 443 benutzen, oder einen ab {min}, den kein bekannter Dienst benutzt.",
  url_private:
    "Die Adresse führt in ein privates oder besonderes Netz. Nimm einen öffentlichen Host, oder bitte die darum, die den Server betreiben, sie zu erlauben.",
  host_unknown: "Diesen Hostnamen gibt es nicht.",
  host_silent:
    "Die Namensserver des Hosts haben zwei Sekunden lang nicht geantwortet; versuch es später noch einmal.",
  endpoint_id_unknown: "Einen solchen Webhook-Endpunkt gibt es nicht.",
  endpoint_unknown: "Einen solchen Webhook-Endpunkt gibt es in diesem Arbeitsbereich nicht.",
  endpoint_twice:
    "Dieser Arbeitsbereich hat schon einen Endpunkt mit dieser Adresse. Ändere stattdessen den.",
  endpoints_too_many: (told) =>
    `Dieser Arbeitsbereich hat schon ${counted(told, "max", "Endpunkt", "Endpunkte")}; lösche zuerst einen.`,
  secrets_too_many: (told) =>
    `Für diesen Endpunkt gelten noch ${counted(told, "max", "Geheimnis", "Geheimnisse")}; das älteste endet in ${counted(told, "hours", "Stunde", "Stunden")}. Nimm das neueste, oder erstelle dann ein weiteres.`,
  endpoint_app_lacks_scope:
    "Dieser Endpunkt gehört einer App, und ihr fehlt das Recht „{scope}“; leg einen eigenen an.",
  recoveries_too_many:
    "Von diesem Endpunkt werden schon {max} Zeiträume noch einmal gesendet; warte, bis einer fertig ist.",
  event_type_unknown: "Wähle Ereignisse, die angeboten werden.",
  delivery_subject_gone:
    "Diese Zustellung kann nicht noch einmal gesendet werden: der Inhalt wurde gelöscht oder ausgeblendet.",
  delivery_attempting: "Diese Zustellung wird gerade versucht.",
  endpoint_disabled: "Dieser Endpunkt ist abgeschaltet. Schalte ihn zuerst ein.",
  delivery_unknown: "Eine solche Zustellung gibt es in diesem Arbeitsbereich nicht.",

  // Workspaces.
  workspace_none: "Diese Zugangsdaten gehören zu keinem Arbeitsbereich.",
  member_already: "{username} gehört schon zu diesem Arbeitsbereich.",
  members_too_many: (told) =>
    `Dieser Arbeitsbereich hat schon ${counted(told, "max", "Mitglied", "Mitglieder")}; zuerst muss jemand gehen.`,
  workspace_personal:
    "Ein persönlicher Arbeitsbereich gehört auf Dauer einer Person; leg einen gemeinsamen an.",
  owner_only: "Das kann nur, wer diesen Arbeitsbereich leitet; frag dort nach.",
  operator_only: "Das kann nur, wer den Server betreibt. Untereinander ladet ihr euch mit einem Link ein.",
  member_unknown: "In diesem Arbeitsbereich gibt es kein Mitglied mit diesem Benutzernamen.",
  owner_last:
    "Ein Arbeitsbereich braucht jemanden, der ihn leitet und herein darf, und sonst ist niemand da; gib die Leitung jemandem, oder lösche den Arbeitsbereich.",
  workspaces_too_many: (told) =>
    `${String(told["username"])} gehört schon zu ${counted(told, "max", "Arbeitsbereich", "Arbeitsbereichen")}; zuerst muss einer verlassen werden.`,
  invitations_too_many: "{max} Einladungen sind schon offen; zieh zuerst eine zurück.",
  invitation_unknown: "Eine solche offene Einladung gibt es in diesem Arbeitsbereich nicht.",
  workspace_unknown: "Unter deinen Arbeitsbereichen ist dieser nicht.",
  workspace_id_unknown: "Einen solchen Arbeitsbereich gibt es nicht.",
  own_workspace_needs_owner:
    "Sonst leitet niemand, der herein darf, den Arbeitsbereich „{name}“; gib die Leitung zuerst jemandem, oder lösche ihn.",
  workspace_needs_owner:
    "Sonst leitet niemand, der herein darf, den Arbeitsbereich „{name}“. Sperre das Konto vorerst, und bitte die, die den Server betreiben, ihm eine andere Leitung zu geben oder ihn zu löschen.",

  // What is wrong with a request itself.
  too_many_requests: (told) => `Zu viele Anfragen. ${wait(told)} und versuch es dann noch einmal.`,
  too_many_new_tokens: (told) =>
    `Zu viele neue Token auf einmal. ${wait(told)} und versuch es dann noch einmal.`,
  fault_of_ours: "Bei uns ist etwas schiefgegangen. Versuch es gleich noch einmal.",
  changed_meanwhile: "Es hat sich geändert, seit du es angesehen hast. Lade die Seite neu.",
  form_foreign:
    "Dieses Formular kam von einer anderen Seite; öffne die Seite hier und schick es noch einmal.",
  form_field_repeated:
    "Dieses Formular enthielt eine Angabe zweimal; lade die Seite neu und schick es noch einmal.",
  form_stale: "Dieses Formular ist zu alt; lade die Seite neu und schick es noch einmal.",
  page_unknown: "Diese Seite gibt es nicht.",
  nothing_here_that_way: "Unter dieser Adresse gibt es nichts, oder nicht auf diesem Weg.",
  nothing_here: "Unter dieser Adresse gibt es nichts.",
  body_too_long: "Das ist zu viel auf einmal: In ein Formular passen höchstens {kib} KiB.",
  cursor_foreign: "Diese Seite der Liste ist vorbei. Beginne wieder bei der ersten.",
};
