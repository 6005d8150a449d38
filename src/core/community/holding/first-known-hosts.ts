import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { getSetting, setSetting } from "../../base/db/settings.ts";
import { lastIdAt } from "../../base/ids.ts";
import { linkHostsIn } from "../../identity/held-hosts/held-hosts.ts";
import { newUntil } from "../../identity/newcomers/newcomers.ts";
import { putKnown } from "./holding-store.ts";
import { selectTextsAfter } from "./first-known-hosts-store.ts";
import { KNOWN_MS } from "./known-hosts.ts";

/** Posts that one transaction reads. */
const BATCH = 200;
const DONE = "done";

/**
 * Notes the hosts in the posts of the last 90 days, once. A community from before the brakes knows no host,
 * so every link of a newcomer would wait. Runs periodically, and continues after a restart.
 */
export async function fillKnownHosts(core: Core): Promise<void> {
  if (getSetting(core, "known-hosts") === DONE) return;
  while (await core.db.write(() => fillSome(core)));
}

function fillSome(core: Core): boolean {
  const start = lastIdAt("post", core.clock.now() - KNOWN_MS);
  const rows = selectTextsAfter(core, getSetting(core, "known-hosts") ?? start, BATCH);
  for (const { authorId, text, createdAt } of rows)
    if (newUntil(core, authorId) === undefined)
      putKnown(core, linkHostsIn(core, [text]), createdAt - (createdAt % DAY));
  const last = rows.at(-1);
  setSetting(core, "known-hosts", rows.length === BATCH && last ? last.id : DONE);
  return rows.length === BATCH;
}
