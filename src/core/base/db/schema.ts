import { integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { LANGUAGES } from "../locales.ts";
import type { StoredPicture } from "./schema-media.ts";

/**
 * Drizzle tables for rows that are written from objects or typed by their columns. The source of truth is
 * migrations/*.sql, which also holds what drizzle cannot express (STRICT, partial indexes, full text). A test
 * compares the two column by column.
 */

/** Kinds of identifiers. A kind is also the prefix of its identifiers: `post_01j…` (TypeID over UUIDv7). */
export const ID_KINDS = [
  "builder",
  "ws",
  "tok",
  "pky",
  "ses",
  "lnk",
  "apl",
  "aud",
  "app",
  "grant",
  "post",
  "rev",
  "company",
  "job",
  "flt",
  "prompt",
  "prj",
  "rpt",
  "srp",
  "case",
  "note",
  "dec",
  "xp",
  "thr",
  "msg",
  "whe",
  "evt",
  "dlv",
  "att",
  "ntf",
  "psh",
  "med",
] as const;

/** Roles, ordered from the fewest rights to the most rights. */
export const ROLES = ["member", "moderator", "admin", "owner"] as const;

export const builders = sqliteTable("builders", {
  id: text().primaryKey().notNull(),
  username: text().notNull(),
  name: text().notNull(),
  bio: text().notNull().default(""),
  xp: integer().notNull().default(0),
  role: text({ enum: ROLES }).notNull().default("member"),
  createdAt: integer("created_at").notNull(),
  suspendedAt: integer("suspended_at"),
  level: integer().notNull().default(1),
  removedAt: integer("removed_at"),
  deviceEpoch: integer("device_epoch").notNull().default(0),
  messagesFrom: text("messages_from", { enum: ["everybody", "contacts", "nobody"] })
    .notNull()
    .default("everybody"),
  isVouched: integer("is_vouched", { mode: "boolean" }).notNull().default(false),
  language: text({ enum: LANGUAGES }),
  hasReadWelcome: integer("has_read_welcome", { mode: "boolean" }).notNull().default(false),
  hasPutStepsAway: integer("has_put_steps_away", { mode: "boolean" }).notNull().default(false),
  /** Number of followers who are not suspended. Triggers update this column. */
  followers: integer().notNull().default(0),
});

/** Members in the member directory. Triggers and imports write the rows. */
export const directory = sqliteTable("directory", {
  seq: integer().primaryKey({ autoIncrement: true }),
  builderId: text("builder_id").notNull(),
});

export const mentions = sqliteTable(
  "mentions",
  {
    subjectId: text("subject_id").notNull(),
    name: text().notNull(),
    builderId: text("builder_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.subjectId, table.name] })],
);

export const formerUsernames = sqliteTable("former_usernames", {
  username: text().primaryKey().notNull(),
  removedAt: integer("removed_at").notNull(),
  builderId: text("builder_id"),
});

export const builderBadges = sqliteTable(
  "builder_badges",
  {
    builderId: text("builder_id").notNull(),
    badge: text().notNull(),
    earnedAt: integer("earned_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.builderId, table.badge] })],
);

export const projects = sqliteTable("projects", {
  id: text().primaryKey().notNull(),
  builderId: text("builder_id").notNull(),
  title: text().notNull(),
  createdAt: integer("created_at").notNull(),
  url: text(),
  description: text(),
});

/** The optional parts of a profile. A member without these parts has no row. */
export const profileDetails = sqliteTable("profile_details", {
  builderId: text("builder_id").primaryKey().notNull(),
  place: text().notNull().default(""),
  links: text({ mode: "json" }).$type<readonly string[]>().notNull().default([]),
  pinnedProjectId: text("pinned_project_id"),
});

export const xpEntries = sqliteTable("xp_entries", {
  seq: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull(),
  builderId: text("builder_id").notNull(),
  rule: text().notNull(),
  subjectId: text("subject_id").notNull(),
  giverId: text("giver_id").notNull().default(""),
  cause: text({ enum: ["earned", "undone", "hidden", "restored"] }).notNull(),
  points: integer().notNull(),
  day: integer().notNull(),
  createdAt: integer("created_at").notNull(),
});

export const streaks = sqliteTable(
  "streaks",
  {
    builderId: text("builder_id").notNull(),
    firstDay: integer("first_day").notNull(),
    lastDay: integer("last_day").notNull(),
    days: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.builderId, table.firstDay] })],
);

export const timeZones = sqliteTable(
  "time_zones",
  {
    builderId: text("builder_id").notNull(),
    since: integer().notNull(),
    zone: text().notNull(),
    dayOffset: integer("day_offset").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.builderId, table.since] })],
);

