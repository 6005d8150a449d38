/** @jsxImportSource @kitajs/html */
import { originOf } from "../../../core/services/imported/imported.ts";
import { listFeed, listHiddenPosts } from "../../../core/community/feed/feed.ts";
import { block, hasBlocked, unblock } from "../../../core/community/messages/blocks.ts";
import { rolesOf } from "../../../core/identity/builders/builders.ts";
import { foldUsername } from "../../../core/identity/builders/username.ts";
import { getProfile, type Profile } from "../../../core/community/profiles/profiles.ts";
import { getProjects, type Project } from "../../../core/community/profiles/projects.ts";
import { listPromptsOf, type Prompt } from "../../../core/community/prompts/prompts.ts";
import { getCalendar, getLongestRun, getRunOf } from "../../../core/community/xp/streaks.ts";
import { Avatar, avatarUrls } from "../../parts/avatar.tsx";
import { RoleMark, NotStaffMark } from "../../parts/role-mark.tsx";
import { Heading } from "../../parts/layout.tsx";
import { isoTime } from "../../../core/base/clock.ts";
import { openingOf } from "../../../core/base/title.ts";
import { renderMarkdown } from "../../../core/base/markdown.ts";
import { Button, Form, More } from "../../parts/parts.tsx";
import { CALENDAR_DAYS, Streak } from "../../parts/streak.tsx";
import type { Page, PageRequest } from "../../../core/base/page.ts";
import { nextAddress, pageRequest, readerOf } from "../../request/paging.ts";
import {
  readerPage,
  type PageAnswer,
  type PageAsk,
  type Person,
  type PersonAsk,
  signedInPage,
  type View,
  type Redirect,
} from "../../request/route.ts";
import { Follow } from "./following.tsx";
import { PostList } from "../feed/post-card.tsx";
import { Badges, Level } from "./profile-parts.tsx";
import { Prompts, Score } from "../prompts/prompts.tsx";

/** A builder: who they are, what they make, what they say. */
export const profilePages = [
  readerPage("GET", "/@:username", (ask) => redirectIfRenamed(ask, "", profileView)),
  readerPage("GET", "/@:username/prompts", (ask) => redirectIfRenamed(ask, "/prompts", promptsView)),
  signedInPage("POST", "/@:username/block", (ask) => setBlocked(ask, true)),
  signedInPage("POST", "/@:username/unblock", (ask) => setBlocked(ask, false)),
];

async function setBlocked(ask: PersonAsk, isBlocked: boolean): Promise<Redirect> {
  const { username } = profileOf(ask);
  await ask.write(() => (isBlocked ? block : unblock)(ask.core, ask.person.caller, username));
  return { to: `/@${username}`, notice: isBlocked ? "blocked" : "unblocked" };
}

/** A name that its builder has given up for another leads to the page under that one, for good (docs/contract.md#4.16). */
export function redirectIfRenamed(
  ask: PageAsk,
  rest: string,
  view: (ask: PageAsk, profile: Profile) => PageAnswer,
): PageAnswer {
  const profile = profileOf(ask);
  const { username } = profile;
  if (foldUsername(ask.params["username"] ?? "") === username) return view(ask, profile);
  const { search } = new URL(ask.context.request.url);
  // Caches keep such an answer unless it says otherwise: where the members alone read, it is theirs.
  const headers = { ...ask.context.headers, location: `/@${username}${rest}${search}` };
  return new Response(null, { status: 308, headers });
}

function profileOf(ask: PageAsk): Profile {
  return getProfile(ask.core, readerOf(ask), ask.params["username"] ?? "");
}

/** The page is about somebody, not about the last things that they said: those take most of the work of it. */
const POSTS = 10;

