import { type Static, Type } from "@sinclair/typebox";
import { type Caller, requireBuilder } from "../access/caller.ts";
import { foldUsername } from "../builders/username.ts";
import { Text } from "../check.ts";
import { DAY } from "../clock.ts";
import type { Core } from "../core.ts";
import {
  badRequest,
  conflict,
  type CoreError,
  forbidden,
  notFound,
  rateLimited,
  unprocessable,
} from "../errors.ts";
import { recordPrivateEvent } from "../events/events.ts";
import { isId } from "../ids.ts";
import { cursorKey, type Page, pageOf, type PageRequest, pagesOf } from "../page.ts";
import {
  findMessage,
  findRecipient,
  findThread,
  findThreadOf,
  insertMessage,
  insertThread,
  lastSentAt,
  type MessageRow,
  type Recipient,
  selectMessages,
  selectMessagesById,
  selectStarts,
  selectThreads,
  selectThreadsById,
  sumUnread,
  type ThreadRow,
  updateRead,
} from "./messages-store.ts";
import { previewOf } from "./preview.ts";

/** A conversation of two, as one of them sees it. */
export interface Thread {
  id: string;
  /** The other one. */
  with: { id: string; username: string; name: string };
  /** How many messages of the other the builder has not read. */
  unread: number;
  last: {
    id: string;
    isMine: boolean;
    /** At most 140 characters of plain text. */
    preview: string;
    /** Milliseconds since the epoch. */
    createdAt: number;
  };
  /** Milliseconds since the epoch. */
  createdAt: number;
}

