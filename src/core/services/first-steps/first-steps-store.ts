import type { Core } from "../../base/core.ts";
import { builders } from "../../base/db/schema.ts";
import type { Step } from "./first-steps.ts";

/**
 * Returns for each step whether the builder has completed the step (1 or 0). Returns undefined if the builder
 * has dismissed the steps.
 */
export function findSteps(core: Core, builderId: string): Readonly<Record<Step, number>> | undefined {
  return core.db
    .prepare<Record<Step, number>>(
      `SELECT
         EXISTS (SELECT 1 FROM charter WHERE line <> '' OR welcome <> '') AS community,
         EXISTS (SELECT 1 FROM links WHERE purpose = 'invite' AND created_by = b.id)
           OR EXISTS (SELECT 1 FROM builders WHERE id > b.id AND removed_at IS NULL) AS invite,
         EXISTS (SELECT 1 FROM posts WHERE author_id = b.id AND parent_id IS NULL) AS post,
         b.bio <> '' OR EXISTS (SELECT 1 FROM projects WHERE builder_id = b.id)
           OR EXISTS (SELECT 1 FROM media WHERE builder_id = b.id AND is_avatar = 1) AS profile,
         b.has_read_welcome AS welcome,
         EXISTS (SELECT 1 FROM posts WHERE author_id = b.id) AS hello
       FROM builders b WHERE b.id = ? AND b.has_put_steps_away = 0`,
    )
    .get(builderId);
}

export function updateSteps(
  core: Core,
  id: string,
  change: Partial<Pick<typeof builders.$inferInsert, "hasReadWelcome" | "hasPutStepsAway">>,
): void {
  core.db.patch(builders, { id }, change);
}
