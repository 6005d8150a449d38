import { createHash } from "node:crypto";
import { commitAs } from "../http/commit.ts";
import { type Caller, requireScope } from "../core/identity/access/caller.ts";
import type { Scope } from "../core/identity/access/scopes.ts";
import { storedAnswer, runOnce, withKeyLock } from "../core/base/idempotency/idempotency.ts";
import { answerOnce, earlierAnswer } from "../http/idempotency.ts";
import type { GraphContext } from "./context.ts";

/*
 * docs/contract.md#2.16 covers only /v1, but mutations of /graphql are sent by POST too. An Idempotency-Key
 * therefore has the same meaning here. A document may hold several mutations that commit separately. The key
 * is stored for each mutation, so a retry completes what a crash left out.
 */

/**
 * Runs all mutations of a request while no other request holds its key. Throws conflict if another request
 * holds the key, unprocessable if the body differs.
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

/** One mutation of a request, identified by its response name in the document. */
export interface KeyedMutation {
  /**
   * Returns the stored response of an earlier run, which then replaces a new run. Throws forbidden without
   * the scope.
   */
  earlier(): object | undefined;
  /**
   * Runs the write in its own transaction, once per key. Throws unauthorized if the credentials are no longer
   * valid.
   */
  commit<Result>(write: (caller: Caller) => Result): Promise<Result>;
}

/**
 * Returns the mutation of a field. `scope` is `undefined` for idempotent mutations (PUT and DELETE in REST),
 * which store no key.
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
      return earlierAnswer<object>(core, http, fieldRequest);
    },
    commit: (write) =>
      commitAs(core, http, (now) => {
        if (!fieldRequest || !keyed) return write(now);
        // Also stores the request itself with its first effect. The same key with another body is then
        // refused, whatever the other body does.
        runOnce(core, keyed, () => "");
        return answerOnce(core, http, fieldRequest, () => write(now));
      }),
  };
}

/** Hashes a response name, which may be of any length. */
function digest(name: string): string {
  return createHash("sha256").update(name).digest("base64url");
}
