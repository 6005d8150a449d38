import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Drizzle tables of workspaces, credentials and permissions; see `schema.ts`. */

export const workspaces = sqliteTable("workspaces", {
  id: text().primaryKey().notNull(),
  name: text().notNull(),
  ownerId: text("owner_id"),
  createdAt: integer("created_at").notNull(),
  removedAt: integer("removed_at"),
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
  usedScopes: text("used_scopes").notNull().default(""),
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
  label: text().notNull().default(""),
  uses: integer().notNull().default(1),
  used: integer().notNull().default(0),
});

export const invited = sqliteTable("invited", {
  builderId: text("builder_id").primaryKey().notNull(),
  invitedBy: text("invited_by"),
  label: text().notNull(),
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
  previousHash: blob("previous_hash", { mode: "buffer" }),
  previousUntil: integer("previous_until"),
  redirectUris: text("redirect_uris", { mode: "json" }).$type<string[]>().notNull(),
  scopes: text().notNull(),
  rateSustained: integer("rate_sustained"),
  rateBurst: integer("rate_burst"),
  createdAt: integer("created_at").notNull(),
  suspendedAt: integer("suspended_at"),
  suspendedReason: text("suspended_reason"),
  idTokenAlg: text("id_token_alg", { enum: ["EdDSA", "RS256"] })
    .notNull()
    .default("EdDSA"),
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
    grantId: text("grant_id"),
    family: text(),
    userCodeHash: blob("user_code_hash", { mode: "buffer" }),
    consumedAt: integer("consumed_at"),
    successor: blob({ mode: "buffer" }),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.model, table.idHash] })],
);

export const revokedTokens = sqliteTable("revoked_tokens", {
  id: text().primaryKey().notNull(),
  expiresAt: integer("expires_at").notNull(),
});

export const signingKeys = sqliteTable("signing_keys", {
  kid: text().primaryKey().notNull(),
  sealed: blob({ mode: "buffer" }).notNull(),
  publicJwk: text("public_jwk", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
  createdAt: integer("created_at").notNull(),
  retiredAt: integer("retired_at"),
  alg: text({ enum: ["EdDSA", "RS256"] })
    .notNull()
    .default("EdDSA"),
});

export const formerKeys = sqliteTable(
  "former_keys",
  {
    purpose: text().notNull(),
    fingerprint: text().notNull(),
    sealed: blob({ mode: "buffer" }).notNull(),
    endsAt: integer("ends_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.purpose, table.fingerprint] })],
);
