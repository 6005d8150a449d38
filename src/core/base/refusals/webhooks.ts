import type { Refusals } from "./refusals.ts";

/** Refusals about webhook endpoints and their URLs. */
export const WEBHOOKS = {
  url_malformed: { error: "unprocessable", path: "url", says: "The URL is not valid." },
  url_not_https: { error: "unprocessable", path: "url", says: "The URL must begin with `https://`." },
  url_with_credentials: {
    error: "unprocessable",
    path: "url",
    says: "The URL must not contain a username or password. The signature already tells the receiver who sends the request.",
  },
  url_port_refused: {
    error: "unprocessable",
    path: "url",
    says: "The URL must use port 443, or port {min} or higher. Ports of well-known services are not allowed.",
  },
  url_private: {
    error: "unprocessable",
    path: "url",
    says: "The URL points to a private or special-purpose network. Use a public host, or ask the operator to allow it with `GUILDHALL_WEBHOOK_ALLOW`.",
  },
  host_unknown: { error: "unprocessable", path: "url", says: "The host name does not exist." },
  host_silent: {
    error: "unprocessable",
    path: "url",
    says: "The host's name servers did not respond within two seconds. Try again later.",
  },
  endpoint_id_unknown: { error: "not_found", says: "There is no webhook endpoint with that id." },
  endpoint_unknown: {
    error: "not_found",
    says: "There is no webhook endpoint with that id in this workspace.",
  },
  endpoint_twice: {
    error: "conflict",
    path: "url",
    says: "This workspace already has an endpoint with this `url`. Change that endpoint instead.",
  },
  endpoints_too_many: {
    error: "conflict",
    says: "This workspace already has {max:endpoint}. Delete one first.",
  },
  secrets_too_many: {
    error: "conflict",
    says: "This endpoint already has {max} valid signing secrets. The oldest expires in {hours:hour}. Use the newest one, or rotate again after that.",
  },
  endpoint_app_lacks_scope: {
    error: "forbidden",
    path: "events",
    says: "This endpoint belongs to an app that lacks the scope `{scope}`. Create your own endpoint.",
  },
  recoveries_too_many: {
    error: "conflict",
    says: "This endpoint already has {max} recoveries running. Wait until one is complete.",
  },
  place_too_old: {
    error: "bad_request",
    path: "after",
    says: "Some events after `after` are no longer stored. The oldest stored event is `{oldest}`. Start again without `after`.",
  },
  place_unknown: {
    error: "bad_request",
    path: "after",
    says: "`after` is not a position in this log. It is from another database, or newer than the restored backup. Start again with `since`.",
  },
  event_type_unknown: {
    error: "unprocessable",
    path: "events",
    says: "There is no such event type. Choose from these: {types}.",
  },
  event_not_of_stream: {
    error: "bad_request",
    path: "after",
    says: "`after` must be the id of an event from this stream.",
  },
  delivery_subject_gone: {
    error: "conflict",
    says: "This delivery cannot be sent again, because its content was deleted or hidden.",
  },
  delivery_attempting: { error: "conflict", says: "This delivery is being attempted right now." },
  endpoint_disabled: {
    error: "conflict",
    says: "This endpoint is disabled. Enable it first: send PATCH with `enabled`: true.",
  },
  delivery_unknown: { error: "not_found", says: "There is no delivery with that id in this workspace." },
} as const satisfies Refusals;
