import { createHash } from "node:crypto";
import { commitAs } from "../http/commit.ts";
import { type Caller, requireScope } from "../core/identity/access/caller.ts";
import type { Scope } from "../core/identity/access/scopes.ts";
import { storedAnswer, runOnce, withKeyLock } from "../core/base/idempotency/idempotency.ts";
import { answerOnce, earlierAnswer } from "../http/idempotency.ts";
import type { GraphContext } from "./context.ts";

/*
 * docs/contract.md#2.16 is of /v1 and silent about /graphql, whose mutations are sent by POST too: so the key
 * of a request means here what it means there. One document can hold several mutations, each committed by
 * itself: the key is kept for each of them, and what a crash left out is made up for by the retry.
 */

/**
 * Runs all mutations of a request while no other one holds its key. Throws conflict where one does,
 * unprocessable for another body.
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

/** One mutation of a request, under the name that its answer has in the document. */
export interface KeyedMutation {
  /**
   * What it was answered before, if it was: then nothing of it is run again. Throws forbidden without its
   * scope.
   */
  earlier(): object | undefined;
  /**
   * Runs the write in a transaction of its own, once for each key. Throws unauthorized where the credentials
   * work no more.
   */
  commit<Result>(write: (caller: Caller) => Result): Promise<Result>;
}

/**
 * `scope` is undefined for what is the same however often it is asked: no key is kept for it, as for PUT and
 * DELETE.
 */
export function keyedMutation(
  { core, caller, http, keyed }: GraphContext,
  field: string | number,
  scope: Scope | undefined,
): KeyedMutation {
  const mine = keyed && scope ? { ...keyed, route: `${keyed.route} ${digest(String(field))}` } : undefined;
  return {
    earlier() {
      if (!mine || !scope) return undefined;
      requireScope(caller, scope);
      return earlierAnswer<object>(core, http, mine);
    },
    commit: (write) =>
      commitAs(core, http, (now) => {
        if (!mine || !keyed) return write(now);
        // The request itself is kept with its first effect: its key with another body is refused, whatever
        // that one would do.
        runOnce(core, keyed, () => "");
        return answerOnce(core, http, mine, () => write(now));
      }),
  };
}

/** A name in a document is as long as its writer likes. */
function digest(name: string): string {
  return createHash("sha256").update(name).digest("base64url");
}
