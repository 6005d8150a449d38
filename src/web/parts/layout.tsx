/** @jsxImportSource @kitajs/html */
import { isAtLeast } from "../../core/identity/access/roles.ts";
import type { PropsWithChildren } from "@kitajs/html";
import { Face, facesOf } from "./face.tsx";
import { happeningsNow } from "../../core/across/live/happenings.ts";
import { countWaiting } from "../../core/across/moderation/reports.ts";
import { countWaitingApplications } from "../../core/identity/applications/applications.ts";
import { countForPages } from "../../core/across/notifications/notifications.ts";
import { countUnread } from "../../core/community/messages/messages.ts";
import type { Charter } from "../../core/identity/charter/charter.ts";
import type { CoreError } from "../../core/ground/errors.ts";
import { CardTags } from "./card.tsx";
import { Logo } from "./logo.tsx";
import { MaintenanceBar } from "./maintenance-bar.tsx";
import { FormToken } from "./parts.tsx";
import { Tongues } from "./tongues.tsx";
import { Troubles } from "./troubles.tsx";
import type { PageAsk, Person, SectionName, View, Waiting } from "../request/route.ts";

/** What the operator has decided of all pages. */
export interface House {
  /** Whether GraphQL's page for people is there. */
  graphiql: boolean;
}

export interface Frame {
  /** Their addresses, each with its version. */
  stylesheet: string;
  face: string;
  script: string;
  live: string;
  icon: string;
  house: House;
  /** What the community says of itself. */
  charter: Charter;
  /** What was just done, as markup of our own. */
  notice: string | undefined;
}

/**
 * A whole page around a view. JSX here does not escape its children: whatever people wrote stands in an
 * element marked `safe`; attributes are escaped by themselves.
 */