export interface Message {
  id: string;
  threadId: string;
  senderId: string;
  from: { username: string; name: string };
  /** Markdown, as it was sent. */
  text: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

export const MessageDraft = Type.Object({
  to: Type.String({
    description: "The builder's username, in any case.",
    examples: ["bo"],
    rule: "must be a username",
  }),
  text: Text({
    max: 4000,
    visible: true,
    description: "Markdown. Counted in Unicode code points.",
    examples: ["Saw your queue: shall we talk?"],
  }),
});
export type MessageDraft = Static<typeof MessageDraft>;

/** How far a thread is read. In the body, as an Idempotency-Key is bound to what was sent there. */
export const ReadMark = Type.Object({
  up_to: Type.Optional(
    Type.String({
      description:
        "The newest message that was shown: what came in since stays unread. Leave it out to mark all of them.",
      examples: ["msg_01kafzq8e5f2r8v0j3n6s1t4wx"],
      rule: "must be the id of a message",
    }),
  ),
});

/** Not shown in the specification: so many conversations may a builder begin within 24 hours. Answering is not bounded. */
export const NEW_THREADS_A_DAY = 20;

/**
 * Sends a message as the caller and returns it; the thread of the two is made with the first. `dm.received` is recorded for the receiver in
 * the same transaction. Needs `messages:write`. Throws not_found for an unknown builder, unprocessable for oneself, forbidden
 * where they take none from the caller, conflict where the caller has blocked them, rate_limited after twenty new threads in a day.
 */
export function sendMessage(core: Core, caller: Caller, draft: MessageDraft): Message {
  const { builderId } = requireBuilder(caller, "messages:write");
  return core.db.transact(() => {
    const recipient = findRecipient(core, builderId, foldUsername(draft.to));
    if (!recipient) throw notFound("There is no builder with that username.");
    refuseRecipient(builderId, recipient);
    const threadId =
      findThreadOf(core, builderId, recipient.id) ?? beginThread(core, builderId, recipient.id);
    const createdAt = nextMoment(core, threadId);
    const id = core.makeId("msg", createdAt);
    insertMessage(core, { id, threadId, senderId: builderId, text: draft.text, createdAt });
    recordPrivateEvent(core, recipient.id, "dm.received", {
      thread_id: threadId,
      from_id: builderId,
      preview: previewOf(draft.text),
    });
    return toMessage(findMessage(core, builderId, id) as MessageRow);
  });
}

/** The caller's threads, the one with the newest message first. Needs `messages:read`. Throws bad_request for a cursor of another list. */
export function listThreads(core: Core, caller: Caller, request: PageRequest): Page<Thread> {
  const { builderId } = requireBuilder(caller, "messages:read");
  const scope = { list: "threads", filters: { builderId } };
  const key = cursorKey(request, scope, isMessageKey);
  const threads = selectThreads(core, builderId, request, key?.[0]).map(toThread);
  return pageOf(threads, request, scope, ({ last }) => [last.id]);
}

/** Needs `messages:read`. Throws not_found, also for a thread of others: nobody but the two learns of it. */
export function getThread(core: Core, caller: Caller, id: string): Thread {
  const { builderId } = requireBuilder(caller, "messages:read");
  return toThread(ownThread(core, builderId, id));
}

/**
 * The messages of a thread, newest first; reading them leaves them unread. Needs `messages:read`. Throws not_found, also for a thread
 * of others; bad_request for a cursor of another list.
 */
export function listMessages(
  core: Core,
  caller: Caller,
  threadId: string,
  request: PageRequest,
): Page<Message> {
  const { builderId } = requireBuilder(caller, "messages:read");
  ownThread(core, builderId, threadId);
  return messagesOf(core, [threadId], request).get(threadId) as Page<Message>;
}

/** The same for many threads at once; those of others are left out. */
export function listMessagesOf(
  core: Core,
  caller: Caller,
  threadIds: readonly string[],
  request: PageRequest,
): ReadonlyMap<string, Page<Message>> {
  const own = getThreads(core, caller, threadIds).map(({ id }) => id);
  return messagesOf(core, own, request);
}

function messagesOf(core: Core, ids: readonly string[], request: PageRequest) {
  return pagesOf<Message, string>(ids, request, {
    scopeOf: (threadId) => ({ list: "messages", filters: { threadId } }),
    isKey: isMessageKey,
    select: (walks) =>
      new Map([...selectMessages(core, walks, request)].map(([id, rows]) => [id, rows.map(toMessage)])),
    keyOf: ({ id }) => id,
  });
}

/** Many threads at once, by their ids; those of others are left out. Needs `messages:read`. */
export function getThreads(core: Core, caller: Caller, ids: readonly string[]): Thread[] {
  return selectThreadsById(core, requireBuilder(caller, "messages:read").builderId, ids).map(toThread);
}

/** Many messages at once, by their ids. Otherwise the same. */
export function getMessages(core: Core, caller: Caller, ids: readonly string[]): Message[] {
  return selectMessagesById(core, requireBuilder(caller, "messages:read").builderId, ids).map(toMessage);
}

/**
 * Marks a thread as read up to a message of it, or all of it, and returns it. What came in after that message stays unread, so a client names
 * the newest one that it has shown. Needs `messages:write`. Throws not_found for a thread or message of others, bad_request for
 * what is no message's id.
 */
export function markRead(core: Core, caller: Caller, threadId: string, upTo?: string): Thread {
  const { builderId } = requireBuilder(caller, "messages:write");
  if (upTo !== undefined && !isId("msg", upTo)) throw badRequest("`up_to` must be the id of a message.");
  return core.db.transact(() => {
    const thread = ownThread(core, builderId, threadId);
    if (upTo !== undefined && findMessage(core, builderId, upTo)?.threadId !== threadId)
      throw notFound("There is no such message in this thread.");
    updateRead(core, threadId, builderId, upTo ?? thread.lastId);
    return toThread(ownThread(core, builderId, threadId));
  });
}

/** How many messages the caller has not read, in all threads. Needs `messages:read`. */
export function countUnread(core: Core, caller: Caller): number {
  return sumUnread(core, requireBuilder(caller, "messages:read").builderId);
}

function refuseRecipient(senderId: string, recipient: Recipient): void {
  if (recipient.id === senderId) throw unprocessable("You can not send a message to yourself.");
  if (recipient.isBlocked) throw conflict("You have blocked this builder; unblock them to write to them.");
  // One sentence for the blocked and for those whose account is suspended: neither is the sender's business.
  if (recipient.hasBlocked || recipient.isSuspended)
    throw forbidden("This builder does not receive messages from you.");
}

function beginThread(core: Core, builderId: string, otherId: string): string {
  const createdAt = core.clock.now();
  const starts = selectStarts(core, builderId, NEW_THREADS_A_DAY);
  const oldest = starts.length === NEW_THREADS_A_DAY ? starts.at(-1) : undefined;
  if (oldest !== undefined && oldest > createdAt - DAY) {
    throw rateLimited(
      `You have begun ${NEW_THREADS_A_DAY} conversations within a day`,
      oldest + DAY - createdAt,
    );
  }
  const id = core.makeId("thr", createdAt);
  insertThread(core, { id, startedBy: builderId, otherId, createdAt });
  return id;
}

/** Later than every message of the thread, also where the clock was set back: what is read is told by the order of ids. */
function nextMoment(core: Core, threadId: string): number {
  const last = lastSentAt(core, threadId);
  return last === undefined ? core.clock.now() : Math.max(core.clock.now(), last + 1);
}

function ownThread(core: Core, builderId: string, id: string): ThreadRow {
  const row = findThread(core, builderId, id);
  if (!row) throw noThread();
  return row;
}

function noThread(): CoreError {
  return notFound("You have no thread with that id.");
}

function toThread(row: ThreadRow): Thread {
  return {
    id: row.id,
    with: { id: row.otherId, username: row.username, name: row.name },
    unread: row.unread,
    last: {
      id: row.lastId,
      isMine: row.lastSender !== row.otherId,
      preview: previewOf(row.lastText),
      createdAt: row.lastAt,
    },
    createdAt: row.createdAt,
  };
}

function toMessage({ username, name, ...message }: MessageRow): Message {
  return { ...message, from: { username, name } };
}

function isMessageKey(key: readonly (string | number)[]): key is [string] {
  return key.length === 1 && isId("msg", key[0]);
}
