import { type Static, Type } from "@sinclair/typebox";
import { type BuilderCaller, type Caller, requireBuilder } from "../../identity/access/caller.ts";
import { AuthorView } from "../../identity/builders/author.ts";
import { handleOf } from "../../identity/builders/builders.ts";
import { storeMentions } from "../mentions/mentions.ts";
import { refuseManyMessages, spendLinks } from "../../identity/newcomers/newcomers.ts";
import { notify } from "../../identity/notifications/notify.ts";
import { Choice, type Filtered, ruled, Text } from "../../base/check.ts";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { type CoreError, fault, refuse, refuseFields } from "../../base/errors.ts";
import { recordPrivateEvent } from "../../outbox/events/events.ts";
import { isId } from "../../base/ids.ts";
import { cursorKey, type Page, pageOf, type PageRequest, pagesOf } from "../../base/page.ts";
import { Id, Shown, Timestamp } from "../../base/view.ts";
import {
  acceptRequest,
  countRequestRows,
  findLastOfOther,
  findMessage,
  findRecipient,
  findThread,
  findThreadOf,
  hasUnreadInbox,
  insertMessage,
  insertThread,
  lastSentAt,
  type MessageRow,
  selectMessages,
  selectMessagesById,
  selectThreads,
  selectThreadsById,
  selectUnanswered,
  sumUnread,
  type ThreadRow,
  updateRead,
} from "./messages-store.ts";
import { previewOf } from "../../base/title.ts";
import { refuseTooManyThreads, refuseRecipient } from "./message-settings.ts";

/**
 * A conversation of two, as one of them sees it. In Java a class Thread is another thing: generated clients
 * would not compile.
 */
export const ThreadView = Type.Object(
  {
    id: Id("thr_01kafzq8e5f2r8v0j3n6s1t4wx", "The identifier of the conversation."),
    with: AuthorView,
    unread: Type.Integer({
      description: "The number of messages from the other builder that you have not read.",
      examples: [1],
    }),
    request: Type.Boolean({
      description:
        "Whether the conversation is a message request. In a request, the other builder started the conversation, and you have neither answered nor accepted it.",
    }),
    last: Type.Object(
      {
        id: Id("msg_01kafzq8e5f2r8v0j3n6s1t4wx", "The identifier of the message."),
        mine: Type.Boolean({ description: "Whether you sent the message." }),
        preview: Shown(
          "The beginning of the message as plain text, at most 140 characters.",
          "Saw your queue: shall we talk?",
        ),
        createdAt: Timestamp({ description: "The time at which the message was sent." }),
      },
      { description: "The newest message in the conversation." },
    ),
    createdAt: Timestamp({ description: "The time at which the conversation started." }),
  },
  { $id: "MessageThread" },
);

export interface Thread extends Static<typeof ThreadView> {
  /** The other one. */
  with: { id: string; username: string; name: string };
}

export const MessageView = Type.Object(
  {
    id: Id("msg_01kafzq8e5f2r8v0j3n6s1t4wx", "The identifier of the message."),
    threadId: Id("thr_01kafzq8e5f2r8v0j3n6s1t4wx", "The conversation that the message is in."),
    from: AuthorView,
    text: Shown("The text in Markdown, as the sender sent it.", "Saw your queue: shall we talk?"),
    createdAt: Timestamp({ description: "The time at which the message was sent." }),
  },
  { $id: "Message" },
);

export interface Message extends Static<typeof MessageView> {
  senderId: string;
}

export const MessageDraft = Type.Object({
  to: Type.String({
    description: "The username of the recipient, in upper or lower case.",
    examples: ["bo"],
    ...ruled("not_username"),
  }),
  text: Text({
    max: 4000,
    visible: true,
    description: "The text in Markdown. Its length is counted in Unicode code points.",
    examples: ["Saw your queue: shall we talk?"],
  }),
});
export type MessageDraft = Static<typeof MessageDraft>;

/** How far a thread is read. In the body, as an Idempotency-Key is bound to what was sent there. */
export const ReadMark = Type.Object({
  up_to: Type.Optional(
    Type.String({
      description:
        "The newest message to mark. Later messages stay unread. Without this field, all messages are marked.",
      examples: ["msg_01kafzq8e5f2r8v0j3n6s1t4wx"],
      ...ruled("not_message_id"),
    }),
  ),
});

