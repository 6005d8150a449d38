import type { Refusals } from "./refusals.ts";

/** Endpoints, and the addresses that may be called. */
export const WEBHOOKS = {
  url_malformed: { error: "unprocessable", path: "url", says: "That is not a valid address." },
  url_not_https: { error: "unprocessable", path: "url", says: "The address must begin with https://." },
  url_with_credentials: {
    error: "unprocessable",
    path: "url",
    says: "The address must not hold a username or password; the signature tells the receiver who sends.",
  },
  url_port_refused: {
    error: "unprocessable",
    path: "url",
    says: "The address must use port 443, or one from {min} up that no well-known service uses.",
  },
  url_private: {
    error: "unprocessable",
    path: "url",
    says: "The address points inside a private or special network; use a public host, or have the operator allow it in GUILDHALL_WEBHOOK_ALLOW.",
  },
  host_unknown: { error: "unprocessable", path: "url", says: "The host name does not exist." },
  host_silent: {
    error: "unprocessable",
    path: "url",
    says: "The name servers of the host gave no answer within two seconds; try again later.",
  },
  endpoint_id_unknown: { error: "not_found", says: "There is no webhook endpoint with that id." },
  endpoint_unknown: {
    error: "not_found",
    says: "There is no webhook endpoint with that id in this workspace.",
  },
  endpoint_twice: {
    error: "conflict",
    path: "url",
    says: "This workspace already has an endpoint with that `url`; change that one instead.",
  },
  endpoints_too_many: {
    error: "conflict",
    says: "This workspace has {max:endpoint} already; delete one first.",
  },
  secrets_too_many: {
    error: "conflict",
    says: "This endpoint has {max} signing secrets that are still valid; the oldest ends in {hours:hour}. Use the newest one, or rotate again then.",
  },
  endpoint_app_lacks_scope: {
    error: "forbidden",
    path: "events",
    says: "This endpoint is an app's, and what it was granted lacks the scope `{scope}`; register one of your own.",
  },
  recoveries_too_many: {
    error: "conflict",
    says: "{max} ranges of this endpoint are being sent again already; wait until one is through.",
  },
  place_too_old: {
    error: "bad_request",
    path: "after",
    says: "Events behind `after` are kept no more; the oldest there is now is {oldest}. Begin again without `after`.",
  },
  place_unknown: {
    error: "bad_request",
    path: "after",
    says: "`after` is not a position of this log: it comes from another database, or from after the backup that was restored. Begin again with `since`.",
  },
  event_type_unknown: {
    error: "unprocessable",
    path: "events",
    says: "There is no such type of event; the types are {types}.",
  },
  event_not_of_stream: {
    error: "bad_request",
    path: "after",
    says: "`after` must be the id of an event of this stream, as it came with it.",
  },
  delivery_subject_gone: {
    error: "conflict",
    says: "This delivery can't be sent again: what it is about was deleted or hidden.",
  },
  delivery_attempting: { error: "conflict", says: "This delivery is being attempted right now." },
  endpoint_disabled: {
    error: "conflict",
    says: "This endpoint is disabled; enable it first with PATCH `enabled`: true.",
  },
  delivery_unknown: { error: "not_found", says: "There is no delivery with that id in this workspace." },
} as const satisfies Refusals;
