import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Drizzle tables of accounts that wait to be erased; see `schema.ts`. */

export const pendingDeletions = sqliteTable("pending_deletions", {
  builderId: text("builder_id").primaryKey().notNull(),
  username: text().notNull(),
  name: text().notNull(),
  bio: text().notNull(),
  role: text({ enum: ["member", "moderator", "admin", "owner"] }).notNull(),
  suspendedAt: integer("suspended_at"),
  /** Former usernames of the account. */
  former: text({ mode: "json" }).$type<readonly string[]>().notNull(),
  directorySeq: integer("directory_seq").notNull(),
  deletedBy: text("deleted_by"),
  createdAt: integer("created_at").notNull(),
  /** Time of the erasure, in ms of steady time. */
  dueAt: integer("due_at").notNull(),
  state: text({ enum: ["hiding", "hidden", "restoring"] }).notNull(),
});

export const hiddenByDeletion = sqliteTable("hidden_by_deletion", {
  subjectId: text("subject_id").primaryKey().notNull(),
  builderId: text("builder_id").notNull(),
  kind: text({ enum: ["post", "prompt", "job", "thread"] }).notNull(),
  /** For a thread: its rows of `thread_members`, as JSON. */
  members: text({ mode: "json" }),
});