/** Where a thread stands: what strangers began waits among the requests until one answers or accepts it. */
export const MESSAGE_BOXES = ["inbox", "requests"] as const;
export type MessageBox = (typeof MESSAGE_BOXES)[number];

export const ThreadFilter = Type.Object({
  box: Type.Optional(
    Choice(
      MESSAGE_BOXES,
      "Return only conversations in the inbox (`inbox`), or only message requests (`requests`).",
    ),
  ),
});

/**
 * Sends a message as the caller and returns it; the thread of the two is made with the first. `dm.received`
 * is recorded for the receiver in the same transaction, and of a new thread they are notified, of a request
 * too (docs/contract.md#9.4). To answer is to accept. Needs `messages:write`. Throws not_found for an unknown
 * builder, unprocessable for oneself, forbidden where they take none from the caller, conflict where the
 * caller has blocked them, rate_limited after so many new threads in a day (`refuseTooManyThreads`), and
 * where it is too much for somebody new (`refuseManyMessages`, `spendLinks`).
 */
export function sendMessage(core: Core, caller: Caller, draft: MessageDraft): Message {
  const sender = requireBuilder(caller, "messages:write");
  const { builderId } = sender;
  return core.db.transact(() => {
    const recipient = findRecipient(core, builderId, handleOf(core, draft.to));
    if (!recipient) throw refuse("builder_unknown");
    refuseRecipient(builderId, recipient);
    if (recipient.isContact === 0)
      refuseManyMessages(core, sender, (limit) =>
        selectUnanswered(core, builderId, core.clock.now() - DAY, limit),
      );
    spendLinks(core, sender, { texts: [draft.text] });
    const known = findThreadOf(core, builderId, recipient.id);
    const threadId = known ?? beginThread(core, sender, recipient.id);
    if (known !== undefined) acceptRequest(core, known, builderId);
    const createdAt = nextDue(core, threadId);
    const id = core.makeId("msg", createdAt);
    insertMessage(core, { id, threadId, senderId: builderId, text: draft.text, createdAt });
    if (known === undefined) {
      const subject = { type: "thread", id: threadId } as const;
      notify(core, { to: recipient.id, kind: "message", by: builderId, subject });
    }
    storeMentions(core, {
      id,
      text: draft.text,
      by: builderId,
      subject: { type: "thread", id: threadId },
      // Nobody else learns that it is there. Of a new conversation they were told a line before, once:
      // strangers do not knock again by a name.
      isLeftOut: (to) => to !== recipient.id || known === undefined || recipient.isContact === 0,
    });
    recordPrivateEvent(core, recipient.id, "dm.received", { thread_id: threadId, from_id: builderId }, id);
    return toMessage(findMessage(core, builderId, id) as MessageRow);
  });
}

/**
 * The caller's threads, all or those of one box, the one with the newest message first. Needs
 * `messages:read`. Throws bad_request for a cursor of another list.
 */
export function listThreads(
  core: Core,
  caller: Caller,
  { box }: Filtered<typeof ThreadFilter>,
  request: PageRequest,
): Page<Thread> {
  const { builderId } = requireBuilder(caller, "messages:read");
  const scope = { list: "threads", filters: { builderId, box } };
  const key = cursorKey(request, scope, isMessageKey);
  const isRequest = box === undefined ? undefined : box === "requests";
  const threads = selectThreads(core, builderId, isRequest, request, key?.[0]).map(toThread);
  return pageOf(threads, request, scope, ({ last }) => [last.id]);
}

/** Needs `messages:read`. Throws not_found, also for a thread of others: nobody but the two learns of it. */
export function getThread(core: Core, caller: Caller, id: string): Thread {
  const { builderId } = requireBuilder(caller, "messages:read");
  return toThread(ownThread(core, builderId, id));
}

