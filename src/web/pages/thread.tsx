/** @jsxImportSource @kitajs/html */
import { check } from "../../core/check.ts";
import type { CoreError } from "../../core/errors.ts";
import {
  getThread,
  listMessages,
  markRead,
  type Message,
  MessageDraft,
  sendMessage,
} from "../../core/messages/messages.ts";
import { orAgain, prose } from "../forms.ts";
import { Heading } from "../layout.tsx";
import { renderMarkdown } from "../markdown.ts";
import { Ago, Button, Fault, Form, More } from "../parts.tsx";
import { nextAddress, pageRequest } from "../reading.ts";
import { type PersonAsk, personal, type View } from "../route.ts";
import { MessageText } from "./messages.tsx";

/** One conversation: the oldest message of a page on top, the newest right above the box for the answer. */
export const threadPages = [
  personal("GET", "/messages/:id", async (ask) => {
    await readWhatIsShown(ask);
    return threadView(ask);
  }),
  personal("POST", "/messages/:id", (ask) => {
    const thread = threadOf(ask);
    return orAgain(
      async () => {
        const draft = check(MessageDraft, { to: thread.with.username, text: prose(ask.form, "text") });
        await ask.write(() => sendMessage(ask.core, ask.person.caller, draft));
        return { to: `/messages/${thread.id}#end` };
      },
      (error) => threadView(ask, error),
    );
  }),
];

function threadOf(ask: PersonAsk) {
  return getThread(ask.core, ask.person.caller, ask.params["id"] ?? "");
}

/**
 * Up to the newest message on the page, so that one that comes in meanwhile stays unread. A browser that only fetches ahead what somebody
 * might open (Fetch, «Sec-Purpose») has shown it to nobody.
 */
async function readWhatIsShown(ask: PersonAsk): Promise<void> {
  const { core, person, query } = ask;
  const thread = threadOf(ask);
  const isAhead = ask.visit.request.headers.get("sec-purpose")?.includes("prefetch") ?? false;
  if (thread.unread === 0 || query.has("cursor") || isAhead) return;
  await core.db.write(() => markRead(core, person.caller, thread.id, thread.last.id));
}

function threadView(ask: PersonAsk, error?: CoreError): View {
  const { core, person } = ask;
  const thread = threadOf(ask);
  const page = listMessages(core, person.caller, thread.id, pageRequest(ask));
  const here = `/messages/${thread.id}`;
  return {
    title: thread.with.name,
    error,
    body: (
      <>
        <Heading title={thread.with.name}>
          <p>
            <a href={`/@${thread.with.username}`} safe>{`@${thread.with.username}`}</a> ·{" "}
            <a href="/messages">All messages</a>
          </p>
        </Heading>
        <More href={nextAddress(ask, page, here)} words="Earlier" />
        <ol class="talk" aria-label="Messages">
          {page.nodes.toReversed().map((message) => (
            <MessageItem
              message={message}
              isMine={message.senderId === person.caller.builderId}
              now={core.clock.now()}
            />
          ))}
        </ol>
        {ask.query.has("cursor") ? (
          <p class="more">
            <a class="button quiet" href={here}>
              To the newest
            </a>
          </p>
        ) : (
          ""
        )}
        <Form action={here} token={ask.formToken} kind="part stack" label="Answer">
          <Fault error={error} fields={["text"]} />
          <MessageText ask={ask} label="Your answer" error={error} />
          <div class="actions" id="end">
            <Button>Send</Button>
          </div>
        </Form>
      </>
    ),
  };
}

function MessageItem({ message, isMine, now }: { message: Message; isMine: boolean; now: number }) {
  return (
    <li class={isMine ? "message mine" : "message"}>
      <p class="row-meta">
        <span safe>{isMine ? "You" : message.from.name}</span> · <Ago at={message.createdAt} now={now} />
      </p>
      <div class="prose">{renderMarkdown(message.text, 1)}</div>
    </li>
  );
}
