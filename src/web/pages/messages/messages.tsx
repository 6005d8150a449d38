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
import { type PersonContext, signedInPage, type View, type PageContext } from "../../request/route.ts";
import { NotStaffMark } from "../../parts/role-mark.tsx";

const SETTINGS = "/messages/settings";

/** Conversations between two members. */
export const messagePages = [
  signedInPage("GET", "/messages", (ctx) => boxView(ctx, "inbox")),
  signedInPage("GET", "/messages/requests", (ctx) => boxView(ctx, "requests")),
  signedInPage("GET", SETTINGS, (ctx) => settingsView(ctx)),
  signedInPage("POST", SETTINGS, async (ctx) => {
    const settings = readDraft(MessageSettings, ctx.form);
    await ctx.write(() => setMessageSettings(ctx.core, ctx.person.caller, settings));
    return { to: SETTINGS, notice: "saved" };
  }),
  signedInPage("GET", "/messages/new", (ctx) => newView(ctx)),
  formPage(
    previewedFormPage(signedInPage, (ctx) => newView(ctx)),
    "/messages",
    newView,
    async (ctx) => {
      const to = field(ctx.form, "to").replace(/^@/, "");
      const draft = readDraft(MessageDraft, ctx.form, { to });
      const message = await ctx.write(() => sendMessage(ctx.core, ctx.person.caller, draft));
      return { to: `/messages/${message.threadId}`, notice: "sent" };
    },
  ),
  signedInPage("GET", "/messages/blocked", (ctx) => blockedView(ctx)),
];

/** The tabs of the message pages, with the number of waiting requests. */
function Tabs({
  ctx,
  waiting = countRequests(ctx.core, ctx.person.caller),
}: {
  ctx: PersonContext;
  waiting?: number;
}) {
  const { path } = ctx.context;
  const { heading, places: said } = ctx.messages.messages;
  const places = [
    { href: "/messages", label: said.inbox },
    {
      href: "/messages/requests",
      label: waiting === 0 ? said.requests : said.requestsOf({ count: ctx.messages.formats.capped(waiting) }),
    },
    { href: SETTINGS, label: said.settings },
    { href: "/messages/blocked", label: said.blocked },
  ];
  return (
    <nav class="choice-row" aria-label={heading}>
      {places.map(({ href, label }) => (
        <a href={href} aria-current={path === href ? "page" : undefined} safe>
          {label}
        </a>
      ))}
    </nav>
  );
}

function boxView(ctx: PersonContext, box: MessageBox): View {
  const messages = ctx.messages.messages.box;
  const page = listThreads(ctx.core, ctx.person.caller, { box }, pageRequest(ctx));
  const avatars = avatarUrls(
    ctx.core,
    page.nodes.map((thread) => thread.with.id),
  );
  const isInbox = box === "inbox";
  const waiting = countRequests(ctx.core, ctx.person.caller);
  return {
    title: isInbox ? ctx.messages.messages.heading : ctx.messages.messages.places.requests,
    body: (
      <>
        <Tabs ctx={ctx} waiting={waiting} />
        <Heading
          title={isInbox ? ctx.messages.messages.heading : ctx.messages.messages.places.requests}
          action={
            <a class="button primary" href="/messages/new">
              {ctx.messages.messages.newOne}
            </a>
          }
        >
          {isInbox ? "" : <p>{messages.requests}</p>}
        </Heading>
        {isInbox && waiting > 0 ? <ToRequests ctx={ctx} waiting={waiting} /> : ""}
        {page.nodes.length === 0 && !isInbox ? (
          <Empty title={messages.noRequest}>
            <p>{messages.noRequestLead}</p>
          </Empty>
        ) : page.nodes.length === 0 ? (
          <Empty title={messages.nothing}>
            <p>{messages.nothingLead}</p>
          </Empty>
        ) : (
          <ul class="rows">
            {page.nodes.map((thread) => (
              <ThreadRow thread={thread} ctx={ctx} picture={avatars.get(thread.with.id)} />
            ))}
          </ul>
        )}
        <More ctx={ctx} href={nextAddress(ctx, page)} />
      </>
    ),
  };
}

