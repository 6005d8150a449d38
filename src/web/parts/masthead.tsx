/** @jsxImportSource @kitajs/html */
import { isAtLeast } from "../../core/identity/access/roles.ts";
import { Avatar, avatarUrls } from "./avatar.tsx";
import { countWaiting } from "../../core/services/moderation/reports.ts";
import { countWaitingApplications } from "../../core/identity/applications/applications.ts";
import type { CommunitySettings } from "../../core/identity/community-settings/community-settings.ts";
import { Logo } from "./logo.tsx";
import { FormToken } from "./parts.tsx";
import type { PageContext, Person, UnreadCounts } from "../request/route.ts";

const NAVIGATION = [
  { href: "/", name: "feed" },
  { href: "/jobs", name: "jobs" },
  { href: "/prompts", name: "prompts" },
] as const;

/** The head of every page: the community, the main links, and the member's menu. */
export function Masthead({
  community,
  ctx,
  waiting,
  isPlain,
}: {
  community: CommunitySettings;
  ctx: PageContext;
  waiting: UnreadCounts;
  isPlain: boolean;
}) {
  const { person, context } = ctx;
  const messages = ctx.messages.layout;
  // In a members-only community, a guest gets no links but the one to sign in.
  const hasNavigation = !isPlain && (person !== undefined || community.reading === "everybody");
  return (
    <header class="masthead">
      <a class="brand" href="/">
        <Logo core={ctx.core} />
        <span class="brand-word" dir="auto" safe>
          {community.name}
        </span>
        {!hasNavigation && community.line !== "" ? (
          <span class="brand-line" dir="auto" safe>
            {community.line}
          </span>
        ) : (
          ""
        )}
      </a>
      {!hasNavigation ? (
        ""
      ) : (
        <nav class="places" aria-label={messages.main}>
          {NAVIGATION.map(({ href, name }) => (
            <a href={href} aria-current={isAt(context.path, href) ? "page" : undefined}>
              {messages[name]}
              {name === "jobs" ? (
                <Count ctx={ctx} count={waiting.matches} of={ctx.messages.notifications.fitting} />
              ) : (
                ""
              )}
            </a>
          ))}
          {person && (
            <a href="/builders" aria-current={isAt(context.path, "/builders") ? "page" : undefined}>
              {messages.builders}
            </a>
          )}
          {person ? <MessagesLink ctx={ctx} waiting={waiting} /> : ""}
          {person && isAtLeast(person.role, "moderator") ? (
            <a
              class="off-phone"
              href="/admin"
              aria-current={isAt(context.path, "/admin") ? "page" : undefined}
            >
              {messages.admin}
              <Count ctx={ctx} count={countForAdmins(ctx, person)} of={ctx.messages.notifications.waiting} />
            </a>
          ) : (
            ""
          )}
        </nav>
      )}
      {hasNavigation ? <SearchField ctx={ctx} /> : ""}
      {person ? <Bell ctx={ctx} unread={waiting.unread} /> : ""}
      {person ? <OwnMenu ctx={ctx} person={person} /> : isPlain ? "" : <SignInLink ctx={ctx} />}
    </header>
  );
}

/** Counts open reports and, for admins, applications. */
function countForAdmins({ core }: PageContext, { caller, role }: Person): number {
  const applications = isAtLeast(role, "admin") ? countWaitingApplications(core, caller, COUNTED) : 0;
  return countWaiting(core, caller, COUNTED) + applications;
}

/** The link to messages, with the number of unread ones. */
function MessagesLink({
  ctx,
  waiting: { messages, messagesAt },
}: {
  ctx: PageContext;
  waiting: UnreadCounts;
}) {
  return (
    <a href={messagesAt} aria-current={isAt(ctx.context.path, "/messages") ? "page" : undefined}>
      {ctx.messages.layout.messages}
      <Count ctx={ctx} count={messages} of={ctx.messages.layout.unread} live="messages" />
    </a>
  );
}

