import type { Core } from "../../base/core.ts";
import { getSetting, setSetting } from "../../base/db/settings.ts";

/**
 * Returns how long the server has run and sent deliveries, over all restarts, in ms. Accurate to a minute.
 */
export function servedMs(core: Pick<Core, "db">): number {
  return Number(getSetting(core, "served-time") ?? 0);
}

/** Adds to the served time of the server. Call it in a transaction. */
export function addServed(core: Pick<Core, "db">, ms: number): void {
  setSetting(core, "served-time", String(servedMs(core) + Math.round(ms)));
}
