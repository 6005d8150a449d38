/** @jsxImportSource @kitajs/html */
import { listFollowedTags } from "../../../core/community/following/following.ts";
import { listNewest } from "../../../core/community/profiles/directory.ts";
import { getCalendar } from "../../../core/community/xp/streaks.ts";
import { communitySettingsOf } from "../../../core/identity/community-settings/community-settings.ts";
import { Avatar, avatarUrls } from "../../parts/avatar.tsx";
import { Ago } from "../../parts/parts.tsx";
import { CALENDAR_DAYS, Streak } from "../../parts/streak.tsx";
import type { PageContext, PersonContext, UnreadCounts } from "../../request/route.ts";
import { tagPath } from "./post-card.tsx";
import { NotStaffMark } from "../../parts/role-mark.tsx";

const TAGS = 8;
const NEWEST = 5;

/** Returns the sidebar of the feed. It needs five SQL statements for a member and none for a guest. */
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
  const newest = listNewest(core, person.caller, NEWEST);
  const avatars = avatarUrls(
    core,
    newest.map(({ id }) => id),
  );
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
          <ul class="tags">
            {tags.map(({ tag }) => (
              <li>
                <a class="tag" dir="auto" href={tagPath(tag)} safe>
                  {`#${tag}`}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ) : (
        ""
      )}
      <section>
        <h2>{messages.newest}</h2>
        <ul class="sidebar-list">
          {newest.map(({ id, username, name, joinedAt }) => (
            <li>
              <Avatar username={username} picture={avatars.get(id)} />
              <p>
                <a dir="auto" href={`/@${username}`} safe>
                  {name}
                </a>
                <NotStaffMark ctx={ctx} who={{ username, name }} />{" "}
                <span class="quietly">
                  <Ago ctx={ctx} at={joinedAt} />
                </span>
              </p>
            </li>
          ))}
        </ul>
      </section>
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
    <section class="place">
      <h2 dir="auto" safe>
        {name}
      </h2>
      <p dir="auto" safe>
        {line || messages.place}
      </p>
      <p>{messages.joining[joining]}</p>
      <p>
        <a href="/about">{ctx.messages.community.about.title}</a>
      </p>
    </section>
  );
}
