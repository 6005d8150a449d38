import { type Static, Type } from "@sinclair/typebox";
import { type BuilderCaller, type Caller, requireBuilder } from "../../identity/access/caller.ts";
import { AuthorView } from "../../identity/builders/author.ts";
import { handleOf } from "../../identity/builders/builders.ts";
import { storeMentions } from "../mentions/mentions.ts";
import { refuseManyMessages, spendLinks } from "../../identity/newcomers/newcomers.ts";
import { isLimited } from "../../identity/standing/standing.ts";
import { notify } from "../../identity/notifications/notify.ts";
import { Choice, type Filtered, ruled, Text } from "../../base/check.ts";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { type CoreError, fault, refuse, refuseFields } from "../../base/errors.ts";
import { recordPrivateEvent } from "../../outbox/events/events.ts";
import { isId } from "../../base/ids.ts";
import { cursorKey, type Page, pageOf, type PageRequest, pagesOf } from "../../base/page.ts";
import { Id, DisplayText, Timestamp } from "../../base/view.ts";
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
 * A conversation as one of its two members sees it. The schema is not called `Thread`, because generated Java
 * clients would clash with `java.lang.Thread`.
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
        preview: DisplayText(
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
  /** The other member of the thread. */
  with: { id: string; username: string; name: string };
}

