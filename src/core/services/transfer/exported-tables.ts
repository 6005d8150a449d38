import { Type } from "@sinclair/typebox";
import { PostDraft } from "../../community/feed/feed.ts";
import { Currency, JobDraft } from "../../community/jobs/job.ts";
import { MessageDraft } from "../../community/messages/messages.ts";
import { PromptDraft } from "../../community/prompts/prompts.ts";
import { RULES } from "../../community/xp/rules.ts";
import { SIGNING_ALGS } from "../../delegation/oauth/keys.ts";
import { Choice, HttpsUrl, ruled, Slug, Text, WholeNumber, PatternText } from "../../base/check.ts";
import {
  apps,
  auditEntries,
  grants,
  invited,
  workspaceMembers,
  workspaces,
} from "../../base/db/schema-access.ts";
import {
  attempts,
  deliveries,
  eventLog,
  events,
  fanOuts,
  recoveries,
  webhookEndpoints,
  webhookHeard,
  webhookSubscriptions,
} from "../../base/db/schema-delivery.ts";
import {
  notificationFacts,
  notifications,
  notificationSettings,
} from "../../base/db/schema-notifications.ts";
import {
  arrivals,
  blocks,
  bookmarks,
  builderBadges,
  builders,
  directory,
  feedVisits,
  followedTags,
  follows,
  formerUsernames,
  likes,
  mentions,
  messages,
  postRevisions,
  posts,
  profileDetails,
  projects,
  promptRatings,
  prompts,
  promptVersions,
  reportCopies,
  reports,
  streaks,
  threadMembers,
  threads,
  timeZones,
  xpEntries,
} from "../../base/db/schema.ts";
import { companies, jobFilters, jobMatches, jobMatchings, jobs } from "../../base/db/schema-jobs.ts";
import {
  appeals,
  caseNotes,
  cases,
  decisions,
  held,
  lockedThreads,
  restrictions,
} from "../../base/db/schema-moderation.ts";
import { charter } from "../../base/db/schema-community.ts";
import { media } from "../../base/db/schema-media.ts";
import { BRAKES } from "../../community/holding/brakes.ts";
import { StoredMedia, mediaRules } from "../../community/media/media.ts";
import { mailAddresses } from "../../base/db/schema-channels.ts";
import { CommunitySettingsDraft } from "../../identity/community-settings/community-settings.ts";
import { SCOPE_NAMES } from "../../identity/access/scopes.ts";
import { LANGUAGES } from "../../base/locales.ts";
import { CHOSEN_KINDS, NOTIFICATION_KINDS, SUBJECT_TYPES } from "../../identity/notifications/kinds.ts";
import { MailAddress } from "../../identity/mail/mail.ts";
import { BuilderDraft } from "../../identity/builders/builders.ts";
import { GIVEN_UP } from "../../outbox/deliveries/cleanup.ts";
import { DISABLED_CODES } from "../../outbox/webhooks/health.ts";
import { RULE_MAX } from "../../identity/community-settings/community-settings.ts";
import { ACTS, LIMITING_ACTS, REASON_MAX } from "../moderation/acts.ts";
import { by, type Entity, exported, through } from "./entity.ts";
import {
  withoutStaff,
  withoutBrake,
  withoutDecider,
  withoutModerator,
  withoutExpiredAddress,
  disableEndpoint,
  checkBody,
  checkParams,
  checkRedirects,
  checkTargetUrl,
  checkZone,
  checkZoneIfAny,
  withoutGiver,
  withoutLabel,
  withoutSettler,
} from "./line-checks.ts";

/*
 * The exported tables (docs/contract.md#12.6). All other tables are in `NOT_EXPORTED`.
 * tests/core/portable-lists.test.ts fails for a table that is in neither list. The test also fails for an
 * exported column that is a credential or contains bytes.
 */

/** An autoincrement number, limited so that further numbers can follow. */
const Counted = WholeNumber(1, 2 ** 40);
/** Position in the search index: approximately when the row was written, in ms since the epoch. */
const IndexNumber = WholeNumber(0, Number.MAX_SAFE_INTEGER);
/**
 * Days since the epoch. Every value in this range is a valid date, even after a time zone offset is added.
 */
const Day = WholeNumber(-1_000_000, 1_000_000);
const ONE_SCOPE = `(?:${SCOPE_NAMES.join("|")})`;
const Scopes = PatternText(`^(?:${ONE_SCOPE}(?: ${ONE_SCOPE})*)?$`, ruled("not_text", { min: 0, max: 400 }), {
  maxLength: 400,
});
const Slugs = Type.Array(Slug(), { maxItems: 20 });
const Name = BuilderDraft.properties.name;
const { text: PostText, tags: Tags } = PostDraft.properties;
const { title, description, location, seniority, stack, apply_url: applyUrl } = JobDraft.properties;
const promptRules = PromptDraft.properties;
const charterRules = CommunitySettingsDraft.properties;

