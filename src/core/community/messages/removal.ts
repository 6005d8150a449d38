import { forgetSubject } from "../../identity/notifications/notify.ts";
import type { Core } from "../../base/core.ts";
import { deleteSomeOfThread, findAnyThread } from "./messages-store.ts";

/**
 * Deletes some of the threads of a builder whose account is being deleted, for both who are in them: at most
 * `limit` rows. Returns how many. Asks no right: what calls it has. Call it in a transaction.
 */
export function dropThreadsOf(core: Core, builderId: string, limit: number): number {
  let gone = 0;
  while (gone < limit) {
    const id = findAnyThread(core, builderId);
    if (id === undefined) break;
    gone += forgetSubject(core, id, limit - gone);
    if (gone < limit) gone += deleteSomeOfThread(core, id, limit - gone);
  }
  return gone;
}
