import { type CoreError, refuse } from "../../base/errors.ts";
import type { RateTier, TierName } from "../../base/limits.ts";
import { isAtLeast, type Role } from "./roles.ts";
import { BUILDER_SCOPES, SCOPE_NAMES, type Scope } from "./scopes.ts";

/** Who asks: the second parameter of every operation. */
export interface Caller {
  /** The builder behind the credentials; null for the operator at the command line. */
  builderId: string | null;
  username: string;
  /** Their role when they were found; null for a stranger, and for the operator, who may everything. */
  role: Role | null;
  /** «The current workspace»: a token belongs to exactly one. */
  workspaceId: string | null;
  scopes: ReadonlySet<Scope>;
  tier: TierName;
  /**
   * What they are known by. What makes or changes credentials asks for a session: a token must not make a
   * stronger one.
   */
  means: "session" | "token" | "app" | "operator";
  /** The id of that session, token or grant; null for the operator. */
  credentialId: string | null;
  /** The app that acts in the builder's name; null where none does. */
  appId: string | null;
  /** The rate that an admin has set for that app; null for the tier's own. */
  rate: RateTier | null;
  /**
   * OpenID Connect's scopes that the app was granted: they open the builder's own claims, and no operation.
   * Absent for everybody else.
   */
  identity?: ReadonlySet<string>;
  /**
   * Notes that a scope was really needed; a token's owner sees which of its scopes never were. Absent where
   * nobody asks.
   */
  noteScope?: (scope: Scope) => void;
  /** Where the person sits, for the audit log; null where nobody sits anywhere. */
  address: string | null;
}

/** A caller who is somebody: what writes in a builder's name asks for. */
export interface BuilderCaller extends Caller {
  builderId: string;
  workspaceId: string;
}

/** The person with the database file in hand: the command line acts for them. */
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
 * Anybody who opens a page without signing in: the community's public things are there to be read. Never a
 * caller of an API.
 */
export const VISITOR: Caller = {
  ...OPERATOR,
  username: "visitor",
  scopes: new Set<Scope>(["feed:read", "jobs:read", "prompts:read", "profile:read"]),
  tier: "anonymous",
  means: "session",
};

/**
 * The refusal of an id that is not the caller's. The operator owns everything, so they learn that there is
 * none.
 */
export function unknownId(caller: Caller, what: "app" | "workspace"): CoreError {
  if (caller.means === "operator") return refuse(what === "app" ? "app_unknown" : "workspace_id_unknown");
  return refuse(what === "app" ? "app_not_yours" : "workspace_unknown");
}

/**
 * All that a person may do on the pages: everything a builder may, and `admin` for an admin or owner. A
 * moderator has no scope more: what they may, they may in person (`requireModerator`).
 */
export function scopesOfPerson(role: Role): ReadonlySet<Scope> {
  return new Set(isAtLeast(role, "admin") ? SCOPE_NAMES : BUILDER_SCOPES);
}

/** Throws forbidden, naming the scope that is missing (docs/contract.md#V5.4). */
export function requireScope(caller: Caller, scope: Scope): void {
  if (caller.scopes.has(scope)) {
    caller.noteScope?.(scope);
    return;
  }
  if (caller.means !== "session") throw refuse("scope_missing", { scope });
  throw refuse(caller.builderId === null ? "sign_in_first" : "admin_only");
}

/** The same, for what only a builder can do: posts and endpoints have an owner. */
export function requireBuilder(caller: Caller, scope: Scope): BuilderCaller {
  requireScope(caller, scope);
  return asBuilder(caller);
}

/**
 * For what only a person may do who has signed in: credentials, apps, workspaces. Throws forbidden for a
 * token: whoever holds one must not be able to make a stronger one of it (docs/threats.md#D10).
 */
export function requirePerson(caller: Caller): BuilderCaller {
  if (caller.means !== "session") {
    throw refuse("person_only");
  }
  return asBuilder(caller);
}

/** For what a person does for themself and the operator for anybody. Throws forbidden for everybody else. */
export function requirePersonOrOperator(caller: Caller, builderId: string): void {
  if (caller.means === "operator") return;
  if (requirePerson(caller).builderId !== builderId) throw refuse("not_yours");
}

/** For what nobody does but the operator, at the command line. Throws forbidden. */
export function requireOperator(caller: Caller): void {
  if (caller.means !== "operator") throw refuse("operator_only");
}

/**
 * For what an admin does in person, and the operator: what lets people in or gives rights. Throws forbidden
 * for everybody else, also for a token with `admin`: it must not become an admin's session
 * (docs/threats.md#D10).
 */
export function requireAdmin(caller: Caller): void {
  if (caller.means !== "operator") requirePerson(caller);
  requireScope(caller, "admin");
}

/**
 * Whether the caller moderates: a moderator or above in person, whoever acts with the scope `admin`, and the
 * operator. A moderator's tokens may what a member's may.
 */
export function isModerator(caller: Caller): boolean {
  return caller.scopes.has("admin") || moderatesInPerson(caller);
}

/** For what moderators do. Throws forbidden for everybody else, naming the scope that a token would need. */
export function requireModerator(caller: Caller): void {
  if (moderatesInPerson(caller)) return;
  if (caller.means === "session" && caller.builderId !== null) throw refuse("moderator_only");
  requireScope(caller, "admin");
}

function moderatesInPerson({ means, role }: Caller): boolean {
  return means === "session" && isAtLeast(role, "moderator");
}

function asBuilder(caller: Caller): BuilderCaller {
  if (caller.builderId === null || caller.workspaceId === null) {
    throw refuse("builder_only");
  }
  return caller as BuilderCaller;
}
