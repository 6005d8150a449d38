import { blob, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { ADDED_ACCESS } from "./schema-notifications.ts";

/** Drizzle tables of push notifications and mail; see `schema.ts`. */

export const pushKeys = sqliteTable("push_keys", {
  one: integer().primaryKey().notNull(),
  publicKey: blob("public_key", { mode: "buffer" }).notNull(),
  sealed: blob({ mode: "buffer" }).notNull(),
  createdAt: integer("created_at").notNull(),
});

export const pushSubscriptions = sqliteTable("push_subscriptions", {
  id: text().primaryKey().notNull(),
  builderId: text("builder_id").notNull(),
  sessionId: text("session_id").notNull(),
  endpoint: text().notNull(),
  p256dh: blob({ mode: "buffer" }).notNull(),
  auth: blob({ mode: "buffer" }).notNull(),
  createdAt: integer("created_at").notNull(),
  succeededAt: integer("succeeded_at"),
  failures: integer().notNull().default(0),
  resumePlace: integer("resume_place"),
  resumeAt: integer("resume_at"),
});

export const pushes = sqliteTable("pushes", {
  seq: integer().primaryKey({ autoIncrement: true }),
  subscriptionId: text("subscription_id").notNull(),
  notificationId: text("notification_id"),
  createdAt: integer("created_at").notNull(),
  dueAt: integer("due_at").notNull(),
  attempts: integer().notNull().default(0),
  host: text().notNull().default(""),
  urgent: integer().notNull().default(0),
});

export const MAIL_CHOICES = ["at_once", "daily", "weekly", "off"] as const;
export const MAIL_KINDS = [
  "confirm",
  "moved",
  "recovery",
  "notification",
  "digest",
  "invitation",
  "applied",
  "answered",
  "report_answered",
] as const;

export const mailAddresses = sqliteTable("mail_addresses", {
  builderId: text("builder_id").primaryKey().notNull(),
  address: text(),
  pending: text(),
  pendingHash: blob("pending_hash", { mode: "buffer" }),
  pendingUntil: integer("pending_until"),
  mails: text({ enum: MAIL_CHOICES }).notNull().default("daily"),
  digestAt: integer("digest_at"),
  digestPlace: integer("digest_place").notNull().default(0),
  mailedFrom: integer("mailed_from").notNull().default(0),
  mailedCount: integer("mailed_count").notNull().default(0),
  bouncedAt: integer("bounced_at"),
  resumePlace: integer("resume_place"),
  resumeAt: integer("resume_at"),
  urgentFrom: integer("urgent_from").notNull().default(0),
  urgentCount: integer("urgent_count").notNull().default(0),
  confirmedAt: integer("confirmed_at"),
  recoversAt: integer("recovers_at").notNull().default(0),
  former: text(),
  formerUntil: integer("former_until"),
  formerSince: integer("former_since"),
  digestRetried: integer("digest_retried").notNull().default(0),
});

export const mails = sqliteTable("mails", {
  seq: integer().primaryKey({ autoIncrement: true }),
  builderId: text("builder_id"),
  kind: text({ enum: MAIL_KINDS }).notNull(),
  address: text(),
  token: blob({ mode: "buffer" }),
  groupId: text("group_id"),
  afterPlace: integer("after_place"),
  upToPlace: integer("up_to_place"),
  messageId: text("message_id").notNull(),
  createdAt: integer("created_at").notNull(),
  dueAt: integer("due_at").notNull(),
  endsAt: integer("ends_at").notNull(),
  attempts: integer().notNull().default(0),
  host: text().notNull().default(""),
  urgent: integer().notNull().default(0),
  mark: blob({ mode: "buffer" }),
});

/** Reasons for mail that another person than the recipient can trigger. */
export const MARK_KINDS = ["confirm", "invitation", "application", "recovery", "report"] as const;

export const mailMarks = sqliteTable("mail_marks", {
  seq: integer().primaryKey({ autoIncrement: true }),
  builderId: text("builder_id"),
  mark: blob({ mode: "buffer" }).notNull(),
  createdAt: integer("created_at").notNull(),
  kind: text({ enum: MARK_KINDS }).notNull().default("invitation"),
});

export const notMeLinks = sqliteTable("not_me_links", {
  hash: blob({ mode: "buffer" }).primaryKey().notNull(),
  builderId: text("builder_id").notNull(),
  address: text().notNull(),
  what: text({ enum: ADDED_ACCESS }).notNull(),
  name: text().notNull(),
  createdAt: integer("created_at").notNull(),
  endsAt: integer("ends_at").notNull(),
  usedAt: integer("used_at"),
});

export const feedAddresses = sqliteTable("feed_addresses", {
  builderId: text("builder_id").primaryKey().notNull(),
  hash: blob({ mode: "buffer" }).notNull(),
  sealed: blob({ mode: "buffer" }).notNull(),
  createdAt: integer("created_at").notNull(),
});
