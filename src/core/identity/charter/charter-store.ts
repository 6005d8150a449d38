import type { Core } from "../../ground/core.ts";
import { charter } from "../../ground/db/schema-charter.ts";

export type CharterRow = Omit<typeof charter.$inferSelect, "one">;

/** Undefined until something was said. */
export function selectCharter({ db }: Pick<Core, "db">): CharterRow | undefined {
  return db
    .prepare<CharterRow>(
      `SELECT name, line, welcome, rules, contact, language, zone, front, reading, joining,
       newcomer_days AS newcomerDays, newcomer_post AS newcomerPost, accent FROM charter`,
    )
    .get();
}

export function putCharter({ db }: Pick<Core, "db">, changes: Partial<CharterRow>): void {
  db.upsert(charter, { one: 1, ...changes });
}

/** Whether everybody who reads here sees that post. */
export function isShownPost({ db }: Pick<Core, "db">, id: string): boolean {
  const sql = "SELECT 1 FROM posts WHERE id = ? AND removed_at IS NULL AND hidden_at IS NULL";
  return db.prepare(sql).get(id) !== undefined;
}
