import type { Refusals } from "./refusals.ts";

/** What can be wrong with a request before anybody looks at what it is about. */
export const WIRE = {
  credentials_invalid: {
    error: "unauthorized",
    // One sentence for every reason (docs/contract.md#1.15), so that a guesser learns nothing from it.
    says: "Send a valid access token in the header `Authorization: Bearer <ACCESS_TOKEN>`.",
  },
  too_many_requests: {
    error: "rate_limited",
    says: "Too many requests; wait {seconds:second} and try again.",
  },
  fault_of_ours: {
    error: "server_error",
    says: "Something went wrong on our side; retry with backoff, and quote the request id.",
  },
  maintenance: {
    error: "unavailable",
    // The message is what the operator or an admin has said of it.
    says: "{message} Nothing can be changed until that is over; try again in {seconds:second}.",
  },
  changed_meanwhile: {
    error: "precondition_failed",
    says: "This has changed since you read it; read it again, and send your change with its new ETag.",
  },
  sign_in_first: { error: "forbidden", says: "Sign in to do this." },
  moderator_only: {
    error: "forbidden",
    says: "Only a moderator or admin of the community can do this; ask one.",
  },
  admin_only: { error: "forbidden", says: "Only an admin of the community can do this; ask one." },
  scope_missing: {
    error: "forbidden",
    says: "This token lacks the scope `{scope}`; make a token that has it.",
  },
  form_foreign: {
    error: "forbidden",
    says: "This form came from another site; open the page here and send it again.",
  },
  form_stale: {
    error: "forbidden",
    says: "This form is too old; load the page again and send it once more.",
  },
  form_field_repeated: {
    error: "bad_request",
    says: "This form was sent with two values for one entry; load the page again and send it once more.",
  },
  page_unknown: { error: "not_found", says: "There is no such page." },
  nothing_under_docs: { error: "not_found", says: "There is no such address and method under /docs." },
  nothing_under_v1: { error: "not_found", says: "There is no such address and method under /v1." },
  request_malformed: { error: "bad_request", says: "The request is malformed." },
  nothing_here_that_way: {
    error: "not_found",
    says: "There is nothing at this address, or not with this method.",
  },
  target_malformed: {
    error: "bad_request",
    says: "The Host header or the target of the request is malformed.",
  },
  nothing_here: { error: "not_found", says: "There is nothing at this address." },
  too_many_new_tokens: {
    error: "rate_limited",
    says: "Too many new tokens at once; wait {seconds:second} and try again.",
  },
  body_not_json: { error: "bad_request", says: "The body is not valid JSON." },
  form_too_many_fields: {
    error: "bad_request",
    says: "The form has more than {max} fields; send fewer.",
  },
  form_not_utf8: { error: "bad_request", says: "The form is not valid UTF-8." },
  body_compressed: { error: "bad_request", says: "Send the body uncompressed, without `Content-Encoding`." },
  body_broken_off: { error: "bad_request", says: "The body broke off before its end; send it again." },
  body_too_deep: {
    error: "bad_request",
    says: "The body is nested more than {max} levels deep; flatten it.",
  },
  body_not_utf8: { error: "bad_request", says: "The body is not valid UTF-8." },
  body_too_long: { error: "bad_request", says: "The body is longer than {kib} KiB; send less." },
  cursor_foreign: {
    error: "bad_request",
    path: "{name}",
    says: "`{name}` is no cursor of this list with these filters: pass the cursor of the page before, unchanged, or leave `{name}` out to start over.",
  },
  idempotency_key_reused: {
    error: "unprocessable",
    path: "Idempotency-Key",
    says: "This Idempotency-Key came with another body before; use a new key for a new request.",
  },
  idempotency_key_in_flight: {
    error: "conflict",
    path: "Idempotency-Key",
    says: "A request with this Idempotency-Key is still in flight; wait for its answer, then retry.",
  },
  body_not_sent_as_json: {
    error: "bad_request",
    says: "Send the body as JSON, with `Content-Type: application/json`.",
  },
  form_not_sent_as_form: {
    error: "bad_request",
    says: "Send the form as it is, with `Content-Type: application/x-www-form-urlencoded`.",
  },
} as const satisfies Refusals;
