import type { Code, ErrorName, RefusalCode } from "./refusals.ts";
import { REFUSALS } from "./refusals.ts";

/** What a client does about an error, by its name. */
export const REMEDIES: Readonly<Record<ErrorName, string>> = {
  bad_request:
    "Correct what the message names, then send the request again. `details` lists each invalid field.",
  unauthorized: "Send a valid access token. Create a new one if yours expired or was revoked.",
  forbidden:
    "Do not retry with the same credentials. Get the scope or role that the message names, or ask someone who has it.",
  not_found:
    "Check the URL and the id. The resource may be deleted, hidden, or owned by another member or workspace.",
  conflict: "Read the current state, resolve what the message names, then send the request again.",
  precondition_failed: "Read the resource again, and send its new `ETag` in `If-Match`.",
  unprocessable: "Change the value that the message names. The same request fails again.",
  rate_limited: "Wait as many seconds as `Retry-After` says, then send the same request again.",
  server_error:
    "Send the request again with exponential backoff. If it still fails, give the operator the `X-Request-Id`.",
  unavailable: "Wait as many seconds as `Retry-After` says, then send the same request again.",
};

/** For the rules of fields: the message says the rule. */
const FIELD_REMEDY = "Correct the field, then send the request again.";

/** For codes whose message names no next step, and whose next step is not the one of their name. */
const REMEDY_OF: Readonly<Partial<Record<Code, string>>> = {
  not_yours: "Use one of your own, or ask its owner.",
  own_prompt: "Leave the rating to other members.",
  prompt_not_yours: "Ask the author, or submit a prompt of your own.",
  job_not_yours: "Ask them to change it.",
  post_not_yours: "Ask the author, or report the post to the moderators.",
  message_unwanted: "Do not retry.",
  follow_unwanted: "Do not retry.",
  admin_token_for_others: "Make the member an admin first, or leave the scope out.",
  set_up_by_operator: "Ask the operator to run `guildhall setup`.",
  report_void: "Treat the report as closed.",
  delivery_attempting: "Wait until the attempt ends, at most ten seconds, then try again.",
  delivery_subject_gone: "Do not retry. Read what is still there with the API.",
  own_message: "Name another member in `to`.",
  own_follow: "Name another member.",
  own_block: "Name another member.",
  url_malformed: "Send an absolute URL, such as `https://example.com/hooks`.",
  host_unknown: "Check the spelling of the host, and publish its DNS record first.",
  request_malformed: "Check the request line and the headers that your HTTP client sends.",
  target_malformed: "Send one valid `Host` header, and percent-encode the path as UTF-8.",
  body_not_json: "Check the body with a JSON parser. Keys and strings need double quotes.",
  body_not_utf8: "Encode the body as UTF-8.",
  form_not_utf8: "Encode the form as UTF-8.",
  document_mismatch: "Send the SHA-256 of the exact text in `query`.",
  persisted_query_not_found: "Send the text of the document together with its hash, once.",
  persisted_query_not_supported: "Send the text of the document as `query` with every request.",
  client_left: "No action is needed.",
  sign_in_wrong: "Check both. If you forgot the password, ask for a recovery link on the sign-in page.",
  idempotency_key_in_flight:
    "Wait as many seconds as `Retry-After` says, then send the same request with the same key.",
};

/** Whether a code has a next step of its own. */
export function hasOwnRemedy(code: Code): boolean {
  return REMEDY_OF[code] !== undefined;
}

/** The next step of a client that was refused with `code`: one or two sentences, with code in backticks. */
export function remedyOf(code: Code): string {
  const own = REMEDY_OF[code];
  if (own !== undefined) return own;
  return code in REFUSALS ? REMEDIES[REFUSALS[code as RefusalCode].error] : FIELD_REMEDY;
}
