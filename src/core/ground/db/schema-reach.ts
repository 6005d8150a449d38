import { blob, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The tables of what reaches members who are not here, as drizzle knows them; see `schema.ts`. */

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
});

export const pushes = sqliteTable("pushes", {
  seq: integer().primaryKey({ autoIncrement: true }),
  subscriptionId: text("subscription_id").notNull(),
  notificationId: text("notification_id"),
  createdAt: integer("created_at").notNull(),
  dueAt: integer("due_at").notNull(),
  attempts: integer().notNull().default(0),
});