export const MessageView = Type.Object(
  {
    id: Id("msg_01kafzq8e5f2r8v0j3n6s1t4wx", "The identifier of the message."),
    threadId: Id("thr_01kafzq8e5f2r8v0j3n6s1t4wx", "The conversation that the message is in."),
    from: AuthorView,
    text: DisplayText("The text in Markdown, as the sender sent it.", "Saw your queue: shall we talk?"),
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

/**
 * Input that marks a thread as read up to a message. The message id is in the body, because an
 * Idempotency-Key applies only to the body.
 */
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

/**
 * The lists of threads. A conversation started by a stranger is in `requests` until the receiver answers or
 * accepts it.
 */
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
 * Sends a message as the caller and returns it. The first message between two builders creates their thread.
 * Replying to a request accepts it. Records `dm.received` for the receiver in the same transaction. A new
 * thread notifies the receiver, even as a request (docs/contract.md#9.4). Needs `messages:write`. Throws
 * not_found for an unknown builder, and unprocessable for the caller's own account. Throws forbidden if the
 * receiver does not accept messages from the caller, and conflict if the caller has blocked the receiver.
 * Throws rate_limited after too many new threads in a day (`refuseTooManyThreads`). Throws the refusals of
 * `refuseManyMessages` and `spendLinks` for a new member, and forbidden for a limited member who writes to a
 * stranger (docs/contract.md#12.37).
 */
export function sendMessage(core: Core, caller: Caller, draft: MessageDraft): Message {
  const sender = requireBuilder(caller, "messages:write");
  const { builderId } = sender;
  return core.db.transact(() => {
    const recipient = findRecipient(core, builderId, handleOf(core, draft.to));
    if (!recipient) throw refuse("builder_unknown");
    refuseRecipient(builderId, recipient);
    if (recipient.isContact === 0) {
      if (isLimited(core, builderId)) throw refuse("limited_messages");
      refuseManyMessages(core, sender, (limit) =>
        selectUnanswered(core, builderId, core.clock.now() - DAY, limit),
      );
    }
    spendLinks(core, sender, { texts: [draft.text] });
    const known = findThreadOf(core, builderId, recipient.id);
    const threadId = known ?? beginThread(core, sender, recipient.id);
    if (known !== undefined) acceptRequest(core, known, builderId);
    const createdAt = nextMessageTime(core, threadId);
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
      // A mention notifies only the receiver, because other members must not learn of the message. A mention
      // notifies nobody if the conversation is new, because the receiver is already notified of the new
      // conversation. A mention also notifies nobody if the sender is not a contact of the receiver.
      isExcluded: (to) => to !== recipient.id || known === undefined || recipient.isContact === 0,
    });
    recordPrivateEvent(core, recipient.id, "dm.received", { thread_id: threadId, from_id: builderId }, id);
    return toMessage(findMessage(core, builderId, id) as MessageRow);
  });
}

/**
 * Returns the caller's threads, all or of one box, ordered by their newest message. Needs `messages:read`.
 * Throws bad_request for a cursor of another list.
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

/**
 * Returns one of the caller's threads. Needs `messages:read`. Throws not_found, also for a thread that the
 * caller is not part of.
 */
export function getThread(core: Core, caller: Caller, id: string): Thread {
  const { builderId } = requireBuilder(caller, "messages:read");
  return toThread(ownThread(core, builderId, id));
}

/**
 * Returns the messages of a thread, newest first. The messages are not marked as read. Needs `messages:read`.
 * Throws not_found, also for a thread that the caller is not part of. Throws bad_request for a cursor of
 * another list.
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

/**
 * Returns the messages of many threads at once. Leaves out threads that the caller is not part of. Needs
 * `messages:read`.
 */
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

/** Returns threads by id. Leaves out threads that the caller is not part of. Needs `messages:read`. */
export function getThreads(core: Core, caller: Caller, ids: readonly string[]): Thread[] {
  return selectThreadsById(core, requireBuilder(caller, "messages:read").builderId, ids).map(toThread);
}

/**
 * Returns messages by id. Leaves out messages of threads that the caller is not part of. Needs
 * `messages:read`.
 */
export function getMessages(core: Core, caller: Caller, ids: readonly string[]): Message[] {
  return selectMessagesById(core, requireBuilder(caller, "messages:read").builderId, ids).map(toMessage);
}

/**
 * Marks a thread as read up to a message, or completely, and returns it. Newer messages remain unread, so
 * clients should name the newest message that they have shown. Needs `messages:write`. Throws not_found for a
 * thread or message that the caller may not see, and bad_request for an invalid message id.
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
 * Accepts a message request and returns the thread. The sender becomes a contact. Idempotent. Needs
 * `messages:write`. Throws not_found for a thread that the caller is not part of.
 */
export function acceptThread(core: Core, caller: Caller, threadId: string): Thread {
  const { builderId } = requireBuilder(caller, "messages:write");
  return core.db.transact(() => {
    ownThread(core, builderId, threadId);
    acceptRequest(core, threadId, builderId);
    return toThread(ownThread(core, builderId, threadId));
  });
}

/** Returns the number of the caller's unread messages in all threads. Needs `messages:read`. */
export function countUnread(core: Core, caller: Caller): number {
  return sumUnread(core, requireBuilder(caller, "messages:read").builderId);
}

/**
 * Returns the box with unread messages. If both boxes have unread messages, returns the inbox. Call it only
 * if `countUnread` is above 0. Needs `messages:read`.
 */
export function unreadBox(core: Core, caller: Caller): MessageBox {
  return hasUnreadInbox(core, requireBuilder(caller, "messages:read").builderId) ? "inbox" : "requests";
}

/** Maximum number of requests counted. Pages show this count as “99+”. */
const REQUESTS_COUNTED = 100;

/** Returns the number of the caller's message requests, up to 100. Needs `messages:read`. */
export function countRequests(core: Core, caller: Caller): number {
  return countRequestRows(core, requireBuilder(caller, "messages:read").builderId, REQUESTS_COUNTED);
}

/**
 * Returns the id of a message to report: the given message, or the newest message from the other member.
 * Needs `messages:read`. Throws not_found for a thread that the caller is not part of, and for a message that
 * the other member did not write.
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
 * Returns a time for a new message that is later than every message of the thread, even if the clock was set
 * back. Read positions depend on this order.
 */
function nextMessageTime(core: Core, threadId: string): number {
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
