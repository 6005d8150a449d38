/** @jsxImportSource @kitajs/html */
import type { FirstStep } from "../../../core/services/first-steps/first-steps.ts";
import { listFollowedTags } from "../../../core/community/following/following.ts";
import { listNewest } from "../../../core/community/profiles/directory.ts";
import { getCalendar } from "../../../core/community/xp/streaks.ts";
import { communitySettingsOf } from "../../../core/identity/community-settings/community-settings.ts";
import { Avatar, avatarUrls } from "../../parts/avatar.tsx";
import { Ago } from "../../parts/parts.tsx";
import { CALENDAR_DAYS, Streak } from "../../parts/streak.tsx";
import type { PageAsk, PersonAsk, UnreadCounts } from "../../request/route.ts";
import { tagPath } from "./post-card.tsx";
import { NotStaffMark } from "../../parts/role-mark.tsx";
import { StepsPart } from "./first-steps.tsx";

const TAGS = 8;
const NEWEST = 5;

/** The sidebar of the feed. For a member it takes five SQL statements, for a visitor none. */
export function sidebarOf(
  ask: PageAsk,
  steps?: readonly FirstStep[],
): (waiting: UnreadCounts) => JSX.Element {
  const { person } = ask;
  return (waiting) =>
    person ? (
      <MemberSidebar ask={{ ...ask, person }} waiting={waiting} steps={steps} />
    ) : (
      <VisitorSidebar ask={ask} />
    );
}

function MemberSidebar({
  ask,
  waiting,
  steps,
}: {
  ask: PersonAsk;
  waiting: UnreadCounts;
  steps: readonly FirstStep[] | undefined;
}) {
  const { core, person } = ask;
  const words = ask.words.feed.sidebar;
  const calendar = getCalendar(core, person.caller, CALENDAR_DAYS);
  const tags = listFollowedTags(core, person.caller, { limit: TAGS }).nodes;
  const newest = listNewest(core, person.caller, NEWEST);
  const avatars = avatarUrls(
    core,
    newest.map(({ id }) => id),
  );
  return (
    <>
      {steps ? <StepsPart ask={ask} steps={steps} /> : ""}
      <section>
        <h2>{words.streak}</h2>
        <Streak ask={ask} calendar={calendar} />
      </section>
      <WaitingItems ask={ask} waiting={waiting} />
      {tags.length > 0 ? (
        <section>
          <h2>{words.tags}</h2>
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
        <h2>{words.newest}</h2>
        <ul class="sidebar-list">
          {newest.map(({ id, username, name, joinedAt }) => (
            <li>
              <Avatar username={username} picture={avatars.get(id)} />
              <p>
                <a dir="auto" href={`/@${username}`} safe>
                  {name}
                </a>
                <NotStaffMark ask={ask} who={{ username, name }} />{" "}
                <span class="quietly">
                  <Ago ask={ask} at={joinedAt} />
                </span>
              </p>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

function WaitingItems({ ask, waiting }: { ask: PageAsk; waiting: UnreadCounts }) {
  const words = ask.words.feed.sidebar;
  const rows = [
    { count: waiting.messages, href: waiting.messagesAt, said: words.messages },
    { count: waiting.unread, href: "/notifications", said: words.notifications },
    { count: waiting.matches, href: "/jobs/matches", said: words.matches },
  ].filter(({ count }) => count > 0);
  if (rows.length === 0) return "";
  return (
    <section>
      <h2>{words.waiting}</h2>
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

/** What this community is, and how one joins. */
function VisitorSidebar({ ask }: { ask: PageAsk }) {
  const { name, line, joining } = communitySettingsOf(ask.core);
  const words = ask.words.feed.sidebar;
  return (
    <section class="place">
      <h2 dir="auto" safe>
        {name}
      </h2>
      <p dir="auto" safe>
        {line || words.place}
      </p>
      <p>{words.joining[joining]}</p>
      <p>
        <a href="/about">{ask.words.community.about.title}</a>
      </p>
    </section>
  );
}
