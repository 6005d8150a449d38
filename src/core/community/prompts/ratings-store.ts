import type { Core } from "../../base/core.ts";
import { promptRatings } from "../../base/db/schema.ts";

export type Rating = Omit<typeof promptRatings.$inferSelect, "ratedAt">;

export function findStars(core: Core, rating: Omit<Rating, "stars">): number | undefined {
  return core.db
    .prepare<{ stars: number }>(
      "SELECT stars FROM prompt_ratings WHERE prompt_id = ? AND version = ? AND builder_id = ?",
    )
    .get(rating.promptId, rating.version, rating.builderId)?.stars;
}

/** Inserts or replaces a builder's rating of a version. */
export function putRating(core: Core, rating: Rating, ratedAt: number): void {
  core.db.upsert(promptRatings, { ...rating, ratedAt });
}

export function findSums(core: Core, promptId: string): { sum: number; count: number } {
  return (
    core.db
      .prepare<{ sum: number; count: number }>(
        'SELECT rating_sum AS sum, rating_count AS "count" FROM prompts WHERE id = ?',
      )
      .get(promptId) ?? { sum: 0, count: 0 }
  );
}

/** Selects the builder's ratings of the current versions of these prompts. */
export function selectStars(
  core: Core,
  builderId: string,
  promptIds: readonly string[],
): { promptId: string; stars: number }[] {
  return core.db
    .prepare<{ promptId: string; stars: number }>(
      `SELECT p.id AS promptId, r.stars FROM json_each(?) wanted CROSS JOIN prompts p ON p.id = wanted.value
       CROSS JOIN prompt_ratings r ON r.prompt_id = p.id AND r.version = p.version
       WHERE r.builder_id = ?`,
    )
    .all(JSON.stringify(promptIds), builderId);
}

/** Selects some of a builder's ratings, each with its prompt and the prompt's author. */
export function selectRatingsBy(
  core: Core,
  builderId: string,
  limit: number,
): { promptId: string; version: number; stars: number; currentVersion: number; authorId: string }[] {
  return core.db
    .prepare<{
      promptId: string;
      version: number;
      stars: number;
      currentVersion: number;
      authorId: string;
    }>(
      `SELECT r.prompt_id AS promptId, r.version, r.stars, p.version AS currentVersion, p.author_id AS authorId
       FROM prompt_ratings r INDEXED BY prompt_ratings_by_builder CROSS JOIN prompts p ON p.id = r.prompt_id
       WHERE r.builder_id = ? LIMIT ?`,
    )
    .all(builderId, limit);
}

export function deleteRating(core: Core, rating: Omit<Rating, "stars">): void {
  core.db
    .prepare("DELETE FROM prompt_ratings WHERE prompt_id = ? AND version = ? AND builder_id = ?")
    .run(rating.promptId, rating.version, rating.builderId);
}

/** Subtracts one rating from the stored sums of an earlier version. */
export function subtractFromVersion(core: Core, promptId: string, version: number, stars: number): void {
  core.db
    .prepare(
      `UPDATE prompt_versions SET rating_sum = rating_sum - ?, rating_count = rating_count - 1
       WHERE prompt_id = ? AND number = ?`,
    )
    .run(stars, promptId, version);
}

/**
 * Deletes at most `limit` ratings of a prompt that is being deleted, without updating the sums. Returns the
 * number of deleted rows.
 */
export function deleteSomeRatings(core: Core, promptId: string, limit: number): number {
  return core.db
    .prepare(
      `DELETE FROM prompt_ratings WHERE prompt_id = ? AND (version, builder_id) IN
         (SELECT version, builder_id FROM prompt_ratings WHERE prompt_id = ? LIMIT ?)`,
    )
    .run(promptId, promptId, limit).changes;
}
