import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { LANGUAGES } from "../locales.ts";

/** The table of what the community says of itself, as drizzle knows it; see `schema.ts`. */

/** What a stranger sees first. */
export const FRONTS = ["feed", "about"] as const;
/** Who reads. */
export const READINGS = ["everybody", "members"] as const;
/** Who comes in by themself: anybody, whoever an admin approves, whoever has an invitation, nobody. */
export const JOININGS = ["open", "approval", "invite", "closed"] as const;

export const charter = sqliteTable("charter", {
  one: integer().primaryKey().notNull(),
  name: text(),
  line: text(),
  welcome: text(),
  rules: text(),
  contact: text(),
  language: text({ enum: LANGUAGES }),
  zone: text(),
  front: text({ enum: FRONTS }),
  reading: text({ enum: READINGS }),
  joining: text({ enum: JOININGS }),
  newcomerDays: integer("newcomer_days"),
  newcomerPost: text("newcomer_post"),
  accent: text(),
  logo: text(),
  logoWidth: integer("logo_width"),
  logoHeight: integer("logo_height"),
});
