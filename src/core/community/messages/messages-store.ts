import type { Core } from "../../base/core.ts";
import { builders, messages, threadMembers, threads } from "../../base/db/schema.ts";
import { lastIdAt } from "../../base/ids.ts";
import { descending, groupByList, type PageRequest, type Walk } from "../../base/page.ts";
import type { MessagesFrom } from "./message-settings.ts";

/** The recipient of a message, and how the recipient and the sender are related. */
export interface Recipient {
  id: string;
  /**
   * Whether the recipient is suspended. Also 1 while the conversation with the sender is hidden by a pending
   * account deletion. Cancelling the deletion shows the conversation again.
   */
  isSuspended: 0 | 1;
  /** Whether the sender has blocked the recipient. */
  isBlocked: 0 | 1;
  /** Whether the recipient has blocked the sender. */
  hasBlocked: 0 | 1;
  messagesFrom: MessagesFrom;
  /** Whether the recipient has written to the sender, accepted the sender's request or follows the sender. */
  isContact: 0 | 1;
}

export function findRecipient(core: Core, senderId: string, username: string): Recipient | undefined {
  return core.db
    .prepare<Recipient>(
      `SELECT b.id, b.suspended_at IS NOT NULL OR EXISTS (
                SELECT 1 FROM threads t WHERE t.low_id = min(b.id, ?) AND t.high_id = max(b.id, ?)
                  AND NOT EXISTS (SELECT 1 FROM thread_members WHERE thread_id = t.id)) AS isSuspended,
              EXISTS (SELECT 1 FROM blocks WHERE builder_id = ? AND blocked_id = b.id) AS isBlocked,
              EXISTS (SELECT 1 FROM blocks WHERE builder_id = b.id AND blocked_id = ?) AS hasBlocked,
              b.messages_from AS messagesFrom,
              EXISTS (SELECT 1 FROM threads t
                      CROSS JOIN thread_members m ON m.thread_id = t.id AND m.builder_id = b.id
                      WHERE t.low_id = min(b.id, ?) AND t.high_id = max(b.id, ?) AND m.is_request = 0)
                OR EXISTS (SELECT 1 FROM follows WHERE follower_id = b.id AND followed_id = ?) AS isContact
       FROM builders b WHERE b.username = ?`,
    )
    .get(...Array.from({ length: 7 }, () => senderId), username);
}

/** Finds the thread of two builders, in either order. */
export function findThreadOf(core: Core, one: string, other: string): string | undefined {
  const [low, high] = one < other ? [one, other] : [other, one];
  return core.db
    .prepare<{ id: string }>("SELECT id FROM threads WHERE low_id = ? AND high_id = ?")
    .get(low, high)?.id;
}

/**
 * Returns the start times of the newest threads that a builder started, newest first, in ms since the epoch.
 */
export function selectStarts(core: Core, builderId: string, limit: number): number[] {
  return core.db
    .prepare<{ createdAt: number }>(
      "SELECT created_at AS createdAt FROM threads WHERE started_by = ? ORDER BY id DESC LIMIT ?",
    )
    .all(builderId, limit)
    .map(({ createdAt }) => createdAt);
}

export function insertThread(
  core: Core,
  row: { id: string; startedBy: string; otherId: string; createdAt: number },
): void {
  const { id, startedBy, otherId, createdAt } = row;
  const [lowId, highId] = startedBy < otherId ? [startedBy, otherId] : [otherId, startedBy];
  core.db.insert(threads, { id, lowId, highId, startedBy, createdAt });
  for (const builderId of [startedBy, otherId]) {
    const isRequest = builderId === otherId ? 1 : 0;
    core.db.insert(threadMembers, { threadId: id, builderId, lastId: "", isRequest });
  }
}

/** Moves a message request to the builder's inbox. */
export function acceptRequest(core: Core, threadId: string, builderId: string): void {
  core.db.patch(threadMembers, { threadId, builderId, isRequest: 1 }, { isRequest: 0 });
}

export function findMessagesFrom(core: Core, builderId: string): MessagesFrom {
  return (
    core.db
      .prepare<{ from: MessagesFrom }>('SELECT messages_from AS "from" FROM builders WHERE id = ?')
      .get(builderId)?.from ?? "everybody"
  );
}

export function updateMessagesFrom(core: Core, builderId: string, from: MessagesFrom): void {
  core.db.patch(builders, { id: builderId }, { messagesFrom: from });
}

/**
 * Selects the times of a builder's messages in threads that the builder started and the receiver neither
 * answered nor accepted. Includes only messages sent after `after`. Newest first.
 */
