/** @jsxImportSource @kitajs/html */
import {
  countRequests,
  listThreads,
  type MessageBox,
  type Thread,
} from "../../../core/community/messages/messages.ts";
import { Avatar, avatarUrls } from "../../parts/avatar.tsx";
import { Ago } from "../../parts/parts.tsx";
import { NotStaffMark } from "../../parts/role-mark.tsx";
import { PAGE_SIZE } from "../../request/paging.ts";
import type { PersonContext, View } from "../../request/route.ts";

/** A list of conversations. `current` is the id of the open one. */
export function Conversations({
  ctx,
  threads,
  current,
}: {
  ctx: PersonContext;
  threads: readonly Thread[];
  current?: string | undefined;
}) {
  const pictures = avatarUrls(
    ctx.core,
    threads.map((thread) => thread.with.id),
  );
  return (
    <ul class="talk-list">
      {threads.map((thread) => (
        <li>
          <Conversation
            ctx={ctx}
            thread={thread}
            picture={pictures.get(thread.with.id)}
            isOpen={thread.id === current}
          />
        </li>
      ))}
    </ul>
  );
}

/** The link leads to the newest message, which is at the end of the page. */
function Conversation({
  ctx,
  thread: { id, unread, last, ...thread },
  picture,
  isOpen,
}: {
  ctx: PersonContext;
  thread: Thread;
  picture: string | undefined;
  isOpen: boolean;
}) {
  const messages = ctx.messages.messages.box;
  return (
    <a
      class={unread > 0 ? "talk-row unread" : "talk-row"}
      href={`/messages/${id}#end`}
      aria-current={isOpen ? "page" : undefined}
    >
      <Avatar username={thread.with.username} picture={picture} />
      <span class="talk-who">
        <bdi safe>{thread.with.name}</bdi>
        <NotStaffMark ctx={ctx} who={thread.with} />
      </span>
      <Ago ctx={ctx} at={last.createdAt} />
      <span class="last-said" dir="auto" safe>
        {last.mine ? messages.mine({ text: last.preview }) : last.preview}
      </span>
      {unread > 0 ? (
        <span class="count">
          <span aria-hidden="true" safe>
            {ctx.messages.formats.capped(unread)}
          </span>
          <span class="unseen">{messages.unread({ count: unread })}</span>
        </span>
      ) : (
        ""
      )}
    </a>
  );
}

/** The link from the inbox to the message requests, if any exist. */
export function ToRequests({ ctx }: { ctx: PersonContext }) {
  const messages = ctx.messages.messages.box;
  const count = countRequests(ctx.core, ctx.person.caller);
  if (count === 0) return "";
  return (
    <a class="to-requests" href="/messages/requests">
      <strong>{messages.requestsHere({ count, shown: ctx.messages.formats.capped(count) })}</strong>{" "}
      <span class="row-meta">{messages.requestsFrom}</span>
    </a>
  );
}

/**
 * The newest conversations of a box, for the column beside a conversation on wide screens. The live script
 * replaces the list together with the open conversation.
 */
export function conversationsBeside(ctx: PersonContext, box: MessageBox, current?: string): View["list"] {
  const { heading, newOne, all, places } = ctx.messages.messages;
  const page = listThreads(ctx.core, ctx.person.caller, { box }, { limit: PAGE_SIZE });
  const [title, href] = box === "inbox" ? [heading, "/messages"] : [places.requests, "/messages/requests"];
  return {
    label: title,
    body: (
      <>
        <p class="talks-head">
          <a href={href}>{title}</a>
          {box === "inbox" ? (
            <a class="button quiet small" href="/messages/new">
              {newOne}
            </a>
          ) : (
            <a class="button quiet small" href="/messages">
              {all}
            </a>
          )}
        </p>
        {box === "inbox" ? <ToRequests ctx={ctx} /> : ""}
        <div data-talk={current === undefined ? undefined : "list"}>
          <Conversations ctx={ctx} threads={page.nodes} current={current} />
        </div>
        {page.hasNextPage ? (
          <p class="talks-foot">
            <a href={href}>{all}</a>
          </p>
        ) : (
          ""
        )}
      </>
    ),
  };
}

/** The way back to the list on screens that show one column. */
export function BackToList({ ctx, box = "inbox" }: { ctx: PersonContext; box?: MessageBox }) {
  return (
    <p class="talk-back">
      <a href={box === "inbox" ? "/messages" : "/messages/requests"}>{ctx.messages.messages.all}</a>
    </p>
  );
}
