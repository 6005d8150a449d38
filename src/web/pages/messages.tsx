/** @jsxImportSource @kitajs/html */
import { check } from "../../core/check.ts";
import type { CoreError } from "../../core/errors.ts";
import { listBlocks } from "../../core/messages/blocks.ts";
import { listThreads, MessageDraft, sendMessage, type Thread } from "../../core/messages/messages.ts";
import { field, orAgain, prose } from "../forms.ts";
import { Heading, initialOf } from "../layout.tsx";
import { Ago, Button, Empty, Fault, Field, Form, More, TextArea } from "../parts.tsx";
import { nextAddress, pageRequest } from "../reading.ts";
import { type PersonAsk, personal, type View } from "../route.ts";

/** Conversations of two. */
export const messagePages = [
  personal("GET", "/messages", (ask) => inboxView(ask)),
  personal("GET", "/messages/new", (ask) => newView(ask)),
  personal("POST", "/messages", (ask) =>
    orAgain(
      async () => {
        const to = field(ask.form, "to").replace(/^@/, "");
        const draft = check(MessageDraft, { to, text: prose(ask.form, "text") });
        const message = await ask.write(() => sendMessage(ask.core, ask.person.caller, draft));
        return { to: `/messages/${message.threadId}`, notice: "sent" };
      },
      (error) => newView(ask, error),
    ),
  ),
  personal("GET", "/messages/blocked", (ask) => blockedView(ask)),
];

function inboxView(ask: PersonAsk): View {
  const page = listThreads(ask.core, ask.person.caller, pageRequest(ask));
  return {
    title: "Messages",
    body: (
      <>
        <Heading
          title="Messages"
          action={
            <a class="button primary" href="/messages/new">
              New message
            </a>
          }
        >
          <p>
            <a href="/messages/blocked">Whom you have blocked</a>
          </p>
        </Heading>
        {page.nodes.length === 0 ? (
          <Empty title="No conversation yet">
            <p>Write to somebody whose work you like: they see it here, and nobody else does.</p>
          </Empty>
        ) : (
          <ul class="rows">
            {page.nodes.map((thread) => (
              <ThreadRow thread={thread} now={ask.core.clock.now()} />
            ))}
          </ul>
        )}
        <More href={nextAddress(ask, page)} />
      </>
    ),
  };
}

function ThreadRow({ thread, now }: { thread: Thread; now: number }) {
  const { unread, last } = thread;
  return (
    <li class={unread > 0 ? "thread unread" : "thread"}>
      <span class="monogram" aria-hidden="true" safe>
        {initialOf(thread.with.name)}
      </span>
      <div class="row-main">
        <p class="row-title">
          <a href={`/messages/${thread.id}`} safe>
            {thread.with.name}
          </a>{" "}
          <span class="row-meta">
            <Ago at={last.createdAt} now={now} />
          </span>{" "}
          {unread > 0 ? <span class="badge good">{`${unread} unread`}</span> : ""}
        </p>
        <p class="row-meta preview" safe>
          {`${last.isMine ? "You: " : ""}${last.preview}`}
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
          <Fault error={error} fields={["to", "text"]} />
          <Field name="to" label="To" hint="A username." value={to} error={error} required />
          <MessageText ask={ask} label="Message" error={error} />
          <div class="actions">
            <Button>Send</Button>
          </div>
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
  return (
    <TextArea
      name="text"
      label={label}
      hint="Markdown, up to 4,000 characters."
      value={prose(ask.form, "text")}
      rows={4}
      error={error}
      required
    />
  );
}

function blockedView(ask: PersonAsk): View {
  const page = listBlocks(ask.core, ask.person.caller, pageRequest(ask));
  return {
    title: "Blocked",
    body: (
      <>
        <Heading title="Blocked">
          <p>They can not write to you, and are not told.</p>
          <p>
            <a href="/messages">All messages</a>
          </p>
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
                  <p class="row-title">
                    <a href={`/@${username}`} safe>
                      {name}
                    </a>
                  </p>
                  <p class="row-meta">
                    <span safe>{`@${username} · `}</span>
                    <Ago at={createdAt} now={ask.core.clock.now()} />
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
        <More href={nextAddress(ask, page)} />
      </>
    ),
  };
}