export const threads = sqliteTable("threads", {
  id: text().primaryKey().notNull(),
  lowId: text("low_id").notNull(),
  highId: text("high_id").notNull(),
  startedBy: text("started_by").notNull(),
  createdAt: integer("created_at").notNull(),
});

export const messages = sqliteTable("messages", {
  id: text().primaryKey().notNull(),
  threadId: text("thread_id").notNull(),
  senderId: text("sender_id").notNull(),
  text: text().notNull(),
  createdAt: integer("created_at").notNull(),
});

export const threadMembers = sqliteTable(
  "thread_members",
  {
    threadId: text("thread_id").notNull(),
    builderId: text("builder_id").notNull(),
    lastId: text("last_id").notNull(),
    readTo: text("read_to").notNull().default(""),
    unread: integer().notNull().default(0),
    isRequest: integer("is_request").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.threadId, table.builderId] })],
);

export const blocks = sqliteTable(
  "blocks",
  {
    builderId: text("builder_id").notNull(),
    blockedId: text("blocked_id").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.builderId, table.blockedId] })],
);

export const follows = sqliteTable(
  "follows",
  {
    followerId: text("follower_id").notNull(),
    followedId: text("followed_id").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.followerId, table.followedId] })],
);

export const followedTags = sqliteTable(
  "followed_tags",
  {
    builderId: text("builder_id").notNull(),
    tag: text().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.builderId, table.tag] })],
);

export const posts = sqliteTable("posts", {
  id: text().primaryKey().notNull(),
  authorId: text("author_id").notNull(),
  /** ID of the feed post at the root of the conversation; null for a feed post. */
  rootId: text("parent_id"),
  text: text().notNull(),
  tags: text({ mode: "json" }).$type<string[]>().notNull().default([]),
  media: text({ mode: "json" }).$type<(string | StoredPicture)[]>().notNull().default([]),
  likes: integer().notNull().default(0),
  replies: integer().notNull().default(0),
  createdAt: integer("created_at").notNull(),
  hiddenAt: integer("hidden_at"),
  removedAt: integer("removed_at"),
  editedAt: integer("edited_at"),
  revisionId: text("revision_id"),
  place: integer(),
  /**
   * ID of the reply that this reply answers. The ID is kept when the answered reply is deleted. Null for an
   * answer to the post itself.
   */
  answeredId: text("answered_id"),
});

export const postRevisions = sqliteTable(
  "post_revisions",
  {
    postId: text("post_id").notNull(),
    number: integer().notNull(),
    id: text().notNull(),
    text: text().notNull(),
    tags: text({ mode: "json" }).$type<string[]>().notNull(),
    media: text({ mode: "json" }).$type<(string | StoredPicture)[]>().notNull(),
    at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.postId, table.number] })],
);

export const likes = sqliteTable(
  "likes",
  {
    postId: text("post_id").notNull(),
    builderId: text("builder_id").notNull(),
    likedAt: integer("liked_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.postId, table.builderId] })],
);

export const bookmarks = sqliteTable(
  "bookmarks",
  {
    builderId: text("builder_id").notNull(),
    postId: text("post_id").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.builderId, table.postId] })],
);

