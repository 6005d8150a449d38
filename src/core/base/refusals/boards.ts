import type { Refusals } from "./refusals.ts";

/** The boards and those on them: jobs, prompts, profiles. */
export const BOARDS = {
  company_unknown: { error: "not_found", says: "There is no company with that slug." },
  job_unknown: { error: "not_found", says: "There is no job with that id." },
  profile_unknown: { error: "not_found", says: "There is no profile with that username." },
  report_of_nothing: { error: "not_found", says: "There is nothing at this address that could be reported." },
  time_zone_unknown: {
    error: "unprocessable",
    path: "time_zone",
    says: "There is no such time zone; use a name of the IANA database, such as Europe/Berlin.",
  },
  versions_too_many: {
    error: "conflict",
    says: "This prompt has {max} versions; submit what you have as a new prompt.",
  },
  version_unknown: { error: "not_found", says: "This prompt has no such version." },
  own_prompt: { error: "forbidden", says: "This prompt is your own; others rate it." },
  prompt_revised: {
    error: "conflict",
    path: "version",
    says: "This prompt is at version {version} now; read that one and rate it again.",
  },
  prompt_not_yours: {
    error: "forbidden",
    says: "This prompt is somebody else's; only its author can do this.",
  },
  prompt_unknown: { error: "not_found", says: "There is no prompt with that id." },
  projects_too_many: {
    error: "conflict",
    says: "Your profile shows {max} projects already; delete one first.",
  },
  project_unknown: { error: "not_found", says: "You have no project with that id." },
  report_upheld: {
    error: "conflict",
    says: "This report was upheld; restore what it is about, and it is open again.",
  },
  own_cause: {
    error: "forbidden",
    says: "This is about you or what is yours; another moderator or an admin decides it.",
  },
  report_void: {
    error: "conflict",
    says: "What this report is about was deleted; there is nothing to decide.",
  },
  builder_id_unknown: { error: "not_found", says: "There is no builder with that id." },
  report_unknown: { error: "not_found", says: "There is no report with that id." },
  subject_unknown: { error: "not_found", says: "There is no post, job or prompt with that id." },
  message_unknown: { error: "not_found", path: "up_to", says: "There is no such message in this thread." },
  own_message: { error: "unprocessable", path: "to", says: "You cannot send a message to yourself." },
  recipient_blocked: {
    error: "conflict",
    path: "to",
    says: "You have blocked this builder; unblock them to write to them.",
  },
  message_unwanted: {
    error: "forbidden",
    path: "to",
    says: "This builder does not receive messages from you.",
  },
  threads_too_many: {
    error: "rate_limited",
    says: "You have begun {max} conversations within a day; wait {seconds:second} and try again.",
  },
  message_not_theirs: {
    error: "not_found",
    path: "message",
    says: "There is no such message of the other builder in this thread.",
  },
  thread_unknown: { error: "not_found", says: "You have no thread with that id." },
  own_follow: { error: "unprocessable", says: "You cannot follow yourself." },
  follow_blocked: {
    error: "conflict",
    says: "You have blocked this builder; unblock them to follow them.",
  },
  follow_unwanted: { error: "forbidden", says: "This builder cannot be followed by you." },
  follows_too_many: {
    error: "conflict",
    says: "You follow {max} builders already; stop following one first.",
  },
  followed_tags_too_many: {
    error: "conflict",
    says: "You follow {max} tags already; stop following one first.",
  },
  tag_unknown: {
    error: "not_found",
    says: "No tag is written like that; use lower-case words joined by - or a dot, such as rust or node.js.",
  },
  notifications_unnamed: {
    error: "bad_request",
    says: "Say which are read: some by their `ids`, or all up to one of them.",
  },
  own_block: { error: "unprocessable", says: "You cannot block yourself." },
  search_too_wide: {
    error: "bad_request",
    says: "This search finds too many jobs to begin at its end; begin at its start, or narrow it with more words or filters.",
  },
  job_not_yours: { error: "forbidden", says: "Only whoever published this job may change it." },
  job_over: { error: "conflict", says: "The 60 days of this job are over; publish it as a new one." },
  salary_upside_down: {
    error: "unprocessable",
    path: "salary",
    says: "The lower end of the salary is above its upper end; swap them.",
  },
  company_of_others: {
    error: "forbidden",
    path: "company.slug",
    says: "{name} (`{slug}`) belongs to others here; ask to be let into their workspace, or choose another `company.slug`.",
  },
  filters_too_many: { error: "conflict", says: "You have {max} filters already; delete one, or change it." },
  filter_unknown: { error: "not_found", says: "There is no filter with that id among yours." },
  post_not_yours: {
    error: "forbidden",
    says: "This post is somebody else's; you can edit and delete only your own.",
  },
  post_edited: {
    error: "conflict",
    path: "revision",
    says: "This post was edited since you have read it; read it again, and name the revision that it has now.",
  },
  edits_too_many: {
    error: "conflict",
    says: "This post was edited {max} times; what you still want to say belongs in a new one.",
  },
  edits_too_fast: {
    error: "rate_limited",
    says: "A post can be edited {max} times within an hour; wait {seconds:second} and try again.",
  },
  post_unknown: { error: "not_found", says: "There is no post with that id." },
  builder_unknown: { error: "not_found", says: "There is no builder with that username." },
} as const satisfies Refusals;
