import type { Core } from "../core/ground/core.ts";
import { getSetting } from "../core/ground/db/settings.ts";
import type { Takeover } from "./node.ts";

/** Of this database, the newest last. */
export function takeoversOf(core: Pick<Core, "db">): Takeover[] {
  const text = getSetting(core, "takeovers");
  return text === undefined ? [] : (JSON.parse(text) as Takeover[]);
}
