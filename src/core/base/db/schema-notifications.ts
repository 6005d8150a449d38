import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The tables of what members are told of, as drizzle knows them; see `schema.ts`. */

/** How far a notification reaches, each with all before it: the list, the devices, the mailbox. */
export const REACHES = ["off", "here", "push", "mail"] as const;

/**
 * What can be added to an account that gives access to it; a sign-in has a kind of notification of its own.
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
