import { number, plural } from "./forms.ts";

/** Conversations of two, requests, who may write. */
export const messages = {
  heading: "Messages",
  all: "All messages",
  newOne: "New message",
  places: {
    inbox: "Inbox",
    requests: "Requests",
    requestsOf: (waiting: number) => `Requests (${waiting > 99 ? "99+" : number(waiting)})`,
    settings: "Who may write to you",
    blocked: "Blocked",
  },
  box: {
    requestsHere: (waiting: number) =>
      waiting > 99
        ? "99+ message requests"
        : plural(waiting, { one: "1 message request", other: "{n} message requests" }),
    requestsFrom: "From builders to whom you have not written.",
    requests:
      "From builders to whom you have not written. Answer or accept one, and it stands in your inbox.",
    noRequest: "No request waits",
    noRequestLead:
      "What somebody new writes to you stands here first. [Who may write to you](/messages/settings)",
    nothing: "No conversation yet",
    nothingLead: "Write to somebody whose work you like: they see it here, and nobody else does.",
    unread: (count: number) => plural(count, { other: "{n} unread" }),
    mine: (text: string) => `You: ${text}`,
  },
  settings: {
    lead: "Whoever may not is told no reason. What has come stays.",
    legend: "Receive messages from",
    save: "Save",
    from: {
      everybody: {
        words: "Everybody",
        hint: "What somebody new writes waits under Requests until you answer or accept it.",
      },
      contacts: {
        words: "Whom I have written to, or follow",
        hint: "You can still begin a conversation with anybody; they can answer.",
      },
      nobody: { words: "Nobody", hint: "Not even in conversations that there are." },
    },
  },
  form: {
    to: "To",
    toHint: "A username.",
    text: "Message",
    textHint: "Markdown, up to 4,000 characters.",
    send: "Send",
  },
  blocked: {
    lead: "They cannot write to you, and are not told.",
    nobody: "Nobody is blocked",
    nobodyLead: "On somebody's profile you can block them, should it ever be needed.",
    unblock: "Unblock",
    unblockOf: (name: string) => `Unblock ${name}`,
  },
  thread: {
    earlier: "Earlier",
    newest: "To the newest",
    answer: "Answer",
    yours: "Your answer",
    you: "You",
    report: "Report",
  },
  request: {
    title: "A request",
    lead: "You have not written to {name} before. Answer or accept, and this stands in your inbox; they are not told that you have read it.",
    accept: "Accept",
    block: "Block",
    blockOf: (name: string) => `Block ${name}`,
  },
};
