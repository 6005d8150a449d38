import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Drizzle tables of events and their deliveries; see `schema.ts`. */

export const webhookEndpoints = sqliteTable("webhook_endpoints", {
  id: text().primaryKey().notNull(),
  workspaceId: text("workspace_id").notNull(),
  createdBy: text("created_by"),
  url: text().notNull(),
  createdAt: integer("created_at").notNull(),
  failingSince: integer("failing_since"),
  disabledAt: integer("disabled_at"),
  disabledReason: text("disabled_reason"),
  removedAt: integer("removed_at"),
  toldAt: integer("told_at"),
  grantId: text("grant_id"),
  tokenId: text("token_id"),
  failedAttempts: integer("failed_attempts").notNull().default(0),
  failingServed: integer("failing_served"),
});

export const webhookSecrets = sqliteTable(
  "webhook_secrets",
  {
    endpointId: text("endpoint_id").notNull(),
    number: integer().notNull(),
    sealed: blob({ mode: "buffer" }).notNull(),
    endsAt: integer("ends_at"),
  },
  (table) => [primaryKey({ columns: [table.endpointId, table.number] })],
);

export const webhookSubscriptions = sqliteTable(
  "webhook_subscriptions",
  {
    type: text().notNull(),
    endpointId: text("endpoint_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.type, table.endpointId] })],
);

/** Event types that each endpoint has received. A trigger and imports write the rows. */
export const webhookHeard = sqliteTable(
  "webhook_heard",
  {
    endpointId: text("endpoint_id").notNull(),
    type: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.endpointId, table.type] })],
);

export const recoveries = sqliteTable("recoveries", {
  id: integer().primaryKey(),
  endpointId: text("endpoint_id").notNull(),
  what: text({ enum: ["failed", "acknowledged", "missed"] }).notNull(),
  afterId: text("after_id").notNull(),
  beforeId: text("before_id").notNull(),
  turn: integer().notNull(),
});

export const events = sqliteTable("events", {
  id: text().primaryKey().notNull(),
  type: text().notNull(),
  body: text().notNull(),
  workspaceId: text("workspace_id"),
  createdAt: integer("created_at").notNull(),
  builderId: text("builder_id"),
  traceparent: text(),
  subjectId: text("subject_id"),
});

export const fanOuts = sqliteTable("fan_outs", {
  eventId: text("event_id").primaryKey().notNull(),
  afterEndpoint: text("after_endpoint").notNull(),
  untilEndpoint: text("until_endpoint").notNull(),
});

export const eventLog = sqliteTable("event_log", {
  one: integer().primaryKey().notNull(),
  lastId: text("last_id").notNull(),
  lastAt: integer("last_at").notNull(),
  prunedId: text("pruned_id").notNull(),
});

export const deliveries = sqliteTable("deliveries", {
  id: text().primaryKey().notNull(),
  eventId: text("event_id").notNull(),
  endpointId: text("endpoint_id").notNull(),
  state: text({ enum: ["attempting", "awaiting_retry", "acknowledged", "failed"] }).notNull(),
  attempts: integer().notNull().default(0),
  dueAt: integer("due_at"),
  firstAt: integer("first_at"),
  settledAt: integer("settled_at"),
  createdAt: integer("created_at").notNull(),
  givenUp: text("given_up"),
});

export const attempts = sqliteTable("attempts", {
  id: text().primaryKey().notNull(),
  deliveryId: text("delivery_id").notNull(),
  startedAt: integer("started_at").notNull(),
  durationMs: integer("duration_ms").notNull(),
  status: integer(),
  error: text(),
  answer: text(),
  code: text(),
  params: text(),
});
