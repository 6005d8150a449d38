import type { TSchema } from "@sinclair/typebox";
import { withoutNull } from "../../src/core/base/view.ts";
import { feedOperations } from "../../src/operations/feed.ts";
import { followingOperations } from "../../src/operations/following.ts";
import { jobFilterOperations } from "../../src/operations/saved-filters.ts";
import { jobOperations } from "../../src/operations/jobs.ts";
import { notificationOperations } from "../../src/operations/notifications.ts";
import { profileOperations } from "../../src/operations/profiles.ts";
import { projectOperations } from "../../src/operations/projects.ts";
import { promptOperations } from "../../src/operations/prompts.ts";
import { searchOperations } from "../../src/operations/search.ts";
import type { FixtureCommunity } from "./fixture-community.ts";
import { communityRows } from "./community-rows.ts";
import { moderationRows } from "./moderation-rows.ts";
import { list, mutation, type Row, type Shown } from "./parity-row.ts";

export type { Row, Shown } from "./parity-row.ts";

/** Returns the GraphQL fields for a REST view. `byHand` replaces fields that are connections in GraphQL. */
function fieldsOf(view: TSchema | undefined, byHand: Readonly<Record<string, string>> = {}): string {
  const properties: Record<string, TSchema> = view?.["properties"] ?? {};
  return Object.entries(properties)
    .map(([name, property]) => {
      const { inner } = withoutNull(property);
      const nested = fieldsOf(inner["type"] === "array" ? inner["items"] : inner);
      return byHand[name] ?? (nested === "" ? name : `${name} { ${nested} }`);
    })
    .join(" ");
}

const POST = fieldsOf(feedOperations.createPost.view);
const POST_DETAIL = fieldsOf(feedOperations.getPost.view, {
  parentId: "parent { id }",
  rootId: "root { id }",
});
const EDITED = fieldsOf(feedOperations.editPost.view, { parentId: "parent { id }", rootId: "root { id }" });
const REVISION = fieldsOf(feedOperations.listRevisions.view, { id: "id: revision" });
const LISTING = fieldsOf(jobOperations.searchJobs.view);
const DETAIL = `${LISTING} description applyUrl`;
const OWN = fieldsOf(jobOperations.publishJob.view);
const FILTER = fieldsOf(jobFilterOperations.getJobFilter.view);
const PROMPT_DETAIL = fieldsOf(promptOperations.getPrompt.view);
const PROFILE = fieldsOf(profileOperations.getProfile.view);
const PROJECT = fieldsOf(projectOperations.getProject.view);
const TOLD_OF = fieldsOf(notificationOperations.getNotificationSettings.view);
const THREAD = "id with { username name } unread request lastMessage { id mine preview createdAt } createdAt";
const MESSAGE = "id thread { id } from { username name } text createdAt";
const REPORT =
  "id type subjectId subjectTitle subjectText subjectOwner { username } subjectHidden asReported { id: revision text tags media at } reason reporter createdAt settled { at by outcome }";
const RECEIPT = "id type subjectId reason createdAt";
const SUBJECT =
  "__typename ... on Post { id text author { username } hidden } ... on Builder { id username suspended }";
const ENDPOINT = "id url events createdAt disabled { at reason }";
const OWN_ENDPOINT = `${ENDPOINT} owner { username app { appId name } } health { state failingSince disabledAt code reason }`;
const DELIVERY =
  "id event { id } eventType endpoint { id } state attempts nextAttemptAt createdAt settledAt givenUp { code reason }";

