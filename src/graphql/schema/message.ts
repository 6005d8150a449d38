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
  description: "Your conversation with one other builder. Nobody but the two sees it.",
  kind: "thr",
  many: getThreads,
  view: ThreadView,
  fields: (t) => ({
    with: t.field({ type: BuilderRef, description: "The other one.", resolve: (thread) => thread.with }),
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
      description: "Newest first. Reading them here leaves them unread.",
      args: t.arg.connectionArgs(),
      resolve: ({ id }, args, { core, caller, batch }) =>
        batchedConnection(batch, "messages", id, args, (ids, request) =>
          listMessagesOf(core, caller, ids, request),
        ),
    }),
  }),
});

/** The last message of a thread, read for many threads at once. */
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
      description: `${descriptionOf(MessageView.properties.threadId)} Needs \`messages:read\`.`,
      resolve: ({ threadId }, _, context) => nodeOf(context, threadId) as never,
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
    textHtml: t.string({
      description: HTML,
      resolve: ({ id, text }, _, context) => mentionsHtml(context, { id, text }),
    }),
    preview: t.string({
      description: "Its beginning: at most 140 characters of plain text.",
      resolve: ({ text }) => previewOf(text),
    }),
  }),
});

const BlockRef = derivedNode<Block>("Block", BlockView, {
  description: "Somebody whose messages you do not want.",
  kind: "blk",
  partsOf: ({ builderId: blocked }, { builderId }) => [builderId ?? "", blocked],
  many: (core, caller, parts) => getBlocks(core, caller, namesOf(parts)),
  out: ["username", "name"],
  fields: (t) => ({
    builder: t.field({
      type: BuilderRef,
      description: "Who.",
      resolve: ({ builderId, username, name }) => ({ id: builderId, username, name }),
    }),
  }),
});
export const BlockConnection = connectionOf(BlockRef, "Block", "blocks");

builder.queryFields((t) => ({
  thread: t.field({
    type: ThreadRef,
    nullable: true,
    description: "One of your threads. Needs `messages:read`. Refused as `not_found` where it is not yours.",
    args: { id: t.arg.id({ required: true, description: "Its identifier." }) },
    resolve: (_root, { id }, { core, caller }) => getThread(core, caller, id),
  }),
}));

enumOf("MessageBox", MESSAGE_BOXES, "Where a thread stands.", {
  inbox: "You have written in it, or accepted it.",
  requests: "Somebody else began it, and you have neither answered nor accepted it.",
});
enumOf("MessagesFrom", MESSAGES_FROM, "Whose messages somebody receives.", {
  everybody: "Everybody's; what strangers begin is a request.",
  contacts:
    "Those of whom they have written to or answered, whose request they accepted, or whom they follow.",
  nobody: "Nobody's.",
});
export const MessageSettingsRef = output<MessageSettings>(
  "MessageSettings",
  MessageSettings,
  "Who may write to you.",
);

const THREAD = { payload: { thread: { type: ThreadRef, description: "The thread as it is now." } } };
const BLOCKING = {
  payload: {
    username: { type: "String", description: "The handle that was given." },
    builder: { type: BuilderRef, description: "Whom it is about. Their profile needs `profile:read`." },
  },
  show: (builderId: string, { id }: OperationRequest) => ({ username: id, builder: { id: builderId } }),
};

mutationOf(messageOperations.sendMessage, {
  payload: { message: { type: MessageRef, description: "The message." } },
});
mutationOf(messageOperations.markThreadRead, THREAD);
mutationOf(messageOperations.acceptThread, THREAD);
mutationOf(messageOperations.setMessageSettings, {
  payload: { messageSettings: { type: MessageSettingsRef, description: "What is set now." } },
});
mutationOf(messageOperations.blockBuilder, BLOCKING);
mutationOf(messageOperations.unblockBuilder, BLOCKING);
