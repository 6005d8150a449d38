import { counted } from "../../../core/base/count-with-noun.ts";
import type { ErrorName } from "../../../core/base/errors.ts";
import type { FaultCode } from "../../../core/base/refusals/faults.ts";
import { REFUSALS, type RefusalCode } from "../../../core/base/refusals/refusals.ts";
import { say } from "../../../core/base/refusals/sentence.ts";
import type { Sentence } from "../sentence.ts";

/** What a refusal is called at the head of a page that says nothing else. */
const titles: Readonly<Record<ErrorName, string>> = {
  bad_request: "That did not work",
  unauthorized: "Please sign in",
  forbidden: "That is not allowed",
  not_found: "Nothing here",
  conflict: "That is taken",
  precondition_failed: "That has changed",
  unprocessable: "That did not work",
  rate_limited: "Too many requests",
  server_error: "Something went wrong",
  unavailable: "Not at the moment",
};

/** For what the core says in words of the API and no sentence below puts in others. */
const neutral: Readonly<Record<ErrorName, string>> = {
  bad_request: "What was sent could not be read. Go back, load the page again and try once more.",
  unauthorized: "Sign in, and try again.",
  forbidden: "You may not do this.",
  not_found: "It is not here, or not any more.",
  conflict: "That does not go together with what is here already.",
  precondition_failed: "It has changed since you looked at it. Load the page again.",
  unprocessable: "That cannot be done as it was asked.",
  rate_limited: "Wait a moment, and try again.",
  server_error: "Something went wrong on our side. Try again in a moment.",
  unavailable: "This place is closed for a moment. Try again soon.",
};

/** What a field broke, to whoever filled it in: a whole sentence below the field (docs/contract.md#1.3). */
const fields: Readonly<Record<FaultCode, Sentence>> = {
  missing: "Fill this in.",
  repeated: "Give this only once.",
  not_valid: "This does not fit here.",
  not_text: "Write {min} to {max} characters.",
  text_broken: "There are broken characters in it; type it again.",
  text_too_long: "At most {max} characters fit; these are {length}.",
  text_too_short: "It takes at least {min} characters; these are {length}.",
  text_empty: "Fill this in.",
  text_blank: "Write something that can be seen.",
  text_unseen: "Keep to one line, without invisible characters.",
  not_whole: "Write a whole number from {min} to {max}.",
  not_decimal: "Write a number from {min} to {max}.",
  not_boolean: "Choose one of the two.",
  not_choice: "Choose one of those on offer.",
  not_object: "This does not fit here.",
  not_list: "This does not fit here.",
  list_too_short: "Name at least {min}.",
  list_too_long: "At most {max} fit here.",
  list_out_of_range: "Name {min} to {max}.",
  tags_too_many: "A post has at most {max:tag}.",
  not_slug: "Write it in letters from a to z and digits, joined by - or . (such as node.js), at most 50.",
  not_slug_but_name: "Write it as {slug}.",
  not_username:
    "Write 1 to 32 small letters, digits, - or _, without @; the first and the last is a letter or a digit.",
  not_moment: "Write a day and a time, such as 2026-11-20T09:30:00Z.",
  not_contact_url: "Write an address that begins with https://, or a mail address.",
  not_contact: "Write a mail address, or an address that begins with https://.",
  not_colour: "Write a colour as # and six digits, such as #a8322d.",
  not_https_url: "Write an address that begins with https://, of at most {max} characters.",
  not_currency: "Write a currency as three capitals, such as EUR.",
  not_salary: "Write an amount and its currency.",
  not_cursor: "Begin at the first page again.",
  query_broken: "That address is not whole; follow the link again.",
  not_known: "That address holds what this page does not know; follow the link again.",
  not_event_id: "That is not an event.",
  not_message_id: "Load the page again.",
  not_notification_id: "Load the page again.",
  not_document: "This does not fit here.",
  not_document_id: "This does not fit here.",
  not_operation_name: "This does not fit here.",
  not_map: "This does not fit here.",
  password_is_username: "Your username is not a good password; choose another.",
  password_well_known: "Guessers try this one first; choose another.",
  password_wrong: "This is not the password you have now.",
  not_new_owner: "Write {username}, the member who becomes the owner.",
  not_this_account: "Write {username}, the account that is to be deleted.",
  name_has_link: "Leave out web addresses, such as example.org/page, and =?…?=.",
  not_mail_address: "Write a mail address, such as you@example.org.",
  not_of_form: "Choose one of those on offer.",
};

/** The sentence, and how long to wait in a unit that says it. */
function waiting(sentence: string): Sentence {
  return (told) => {
    const minutes = Math.ceil(Number(told["seconds"]) / 60);
    const wait = minutes < 120 ? counted(minutes, "minute") : counted(Math.ceil(minutes / 60), "hour");
    return `${say(sentence, told)}, or wait ${wait}.`;
  };
}

/** Refusals whose sentence speaks to a program, said to a person. */
const OWN: Readonly<Partial<Record<RefusalCode, Sentence>>> = {
  app_scope_admin: "No app may ask to run the community: that is for people.",
  body_too_long: "That is too much at once: at most {kib} KiB fit into a form.",
  company_of_others:
    "{name} belongs to others here. Ask to be let into their workspace, or write another short name.",
  credentials_invalid: "Sign in, and try again.",
  cursor_foreign: "This page of the list is over. Begin at the first one again.",
  endpoint_disabled: "This endpoint is switched off. Switch it on first.",
  endpoint_twice: "This workspace has an endpoint with that address already. Change that one instead.",
  event_type_unknown: "Choose events that are on offer.",
  fault_of_ours: "Something went wrong on our side. Try again in a moment.",
  mail_addresses_too_many: waiting(
    "You asked for links to {max} different addresses within a day. Confirm one of them",
  ),
  mail_recipient_too_many: waiting("That address was sent {max} mails within a day. Name another address"),
  newcomer_links_today: waiting(
    "You are new here: until {until} you may write {max} links a day. Leave new ones out",
  ),
  newcomer_pictures: waiting("You are new here: until {until} you may send {max} pictures a day"),
  newcomer_messages: waiting(
    "You are new here: until {until} you may send {max} messages a day to people who have not written to you. Answer those who do",
  ),
  operator_only: "Only the operator can do this. People invite each other by a link.",
  passkeys_need_https: "Browsers offer passkeys only to sites with https and a name of their own.",
  redirect_with_fragment: "A redirect address must not have a part after #, or a backslash.",
  url_private:
    "The address points inside a private or special network. Use a public host, or ask the operator to allow it.",
  workspace_needs_owner:
    "Nobody else who may come in owns the workspace “{name}”. Suspend the account for now, and ask the operator to give the workspace another owner or to delete it.",
};

/** What speaks of the API: code in backticks, its names, its words. */
const OF_THE_API =
  /`|\bfields?\b|\blists? of\b|\bnull\b|\bJSON\b|\bid\b|\bUTF-8\b|\bNUL\b|[A-Za-z]_[A-Za-z]|\b(?:PATCH|POST|GET|PUT|DELETE|Host|body|cursor|header)\b|Content-Type|Idempotency-Key|command line/;

/** Each refusal as a page says it: made from its code, never in words of the API. */
const of = Object.fromEntries(
  Object.entries(REFUSALS).map(([code, { error, says }]) => [
    code,
    OWN[code as RefusalCode] ?? (OF_THE_API.test(says) ? neutral[error] : says),
  ]),
) as Readonly<Record<RefusalCode, Sentence>>;

export const refusals = { titles, neutral, fields, of };