const withParent = ({ parent, root, ...post }: Shown) => ({
  ...post,
  parent_id: parent?.id ?? null,
  root_id: root?.id ?? null,
});
const withThread = ({ thread, ...message }: Shown) => ({
  ...message,
  thread_id: thread.id,
});
const withIds = ({ event, endpoint, ...delivery }: Shown) => ({
  ...delivery,
  event_id: event.id,
  endpoint_id: endpoint.id,
});
const receipt = ({ type, subject_id, ...report }: Shown) => ({
  ...report,
  subject: { type, id: subject_id },
});
const withLast = ({ last_message, ...thread }: Shown) => ({ ...thread, last: last_message });
const withSubject = ({
  type,
  subject_id,
  subject_title,
  subject_text,
  subject_owner,
  subject_hidden,
  ...report
}: Shown) => ({
  ...report,
  subject: {
    type,
    id: subject_id,
    title: subject_title,
    ...(subject_text === null ? {} : { text: subject_text }),
    owner: subject_owner?.username ?? null,
    hidden: subject_hidden,
  },
});
/** Converts a node to the short form in which REST shows the subject of a report. */
const asSubject = ({ __typename, id, text, username, author, hidden, suspended }: Shown) => ({
  type: __typename.toLowerCase(),
  id,
  title: text ?? username,
  owner: author?.username ?? username,
  hidden: hidden ?? suspended,
});
const secret = ({ webhook, secret }: Shown) => ({ ...webhook, secret });
const noBody = () => "";
const HTTPS = "https://hooks.example.com";