export function selectUnanswered(core: Core, builderId: string, after: number, limit: number): number[] {
  return core.db
    .prepare<{ createdAt: number }>(
      `SELECT m.created_at AS createdAt FROM threads t
       CROSS JOIN thread_members o ON o.thread_id = t.id AND o.builder_id <> t.started_by AND o.is_request = 1
       CROSS JOIN messages m ON m.thread_id = t.id AND m.id > ?
       WHERE t.started_by = ? ORDER BY m.id DESC LIMIT ?`,
    )
    .all(lastIdAt("msg", after), builderId, limit)
    .map(({ createdAt }) => createdAt);
}

/** Returns the time of the newest message of a thread, in ms since the epoch. */
export function lastSentAt(core: Core, threadId: string): number | undefined {
  return core.db
    .prepare<{ createdAt: number }>(
      "SELECT created_at AS createdAt FROM messages WHERE thread_id = ? ORDER BY id DESC LIMIT 1",
    )
    .get(threadId)?.createdAt;
}

/**
 * Stores a message, moves the thread to the top of both members' thread lists, and counts the message as
 * unread for the receiver.
 */
export function insertMessage(core: Core, row: typeof messages.$inferInsert): void {
  core.db.insert(messages, row);
  core.db
    .prepare("UPDATE thread_members SET last_id = ?, unread = unread + (builder_id <> ?) WHERE thread_id = ?")
    .run(row.id, row.senderId, row.threadId);
}

export interface ThreadRow {
  id: string;
  createdAt: number;
  unread: number;
  isRequest: 0 | 1;
  otherId: string;
  username: string;
  name: string;
  lastId: string;
  lastSender: string;
  lastText: string;
  lastAt: number;
}

const THREAD = `t.id, t.created_at AS createdAt, m.unread, m.is_request AS isRequest, o.id AS otherId, o.username, o.name,
  l.id AS lastId, l.sender_id AS lastSender, l.text AS lastText, l.created_at AS lastAt
  FROM thread_members m
  CROSS JOIN threads t ON t.id = m.thread_id
  CROSS JOIN builders o ON o.id = CASE WHEN t.low_id = m.builder_id THEN t.high_id ELSE t.low_id END
  CROSS JOIN messages l ON l.id = m.last_id`;

/**
 * Selects a builder's threads, all or of one box. The thread with the newest message is first, or last for a
 * backward request.
 */
export function selectThreads(
  core: Core,
  builderId: string,
  isRequest: boolean | undefined,
  request: PageRequest,
  fromLastId: string | undefined,
): ThreadRow[] {
  const { beyond, order } = descending(request);
  const inBox = isRequest === undefined ? "" : "AND m.is_request = ?";
  const box = isRequest === undefined ? [] : [isRequest ? 1 : 0];
  return core.db
    .prepare<ThreadRow>(
      `SELECT ${THREAD} WHERE m.builder_id = ? ${inBox} AND m.last_id ${beyond} ? ORDER BY m.last_id ${order} LIMIT ?`,
    )
    .all(builderId, ...box, fromLastId ?? (request.backwards ? "" : "msg_~"), request.limit + 1);
}

/** Finds a thread as one of its two members sees it. Returns undefined for anyone else. */
export function findThread(core: Core, builderId: string, id: string): ThreadRow | undefined {
  return core.db
    .prepare<ThreadRow>(`SELECT ${THREAD} WHERE m.thread_id = ? AND m.builder_id = ?`)
    .get(id, builderId);
}

export interface MessageRow {
  id: string;
  threadId: string;
  senderId: string;
  text: string;
  createdAt: number;
  username: string;
  name: string;
}

const MESSAGE_COLUMNS = `m.id, m.thread_id AS threadId, m.sender_id AS senderId, m.text, m.created_at AS createdAt, b.username, b.name`;
const MESSAGE = `${MESSAGE_COLUMNS} FROM messages m CROSS JOIN builders b ON b.id = m.sender_id`;

/**
 * Selects the messages of many threads in one statement, newest first, or oldest first for a backward
 * request.
 */
export function selectMessages(
  core: Core,
  walks: readonly Walk<string>[],
  request: PageRequest,
): ReadonlyMap<string, MessageRow[]> {
  const { beyond, order } = descending(request);
  const starts = walks.map(({ id, from }) => ({ id, from: from ?? (request.backwards ? "" : "msg_~") }));
  const rows = core.db
    .prepare<MessageRow>(
      `SELECT ${MESSAGE_COLUMNS}
       FROM json_each(?) wanted CROSS JOIN json_each((SELECT json_group_array(id) FROM
         (SELECT id FROM messages WHERE thread_id = wanted.value ->> 'id'
            AND id ${beyond} wanted.value ->> 'from' ORDER BY id ${order} LIMIT ?))) found
       CROSS JOIN messages m ON m.id = found.value CROSS JOIN builders b ON b.id = m.sender_id`,
    )
    .all(JSON.stringify(starts), request.limit + 1);
  return groupByList(rows, ({ threadId }) => threadId, order);
}

