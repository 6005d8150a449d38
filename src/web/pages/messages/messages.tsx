/** @jsxImportSource @kitajs/html */
import { check } from "../../../core/ground/check.ts";
import type { CoreError } from "../../../core/ground/errors.ts";
import { listBlocks } from "../../../core/community/messages/blocks.ts";
import {
  countRequests,
  listThreads,
  type MessageBox,
  MessageDraft,
  sendMessage,
  type Thread,
} from "../../../core/community/messages/messages.ts";
import {
  getMessageSettings,
  MESSAGES_FROM,
  type MessagesFrom,
  MessageSettings,
  setMessageSettings,
} from "../../../core/community/messages/reception.ts";
import { field, posted, prose } from "../../request/forms.ts";
import { Heading, initialOf } from "../../parts/layout.tsx";
import { Ago, Choices, Empty, Fault, Field, boundFields, Form, More, Submit } from "../../parts/parts.tsx";
import { nextAddress, pageRequest } from "../../request/reading.ts";
import { type PersonAsk, personal, type View, type PageAsk } from "../../request/route.ts";

const SETTINGS = "/messages/settings";

/** Conversations of two. */
export const messagePages = [
  personal("GET", "/messages", (ask) => boxView(ask, "inbox")),
  personal("GET", "/messages/requests", (ask) => boxView(ask, "requests")),
  personal("GET", SETTINGS, (ask) => settingsView(ask)),
  personal("POST", SETTINGS, async (ask) => {
    const settings = check(MessageSettings, { from: field(ask.form, "from") });
    await ask.write(() => setMessageSettings(ask.core, ask.person.caller, settings));
    return { to: SETTINGS, notice: "saved" };
  }),
  personal("GET", "/messages/new", (ask) => newView(ask)),
  posted(personal, "/messages", newView, async (ask) => {
    const to = field(ask.form, "to").replace(/^@/, "");
    const draft = check(MessageDraft, { to, text: prose(ask.form, "text") });
    const message = await ask.write(() => sendMessage(ask.core, ask.person.caller, draft));
    return { to: `/messages/${message.threadId}`, notice: "sent" };
  }),
  personal("GET", "/messages/blocked", (ask) => blockedView(ask)),
];

/** The pages of messages, with how many requests wait. */
function Places({ ask }: { ask: PersonAsk }) {
  const { path } = ask.context;
  const waiting = countRequests(ask.core, ask.person.caller);
  const places = [
    { href: "/messages", words: "Inbox" },
    {
      href: "/messages/requests",
      words: waiting === 0 ? "Requests" : `Requests (${waiting > 99 ? "99+" : waiting})`,
    },
    { href: SETTINGS, words: "Who may write to you" },
    { href: "/messages/blocked", words: "Blocked" },
  ];
  return (
    <nav class="choice-row" aria-label="Messages">
      {places.map(({ href, words }) => (
        <a href={href} aria-current={path === href ? "page" : undefined} safe>
          {words}
        </a>
      ))}
    </nav>
  );
}

function boxView(ask: PersonAsk, box: MessageBox): View {
  const page = listThreads(ask.core, ask.person.caller, { box }, pageRequest(ask));
  const isInbox = box === "inbox";
  return {
    title: isInbox ? "Messages" : "Requests",
    body: (
      <>
        <Places ask={ask} />
        <Heading
          title={isInbox ? "Messages" : "Requests"}
          action={
            <a class="button primary" href="/messages/new">
              New message
            </a>
          }
        >
          {isInbox ? (
            ""
          ) : (
            <p>
              From builders to whom you have not written. Answer or accept one, and it stands in your inbox.
            </p>
          )}
        </Heading>
        {page.nodes.length === 0 && !isInbox ? (
          <Empty title="No request waits">
            <p>
              What somebody new writes to you stands here first. <a href={SETTINGS}>Who may write to you</a>
            </p>
          </Empty>
        ) : page.nodes.length === 0 ? (
          <Empty title="No conversation yet">
            <p>Write to somebody whose work you like: they see it here, and nobody else does.</p>
          </Empty>
        ) : (
          <ul class="rows">
            {page.nodes.map((thread) => (
              <ThreadRow thread={thread} ask={ask} />
            ))}
          </ul>
        )}
        <More ask={ask} href={nextAddress(ask, page)} />
      </>
    ),
  };
}