/** The link from the inbox to the message requests. */
function ToRequests({ ctx, waiting }: { ctx: PersonContext; waiting: number }) {
  const messages = ctx.messages.messages.box;
  return (
    <a class="to-requests" href="/messages/requests">
      <strong>
        {messages.requestsHere({ count: waiting, shown: ctx.messages.formats.capped(waiting) })}
      </strong>{" "}
      <span class="row-meta">{messages.requestsFrom}</span>
    </a>
  );
}

function settingsView(ctx: PersonContext): View {
  const stored = getMessageSettings(ctx.core, ctx.person.caller);
  const messages = ctx.messages.messages.settings;
  const { Form, Choices } = formOf(ctx, MessageSettings, { messages, stored });
  return {
    title: ctx.messages.messages.places.settings,
    body: (
      <>
        <Tabs ctx={ctx} />
        <Heading title={ctx.messages.messages.places.settings}>
          <p>{messages.lead}</p>
        </Heading>
        <Form action={SETTINGS}>
          <Choices
            name="from"
            of="legend"
            type="radio"
            option={(value: MessageSettings["from"]) => messages.from[value]}
          />
          <Submit>{messages.save}</Submit>
        </Form>
      </>
    ),
  };
}

function ThreadRow({
  thread,
  ctx,
  picture,
}: {
  thread: Thread;
  ctx: PageContext;
  picture: string | undefined;
}) {
  const { unread, last } = thread;
  const messages = ctx.messages.messages.box;
  return (
    <li class={unread > 0 ? "thread unread" : "thread"}>
      <Avatar username={thread.with.username} picture={picture} />
      <div class="row-main">
        <p class="row-title" dir="auto">
          <a href={`/messages/${thread.id}`} safe>
            {thread.with.name}
          </a>
          <NotStaffMark ctx={ctx} who={thread.with} />{" "}
          <span class="row-meta">
            <Ago ctx={ctx} at={last.createdAt} />
          </span>{" "}
          {unread > 0 ? <span class="badge good">{messages.unread({ count: unread })}</span> : ""}
        </p>
        <p class="row-meta last-said" dir="auto" safe>
          {last.mine ? messages.mine({ text: last.preview }) : last.preview}
        </p>
      </div>
    </li>
  );
}

function newView(ctx: PersonContext, error?: CoreError): View {
  const messages = ctx.messages.messages.form;
  const stored = { to: ctx.query.get("to")?.trim() };
  const { Form, Field, TextArea } = formOf(ctx, MessageDraft, { messages, error, stored });
  return {
    title: ctx.messages.messages.newOne,
    error,
    body: (
      <>
        <Heading title={ctx.messages.messages.newOne}>
          <p>
            <a href="/messages">{ctx.messages.messages.all}</a>
          </p>
        </Heading>
        <Form action="/messages">
          <Preview ctx={ctx} below={1} />
          <Field name="to" required />
          <TextArea name="text" />
          <SubmitOrPreview ctx={ctx}>{messages.send}</SubmitOrPreview>
        </Form>
      </>
    ),
  };
}

function blockedView(ctx: PersonContext): View {
  const messages = ctx.messages.messages.blocked;
  const page = listBlocks(ctx.core, ctx.person.caller, pageRequest(ctx));
  return {
    title: ctx.messages.messages.places.blocked,
    body: (
      <>
        <Tabs ctx={ctx} />
        <Heading title={ctx.messages.messages.places.blocked}>
          <p>{messages.lead}</p>
        </Heading>
        <Rows
          nodes={page.nodes}
          empty={messages.nobody}
          lead={messages.nobodyLead}
          row={({ username, name, createdAt }) => (
            <li>
              <div class="row-main">
                <p class="row-title" dir="auto">
                  <a href={`/@${username}`} safe>
                    {name}
                  </a>
                  <NotStaffMark ctx={ctx} who={{ username, name }} />
                </p>
                <p class="row-meta">
                  <span safe>{`@${username} · `}</span>
                  <Ago ctx={ctx} at={createdAt} />
                </p>
              </div>
              <Form
                action={`/@${username}/unblock`}
                ctx={ctx}
                kind="inline"
                label={messages.unblockOf({ name })}
              >
                <button class="button quiet small">{messages.unblock}</button>
              </Form>
            </li>
          )}
        />
        <More ctx={ctx} href={nextAddress(ctx, page)} />
      </>
    ),
  };
}
