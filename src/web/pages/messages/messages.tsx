/** @jsxImportSource @kitajs/html */
import { formOf } from "../../parts/draft-form.tsx";
import type { CoreError } from "../../../core/base/errors.ts";
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
  MessageSettings,
  setMessageSettings,
} from "../../../core/community/messages/message-settings.ts";
import { field, formPage, readDraft, previewedFormPage } from "../../request/forms.ts";
import { Avatar, avatarUrls } from "../../parts/avatar.tsx";
import { Heading } from "../../parts/layout.tsx";
import { Preview, SubmitOrPreview } from "../../parts/preview.tsx";
import { Ago, Empty, Form, More, Rows, Submit } from "../../parts/parts.tsx";
import { nextAddress, pageRequest } from "../../request/paging.ts";
import { type PersonAsk, signedInPage, type View, type PageAsk } from "../../request/route.ts";
import { NotStaffMark } from "../../parts/role-mark.tsx";

const SETTINGS = "/messages/settings";

/** Conversations of two. */
export const messagePages = [
  signedInPage("GET", "/messages", (ask) => boxView(ask, "inbox")),
  signedInPage("GET", "/messages/requests", (ask) => boxView(ask, "requests")),
  signedInPage("GET", SETTINGS, (ask) => settingsView(ask)),
  signedInPage("POST", SETTINGS, async (ask) => {
    const settings = readDraft(MessageSettings, ask.form);
    await ask.write(() => setMessageSettings(ask.core, ask.person.caller, settings));
    return { to: SETTINGS, notice: "saved" };
  }),
  signedInPage("GET", "/messages/new", (ask) => newView(ask)),
  formPage(
    previewedFormPage(signedInPage, (ask) => newView(ask)),
    "/messages",
    newView,
    async (ask) => {
      const to = field(ask.form, "to").replace(/^@/, "");
      const draft = readDraft(MessageDraft, ask.form, { to });
      const message = await ask.write(() => sendMessage(ask.core, ask.person.caller, draft));
      return { to: `/messages/${message.threadId}`, notice: "sent" };
    },
  ),
  signedInPage("GET", "/messages/blocked", (ask) => blockedView(ask)),
];

/** The pages of messages, with how many requests wait. */
function Places({
  ask,
  waiting = countRequests(ask.core, ask.person.caller),
}: {
  ask: PersonAsk;
  waiting?: number;
}) {
  const { path } = ask.context;
  const { heading, places: said } = ask.words.messages;
  const places = [
    { href: "/messages", words: said.inbox },
    {
      href: "/messages/requests",
      words: waiting === 0 ? said.requests : said.requestsOf({ count: ask.words.formats.capped(waiting) }),
    },
    { href: SETTINGS, words: said.settings },
    { href: "/messages/blocked", words: said.blocked },
  ];
  return (
    <nav class="choice-row" aria-label={heading}>
      {places.map(({ href, words }) => (
        <a href={href} aria-current={path === href ? "page" : undefined} safe>
          {words}
        </a>
      ))}
    </nav>
  );
}

function boxView(ask: PersonAsk, box: MessageBox): View {
  const words = ask.words.messages.box;
  const page = listThreads(ask.core, ask.person.caller, { box }, pageRequest(ask));
  const avatars = avatarUrls(
    ask.core,
    page.nodes.map((thread) => thread.with.id),
  );
  const isInbox = box === "inbox";
  const waiting = countRequests(ask.core, ask.person.caller);
  return {
    title: isInbox ? ask.words.messages.heading : ask.words.messages.places.requests,
    body: (
      <>
        <Places ask={ask} waiting={waiting} />
        <Heading
          title={isInbox ? ask.words.messages.heading : ask.words.messages.places.requests}
          action={
            <a class="button primary" href="/messages/new">
              {ask.words.messages.newOne}
            </a>
          }
        >
          {isInbox ? "" : <p>{words.requests}</p>}
        </Heading>
        {isInbox && waiting > 0 ? <ToRequests ask={ask} waiting={waiting} /> : ""}
        {page.nodes.length === 0 && !isInbox ? (
          <Empty title={words.noRequest}>
            <p>{words.noRequestLead}</p>
          </Empty>
        ) : page.nodes.length === 0 ? (
          <Empty title={words.nothing}>
            <p>{words.nothingLead}</p>
          </Empty>
        ) : (
          <ul class="rows">
            {page.nodes.map((thread) => (
              <ThreadRow thread={thread} ask={ask} picture={avatars.get(thread.with.id)} />
            ))}
          </ul>
        )}
        <More ask={ask} href={nextAddress(ask, page)} />
      </>
    ),
  };
}

