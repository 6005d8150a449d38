import type { SubjectKind } from "../../../core/services/moderation/subjects.ts";

type OfKind<Said> = Readonly<Record<SubjectKind, Said>>;

const titles: OfKind<string> = {
  post: "Report this post",
  job: "Report this job",
  prompt: "Report this prompt",
  builder: "Report this builder",
  message: "Report this message",
};

const named: OfKind<string> = {
  post: "The post {title}",
  job: "The job {title}",
  prompt: "The prompt {title}",
  builder: "The builder {title}",
  message: "The direct message of {title}",
};

const gone: OfKind<string> = {
  post: "The post that is gone",
  job: "The job that is gone",
  prompt: "The prompt that is gone",
  builder: "The builder that is gone",
  message: "The direct message that is gone",
};

/** What a button does, for whoever hears it without the row that it stands in. */
const about: OfKind<(act: string, title: string) => string> = {
  post: (act, title) => `${act}: the post ${title}`,
  job: (act, title) => `${act}: the job ${title}`,
  prompt: (act, title) => `${act}: the prompt ${title}`,
  builder: (act, title) => `${act}: the builder ${title}`,
  message: (act, title) => `${act}: the direct message ${title}`,
};

/** Telling the moderators, and what they do about it. */
export const moderation = {
  report: {
    titles,
    message:
      "Those who run this community are shown this one message, who wrote it and that you report it: nothing else of your conversation.",
    reason: "What is wrong with it?",
    reasonHint: "For the moderators alone, up to 500 characters.",
    button: "Report",
    back: "Go back",
  },
  reports: {
    title: "Reports",
    open: "What waits for somebody to look at it. Hiding a thing answers all reports about it. [Those that were answered](/admin/reports?state=settled) · [Hidden content](/admin/reports?state=hidden)",
    settled:
      "What was looked at. Every answer can be taken back. [Those that wait](/admin/reports) · [Hidden content](/admin/reports?state=hidden)",
    nothingWaits: "Nothing waits",
    nothingWaitsLead: "When a builder reports a post, a job, a prompt or somebody, it stands here.",
    nothingAnswered: "Nothing was answered yet",
    nothingAnsweredLead: "Reports come here when you have hidden what they are about, or dismissed them.",
    named,
    gone,
    suspended: "Suspended",
    hidden: "Hidden",
    deleted: "Deleted",
    by: (username: string) => `By @${username}`,
    reported: "reported by {reporter} {when}",
    outcomes: {
      upheld: { nobody: "Upheld {when}", somebody: "Upheld {when} by {who}" },
      dismissed: { nobody: "Dismissed {when}", somebody: "Dismissed {when} by {who}" },
      gone: { nobody: "Deleted by its author {when}", somebody: "Deleted by its author {when} by {who}" },
    },
  },
  hidden: {
    list: {
      title: "Hidden content",
      lead: "Everything that moderators have hidden, with or without a report, the latest first. Its author and moderators still see it. [Reports](/admin/reports)",
      nothing: "Nothing is hidden",
      nothingLead: "Posts, replies, jobs and prompts that you hide are listed here. You can show them again.",
    },
    when: "hidden {when}",
  },
  answers: {
    about,
    openAgain: "Open it again",
    letIn: "Let them in again",
    show: "Show it again",
    dismiss: "Dismiss",
    uphold: "Uphold",
    suspend: "Suspend",
    suspendWho: (username: string) => `Suspend @${username}`,
    hide: "Hide",
    reason: "Why, for its author",
  },
};
