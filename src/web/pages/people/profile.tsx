/** @jsxImportSource @kitajs/html */
import { originOf } from "../../../core/services/imported/imported.ts";
import { listFeed, listHiddenPosts } from "../../../core/community/feed/feed.ts";
import { block, hasBlocked, unblock } from "../../../core/community/messages/blocks.ts";
import { communitySettingsOf } from "../../../core/identity/community-settings/community-settings.ts";
import { findStanding, rolesOf } from "../../../core/identity/builders/builders.ts";
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
import { ModerateSubject } from "../../parts/moderate-menu.tsx";
import { nextAddress, pageRequest, readerOf } from "../../request/paging.ts";
import {
  readerPage,
  type PageAnswer,
  type PageContext,
  type Person,
  type PersonContext,
  signedInPage,
  type View,
  type Redirect,
} from "../../request/route.ts";
import { Follow } from "./following.tsx";
import { PostList } from "../feed/post-card.tsx";
import { Badges, Level } from "./profile-parts.tsx";
import { Prompts, Score } from "../prompts/prompts.tsx";

/** A builder's profile: personal details, projects, prompts and posts. */
export const profilePages = [
  readerPage("GET", "/@:username", (ctx) => redirectIfRenamed(ctx, "", profileView)),
  readerPage("GET", "/@:username/prompts", (ctx) => redirectIfRenamed(ctx, "/prompts", promptsView)),
  signedInPage("POST", "/@:username/block", (ctx) => setBlocked(ctx, true)),
  signedInPage("POST", "/@:username/unblock", (ctx) => setBlocked(ctx, false)),
];

async function setBlocked(ctx: PersonContext, isBlocked: boolean): Promise<Redirect> {
  const { username } = profileOf(ctx);
  await ctx.write(() => (isBlocked ? block : unblock)(ctx.core, ctx.person.caller, username));
  return { to: `/@${username}`, notice: isBlocked ? "blocked" : "unblocked" };
}

/** Redirects a former username permanently to the same page under the current one (docs/contract.md#4.16). */
export function redirectIfRenamed(
  ctx: PageContext,
  rest: string,
  view: (ctx: PageContext, profile: Profile) => PageAnswer,
): PageAnswer {
  const profile = profileOf(ctx);
  const { username } = profile;
  if (foldUsername(ctx.params["username"] ?? "") === username) return view(ctx, profile);
  const { search } = new URL(ctx.context.request.url);
  // `context.headers` forbid storing the redirect. Without these headers, caches would store a 308, even in a
  // members-only community.
  const headers = { ...ctx.context.headers, location: `/@${username}${rest}${search}` };
  return new Response(null, { status: 308, headers });
}

function profileOf(ctx: PageContext): Profile {
  return getProfile(ctx.core, readerOf(ctx), ctx.params["username"] ?? "");
}

/** Few posts, because reading posts is most of the work of this page. */
const POSTS = 10;