const WORDS: Readonly<Record<MessagesFrom, { words: string; hint: string }>> = {
  everybody: {
    words: "Everybody",
    hint: "What somebody new writes waits under Requests until you answer or accept it.",
  },
  contacts: {
    words: "Whom I have written to",
    hint: "You can still begin a conversation with anybody; they can answer.",
  },
  nobody: { words: "Nobody", hint: "Not even in conversations that there are." },
};

function settingsView(ask: PersonAsk): View {
  const { from } = getMessageSettings(ask.core, ask.person.caller);
  return {
    title: "Who may write to you",
    body: (
      <>
        <Places ask={ask} />
        <Heading title="Who may write to you">
          <p>Whoever may not is told no reason. What has come stays.</p>
        </Heading>
        <Form action={SETTINGS} token={ask.formToken} kind="stack">
          <Choices
            legend="Receive messages from"
            name="from"
            type="radio"
            options={MESSAGES_FROM.map((value) => ({ value, ...WORDS[value], isOn: value === from }))}
          />
          <Submit>Save</Submit>
        </Form>
      </>
    ),
  };
}

function ThreadRow({ thread, ask }: { thread: Thread; ask: PageAsk }) {
  const { unread, last } = thread;
  return (
    <li class={unread > 0 ? "thread unread" : "thread"}>
      <span class="monogram" aria-hidden="true" safe>
        {initialOf(thread.with.name)}
      </span>
      <div class="row-main">
        <p class="row-title" dir="auto">
          <a href={`/messages/${thread.id}`} safe>
            {thread.with.name}
          </a>{" "}
          <span class="row-meta">
            <Ago ask={ask} at={last.createdAt} />
          </span>{" "}
          {unread > 0 ? <span class="badge good">{`${unread} unread`}</span> : ""}
        </p>
        <p class="row-meta preview" dir="auto" safe>
          {`${last.mine ? "You: " : ""}${last.preview}`}
        </p>
      </div>
    </li>
  );
}

function newView(ask: PersonAsk, error?: CoreError): View {
  const to = (ask.form.get("to") ?? ask.query.get("to") ?? "").trim();
  return {
    title: "New message",
    error,
    body: (
      <>
        <Heading title="New message">
          <p>
            <a href="/messages">All messages</a>
          </p>
        </Heading>
        <Form action="/messages" token={ask.formToken} kind="stack">
          <Fault ask={ask} error={error} fields={["to", "text"]} />
          <Field name="to" label="To" hint="A username." value={to} ask={ask} error={error} required />
          <MessageText ask={ask} label="Message" error={error} />
          <Submit>Send</Submit>
        </Form>
      </>
    ),
  };
}

export function MessageText({
  ask,
  label,
  error,
}: {
  ask: PersonAsk;
  label: string;
  error: CoreError | undefined;
}) {
  const { TextArea } = boundFields(ask, error);
  return <TextArea name="text" label={label} hint="Markdown, up to 4,000 characters." rows={4} required />;
}

function blockedView(ask: PersonAsk): View {
  const page = listBlocks(ask.core, ask.person.caller, pageRequest(ask));
  return {
    title: "Blocked",
    body: (
      <>
        <Places ask={ask} />
        <Heading title="Blocked">
          <p>They cannot write to you, and are not told.</p>
        </Heading>
        {page.nodes.length === 0 ? (
          <Empty title="Nobody is blocked">
            <p>On somebody's profile you can block them, should it ever be needed.</p>
          </Empty>
        ) : (
          <ul class="rows">
            {page.nodes.map(({ username, name, createdAt }) => (
              <li>
                <div class="row-main">
                  <p class="row-title" dir="auto">
                    <a href={`/@${username}`} safe>
                      {name}
                    </a>
                  </p>
                  <p class="row-meta">
                    <span safe>{`@${username} · `}</span>
                    <Ago ask={ask} at={createdAt} />
                  </p>
                </div>
                <Form
                  action={`/@${username}/unblock`}
                  token={ask.formToken}
                  kind="inline"
                  label={`Unblock ${name}`}
                >
                  <button class="button quiet small">Unblock</button>
                </Form>
              </li>
            ))}
          </ul>
        )}
        <More ask={ask} href={nextAddress(ask, page)} />
      </>
    ),
  };
}
