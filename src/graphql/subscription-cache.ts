import { createHash } from "node:crypto";
import { print, type ValidatedSubscriptionArgs } from "graphql";
import type { Core } from "../core/base/core.ts";
import type { Caller } from "../core/identity/access/caller.ts";
import type { Scope } from "../core/identity/access/scopes.ts";
import type { Listening } from "../http/listeners.ts";
import type { GraphContext, SharedListener } from "./context.ts";

/** The listener of requests that are not subscriptions. Its methods do nothing. */
export const NO_LISTENER: SharedListener = {
  changed: async () => false,
  runInSlot: async () => undefined,
  isAllowed: async () => false,
  isOver: () => false,
  close: () => {},
  share: async () => undefined,
};

/** Returns a listener that shares its work with the listeners of equal subscriptions. */
export type ShareSubscription = (
  context: GraphContext,
  valid: ValidatedSubscriptionArgs,
  listener: Listening,
) => SharedListener;

interface Shared {
  value: unknown;
  characters: number;
  /**
   * Scopes that were needed to compute the value. When the value is sent to a token, these scopes count as
   * used by this token.
   */
  scopes: ReadonlySet<Scope>;
}

/** Maximum total length of all shared values, in characters. The oldest values are evicted first. */
const CHARACTERS_MAX = 8_000_000;

export function createSubscriptionCache(core: Core): ShareSubscription {
  const known = new Map<string, Shared>();
  let characters = 0;
  let version = core.db.version();

  function find(key: string): Shared | undefined {
    const now = core.db.version();
    if (now !== version) {
      known.clear();
      characters = 0;
      version = now;
    }
    return known.get(key);
  }

  function keep(key: string, shared: Shared): void {
    if (shared.characters > CHARACTERS_MAX) return;
    known.set(key, shared);
    characters += shared.characters;
    for (const [oldest, { characters: freed }] of known) {
      if (characters <= CHARACTERS_MAX) return;
      known.delete(oldest);
      characters -= freed;
    }
  }

  return (context, valid, listener) => {
    const operation = digestOf(valid);
    return {
      ...listener,
      share: (what, work, lettersOf) =>
        listener.runInSlot(async () => {
          for (;;) {
            const { caller } = context;
            const rights = rightsOf(caller);
            const key = `${operation} ${rights} ${what}`;
            let shared = find(key);
            if (!shared) {
              const begun = version;
              const scopes = new Set<Scope>();
              const value = await work({ ...caller, noteScope: (scope) => scopes.add(scope) });
              if (!(await listener.isAllowed())) return undefined;
              if (rightsOf(context.caller) !== rights) continue;
              shared = { value, characters: key.length + lettersOf(value), scopes };
              if (core.db.version() === begun) keep(key, shared);
            }
            for (const scope of shared.scopes) context.caller.noteScope?.(scope);
            // Safe cast: the key identifies the work and the type of its value.
            return shared.value as Awaited<ReturnType<typeof work>>;
          }
        }),
    };
  };
}

/** Returns a hash that is equal for the same operation with the same variables. */
function digestOf({ document, operation, variableValues }: ValidatedSubscriptionArgs): string {
  const asked = [print(document), operation.name?.value ?? "", variableValues.coerced];
  return createHash("sha256").update(JSON.stringify(asked)).digest("base64url");
}

/**
 * Returns all properties of a caller that a result may depend on, as text. The credentials themselves are not
 * included.
 */
function rightsOf(caller: Caller): string {
  const { builderId, username, role, workspaceId, scopes, means, appId } = caller;
  return JSON.stringify([builderId, username, role, workspaceId, [...scopes].sort(), means, appId]);
}
