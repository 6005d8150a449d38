import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { LANGUAGES } from "../locales.ts";

/** Drizzle tables of moderation; see `schema.ts` and migrations/0082_moderation.sql. */

/** Why a case was opened. */
export const CASE_CAUSES = ["report", "act", "brake"] as const;

export const cases = sqliteTable("cases", {
  id: text().primaryKey().notNull(),
  subjectId: text("subject_id").notNull(),
  builderId: text("builder_id"),
  openedAt: integer("opened_at").notNull(),
  closedAt: integer("closed_at"),
  cause: text({ enum: CASE_CAUSES }).notNull(),
  takenBy: text("taken_by"),
  takenAt: integer("taken_at"),
  version: integer().notNull().default(0),
});

export const caseNotes = sqliteTable("case_notes", {
  id: text().primaryKey().notNull(),
  caseId: text("case_id").notNull(),
  authorId: text("author_id"),
  text: text().notNull(),
  createdAt: integer("created_at").notNull(),
});

export const strangerReports = sqliteTable("stranger_reports", {
  id: text().primaryKey().notNull(),
  subjectId: text("subject_id").notNull(),
  reason: text().notNull(),
  title: text(),
  text: text(),
  mail: text(),
  mark: blob({ mode: "buffer" }),
  language: text({ enum: LANGUAGES }).notNull(),
  createdAt: integer("created_at").notNull(),
  settledAt: integer("settled_at"),
  outcome: text({ enum: ["upheld", "dismissed"] }),
});

export const decisions = sqliteTable("decisions", {
  id: text().primaryKey().notNull(),
  act: text().notNull(),
  subjectId: text("subject_id").notNull(),
  builderId: text("builder_id"),
  moderatorId: text("moderator_id"),
  isAutomatic: integer("is_automatic", { mode: "boolean" }).notNull().default(false),
  reason: text().notNull().default(""),
  rule: text().notNull().default(""),
  until: integer(),
  undo: text({ mode: "json" }).$type<Readonly<Record<string, unknown>>>().notNull().default({}),
  createdAt: integer("created_at").notNull(),
  undoneAt: integer("undone_at"),
  undoneBy: text("undone_by"),
});

/** Outcomes of an appeal. */
export const APPEAL_OUTCOMES = ["granted", "denied"] as const;

export const appeals = sqliteTable("appeals", {
  decisionId: text("decision_id").primaryKey().notNull(),
  text: text().notNull(),
  createdAt: integer("created_at").notNull(),
  decidedAt: integer("decided_at"),
  decidedBy: text("decided_by"),
  outcome: text({ enum: APPEAL_OUTCOMES }),
  answer: text().notNull().default(""),
});

export const appealSessions = sqliteTable("appeal_sessions", {
  hash: blob({ mode: "buffer" }).primaryKey().notNull(),
  builderId: text("builder_id").notNull(),
  endsAt: integer("ends_at").notNull(),
});

export const RESTRICTION_KINDS = ["limited", "suspended"] as const;

export const restrictions = sqliteTable(
  "restrictions",
  {
    builderId: text("builder_id").notNull(),
    kind: text({ enum: RESTRICTION_KINDS }).notNull(),
    until: integer(),
    decisionId: text("decision_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.builderId, table.kind] })],
);

export const lockedThreads = sqliteTable("locked_threads", {
  postId: text("post_id").primaryKey().notNull(),
  decisionId: text("decision_id").notNull(),
});

export const held = sqliteTable("held", {
  subjectId: text("subject_id").primaryKey().notNull(),
  builderId: text("builder_id").notNull(),
  kind: text({ enum: ["post", "prompt", "job"] }).notNull(),
  brake: text().notNull(),
  detail: text().notNull().default(""),
  isNew: integer("is_new", { mode: "boolean" }).notNull(),
  heldAt: integer("held_at").notNull(),
  dismissedAt: integer("dismissed_at"),
  mentioned: text({ mode: "json" }).$type<readonly string[]>().notNull().default([]),
});

export const spamRemovals = sqliteTable("spam_removals", {
  builderId: text("builder_id").primaryKey().notNull(),
  decisionId: text("decision_id").notNull(),
  state: text({ enum: ["hiding", "hidden", "restoring"] }).notNull(),
  endsAt: integer("ends_at").notNull(),
});

export const hiddenByRemoval = sqliteTable("hidden_by_removal", {
  subjectId: text("subject_id").primaryKey().notNull(),
  builderId: text("builder_id").notNull(),
  kind: text({ enum: ["post", "prompt", "job", "thread"] }).notNull(),
  members: text({ mode: "json" }),
});

export const heldHosts = sqliteTable(
  "held_hosts",
  {
    host: text().notNull(),
    decisionId: text("decision_id").notNull(),
    endsAt: integer("ends_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.host, table.decisionId] })],
);

export const heldNetworks = sqliteTable(
  "held_networks",
  {
    network: text().notNull(),
    decisionId: text("decision_id").notNull(),
    endsAt: integer("ends_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.network, table.decisionId] })],
);

export const signUps = sqliteTable("sign_ups", {
  builderId: text("builder_id").primaryKey().notNull(),
  network: text().notNull(),
  /** In ms of steady time. */
  createdAt: integer("created_at").notNull(),
});

export const newcomerTexts = sqliteTable(
  "newcomer_texts",
  {
    digest: blob({ mode: "buffer" }).notNull(),
    builderId: text("builder_id").notNull(),
    at: integer().notNull(),
    times: integer().notNull().default(1),
  },
  (table) => [primaryKey({ columns: [table.digest, table.builderId] })],
);

export const knownHosts = sqliteTable("known_hosts", {
  host: text().primaryKey().notNull(),
  at: integer().notNull(),
});
