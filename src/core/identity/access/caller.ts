import { type CoreError, refuse } from "../../base/errors.ts";
import type { RateTier, TierName } from "../../base/limits.ts";
import type { Role } from "./roles.ts";
import { SCOPE_NAMES, type Scope, scopesOfRole } from "./scopes.ts";

/** The identity behind a request: the second parameter of every operation. */
export interface Caller {
  /** ID of the builder who owns the credentials; null for the operator at the command line. */
  builderId: string | null;
  username: string;
  /** Role at authentication. Null for a guest, and for the operator, who may do everything. */
  role: Role | null;
  /** Current workspace. A token belongs to exactly one workspace. */
  workspaceId: string | null;
  scopes: ReadonlySet<Scope>;
  tier: TierName;
  /**
   * Kind of credentials. Operations that create or change credentials need a session, because a token must
   * not create a stronger token.
   */
  means: "session" | "token" | "app" | "operator";
  /** ID of the session, token or grant; null for the operator. */
  credentialId: string | null;
  /** ID of the app that acts for the builder; null without an app. */
  appId: string | null;
  /** Rate limit that an admin set for the app; null for the limit of the tier. */
  rate: RateTier | null;
  /**
   * OpenID Connect scopes granted to the app. These scopes give access to the builder's own claims and to no
   * operation. Absent for other callers.
   */
  identity?: ReadonlySet<string>;
  /**
   * Records that an operation needed a scope. The owner of a token can thereby see which scopes of the token
   * were never used. Absent when uses are not recorded.
   */
  noteScope?: (scope: Scope) => void;
  /** Network address of the person, for the audit log; null when no person is connected. */
  address: string | null;
}

/** A caller with an account. Operations that write in a builder's name need such a caller. */
export interface BuilderCaller extends Caller {
  builderId: string;
  workspaceId: string;
}

/** The operator at the command line, who has access to the database file. */
export const OPERATOR: Caller = {
  builderId: null,
  username: "operator",
  role: null,
  workspaceId: null,
  scopes: new Set(SCOPE_NAMES),
  tier: "enterprise",
  means: "operator",
  credentialId: null,
  appId: null,
  rate: null,
  address: null,
};

/**
 * A guest on a page. The community's public content is readable without an account. API requests never have
 * this caller.
 */
export const VISITOR: Caller = {
  ...OPERATOR,
  username: "visitor",
  scopes: new Set<Scope>(["feed:read", "jobs:read", "prompts:read", "profile:read"]),
  tier: "anonymous",
  means: "session",
};

/**
 * Builds the refusal for the ID of an app or workspace that does not belong to the caller. The operator may
 * access every ID, so the operator's refusal says that the ID does not exist.
 */
export function unknownId(caller: Caller, what: "app" | "workspace"): CoreError {
  if (caller.means === "operator") return refuse(what === "app" ? "app_unknown" : "workspace_id_unknown");
  return refuse(what === "app" ? "app_not_yours" : "workspace_unknown");
}

/**
 * Returns the scopes of a person on the pages: all builder scopes, `moderation` for a moderator or above, and
 * `admin` for an admin or owner.
 */
export function scopesOfPerson(role: Role): ReadonlySet<Scope> {
  return new Set(scopesOfRole(role));
}

/** Requires a scope. Throws forbidden with the name of the missing scope (docs/contract.md#V5.4). */
export function requireScope(caller: Caller, scope: Scope): void {
  if (caller.scopes.has(scope)) {
    caller.noteScope?.(scope);
    return;
  }
  if (caller.means !== "session") throw refuse("scope_missing", { scope });
  throw refuse(caller.builderId === null ? "sign_in_first" : "admin_only");
}

/**
 * Requires a scope and an account, for operations with an owner such as posts and endpoints. Throws
 * forbidden.
 */
export function requireBuilder(caller: Caller, scope: Scope): BuilderCaller {
  requireScope(caller, scope);
  return asBuilder(caller);
}

/**
 * Requires a session, for credentials, apps and workspaces. Throws forbidden for a token, because a stolen
 * token must not create a stronger token (docs/threats.md#D10).
 */
export function requirePerson(caller: Caller): BuilderCaller {
  if (caller.means !== "session") {
    throw refuse("person_only");
  }
  return asBuilder(caller);
}

/** Requires the session of the builder with this ID, or the operator. Throws forbidden. */
export function requirePersonOrOperator(caller: Caller, builderId: string): void {
  if (caller.means === "operator") return;
  if (requirePerson(caller).builderId !== builderId) throw refuse("not_yours");
}

/** Requires the operator at the command line. Throws forbidden. */
export function requireOperator(caller: Caller): void {
  if (caller.means !== "operator") throw refuse("operator_only");
}

/**
 * Requires an admin's session, or the operator. Used for admitting people and granting rights. Throws
 * forbidden for all others, including a token with `admin`: a token must not become an admin's session
 * (docs/threats.md#D10).
 */
export function requireAdmin(caller: Caller): void {
  if (caller.means !== "operator") requirePerson(caller);
  requireScope(caller, "admin");
}

/**
 * Requires an admin's session, a token with `admin`, or the operator. Used only for invitations, join
 * requests, roles, community settings and the undo of a moderator's decisions (docs/contract.md#12.23).
 * Throws forbidden for all others.
 */
export function requireAdminOrToken(caller: Caller): void {
  requireScope(caller, "admin");
}

/**
 * Whether the caller moderates: a moderator or above in a session, a token with `moderation` or `admin`, or
 * the operator. Other tokens of a moderator have no more rights than a member's.
 */
export function isModerator(caller: Caller): boolean {
  return caller.scopes.has("moderation");
}

/** Requires a moderator. Throws forbidden with the scope that a token would need. */
export function requireModerator(caller: Caller): void {
  if (!isModerator(caller) && caller.means === "session" && caller.builderId !== null)
    throw refuse("moderator_only");
  requireScope(caller, "moderation");
}

function asBuilder(caller: Caller): BuilderCaller {
  if (caller.builderId === null || caller.workspaceId === null) {
    throw refuse("builder_only");
  }
  return caller as BuilderCaller;
}
