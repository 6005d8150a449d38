/** @jsxImportSource @kitajs/html */
import { type PrivateFeed, readPrivateFeed } from "../../../core/services/channels/private-feed.ts";
import { titleOf } from "../../../core/base/title.ts";
import { refuse } from "../../../core/base/errors.ts";
import {
  endFeedAddress,
  getFeedAddress,
  renewFeedAddress,
} from "../../../core/identity/feed-address/feed-address.ts";
import { nameInText } from "../../../core/identity/builders/look-alikes.ts";
import { publicName } from "../../../core/identity/builders/author.ts";
import { receiverOf } from "../../../core/services/channels/receiver.ts";
import { communitySettingsOf } from "../../../core/identity/community-settings/community-settings.ts";
import { Heading } from "../../parts/layout.tsx";
import { NotificationTabs } from "../../parts/notification-tabs.tsx";
import { Button, Form, Secret, Submit } from "../../parts/parts.tsx";
import {
  publicPage,
  type PageContext,
  type PageRoute,
  type PersonContext,
  signedInPage,
  type View,
} from "../../request/route.ts";
import { withReauthentication, reauthenticatedForm } from "../entry/reauthentication.tsx";
import { atom, type FeedEntry } from "../../parts/feed-document.ts";
import { notificationText } from "../../../locale/notification-text.ts";
import { messagesOf } from "../../../locale/messages.ts";
import { documentAnswer } from "../../request/documents.ts";

const HERE = "/settings/feed";

/** A member's private Atom feed (docs/contract.md#12.21). */
export const PRIVATE_FEED: PageRoute = publicPage("GET", "/feeds/:file", (ctx) => feedAnswer(ctx));

/** The page that shows the URL of the feed. */
export const privateFeedPages = [
  signedInPage(
    "GET",
    HERE,
    withReauthentication(HERE, (ctx) => view(ctx)),
  ),
  reauthenticatedForm(signedInPage, HERE, HERE, view, async (ctx) => {
    await ctx.write(() => renewFeedAddress(ctx.core, ctx.person.caller));
    return { to: HERE, notice: "feed-made" };
  }),
  signedInPage("POST", `${HERE}/end`, async (ctx) => {
    await ctx.write(() => endFeedAddress(ctx.core, ctx.person.caller));
    return { to: HERE, notice: "feed-ended" };
  }),
];

function view(ctx: PersonContext): View {
  const messages = ctx.messages.channels.feed;
  const feed = getFeedAddress(ctx.core, ctx.person.caller);
  return {
    title: messages.title,
    section: "notifications",
    body: (
      <>
        <NotificationTabs ctx={ctx} />
        <Heading title={messages.title}>
          <p>{messages.lead}</p>
        </Heading>
        {feed === null ? (
          <p>{messages.none}</p>
        ) : (
          <Secret label={messages.address} value={feed.url}>
            {messages.keep}
          </Secret>
        )}
        <Form action={HERE} ctx={ctx} kind="stack">
          <Submit>{feed === null ? messages.make : messages.renew}</Submit>
        </Form>
        {feed === null ? (
          ""
        ) : (
          <div class="actions with-space">
            <Form action={`${HERE}/end`} ctx={ctx} kind="inline">
              <Button kind="danger">{messages.end}</Button>
            </Form>
          </div>
        )}
      </>
    ),
  };
}

/** Returns the feed to every client that has its secret URL. Any other URL returns the same 404. */
function feedAnswer(ctx: PageContext): Response {
  const { core, context, params } = ctx;
  const secret = /^(.+)\.atom$/.exec(params["file"] ?? "")?.[1] ?? "";
  const feed = readPrivateFeed(core, secret);
  if (!feed) throw refuse("page_unknown");
  return documentAnswer(context, xmlOf(ctx, feed), {
    "content-type": "application/atom+xml; charset=utf-8",
    "cache-control": "private, no-cache",
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex",
  });
}

function xmlOf({ core, staff }: PageContext, feed: PrivateFeed): string {
  // The client is a feed reader without a language, so the feed uses the member's language.
  const messages = messagesOf(receiverOf(core, feed.builderId).language);
  const { hostname } = new URL(core.origin);
  const { name: community } = communitySettingsOf(core);
  const idOf = (id: string): string => `tag:${hostname},2026:${id}`;
  const entries = feed.entries.map((entry): FeedEntry => {
    if ("post" in entry) {
      const { id, author, text } = entry.post;
      return {
        id: idOf(id),
        title: messages.channels.feed.posted({ name: nameInText(staff(), author), title: titleOf(text) }),
        page: `${core.origin}/posts/${id}`,
        author: nameInText(staff(), author),
        updated: entry.at,
        text,
      };
    }
    const { id, kind, actors, count, about, subject } = entry.notification;
    const names = actors.map(publicName);
    return {
      id: idOf(id),
      title: notificationText(messages, { kind, actors: names, count, about, subjectId: subject.id }),
      page: subject.url,
      author: names[0],
      updated: entry.at,
      text: undefined,
    };
  });
  const document = {
    id: idOf(`feed:${feed.builderId}`),
    title: messages.channels.feed.feedTitle({ community, username: feed.username }),
    page: `${core.origin}/notifications`,
    author: community,
    // An empty feed gets the epoch as its time, so it does not change between requests.
    updated: feed.entries[0]?.at ?? 0,
    entries,
  };
  return atom(document, core.origin);
}
