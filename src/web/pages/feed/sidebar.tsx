/** @jsxImportSource @kitajs/html */
import { listFollowedTags } from "../../../core/community/following/following.ts";
import { getCalendar } from "../../../core/community/xp/streaks.ts";
import { communitySettingsOf } from "../../../core/identity/community-settings/community-settings.ts";
import { CALENDAR_DAYS, Streak } from "../../parts/streak.tsx";
import type { PageContext, PersonContext, UnreadCounts } from "../../request/route.ts";
import { JoinButton } from "./empty-community.tsx";
import { Tags } from "./post-card.tsx";
import { CommunityRail } from "./rail.tsx";

const TAGS = 8;

/**
 * Returns the sidebar of the feed. It needs three SQL statements for a member and none for a guest, unless
 * the database has changed.
 */
export function sidebarOf(ctx: PageContext): (waiting: UnreadCounts) => JSX.Element {
  const { person } = ctx;
  return (waiting) =>
    person ? <MemberSidebar ctx={{ ...ctx, person }} waiting={waiting} /> : <VisitorSidebar ctx={ctx} />;
}

function MemberSidebar({ ctx, waiting }: { ctx: PersonContext; waiting: UnreadCounts }) {
  const { core, person } = ctx;
  const messages = ctx.messages.feed.sidebar;
  const calendar = getCalendar(core, person.caller, CALENDAR_DAYS);
  const tags = listFollowedTags(core, person.caller, { limit: TAGS }).nodes;
  return (
    <>
      <section>
        <h2>{messages.streak}</h2>
        <Streak ctx={ctx} calendar={calendar} />
      </section>
      <WaitingItems ctx={ctx} waiting={waiting} />
      {tags.length > 0 ? (
        <section>
          <h2>{messages.tags}</h2>
          <Tags tags={tags.map(({ tag }) => tag)} />
        </section>
      ) : (
        ""
      )}
      <CommunityRail ctx={ctx} />
    </>
  );
}

function WaitingItems({ ctx, waiting }: { ctx: PageContext; waiting: UnreadCounts }) {
  const messages = ctx.messages.feed.sidebar;
  const rows = [
    { count: waiting.messages, href: waiting.messagesAt, said: messages.messages },
    { count: waiting.unread, href: "/notifications", said: messages.notifications },
    { count: waiting.matches, href: "/jobs/matches", said: messages.matches },
  ].filter(({ count }) => count > 0);
  if (rows.length === 0) return "";
  return (
    <section>
      <h2>{messages.waiting}</h2>
      <ul class="sidebar-list">
        {rows.map(({ count, href, said }) => (
          <li>
            <a href={href}>{said({ count })}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A description of the community, and how to join it. */
function VisitorSidebar({ ctx }: { ctx: PageContext }) {
  const { name, line, joining } = communitySettingsOf(ctx.core);
  const messages = ctx.messages.feed.sidebar;
  return (
    <>
      <section class="place">
        <h2 dir="auto" safe>
          {name}
        </h2>
        <p dir="auto" safe>
          {line || messages.place}
        </p>
        <p>{messages.joining[joining]}</p>
        <JoinButton ctx={ctx} joining={joining} />
        <p>
          <a href="/about">{ctx.messages.community.about.title}</a>
        </p>
      </section>
      <CommunityRail ctx={ctx} />
    </>
  );
}
