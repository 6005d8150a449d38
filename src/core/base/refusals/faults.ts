/**
 * What one field of a request can break, in words that follow its name: «`text` must not be empty». Each is a
 * bad_request; its code and parameters stand beside the sentence (docs/contract.md#1.3).
 */
export const FAULTS = {
  missing: "is missing",
  repeated: "must be given only once",
  not_valid: "must be of another kind",

  not_text: "must be text of {min} to {max} characters",
  text_broken: "must not hold broken characters, such as NUL",
  text_too_long: "must have at most {max} characters, not {length}",
  text_too_short: "must have at least {min} characters, not {length}",
  text_empty: "must not be empty",
  text_blank: "must not be blank",
  text_unseen: "must be on one line, without invisible characters",

  not_whole: "must be a whole number from {min} to {max}",
  not_decimal: "must be a decimal number from {min} to {max}",
  not_boolean: "must be true or false",
  not_choice: "must be one of {choices}",
  not_object: "must be a JSON object",
  not_list: "must be a list",
  list_too_short: "must be a list of at least {min:item}",
  list_too_long: "must be a list of at most {max} items",
  list_out_of_range: "must be a list of {min} to {max} items",
  tags_too_many: "must be a list of at most {max} items",

  not_slug: "must be 1 to 50 lower-case letters and digits, which - or . may join (such as node.js)",
  not_slug_but_name: "must be written as the slug {slug}",
  not_username:
    "must be a username: 1 to 32 lower-case letters, digits, - or _, beginning and ending with a letter or digit, without @",
  not_moment:
    "must be an ISO-8601 timestamp with a zone, such as 2026-11-20T09:30:00Z (write + as %2B in an address)",
  not_https_url: "must be an https:// address of at most {max} characters",
  not_contact_url: "must be an https:// address of at most {max} characters, or mailto: and a mail address",
  not_contact: "must be a mail address, or an address that begins with https://",
  not_colour: "must be a colour of six digits, such as #a8322d",
  not_currency: "must be a currency of three capitals, such as EUR",
  not_salary: "must be an object of `min` and `currency`",
  not_cursor: "must be the `next` of the page before",
  not_event_id: "must be the id of an event",
  query_broken: "holds a NUL, or percent signs that do not encode UTF-8; encode it again",
  not_known: "is not known here; leave it out, or leave out `Prefer: handling=strict`",
  not_message_id: "must be the id of a message",
  not_notification_id: "must be the id of a notification",

  not_document: "must be a GraphQL document as text",
  not_document_id: "must be `sha256:` and the hash of a document",
  not_operation_name: "must be the name of an operation",
  not_map: "must be an object",

  password_is_username: "must not be the username",
  password_well_known: "is one of those that guessers try first; choose another",
  password_wrong: "is not the password you have now",
  not_new_owner: "must be {username}, the member who becomes the owner",
  not_this_account: "must be {username}, the account that is to be deleted",
  name_has_link:
    "must be a name without a web address (://, www., mailto: or example.org/page) and without =?…?=",
  not_mail_address: "must be a mail address, such as you@example.org",
  not_of_form: "must be one of the choices of the form",
} as const satisfies Readonly<Record<string, string>>;

export type FaultCode = keyof typeof FAULTS;