function profileView(ask: PageAsk, profile: Profile): View {
  const words = ask.words.profiles.profile;
  const { core, person } = ask;
  const reader = readerOf(ask);
  const isOwn = person?.caller.builderId === profile.id;
  const other = isOwn ? undefined : person;
  const isBlocked = other !== undefined && hasBlocked(core, other.caller, profile.username);
  const page = listFeed(core, reader, { author: profile.username }, { ...pageRequest(ask), limit: POSTS });
  const avatar = avatarUrls(core, [profile.id]).get(profile.id);
  const projects = getProjects(
    core,
    reader,
    profile.projects.map(({ id }) => id),
  );
  return {
    title: profile.name,
    linkPreview: {
      description: openingOf(profile.bio, 200) || `@${profile.username}`,
      kind: "profile",
      path: `/@${profile.username}`,
      picture: avatar && core.origin + avatar,
      feed: { path: `/@${profile.username}/feed`, title: profile.name },
    },
    body: (
      <>
        <div class="member">
          <Avatar username={profile.username} picture={avatar} isLarge />
          <div class="member-who">
            <h1 dir="auto" safe>
              {profile.name}
            </h1>
            <p class="member-line">
              <span safe>{`@${profile.username}`}</span>{" "}
              <RoleMark ask={ask} role={rolesOf(core, [profile.id]).get(profile.id) ?? "member"} />
              <NotStaffMark ask={ask} who={profile} />{" "}
              <span>
                {words.since({
                  when: (
                    <time datetime={isoTime(profile.joinedAt)} safe>
                      {ask.words.formats.day(profile.joinedAt)}
                    </time>
                  ),
                })}
              </span>
            </p>
            {profile.bio === "" ? (
              ""
            ) : (
              <div class="prose" dir="auto">
                {renderMarkdown(profile.bio, { below: 1, id: profile.id })}
              </div>
            )}
            <Origin ask={ask} profile={profile} />
          </div>
          <MainAct ask={ask} profile={profile} isOwn={isOwn} isBlocked={isBlocked} />
        </div>
        <Honours ask={ask} profile={profile} own={isOwn ? person : undefined} />
        {projects.length > 0 ? <Projects ask={ask} projects={inOrder(profile, projects)} /> : ""}
        <NewestPrompts
          ask={ask}
          profile={profile}
          page={promptsOf(ask, profile, { limit: NEWEST_PROMPTS })}
        />
        {isOwn && person ? <HiddenPosts ask={ask} person={person} /> : ""}
        <section class="part">
          <h2>{words.posts}</h2>
          {page.nodes.length > 0 ? (
            <PostList posts={page.nodes} ask={ask} />
          ) : (
            <p class="hint">{isOwn ? words.noPostOfYours : words.noPost}</p>
          )}
          <More ask={ask} href={nextAddress(ask, page)} />
        </section>
        {other ? <Distance ask={ask} profile={profile} isBlocked={isBlocked} /> : ""}
      </>
    ),
  };
}

/** The origin of an imported member, and whether they have claimed the profile. */
function Origin({ ask, profile }: { ask: PageAsk; profile: Profile }) {
  const origin = originOf(ask.core, profile.id);
  if (origin === undefined) return "";
  const { host, name, isClaimed } = origin;
  const words = ask.words.profiles.profile;
  return (
    <p class="hint">
      {(isClaimed ? words.imported : words.unclaimed)({
        origin: (
          <a href={`https://${host}/${encodeURIComponent(name)}`} rel="nofollow noopener ugc" safe>
            {`${host}/@${name}`}
          </a>
        ),
      })}
    </p>
  );
}

/** How many prompts the profile shows. A page of their own has the rest. */
const NEWEST_PROMPTS = 3;

function promptsOf(ask: PageAsk, { id }: Profile, request: PageRequest): Page<Prompt> {
  return listPromptsOf(ask.core, readerOf(ask), [id], request).get(id) as Page<Prompt>;
}

function NewestPrompts({ ask, profile, page }: { ask: PageAsk; profile: Profile; page: Page<Prompt> }) {
  const words = ask.words.profiles.prompts;
  if (page.nodes.length === 0) return "";
  return (
    <section class="part">
      <h2>{words.title}</h2>
      <ul class="rows">
        {page.nodes.map((prompt) => (
          <li>
            <div class="row-main">
              <h3 class="row-title" dir="auto">
                <a href={`/prompts/${prompt.id}`} safe>
                  {prompt.title}
                </a>
              </h3>
              <p class="row-meta" dir="auto" safe>{`${prompt.model} · ${prompt.category}`}</p>
            </div>
            <Score ask={ask} score={prompt.score} ratings={prompt.ratings} />
          </li>
        ))}
      </ul>
      <More ask={ask} href={page.hasNextPage ? `/@${profile.username}/prompts` : null} words={words.all} />
    </section>
  );
}

function promptsView(ask: PageAsk, profile: Profile): View {
  const page = promptsOf(ask, profile, pageRequest(ask));
  const words = ask.words.profiles.prompts;
  return {
    title: words.of({ name: profile.name }),
    body: (
      <>
        <Heading title={words.of({ name: profile.name })}>
          <p>
            <a href={`/@${profile.username}`} safe>{`@${profile.username}`}</a>
          </p>
        </Heading>
        {page.nodes.length > 0 ? (
          <Prompts ask={ask} prompts={page.nodes} />
        ) : (
          <p class="hint">{words.none}</p>
        )}
        <More ask={ask} href={nextAddress(ask, page)} />
      </>
    ),
  };
}

