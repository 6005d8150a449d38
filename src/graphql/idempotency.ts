import { createHash } from "node:crypto";
import { commitAs } from "../http/commit.ts";
import { type Caller, requireScope } from "../core/identity/access/caller.ts";
import type { Scope } from "../core/identity/access/scopes.ts";
import { storedAnswer, runOnce, withKeyLock } from "../core/base/idempotency/idempotency.ts";
import { answerOnce, findStoredAnswer } from "../http/idempotency.ts";
import type { GraphContext } from "./context.ts";

/*
 * Idempotency-Key for mutations. In docs/contract.md#2.16 the header is specified only for /v1. Mutations of
 * /graphql are sent by POST too, so the header has the same meaning here.
 * A document may contain several mutations that commit separately. The key is stored for each mutation. After
 * a crash, a retry therefore runs only the mutations that were not committed.
 */

/**
 * Runs all mutations of a request while no other request uses the same key. Throws conflict if another
 * request uses the key. Throws unprocessable if the key was used with another body.
 */
export function runKeyed<Result>(
  { core, keyed }: Pick<GraphContext, "core" | "keyed">,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!keyed) return work();
  return withKeyLock(core, keyed, async () => {
    storedAnswer(core, keyed);
    return work();
  });
}

/** One mutation of a request, identified by its response name. */
export interface KeyedMutation {
  /**
   * Returns the stored response of an earlier request with the same key. The mutation must then not run
   * again. Throws forbidden without the scope.
   */
  earlier(): object | undefined;
  /**
   * Runs the write in its own transaction, once per key. Throws unauthorized if the credentials are no longer
   * valid.
   */
  commit<Result>(write: (caller: Caller) => Result): Promise<Result>;
}

/**
 * Returns the mutation with the response name `field`. `scope` is the scope that the mutation needs. `scope`
 * is `undefined` for idempotent mutations (PUT and DELETE in REST), for which no key is stored.
 */
export function keyedMutation(
  { core, caller, http, keyed }: GraphContext,
  field: string | number,
  scope: Scope | undefined,
): KeyedMutation {
  const fieldRequest =
    keyed && scope ? { ...keyed, route: `${keyed.route} ${digest(String(field))}` } : undefined;
  return {
    earlier() {
      if (!fieldRequest || !scope) return undefined;
      requireScope(caller, scope);
      return findStoredAnswer<object>(core, http, fieldRequest);
    },
    commit: (write) =>
      commitAs(core, http, (now) => {
        if (!fieldRequest || !keyed) return write(now);
        // The first write also stores the key of the whole request. A later request with the same key and
        // another body is then always refused.
        runOnce(core, keyed, () => "");
        return answerOnce(core, http, fieldRequest, () => write(now));
      }),
  };
}

/**
 * Returns a hash of a response name. The hash is stored instead of the name, because the name may have any
 * length.
 */
function digest(name: string): string {
  return createHash("sha256").update(name).digest("base64url");
}
