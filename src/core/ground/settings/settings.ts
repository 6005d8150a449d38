import type { Core } from "../core.ts";
import { settings } from "../db/schema-access.ts";

/** Single facts of this installation. */
export type SettingName = "demo-builder" | "demo-unfinished" | "key-check" | "origin" | "steady-time";

export function getSetting(core: Pick<Core, "db">, name: SettingName): string | undefined {
  return core.db.prepare<{ value: string }>("SELECT value FROM settings WHERE name = ?").get(name)?.value;
}

export function setSetting(core: Pick<Core, "db">, name: SettingName, value: string): void {
  core.db.upsert(settings, { name, value });
}

export function clearSetting(core: Pick<Core, "db">, name: SettingName): void {
  core.db.prepare("DELETE FROM settings WHERE name = ?").run(name);
}
