import { Type } from "@sinclair/typebox";
import { Choice } from "../core/ground/check.ts";
import { isoTime } from "../core/ground/clock.ts";
import { block, type Block, listBlocks, unblock } from "../core/community/messages/blocks.ts";
import {
  acceptThread,
  listMessages,
  listThreads,
  markRead,
  type Message,
  MESSAGE_BOXES,
  MessageDraft,
  ReadMark,
  sendMessage,
  type Thread,
} from "../core/community/messages/messages.ts";
import {
  getMessageSettings,
  MessageSettings,
  setMessageSettings,
} from "../core/community/messages/reception.ts";
import { operation } from "./operation.ts";
import { pageParameters, PageOf, pageRequest, presentPage } from "./page.ts";
import { Person } from "./parts.ts";

const ThreadAnswer = Type.Object(
  {
    id: Type.String(),
    with: Person,
    unread: Type.Integer({ description: "How many messages of the other you have not read." }),
    request: Type.Boolean({
      description: "Whether they began it and you have neither answered nor accepted it.",
    }),
    last: Type.Object({
      id: Type.String(),
      mine: Type.Boolean({ description: "Whether you sent it." }),
      preview: Type.String({ description: "At most 140 characters of plain text." }),
      created_at: Type.String({ format: "date-time" }),
    }),
    created_at: Type.String({ format: "date-time" }),
  },
  // In Java a class Thread is another thing: generated clients would not compile.
  { $id: "MessageThread" },
);

const MessageAnswer = Type.Object(
  {
    id: Type.String(),
    thread_id: Type.String(),
    from: Person,
    text: Type.String({ description: "Markdown, as it was sent." }),
    created_at: Type.String({ format: "date-time" }),
  },
  { $id: "Message" },
);

const SettingsAnswer = Type.Object(MessageSettings.properties, { $id: "MessageSettings" });

const BlockAnswer = Type.Object(
  { username: Type.String(), name: Type.String(), created_at: Type.String({ format: "date-time" }) },
  { $id: "Block" },
);

const exampleMessage = {
  id: "msg_01kafzq8e5f2r8v0j3n6s1t4wx",
  thread_id: "thr_01kafzq8e5f2r8v0j3n6s1t4wx",
  from: { username: "ada", name: "Ada Okafor" },
  text: "Saw your queue: shall we talk?",
  created_at: "2026-11-20T09:30:00.000Z",
};

const exampleThread = {
  id: exampleMessage.thread_id,
  with: exampleMessage.from,
  unread: 1,
  request: false,
  last: {
    id: exampleMessage.id,
    mine: false,
    preview: exampleMessage.text,
    created_at: exampleMessage.created_at,
  },
  created_at: exampleMessage.created_at,
};

const thread = { name: "thread", description: "The thread's id.", example: exampleThread.id };
const username = {
  name: "username",
  description: "The builder's handle without a leading @, in any case.",
  example: "cy",
};