/** The parity table. An operation without a row fails the test. */
export function parityRows(community: FixtureCommunity): Readonly<Record<string, Row>> {
  const { media, ids } = community;
  const long = "x".repeat(2001);
  const job = {
    title: "Rust engineer",
    location: "Lisbon",
    remote: true,
    seniority: "mid",
    stack: ["rust"],
    salary: { min: 1, max: 2, currency: "EUR" },
    description: "Work.",
    apply_url: "https://x.example.com",
    company: { name: "New", slug: "new" },
  };
  return {
    listFeed: list("feed", fieldsOf(feedOperations.listFeed.view)),
    createPost: {
      ...mutation("createPost", `post { ${POST} }`, "post"),
      body: { text: "fresh", tags: ["rust", "rust"], media: ["https://images.example.com/a.png"] },
      refused: [
        { body: { text: long }, as: "bad_request" },
        { body: { text: "a", tags: ["a", "b", "c", "d", "e", "f"] }, as: "bad_request" },
        { body: { text: "a", tags: ["A b"] }, as: "bad_request" },
        { body: { text: "a", media: ["http://x"] }, as: "bad_request" },
      ],
    },
    getPost: {
      param: ids.post,
      graph: `query($id: ID!) { post(id: $id) { ${POST_DETAIL} } }`,
      at: "post",
      shape: withParent,
    },
    editPost: {
      ...mutation("editPost", `post { ${EDITED} }`, "post"),
      param: ids.post,
      body: { text: "in other words", tags: ["go"], media: [] },
      shape: withParent,
      refused: [
        { param: ids.theirs, body: { text: "a" }, as: "forbidden" },
        { param: ids.post, body: { text: " " }, as: "bad_request" },
        { param: ids.post, body: { text: "a", revision: "rev_x" }, as: "conflict" },
      ],
    },
    listRevisions: {
      ...list("revisions", REVISION, { of: "post(id: $id)", vars: ", $id: ID!" }),
      param: ids.post,
    },
    deletePost: {
      ...mutation("deletePost", "deletedId", ""),
      param: ids.post,
      shape: noBody,
      refused: [{ param: ids.theirs, as: "forbidden" }],
    },
    listReplies: {
      ...list("replies", POST_DETAIL, { of: "post(id: $id)", vars: ", $id: ID!" }),
      param: ids.post,
      shape: withParent,
    },
    replyToPost: {
      ...mutation("replyToPost", `post { ${POST} parent { id } root { id } }`, "post"),
      param: ids.reply,
      body: { text: "indeed" },
      shape: withParent,
      refused: [{ param: ids.post, body: { text: "  " }, as: "bad_request" }],
    },
    likePost: { ...mutation("likePost", "liked likes", ""), param: ids.theirs },
    unlikePost: { ...mutation("unlikePost", "liked likes", ""), param: ids.theirs },
    followBuilder: {
      ...mutation("followBuilder", "following followers", ""),
      param: "BO",
      refused: [
        { param: "ada", as: "unprocessable" },
        { param: "dan", as: "conflict" },
        { param: "nobody", as: "not_found" },
      ],
    },
    unfollowBuilder: { ...mutation("unfollowBuilder", "following followers", ""), param: "bo" },
    listFollowing: list("following", PROFILE, { of: "viewer" }),
    followTag: {
      ...mutation("followTag", "following", ""),
      param: "rust",
      refused: [{ param: "No-Tag", as: "not_found" }],
    },
    unfollowTag: { ...mutation("unfollowTag", "following", ""), param: "rust" },
    listFollowedTags: list("followedTags", fieldsOf(followingOperations.listFollowedTags.view), {
      of: "viewer",
    }),
    bookmarkPost: { ...mutation("bookmarkPost", "bookmarked", ""), param: ids.theirs },
    unbookmarkPost: { ...mutation("unbookmarkPost", "bookmarked", ""), param: ids.theirs },
    listBookmarks: { ...list("bookmarks", POST_DETAIL, { of: "viewer" }), shape: withParent },
    searchJobs: list("jobs", LISTING),
    publishJob: {
      ...mutation("publishJob", `job { ${OWN} }`, "job"),
      body: job,
      refused: [
        { body: { ...job, salary: { min: 2, max: 1, currency: "EUR" } }, as: "unprocessable" },
        { body: { ...job, salary: { min: 2, max: 3, currency: "euro" } }, as: "bad_request" },
        { body: { ...job, apply_url: "ftp://x" }, as: "bad_request" },
        { body: { ...job, company: { name: "Tidewater", slug: "tidewater-systems" } }, as: "forbidden" },
      ],
    },
    listOwnJobs: list("jobs", OWN, { of: "viewer" }),
    getJob: { param: ids.job, graph: `query($id: ID!) { job(id: $id) { ${DETAIL} } }`, at: "job" },
    changeJob: {
      ...mutation("changeJob", `job { ${OWN} }`, "job"),
      param: ids.ownJob,
      body: { open: false, city: null, apply_url: "https://y.example.com" },
      refused: [{ param: ids.job, body: { open: false }, as: "forbidden" }],
    },
    listJobFilters: list("jobFilters", FILTER, { of: "viewer" }),
    createJobFilter: {
      ...mutation("createJobFilter", `jobFilter { ${FILTER} }`, "jobFilter"),
      body: {
        name: "Anything",
        city: "berlin",
        remote: true,
        salary: { min: 1, currency: "EUR" },
        seniority: ["senior"],
      },
      refused: [{ body: { name: "x", city: "Not A Slug" }, as: "bad_request" }],
    },
    getJobFilter: {
      param: ids.filter,
      graph: `query($id: ID!) { jobFilter(id: $id) { ${FILTER} } }`,
      at: "jobFilter",
    },
    changeJobFilter: {
      ...mutation("changeJobFilter", `jobFilter { ${FILTER} }`, "jobFilter"),
      param: ids.filter,
      body: { name: "Other", salary: null, stack: [] },
    },
    deleteJobFilter: { ...mutation("deleteJobFilter", "deletedId", ""), param: ids.filter, shape: noBody },
    listJobMatches: {
      ...list(
        "jobMatches",
        fieldsOf(jobFilterOperations.listJobMatches.view, { filterId: "filter { id }" }),
        {
          of: "viewer",
        },
      ),
      shape: ({ filter, why, ...match }) => ({
        ...match,
        filter_id: filter?.id ?? null,
        why: Object.fromEntries(Object.entries(why).filter(([, part]) => part !== null)),
      }),
    },
    listPrompts: list("prompts", fieldsOf(promptOperations.listPrompts.view)),
    submitPrompt: {
      ...mutation("submitPrompt", `prompt { ${PROMPT_DETAIL} }`, "prompt"),
      body: { title: "T", body: "B", model: "gpt-5", category: "fun" },
      refused: [{ body: { title: "T", body: "B", model: "GPT 5", category: "fun" }, as: "bad_request" }],
    },
    getPrompt: {
      param: ids.prompt,
      graph: `query($id: ID!) { prompt(id: $id) { ${PROMPT_DETAIL} } }`,
      at: "prompt",
    },
    deletePrompt: {
      ...mutation("deletePrompt", "deletedId", ""),
      param: ids.prompt,
      shape: noBody,
      refused: [{ param: ids.theirPrompt, as: "forbidden" }],
    },
    listPromptVersions: {
      ...list("versions", fieldsOf(promptOperations.listPromptVersions.view), {
        of: "prompt(id: $id)",
        vars: ", $id: ID!",
      }),
      param: ids.prompt,
    },
    revisePrompt: {
      ...mutation("revisePrompt", `prompt { ${PROMPT_DETAIL} }`, "prompt"),
      param: ids.prompt,
      body: { body: "Anew.", note: "Anew." },
      refused: [{ param: ids.theirPrompt, body: { body: "a", note: "b" }, as: "forbidden" }],
    },
    ratePrompt: {
      ...mutation("ratePrompt", `prompt { ${PROMPT_DETAIL} }`, "prompt"),
      param: ids.theirPrompt,
      body: { stars: 5 },
      refused: [
        { param: ids.prompt, body: { stars: 5 }, as: "forbidden" },
        { param: ids.theirPrompt, body: { stars: 6 }, as: "bad_request" },
        { param: ids.theirPrompt, body: { stars: 5, version: 7 }, as: "conflict" },
      ],
    },
    getOwnProfile: { graph: `{ profile { ${PROFILE} } }`, at: "profile" },
    changeProfile: {
      ...mutation("changeProfile", `builder { ${PROFILE} }`, "builder"),
      body: { bio: "", name: "Ada O.", time_zone: "Europe/Berlin" },
      refused: [
        { body: { time_zone: "Mars/Olympus" }, as: "unprocessable" },
        { body: { name: "a\nb" }, as: "bad_request" },
      ],
    },
    setAvatar: {
      ...mutation("setAvatar", "avatar crest", ""),
      body: { media },
      refused: [{ body: { media: "med_01kafzq8e5f2r8v0j3n6s1t4wy" }, as: "unprocessable" }],
    },
    removeAvatar: mutation("removeAvatar", "avatar crest", ""),
    getStreak: {
      graph: `{ viewer { streak { ${fieldsOf(profileOperations.getStreak.view)} } } }`,
      at: "viewer.streak",
    },
    listXp: list("xpEntries", fieldsOf(profileOperations.listXp.view), { of: "viewer" }),
    getProfile: {
      param: "BO",
      graph: `query($username: String) { profile(username: $username) { ${PROFILE} } }`,
      at: "profile",
    },
    listProfiles: list("builders", PROFILE),
    searchEverything: {
      ...list(
        "search",
        fieldsOf(searchOperations.searchEverything.view, { id: "node { id ... on Builder { username } }" }),
      ),
      shape: ({ node, ...found }) => ({ ...found, id: node.username ?? node.id }),
    },
    listProjects: list("projects", PROJECT, { of: "viewer" }),
    getProject: {
      param: ids.project,
      graph: `query($id: ID!) { project(id: $id) { ${PROJECT} } }`,
      at: "project",
    },
    addProject: {
      ...mutation("addProject", `project { ${PROJECT} }`, "project"),
      body: { title: "hugequeue", description: "Large." },
      refused: [{ body: { title: "a", url: "http://x" }, as: "bad_request" }],
    },
    changeProject: {
      ...mutation("changeProject", `project { ${PROJECT} }`, "project"),
      param: ids.project,
      body: { url: null, description: "Small." },
    },
    deleteProject: { ...mutation("deleteProject", "deletedId", ""), param: ids.project, shape: noBody },
    listThreads: { ...list("threads", THREAD, { of: "viewer" }), shape: withLast },
    sendMessage: {
      ...mutation("sendMessage", `message { ${MESSAGE} }`, "message"),
      body: { to: "CY", text: "hi" },
      shape: withThread,
      refused: [
        { body: { to: "ada", text: "me" }, as: "unprocessable" },
        { body: { to: "nobody", text: "you" }, as: "not_found" },
        { body: { to: "dan", text: "blocked" }, as: "conflict" },
      ],
    },
    listMessages: {
      ...list("messages", MESSAGE, { of: "thread(id: $id)", vars: ", $id: ID!" }),
      param: ids.thread,
      shape: withThread,
    },
    markThreadRead: {
      ...mutation("markThreadRead", `thread { ${THREAD} }`, "thread"),
      param: ids.thread,
      body: { up_to: ids.message },
      shape: withLast,
      refused: [{ body: { up_to: "x" }, as: "bad_request" }],
    },
    acceptThread: {
      ...mutation("acceptThread", `thread { ${THREAD} }`, "thread"),
      param: ids.thread,
      shape: withLast,
    },
    listNotifications: {
      ...list(
        "notifications",
        "id kind createdAt read count actors { username name } subjectType subjectId url",
        {
          of: "viewer",
        },
      ),
      shape: ({ subject_type: type, subject_id: id, url, ...rest }) => ({
        ...rest,
        subject: { type, id, url },
      }),
    },
    markNotificationsRead: {
      ...mutation("markNotificationsRead", "unread", ""),
      body: { up_to: ids.notification },
      refused: [
        { body: {}, as: "bad_request" },
        { body: { ids: ["post_1"] }, as: "bad_request" },
      ],
    },
    getNotificationSettings: {
      graph: `{ viewer { notificationSettings { ${TOLD_OF} } } }`,
      at: "viewer.notificationSettings",
    },
    changeNotificationSettings: {
      ...mutation(
        "changeNotificationSettings",
        `notificationSettings { ${TOLD_OF} }`,
        "notificationSettings",
      ),
      body: { like: "off", job_match: "push" },
      refused: [{ body: { like: "loud" }, as: "bad_request" }],
    },
    getMessageSettings: {
      graph: "{ viewer { messageSettings { from } } }",
      at: "viewer.messageSettings",
    },
    setMessageSettings: {
      ...mutation("setMessageSettings", "messageSettings { from }", "messageSettings"),
      body: { from: "contacts" },
      refused: [{ body: { from: "friends" }, as: "bad_request" }],
    },
    listBlocks: {
      ...list("blocks", "builder { username name } createdAt", { of: "viewer" }),
      shape: ({ builder, ...rest }) => ({ ...builder, ...rest }),
    },
    blockBuilder: {
      ...mutation("blockBuilder", "username", ""),
      param: "Bo",
      shape: noBody,
      refused: [{ param: "ada", as: "unprocessable" }],
    },
    unblockBuilder: { ...mutation("unblockBuilder", "username", ""), param: "dan", shape: noBody },
    reportPost: {
      ...mutation("reportPost", `report { ${RECEIPT} }`, "report"),
      param: ids.theirs,
      body: { reason: "Rude." },
      shape: receipt,
    },
    reportJob: {
      ...mutation("reportJob", `report { ${RECEIPT} }`, "report"),
      param: ids.job,
      body: { reason: "Rude." },
      shape: receipt,
    },
    reportPrompt: {
      ...mutation("reportPrompt", `report { ${RECEIPT} }`, "report"),
      param: ids.theirPrompt,
      body: { reason: "Rude." },
      shape: receipt,
    },
    reportBuilder: {
      ...mutation("reportBuilder", `report { ${RECEIPT} }`, "report"),
      param: "bo",
      body: { reason: "Rude." },
      shape: receipt,
    },
    reportMessage: {
      ...mutation("reportMessage", `report { ${RECEIPT} }`, "report"),
      param: ids.thread,
      body: { reason: "Rude.", message: ids.message },
      shape: receipt,
      refused: [{ body: { reason: "Rude.", message: "msg_x" }, as: "not_found" }],
    },
    listReports: { ...list("reports", REPORT), shape: withSubject },
    dismissReport: {
      ...mutation("dismissReport", `report { ${REPORT} }`, "report"),
      param: ids.report,
      shape: withSubject,
    },
    reopenReport: {
      ...mutation("reopenReport", `report { ${REPORT} }`, "report"),
      param: ids.dismissed,
      shape: withSubject,
    },
    hideThing: {
      ...mutation("hideThing", `subject { ${SUBJECT} }`, "subject"),
      body: { reason: "Spam." },
      param: ids.theirs,
      shape: asSubject,
    },
    restoreThing: {
      ...mutation("restoreThing", `subject { ${SUBJECT} }`, "subject"),
      param: ids.hidden,
      shape: asSubject,
    },
    suspendBuilder: {
      ...mutation("suspendBuilder", `subject { ${SUBJECT} }`, "subject"),
      body: { reason: "Spam." },
      param: "Bo",
      shape: asSubject,
      refused: [{ param: "ada", as: "conflict" }],
    },
    restoreBuilder: {
      ...mutation("restoreBuilder", `subject { ${SUBJECT} }`, "subject"),
      param: "mallory",
      shape: asSubject,
    },
    ...moderationRows(community, withSubject),
    ...communityRows(community),
    listWebhooks: {
      graph: `{ viewer { workspace { webhooks { ${ENDPOINT} } } } }`,
      at: "viewer.workspace.webhooks",
    },
    registerWebhook: {
      ...mutation("registerWebhook", `webhook { ${OWN_ENDPOINT} } secret`, ""),
      body: { url: `${HTTPS}/three`, events: ["post.created", "dm.received"] },
      shape: secret,
      refused: [
        { body: { url: `${HTTPS}/one`, events: ["post.created"] }, as: "conflict" },
        { body: { url: "http://hooks.example.com", events: ["post.created"] }, as: "unprocessable" },
        { body: { url: "https://127.0.0.1/x", events: ["post.created"] }, as: "unprocessable" },
        { body: { url: `${HTTPS}/four`, events: ["post.gone"] }, as: "unprocessable" },
        { body: { url: `${HTTPS}/four`, events: [] }, as: "bad_request" },
      ],
    },
    getWebhook: {
      param: ids.endpoint,
      graph: `query($id: ID!) { webhook(id: $id) { ${OWN_ENDPOINT} } }`,
      at: "webhook",
    },
    changeWebhook: {
      ...mutation("changeWebhook", `webhook { ${OWN_ENDPOINT} }`, "webhook"),
      param: ids.endpoint,
      body: { enabled: false, events: ["xp.level_up"] },
      refused: [{ param: ids.endpoint, body: { url: `${HTTPS}/two` }, as: "conflict" }],
    },
    deleteWebhook: { ...mutation("deleteWebhook", "deletedId", ""), param: ids.endpoint, shape: noBody },
    rotateWebhookSecret: {
      ...mutation("rotateWebhookSecret", `webhook { ${OWN_ENDPOINT} } secret`, ""),
      param: ids.endpoint,
      shape: secret,
    },
    testWebhook: {
      ...mutation("testWebhook", `delivery { ${DELIVERY} }`, "delivery"),
      param: ids.endpoint,
      shape: withIds,
    },
    listDeliveries: {
      ...list("deliveries", DELIVERY, { of: "webhook(id: $id)", vars: ", $id: ID!" }),
      param: ids.endpoint,
      shape: withIds,
    },
    getDelivery: {
      param: ids.delivery,
      graph: `query($id: ID!) { delivery(id: $id) { ${DELIVERY} log { id startedAt durationMs status error code answer } } }`,
      at: "delivery",
      shape: withIds,
    },
    retryDelivery: {
      ...mutation("retryDelivery", `delivery { ${DELIVERY} }`, "delivery"),
      param: ids.delivery,
      shape: withIds,
    },
    recoverWebhook: {
      ...mutation("recoverWebhook", "recovered", ""),
      param: ids.endpoint,
      body: { since: "2026-11-20T00:00:00Z" },
      refused: [{ param: ids.endpoint, body: { since: "yesterday" }, as: "bad_request" }],
    },
    listEvents: {
      ...list("events", "id type createdAt data", { of: "viewer { workspace" }),
      at: "viewer.workspace.events",
    },
  };
}
