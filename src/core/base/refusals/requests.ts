import type { Refusals } from "./refusals.ts";

/** Refusals of the request itself, before its content is processed. */
export const REQUESTS = {
  credentials_invalid: {
    error: "unauthorized",
    // The message is the same for every reason, so that an attacker learns nothing from it
    // (docs/contract.md#1.15).
    says: "Send a valid access token in the header `Authorization: Bearer <ACCESS_TOKEN>`.",
  },
  too_many_requests: {
    error: "rate_limited",
    says: "Too many requests. Wait {seconds:second} and try again.",
  },
  fault_of_ours: {
    error: "server_error",
    says: "Something went wrong on our side. Try again in a moment.",
  },
  maintenance: {
    error: "unavailable",
    // `message` is the maintenance text of the operator or an admin.
    says: "{message} Nothing can be changed until maintenance ends. Try again in {seconds:second}.",
  },
  changed_meanwhile: {
    error: "precondition_failed",
    says: "This has changed since you read it. Read it again and send your change with the new `ETag`.",
  },
  sign_in_first: { error: "forbidden", says: "Sign in to do this." },
  moderator_only: {
    error: "forbidden",
    says: "Only moderators and admins of the community can do this. Ask one of them.",
  },
  admin_only: { error: "forbidden", says: "Only admins of the community can do this. Ask one of them." },
  scope_missing: {
    error: "forbidden",
    says: "This token lacks the scope `{scope}`. Create a token that has it.",
  },
  form_foreign: {
    error: "forbidden",
    says: "This form was sent from another site. Open the page on this site and send the form again.",
  },
  form_stale: {
    error: "forbidden",
    says: "This form has expired. Reload the page and send the form again.",
  },
  form_field_repeated: {
    error: "bad_request",
    says: "This form has two values for one field. Reload the page and send the form again.",
  },
  page_unknown: { error: "not_found", says: "This page does not exist." },
  nothing_under_docs: {
    error: "not_found",
    says: "There is nothing under `/docs` with this path and method.",
  },
  nothing_under_v1: { error: "not_found", says: "There is nothing under `/v1` with this path and method." },
  request_malformed: { error: "bad_request", says: "The request is malformed." },
  nothing_here_that_way: {
    error: "not_found",
    says: "There is nothing at this URL, or the URL does not support this method.",
  },
  target_malformed: {
    error: "bad_request",
    says: "The `Host` header or the request target is malformed.",
  },
  nothing_here: { error: "not_found", says: "There is nothing at this URL." },
  too_many_new_tokens: {
    error: "rate_limited",
    says: "Too many new tokens at once. Wait {seconds:second} and try again.",
  },
  body_not_json: { error: "bad_request", says: "The body is not valid JSON." },
  form_too_many_fields: {
    error: "bad_request",
    says: "The form has more than {max} fields. Send fewer fields.",
  },
  form_not_utf8: { error: "bad_request", says: "The form is not valid UTF-8." },
  body_compressed: {
    error: "bad_request",
    says: "The body must not be compressed. Send it without `Content-Encoding`.",
  },
  body_broken_off: { error: "bad_request", says: "The body ended too early. Send it again." },
  body_too_deep: {
    error: "bad_request",
    says: "The body is nested more than {max} levels deep. Use fewer levels.",
  },
  body_not_utf8: { error: "bad_request", says: "The body is not valid UTF-8." },
  body_too_long: { error: "bad_request", says: "The body is longer than {kib} KiB. Send a shorter body." },
  cursor_foreign: {
    error: "bad_request",
    path: "{name}",
    says: "`{name}` does not belong to this list with these filters. Copy the cursor from the previous page, or leave out `{name}` to start again.",
  },
  idempotency_key_reused: {
    error: "unprocessable",
    path: "Idempotency-Key",
    says: "This `Idempotency-Key` was already used with another body. Use a new key for a new request.",
  },
  idempotency_key_in_flight: {
    error: "conflict",
    path: "Idempotency-Key",
    says: "A request with this `Idempotency-Key` is still running.",
  },
  body_not_sent_as_json: {
    error: "bad_request",
    says: "Send the body as JSON, with `Content-Type: application/json`.",
  },
  form_not_sent_as_form: {
    error: "bad_request",
    says: "Send the form with `Content-Type: application/x-www-form-urlencoded`.",
  },
} as const satisfies Refusals;
