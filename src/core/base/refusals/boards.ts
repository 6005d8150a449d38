import type { Refusals } from "./refusals.ts";

/** Refusals about jobs, prompts and profiles. */
export const BOARDS = {
  company_unknown: { error: "not_found", says: "There is no company with that slug." },
  job_unknown: { error: "not_found", says: "There is no job with that id." },
  profile_unknown: { error: "not_found", says: "There is no profile with that username." },
  report_of_nothing: { error: "not_found", says: "There is nothing to report at this URL." },
  time_zone_unknown: {
    error: "unprocessable",
    path: "time_zone",
    says: "There is no such time zone. Use an IANA name, such as `Europe/Berlin`.",
  },
  versions_too_many: {
    error: "conflict",
    says: "This prompt already has {max} versions. Submit your changes as a new prompt.",
  },
  version_unknown: { error: "not_found", says: "This prompt has no such version." },
  own_prompt: { error: "forbidden", says: "You cannot rate your own prompt." },
  prompt_revised: {
    error: "conflict",
    path: "version",
    says: "This prompt is now at version {version}. Read that version and rate it again.",
  },
  prompt_not_yours: {
    error: "forbidden",
    says: "Only the author of this prompt can do this.",
  },
  prompt_unknown: { error: "not_found", says: "There is no prompt with that id." },
  projects_too_many: {
    error: "conflict",
    says: "Your profile already has {max} projects. Delete one first.",
  },
  project_unknown: { error: "not_found", says: "You have no project with that id." },
  report_upheld: {
    error: "conflict",
    says: "This report was upheld. To reopen it, show the content again or lift the suspension.",
  },
  own_cause: {
    error: "forbidden",
    says: "This is about you or your content. Ask another moderator or an admin to decide.",
  },
  report_void: {
    error: "conflict",
    says: "The reported content was deleted. There is nothing left to decide.",
  },
  builder_id_unknown: { error: "not_found", says: "There is no member with that id." },
  report_unknown: { error: "not_found", says: "There is no report with that id." },
  case_unknown: { error: "not_found", says: "There is no case with that id." },
  case_taken: { error: "conflict", says: "Another moderator, @{username}, works on this case." },
  case_closed: { error: "conflict", says: "This case is closed. A new report opens it again." },
  case_notes_too_many: { error: "conflict", says: "This case already has {max} notes." },
  stranger_reports_too_many: {
    error: "rate_limited",
    says: "Too many reports came from your network within a day. Wait {seconds:second}.",
  },
  subject_unknown: { error: "not_found", says: "There is no post, job, or prompt with that id." },
  message_unknown: { error: "not_found", path: "up_to", says: "There is no such message in this thread." },
  own_message: { error: "unprocessable", path: "to", says: "You cannot send a message to yourself." },
  recipient_blocked: {
    error: "conflict",
    path: "to",
    says: "You have blocked this member. Unblock the member first.",
  },
  message_unwanted: {
    error: "forbidden",
    path: "to",
    says: "This member does not accept messages from you.",
  },
  threads_too_many: {
    error: "rate_limited",
    says: "You started {max} threads within 24 hours. Wait {seconds:second} and try again.",
  },
  message_not_theirs: {
    error: "not_found",
    path: "message",
    says: "The other member did not write this message.",
  },
  thread_unknown: { error: "not_found", says: "You have no thread with that id." },
  own_follow: { error: "unprocessable", says: "You cannot follow yourself." },
  follow_blocked: {
    error: "conflict",
    says: "You have blocked this member. Unblock the member first.",
  },
  follow_unwanted: { error: "forbidden", says: "You cannot follow this member." },
  follows_too_many: {
    error: "conflict",
    says: "You already follow {max} members. Unfollow one first.",
  },
  followed_tags_too_many: {
    error: "conflict",
    says: "You already follow {max} tags. Unfollow one first.",
  },
  tag_unknown: {
    error: "not_found",
    says: "This is not a valid tag. Use lowercase words joined by `-` or `.`, such as `rust` or `node.js`.",
  },
  notifications_unnamed: {
    error: "bad_request",
    says: "No notification is selected. Send `ids`, or the id of the newest notification to mark it and all earlier ones.",
  },
  own_block: { error: "unprocessable", says: "You cannot block yourself." },
  search_too_wide: {
    error: "bad_request",
    says: "This search finds too many jobs to start at its last page. Start at the first page, or add words or filters.",
  },
  job_not_yours: { error: "forbidden", says: "Only the member who published this job can change it." },
  job_over: { error: "conflict", says: "This job expired after 60 days. Publish it as a new job." },
  salary_upside_down: {
    error: "unprocessable",
    path: "salary",
    says: "The minimum salary is higher than the maximum. Swap them.",
  },
  company_of_others: {
    error: "forbidden",
    path: "company.slug",
    says: "{name} (`{slug}`) belongs to another workspace. Ask to join that workspace, or choose another `company.slug`.",
  },
  filters_too_many: { error: "conflict", says: "You already have {max} job filters. Delete or change one." },
  filter_unknown: { error: "not_found", says: "You have no job filter with that id." },
  post_not_yours: {
    error: "forbidden",
    says: "Only the author of this post can edit or delete it.",
  },
  post_edited: {
    error: "conflict",
    path: "revision",
    says: "This post was edited after you read it. Read it again and send its current `revision`.",
  },
  edits_too_many: {
    error: "conflict",
    says: "This post was already edited {max} times. Write a new post instead.",
  },
  edits_too_fast: {
    error: "rate_limited",
    says: "You can edit a post {max} times an hour. Wait {seconds:second} and try again.",
  },
  post_unknown: { error: "not_found", says: "There is no post with that id." },
  builder_unknown: { error: "not_found", says: "There is no member with that username." },
} as const satisfies Refusals;
