import type { Code, ErrorName } from "./refusals.ts";

/** Meaning of each error name. The next step depends on the code. */
export const MEANINGS: Readonly<Record<ErrorName, string>> = {
  bad_request:
    "The server cannot read the request, or a value in it breaks a rule. `details` lists each invalid field.",
  unauthorized:
    "The request has no valid credentials. A token is no longer valid after it has expired or was revoked.",
  forbidden: "The server understands the request, but does not allow it.",
  not_found: "The resource does not exist, or you cannot access it.",
  conflict: "The request is valid, but the current state of the server does not allow it.",
  precondition_failed: "The resource no longer has the `ETag` in `If-Match`.",
  unprocessable: "The server can read the request, but does not accept its content.",
  rate_limited:
    "There were too many requests of one kind. If the response has `Retry-After`, wait that many seconds.",
  server_error:
    "The server failed to process the request. If the request fails again, give the operator the `X-Request-Id` of the response.",
  unavailable:
    "The server cannot process the request right now. If the response has `Retry-After`, wait that many seconds.",
};

const OTHER_MEMBER = "Choose another member.";
const OTHER_ID = "Do not retry with this id.";

/**
 * Next step for each code whose message does not name one. A message that says what to do, or the rule for a
 * value, has no entry: a second instruction could only repeat or contradict it. A test checks that every code
 * has its step in the message or here.
 */
