import { type Block, BlockView, getBlocks } from "../../core/community/messages/blocks.ts";
import {
  getMessages,
  getThread,
  getThreads,
  listMessagesOf,
  type Message,
  MESSAGE_BOXES,
  MessageView,
  type Thread,
  ThreadView,
} from "../../core/community/messages/messages.ts";
import { previewOf } from "../../core/base/title.ts";
import { MESSAGES_FROM, MessageSettings } from "../../core/community/messages/message-settings.ts";
import { descriptionOf } from "../../core/base/view.ts";
import { messageOperations } from "../../operations/messages.ts";
import type { OperationRequest } from "../../operations/operation.ts";
import { builder } from "../builder.ts";
import { batchedConnection } from "../connection.ts";
import type { GraphContext } from "../context.ts";
import { enumOf } from "../inputs.ts";
import { mentionsHtml } from "../rendered-text.ts";
import { mutationOf } from "../mutation.ts";
import { nodeOf } from "../nodes.ts";
import { output } from "../outputs.ts";
import { derivedNode, namesOf } from "./derived-node.ts";
import { BuilderRef, connectionOf, MessageConnection, MessageRef, node, ThreadRef, HTML } from "./refs.ts";

node(ThreadRef, {
  description: "Your conversation with one other builder. Only the two of you can see it.",
  kind: "thr",
  many: getThreads,
  view: ThreadView,
  fields: (t) => ({
    with: t.field({ type: BuilderRef, description: "The other builder.", resolve: (thread) => thread.with }),
    lastMessage: t.field({
      type: MessageRef,
      nullable: true,
      description: descriptionOf(ThreadView.properties.last),
      resolve: lastMessage,
    }),
    last: t.field({
      type: MessageRef,
      nullable: true,
      description: descriptionOf(ThreadView.properties.last),
      deprecationReason: "Use `lastMessage`.",
      resolve: lastMessage,
    }),
    messages: t.field({
      type: MessageConnection,
      description:
        "The messages in the conversation, newest first. Fetching messages does not mark them as read.",
      args: t.arg.connectionArgs(),
      resolve: ({ id }, args, { core, caller, batch }) =>
        batchedConnection(batch, "messages", id, args, (ids, request) =>
          listMessagesOf(core, caller, ids, request),
        ),
    }),
  }),
});

/** Reads the last message of a thread, in one batch for all threads. */
function lastMessage({ last }: Thread, _: object, context: GraphContext) {
  return nodeOf<Message>(context, last.id);
}

node(MessageRef, {
  description: "A direct message.",
  kind: "msg",
  many: getMessages,
  view: MessageView,
  out: ["threadId"],
  fields: (t) => ({
    thread: t.field({
      type: ThreadRef,
      nullable: true,
      description: `${descriptionOf(MessageView.properties.threadId)} Requires the \`messages:read\` scope.`,
      resolve: ({ threadId }, _, context) => nodeOf(context, threadId) as never,
    }),
    from: t.field({
      type: BuilderRef,
      description: "The sender.",
      resolve: ({ senderId, from }) => ({ id: senderId, ...from }),
    }),
    mine: t.boolean({
      description: "Whether you sent the message.",
      resolve: ({ senderId }, _, { caller }) => senderId === caller.builderId,
    }),
    textHtml: t.string({
      description: HTML,
      resolve: ({ id, text }, _, context) => mentionsHtml(context, { id, text }),
    }),
    preview: t.string({
      description: "The beginning of the message as plain text, at most 140 characters.",
      resolve: ({ text }) => previewOf(text),
    }),
  }),
});

const BlockRef = derivedNode<Block>("Block", BlockView, {
  description: "A builder you blocked.",
  kind: "blk",
  partsOf: ({ builderId: blocked }, { builderId }) => [builderId ?? "", blocked],
  many: (core, caller, parts) => getBlocks(core, caller, namesOf(parts)),
  out: ["username", "name"],
  fields: (t) => ({
    builder: t.field({
      type: BuilderRef,
      description: "The blocked builder.",
      resolve: ({ builderId, username, name }) => ({ id: builderId, username, name }),
    }),
  }),
});
export const BlockConnection = connectionOf(BlockRef, "Block", "blocks");

builder.queryFields((t) => ({
  thread: t.field({
    type: ThreadRef,
    nullable: true,
    description:
      "One of your conversations. Requires the `messages:read` scope. Returns a `not_found` error if the conversation is not yours.",
    args: { id: t.arg.id({ required: true, description: "The identifier of the conversation." }) },
    resolve: (_root, { id }, { core, caller }) => getThread(core, caller, id),
  }),
}));

enumOf("MessageBox", MESSAGE_BOXES, "One of your two lists of conversations.", {
  inbox: "Conversations that you have written in or accepted.",
  requests: "Conversations that others started and that you have neither answered nor accepted.",
});
enumOf("MessagesFrom", MESSAGES_FROM, "The builders who can send direct messages to you.", {
  everybody: "Everyone. If another builder starts a conversation, it is a request.",
  contacts:
    "Builders you follow, have written to, or have answered, and builders whose request you accepted.",
  nobody: "Nobody.",
});
export const MessageSettingsRef = output<MessageSettings>(
  "MessageSettings",
  MessageSettings,
  "Your message settings.",
);

const THREAD = { payload: { thread: { type: ThreadRef, description: "The conversation." } } };
const BLOCKING = {
  payload: {
    username: { type: "String", description: "The username that you sent." },
    builder: {
      type: BuilderRef,
      description: "The builder. Reading the profile requires the `profile:read` scope.",
    },
  },
  toPayload: (builderId: string, { id }: OperationRequest) => ({ username: id, builder: { id: builderId } }),
};

mutationOf(messageOperations.sendMessage, {
  payload: { message: { type: MessageRef, description: "The message." } },
});
mutationOf(messageOperations.markThreadRead, THREAD);
mutationOf(messageOperations.acceptThread, THREAD);
mutationOf(messageOperations.setMessageSettings, {
  payload: { messageSettings: { type: MessageSettingsRef, description: "Your message settings." } },
});
mutationOf(messageOperations.blockBuilder, BLOCKING);
mutationOf(messageOperations.unblockBuilder, BLOCKING);
