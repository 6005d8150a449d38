/**
 * Errors of a single field, as text that follows the field's name: “`text` must not be empty”. Each is a
 * bad_request. Responses carry its code and parameters beside the message (docs/contract.md#1.3).
 */
export const FAULTS = {
  missing: "is missing",
  repeated: "must be sent only once",
  not_valid: "has the wrong type or format",

  not_text: "must be text of {min} to {max} characters",
  text_broken: "must not contain invalid characters, such as NUL",
  text_too_long: "must have at most {max} characters, but has {length}",
  text_too_short: "must have at least {min} characters, but has {length}",
  text_empty: "must not be empty",
  text_blank: "must not be blank",
  text_unseen: "must be a single line without invisible characters",

  not_whole: "must be a whole number between {min} and {max}",
  not_decimal: "must be a number between {min} and {max}",
  not_boolean: "must be `true` or `false`",
  not_choice: "must be one of {choices}",
  not_object: "must be a JSON object",
  not_list: "must be a list",
  list_too_short: "must have at least {min:item}",
  list_too_long: "must have at most {max} items",
  list_out_of_range: "must have {min} to {max} items",
  tags_too_many: "must have at most {max} tags",

  not_slug:
    "must be a slug of at most 50 characters: lowercase letters and digits, joined by `-` or `.`, such as `node.js`",
  not_slug_but_name: "must be written as the slug `{slug}`",
  not_username:
    "must be 1 to 32 lowercase letters, digits, `-` or `_`, without `@`, and must begin and end with a letter or digit",
  not_moment:
    "must be an ISO 8601 timestamp with a time zone, such as `2026-11-20T09:30:00Z` (in a URL, write `+` as `%2B`)",
  not_https_url: "must be an `https://` URL of at most {max} characters",
  not_contact_url: "must be an `https://` URL of at most {max} characters, or `mailto:` and an email address",
  not_contact: "must be an email address or an `https://` URL",
  not_footer_links:
    "must have at most {max} lines, each with a label of at most 40 characters, a blank and an `https://` URL",
  not_colour: "must be a colour with six hexadecimal digits, such as `#a8322d`",
  not_currency: "must be a currency code of three capital letters, such as `EUR`",
  not_salary: "must be an object with `min` and `currency`",
  not_cursor: "must be the `next` value of the previous page",
  not_event_id: "must be the id of an event",
  query_broken: "must not contain NUL, and its percent-encoding must be valid UTF-8",
  not_known: "is not a parameter of this request. Remove it, or leave out `Prefer: handling=strict`",
  not_message_id: "must be the id of a message",
  not_notification_id: "must be the id of a notification",

  not_document: "must be the text of a GraphQL document",
  not_document_id: "must be `sha256:` followed by the hash of a document",
  not_operation_name: "must be the name of an operation",
  not_map: "must be an object",

  password_is_username: "must not be the username",
  password_well_known: "must not be a common password",
  password_wrong: "is not your current password",
  not_new_owner: "must be `{username}`, the username of the new owner",
  not_this_account: "must be `{username}`, the username of the account to delete",
  name_has_link:
    "must not contain a web address (`://`, `www.`, `mailto:`, or `example.org/page`) or `=?…?=`",
  not_mail_address: "must be an email address, such as `you@example.org`",
  not_of_form: "must be one of the choices in the form",
} as const satisfies Readonly<Record<string, string>>;

export type FaultCode = keyof typeof FAULTS;
