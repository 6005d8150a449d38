import type { Core } from "../../base/core.ts";
import { eventLog } from "../../base/db/schema-delivery.ts";
import type { Form } from "./line-format.ts";
import { named } from "./exporting-store.ts";

type Row = Readonly<Record<string, unknown>>;

export function insertRow(core: Core, { entity: { twin } }: Form, row: Row): void {
  core.db.insert(twin, row);
}

/** Updates the only row of `event_log`, which always exists. */
export function patchLogEnd(core: Core, row: Partial<typeof eventLog.$inferInsert>): void {
  core.db.patch(eventLog, { one: 1 }, row);
}

/** Whether a row with the same key exists. */
export function hasRow(core: Core, { name, columns, key }: Form, row: Row): boolean {
  const values = key.map((each) => row[columns.find((column) => column.name === each)?.key ?? ""]);
  const placeholders = key.map(() => "?").join(", ");
  const sql = `SELECT 1 FROM ${named(name)} WHERE (${named(...key)}) = (${placeholders})`;
  return core.db.prepare(sql).get(...values) !== undefined;
}

/** Deletes the directory entry that a trigger inserted for a builder. */
export function dropFromDirectory(core: Core, builderId: string): void {
  core.db.prepare("DELETE FROM directory WHERE builder_id = ?").run(builderId);
}

/**
 * Rebuilds the XP sums of each day from the entries. Must match how `insertEntry` adds an entry to its day.
 */
export function rebuildXpDays(core: Core): void {
  core.db.prepare("DELETE FROM xp_days").run();
  core.db
    .prepare(
      `INSERT INTO xp_days (builder_id, rule, day, points, times)
       SELECT builder_id, rule, day, sum(points), sum(sign(points)) FROM xp_entries GROUP BY builder_id, rule, day`,
    )
    .run();
}

/** Reserves all numbers up to `last` in an AUTOINCREMENT table. */
export function raiseSequence(core: Core, table: string, last: number): void {
  core.db
    .prepare(
      `INSERT INTO sqlite_sequence (name, seq)
       SELECT name, 0 FROM sqlite_schema
       WHERE type = 'table' AND name = ? AND sql LIKE '%AUTOINCREMENT%'
         AND name NOT IN (SELECT name FROM sqlite_sequence)`,
    )
    .run(table);
  core.db
    .prepare("UPDATE sqlite_sequence SET seq = max(seq, CAST(? AS INTEGER)) WHERE name = ?")
    .run(last, table);
}

/** Queries that find inconsistent rows, each with its description. */
const INCONSISTENCIES: readonly { table: string; says: string; find: string }[] = [
  {
    table: "builders",
    says: "has no personal workspace",
    find: `SELECT id FROM builders b WHERE removed_at IS NULL AND NOT EXISTS (
             SELECT 1 FROM workspaces w CROSS JOIN workspace_members m ON m.workspace_id = w.id AND m.builder_id = b.id
             WHERE w.owner_id = b.id AND w.removed_at IS NULL AND m.role = 'owner')`,
  },
  {
    table: "builders",
    says: "is missing from the directory",
    find: `SELECT id FROM builders b WHERE removed_at IS NULL
             AND NOT EXISTS (SELECT 1 FROM directory d WHERE d.builder_id = b.id)`,
  },
  {
    table: "posts",
    says: "starts a conversation within a conversation",
    find: `SELECT p.id FROM posts p CROSS JOIN posts parent ON parent.id = p.parent_id
           WHERE parent.parent_id IS NOT NULL`,
  },
  {
    table: "posts",
    says: "replies to a message of another conversation",
    find: `SELECT p.id FROM posts p CROSS JOIN posts answered ON answered.id = p.answered_id
           WHERE answered.parent_id IS NOT p.parent_id`,
  },
  {
    table: "messages",
    says: "has a sender who is not in the conversation",
    find: `SELECT m.id FROM messages m CROSS JOIN threads t ON t.id = m.thread_id
           WHERE m.sender_id NOT IN (t.low_id, t.high_id)`,
  },
  {
    table: "thread_members",
    says: "adds a third person to a conversation of two",
    find: `SELECT t.id FROM thread_members m CROSS JOIN threads t ON t.id = m.thread_id
           WHERE m.builder_id NOT IN (t.low_id, t.high_id)`,
  },
  {
    table: "events",
    says: "is newer than the end of the log in event_log",
    find: `SELECT e.id FROM events e CROSS JOIN event_log l
           WHERE e.id > l.last_id OR e.created_at > l.last_at`,
  },
];

/** Returns the first inconsistency as text; undefined if there is none. */
export function findInconsistency(core: Core): string | undefined {
  for (const { table, says, find } of INCONSISTENCIES) {
    const found = core.db.prepare<{ id: string }>(`${find} LIMIT 1`).get();
    if (found) return `${table}: ${found.id} ${says}`;
  }
  return undefined;
}
