/** @jsxImportSource @kitajs/html */
import { formOf } from "../../parts/draft-form.tsx";
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
import { Heading } from "../../parts/layout.tsx";
import { PreviewButton, Preview } from "../../parts/preview.tsx";
import { namesOf } from "../../../core/community/mentions/mentions.ts";
import type { NameOf } from "../../../core/base/names.ts";
import { renderMarkdown } from "../../../core/base/markdown.ts";
import { Ago, Button, Card, Form, More } from "../../parts/parts.tsx";
import { nextAddress, pageRequest, isFetchedAhead } from "../../request/paging.ts";
import { type PersonContext, signedInPage, type View, type PageContext } from "../../request/route.ts";
import { NotStaffMark } from "../../parts/role-mark.tsx";

/** A conversation. The oldest message of a page is at the top, the newest right above the reply field. */
export const threadPages = [
  signedInPage("GET", "/messages/:id", async (ctx) => {
    await markShownAsRead(ctx);
    return threadView(ctx);
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
      (ctx) => threadView(ctx),
      (ctx) => {
        const thread = threadOf(ctx);
        return showAgainOnError(
          async () => {
            const draft = readDraft(MessageDraft, ctx.form, { to: thread.with.username });
            await ctx.write(() => sendMessage(ctx.core, ctx.person.caller, draft));
            return { to: `/messages/${thread.id}#end` };
          },
          (error) => threadView(ctx, error),
        );
      },
    ),
  ),
];

function threadOf(ctx: PersonContext) {
  return getThread(ctx.core, ctx.person.caller, ctx.params["id"] ?? "");
}

/** Marks messages as read up to the newest one on the page. A message that arrives meanwhile stays unread. */
async function markShownAsRead(ctx: PersonContext): Promise<void> {
  const { core, person, query } = ctx;
  const thread = threadOf(ctx);
  // In maintenance mode, the conversation is shown but not marked as read.
  if (thread.unread === 0 || query.has("cursor") || isFetchedAhead(ctx) || maintenanceOf(core)) return;
  await core.db.write(() => {
    markRead(core, person.caller, thread.id, thread.last.id);
    markAbout(core, person.caller, thread.id);
  });
}

function threadView(ctx: PersonContext, error?: CoreError): View {
  const messages = ctx.messages.messages.thread;
  const { core, person } = ctx;
  const thread = threadOf(ctx);
  const page = listMessages(core, person.caller, thread.id, pageRequest(ctx));
  const nameOf = namesOf(core, page.nodes);
  const here = `/messages/${thread.id}`;
  const answer = formOf(ctx, MessageDraft, { messages: ctx.messages.messages.form, error });
  return {
    title: thread.with.name,
    error,
    body: (
      <>
        <Heading title={thread.with.name}>
          <p>
            <a href={`/@${thread.with.username}`} safe>{`@${thread.with.username}`}</a>
            <NotStaffMark ctx={ctx} who={thread.with} /> · <a href="/messages">{ctx.messages.messages.all}</a>
          </p>
        </Heading>
        {thread.request ? <Request ctx={ctx} thread={thread} /> : ""}
        <More ctx={ctx} href={nextAddress(ctx, page, here)} label={messages.earlier} />
        <ol
          class="talk"
          aria-label={ctx.messages.messages.heading}
          data-talk={ctx.query.has("cursor") ? undefined : thread.id}
        >
          {page.nodes.toReversed().map((message) => (
            <MessageItem
              message={message}
              isMine={message.senderId === person.caller.builderId}
              nameOf={nameOf(message.id)}
              ctx={ctx}
            />
          ))}
        </ol>
        {ctx.query.has("cursor") && (
          <p class="more">
            <a class="button quiet" href={here}>
              {messages.newest}
            </a>
          </p>
        )}
        <answer.Form action={here} kind="part stack" label={messages.answer}>
          <Preview ctx={ctx} below={1} />
          <answer.TextArea name="text" label={messages.yours} />
          <div class="actions" id="end">
            <Button>{ctx.messages.messages.form.send}</Button>
            <PreviewButton ctx={ctx} />
          </div>
        </answer.Form>
      </>
    ),
  };
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
  nameOf,
  ctx,
}: {
  message: Message;
  isMine: boolean;
  nameOf: NameOf | undefined;
  ctx: PageContext;
}) {
  const messages = ctx.messages.messages.thread;
  return (
    <li class={isMine ? "message mine" : "message"} id={message.id}>
      <p class="row-meta">
        <bdi safe>{isMine ? messages.you : message.from.name}</bdi> · <Ago ctx={ctx} at={message.createdAt} />
        {isMine ? (
          ""
        ) : (
          <>
            {" "}
            · <a href={`/report/${message.id}`}>{messages.report}</a>
          </>
        )}
      </p>
      <div class="prose" dir="auto">
        {renderMarkdown(message.text, { below: 1, id: message.id, nameOf })}
      </div>
    </li>
  );
}
