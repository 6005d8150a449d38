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

const thread = { name: "thread", description: "The thread.", example: "thr_01kafzq8e5f2r8v0j3n6s1t4wx" };
const username = { ...USERNAME, example: "cy" };

export const messageOperations = area("Messages", {
  listThreads: list({
    at: "GET /messages",
    summary: "List your threads, the one with the newest message first",
    description:
      "`box` asks for those that you take part in (`inbox`) or those that strangers began and you have neither answered nor accepted (`requests`); without it, all.",
    scope: "messages:read",
    filter: ThreadFilter,
    view: ThreadView,
    page: "ThreadPage",
    gives: "One page of your threads",
    run: ({ core, caller, filter, page }) => listThreads(core, caller, filter, page),
  }),
  sendMessage: write({
    at: "POST /messages",
    summary: "Send a direct message to a builder",
    description:
      "The two of you have one thread; the first message makes it, as a request of yours until they answer or accept it. Fires `dm.received` for the receiver alone. At most 20 new threads in 24 hours, 3 in your first week.",
    restDescription:
      "A builder who does not receive messages from you is 403, one whom you have blocked 409, yourself 422, one thread too many 429.",
    scope: "messages:write",
    effect: "makes",
    draft: MessageDraft,
    view: MessageView,
    gives: "The message",
    refusals: [404],
    run: ({ core, caller, draft }) => sendMessage(core, caller, draft),
    place: ({ threadId }) => `/messages/${threadId}`,
  }),
  listMessages: list({
    at: "GET /messages/{thread}",
    summary: "List the messages of a thread, newest first",
    description: "Reading them here leaves them unread.",
    restDescription: "A thread that is not yours is 404.",
    scope: "messages:read",
    param: thread,
    view: MessageView,
    page: "MessagePage",
    gives: "One page of the thread",
    run: ({ core, caller, id, page }) => listMessages(core, caller, id, page),
  }),
  markThreadRead: write({
    at: "POST /messages/{thread}/read",
    summary: "Mark a thread as read, all of it or up to a message",
    description: "The `unread` of the thread counts what came in after it.",
    scope: "messages:write",
    effect: "changes",
    param: thread,
    draft: ReadMark,
    view: ThreadView,
    example: { unread: 0 },
    gives: "The thread",
    run: ({ core, caller, id, draft }) => markRead(core, caller, id, draft.up_to),
  }),
  acceptThread: write({
    at: "PUT /messages/{thread}/acceptance",
    summary: "Accept a request",
    description:
      "It stands in your inbox from then on, and whoever began it may write to you where only contacts may. To answer is to accept. Accepting twice changes nothing.",
    scope: "messages:write",
    effect: "changes",
    param: thread,
    view: ThreadView,
    gives: "The thread",
    run: ({ core, caller, id }) => acceptThread(core, caller, id),
  }),
  getMessageSettings: read({
    at: "GET /message-settings",
    summary: "Who may write to you",
    scope: "messages:read",
    view: SettingsView,
    example: { from: "everybody" },
    gives: "Whose messages you receive",
    run: ({ core, caller }) => getMessageSettings(core, caller),
  }),
  setMessageSettings: write({
    at: "PUT /message-settings",
    summary: "Say who may write to you",
    description:
      "`contacts` are those whom you have written to or answered, whose request you accepted, or whom you follow. Whoever may not is told what a blocked builder is told. What has come stays.",
    scope: "messages:write",
    effect: "changes",
    draft: MessageSettings,
    view: SettingsView,
    gives: "Whose messages you receive",
    run: ({ core, caller, draft }) => setMessageSettings(core, caller, draft),
  }),
  listBlocks: list({
    at: "GET /blocks",
    summary: "List whom you have blocked, the latest first",
    scope: "messages:read",
    view: BlockView,
    page: "BlockPage",
    example: { username: "cy", name: "Cy Lind" },
    gives: "One page of those you have blocked",
    run: ({ core, caller, page }) => listBlocks(core, caller, page),
  }),
  blockBuilder: write({
    at: "PUT /blocks/{username}",
    summary: "Receive no more messages from a builder",
    description: "They are not told. What was written stays. Blocking twice changes nothing.",
    scope: "messages:write",
    effect: "changes",
    param: username,
    gives: "They are blocked",
    refusals: [422],
    run: ({ core, caller, id }) => block(core, caller, id),
  }),
  unblockBuilder: write({
    at: "DELETE /blocks/{username}",
    summary: "Let a builder write to you again",
    description: "Changes nothing where they were not blocked.",
    scope: "messages:write",
    effect: "changes",
    param: username,
    gives: "They are not blocked",
    run: ({ core, caller, id }) => unblock(core, caller, id),
  }),
});