/** Selects messages by id from the builder's own threads, in one statement and any order. */
export function selectMessagesById(core: Core, builderId: string, ids: readonly string[]): MessageRow[] {
  return core.db
    .prepare<MessageRow>(
      `SELECT ${MESSAGE_COLUMNS}
       FROM json_each(?) wanted CROSS JOIN messages m ON m.id = wanted.value
       CROSS JOIN builders b ON b.id = m.sender_id
       WHERE EXISTS (SELECT 1 FROM thread_members WHERE thread_id = m.thread_id AND builder_id = ?)`,
    )
    .all(JSON.stringify(ids), builderId);
}

/** Selects the builder's own threads by id, in one statement and any order. */
export function selectThreadsById(core: Core, builderId: string, ids: readonly string[]): ThreadRow[] {
  return core.db
    .prepare<ThreadRow>(
      `SELECT ${THREAD} WHERE m.builder_id = ? AND m.thread_id IN (SELECT value FROM json_each(?))`,
    )
    .all(builderId, JSON.stringify(ids));
}

/** Finds a message in one of the builder's own threads. */
export function findMessage(core: Core, builderId: string, id: string): MessageRow | undefined {
  return core.db
    .prepare<MessageRow>(
      `SELECT ${MESSAGE} WHERE m.id = ?
         AND EXISTS (SELECT 1 FROM thread_members WHERE thread_id = m.thread_id AND builder_id = ?)`,
    )
    .get(id, builderId);
}

/** Marks all messages up to `upTo` as read. Never marks a read message as unread. */
export function updateRead(core: Core, threadId: string, builderId: string, upTo: string): void {
  core.db
    .prepare(
      `UPDATE thread_members SET read_to = ?,
              unread = (SELECT count(*) FROM messages WHERE thread_id = ? AND id > ? AND sender_id <> ?)
       WHERE thread_id = ? AND builder_id = ? AND read_to < ?`,
    )
    .run(upTo, threadId, upTo, builderId, threadId, builderId, upTo);
}

/** Finds any thread of a builder. */
export function findAnyThread(core: Core, builderId: string): string | undefined {
  return core.db
    .prepare<{ id: string }>(
      `SELECT id FROM threads WHERE low_id = ? UNION ALL SELECT id FROM threads WHERE high_id = ? LIMIT 1`,
    )
    .get(builderId, builderId)?.id;
}

/**
 * Removes a thread from both members' thread lists at once and deletes up to `limit` of its messages. Deletes
 * the thread itself after its last message. Returns the number of deleted rows.
 */
export function deleteSomeOfThread(core: Core, id: string, limit: number): number {
  core.db.prepare("DELETE FROM thread_members WHERE thread_id = ?").run(id);
  const messages = core.db
    .prepare("DELETE FROM messages WHERE id IN (SELECT id FROM messages WHERE thread_id = ? LIMIT ?)")
    .run(id, limit).changes;
  if (messages === limit) return limit;
  core.db.prepare("DELETE FROM threads WHERE id = ?").run(id);
  return messages + 1;
}

/** Returns the number of unread messages in all threads of a builder. */
export function sumUnread(core: Core, builderId: string): number {
  return (
    core.db
      .prepare<{ unread: number | null }>(
        "SELECT sum(unread) AS unread FROM thread_members WHERE builder_id = ? AND unread > 0",
      )
      .get(builderId)?.unread ?? 0
  );
}

/** Whether a builder has an unread message in the inbox. */
export function hasUnreadInbox(core: Core, builderId: string): boolean {
  const row = core.db
    .prepare("SELECT 1 FROM thread_members WHERE builder_id = ? AND unread > 0 AND is_request = 0 LIMIT 1")
    .get(builderId);
  return row != null;
}

/** Counts a builder's message requests, up to `limit`. */
export function countRequestRows(core: Core, builderId: string, limit: number): number {
  return (
    core.db
      .prepare<{ requests: number }>(
        `SELECT count(*) AS requests FROM
           (SELECT 1 FROM thread_members WHERE builder_id = ? AND is_request = 1 LIMIT ?)`,
      )
      .get(builderId, limit)?.requests ?? 0
  );
}

/** Returns the newest message from the other member of a thread. */
export function findLastOfOther(core: Core, threadId: string, builderId: string): string | undefined {
  return core.db
    .prepare<{ id: string }>(
      "SELECT id FROM messages WHERE thread_id = ? AND sender_id <> ? ORDER BY id DESC LIMIT 1",
    )
    .get(threadId, builderId)?.id;
}
