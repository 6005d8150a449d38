import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { deleteKnown, deleteSomeKnown, deleteSomeTexts, putKnown } from "./holding-store.ts";

/*
 * Hosts that established members have linked (docs/contract.md#12.39). A newcomer's link to another host
 * holds the newcomer's post.
 */

/** How long a host counts as known after its last link. */
export const KNOWN_MS = 90 * DAY;
/** How long the hash of a newcomer's text is kept, and counts as an equal text. */
export const TEXTS_RETENTION_MS = DAY;
/** Number of rows that one batch of the cleanup deletes. */
const BATCH = 500;

/** Notes the hosts of published links. Writes at most once per host and day. */
export function noteKnownHosts(core: Core, hosts: readonly string[]): void {
  const now = core.clock.now();
  if (hosts.length > 0) putKnown(core, hosts, now - (now % DAY));
}

/** Removes the hosts of a removed spammer. Call it in the transaction of the removal. */
export function forgetKnownHosts(core: Core, hosts: readonly string[]): void {
  if (hosts.length > 0) deleteKnown(core, hosts);
}

/** Deletes hosts that nobody linked for 90 days, and noted texts older than a day. Runs periodically. */
export async function forgetOldBrakeFacts(core: Core): Promise<void> {
  const before = core.clock.now() - KNOWN_MS;
  while ((await core.db.write(() => deleteSomeKnown(core, before, BATCH))) === BATCH);
  const yesterday = core.clock.steady() - TEXTS_RETENTION_MS;
  while ((await core.db.write(() => deleteSomeTexts(core, yesterday, BATCH))) === BATCH);
}
