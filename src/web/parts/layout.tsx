/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@kitajs/html";
import { currentUpdate } from "../../core/services/live/updates.ts";
import { countForPages } from "../../core/services/notifications/notifications.ts";
import { unreadBox, countUnread } from "../../core/community/messages/messages.ts";
import { BACKGROUNDS } from "../../core/identity/community-settings/accent.ts";
import type { CommunitySettings } from "../../core/identity/community-settings/community-settings.ts";
import type { CoreError } from "../../core/base/errors.ts";
import { CardTags } from "./card.tsx";
import { Masthead } from "./masthead.tsx";
import { MaintenanceBar } from "./maintenance-bar.tsx";
import { Foot } from "./foot.tsx";
import { FailingEndpoints } from "./failing-endpoints.tsx";
import { SideMenu, sideMenuOf } from "./side-menu.tsx";
import type { PageContext, View, UnreadCounts } from "../request/route.ts";

/** Options of the operator for all pages. */
export interface SiteOptions {
  graphiql: boolean;
}

export interface Frame {
  /** Versioned URLs of the assets. */
  stylesheet: string;
  font: string;
  script: string;
  memberScript: string;
  icon: string;
  site: SiteOptions;
  community: CommunitySettings;
  /** The notice after a form was sent, as safe HTML. */
  notice: JSX.Element | undefined;
}

/**
 * Renders a whole page around a view. JSX does not escape children here, so text of people must be in an
 * element with `safe`. Attributes are escaped automatically.
 */
export function renderPage(frame: Frame, ctx: PageContext, view: View): string {
  const { notice, site, community } = frame;
  const waiting = waitingFor(ctx);
  const menu = view.isPlain ? undefined : sideMenuOf(ctx, view.section);
  const page = (
    <html lang={ctx.messages.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title safe>{view.title === "" ? community.name : `${view.title} · ${community.name}`}</title>
        {view.linkPreview ? (
          <CardTags
            ctx={ctx}
            card={view.linkPreview}
            title={view.title || community.name}
            name={community.name}
          />
        ) : (
          ""
        )}
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <meta name="color-scheme" content="light dark" />
        <ThemeColours />
        <link rel="icon" type="image/svg+xml" href={frame.icon} />
        <link rel="preload" as="font" type="font/woff2" href={frame.font} crossorigin="anonymous" />
        <link rel="stylesheet" href={frame.stylesheet} />
        {view.policy?.scripts ? <script src={view.script ?? frame.script} defer /> : ""}
        {ctx.person && isLive(ctx, view) ? (
          <script
            src={frame.memberScript}
            defer
            data-who={ctx.person.caller.builderId}
            data-after={currentUpdate(ctx.core, ctx.person.caller)}
          />
        ) : (
          ""
        )}
      </head>
      <body>
        <a class="skip" href="#content">
          {ctx.messages.layout.skip}
        </a>
        <Masthead community={community} ctx={ctx} waiting={waiting} isPlain={view.isPlain ?? false} />
        <MaintenanceBar ctx={ctx} />
        <div
          class={[
            "frame",
            menu && "with-side",
            view.list && "with-list",
            view.sidebar && "with-sidebar",
            view.isWide && "wide",
          ]}
        >
          {menu ? <SideMenu title={menu.title} groups={menu.groups} /> : ""}
          {view.list ? (
            <nav class="talks" aria-label={view.list.label}>
              {view.list.body}
            </nav>
          ) : (
            ""
          )}
          <main id="content" tabindex="-1" class={view.isPlain ? "plain" : ""}>
            {ctx.person && !view.isPlain ? <FailingEndpoints ctx={ctx} person={ctx.person} /> : ""}
            {notice && <Noticed notice={notice} undo={view.undo} />}
            {view.body}
          </main>
          {view.sidebar ? <aside class="sidebar">{view.sidebar(waiting)}</aside> : ""}
        </div>
        {isLive(ctx, view) ? (
          <p
            class="unseen"
            aria-live="polite"
            data-said
            data-unsent={ctx.messages.layout.unsent}
            data-restored={ctx.messages.layout.restored}
            data-discard={ctx.messages.layout.discard}
          />
        ) : (
          ""
        )}
        <Foot ctx={ctx} community={community} hasGraphiql={site.graphiql} />
      </body>
    </html>
  );
  return `<!doctype html>${page as string}`;
}

/** The colour of the browser's own bars: the page's background. */
export function ThemeColours() {
  const { day, night } = BACKGROUNDS;
  // The types of kitajs do not know `media` on this element.
  const [light, dark] = [
    { content: day.paper, media: "(prefers-color-scheme: light)" },
    { content: night.paper, media: "(prefers-color-scheme: dark)" },
  ];
  return (
    <>
      <meta name="theme-color" {...light} />
      <meta name="theme-color" {...dark} />
    </>
  );
}

function Noticed({ notice, undo }: { notice: JSX.Element; undo: JSX.Element | undefined }) {
  if (undo === undefined)
    return (
      <p class="notice" role="status">
        {notice}
      </p>
    );
  return (
    <div class="notice">
      <p role="status">{notice}</p>
      {undo}
    </div>
  );
}

/** Whether the script updates the open page: for members, except on plain pages. */
export function isLive({ person }: PageContext, { isPlain }: View): boolean {
  return person !== undefined && isPlain !== true;
}

function waitingFor({ core, person }: PageContext): UnreadCounts {
  if (!person) return { unread: 0, matches: 0, messages: 0, messagesAt: "/messages" };
  const messages = countUnread(core, person.caller);
  const isRequest = messages > 0 && unreadBox(core, person.caller) === "requests";
  return {
    ...countForPages(core, person.caller),
    messages,
    messagesAt: isRequest ? "/messages/requests" : "/messages",
  };
}

/** The head of a page: its title, one sentence and at most one action. */
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

/** The tabs of related pages. */
export function Views({
  ctx,
  label,
  views,
  current = ctx.context.path,
}: {
  ctx: PageContext;
  label: string;
  views: readonly { href: string; label: string }[];
  /** The view that is shown. A rejected form shows the page that it is on. */
  current?: string;
}) {
  return (
    <nav class="choice-row" aria-label={label}>
      {views.map(({ href, label }) => (
        <a href={href} aria-current={current === href ? "page" : undefined} safe>
          {label}
        </a>
      ))}
    </nav>
  );
}

/** A page with a message and a link. */
export function messageView(
  title: string,
  label: string,
  goOn: { href: string; label: string },
  error?: CoreError,
): View {
  return {
    title,
    error,
    isPlain: true,
    body: (
      <>
        <Heading title={title}>
          <p safe>{label}</p>
        </Heading>
        <p>
          <a href={goOn.href} safe>
            {goOn.label}
          </a>
        </p>
      </>
    ),
  };
}
