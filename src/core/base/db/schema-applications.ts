import { blob, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { LANGUAGES } from "../locales.ts";

/** Drizzle table of join requests; see `schema.ts`. */

export const APPLICATION_STATES = ["waiting", "approved", "declined"] as const;

export const applications = sqliteTable("applications", {
  id: text().primaryKey().notNull(),
  username: text().notNull(),
  name: text().notNull(),
  hash: text(),
  why: text().notNull(),
  state: text({ enum: APPLICATION_STATES }).notNull().default("waiting"),
  word: text().notNull().default(""),
  builderId: text("builder_id"),
  seat: blob({ mode: "buffer" }),
  mail: text(),
  mailHash: blob("mail_hash", { mode: "buffer" }),
  mailIsSure: integer("mail_is_sure", { mode: "boolean" }).notNull().default(false),
  address: text().notNull(),
  language: text({ enum: LANGUAGES }).notNull(),
  createdAt: integer("created_at").notNull(),
  endsAt: integer("ends_at").notNull(),
});