/** The way from the inbox to the messages of strangers. */
function ToRequests({ ask, waiting }: { ask: PersonAsk; waiting: number }) {
  const words = ask.words.messages.box;
  return (
    <a class="to-requests" href="/messages/requests">
      <strong>{words.requestsHere({ count: waiting, shown: ask.words.formats.capped(waiting) })}</strong>{" "}
      <span class="row-meta">{words.requestsFrom}</span>
    </a>
  );
}

function settingsView(ask: PersonAsk): View {
  const stored = getMessageSettings(ask.core, ask.person.caller);
  const words = ask.words.messages.settings;
  const { Form, Choices } = formOf(ask, MessageSettings, { words, stored });
  return {
    title: ask.words.messages.places.settings,
    body: (
      <>
        <Places ask={ask} />
        <Heading title={ask.words.messages.places.settings}>
          <p>{words.lead}</p>
        </Heading>
        <Form action={SETTINGS}>
          <Choices
            name="from"
            of="legend"
            type="radio"
            option={(value: MessageSettings["from"]) => words.from[value]}
          />
          <Submit>{words.save}</Submit>
        </Form>
      </>
    ),
  };
}

function ThreadRow({ thread, ask, picture }: { thread: Thread; ask: PageAsk; picture: string | undefined }) {
  const { unread, last } = thread;
  const words = ask.words.messages.box;
  return (
    <li class={unread > 0 ? "thread unread" : "thread"}>
      <Avatar username={thread.with.username} picture={picture} />
      <div class="row-main">
        <p class="row-title" dir="auto">
          <a href={`/messages/${thread.id}`} safe>
            {thread.with.name}
          </a>
          <NotStaffMark ask={ask} who={thread.with} />{" "}
          <span class="row-meta">
            <Ago ask={ask} at={last.createdAt} />
          </span>{" "}
          {unread > 0 ? <span class="badge good">{words.unread({ count: unread })}</span> : ""}
        </p>
        <p class="row-meta last-said" dir="auto" safe>
          {last.mine ? words.mine({ text: last.preview }) : last.preview}
        </p>
      </div>
    </li>
  );
}

function newView(ask: PersonAsk, error?: CoreError): View {
  const words = ask.words.messages.form;
  const stored = { to: ask.query.get("to")?.trim() };
  const { Form, Field, TextArea } = formOf(ask, MessageDraft, { words, error, stored });
  return {
    title: ask.words.messages.newOne,
    error,
    body: (
      <>
        <Heading title={ask.words.messages.newOne}>
          <p>
            <a href="/messages">{ask.words.messages.all}</a>
          </p>
        </Heading>
        <Form action="/messages">
          <Preview ask={ask} below={1} />
          <Field name="to" required />
          <TextArea name="text" />
          <SubmitOrPreview ask={ask}>{words.send}</SubmitOrPreview>
        </Form>
      </>
    ),
  };
}

function blockedView(ask: PersonAsk): View {
  const words = ask.words.messages.blocked;
  const page = listBlocks(ask.core, ask.person.caller, pageRequest(ask));
  return {
    title: ask.words.messages.places.blocked,
    body: (
      <>
        <Places ask={ask} />
        <Heading title={ask.words.messages.places.blocked}>
          <p>{words.lead}</p>
        </Heading>
        <Rows
          nodes={page.nodes}
          empty={words.nobody}
          lead={words.nobodyLead}
          row={({ username, name, createdAt }) => (
            <li>
              <div class="row-main">
                <p class="row-title" dir="auto">
                  <a href={`/@${username}`} safe>
                    {name}
                  </a>
                  <NotStaffMark ask={ask} who={{ username, name }} />
                </p>
                <p class="row-meta">
                  <span safe>{`@${username} · `}</span>
                  <Ago ask={ask} at={createdAt} />
                </p>
              </div>
              <Form
                action={`/@${username}/unblock`}
                ask={ask}
                kind="inline"
                label={words.unblockOf({ name })}
              >
                <button class="button quiet small">{words.unblock}</button>
              </Form>
            </li>
          )}
        />
        <More ask={ask} href={nextAddress(ask, page)} />
      </>
    ),
  };
}
