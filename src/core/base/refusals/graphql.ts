import type { Refusals } from "./refusals.ts";

/** Refusals that only the GraphQL transport uses. */
export const GRAPHQL = {
  graphql_elsewhere: { error: "not_found", says: "The GraphQL endpoint is `/graphql`." },
  graphiql_off: { error: "not_found", says: "GraphiQL is disabled on this server." },
  job_gone: { error: "not_found", says: "This job no longer exists." },
  builder_gone: { error: "not_found", says: "This member no longer exists." },
  project_gone: { error: "not_found", says: "This project no longer exists." },
  batch_refused: { error: "bad_request", says: "Batches are not supported. Send one operation per request." },
  subscriptions_too_many: {
    error: "conflict",
    says: "You already have {max} open subscriptions. Close one first.",
  },
  subscriptions_full: {
    error: "conflict",
    says: "This server has reached its limit of open subscriptions. Try again later.",
  },
  document_unknown: {
    error: "bad_request",
    says: "This server has no document with that hash. Send the full text as `query`.",
  },
  document_mismatch: { error: "bad_request", says: "`query` does not match its hash." },
  document_missing: {
    error: "bad_request",
    says: "`query` is missing. Send the text of a GraphQL document.",
  },
  document_untrusted: {
    error: "bad_request",
    says: "This server runs only registered documents. Ask the operator to add yours.",
  },
  page_both_ways: {
    error: "bad_request",
    says: "Use either `first` and `after`, or `last` and `before`.",
  },
  list_hidden: { error: "not_found", says: "This list does not exist, or you cannot see it." },
  mutation_by_get: { error: "bad_request", says: "A GET request cannot run a mutation. Use POST." },
  subscription_is_stream: {
    error: "bad_request",
    says: "A subscription is an event stream. Send `Accept: text/event-stream`.",
  },
  answer_type_unknown: {
    error: "bad_request",
    says: "The `Accept` header must allow one of {types}. Only a subscription can return an event stream.",
  },
  method_for_graphql: {
    error: "bad_request",
    says: "This method is not supported. Use POST, or GET for queries. PUT and DELETE are for event streams.",
  },
  fragment_circular: {
    error: "bad_request",
    says: "A fragment includes itself. Remove the circular spread.",
  },
  document_too_deep: {
    error: "bad_request",
    says: "The document is nested more than {max} levels deep. Select fewer levels.",
  },
  aliases_too_many: {
    error: "bad_request",
    says: "The document has more than {max} aliases. Split the document into several requests.",
  },
  directives_too_many: {
    error: "bad_request",
    says: "The document has more than {max} directives. Split the document into several requests.",
  },
  fields_too_many: {
    error: "bad_request",
    says: "The document has more than {max} fields. Split the document into several requests.",
  },
  root_fields_too_many: {
    error: "bad_request",
    says: "The document has more than {max} top-level fields. Split the document into several requests.",
  },
  fields_repeated: {
    error: "bad_request",
    says: "The document selects the same fields too often. Select each field once.",
  },
  operation_too_dear: {
    error: "bad_request",
    says: "This operation costs {cost}, and the limit is {max}. Request smaller pages or fewer fields.",
  },
  answer_too_long: {
    error: "bad_request",
    says: "The response is longer than {max} bytes. Request smaller pages or fewer long texts.",
  },
  answer_too_long_written: {
    error: "bad_request",
    says: "All mutations of the request were run, but the response is longer than {max} bytes. Do not send them again. Fetch the results in parts.",
  },
  stream_unknown: {
    error: "not_found",
    says: "There is no such stream. Reserve a stream with PUT, and open it within 30 seconds.",
  },
  stream_open: { error: "conflict", says: "This stream is already open. Reserve another stream." },
  operation_unnamed: {
    error: "bad_request",
    says: "`extensions.operationId` must be text of 1 to {max} characters.",
  },
  operation_running: {
    error: "conflict",
    says: "An operation with this id is already running on this stream. Use another id.",
  },
  operations_too_many: {
    error: "conflict",
    says: "This stream already has {max} operations. End one first, or open another stream.",
  },
  client_left: {
    error: "bad_request",
    says: "The client closed the connection before the response was ready.",
  },
  // Clients compare these texts: urql compares the message, and Apollo compares the code that is derived from
  // the message. Do not change the messages.
  persisted_query_not_found: { error: "bad_request", says: "PersistedQueryNotFound" },
  persisted_query_not_supported: { error: "bad_request", says: "PersistedQueryNotSupported" },
} as const satisfies Refusals;
