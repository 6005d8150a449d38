/** @jsxImportSource @kitajs/html */
import { formOf } from "../../parts/draft-form.tsx";
import type { CoreError } from "../../../core/base/errors.ts";
import { listBlocks } from "../../../core/community/messages/blocks.ts";
import {
  listThreads,
  type MessageBox,
  MessageDraft,
  sendMessage,
} from "../../../core/community/messages/messages.ts";
import {
  getMessageSettings,
  MessageSettings,
  setMessageSettings,
} from "../../../core/community/messages/message-settings.ts";
import { field, formPage, readDraft, previewedFormPage } from "../../request/forms.ts";
import { Heading, Views } from "../../parts/layout.tsx";
import { Preview, SubmitOrPreview } from "../../parts/preview.tsx";
import { Ago, Empty, Form, More, Rows, Submit } from "../../parts/parts.tsx";
import { nextAddress, pageRequest } from "../../request/paging.ts";
import { type PersonContext, signedInPage, type View } from "../../request/route.ts";
import { NotStaffMark } from "../../parts/role-mark.tsx";
import { BackToList, Conversations, conversationsBeside, ToRequests } from "./conversations.tsx";

const SETTINGS = "/messages/settings";
const BLOCKED = "/messages/blocked";

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
  signedInPage("GET", BLOCKED, (ctx) => blockedView(ctx)),
];

function boxView(ctx: PersonContext, box: MessageBox): View {
  const { heading, places, box: messages, newOne } = ctx.messages.messages;
  const isInbox = box === "inbox";
  const title = isInbox ? heading : places.requests;
  const page = listThreads(ctx.core, ctx.person.caller, { box }, pageRequest(ctx));
  const newMessage = (
    <a class="button primary" href="/messages/new">
      {newOne}
    </a>
  );
  return {
    title,
    body: (
      <div class="talk-pair">
        <div class="talks">
          <Heading title={title} action={isInbox ? newMessage : ""}>
            {isInbox ? (
              ""
            ) : (
              <p>
                {messages.requests} <a href="/messages">{ctx.messages.messages.all}</a>
              </p>
            )}
          </Heading>
          {isInbox ? <ToRequests ctx={ctx} /> : ""}
          {page.nodes.length > 0 ? (
            <Conversations ctx={ctx} threads={page.nodes} />
          ) : isInbox ? (
            <Empty title={messages.nothing}>
              <p>{messages.nothingLead}</p>
            </Empty>
          ) : (
            <Empty title={messages.noRequest}>
              <p>{messages.noRequestLead}</p>
            </Empty>
          )}
          <More ctx={ctx} href={nextAddress(ctx, page)} />
          <p class="talks-foot">
            <a href={SETTINGS}>{places.settings}</a>
          </p>
        </div>
        {page.nodes.length > 0 ? (
          <div class="talk-none">
            <Empty title={messages.choose}>
              <p>{messages.chooseLead}</p>
            </Empty>
          </div>
        ) : (
          ""
        )}
      </div>
    ),
  };
}

function Tabs({ ctx }: { ctx: PersonContext }) {
  const { places } = ctx.messages.messages;
  return (
    <Views
      ctx={ctx}
      label={ctx.messages.layout.sections.messages}
      views={[
        { href: SETTINGS, label: places.settings },
        { href: BLOCKED, label: places.blocked },
      ]}
    />
  );
}

function settingsView(ctx: PersonContext): View {
  const stored = getMessageSettings(ctx.core, ctx.person.caller);
  const messages = ctx.messages.messages.settings;
  const { Form, Choices } = formOf(ctx, MessageSettings, { messages, stored });
  return {
    title: ctx.messages.messages.places.settings,
    section: "messages",
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

function newView(ctx: PersonContext, error?: CoreError): View {
  const messages = ctx.messages.messages.form;
  const stored = { to: ctx.query.get("to")?.trim() };
  const { Form, Field, TextArea } = formOf(ctx, MessageDraft, { messages, error, stored });
  return {
    title: ctx.messages.messages.newOne,
    error,
    list: conversationsBeside(ctx, "inbox"),
    body: (
      <>
        <BackToList ctx={ctx} />
        <Heading title={ctx.messages.messages.newOne} />
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
    section: "messages",
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
