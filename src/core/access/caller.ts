import { forbidden } from "../errors.ts";
import type { TierName } from "../limits.ts";
import { SCOPE_NAMES, type Scope } from "./scopes.ts";

/** Who asks: the second parameter of every operation. */
export interface Caller {
  /** The builder behind the token; null for the operator at the command line. */
  builderId: string | null;
  username: string;
  /** «The current workspace»: a token belongs to exactly one. */
  workspaceId: string | null;
  scopes: ReadonlySet<Scope>;
  tier: TierName;
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
  workspaceId: null,
  scopes: new Set(SCOPE_NAMES),
  tier: "enterprise",
};

/** Throws forbidden, naming the scope that is missing (§5.4: an authenticated caller who is not allowed). */
export function requireScope(caller: Caller, scope: Scope): void {
  if (!caller.scopes.has(scope)) {
    throw forbidden(`This token lacks the scope \`${scope}\`; make a token that has it.`);
  }
}

/** The same, for what only a builder can do: posts and endpoints have an owner. */
export function requireBuilder(caller: Caller, scope: Scope): BuilderCaller {
  requireScope(caller, scope);
  if (caller.builderId === null || caller.workspaceId === null) {
    throw forbidden("Only a builder can do this; use a builder's token.");
  }
  return caller as BuilderCaller;
}
