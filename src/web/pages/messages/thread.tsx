/** @jsxImportSource @kitajs/html */
import { formOf } from "../../parts/draft-form.tsx";
import { MINUTE } from "../../../core/base/clock.ts";
import type { CoreError } from "../../../core/base/errors.ts";
import {
  acceptThread,
  getThread,
  listMessages,
  markRead,
  type Message,
  MessageDraft,
  sendMessage,
  type Thread,
} from "../../../core/community/messages/messages.ts";
import { markAbout } from "../../../core/services/notifications/notifications.ts";
import { maintenanceOf } from "../../../core/identity/maintenance/maintenance.ts";
import { showAgainOnError, readDraft, previewOrSubmit } from "../../request/forms.ts";
import { Avatar, avatarUrls } from "../../parts/avatar.tsx";
import { groupByDay } from "../../parts/days.ts";
import { Heading } from "../../parts/layout.tsx";
import { PreviewButton, Preview } from "../../parts/preview.tsx";
import { namesOf } from "../../../core/community/mentions/mentions.ts";
import type { NameOf } from "../../../core/base/names.ts";
import { renderMarkdown } from "../../../core/base/markdown.ts";
import { Button, Card, Form, More, TimeAs } from "../../parts/parts.tsx";
import { nextAddress, pageRequest, isFetchedAhead } from "../../request/paging.ts";
import { type PersonContext, signedInPage, type View, type PageContext } from "../../request/route.ts";
import { NotStaffMark } from "../../parts/role-mark.tsx";
import { BackToList, conversationsBeside } from "./conversations.tsx";

/**
 * A conversation, by day. The oldest message of a page is at the top, the newest right above the reply field.
 */
export const threadPages = [
  signedInPage("GET", "/messages/:id", async (ctx) => {
    const thread = threadOf(ctx);
    await markShownAsRead(ctx, thread);
    return threadView(ctx, thread);
  }),
  signedInPage("POST", "/messages/:id/accept", async (ctx) => {
    const thread = threadOf(ctx);
    await ctx.write(() => acceptThread(ctx.core, ctx.person.caller, thread.id));
    return { to: `/messages/${thread.id}`, notice: "request-accepted" };
  }),
  signedInPage(
    "POST",
    "/messages/:id",
    previewOrSubmit(
      (ctx) => threadView(ctx, threadOf(ctx)),
      (ctx) => {
        const thread = threadOf(ctx);
        return showAgainOnError(
          async () => {
            const draft = readDraft(MessageDraft, ctx.form, { to: thread.with.username });
            await ctx.write(() => sendMessage(ctx.core, ctx.person.caller, draft));
            return { to: `/messages/${thread.id}#end` };
          },
          (error) => threadView(ctx, threadOf(ctx), error),
        );
      },
    ),
  ),
];

function threadOf(ctx: PersonContext) {
  return getThread(ctx.core, ctx.person.caller, ctx.params["id"] ?? "");
}

/** Marks messages as read up to the newest one on the page. A message that arrives meanwhile stays unread. */
async function markShownAsRead(ctx: PersonContext, thread: Thread): Promise<void> {
  const { core, person, query } = ctx;
  // In maintenance mode, the conversation is shown but not marked as read.
  if (thread.unread === 0 || query.has("cursor") || isFetchedAhead(ctx) || maintenanceOf(core)) return;
  await core.db.write(() => {
    markRead(core, person.caller, thread.id, thread.last.id);
    markAbout(core, person.caller, thread.id);
  });
}

