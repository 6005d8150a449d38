import { eq } from "drizzle-orm";
import type { Core } from "../core.ts";
import { settings } from "../db/schema-access.ts";

/** Single facts of this installation. */
export type SettingName = "demo-builder" | "demo-unfinished" | "key-check" | "origin" | "steady-time";

export function getSetting(core: Pick<Core, "db">, name: SettingName): string | undefined {
  return core.db.orm.select().from(settings).where(eq(settings.name, name)).get()?.value;
}

export function setSetting(core: Pick<Core, "db">, name: SettingName, value: string): void {
  core.db.orm
    .insert(settings)
    .values({ name, value })
    .onConflictDoUpdate({ target: settings.name, set: { value } })
    .run();
}

export function clearSetting(core: Pick<Core, "db">, name: SettingName): void {
  core.db.orm.delete(settings).where(eq(settings.name, name)).run();
}
