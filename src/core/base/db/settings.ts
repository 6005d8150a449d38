import type { Db } from "./open.ts";
import { settings } from "./schema-access.ts";

/** Names of the single values that this installation stores. */
export type SettingName =
  | "demo-builder"
  | "demo-rows"
  | "demo-unfinished"
  | "import"
  | "key-check"
  | "keys"
  | "known-hosts"
  | "maintenance"
  | "mail-place"
  | "origin"
  | "probe"
  | "push-place"
  | "served-time"
  | "steady-time"
  | "takeovers";

export function getSetting({ db }: { db: Db }, name: SettingName): string | undefined {
  return db.prepare<{ value: string }>("SELECT value FROM settings WHERE name = ?").get(name)?.value;
}

export function setSetting({ db }: { db: Db }, name: SettingName, value: string): void {
  db.upsert(settings, { name, value });
}

export function clearSetting({ db }: { db: Db }, name: SettingName): void {
  db.prepare("DELETE FROM settings WHERE name = ?").run(name);
}