const REMEDY_OF: Readonly<Partial<Record<Code, string>>> = {
  // Fields: most messages are the rule itself (“must be …”).
  missing: "Add the field to the request.",
  not_valid: "Look up the type and format in the API reference.",
  password_wrong: "Enter the password that you sign in with.",

  // Moderation.
  own_decision_unknown: "Read the ids of your decisions in their list.",
  appealed_already: "Wait for the answer to your appeal.",
  decision_over: "No action is needed.",
  case_unknown: OTHER_ID,
  case_taken: "Ask this moderator, or release the case first.",
  case_closed: "Reload the case.",
  case_notes_too_many: "Write the reason into the decision.",
  reason_missing: "Add `reason` to the request.",
  act_done: "No action is needed.",
  decision_unknown: OTHER_ID,
  undo_over: "Reload the case.",
  removal_over: "Send the act `unsuspend`.",
  appeal_unknown: OTHER_ID,
  appeal_decided: "Reload the list of appeals.",
  own_decisions_by_app: "Use your settings, or a token of your own.",
  own_appeal: "Ask another moderator.",
  appeal_of_own_decision: "Ask another moderator.",
  thread_locked: "Start a new post.",
  limited_messages: "Wait until the limit ends, or appeal against the decision.",

  // Codes with status 400.
  document_mismatch: "Send the SHA-256 of the exact text in `query`.",
  client_left: "No action is needed.",
  persisted_query_not_found: "Send the text of the document together with its hash.",
  persisted_query_not_supported: "Send the text of the document as `query` with every request.",
  request_malformed: "Check the request line and the headers that your HTTP client sends.",
  target_malformed: "Send one valid `Host` header, and percent-encode the path as UTF-8.",
  body_not_json: "Check the body with a JSON parser. Keys and strings need double quotes.",
  body_not_utf8: "Encode the body as UTF-8.",
  form_not_utf8: "Encode the form as UTF-8.",

  // Codes with status 401.
  sign_in_wrong: "Check both. If you forgot the password, ask for a recovery link on the sign-in page.",

  // Codes with status 403.
  not_yours: "Ask that member to do it.",
  admin_token_for_others: "Make the member an admin first, or leave out the scope.",
  moderation_token_for_others: "Make the member a moderator first, or leave out the scope.",
  head_untouchable: "Ask the operator to do it.",
  operator_only: "Ask the operator to do it.",
  sign_up_closed: "Ask an admin of the community, or try again later.",
  set_up_by_operator: "Ask the operator to run `guildhall setup`.",
  own_prompt: "Leave the rating to other members.",
  prompt_not_yours: "Ask the author, or submit a prompt of your own.",
  message_unwanted: "Do not retry.",
  follow_unwanted: "Do not retry.",
  job_not_yours: "Ask that member to change it.",
  post_not_yours: "Ask the author, or report the post to the moderators.",

  // Codes with status 404.
  token_workspace_unknown: "Send the id of a workspace of that member, or leave out `workspace`.",
  account_gone: "Sign in to another account, or create one.",
  session_unknown: "Check the id in your list of sessions.",
  passkey_unknown: "Check the id in your list of passkeys.",
  invite_unknown: "Check the id in the list of open invitation links.",
  application_unknown: "Do not retry.",
  grant_unknown: "Check the id in your list of connected apps.",
  app_gone: "Ask the developer of the app.",
  app_unknown: "Check the id in the list of apps.",
  app_not_yours: "Check the id in the list of your apps.",
  company_unknown: "Check the slug. Each job shows the slug of its company.",
  job_unknown: "Check the id. The job may be deleted or hidden.",
  profile_unknown: "Check the spelling of the username.",
  builder_unknown: "Check the spelling of the username.",
  report_of_nothing: "Open the report form from the content that you want to report.",
  version_unknown: "Check the number in the prompt's list of versions.",
  prompt_unknown: "Check the id. The prompt may be deleted or hidden.",
  project_unknown: "Check the id in your list of projects.",
  builder_id_unknown: "Check the id. The account may be deleted.",
  report_unknown: "Check the id in the list of reports.",
  subject_unknown: "Check the id. The content may be deleted.",
  message_unknown: "Send the id of a message in this thread.",
  message_not_theirs: "Send the id of a message that the other member wrote.",
  thread_unknown: "Check the id in your list of threads.",
  filter_unknown: "Check the id in your list of job filters.",
  post_unknown: "Check the id. The post may be deleted or hidden.",
  graphql_elsewhere: "Send the request there.",
  graphiql_off: "Use another GraphQL client, or ask the operator to enable GraphiQL.",
  job_gone: OTHER_ID,
  builder_gone: OTHER_ID,
  project_gone: OTHER_ID,
  list_hidden: "Check the id of the object whose list you request.",
  push_unknown: "Check the id in your list of browsers.",
  endpoint_id_unknown: "Check the id in the list of endpoints.",
  endpoint_unknown: "Check the id. The endpoint may be deleted, or belong to another workspace.",
  delivery_unknown: "Check the id in the endpoint's list of deliveries.",
  page_unknown: "Check the URL.",
  nothing_under_docs: "Check the URL. `/docs` links to every page of the documentation.",
  nothing_under_v1: "Check the path and the method in `/v1/openapi.json`.",
  nothing_here_that_way: "Check the URL and the method.",
  nothing_here: "Check the URL.",
  workspace_none: "Use a member's access token.",
  member_unknown: "Check the username in the list of the workspace's members.",
  invitation_unknown: "Check the id in the workspace's list of open invitations.",
  workspace_unknown: "Check the id in your list of workspaces.",
  workspace_id_unknown: "Check the id in the list of workspaces.",

  // Codes with status 409.
  passkey_taken: "Sign in with it, or add another passkey.",
  report_void: "Treat the report as closed.",
  delivery_subject_gone: "Do not retry.",
  delivery_attempting: "Wait until the attempt ends, at most ten seconds, then try again.",
  idempotency_key_in_flight:
    "Wait as many seconds as `Retry-After` says, then send the same request with the same key.",
  member_already: "No action is needed.",

  // Codes with status 422.
  own_message: "Choose another member in `to`.",
  own_follow: OTHER_MEMBER,
  own_block: OTHER_MEMBER,
  url_malformed: "Send an absolute URL, such as `https://example.com/hooks`.",
  host_unknown: "Check the spelling, or publish a DNS record for the host.",
};

/** Returns the next step after a refusal with `code`: one or two sentences, with code in backticks. */
export function remedyOf(code: Code): string | undefined {
  return REMEDY_OF[code];
}