export function renderPage(frame: Frame, ask: PageAsk, view: View): string {
  const { notice, house, charter } = frame;
  const waiting = waitingFor(ask);
  const page = (
    <html lang={ask.words.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title safe>{view.title === "" ? charter.name : `${view.title} · ${charter.name}`}</title>
        {view.card ? (
          <CardTags ask={ask} card={view.card} title={view.title || charter.name} name={charter.name} />
        ) : (
          ""
        )}
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" type="image/svg+xml" href={frame.icon} />
        <link rel="preload" as="font" type="font/woff2" href={frame.face} crossorigin="anonymous" />
        <link rel="stylesheet" href={frame.stylesheet} />
        {view.policy?.scripts ? <script src={frame.script} defer /> : ""}
        {ask.person && isLive(ask, view) ? (
          <script
            src={frame.live}
            defer
            data-who={ask.person.caller.builderId}
            data-after={happeningsNow(ask.core, ask.person.caller)}
          />
        ) : (
          ""
        )}
      </head>
      <body>
        <a class="skip" href="#content">
          {ask.words.frame.skip}
        </a>
        <Masthead charter={charter} ask={ask} waiting={waiting} isPlain={view.isPlain ?? false} />
        <MaintenanceBar ask={ask} />
        <div class={["frame", view.section && "with-side", view.rail && "with-rail", view.isWide && "wide"]}>
          {view.section && ask.person ? <Sections ask={ask} current={view.section} /> : ""}
          <main id="content" tabindex="-1" class={view.isPlain ? "plain" : ""}>
            {ask.person && !view.isPlain ? <Troubles ask={ask} person={ask.person} /> : ""}
            {notice && (
              <p class="notice" role="status">
                {notice}
              </p>
            )}
            {view.body}
          </main>
          {view.rail ? <aside class="rail">{view.rail(waiting)}</aside> : ""}
        </div>
        {isLive(ask, view) ? <p class="unseen" aria-live="polite" data-said /> : ""}
        <footer class="foot">
          <p>
            <a href="/about">{ask.words.community.about.title}</a> ·{" "}
            <a href="/docs">{ask.words.frame.reference}</a>
            {house.graphiql && (
              <>
                {" "}
                · <a href="/graphql">{ask.words.frame.graphql}</a>
              </>
            )}
          </p>
          <Tongues ask={ask} />
        </footer>
      </body>
    </html>
  );
  return `<!doctype html>${page as string}`;
}

/** Whether the page goes on by itself while it is open: for whoever has signed in, on no page that asks to. */
export function isLive({ person }: PageAsk, { isPlain }: View): boolean {
  return person !== undefined && isPlain !== true;
}

const PLACES = [
  { href: "/", name: "feed" },
  { href: "/jobs", name: "jobs" },
  { href: "/prompts", name: "prompts" },
] as const;

function waitingFor({ core, person }: PageAsk): Waiting {
  if (!person) return { unread: 0, matches: 0, messages: 0 };
  return { ...countForPages(core, person.caller), messages: countUnread(core, person.caller) };
}

function Masthead({
  charter,
  ask,
  waiting,
  isPlain,
}: {
  charter: Charter;
  ask: PageAsk;
  waiting: Waiting;
  isPlain: boolean;
}) {
  const { person, context } = ask;
  const words = ask.words.frame;
  return (
    <header class="masthead">
      <a class="brand" href="/">
        <Logo core={ask.core} />
        <span class="brand-word" dir="auto" safe>
          {charter.name}
        </span>
        {isPlain && charter.line !== "" ? (
          <span class="brand-line" dir="auto" safe>
            {charter.line}
          </span>
        ) : (
          ""
        )}
      </a>
      {isPlain ? (
        ""
      ) : (
        <nav class="places" aria-label={words.main}>
          {PLACES.map(({ href, name }) => (
            <a href={href} aria-current={isAt(context.path, href) ? "page" : undefined}>
              {words[name]}
              {name === "jobs" ? (
                <Count ask={ask} count={waiting.matches} of={ask.words.notifications.fitting} />
              ) : (
                ""
              )}
            </a>
          ))}
          {person && (
            <a href="/builders" aria-current={isAt(context.path, "/builders") ? "page" : undefined}>
              {words.builders}
            </a>
          )}
          {person ? <MessagesLink ask={ask} unread={waiting.messages} /> : ""}
          {person && isAtLeast(person.role, "moderator") ? (
            <a
              class="off-phone"
              href="/admin"
              aria-current={isAt(context.path, "/admin") ? "page" : undefined}
            >
              {words.admin}
              <Count ask={ask} count={countForAdmins(ask, person)} of={ask.words.notifications.waiting} />
            </a>
          ) : (
            ""
          )}
        </nav>
      )}
      {isPlain ? "" : <Seek ask={ask} />}
      {person ? <Bell ask={ask} unread={waiting.unread} /> : ""}
      {person ? <Me ask={ask} person={person} /> : isPlain ? "" : <SignInLink ask={ask} />}
    </header>
  );
}

/** What waits for those who run the community: reports, and of admins who asks to be let in. */
function countForAdmins({ core }: PageAsk, { caller, role }: Person): number {
  const asking = isAtLeast(role, "admin") ? countWaitingApplications(core, caller, COUNTED) : 0;
  return countWaiting(core, caller, COUNTED) + asking;
}

/** With how many messages wait to be read. */
function MessagesLink({ ask, unread }: { ask: PageAsk; unread: number }) {
  return (
    <a href="/messages" aria-current={isAt(ask.context.path, "/messages") ? "page" : undefined}>
      {ask.words.frame.messages}
      <Count ask={ask} count={unread} of={ask.words.frame.unread} live="messages" />
    </a>
  );
}

/** More than that is «99+». */
const COUNTED = 100;

/**
 * How many wait, where any do; `of` says what they are to who hears the page. What is `live` is there to be
 * counted on, too, while nothing waits (assets/live.js).
 */
function Count({
  ask,
  count,
  of,
  live,
}: {
  ask: PageAsk;
  count: number;
  of: string;
  live?: "messages" | "notifications";
}) {
  if (count === 0 && live === undefined) return "";
  return (
    <span class="count" data-unread={live} hidden={count === 0}>
      <span>{ask.words.notifications.count(count)}</span>
      <span class="unseen">{` ${of}`}</span>
    </span>
  );
}

/** The search over everything: a box where there is room for it, else the way to the page that has one. */
function Seek({ ask }: { ask: PageAsk }) {
  const words = ask.words.search;
  return (
    <>
      <form class="seek" action="/search" role="search" aria-label={words.everything}>
        <input
          name="q"
          type="search"
          aria-label={words.everything}
          placeholder={words.title}
          maxlength="1000"
        />
      </form>
      <a
        class="seek"
        href="/search"
        aria-label={words.title}
        aria-current={isAt(ask.context.path, "/search") ? "page" : undefined}
      >
        <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" aria-hidden="true">
          <circle cx="11" cy="11" r="6.5" />
          <path d="m16 16 4.5 4.5" stroke-linecap="round" />
        </svg>
      </a>
    </>
  );
}

/** To what they are told, with how much of it is unread. */
function Bell({ ask, unread }: { ask: PageAsk; unread: number }) {
  return (
    <a
      class="bell"
      href="/notifications"
      aria-current={isAt(ask.context.path, "/notifications") ? "page" : undefined}
    >
      <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" aria-hidden="true">
        <path d="M6 10a6 6 0 0 1 12 0c0 5 2 6.5 2 6.5H4S6 15 6 10Z" stroke-linejoin="round" />
        <path d="M10 20a2.2 2.2 0 0 0 4 0" stroke-linecap="round" />
      </svg>
      <span class="unseen">{ask.words.notifications.title} </span>
      <Count ask={ask} count={unread} of={ask.words.frame.unread} live="notifications" />
    </a>
  );
}

function isAt(path: string, href: string): boolean {
  return path === href || (href !== "/" && path.startsWith(`${href}/`));
}

function Me({ ask, person }: { ask: PageAsk; person: Person }) {
  const words = ask.words.frame;
  return (
    <div class="me">
      <button type="button" popovertarget="account-menu" aria-label={words.accountOf(person.name)}>
        <Face
          username={person.caller.username}
          picture={facesOf(ask.core, [person.caller.builderId]).get(person.caller.builderId)}
        />
      </button>
      <div class="menu" id="account-menu" popover="auto">
        <p class="menu-who">
          <strong>
            <bdi safe>{person.name}</bdi>
          </strong>
          <span safe>{`@${person.caller.username}`}</span>
        </p>
        <a href={`/@${person.caller.username}`}>{words.profile}</a>
        <a href="/bookmarks">{words.bookmarks}</a>
        <a href="/settings/account">{words.settings}</a>
        {isAtLeast(person.role, "moderator") && (
          <a class="on-phone" href="/admin">
            {words.admin}
          </a>
        )}
        <form method="post" action="/sign-out">
          <FormToken token={ask.formToken} />
          <button class="link">{words.signOut}</button>
        </form>
      </div>
    </div>
  );
}

function SignInLink({ ask }: { ask: PageAsk }) {
  return (
    <a class="sign-in-link" href="/sign-in">
      {ask.words.frame.signIn}
    </a>
  );
}

/** In the order in which the settings list them. */
const SECTIONS: readonly SectionName[] = [
  "profile",
  "account",
  "notifications",
  "tokens",
  "apps",
  "connected",
  "webhooks",
  "workspaces",
  "following",
  "activity",
];

function Sections({ ask, current }: { ask: PageAsk; current: SectionName }) {
  const { settings, sections } = ask.words.frame;
  return (
    <nav class="side" aria-label={settings}>
      <ul>
        {SECTIONS.map((name) => (
          <li>
            <a href={`/settings/${name}`} aria-current={name === current ? "page" : undefined}>
              {sections[name]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The head of a page: what it is, in one sentence, and at most one thing to do. */
export function Heading({
  title,
  children,
  action,
}: PropsWithChildren<{ title: string; action?: JSX.Element }>) {
  return (
    <div class="heading">
      <div>
        <h1 dir="auto" safe>
          {title}
        </h1>
        {children ? <div class="lead">{children}</div> : ""}
      </div>
      {action ?? ""}
    </div>
  );
}

/** The ways from one page of a kind to the others. */
export function Views({
  ask,
  label,
  views,
}: {
  ask: PageAsk;
  label: string;
  views: readonly { href: string; words: string }[];
}) {
  return (
    <nav class="choice-row" aria-label={label}>
      {views.map(({ href, words }) => (
        <a href={href} aria-current={ask.context.path === href ? "page" : undefined} safe>
          {words}
        </a>
      ))}
    </nav>
  );
}

/** A page that only says something, and where to go on. */
export function wordsView(
  title: string,
  words: string,
  goOn: { href: string; words: string },
  error?: CoreError,
): View {
  return {
    title,
    error,
    isPlain: true,
    body: (
      <>
        <Heading title={title}>
          <p safe>{words}</p>
        </Heading>
        <p>
          <a href={goOn.href} safe>
            {goOn.words}
          </a>
        </p>
      </>
    ),
  };
}