function threadView(ctx: PersonContext, thread: Thread, error?: CoreError): View {
  const messages = ctx.messages.messages.thread;
  const { core, person } = ctx;
  const { id, username, name } = thread.with;
  const page = listMessages(core, person.caller, thread.id, pageRequest(ctx));
  const nameOf = namesOf(core, page.nodes);
  const here = `/messages/${thread.id}`;
  const isNewest = !ctx.query.has("cursor");
  const box = thread.request ? "requests" : "inbox";
  const picture = avatarUrls(core, [id]).get(id);
  const answer = formOf(ctx, MessageDraft, { messages: ctx.messages.messages.form, error });
  return {
    title: name,
    error,
    list: conversationsBeside(ctx, box, thread.id),
    body: (
      <>
        <BackToList ctx={ctx} box={box} />
        <div class="talk-with">
          <Avatar username={username} picture={picture} />
          <Heading title={name}>
            <p>
              <a href={`/@${username}`} safe>{`@${username}`}</a>
              <NotStaffMark ctx={ctx} who={thread.with} />
            </p>
          </Heading>
        </div>
        {thread.request ? <Request ctx={ctx} thread={thread} /> : ""}
        <More ctx={ctx} href={nextAddress(ctx, page, here)} label={messages.earlier} />
        <div class="talk" data-talk={isNewest ? thread.id : undefined}>
          {groupByDay(ctx, page.nodes.toReversed(), ({ createdAt }) => createdAt).map(
            ({ heading, items }) => (
              <section>
                <h2 safe>{heading}</h2>
                <ol>
                  {items.map((message, index) => (
                    <MessageItem
                      message={message}
                      isMine={message.senderId === person.caller.builderId}
                      isFirst={!isContinued(items[index - 1], message)}
                      picture={picture}
                      nameOf={nameOf(message.id)}
                      ctx={ctx}
                    />
                  ))}
                </ol>
              </section>
            ),
          )}
        </div>
        {isNewest ? (
          ""
        ) : (
          <p class="more">
            <a class="button quiet" href={`${here}#end`}>
              {messages.newest}
            </a>
          </p>
        )}
        <div id="end" />
        <answer.Form
          action={here}
          kind="talk-form"
          label={messages.answer}
          inPlace={thread.request ? undefined : true}
        >
          <Preview ctx={ctx} below={1} />
          <answer.TextArea name="text" label={messages.yours} placeholder={messages.yours} rows={2} />
          <div class="actions">
            <Button>{ctx.messages.messages.form.send}</Button>
            <PreviewButton ctx={ctx} />
          </div>
        </answer.Form>
      </>
    ),
  };
}

/** Messages of one member within this time are shown without repeating the name. */
const RUN_MS = 10 * MINUTE;

function isContinued(previous: Message | undefined, { senderId, createdAt }: Message): boolean {
  return previous?.senderId === senderId && createdAt - previous.createdAt < RUN_MS;
}

/** The choices for a message request. A reply accepts the request, too. */
function Request({ ctx, thread }: { ctx: PersonContext; thread: Thread }) {
  const messages = ctx.messages.messages.request;
  const { username, name } = thread.with;
  return (
    <Card kind="gap" title={messages.title}>
      <p>{messages.lead({ name: <bdi safe>{name}</bdi> })}</p>
      <div class="actions below">
        <Form action={`/messages/${thread.id}/accept`} ctx={ctx} kind="inline">
          <Button>{messages.accept}</Button>
        </Form>
        <Form action={`/@${username}/block`} ctx={ctx} kind="inline" label={messages.blockOf({ name })}>
          <Button kind="quiet">{messages.block}</Button>
        </Form>
      </div>
    </Card>
  );
}

function MessageItem({
  message,
  isMine,
  isFirst,
  picture,
  nameOf,
  ctx,
}: {
  message: Message;
  isMine: boolean;
  /** Whether the message begins a run of messages of one member. */
  isFirst: boolean;
  picture: string | undefined;
  nameOf: NameOf | undefined;
  ctx: PageContext;
}) {
  const messages = ctx.messages.messages.thread;
  const { id, from, text, createdAt } = message;
  return (
    <li class={["message", isMine && "mine", isFirst && "first"]} id={id}>
      {isFirst && !isMine ? <Avatar username={from.username} picture={picture} /> : ""}
      <p class={isFirst ? "row-meta" : "unseen"}>
        <bdi safe>{isMine ? messages.you : from.name}</bdi> ·{" "}
        <TimeAs ctx={ctx} at={createdAt} text={ctx.messages.formats.clockTime(createdAt, ctx.zone.name)} />
      </p>
      <div class="said">
        <div class="prose" dir="auto">
          {renderMarkdown(text, { below: 2, id, nameOf })}
        </div>
        {isMine ? (
          ""
        ) : (
          <a class="said-more" href={`/report/${id}`}>
            {messages.report}
          </a>
        )}
      </div>
    </li>
  );
}