function MainAct({
  ask,
  profile,
  isOwn,
  isBlocked,
}: {
  ask: PageAsk;
  profile: Profile;
  isOwn: boolean;
  isBlocked: boolean;
}) {
  const words = ask.words.profiles.profile;
  if (isOwn) {
    return (
      <a class="button quiet" href="/settings/profile">
        {words.edit}
      </a>
    );
  }
  // Nobody writes to those they have blocked.
  if (!ask.person || isBlocked) return "";
  return (
    <div class="actions">
      <Follow ask={ask} profile={profile} />
      <a class="button primary" href={`/messages/new?to=${profile.username}`}>
        {words.message}
      </a>
    </div>
  );
}

/** A summary: rank, streak, figures, badges. */
function Honours({ ask, profile, own }: { ask: PageAsk; profile: Profile; own: Person | undefined }) {
  const { core } = ask;
  const words = ask.words.profiles.profile;
  const { number } = ask.words.formats;
  const calendar = own
    ? getCalendar(core, own.caller, CALENDAR_DAYS)
    : profile.streakDays > 0
      ? getRunOf(core, readerOf(ask), profile.id, CALENDAR_DAYS)
      : undefined;
  return (
    <div class="honours">
      <div class="standing">
        <Level ask={ask} profile={profile} />
        <dl class="tally">
          <div>
            <dt>{words.xp}</dt>
            <dd>{number(profile.xp)}</dd>
          </div>
          <div>
            <dt>{ask.words.following.followers}</dt>
            <dd>{number(profile.followers)}</dd>
          </div>
          {own && (
            <div>
              <dt>{words.longest}</dt>
              <dd>{words.days({ count: getLongestRun(core, own.caller) })}</dd>
            </div>
          )}
        </dl>
        {own && <p class="hint">{calendar?.days.at(-1) ? words.countsAlready : words.nothingToday}</p>}
      </div>
      {calendar ? (
        <div class="run">
          <Streak ask={ask} calendar={calendar} isOthers={!own} />
        </div>
      ) : (
        ""
      )}
      {profile.badges.length > 0 ? <Badges ask={ask} names={profile.badges} /> : ""}
    </div>
  );
}

/** Sorts projects as the profile does. */
function inOrder({ projects }: Profile, found: readonly Project[]): Project[] {
  return projects.flatMap(({ id }) => found.find((project) => project.id === id) ?? []);
}

function Projects({ ask, projects }: { ask: PageAsk; projects: readonly Project[] }) {
  return (
    <section class="part">
      <h2>{ask.words.profiles.profile.projects}</h2>
      <ul class="rows">
        {projects.map(({ id, title, url, description }) => (
          <li>
            <div class="row-main">
              <h3 class="row-title" dir="auto">
                {url === null ? (
                  <span dir="auto" safe>
                    {title}
                  </span>
                ) : (
                  <a href={url} rel="nofollow noopener ugc" safe>
                    {title}
                  </a>
                )}
              </h3>
              {description === null ? (
                ""
              ) : (
                <div class="prose" dir="auto">
                  {renderMarkdown(description, { below: 3, id })}
                </div>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The author's own posts that moderators have hidden. */
function HiddenPosts({ ask, person }: { ask: PageAsk; person: Person }) {
  const words = ask.words.profiles.profile;
  const { nodes } = listHiddenPosts(ask.core, person.caller, { limit: 20 });
  if (nodes.length === 0) return "";
  return (
    <section class="part">
      <h2>{words.hidden}</h2>
      <p class="hint">{words.hiddenLead}</p>
      <PostList posts={nodes} ask={ask} isWhole />
    </section>
  );
}

/** The buttons to block and report a member. */
function Distance({ ask, profile, isBlocked }: { ask: PageAsk; profile: Profile; isBlocked: boolean }) {
  const words = ask.words.profiles.distance;
  return (
    <section class="part">
      <h2>{isBlocked ? words.blockedTitle : words.title}</h2>
      <p class="hint">{isBlocked ? words.blockedLead : words.lead}</p>
      <div class="actions">
        <Form action={`/@${profile.username}/${isBlocked ? "unblock" : "block"}`} ask={ask} kind="inline">
          <Button kind="quiet">{isBlocked ? words.unblock : words.block}</Button>
        </Form>
        <a class="button quiet" href={`/report/${profile.id}`}>
          {words.report}
        </a>
      </div>
    </section>
  );
}