export const feedVisits = sqliteTable("feed_visits", {
  builderId: text("builder_id").primaryKey().notNull(),
  beforeId: text("before_id").notNull(),
  newestId: text("newest_id").notNull(),
  lookedAt: integer("looked_at").notNull(),
});

export const postTags = sqliteTable(
  "post_tags",
  {
    tag: text().notNull(),
    postId: text("post_id").notNull(),
    authorId: text("author_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tag, table.postId] })],
);

export const prompts = sqliteTable("prompts", {
  id: text().primaryKey().notNull(),
  authorId: text("author_id").notNull(),
  title: text().notNull(),
  body: text().notNull(),
  model: text().notNull(),
  category: text().notNull(),
  ratingCount: integer("rating_count").notNull().default(0),
  ratingSum: integer("rating_sum").notNull().default(0),
  score: real().notNull().default(0),
  rank: real().notNull().default(3),
  createdAt: integer("created_at").notNull(),
  version: integer().notNull().default(1),
  note: text().notNull().default(""),
  revisedAt: integer("revised_at"),
  hiddenAt: integer("hidden_at"),
  removedAt: integer("removed_at"),
  place: integer(),
});

export const promptVersions = sqliteTable(
  "prompt_versions",
  {
    promptId: text("prompt_id").notNull(),
    number: integer().notNull(),
    title: text().notNull(),
    body: text().notNull(),
    model: text().notNull(),
    note: text().notNull(),
    ratingCount: integer("rating_count").notNull(),
    ratingSum: integer("rating_sum").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.promptId, table.number] })],
);

export const promptRatings = sqliteTable(
  "prompt_ratings",
  {
    promptId: text("prompt_id").notNull(),
    version: integer().notNull(),
    builderId: text("builder_id").notNull(),
    stars: integer().notNull(),
    ratedAt: integer("rated_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.promptId, table.version, table.builderId] })],
);

export const reports = sqliteTable("reports", {
  id: text().primaryKey().notNull(),
  subjectId: text("subject_id").notNull(),
  reporterId: text("reporter_id").notNull(),
  reason: text().notNull(),
  createdAt: integer("created_at").notNull(),
  settledAt: integer("settled_at"),
  settledBy: text("settled_by"),
  outcome: text({ enum: ["upheld", "dismissed", "gone"] }),
  revisionId: text("revision_id"),
});

export const reportCopies = sqliteTable("report_copies", {
  reportId: text("report_id").primaryKey().notNull(),
  title: text().notNull(),
  text: text().notNull(),
  later: text(),
  ownerId: text("owner_id"),
  username: text(),
});

export const arrivals = sqliteTable(
  "arrivals",
  {
    host: text().notNull(),
    kind: text({ enum: ["person", "article", "comment"] }).notNull(),
    mark: text().notNull(),
    ourId: text("our_id"),
    name: text(),
    comments: integer(),
    arrivedAt: integer("arrived_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.host, table.kind, table.mark] })],
);

export const weeklyFigures = sqliteTable("weekly_figures", {
  startsAt: integer("starts_at").primaryKey().notNull(),
  active: integer().notNull().default(0),
  returned: integer().notNull().default(0),
});

export const dailyFigures = sqliteTable("daily_figures", {
  startsAt: integer("starts_at").primaryKey().notNull(),
  countedTo: integer("counted_to"),
  signUps: integer("sign_ups").notNull().default(0),
  posts: integer().notNull().default(0),
  replies: integer().notNull().default(0),
  jobs: integer().notNull().default(0),
  prompts: integer().notNull().default(0),
  acknowledged: integer().notNull().default(0),
  failed: integer().notNull().default(0),
  active: integer(),
  reads: text({ mode: "json" }).$type<Readonly<Record<string, number>>>().notNull().default({}),
  writes: text({ mode: "json" }).$type<Readonly<Record<string, number>>>().notNull().default({}),
  faults: integer().notNull().default(0),
  databaseBytes: integer("database_bytes"),
  freeBytes: integer("free_bytes"),
});
