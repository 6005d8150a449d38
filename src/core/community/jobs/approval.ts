import type { Core } from "../../base/core.ts";
import { takeHeld } from "../holding/holding.ts";
import { noteKnownHosts } from "../holding/known-hosts.ts";
import { linkHostsIn } from "../../identity/held-hosts/held-hosts.ts";
import { award, restoreSubject } from "../xp/xp.ts";
import { unhideJob } from "./board.ts";
import { stateOf } from "./expiry.ts";
import { findJob } from "./jobs-store.ts";
import { recordPublished } from "./jobs.ts";

/**
 * Publishes a held job. Its event, XP and matches begin now; its ID and time stay. A job that was public
 * before it was held is restored. The moderation code calls this function and checks permissions. Returns
 * whether the job was held. Call it in a transaction.
 */
export function approveJob(core: Core, id: string): boolean {
  const job = findJob(core, id);
  const held = job && takeHeld(core, id);
  if (!job || !held) return false;
  noteKnownHosts(core, linkHostsIn(core, [job.description], [job.applyUrl]));
  const isOpen = stateOf({ ...job, hiddenAt: null }, core.clock.now()) === "open";
  if (held.isNew && isOpen) recordPublished(core, id);
  unhideJob(core, id);
  if (held.isNew) award(core, held.builderId, "job.published", id);
  else restoreSubject(core, id);
  return true;
}
