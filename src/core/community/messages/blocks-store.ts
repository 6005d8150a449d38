import type { Core } from "../../base/core.ts";
import { blocks } from "../../base/db/schema.ts";
import { descending, type PageRequest } from "../../base/page.ts";
import type { Block } from "./blocks.ts";

/** Inserts a block. If the block already exists, it keeps its time. */
export function insertBlock(core: Core, builderId: string, blockedId: string, createdAt: number): void {
  core.db.insertNew(blocks, { builderId, blockedId, createdAt });
}

export function deleteBlock(core: Core, builderId: string, blockedId: string): void {
  core.db.prepare("DELETE FROM blocks WHERE builder_id = ? AND blocked_id = ?").run(builderId, blockedId);
}

/** Selects which of these builders the builder has blocked, in one statement. */
export function selectBlocked(core: Core, builderId: string, ids: readonly string[]): string[] {
  return core.db
    .prepare<{ id: string }>(
      `SELECT x.blocked_id AS id FROM json_each(?) wanted
       CROSS JOIN blocks x ON x.builder_id = ? AND x.blocked_id = wanted.value`,
    )
    .all(JSON.stringify(ids), builderId)
    .map(({ id }) => id);
}

export function selectBlocksOf(core: Core, builderId: string, ids: readonly string[]): Block[] {
  return core.db
    .prepare<Block>(
      `SELECT x.blocked_id AS builderId, b.username, b.name, x.created_at AS createdAt
       FROM json_each(?) wanted CROSS JOIN blocks x ON x.builder_id = ? AND x.blocked_id = wanted.value
       CROSS JOIN builders b ON b.id = x.blocked_id WHERE b.removed_at IS NULL`,
    )
    .all(JSON.stringify(ids), builderId);
}

/** Selects a builder's blocks, newest block first, or oldest first for a backward request. */
export function selectBlocks(
  core: Core,
  builderId: string,
  request: PageRequest,
  from: readonly [number, string] | undefined,
): Block[] {
  const { beyond, order } = descending(request);
  const [at, id] = from ?? (request.backwards ? [-1, ""] : [Number.MAX_SAFE_INTEGER, ""]);
  return core.db
    .prepare<Block>(
      `SELECT x.blocked_id AS builderId, b.username, b.name, x.created_at AS createdAt
       FROM blocks x CROSS JOIN builders b ON b.id = x.blocked_id
       WHERE x.builder_id = ? AND b.removed_at IS NULL AND (x.created_at, x.blocked_id) ${beyond} (?, ?)
       ORDER BY x.created_at ${order}, x.blocked_id ${order} LIMIT ?`,
    )
    .all(builderId, at, id, request.limit + 1);
}