function profileView(ctx: PageContext, profile: Profile): View {
  const messages = ctx.messages.profiles.profile;
  const { core, person } = ctx;
  const reader = readerOf(ctx);
  const isOwn = person?.caller.builderId === profile.id;
  const other = isOwn ? undefined : person;
  const isBlocked = other !== undefined && hasBlocked(core, other.caller, profile.username);
  const page = listFeed(core, reader, { author: profile.username }, { ...pageRequest(ctx), limit: POSTS });
  const avatar = avatarUrls(core, [profile.id]).get(profile.id);
  const projects = getProjects(
    core,
    reader,
    profile.projects.map(({ id }) => id),
  );
  return {
    title: profile.name,
    linkPreview: {
      description: openingOf(profile.bio, 200) || usernameLine(ctx, profile),
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
              <RoleMark ctx={ctx} role={rolesOf(core, [profile.id]).get(profile.id) ?? "member"} />
              <NotStaffMark ctx={ctx} who={profile} />{" "}
              <span>
                {messages.since({
                  when: (
                    <time datetime={isoTime(profile.joinedAt)} safe>
                      {ctx.messages.formats.day(profile.joinedAt)}
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
            <PlaceAndLinks ctx={ctx} profile={profile} />
            <Origin ctx={ctx} profile={profile} />
          </div>
          <MainAction ctx={ctx} profile={profile} isOwn={isOwn} isBlocked={isBlocked} />
        </div>
        {isOwn ? "" : <ModerateSubject ctx={ctx} id={profile.id} />}
        <Summary ctx={ctx} profile={profile} own={isOwn ? person : undefined} />
        {projects.length > 0 ? (
          <Projects ctx={ctx} projects={inOrder(profile, projects)} pinnedId={profile.pinnedProjectId} />
        ) : (
          ""
        )}
        <NewestPrompts
          ctx={ctx}
          profile={profile}
          page={promptsOf(ctx, profile, { limit: NEWEST_PROMPTS })}
        />
        {isOwn && person ? <HiddenPosts ctx={ctx} person={person} /> : ""}
        <section class="part">
          <h2>{messages.posts}</h2>
          {page.nodes.length > 0 ? (
            <PostList posts={page.nodes} ctx={ctx} />
          ) : (
            <p class="hint">{isOwn ? messages.noPostOfYours : messages.noPost}</p>
          )}
          <More ctx={ctx} href={nextAddress(ctx, page)} />
        </section>
        {other ? <BlockAndReport ctx={ctx} profile={profile} isBlocked={isBlocked} /> : ""}
        {person || findStanding(ctx.core, profile.id)?.suspendedAt !== null ? (
          ""
        ) : (
          <p class="part quiet-links">
            <a href={`/report/${profile.id}`}>{ctx.messages.moderation.report.titles.builder}</a>
          </p>
        )}
      </>
    ),
  };
}

/** The member's place and other sites. The links are worthless to spammers, because of `nofollow`. */
function PlaceAndLinks({ ctx, profile: { place, links } }: { ctx: PageContext; profile: Profile }) {
  if (place === "" && links.length === 0) return "";
  return (
    <ul class="whereabouts" aria-label={ctx.messages.profiles.profile.placeAndLinks}>
      {place === "" ? (
        ""
      ) : (
        <li>
          <bdi safe>{place}</bdi>
        </li>
      )}
      {links.map((link) => (
        <li>
          <a href={link} rel="me nofollow noopener ugc" dir="auto" safe>
            {link.replace(/^https:\/\/(?:www\.)?/i, "").replace(/\/$/, "")}
          </a>
        </li>
      ))}
    </ul>
  );
}

function usernameLine({ core, messages }: PageContext, { username }: Profile): string {
  return messages.community.cards.profile({ username, community: communitySettingsOf(core).name });
}

/** The origin of an imported member, and whether they have claimed the profile. */
function Origin({ ctx, profile }: { ctx: PageContext; profile: Profile }) {
  const origin = originOf(ctx.core, profile.id);
  if (origin === undefined) return "";
  const { host, name, isClaimed } = origin;
  const messages = ctx.messages.profiles.profile;
  return (
    <p class="hint">
      {(isClaimed ? messages.imported : messages.unclaimed)({
        origin: (
          <a href={`https://${host}/${encodeURIComponent(name)}`} rel="nofollow noopener ugc" safe>
            {`${host}/@${name}`}
          </a>
        ),
      })}
    </p>
  );
}

/** Number of prompts on the profile. A separate page lists all. */
const NEWEST_PROMPTS = 3;

function promptsOf(ctx: PageContext, { id }: Profile, request: PageRequest): Page<Prompt> {
  return listPromptsOf(ctx.core, readerOf(ctx), [id], request).get(id) as Page<Prompt>;
}

function NewestPrompts({ ctx, profile, page }: { ctx: PageContext; profile: Profile; page: Page<Prompt> }) {
  const messages = ctx.messages.profiles.prompts;
  if (page.nodes.length === 0) return "";
  return (
    <section class="part">
      <h2>{messages.title}</h2>
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
            <Score ctx={ctx} score={prompt.score} ratings={prompt.ratings} />
          </li>
        ))}
      </ul>
      <More ctx={ctx} href={page.hasNextPage ? `/@${profile.username}/prompts` : null} label={messages.all} />
    </section>
  );
}

function promptsView(ctx: PageContext, profile: Profile): View {
  const page = promptsOf(ctx, profile, pageRequest(ctx));
  const messages = ctx.messages.profiles.prompts;
  return {
    title: messages.of({ name: profile.name }),
    body: (
      <>
        <Heading title={messages.of({ name: profile.name })}>
          <p>
            <a href={`/@${profile.username}`} safe>{`@${profile.username}`}</a>
          </p>
        </Heading>
        {page.nodes.length > 0 ? (
          <Prompts ctx={ctx} prompts={page.nodes} />
        ) : (
          <p class="hint">{messages.none}</p>
        )}
        <More ctx={ctx} href={nextAddress(ctx, page)} />
      </>
    ),
  };
}

function MainAction({
  ctx,
  profile,
  isOwn,
  isBlocked,
}: {
  ctx: PageContext;
  profile: Profile;
  isOwn: boolean;
  isBlocked: boolean;
}) {
  const messages = ctx.messages.profiles.profile;
  if (isOwn) {
    return (
      <a class="button quiet" href="/settings/profile">
        {messages.edit}
      </a>
    );
  }
  // Members cannot write to members they have blocked.
  if (!ctx.person || isBlocked) return "";
  return (
    <div class="actions">
      <Follow ctx={ctx} profile={profile} />
      <a class="button primary" href={`/messages/new?to=${profile.username}`}>
        {messages.message}
      </a>
    </div>
  );
}

/** A summary: rank, streak, figures and badges. */
function Summary({ ctx, profile, own }: { ctx: PageContext; profile: Profile; own: Person | undefined }) {
  const { core } = ctx;
  const messages = ctx.messages.profiles.profile;
  const { number } = ctx.messages.formats;
  const calendar = own
    ? getCalendar(core, own.caller, CALENDAR_DAYS)
    : profile.streakDays > 0
      ? getRunOf(core, readerOf(ctx), profile.id, CALENDAR_DAYS)
      : undefined;
  const longest = own ? getLongestRun(core, own.caller) : 0;
  const figures = [
    [messages.xp, number(profile.xp), profile.xp],
    [ctx.messages.following.followers, number(profile.followers), profile.followers],
    [messages.longest, messages.days({ count: longest }), longest],
  ].filter(([, , count]) => count !== 0);
  return (
    <div class="honours">
      <div class="standing">
        <Level ctx={ctx} profile={profile} />
        {figures.length > 0 && (
          <dl class="tally">
            {figures.map(([name, figure]) => (
              <div>
                <dt>{name}</dt>
                <dd>{figure}</dd>
              </div>
            ))}
          </dl>
        )}
        {own && <p class="hint">{calendar?.days.at(-1) ? messages.countsAlready : messages.nothingToday}</p>}
      </div>
      {calendar ? (
        <div class="run">
          <Streak ctx={ctx} calendar={calendar} isOtherMember={!own} hasLegend />
        </div>
      ) : (
        ""
      )}
      {profile.badges.length > 0 ? <Badges ctx={ctx} names={profile.badges} /> : ""}
    </div>
  );
}

/** Sorts projects in the order of the profile, with the pinned project first. */
function inOrder({ projects, pinnedProjectId }: Profile, found: readonly Project[]): Project[] {
  return projects
    .flatMap(({ id }) => found.find((project) => project.id === id) ?? [])
    .sort((a, b) => Number(b.id === pinnedProjectId) - Number(a.id === pinnedProjectId));
}

function Projects({
  ctx,
  projects,
  pinnedId,
}: {
  ctx: PageContext;
  projects: readonly Project[];
  pinnedId: string | null;
}) {
  return (
    <section class="part">
      <h2>{ctx.messages.profiles.profile.projects}</h2>
      <ul class="rows">
        {projects.map(({ id, title, url, description }) => (
          <li class={id === pinnedId ? "pinned" : ""}>
            <div class="row-main">
              {id === pinnedId ? <p class="pin">{ctx.messages.profiles.profile.pinned}</p> : ""}
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
function HiddenPosts({ ctx, person }: { ctx: PageContext; person: Person }) {
  const messages = ctx.messages.profiles.profile;
  const { nodes } = listHiddenPosts(ctx.core, person.caller, { limit: 20 });
  if (nodes.length === 0) return "";
  return (
    <section class="part">
      <h2>{messages.hidden}</h2>
      <p class="hint">{messages.hiddenLead}</p>
      <PostList posts={nodes} ctx={ctx} hasAllActions />
    </section>
  );
}

/** The buttons to block and report a member. */
function BlockAndReport({
  ctx,
  profile,
  isBlocked,
}: {
  ctx: PageContext;
  profile: Profile;
  isBlocked: boolean;
}) {
  const messages = ctx.messages.profiles.distance;
  return (
    <section class="part">
      <h2>{isBlocked ? messages.blockedTitle : messages.title}</h2>
      <p class="hint">{isBlocked ? messages.blockedLead : messages.lead}</p>
      <div class="actions">
        <Form action={`/@${profile.username}/${isBlocked ? "unblock" : "block"}`} ctx={ctx} kind="inline">
          <Button kind="quiet">{isBlocked ? messages.unblock : messages.block}</Button>
        </Form>
        <a class="button quiet" href={`/report/${profile.id}`}>
          {messages.report}
        </a>
      </div>
    </section>
  );
}
