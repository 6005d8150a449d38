import { blob, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * The tables as drizzle knows them. The truth is in migrations/*.sql, which also holds what drizzle can not say
 * (STRICT, partial indexes, full text); a test compares the two column by column.
 */

export const builders = sqliteTable("builders", {
  id: text().primaryKey().notNull(),
  username: text().notNull(),
  name: text().notNull(),
  bio: text().notNull().default(""),
  xp: integer().notNull().default(0),
  streakDays: integer("streak_days").notNull().default(0),
  isAdmin: integer("is_admin", { mode: "boolean" }).notNull().default(false),
  createdAt: integer("created_at").notNull(),
  suspendedAt: integer("suspended_at"),
});

export const builderBadges = sqliteTable(
  "builder_badges",
  {
    builderId: text("builder_id").notNull(),
    badge: text().notNull(),
    earnedAt: integer("earned_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.builderId, table.badge] })],
);

export const projects = sqliteTable("projects", {
  id: text().primaryKey().notNull(),
  builderId: text("builder_id").notNull(),
  title: text().notNull(),
  createdAt: integer("created_at").notNull(),
});

export const workspaces = sqliteTable("workspaces", {
  id: text().primaryKey().notNull(),
  name: text().notNull(),
  ownerId: text("owner_id"),
  createdAt: integer("created_at").notNull(),
});

export const workspaceMembers = sqliteTable(
  "workspace_members",
  {
    workspaceId: text("workspace_id").notNull(),
    builderId: text("builder_id").notNull(),
    role: text({ enum: ["owner", "member"] }).notNull(),
    joinedAt: integer("joined_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.builderId] })],
);

export const tokens = sqliteTable("tokens", {
  id: text().primaryKey().notNull(),
  hash: blob({ mode: "buffer" }).notNull(),
  builderId: text("builder_id").notNull(),
  workspaceId: text("workspace_id").notNull(),
  name: text().notNull(),
  scopes: text().notNull(),
  tier: text({ enum: ["personal", "enterprise"] }).notNull(),
  createdAt: integer("created_at").notNull(),
  expiresAt: integer("expires_at"),
  lastUsedAt: integer("last_used_at"),
  revokedAt: integer("revoked_at"),
});

export const posts = sqliteTable("posts", {
  id: text().primaryKey().notNull(),
  authorId: text("author_id").notNull(),
  parentId: text("parent_id"),
  text: text().notNull(),
  tags: text({ mode: "json" }).$type<string[]>().notNull().default([]),
  media: text({ mode: "json" }).$type<string[]>().notNull().default([]),
  likes: integer().notNull().default(0),
  replies: integer().notNull().default(0),
  createdAt: integer("created_at").notNull(),
});

export const postTags = sqliteTable(
  "post_tags",
  {
    tag: text().notNull(),
    postId: text("post_id").notNull(),
    authorId: text("author_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tag, table.postId] })],
);

export const companies = sqliteTable("companies", {
  id: text().primaryKey().notNull(),
  slug: text().notNull(),
  name: text().notNull(),
  createdAt: integer("created_at").notNull(),
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
});

export const prompts = sqliteTable("prompts", {
  id: text().primaryKey().notNull(),
  authorId: text("author_id").notNull(),
  title: text().notNull(),
  body: text().notNull(),
  model: text().notNull(),
  category: text().notNull(),
  ratingCount: integer("rating_count").notNull().default(0),
  ratingSum: integer("rating_sum").notNull().default(0),
  score: real().notNull().default(0),
  rank: real().notNull().default(3),
  createdAt: integer("created_at").notNull(),
});

export const webhookEndpoints = sqliteTable("webhook_endpoints", {
  id: text().primaryKey().notNull(),
  workspaceId: text("workspace_id").notNull(),
  createdBy: text("created_by"),
  url: text().notNull(),
  secretSealed: blob("secret_sealed", { mode: "buffer" }).notNull(),
  previousSealed: blob("previous_sealed", { mode: "buffer" }),
  previousUntil: integer("previous_until"),
  createdAt: integer("created_at").notNull(),
  failingSince: integer("failing_since"),
  disabledAt: integer("disabled_at"),
  disabledReason: text("disabled_reason"),
});

export const webhookSubscriptions = sqliteTable(
  "webhook_subscriptions",
  {
    type: text().notNull(),
    endpointId: text("endpoint_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.type, table.endpointId] })],
);

export const events = sqliteTable("events", {
  id: text().primaryKey().notNull(),
  type: text().notNull(),
  body: text().notNull(),
  workspaceId: text("workspace_id"),
  createdAt: integer("created_at").notNull(),
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
});

export const attempts = sqliteTable("attempts", {
  id: text().primaryKey().notNull(),
  deliveryId: text("delivery_id").notNull(),
  startedAt: integer("started_at").notNull(),
  durationMs: integer("duration_ms").notNull(),
  status: integer(),
  error: text(),
  answer: text(),
});

export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    builderId: text("builder_id").notNull(),
    workspaceId: text("workspace_id").notNull(),
    route: text().notNull(),
    key: text().notNull(),
    fingerprint: blob({ mode: "buffer" }).notNull(),
    answer: blob({ mode: "buffer" }).notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.builderId, table.workspaceId, table.route, table.key] })],
);

export const settings = sqliteTable("settings", {
  name: text().primaryKey().notNull(),
  value: text().notNull(),
});

export const passwords = sqliteTable("passwords", {
  builderId: text("builder_id").primaryKey().notNull(),
  hash: text().notNull(),
  changedAt: integer("changed_at").notNull(),
});

export const passkeys = sqliteTable("passkeys", {
  id: text().primaryKey().notNull(),
  builderId: text("builder_id").notNull(),
  credential: text().notNull(),
  publicKey: blob("public_key", { mode: "buffer" }).notNull(),
  counter: integer().notNull().default(0),
  transports: text({ mode: "json" }).$type<string[]>().notNull().default([]),
  name: text().notNull(),
  createdAt: integer("created_at").notNull(),
  lastUsedAt: integer("last_used_at"),
});

export const sessions = sqliteTable("sessions", {
  id: text().primaryKey().notNull(),
  hash: blob({ mode: "buffer" }).notNull(),
  builderId: text("builder_id").notNull(),
  address: text().notNull(),
  agent: text().notNull(),
  createdAt: integer("created_at").notNull(),
  lastSeenAt: integer("last_seen_at").notNull(),
  expiresAt: integer("expires_at").notNull(),
});

export const links = sqliteTable("links", {
  id: text().primaryKey().notNull(),
  hash: blob({ mode: "buffer" }).notNull(),
  purpose: text({ enum: ["setup", "invite", "recovery", "workspace"] }).notNull(),
  builderId: text("builder_id"),
  workspaceId: text("workspace_id"),
  createdBy: text("created_by"),
  createdAt: integer("created_at").notNull(),
  expiresAt: integer("expires_at").notNull(),
  usedAt: integer("used_at"),
});

export const auditEntries = sqliteTable("audit_entries", {
  id: text().primaryKey().notNull(),
  actorId: text("actor_id"),
  subjectId: text("subject_id"),
  act: text().notNull(),
  detail: text({ mode: "json" }).$type<Record<string, unknown>>().notNull().default({}),
  address: text(),
  createdAt: integer("created_at").notNull(),
});

export const apps = sqliteTable("apps", {
  id: text().primaryKey().notNull(),
  workspaceId: text("workspace_id").notNull(),
  createdBy: text("created_by"),
  name: text().notNull(),
  homepage: text(),
  kind: text({ enum: ["confidential", "public"] }).notNull(),
  secretHash: blob("secret_hash", { mode: "buffer" }),
  redirectUris: text("redirect_uris", { mode: "json" }).$type<string[]>().notNull(),
  scopes: text().notNull(),
  rateSustained: integer("rate_sustained"),
  rateBurst: integer("rate_burst"),
  createdAt: integer("created_at").notNull(),
  suspendedAt: integer("suspended_at"),
  suspendedReason: text("suspended_reason"),
});

export const grants = sqliteTable("grants", {
  id: text().primaryKey().notNull(),
  builderId: text("builder_id").notNull(),
  appId: text("app_id").notNull(),
  workspaceId: text("workspace_id").notNull(),
  scopes: text().notNull(),
  createdAt: integer("created_at").notNull(),
  lastUsedAt: integer("last_used_at"),
  revokedAt: integer("revoked_at"),
});

export const oauthRecords = sqliteTable(
  "oauth_records",
  {
    model: text().notNull(),
    idHash: blob("id_hash", { mode: "buffer" }).notNull(),
    payload: blob({ mode: "buffer" }).notNull(),
    grantHash: blob("grant_hash", { mode: "buffer" }),
    uidHash: blob("uid_hash", { mode: "buffer" }),
    codeHash: blob("code_hash", { mode: "buffer" }),
    consumedAt: integer("consumed_at"),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.model, table.idHash] })],
);

export const revokedTokens = sqliteTable("revoked_tokens", {
  jti: text().primaryKey().notNull(),
  expiresAt: integer("expires_at").notNull(),
});

export const signingKeys = sqliteTable("signing_keys", {
  kid: text().primaryKey().notNull(),
  sealed: blob({ mode: "buffer" }).notNull(),
  publicJwk: text("public_jwk", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
  createdAt: integer("created_at").notNull(),
  retiredAt: integer("retired_at"),
});
