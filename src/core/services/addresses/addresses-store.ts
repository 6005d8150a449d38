import type { Core } from "../../base/core.ts";
import { lastIdAt } from "../../base/ids.ts";

/** A page with its own URL, for a sitemap: the name in the URL, and the time of the last change if known. */
export interface Addressed {
  name: string;
  changedAt: number | null;
}

/** Returns when the oldest visible post of the feed was written; null if there is none. */
export function findFirstPost({ db }: Core): number | null {
  const sql = `SELECT created_at AS at FROM posts WHERE parent_id IS NULL AND hidden_at IS NULL ORDER BY id LIMIT 1`;
  return db.prepare<{ at: number }>(sql).get()?.at ?? null;
}

export function selectPostNames({ db }: Core, from: number, until: number, most: number): Addressed[] {
  return db
    .prepare<Addressed>(
      `SELECT id AS name, coalesce(edited_at, created_at) AS changedAt FROM posts
       WHERE parent_id IS NULL AND hidden_at IS NULL AND id > ? AND id <= ? ORDER BY id DESC LIMIT ?`,
    )
    .all(lastIdAt("post", from - 1), lastIdAt("post", until - 1), most);
}

/** Selects the jobs on the board. Jobs posted before `postedAfter` have expired. */
export function selectJobNames({ db }: Core, postedAfter: number, most: number): Addressed[] {
  return db
    .prepare<Addressed>(
      `SELECT id AS name, posted_at AS changedAt FROM jobs INDEXED BY jobs_on_board
       WHERE on_board = 1 AND posted_at > ? ORDER BY seq DESC LIMIT ?`,
    )
    .all(postedAfter, most);
}

export function selectPromptNames({ db }: Core, most: number): Addressed[] {
  return db
    .prepare<Addressed>(
      `SELECT id AS name, coalesce(revised_at, created_at) AS changedAt FROM prompts
       WHERE hidden_at IS NULL ORDER BY id DESC LIMIT ?`,
    )
    .all(most);
}

export function selectBuilderNames({ db }: Core, most: number): Addressed[] {
  return db
    .prepare<Addressed>(
      `SELECT b.username AS name, NULL AS changedAt FROM directory d CROSS JOIN builders b ON b.id = d.builder_id
       WHERE b.suspended_at IS NULL ORDER BY d.seq DESC LIMIT ?`,
    )
    .all(most);
}
