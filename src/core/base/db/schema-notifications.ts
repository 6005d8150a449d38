import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Drizzle tables of notifications; see `schema.ts`. */

/**
 * Channels of a notification: none, the notification list, push to devices, mail. Each channel includes the
 * channels before it.
 */
export const REACHES = ["off", "here", "push", "mail"] as const;

/**
 * Credentials that can be added to an account. A sign-in (`sessions`) has a separate notification kind,
 * `sign_in`.
 */
export const ADDED_ACCESS = [
  "sessions",
  "password",
  "passkeys",
  "mail",
  "tokens",
  "apps",
  "endpoints",
  "feed",
  "push",
  "links",
] as const;

export const notifications = sqliteTable("notifications", {
  place: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull(),
  builderId: text("builder_id").notNull(),
  kind: text().notNull(),
  subjectType: text("subject_type").notNull(),
  subjectId: text("subject_id").notNull(),
  about: text().notNull().default(""),
  groupId: text("group_id").notNull(),
  noted: integer().notNull().default(1),
  createdAt: integer("created_at").notNull(),
  readAt: integer("read_at"),
});

export const notificationFacts = sqliteTable(
  "notification_facts",
  {
    groupId: text("group_id").notNull(),
    fact: text().notNull(),
    actorId: text("actor_id"),
    place: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.groupId, table.fact] })],
);

export const notificationSettings = sqliteTable(
  "notification_settings",
  {
    builderId: text("builder_id").notNull(),
    kind: text().notNull(),
    reach: text({ enum: REACHES }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.builderId, table.kind] })],
);
