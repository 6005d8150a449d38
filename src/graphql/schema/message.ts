import { block, listBlocks, type Block, unblock } from "../../core/community/messages/blocks.ts";
import {
  acceptThread,
  countUnread,
  getMessages,
  getThread,
  getThreads,
  listMessagesOf,
  listThreads,
  markRead,
  MESSAGE_BOXES,
  type MessageBox,
  MessageDraft,
  ReadMark,
  sendMessage,
  type Thread,
} from "../../core/community/messages/messages.ts";
import { previewOf } from "../../core/community/messages/preview.ts";
import {
  getMessageSettings,
  MESSAGES_FROM,
  MessageSettings,
  setMessageSettings,
} from "../../core/community/messages/reception.ts";
import { byId } from "../batch.ts";
import { builder } from "../builder.ts";
import { type ConnectionArgs, listed, pageOf } from "../connection.ts";
import type { GraphContext } from "../context.ts";
import { enumOf } from "../inputs.ts";
import { renderedHtml } from "../made.ts";
import { mutation } from "../mutation.ts";
import {
  BuilderRef,
  connectionOf,
  MessageConnection,
  MessageRef,
  node,
  ThreadConnection,
  ThreadRef,
  HTML,
} from "./refs.ts";

node(ThreadRef, {
  description: "Your conversation with one other builder. Nobody but the two sees it.",
  fields: (t) => ({
    with: t.field({ type: BuilderRef, description: "The other one.", resolve: (thread) => thread.with }),
    unread: t.exposeInt("unread", { description: "How many of their messages you have not read." }),
    request: t.exposeBoolean("isRequest", {
      description: "Whether they began it and you have neither answered nor accepted it.",
    }),
    lastMessage: t.field({
      type: MessageRef,
      nullable: true,
      description: "The newest message.",
      resolve: lastMessage,
    }),
    last: t.field({
      type: MessageRef,
      nullable: true,
      description: "The newest message.",
      deprecationReason: "Use `lastMessage`.",
      resolve: lastMessage,
    }),
    createdAt: t.field({
      type: "DateTime",
      description: "When it began.",
      resolve: ({ createdAt }) => createdAt,
    }),
    messages: t.field({
      type: MessageConnection,
      description: "Newest first. Reading them here leaves them unread.",
      args: t.arg.connectionArgs(),
      resolve: ({ id }, args, { core, caller, batch }) =>
        pageOf(batch, "messages", id, args, (ids, request) => listMessagesOf(core, caller, ids, request)),
    }),
  }),
});

/** Of many threads in one read. */
function lastMessage({ last }: Thread, _: object, { core, caller, batch }: GraphContext) {
  return batch("messages", last.id, (ids) => byId(getMessages(core, caller, ids)));
}

node(MessageRef, {
  description: "A direct message.",
  fields: (t) => ({
    thread: t.field({
      type: ThreadRef,
      nullable: true,
      description: "The conversation that it is in. Needs `messages:read`.",
      resolve: ({ threadId }, _, { core, caller, batch }) =>
        batch("threads", threadId, (ids) => byId(getThreads(core, caller, ids))),
    }),
    from: t.field({
      type: BuilderRef,
      description: "Who wrote it.",
      resolve: ({ senderId, from }) => ({ id: senderId, ...from }),
    }),
    mine: t.boolean({
      description: "Whether you wrote it.",
      resolve: ({ senderId }, _, { caller }) => senderId === caller.builderId,
    }),
    text: t.exposeString("text", { description: "Markdown, as it was sent." }),
    textHtml: t.string({ description: HTML, resolve: ({ text }, _, context) => renderedHtml(context, text) }),
    preview: t.string({
      description: "Its beginning: at most 140 characters of plain text.",
      resolve: ({ text }) => previewOf(text),
    }),
    createdAt: t.field({
      type: "DateTime",
      description: "When it was sent.",
      resolve: ({ createdAt }) => createdAt,
    }),
  }),
});

const BlockRef = builder.objectRef<Block>("Block").implement({
  description: "Somebody whose messages you do not want.",
  fields: (t) => ({
    builder: t.field({
      type: BuilderRef,
      description: "Who.",
      resolve: ({ builderId, username, name }) => ({ id: builderId, username, name }),
    }),
    createdAt: t.field({
      type: "DateTime",
      description: "Since when.",
      resolve: ({ createdAt }) => createdAt,
    }),
  }),
});
const BlockConnection = connectionOf(BlockRef, "Block", "blocks");

