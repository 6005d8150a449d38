import type { Words } from "../words.ts";
import { number, plural } from "./forms.ts";
import { neutral } from "./refusal-titles.ts";
import { refused } from "./refused.ts";

/** What is refused, and what would help. */
export const refusals: Words["refusals"] = {
  titles: {
    bad_request: "Das hat nicht geklappt",
    unauthorized: "Bitte melde dich an",
    forbidden: "Das ist nicht erlaubt",
    not_found: "Hier ist nichts",
    conflict: "Das ist vergeben",
    precondition_failed: "Das hat sich geändert",
    unprocessable: "Das hat nicht geklappt",
    rate_limited: "Zu viele Anfragen",
    server_error: "Etwas ist schiefgegangen",
    unavailable: "Gerade nicht",
  },
  neutral,
  fields: {
    missing: "Füll das aus.",
    repeated: "Gib das nur einmal an.",
    not_valid: "Das passt hier nicht.",
    not_text: "Schreib {min} bis {max} Zeichen.",
    text_broken: "Darin sind kaputte Zeichen; tipp es noch einmal.",
    text_too_long: ({ max, length }) =>
      `Höchstens ${number(Number(max))} Zeichen passen hinein; das sind ${number(Number(length))}.`,
    text_too_short: ({ min, length }) =>
      `Es braucht mindestens ${number(Number(min))} Zeichen; ${plural(Number(length), { one: "das ist eines", other: "das sind {n}" })}.`,
    text_empty: "Füll das aus.",
    text_blank: "Schreib etwas, das man sieht.",
    text_unseen: "Bleib in einer Zeile, ohne unsichtbare Zeichen.",
    not_whole: "Schreib eine ganze Zahl von {min} bis {max}.",
    not_decimal: "Schreib eine Zahl von {min} bis {max}.",
    not_boolean: "Wähle eines von beiden.",
    not_choice: "Wähle etwas, das angeboten wird.",
    not_object: "Das passt hier nicht.",
    not_list: "Das passt hier nicht.",
    list_too_short: "Nenn mindestens {min}.",
    list_too_long: "Höchstens {max} passen hinein.",
    list_out_of_range: "Nenn {min} bis {max}.",
    tags_too_many: ({ max }) =>
      `Ein Beitrag hat höchstens ${plural(Number(max), { one: "{n} Schlagwort", other: "{n} Schlagwörter" })}.`,
    not_slug:
      "Schreib es mit Buchstaben von a bis z und Ziffern, verbunden mit - oder . (etwa node.js), höchstens 50.",
    not_slug_but_name: "Schreib es so: {slug}.",
    not_username:
      "Schreib 1 bis 32 Kleinbuchstaben, Ziffern, - oder _, ohne @; am Anfang und am Ende steht ein Buchstabe oder eine Ziffer.",
    not_moment: "Schreib einen Tag und eine Uhrzeit, etwa 2026-11-20T09:30:00Z.",
    not_contact_url: "Schreib eine Adresse, die mit https:// beginnt, oder eine E-Mail-Adresse.",
    not_contact: "Schreib eine E-Mail-Adresse oder eine Adresse, die mit https:// beginnt.",
    not_colour: "Schreib eine Farbe als # und sechs Ziffern, etwa #a8322d.",
    not_https_url: "Schreib eine Adresse, die mit https:// beginnt, mit höchstens {max} Zeichen.",
    not_currency: "Schreib eine Währung mit drei Großbuchstaben, etwa EUR.",
    not_salary: "Schreib einen Betrag und seine Währung.",
    not_cursor: "Beginne wieder bei der ersten Seite.",
    query_broken: "Diese Adresse ist nicht vollständig; folge dem Link noch einmal.",
    not_known: "Diese Adresse enthält etwas, das die Seite nicht kennt; folge dem Link noch einmal.",
    not_event_id: "Das ist kein Ereignis.",
    not_message_id: "Lade die Seite neu.",
    not_notification_id: "Lade die Seite neu.",
    not_document: "Das passt hier nicht.",
    not_document_id: "Das passt hier nicht.",
    not_operation_name: "Das passt hier nicht.",
    not_map: "Das passt hier nicht.",
    password_is_username: "Dein Benutzername ist kein gutes Passwort; wähle ein anderes.",
    password_well_known: "Das wird beim Raten als Erstes versucht; wähle ein anderes.",
    password_wrong: "Das ist nicht dein jetziges Passwort.",
    not_new_owner: "Schreib {username}, das Mitglied, dem die Community gehören soll.",
    not_this_account: "Schreib {username}, das Konto, das gelöscht werden soll.",
    name_has_link: "Schreib einen Namen ohne Webadressen, etwa example.org/page, und ohne =?…?=.",
    not_mail_address: "Schreib eine E-Mail-Adresse, etwa du@example.org.",
    not_of_form: "Wähle etwas, das angeboten wird.",
  },
  of: refused,
};