/**
 * The username of a member, or of a deleted account whose last rows are not deleted yet. Nobody can register
 * the latter.
 */
const StoredUsername = PatternText(
  "^(?:[a-z0-9](?:[a-z0-9_-]{0,30}[a-z0-9])?|-[0-9a-hjkmnp-tv-z]{26})$",
  ruled("not_username"),
  { maxLength: 32 },
);
const Terms = Type.Array(
  Type.Object(
    { words: Type.Array(Text({ max: 1000 }), { maxItems: 500 }), isPrefix: Type.Boolean() },
    { additionalProperties: false },
  ),
  { maxItems: 500 },
);
/** Id of a post that may be deleted; empty for none. */
const OptionalPostId = Text({ min: 0, max: 40, line: true });
/** Exports of earlier versions have the kind `hidden`, which is now a kind of decision. */
const formerKind = (kind: unknown) => ({ kind: kind === "hidden" ? "decision" : kind });
const Scalar = Type.Union([Text({ min: 0, max: 4096 }), Type.Number(), Type.Boolean(), Type.Null()]);

/** The exported tables in the order of writing and reading. A table follows the tables that it refers to. */
export const EXPORTED: readonly Entity[] = [
  exported(builders, {
    leftOut: { followers: "recalculated: the number of followers" },
    // Before 0.2.0 this field had the end of the newcomer limits, or null for a vouched member.
    former: {
      newcomer_until: (until) => ({ is_vouched: until === null }),
      // Exports of earlier versions have admins but no owner. The operator names the owner after the import.
      is_admin: (isAdmin) => ({ role: isAdmin === true ? "admin" : "member" }),
    },
    rules: {
      username: StoredUsername,
      name: Name,
      bio: Text({ min: 0, max: 500 }),
      language: Choice(LANGUAGES),
    },
    owner: by("id"),
  }),
  exported(formerUsernames, { rules: { username: StoredUsername }, owner: by("builderId") }),
  exported(invited, {
    rules: { label: Text({ min: 0, max: 60, line: true }) },
    owner: by("builderId"),
    redact: withoutLabel,
  }),
  exported(builderBadges, {
    rules: { badge: Text({ max: 50, line: true }) },
    owner: by("builderId"),
  }),
  exported(projects, {
    rules: { title: Text({ max: 200 }), url: HttpsUrl(), description: Text({ max: 1000 }) },
    owner: by("builderId"),
  }),
  exported(profileDetails, {
    rules: { place: Text({ min: 0, max: 80, line: true }), links: Type.Array(HttpsUrl(), { maxItems: 4 }) },
    owner: by("builderId"),
  }),
  exported(xpEntries, {
    rules: { seq: Counted, rule: Choice(Object.keys(RULES)), day: Day },
    owner: by("builderId"),
    redact: withoutGiver,
  }),
  exported(streaks, {
    rules: { firstDay: Day, lastDay: Day },
    owner: by("builderId"),
  }),
  exported(timeZones, {
    rules: { dayOffset: Day },
    owner: by("builderId"),
    validate: checkZone,
  }),
  exported(workspaces, {
    rules: { name: Text({ max: 100 }) },
    owner: through("id", workspaceMembers, "workspaceId"),
  }),
  exported(workspaceMembers, {
    owner: by("builderId"),
  }),
  exported(apps, {
    leftOut: {
      secretHash:
        "credential: the import sets a secret that nobody knows, and the app's owner creates a new one",
      previousHash: "credential",
      previousUntil: "belongs to a credential that is left out",
    },
    rules: {
      name: Text({ max: 60, line: true }),
      homepage: HttpsUrl(),
      redirectUris: Type.Array(Text({ max: 2048 }), { maxItems: 100 }),
      scopes: Scopes,
      idTokenAlg: Choice(SIGNING_ALGS),
    },
    owner: by("createdBy"),
    validate: checkRedirects,
  }),
  exported(grants, { rules: { scopes: Scopes }, owner: by("builderId") }),
  exported(media, { rules: { ...mediaRules, bytes: Counted }, owner: by("builderId") }),
  exported(posts, {
    rules: { text: PostText, tags: Tags, media: StoredMedia, place: IndexNumber },
    owner: by("authorId"),
    passes: ["parent_id IS NULL", "parent_id IS NOT NULL"],
  }),
  exported(charter, {
    rules: {
      one: WholeNumber(1, 1),
      name: charterRules.name,
      line: charterRules.line,
      welcome: charterRules.welcome,
      rules: charterRules.rules,
      contact: charterRules.contact,
      newcomerDays: charterRules.newcomerDays,
      accent: charterRules.accent,
      privacy: charterRules.privacy,
      terms: charterRules.terms,
      imprint: charterRules.imprint,
      links: charterRules.links,
      logo: mediaRules.hash,
      logoWidth: mediaRules.width,
      logoHeight: mediaRules.height,
    },
    validate: checkZoneIfAny,
  }),
  exported(postRevisions, {
    rules: { text: PostText, tags: Tags, media: StoredMedia },
    owner: through("postId", posts),
  }),
  exported(arrivals, {
    rules: {
      host: Text({ max: 300, line: true }),
      mark: PatternText("^[\\w-]{22}$", ruled("not_valid"), { maxLength: 22 }),
      name: Text({ max: 100 }),
    },
    owner: by("ourId"),
  }),
  // Must follow the posts. If the directory entries existed first, each imported tag would index its author
  // again.
  exported(directory, { rules: { seq: Counted } }),
  exported(likes, { owner: by("builderId") }),
  exported(bookmarks, { owner: by("builderId") }),
  exported(feedVisits, {
    rules: { beforeId: OptionalPostId, newestId: OptionalPostId },
    owner: by("builderId"),
  }),
  exported(companies, {
    rules: { slug: Slug(), name: Text({ max: 100 }) },
    owner: by("madeBy"),
  }),
  exported(jobs, {
    rules: {
      seq: Counted,
      title,
      description,
      location,
      city: Slug(),
      seniority,
      stack,
      currency: Currency,
      applyUrl,
    },
    owner: by("publishedBy"),
  }),
  exported(jobFilters, {
    rules: {
      name: Text({ max: 100 }),
      q: Text({ min: 0, max: 1000 }),
      terms: Terms,
      stack: Slugs,
      city: Slug(),
      seniority: Type.Array(seniority, { maxItems: 20 }),
      currency: Currency,
    },
    owner: by("builderId"),
  }),
  exported(jobMatches, {
    rules: { why: Type.Record(Type.String({ maxLength: 50 }), Type.Number()) },
    owner: by("builderId"),
  }),
  // The matching of each job starts again, because earlier versions processed the filters in another order.
  exported(jobMatchings, { former: { after_key: () => ({ after_filter: "" }) } }),
  exported(prompts, {
    rules: { ...promptRules, note: Text({ min: 0, max: 500 }), place: IndexNumber },
    owner: by("authorId"),
  }),
  exported(promptVersions, {
    rules: {
      title: promptRules.title,
      body: promptRules.body,
      model: promptRules.model,
      note: Text({ min: 0, max: 500 }),
    },
    owner: through("promptId", prompts),
  }),
  exported(promptRatings, {
    owner: by("builderId"),
  }),
  exported(reports, {
    rules: { reason: Text({ max: 500 }) },
    owner: by("reporterId"),
    redact: withoutSettler,
  }),
  // The copies belong to no builder. A reporter sees only the id of the reported subject, and the author must
  // not learn of the report.
  exported(reportCopies, {
    rules: {
      title: Text({ min: 0, max: 200 }),
      text: Text({ min: 0, max: 25_000 }),
      later: Text({ min: 0, max: 25_300 }),
      ownerId: Text({ max: 60, line: true }),
      username: StoredUsername,
    },
  }),
  // A thread that is hidden with a deleted account has no members (docs/contract.md#9.12).
  exported(threads, {
    owner: through("id", threadMembers, "threadId"),
  }),
  exported(messages, {
    rules: { text: MessageDraft.properties.text },
    // Exports the messages of both members, because both members could always read them.
    owner: through("threadId", threads),
  }),
  exported(threadMembers, {
    owner: by("builderId"),
  }),
  // Mentions belong to no builder, because a member must not learn that others mention them in private
  // messages.
  exported(mentions, { rules: { subjectId: Text({ max: 60, line: true }), name: StoredUsername } }),
  exported(mailAddresses, {
    leftOut: {
      pending: "not confirmed",
      pendingHash: "credential",
      pendingUntil: "belongs to an unconfirmed address",
      digestAt: "sent again",
      digestPlace: "position in the notifications of this installation",
      digestRetried: "specific to this installation",
      mailedFrom: "specific to this installation",
      recoversAt: "uses this installation's internal clock",
      former: "the previous address, kept for 24 hours",
      formerUntil: "uses this installation's internal clock",
      formerSince: "belongs to the previous address",
      mailedCount: "specific to this installation",
    },
    rules: { address: MailAddress },
    owner: by("builderId"),
  }),
  exported(blocks, { owner: by("builderId") }),
  exported(notificationSettings, {
    former: { kind: formerKind },
    rules: { kind: Choice(CHOSEN_KINDS) },
    owner: by("builderId"),
  }),
  exported(notifications, {
    former: { kind: formerKind },
    rules: {
      place: Counted,
      kind: Choice(NOTIFICATION_KINDS),
      subjectType: Choice(SUBJECT_TYPES),
      subjectId: Text({ max: 60, line: true }),
      about: Text({ min: 0, max: 500 }),
      groupId: Text({ max: 60, line: true }),
      noted: Counted,
    },
    owner: by("builderId"),
  }),
  exported(notificationFacts, {
    rules: {
      groupId: Text({ max: 60, line: true }),
      fact: Text({ min: 0, max: 60, line: true }),
      place: Counted,
    },
    owner: through("groupId", notifications, "groupId"),
  }),
  // Cases belong to no builder, because a member must not learn of reports about them.
  exported(cases, {
    rules: { subjectId: Text({ max: 60, line: true }), version: WholeNumber(0, 2 ** 40) },
  }),
  exported(caseNotes, { rules: { text: Text({ max: 2000 }) } }),
  exported(decisions, {
    rules: {
      act: Choice(ACTS),
      subjectId: Text({ max: 60, line: true }),
      reason: Text({ min: 0, max: REASON_MAX }),
      rule: Text({ min: 0, max: RULE_MAX, line: true }),
      undo: Type.Record(
        Type.String({ maxLength: 100 }),
        Type.Union([Scalar, Type.Record(Type.String({ maxLength: 100 }), Scalar)]),
      ),
    },
    owner: by("builderId"),
    ownRows: `act IN (${LIMITING_ACTS.map((act) => `'${act}'`).join(", ")})`,
    redact: withoutModerator,
  }),
  exported(appeals, {
    rules: { text: Text({ max: 2000 }), answer: Text({ min: 0, max: 2000 }) },
    owner: through("decisionId", decisions),
    redact: withoutDecider,
  }),
  exported(restrictions, { owner: by("builderId") }),
  exported(lockedThreads, { owner: through("decisionId", decisions) }),
  exported(held, {
    rules: {
      subjectId: Text({ max: 60, line: true }),
      brake: Choice(BRAKES),
      detail: Text({ min: 0, max: 500 }),
      mentioned: Type.Array(Text({ max: 60, line: true }), { maxItems: 1000 }),
    },
    owner: by("builderId"),
    redact: withoutBrake,
  }),
  exported(follows, { owner: by("followerId") }),
  exported(followedTags, { rules: { tag: Slug() }, owner: by("builderId") }),
  exported(auditEntries, {
    rules: {
      act: Text({ max: 60, line: true }),
      detail: Type.Record(Type.String({ maxLength: 100 }), Scalar),
      address: Text({ max: 100, line: true }),
    },
    owner: by("subjectId"),
    transform: withoutExpiredAddress,
    redact: withoutStaff,
  }),
  exported(webhookEndpoints, {
    leftOut: {
      tokenId: "belongs to a credential that is left out",
      failedAttempts: "starts at zero when the owner resumes it",
      failingServed: "counts the time that this installation's server ran",
    },
    rules: { disabledReason: Choice(DISABLED_CODES) },
    owner: by("createdBy"),
    transform: disableEndpoint,
    validate: checkTargetUrl,
  }),
  // Must precede the subscriptions, because a trigger inserts the same rows for each subscription.
  exported(webhookHeard, { owner: through("endpointId", webhookEndpoints) }),
  exported(webhookSubscriptions, {
    owner: through("endpointId", webhookEndpoints),
  }),
  exported(events, {
    leftOut: { traceparent: "tracing data of this installation" },
    rules: { body: Text({ max: 1_000_000 }) },
    owner: by("builderId"),
    validate: checkBody,
  }),
  exported(eventLog),
  // A stored fan-out with an empty `afterEndpoint` would never be deleted.
  exported(fanOuts, {
    rules: { afterEndpoint: Text({ max: 40 }), untilEndpoint: Text({ max: 40 }) },
  }),
  exported(deliveries, {
    rules: { givenUp: Choice(Object.keys(GIVEN_UP)) },
    owner: through("endpointId", webhookEndpoints),
  }),
  exported(attempts, {
    leftOut: { answer: "may repeat sent content that has since been deleted or edited" },
    // Exports before 0.2.0 contain the field `answer`, which is dropped.
    former: { answer: () => ({}) },
    owner: through("deliveryId", deliveries),
    validate: checkParams,
  }),
  exported(recoveries, {
    rules: { id: Counted, turn: WholeNumber(0, 2 ** 40) },
  }),
];
