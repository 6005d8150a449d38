import { forgetSubject } from "../../identity/notifications/notify.ts";
import type { Core } from "../../base/core.ts";
import { deleteSomeOfThread, findAnyThread } from "./messages-store.ts";

/**
 * Deletes threads of a builder whose account is being deleted. The threads are deleted for both members.
 * Deletes at most `limit` rows and returns the number of deleted rows. The calling operation must check
 * permissions. Call it in a transaction.
 */
export function dropThreadsOf(core: Core, builderId: string, limit: number): number {
  let deleted = 0;
  while (deleted < limit) {
    const id = findAnyThread(core, builderId);
    if (id === undefined) break;
    deleted += forgetSubject(core, id, limit - deleted);
    if (deleted < limit) deleted += deleteSomeOfThread(core, id, limit - deleted);
  }
  return deleted;
}