/** Counts above 99 are shown as “99+”. */
const COUNTED = 100;

/**
 * An unread count, hidden if it is 0. `of` names the counted items for screen readers. A `live` count is
 * always in the page, so that assets/scripts/live.js can update it.
 */
function Count({
  ctx,
  count,
  of,
  live,
}: {
  ctx: PageContext;
  count: number;
  of: string;
  live?: "messages" | "notifications";
}) {
  if (count === 0 && live === undefined) return "";
  return (
    <span class="count" data-unread={live} hidden={count === 0}>
      <span>{ctx.messages.formats.capped(count)}</span>
      <span class="unseen">{` ${of}`}</span>
    </span>
  );
}

/** The global search: a field if there is room, otherwise a link to the search page. */
function SearchField({ ctx }: { ctx: PageContext }) {
  const messages = ctx.messages.search;
  return (
    <>
      <form class="seek" action="/search" role="search" aria-label={messages.everything}>
        <input
          name="q"
          type="search"
          aria-label={messages.everything}
          placeholder={messages.title}
          maxlength="1000"
        />
      </form>
      <a
        class="seek"
        href="/search"
        aria-label={messages.title}
        aria-current={isAt(ctx.context.path, "/search") ? "page" : undefined}
      >
        <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" aria-hidden="true">
          <circle cx="11" cy="11" r="6.5" />
          <path d="m16 16 4.5 4.5" stroke-linecap="round" />
        </svg>
      </a>
    </>
  );
}

/** The link to the notifications, with the number of unread ones. */
function Bell({ ctx, unread }: { ctx: PageContext; unread: number }) {
  return (
    <a
      class="bell"
      href="/notifications"
      aria-current={isAt(ctx.context.path, "/notifications") ? "page" : undefined}
    >
      <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" aria-hidden="true">
        <path d="M6 10a6 6 0 0 1 12 0c0 5 2 6.5 2 6.5H4S6 15 6 10Z" stroke-linejoin="round" />
        <path d="M10 20a2.2 2.2 0 0 0 4 0" stroke-linecap="round" />
      </svg>
      <span class="unseen">{ctx.messages.notifications.title} </span>
      <Count ctx={ctx} count={unread} of={ctx.messages.layout.unread} live="notifications" />
    </a>
  );
}

/** The posts, tags and followed posts belong to the feed. */
const FEED = /^\/(?:$|(?:posts|tags|following)(?:$|\/))/;

function isAt(path: string, href: string): boolean {
  return href === "/" ? FEED.test(path) : path === href || path.startsWith(`${href}/`);
}

function OwnMenu({ ctx, person }: { ctx: PageContext; person: Person }) {
  const messages = ctx.messages.layout;
  return (
    <div class="me">
      <button
        type="button"
        popovertarget="account-menu"
        aria-label={messages.accountOf({ name: person.name })}
      >
        <Avatar
          username={person.caller.username}
          picture={avatarUrls(ctx.core, [person.caller.builderId]).get(person.caller.builderId)}
        />
      </button>
      <div class="menu" id="account-menu" popover="auto">
        <p class="menu-who">
          <strong>
            <bdi safe>{person.name}</bdi>
          </strong>
          <span safe>{`@${person.caller.username}`}</span>
        </p>
        <a href={`/@${person.caller.username}`}>{messages.profile}</a>
        <a href="/bookmarks">{messages.bookmarks}</a>
        <a href="/settings/account">{messages.settings}</a>
        {isAtLeast(person.role, "moderator") && (
          <a class="on-phone" href="/admin">
            {messages.admin}
          </a>
        )}
        <form method="post" action="/sign-out">
          <FormToken ctx={ctx} />
          <button class="link">{messages.signOut}</button>
        </form>
      </div>
    </div>
  );
}

function SignInLink({ ctx }: { ctx: PageContext }) {
  return (
    <a class="sign-in-link" href="/sign-in">
      {ctx.messages.layout.signIn}
    </a>
  );
}
