import type { Refusals } from "./refusals.ts";

/** What GraphQL's transport alone refuses. */
export const GRAPHQL = {
  graphql_elsewhere: { error: "not_found", says: "GraphQL is asked at /graphql." },
  graphiql_off: { error: "not_found", says: "This server has no page for GraphQL." },
  job_gone: { error: "not_found", says: "This job is gone." },
  builder_gone: { error: "not_found", says: "This builder is gone." },
  project_gone: { error: "not_found", says: "This project is gone." },
  batch_refused: { error: "bad_request", says: "Send one operation in a request; batches are not taken." },
  subscriptions_too_many: {
    error: "conflict",
    says: "You have {max} subscriptions open already; close one first.",
  },
  subscriptions_full: {
    error: "conflict",
    says: "This server has as many subscriptions open as it can bear; try again later.",
  },
  document_unknown: {
    error: "bad_request",
    says: "There is no document of that hash here; send its text as `query`.",
  },
  document_mismatch: { error: "bad_request", says: "`query` is another document than its hash says." },
  document_missing: { error: "bad_request", says: "`query` is missing: the GraphQL document as text." },
  document_untrusted: {
    error: "bad_request",
    says: "This server runs only documents that it knows; ask its operator to add yours.",
  },
  page_both_ways: {
    error: "bad_request",
    says: "Ask either forwards, with `first` and `after`, or backwards, with `last` and `before`.",
  },
  list_hidden: { error: "not_found", says: "There is no such list to see." },
  mutation_by_get: { error: "bad_request", says: "Send a mutation with POST; GET only reads." },
  subscription_is_stream: {
    error: "bad_request",
    says: "A subscription is a stream: ask with `Accept: text/event-stream`.",
  },
  answer_type_unknown: {
    error: "bad_request",
    says: "Accept one of {types}; only a subscription is a stream of events.",
  },
  method_for_graphql: {
    error: "bad_request",
    says: "GraphQL is asked with POST, or with GET for queries; PUT and DELETE are of its event streams.",
  },
  fragment_circular: {
    error: "bad_request",
    says: "A fragment spreads itself; take that spread out.",
  },
  document_too_deep: {
    error: "bad_request",
    says: "The document is more than {max} levels deep; ask for less at once.",
  },
  aliases_too_many: {
    error: "bad_request",
    says: "The document has more than {max} aliases; ask for less at once.",
  },
  directives_too_many: {
    error: "bad_request",
    says: "The document has more than {max} directives; ask for less at once.",
  },
  fields_too_many: {
    error: "bad_request",
    says: "The document has more than {max} fields; ask for less at once.",
  },
  root_fields_too_many: {
    error: "bad_request",
    says: "The document has more than {max} fields at the top; ask for less at once.",
  },
  fields_repeated: {
    error: "bad_request",
    says: "The document names the same fields again and again; name each once.",
  },
  operation_too_dear: {
    error: "bad_request",
    says: "This costs {cost}, and at most {max} are allowed; ask for shorter pages, or for less.",
  },
  answer_too_long: {
    error: "bad_request",
    says: "The answer is longer than {max} bytes; ask for shorter pages, or for fewer long texts.",
  },
  answer_too_long_written: {
    error: "bad_request",
    says: "The answer is longer than {max} bytes; all mutations of the request have been run, and what came of them can be asked for in parts.",
  },
  stream_unknown: {
    error: "not_found",
    says: "There is no such stream; reserve one with PUT, and open it within half a minute.",
  },
  stream_open: { error: "conflict", says: "This stream is open already; reserve another one." },
  operation_unnamed: {
    error: "bad_request",
    says: "Name the operation in `extensions.operationId`, with at most {max} letters.",
  },
  operation_running: {
    error: "conflict",
    says: "An operation of this id runs on the stream; take another id.",
  },
  operations_too_many: {
    error: "conflict",
    says: "There are {max} operations on this stream; end one first, or open another stream.",
  },
  client_left: { error: "bad_request", says: "The client went away." },
  // Clients know what to do next by these words: urql by the message, Apollo's by the code made of it.
  persisted_query_not_found: { error: "bad_request", says: "PersistedQueryNotFound" },
  persisted_query_not_supported: { error: "bad_request", says: "PersistedQueryNotSupported" },
} as const satisfies Refusals;
