/** @jsxImportSource @kitajs/html */
import type { FirstStep } from "../../../core/services/first-steps/first-steps.ts";
import { listFollowedTags } from "../../../core/community/following/following.ts";
import { listNewest } from "../../../core/community/profiles/directory.ts";
import { getCalendar } from "../../../core/community/xp/streaks.ts";
import { charterOf } from "../../../core/identity/community-settings/community-settings.ts";
import { Face, facesOf } from "../../parts/avatar.tsx";
import { Ago } from "../../parts/parts.tsx";
import { CALENDAR_DAYS, Streak } from "../../parts/streak.tsx";
import type { PageAsk, PersonAsk, Waiting } from "../../request/route.ts";
import { tagPath } from "./post-card.tsx";
import { NotStaff } from "../../parts/role-mark.tsx";
import { StepsPart } from "./first-steps.tsx";

const TAGS = 8;
const NEWEST = 5;

/** What stands beside the feed: five statements for a member, none for a stranger. */
export function railOf(ask: PageAsk, steps?: readonly FirstStep[]): (waiting: Waiting) => JSX.Element {
  const { person } = ask;
  return (waiting) =>
    person ? <Own ask={{ ...ask, person }} waiting={waiting} steps={steps} /> : <Place ask={ask} />;
}

function Own({
  ask,
  waiting,
  steps,
}: {
  ask: PersonAsk;
  waiting: Waiting;
  steps: readonly FirstStep[] | undefined;
}) {
  const { core, person } = ask;
  const words = ask.words.feed.rail;
  const calendar = getCalendar(core, person.caller, CALENDAR_DAYS);
  const tags = listFollowedTags(core, person.caller, { limit: TAGS }).nodes;
  const newest = listNewest(core, person.caller, NEWEST);
  const faces = facesOf(
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
      <Waits ask={ask} waiting={waiting} />
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
        <ul class="rail-list">
          {newest.map(({ id, username, name, joinedAt }) => (
            <li>
              <Face username={username} picture={faces.get(id)} />
              <p>
                <a dir="auto" href={`/@${username}`} safe>
                  {name}
                </a>
                <NotStaff ask={ask} who={{ username, name }} />{" "}
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

function Waits({ ask, waiting }: { ask: PageAsk; waiting: Waiting }) {
  const words = ask.words.feed.rail;
  const rows = [
    { count: waiting.messages, href: waiting.messagesAt, said: words.messages },
    { count: waiting.unread, href: "/notifications", said: words.notifications },
    { count: waiting.matches, href: "/jobs/matches", said: words.matches },
  ].filter(({ count }) => count > 0);
  if (rows.length === 0) return "";
  return (
    <section>
      <h2>{words.waiting}</h2>
      <ul class="rail-list">
        {rows.map(({ count, href, said }) => (
          <li>
            <a href={href}>{said({ count })}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Where a stranger has come to, and how one comes in. */
function Place({ ask }: { ask: PageAsk }) {
  const { name, line, joining } = charterOf(ask.core);
  const words = ask.words.feed.rail;
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
