import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Drizzle tables of pictures; see `schema.ts`. */

/** A picture as a post stores it. Rendering the picture needs no other database row. */
export interface StoredPicture {
  id: string;
  hash: string;
  width: number;
  height: number;
  alt: string;
}

export const media = sqliteTable("media", {
  id: text().primaryKey().notNull(),
  builderId: text("builder_id").notNull(),
  hash: text().notNull(),
  width: integer().notNull(),
  height: integer().notNull(),
  alt: text().notNull(),
  bytes: integer().notNull(),
  isUsed: integer("is_used", { mode: "boolean" }).notNull().default(false),
  isAvatar: integer("is_avatar", { mode: "boolean" }).notNull().default(false),
  createdAt: integer("created_at").notNull(),
});
