import { block, listBlocks, type Block, unblock } from "../../core/messages/blocks.ts";
import {
  countUnread,
  getThread,
  getThreads,
  listMessagesOf,
  listThreads,
  markRead,
  MessageDraft,
  ReadMark,
  sendMessage,
  type Thread,
} from "../../core/messages/messages.ts";
import { byId } from "../batch.ts";
import { builder } from "../builder.ts";
import { type ConnectionArgs, pageOf, pageRequest, toConnection } from "../connection.ts";
import type { GraphContext } from "../context.ts";
import { mutation } from "../mutation.ts";
import {
  BuilderRef,
  connectionOf,
  MessageConnection,
  MessageRef,
  node,
  ThreadConnection,
  ThreadRef,
} from "./refs.ts";

const Last = builder.objectRef<Thread["last"]>("LastMessage").implement({
  description: "The newest message of a thread, in brief.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "The message's identifier." }),
    mine: t.boolean({ description: "Whether you wrote it.", resolve: ({ isMine }) => isMine }),
    preview: t.exposeString("preview", { description: "At most 140 characters of plain text." }),
    createdAt: t.field({
      type: "DateTime",
      description: "When it was sent.",
      resolve: ({ createdAt }) => createdAt,
    }),
  }),
});

node(ThreadRef, {
  description: "Your conversation with one other builder. Nobody but the two sees it.",
  fields: (t) => ({
    with: t.field({ type: BuilderRef, description: "The other one.", resolve: (thread) => thread.with }),
    unread: t.exposeInt("unread", { description: "How many of their messages you have not read." }),
    last: t.field({ type: Last, description: "The newest message.", resolve: ({ last }) => last }),
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
    text: t.exposeString("text", { description: "Markdown, as it was sent." }),
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
export const threads = (args: ConnectionArgs, { core, caller }: GraphContext) =>
  toConnection(listThreads(core, caller, pageRequest(args)));
export const blocks = (args: ConnectionArgs, { core, caller }: GraphContext) =>
  toConnection(listBlocks(core, caller, pageRequest(args)));
export const unread = ({ core, caller }: GraphContext) => countUnread(core, caller);
export { BlockConnection, ThreadConnection };

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

mutation("blockBuilder", {
  description: "From now on you receive no message of a builder, who is not told. Needs `messages:write`.",
  names: { username: "Their handle, in any case." },
  payload: { username: { type: "String", description: "The handle that was given." } },
  run: ({ core, caller, named: { username }, commit }) =>
    commit(() => {
      block(core, caller, username);
      return { username };
    }),
});

mutation("unblockBuilder", {
  description: "Lets a builder write to you again. Needs `messages:write`.",
  names: { username: "Their handle, in any case." },
  payload: { username: { type: "String", description: "The handle that was given." } },
  run: ({ core, caller, named: { username }, commit }) =>
    commit(() => {
      unblock(core, caller, username);
      return { username };
    }),
});
