import { block, BlockView, listBlocks, unblock } from "../core/community/messages/blocks.ts";
import {
  acceptThread,
  listMessages,
  listThreads,
  markRead,
  MessageDraft,
  MessageView,
  ReadMark,
  sendMessage,
  ThreadFilter,
  ThreadView,
} from "../core/community/messages/messages.ts";
import {
  getMessageSettings,
  MessageSettings,
  setMessageSettings,
} from "../core/community/messages/message-settings.ts";
import { pickFields } from "../core/base/view.ts";
import { USERNAME } from "../core/identity/builders/author.ts";
import { area, list, read, write } from "./operation.ts";

const SettingsView = pickFields("MessageSettings", MessageSettings, ["from"]);

const thread = {
  name: "thread",
  description: "The identifier of the conversation.",
  example: "thr_01kafzq8e5f2r8v0j3n6s1t4wx",
};
const username = { ...USERNAME, example: "cy" };

export const messageOperations = area("Messages", {
  listThreads: list({
    route: "GET /messages",
    summary: "List your conversations",
    description:
      "Returns conversations. The one with the newest message comes first. Set `box` to `inbox` for conversations that you take part in. Set `box` to `requests` for conversations that others started and that you have neither answered nor accepted. Without `box`, both are returned.",
    scope: "messages:read",
    filter: ThreadFilter,
    view: ThreadView,
    page: "ThreadPage",
    responseDescription: "One page of your conversations",
    run: ({ core, caller, filter, page }) => listThreads(core, caller, filter, page),
  }),
  sendMessage: write({
    route: "POST /messages",
    summary: "Send a direct message",
    description:
      "Two builders share one conversation. The first message starts it. The conversation is a request until the recipient answers or accepts. Fires `dm.received` for the recipient only. You can start 20 conversations in 24 hours. A newcomer can send 3 messages in 24 hours to builders who have not written to them.",
    restDescription:
      "Returns 403 if the builder does not accept messages from you, and 409 if you have blocked them. Returns 422 if you write to yourself, and 429 if you reach a limit.",
    scope: "messages:write",
    effect: "creates",
    draft: MessageDraft,
    view: MessageView,
    responseDescription: "The message",
    refusals: [404],
    run: ({ core, caller, draft }) => sendMessage(core, caller, draft),
    locationOf: ({ threadId }) => `/messages/${threadId}`,
  }),
  listMessages: list({
    route: "GET /messages/{thread}",
    summary: "List the messages in a conversation",
    description: "Returns messages, newest first. Fetching messages does not mark them as read.",
    restDescription: "Returns 404 for a conversation that is not yours.",
    scope: "messages:read",
    param: thread,
    view: MessageView,
    page: "MessagePage",
    responseDescription: "One page of the conversation",
    run: ({ core, caller, id, page }) => listMessages(core, caller, id, page),
  }),
  markThreadRead: write({
    route: "POST /messages/{thread}/read",
    summary: "Mark a conversation as read",
    description:
      "Marks all messages in the conversation, or only those up to the message you name. Afterwards, `unread` counts the messages that arrived later.",
    scope: "messages:write",
    effect: "changes",
    param: thread,
    draft: ReadMark,
    view: ThreadView,
    example: { unread: 0 },
    responseDescription: "The conversation",
    run: ({ core, caller, id, draft }) => markRead(core, caller, id, draft.up_to),
  }),
  acceptThread: write({
    route: "PUT /messages/{thread}/acceptance",
    summary: "Accept a message request",
    description:
      "Moves the conversation to your inbox and makes the sender one of your contacts. Answering a request also accepts it. Accepting again changes nothing.",
    scope: "messages:write",
    effect: "changes",
    param: thread,
    view: ThreadView,
    responseDescription: "The conversation",
    run: ({ core, caller, id }) => acceptThread(core, caller, id),
  }),
  getMessageSettings: read({
    route: "GET /message-settings",
    summary: "Retrieve your message settings",
    description: "Returns who can write to you.",
    scope: "messages:read",
    view: SettingsView,
    example: { from: "everybody" },
    responseDescription: "Your message settings",
    run: ({ core, caller }) => getMessageSettings(core, caller),
  }),
  setMessageSettings: write({
    route: "PUT /message-settings",
    summary: "Change your message settings",
    description:
      "Sets who can write to you. `contacts` are builders you follow, have written to, or have answered, and builders whose request you accepted. Anyone else gets the same error as a blocked builder. You keep the messages that you already have.",
    scope: "messages:write",
    effect: "changes",
    draft: MessageSettings,
    view: SettingsView,
    responseDescription: "Your message settings",
    run: ({ core, caller, draft }) => setMessageSettings(core, caller, draft),
  }),
  listBlocks: list({
    route: "GET /blocks",
    summary: "List the builders you blocked",
    description: "Returns builders, most recently blocked first.",
    scope: "messages:read",
    view: BlockView,
    page: "BlockPage",
    example: { username: "cy", name: "Cy Lind" },
    responseDescription: "One page of the builders you blocked",
    run: ({ core, caller, page }) => listBlocks(core, caller, page),
  }),
  blockBuilder: write({
    route: "PUT /blocks/{username}",
    summary: "Block a builder",
    description:
      "The builder can no longer write to you, and is not notified of the block. Neither of you follows the other any more. Existing messages stay. Blocking again changes nothing.",
    restDescription: "Returns 422 if you try to block yourself.",
    scope: "messages:write",
    effect: "changes",
    param: username,
    responseDescription: "The builder is blocked",
    refusals: [422],
    run: ({ core, caller, id }) => block(core, caller, id),
  }),
  unblockBuilder: write({
    route: "DELETE /blocks/{username}",
    summary: "Unblock a builder",
    description:
      "The builder can write to you again. Unblocking a builder who is not blocked changes nothing.",
    scope: "messages:write",
    effect: "changes",
    param: username,
    responseDescription: "The builder is not blocked",
    run: ({ core, caller, id }) => unblock(core, caller, id),
  }),
});
