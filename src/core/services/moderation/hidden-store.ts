import type { Core } from "../../base/core.ts";
import { descending, type PageRequest } from "../../base/page.ts";

export interface HiddenRow {
  id: string;
  /** Milliseconds since the epoch. */
  hiddenAt: number;
}

/**
 * Selects posts, jobs and prompts that moderators hid, starting after `from`. The content that was hidden
 * last comes first. Content of an account that waits to be erased is left out, because it can be restored
 * only with the account (docs/contract.md#9.12).
 */
export function selectHidden(core: Core, from: HiddenRow | undefined, request: PageRequest): HiddenRow[] {
  const { beyond, order } = descending(request);
  const start = from ?? { hiddenAt: request.backwards ? 0 : Number.MAX_SAFE_INTEGER, id: "" };
  const sign = order === "ASC" ? 1 : -1;
  return [
    core.db
      .prepare<HiddenRow>(
        `SELECT id, hidden_at AS hiddenAt FROM posts INDEXED BY posts_hidden
         WHERE hidden_at IS NOT NULL AND removed_at IS NULL AND (hidden_at, id) ${beyond} (?, ?)
           AND NOT EXISTS (SELECT 1 FROM hidden_by_deletion WHERE subject_id = id)
           AND NOT EXISTS (SELECT 1 FROM pending_deletions WHERE builder_id = author_id AND state <> 'restoring')
         ORDER BY hidden_at ${order}, id ${order} LIMIT ?`,
      )
      .all(start.hiddenAt, start.id, request.limit + 1),
    core.db
      .prepare<HiddenRow>(
        `SELECT id, hidden_at AS hiddenAt FROM jobs INDEXED BY jobs_hidden
         WHERE hidden_at IS NOT NULL AND (hidden_at, id) ${beyond} (?, ?)
           AND NOT EXISTS (SELECT 1 FROM hidden_by_deletion WHERE subject_id = id)
           AND NOT EXISTS (SELECT 1 FROM pending_deletions WHERE builder_id = published_by AND state <> 'restoring')
         ORDER BY hidden_at ${order}, id ${order} LIMIT ?`,
      )
      .all(start.hiddenAt, start.id, request.limit + 1),
    core.db
      .prepare<HiddenRow>(
        `SELECT id, hidden_at AS hiddenAt FROM prompts INDEXED BY prompts_hidden
         WHERE hidden_at IS NOT NULL AND removed_at IS NULL AND (hidden_at, id) ${beyond} (?, ?)
           AND NOT EXISTS (SELECT 1 FROM hidden_by_deletion WHERE subject_id = id)
           AND NOT EXISTS (SELECT 1 FROM pending_deletions WHERE builder_id = author_id AND state <> 'restoring')
         ORDER BY hidden_at ${order}, id ${order} LIMIT ?`,
      )
      .all(start.hiddenAt, start.id, request.limit + 1),
  ]
    .flat()
    .sort((a, b) => sign * (a.hiddenAt - b.hiddenAt || (a.id < b.id ? -1 : 1)))
    .slice(0, request.limit + 1);
}