export const messageOperations = [
  operation({
    id: "listThreads",
    method: "GET",
    path: "/messages",
    group: "Messages",
    summary: "List your threads, the one with the newest message first",
    scope: "messages:read",
    description:
      "`box` asks for those that you take part in (`inbox`) or those that strangers began and you have neither answered nor accepted (`requests`); without it, all.",
    query: Type.Object({
      box: Type.Optional(Choice(MESSAGE_BOXES, "Only what stands in the inbox, or only requests.")),
      ...pageParameters,
    }),
    answer: {
      status: 200,
      description: "One page of your threads",
      schema: PageOf("ThreadPage", ThreadAnswer),
      example: { data: [exampleThread], next: null },
    },
    refusals: [400],
    handle: ({ core, caller, query }) =>
      presentPage(listThreads(core, caller, { box: query.box }, pageRequest(query)), presentThread),
  }),
  operation({
    id: "sendMessage",
    method: "POST",
    path: "/messages",
    group: "Messages",
    summary: "Send a direct message to a builder",
    description:
      "The two of you have one thread; the first message makes it, as a request of yours until they answer or accept it. Fires `dm.received` for the receiver alone. A builder who does not receive messages from you is 403, one whom you have blocked 409, yourself 422. At most 20 new threads in 24 hours, 3 in your first week: then 429.",
    scope: "messages:write",
    body: MessageDraft,
    answer: { status: 201, description: "The message", schema: MessageAnswer, example: exampleMessage },
    refusals: [400, 404, 409, 422],
    handle: ({ core, caller, body, commit }) =>
      commit(() => {
        const message = sendMessage(core, caller, body);
        return {
          status: 201,
          body: presentMessage(message),
          headers: { location: `/v1/messages/${message.threadId}` },
        };
      }),
  }),
  operation({
    id: "listMessages",
    method: "GET",
    path: "/messages/{thread}",
    group: "Messages",
    summary: "List the messages of a thread, newest first",
    description: "Reading them here leaves them unread. A thread that is not yours is 404.",
    scope: "messages:read",
    param: thread,
    query: Type.Object(pageParameters),
    answer: {
      status: 200,
      description: "One page of the thread",
      schema: PageOf("MessagePage", MessageAnswer),
      example: { data: [exampleMessage], next: null },
    },
    refusals: [400, 404],
    handle: ({ core, caller, id, query }) =>
      presentPage(listMessages(core, caller, id, pageRequest(query)), presentMessage),
  }),
  operation({
    id: "markThreadRead",
    method: "POST",
    path: "/messages/{thread}/read",
    group: "Messages",
    summary: "Mark a thread as read",
    description: "Answers with the thread, whose `unread` counts what came in after it.",
    scope: "messages:write",
    param: thread,
    body: ReadMark,
    answer: {
      status: 200,
      description: "The thread",
      schema: ThreadAnswer,
      example: { ...exampleThread, unread: 0 },
    },
    refusals: [400, 404, 409, 422],
    handle: ({ core, caller, id, body, commit }) =>
      commit(() => ({ status: 200, body: presentThread(markRead(core, caller, id, body.up_to)) })),
  }),
  operation({
    id: "acceptThread",
    method: "PUT",
    path: "/messages/{thread}/acceptance",
    group: "Messages",
    summary: "Accept a request",
    description:
      "It stands in your inbox from then on, and whoever began it may write to you where only contacts may. To answer is to accept. Accepting twice changes nothing.",
    scope: "messages:write",
    param: thread,
    answer: { status: 200, description: "The thread", schema: ThreadAnswer, example: exampleThread },
    refusals: [404],
    handle: ({ core, caller, id, commit }) =>
      commit(() => ({ status: 200, body: presentThread(acceptThread(core, caller, id)) })),
  }),
  operation({
    id: "getMessageSettings",
    method: "GET",
    path: "/message-settings",
    group: "Messages",
    summary: "Who may write to you",
    scope: "messages:read",
    answer: {
      status: 200,
      description: "Whose messages you receive",
      schema: SettingsAnswer,
      example: { from: "everybody" },
    },
    refusals: [],
    handle: ({ core, caller }) => ({ status: 200, body: getMessageSettings(core, caller) }),
  }),
  operation({
    id: "setMessageSettings",
    method: "PUT",
    path: "/message-settings",
    group: "Messages",
    summary: "Say who may write to you",
    description:
      "`contacts` are those whom you have written to or answered, or whose request you accepted. Whoever may not is told what a blocked builder is told. What has come stays.",
    scope: "messages:write",
    body: MessageSettings,
    answer: {
      status: 200,
      description: "Whose messages you receive",
      schema: SettingsAnswer,
      example: { from: "contacts" },
    },
    refusals: [400],
    handle: ({ core, caller, body, commit }) =>
      commit(() => ({ status: 200, body: setMessageSettings(core, caller, body) })),
  }),
  operation({
    id: "listBlocks",
    method: "GET",
    path: "/blocks",
    group: "Messages",
    summary: "List whom you have blocked, the latest first",
    scope: "messages:read",
    query: Type.Object(pageParameters),
    answer: {
      status: 200,
      description: "One page of those you have blocked",
      schema: PageOf("BlockPage", BlockAnswer),
      example: {
        data: [{ username: "cy", name: "Cy Lind", created_at: exampleMessage.created_at }],
        next: null,
      },
    },
    refusals: [400],
    handle: ({ core, caller, query }) =>
      presentPage(listBlocks(core, caller, pageRequest(query)), presentBlock),
  }),
  operation({
    id: "blockBuilder",
    method: "PUT",
    path: "/blocks/{username}",
    group: "Messages",
    summary: "Receive no more messages from a builder",
    description: "They are not told. What was written stays. Blocking twice changes nothing.",
    scope: "messages:write",
    param: username,
    answer: { status: 204, description: "They are blocked" },
    refusals: [404, 422],
    handle: ({ core, caller, id, commit }) =>
      commit(() => {
        block(core, caller, id);
        return { status: 204 };
      }),
  }),
  operation({
    id: "unblockBuilder",
    method: "DELETE",
    path: "/blocks/{username}",
    group: "Messages",
    summary: "Let a builder write to you again",
    description: "Changes nothing where they were not blocked.",
    scope: "messages:write",
    param: username,
    answer: { status: 204, description: "They are not blocked" },
    refusals: [404],
    handle: ({ core, caller, id, commit }) =>
      commit(() => {
        unblock(core, caller, id);
        return { status: 204 };
      }),
  }),
];

function presentThread(thread: Thread) {
  const { username, name } = thread.with;
  return {
    id: thread.id,
    with: { username, name },
    unread: thread.unread,
    request: thread.isRequest,
    last: {
      id: thread.last.id,
      mine: thread.last.isMine,
      preview: thread.last.preview,
      created_at: isoTime(thread.last.createdAt),
    },
    created_at: isoTime(thread.createdAt),
  };
}

function presentMessage(message: Message) {
  return {
    id: message.id,
    thread_id: message.threadId,
    from: message.from,
    text: message.text,
    created_at: isoTime(message.createdAt),
  };
}

function presentBlock({ username, name, createdAt }: Block) {
  return { username, name, created_at: isoTime(createdAt) };
}