builder.queryFields((t) => ({
  thread: t.field({
    type: ThreadRef,
    nullable: true,
    description: "One of your threads. Needs `messages:read`. Refused as `not_found` where it is not yours.",
    args: { id: t.arg.id({ required: true, description: "Its identifier." }) },
    resolve: (_root, { id }, { core, caller }) => getThread(core, caller, id),
  }),
}));

/** What the viewer has of messages: fields of theirs alone. */
export const threads = (
  { box, ...args }: ConnectionArgs & { box?: MessageBox | null | undefined },
  { core, caller }: GraphContext,
) => listed(args, (request) => listThreads(core, caller, { box: box ?? undefined }, request));
export const blocks = (args: ConnectionArgs, { core, caller }: GraphContext) =>
  listed(args, (request) => listBlocks(core, caller, request));
export const unread = ({ core, caller }: GraphContext) => countUnread(core, caller);
export { BlockConnection, ThreadConnection };
export const Box = enumOf("MessageBox", MESSAGE_BOXES, "Where a thread stands.", {
  inbox: "You have written in it, or accepted it.",
  requests: "Somebody else began it, and you have neither answered nor accepted it.",
});
const From = enumOf("MessagesFrom", MESSAGES_FROM, "Whose messages somebody receives.", {
  everybody: "Everybody's; what strangers begin is a request.",
  contacts: "Those of whom they have written to or answered, or whose request they accepted.",
  nobody: "Nobody's.",
});
export const Settings = builder.objectRef<MessageSettings>("MessageSettings").implement({
  description: "Who may write to you.",
  fields: (t) => ({
    from: t.field({ type: From, description: "Whose messages you receive.", resolve: ({ from }) => from }),
  }),
});
export const settings = ({ core, caller }: GraphContext) => getMessageSettings(core, caller);

mutation("sendMessage", {
  description:
    "Sends a direct message; the first one makes the thread of the two. Fires `dm.received` for the receiver alone. Needs `messages:write`.",
  once: "messages:write",
  draft: MessageDraft,
  payload: { message: { type: MessageRef, description: "The message." } },
  run: ({ core, caller, draft, commit }) => commit(() => ({ message: sendMessage(core, caller, draft) })),
});

mutation("markThreadRead", {
  description: "Marks a thread as read, all of it or up to a message. Needs `messages:write`.",
  once: "messages:write",
  names: { id: "The thread." },
  draft: ReadMark,
  payload: { thread: { type: ThreadRef, description: "The thread as it is now." } },
  run: ({ core, caller, named, draft, commit }) =>
    commit(() => ({ thread: markRead(core, caller, named.id, draft.up_to) })),
});

mutation("acceptThread", {
  description:
    "Accepts a request: it stands in your inbox from then on. To answer is to accept. Needs `messages:write`.",
  names: { id: "The thread." },
  payload: { thread: { type: ThreadRef, description: "The thread as it is now." } },
  run: ({ core, caller, named, commit }) => commit(() => ({ thread: acceptThread(core, caller, named.id) })),
});

mutation("setMessageSettings", {
  description: "Says who may write to you; what has come stays. Needs `messages:write`.",
  draft: MessageSettings,
  payload: { messageSettings: { type: Settings, description: "What is set now." } },
  run: ({ core, caller, draft, commit }) =>
    commit(() => ({ messageSettings: setMessageSettings(core, caller, draft) })),
});

const BLOCKING = {
  username: { type: "String", description: "The handle that was given." },
  builder: { type: BuilderRef, description: "Whom it is about. Their profile needs `profile:read`." },
};

mutation("blockBuilder", {
  description: "From now on you receive no message of a builder, who is not told. Needs `messages:write`.",
  names: { username: "Their handle, in any case." },
  payload: BLOCKING,
  run: ({ core, caller, named: { username }, commit }) =>
    commit(() => ({ username, builder: { id: block(core, caller, username) } })),
});

mutation("unblockBuilder", {
  description: "Lets a builder write to you again. Needs `messages:write`.",
  names: { username: "Their handle, in any case." },
  payload: BLOCKING,
  run: ({ core, caller, named: { username }, commit }) =>
    commit(() => ({ username, builder: { id: unblock(core, caller, username) } })),
});
