import type { Core } from "../../base/core.ts";
import { isScope, type Scope } from "../../identity/access/scopes.ts";
import { unwrittenUses } from "../../identity/access/credential-uses.ts";
import { accountState } from "../../identity/accounts/account-state.ts";

/*
 * Uses of tokens and sessions that a follower has seen. The follower sends the uses to the leader, and the
 * leader stores them (docs/contract.md#12.29). Otherwise a session that is used only on followers would
 * expire as unused.
 */

/** Format in which one node sends the uses to another node. */
export interface FollowerUses {
  tokens: [id: string, at: number, scopes: string[]][];
  sessions: [id: string, at: number][];
}

/**
 * Maximum number of tokens, and of sessions, per message. The remaining uses are sent with the next message.
 */
const EACH_MAX = 1_000;

/** Removes and returns the recorded uses; undefined if there are none. */
export function takeUses(core: Core): FollowerUses | undefined {
  const uses = core.memory(unwrittenUses);
  const { lastSeen } = core.memory(accountState);
  const tokens = [...uses].slice(0, EACH_MAX);
  const sessions = [...lastSeen].slice(0, EACH_MAX);
  for (const [id] of tokens) uses.delete(id);
  for (const [id] of sessions) lastSeen.delete(id);
  return tokens.length + sessions.length === 0
    ? undefined
    : { tokens: tokens.map(([id, { at, scopes }]) => [id, at, [...scopes]]), sessions };
}

/**
 * Merges uses of a follower into the uses of this node. Keeps the later time of each use. Replaces future
 * times with the current time.
 */
export function addUses(core: Core, { tokens, sessions }: FollowerUses): void {
  const now = core.clock.now();
  const uses = core.memory(unwrittenUses);
  const { lastSeen } = core.memory(accountState);
  for (const [id, at, scopes] of tokens) {
    const known = uses.get(id);
    const all = new Set<Scope>([...(known?.scopes ?? []), ...scopes.filter(isScope)]);
    uses.set(id, { at: Math.max(known?.at ?? 0, Math.min(at, now)), scopes: all });
  }
  for (const [id, at] of sessions) lastSeen.set(id, Math.max(lastSeen.get(id) ?? 0, Math.min(at, now)));
}

/** Validates JSON from another node. */
export function isUses(value: unknown): value is FollowerUses {
  const { tokens, sessions } = (value ?? {}) as Partial<FollowerUses>;
  return (
    areRows(tokens, ([id, at, scopes]) => isUse(id, at) && Array.isArray(scopes)) &&
    areRows(sessions, ([id, at]) => isUse(id, at))
  );
}

function areRows(rows: unknown, isRow: (row: readonly unknown[]) => boolean): boolean {
  return (
    Array.isArray(rows) && rows.length <= EACH_MAX && rows.every((row) => Array.isArray(row) && isRow(row))
  );
}

function isUse(id: unknown, at: unknown): boolean {
  return typeof id === "string" && id.length <= 100 && Number.isSafeInteger(at);
}
