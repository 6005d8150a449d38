import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { LANGUAGES } from "../locales.ts";

/** Drizzle table of the community's settings; see `schema.ts`. */

/** Start page for guests. */
export const FRONTS = ["feed", "about"] as const;
/** Readers of the community: everyone, or members only. */
export const READINGS = ["everybody", "members"] as const;
/** People who may join: anyone, people whom an admin approves, people with an invitation, or nobody. */
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
  holdNewcomerLinks: integer("hold_newcomer_links", { mode: "boolean" }),
  reportsToHide: integer("reports_to_hide"),
  heldWords: text("held_words"),
  heldLinkHosts: text("held_link_hosts"),
  equalTexts: integer("equal_texts"),
  networkSignUps: integer("network_sign_ups"),
  hourlySignUps: integer("hourly_sign_ups"),
  privacy: text(),
  terms: text(),
  imprint: text(),
  /** The community's own links in the footer: one per line, a label and a URL. */
  links: text(),
});
