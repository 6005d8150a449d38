import { integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Drizzle tables of the jobs board; see `schema.ts`. */

export const companies = sqliteTable("companies", {
  id: text().primaryKey().notNull(),
  slug: text().notNull(),
  name: text().notNull(),
  createdAt: integer("created_at").notNull(),
  madeBy: text("made_by"),
  workspaceId: text("workspace_id"),
});

export const jobs = sqliteTable("jobs", {
  seq: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull(),
  companyId: text("company_id").notNull(),
  title: text().notNull(),
  description: text().notNull(),
  location: text().notNull(),
  city: text(),
  remote: integer({ mode: "boolean" }).notNull(),
  seniority: text({ enum: ["intern", "junior", "mid", "senior", "staff", "principal", "lead"] }).notNull(),
  stack: text({ mode: "json" }).$type<string[]>().notNull(),
  salaryMin: integer("salary_min").notNull(),
  salaryMax: integer("salary_max").notNull(),
  currency: text().notNull(),
  applyUrl: text("apply_url").notNull(),
  postedAt: integer("posted_at").notNull(),
  publishedBy: text("published_by"),
  closedAt: integer("closed_at"),
  hiddenAt: integer("hidden_at"),
  onBoard: integer("on_board", { mode: "boolean" }).notNull().default(true),
  retitledAt: integer("retitled_at"),
});

export const jobFilters = sqliteTable("job_filters", {
  id: text().primaryKey().notNull(),
  builderId: text("builder_id").notNull(),
  name: text().notNull(),
  q: text().notNull(),
  terms: text({ mode: "json" }).$type<{ words: string[]; isPrefix: boolean }[]>().notNull(),
  stack: text({ mode: "json" }).$type<string[]>().notNull(),
  city: text(),
  remote: integer({ mode: "boolean" }),
  seniority: text({ mode: "json" }).$type<string[]>().notNull(),
  salaryMin: integer("salary_min"),
  currency: text(),
  createdAt: integer("created_at").notNull(),
});

export const jobMatches = sqliteTable(
  "job_matches",
  {
    builderId: text("builder_id").notNull(),
    jobId: text("job_id").notNull(),
    filterId: text("filter_id"),
    score: real().notNull(),
    why: text({ mode: "json" }).$type<Record<string, number>>().notNull(),
    matchedAt: integer("matched_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.builderId, table.jobId] })],
);

export const jobMatchings = sqliteTable("job_matchings", {
  jobId: text("job_id").primaryKey().notNull(),
  afterFilter: text("after_filter").notNull(),
});
