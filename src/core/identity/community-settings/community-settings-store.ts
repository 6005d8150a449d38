import type { Core } from "../../base/core.ts";
import { charter } from "../../base/db/schema-community.ts";

type Row = typeof charter.$inferSelect;
export type CommunitySettingsRow = Omit<Row, "one" | "logo" | "logoWidth" | "logoHeight">;

/** Returns the stored settings; undefined until an admin stores settings. */
export function selectCommunitySettings({ db }: Pick<Core, "db">): CommunitySettingsRow | undefined {
  const row = db
    .prepare<Omit<CommunitySettingsRow, "holdNewcomerLinks"> & { holdNewcomerLinks: 0 | 1 | null }>(
      `SELECT name, line, welcome, rules, contact, language, zone, front, reading, joining,
       newcomer_days AS newcomerDays, newcomer_post AS newcomerPost, accent,
       privacy, terms, imprint, links,
       hold_newcomer_links AS holdNewcomerLinks, reports_to_hide AS reportsToHide, held_words AS heldWords,
       held_link_hosts AS heldLinkHosts, equal_texts AS equalTexts, network_sign_ups AS networkSignUps,
       hourly_sign_ups AS hourlySignUps
       FROM charter`,
    )
    .get();
  if (!row) return undefined;
  const { holdNewcomerLinks: holds } = row;
  return { ...row, holdNewcomerLinks: holds === null ? null : holds === 1 };
}

export function putCommunitySettings({ db }: Pick<Core, "db">, changes: Partial<Omit<Row, "one">>): void {
  db.upsert(charter, { one: 1, ...changes });
}

/** Whether the post is visible to every reader. */
export function isShownPost({ db }: Pick<Core, "db">, id: string): boolean {
  const sql = "SELECT 1 FROM posts WHERE id = ? AND removed_at IS NULL AND hidden_at IS NULL";
  return db.prepare(sql).get(id) !== undefined;
}

/** The logo: the hash of its content and the dimensions of its largest size. */
export interface Logo {
  hash: string;
  width: number;
  height: number;
}

/** Whether the hash belongs to the current logo. */
export function isLogo({ db }: Pick<Core, "db">, hash: string): boolean {
  return db.prepare("SELECT 1 FROM charter WHERE logo = ?").get(hash) !== undefined;
}

export function selectLogo({ db }: Pick<Core, "db">): Logo | undefined {
  return db
    .prepare<Logo>(
      "SELECT logo AS hash, logo_width AS width, logo_height AS height FROM charter WHERE logo IS NOT NULL",
    )
    .get();
}
