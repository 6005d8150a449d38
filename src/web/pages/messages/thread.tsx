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
import { type PersonAsk, signedInPage, type View, type PageAsk } from "../../request/route.ts";
import { NotStaffMark } from "../../parts/role-mark.tsx";

/** One conversation: the oldest message of a page on top, the newest right above the box for the answer. */
export const threadPages = [
  signedInPage("GET", "/messages/:id", async (ask) => {
    await readWhatIsShown(ask);
    return threadView(ask);
  }),
  signedInPage("POST", "/messages/:id/accept", async (ask) => {
    const thread = threadOf(ask);
    await ask.write(() => acceptThread(ask.core, ask.person.caller, thread.id));
    return { to: `/messages/${thread.id}`, notice: "request-accepted" };
  }),
  signedInPage(
    "POST",
    "/messages/:id",
    previewOrSubmit(
      (ask) => threadView(ask),
      (ask) => {
        const thread = threadOf(ask);
        return showAgainOnError(
          async () => {
            const draft = readDraft(MessageDraft, ask.form, { to: thread.with.username });
            await ask.write(() => sendMessage(ask.core, ask.person.caller, draft));
            return { to: `/messages/${thread.id}#end` };
          },
          (error) => threadView(ask, error),
        );
      },
    ),
  ),
];

function threadOf(ask: PersonAsk) {
  return getThread(ask.core, ask.person.caller, ask.params["id"] ?? "");
}

/**
 * Up to the newest message on the page, so that one that comes in meanwhile stays unread.
 */
async function readWhatIsShown(ask: PersonAsk): Promise<void> {
  const { core, person, query } = ask;
  const thread = threadOf(ask);
  // In maintenance, too, it can be read, and is unread afterwards.
  if (thread.unread === 0 || query.has("cursor") || isFetchedAhead(ask) || maintenanceOf(core)) return;
  await core.db.write(() => {
    markRead(core, person.caller, thread.id, thread.last.id);
    markAbout(core, person.caller, thread.id);
  });
}

function threadView(ask: PersonAsk, error?: CoreError): View {
  const words = ask.words.messages.thread;
  const { core, person } = ask;
  const thread = threadOf(ask);
  const page = listMessages(core, person.caller, thread.id, pageRequest(ask));
  const nameOf = namesOf(core, page.nodes);
  const here = `/messages/${thread.id}`;
  const answer = formOf(ask, MessageDraft, { words: ask.words.messages.form, error });
  return {
    title: thread.with.name,
    error,
    body: (
      <>
        <Heading title={thread.with.name}>
          <p>
            <a href={`/@${thread.with.username}`} safe>{`@${thread.with.username}`}</a>
            <NotStaffMark ask={ask} who={thread.with} /> · <a href="/messages">{ask.words.messages.all}</a>
          </p>
        </Heading>
        {thread.request ? <Request ask={ask} thread={thread} /> : ""}
        <More ask={ask} href={nextAddress(ask, page, here)} words={words.earlier} />
        <ol
          class="talk"
          aria-label={ask.words.messages.heading}
          data-talk={ask.query.has("cursor") ? undefined : thread.id}
        >
          {page.nodes.toReversed().map((message) => (
            <MessageItem
              message={message}
              isMine={message.senderId === person.caller.builderId}
              nameOf={nameOf(message.id)}
              ask={ask}
            />
          ))}
        </ol>
        {ask.query.has("cursor") && (
          <p class="more">
            <a class="button quiet" href={here}>
              {words.newest}
            </a>
          </p>
        )}
        <answer.Form action={here} kind="part stack" label={words.answer}>
          <Preview ask={ask} below={1} />
          <answer.TextArea name="text" label={words.yours} />
          <div class="actions" id="end">
            <Button>{ask.words.messages.form.send}</Button>
            <PreviewButton ask={ask} />
          </div>
        </answer.Form>
      </>
    ),
  };
}

/** The choices for a message request. A reply accepts it, too. */
function Request({ ask, thread }: { ask: PersonAsk; thread: Thread }) {
  const words = ask.words.messages.request;
  const { username, name } = thread.with;
  return (
    <Card kind="gap" title={words.title}>
      <p>{words.lead({ name: <bdi safe>{name}</bdi> })}</p>
      <div class="actions below">
        <Form action={`/messages/${thread.id}/accept`} ask={ask} kind="inline">
          <Button>{words.accept}</Button>
        </Form>
        <Form action={`/@${username}/block`} ask={ask} kind="inline" label={words.blockOf({ name })}>
          <Button kind="quiet">{words.block}</Button>
        </Form>
      </div>
    </Card>
  );
}

function MessageItem({
  message,
  isMine,
  nameOf,
  ask,
}: {
  message: Message;
  isMine: boolean;
  nameOf: NameOf | undefined;
  ask: PageAsk;
}) {
  const words = ask.words.messages.thread;
  return (
    <li class={isMine ? "message mine" : "message"} id={message.id}>
      <p class="row-meta">
        <bdi safe>{isMine ? words.you : message.from.name}</bdi> · <Ago ask={ask} at={message.createdAt} />
        {isMine ? (
          ""
        ) : (
          <>
            {" "}
            · <a href={`/report/${message.id}`}>{words.report}</a>
          </>
        )}
      </p>
      <div class="prose" dir="auto">
        {renderMarkdown(message.text, { below: 1, id: message.id, nameOf })}
      </div>
    </li>
  );
}