/**
 * The messages of a thread, newest first; reading them leaves them unread. Needs `messages:read`. Throws
 * not_found, also for a thread of others; bad_request for a cursor of another list.
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
 * Marks a thread as read up to a message of it, or all of it, and returns it. What came in after that message
 * stays unread, so a client names the newest one that it has shown. Needs `messages:write`. Throws not_found
 * for a thread or message of others, bad_request for what is no message's id.
 */
export function markRead(core: Core, caller: Caller, threadId: string, upTo?: string): Thread {
  const { builderId } = requireBuilder(caller, "messages:write");
  if (upTo !== undefined && !isId("msg", upTo)) throw refuseFields([fault("up_to", "not_message_id")]);
  return core.db.transact(() => {
    const thread = ownThread(core, builderId, threadId);
    if (upTo !== undefined && findMessage(core, builderId, upTo)?.threadId !== threadId)
      throw refuse("message_unknown");
    updateRead(core, threadId, builderId, upTo ?? thread.lastId);
    return toThread(ownThread(core, builderId, threadId));
  });
}

/**
 * Takes a request among the caller's conversations, and returns it; whoever began it is a contact from then
 * on. Once however often it is asked. Needs `messages:write`. Throws not_found for a thread of others.
 */
export function acceptThread(core: Core, caller: Caller, threadId: string): Thread {
  const { builderId } = requireBuilder(caller, "messages:write");
  return core.db.transact(() => {
    ownThread(core, builderId, threadId);
    acceptRequest(core, threadId, builderId);
    return toThread(ownThread(core, builderId, threadId));
  });
}

/** How many messages the caller has not read, in all threads. Needs `messages:read`. */
export function countUnread(core: Core, caller: Caller): number {
  return sumUnread(core, requireBuilder(caller, "messages:read").builderId);
}

/**
 * The box that holds something unread: the requests where nothing in the inbox is unread. Needs
 * `messages:read`. Call it where `countUnread` is above 0.
 */
export function unreadBox(core: Core, caller: Caller): MessageBox {
  return hasUnreadInbox(core, requireBuilder(caller, "messages:read").builderId) ? "inbox" : "requests";
}

/** More than that is «99+» anywhere. */
const REQUESTS_COUNTED = 100;

/** How many requests wait for the caller, counted up to a hundred. Needs `messages:read`. */
export function countRequests(core: Core, caller: Caller): number {
  return countRequestRows(core, requireBuilder(caller, "messages:read").builderId, REQUESTS_COUNTED);
}

/**
 * Which message of a thread is meant: one of the other's by its id, or their newest. Needs `messages:read`.
 * Throws not_found for a thread of others and for a message that the other has not written.
 */
export function reportableMessage(core: Core, caller: Caller, threadId: string, id?: string): string {
  const { builderId } = requireBuilder(caller, "messages:read");
  ownThread(core, builderId, threadId);
  if (id === undefined) {
    const newest = findLastOfOther(core, threadId, builderId);
    if (newest !== undefined) return newest;
  } else {
    const found = findMessage(core, builderId, id);
    if (found?.threadId === threadId && found.senderId !== builderId) return id;
  }
  throw refuse("message_not_theirs");
}

function beginThread(core: Core, sender: BuilderCaller, otherId: string): string {
  const { builderId } = sender;
  const createdAt = core.clock.now();
  refuseTooManyThreads(core, sender);
  const id = core.makeId("thr", createdAt);
  insertThread(core, { id, startedBy: builderId, otherId, createdAt });
  return id;
}

/**
 * Later than every message of the thread, also where the clock was set back: what is read is told by the
 * order of ids.
 */
function nextDue(core: Core, threadId: string): number {
  const last = lastSentAt(core, threadId);
  return last === undefined ? core.clock.now() : Math.max(core.clock.now(), last + 1);
}

function ownThread(core: Core, builderId: string, id: string): ThreadRow {
  const row = findThread(core, builderId, id);
  if (!row) throw noThread();
  return row;
}

function noThread(): CoreError {
  return refuse("thread_unknown");
}

function toThread(row: ThreadRow): Thread {
  return {
    id: row.id,
    with: { id: row.otherId, username: row.username, name: row.name },
    unread: row.unread,
    request: row.isRequest === 1,
    last: {
      id: row.lastId,
      mine: row.lastSender !== row.otherId,
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
